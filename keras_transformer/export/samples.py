"""Sentences and requests: to check an export, to warm a server up, and to show."""

import random

from keras_transformer.export.compiled_search import MOST_COMPILED
from keras_transformer.text.batches import pad
from keras_transformer.translation.compiled import buckets_up_to

LONGEST_MADE_UP = 8  # words
CHECKED_BATCHES = (1, 3, 64)


def example(run, subwords):
    """Return a sentence to show: the first example of a run, or else a made-up one."""
    return (run.examples() or sentences(subwords, 1))[0]


def sentences(subwords, count):
    """Made-up sentences of words that are one subword each: always the same."""
    words, draw = _words(subwords), random.Random(1)
    return [" ".join(draw.choices(words, k=draw.randint(1, LONGEST_MADE_UP))) for _ in range(count)]


def sentence_of(subwords, length):
    """A made-up sentence of `length` ids, start and end included, or as many as come near."""
    words = random.Random(length).choices(_words(subwords), k=length)
    while len(words) > 1 and len(subwords.encode(" ".join(words))) > length:
        words.pop()
    return " ".join(words)


def sentences_of_buckets(translator):
    """A made-up sentence for each length that XLA compiles for."""
    buckets = buckets_up_to(translator.max_source_length, translator.max_target_length - 1)
    return [sentence_of(translator.source_subwords, length) for length, _ in buckets]


def batches_to_check(translator, ids_only):
    """Batches of sentences that an export is asked to translate."""
    texts = sentences(translator.source_subwords, max(CHECKED_BATCHES))
    lengths = sentences_of_buckets(translator) + ([] if ids_only else [""])
    return [*(texts[:size] for size in CHECKED_BATCHES), lengths]


def _words(subwords):
    """Words that are one subword, the longest first; where there are none, any but bytes."""
    model = subwords.bpemb.spm
    ids = (i for i in range(3, subwords.start) if not model.is_byte(i))
    pieces = [model.id_to_piece(i) for i in ids]
    words = [piece[1:] for piece in pieces if piece.startswith("▁") and piece[1:].isalpha()]
    words = [word for word in words if len(subwords.encode(word)) == 3] or pieces
    return sorted(words, key=len, reverse=True)[:500]


def inputs(translator, texts, ids_only):
    """The inputs of a request to translate texts."""
    if not ids_only:
        return {"source": texts}
    return {"source_ids": pad([translator.source_subwords.encode(text) for text in texts]).tolist()}


def warmup_requests(translator, ids_only):
    """A request for each signature and each shape that XLA compiles for: [(signature, inputs)]."""
    single = sentences_of_buckets(translator)
    batches = [*([text] for text in single), single[:1] * (MOST_COMPILED + 1)]
    warmup = [("ids", inputs(translator, texts, True)) for texts in batches]
    if ids_only:
        return [("serving_default", request) for _, request in warmup] + warmup
    for signature in ("serving_default", "greedy"):
        warmup += [(signature, {"source": texts}) for texts in batches]
    return [*warmup, ("attention", {"source": single[:1], "target": ["a"]})]
