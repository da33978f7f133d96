"""Sentences and requests that check an export, warm up a server, or serve as examples."""

import random
from collections.abc import Sequence

from keras_transformer.export.compiled_search import MAX_COMPILED
from keras_transformer.runs.run import Run
from keras_transformer.tensors import Nest
from keras_transformer.text.batches import pad
from keras_transformer.text.subwords import Subwords
from keras_transformer.translation.translator import Translator
from keras_transformer.translation.xla_search import buckets_up_to

MAX_WORDS = 8  # in a generated sentence
CHECKED_BATCHES = (1, 3, 64)


def example(run: Run, subwords: Subwords) -> str:
    """Return the first example sentence of a run, or a generated sentence if it has none."""
    return (run.examples() or sentences(subwords, 1))[0]


def sentences(subwords: Subwords, count: int) -> list[str]:
    """Return generated sentences, the same in each call. Each word is one subword."""
    words, draw = _words(subwords), random.Random(1)
    return [" ".join(draw.choices(words, k=draw.randint(1, MAX_WORDS))) for _ in range(count)]


def sentence_of(subwords: Subwords, length: int) -> str:
    """Return a generated sentence of `length` ids, start and end included, or slightly fewer."""
    words = random.Random(length).choices(_words(subwords), k=length)
    while len(words) > 1 and len(subwords.encode(" ".join(words))) > length:
        words.pop()
    return " ".join(words)


def sentences_of_buckets(translator: Translator) -> list[str]:
    """Return a generated sentence for each source length for which XLA compiles the search."""
    buckets = buckets_up_to(translator.max_source_length, translator.max_target_length - 1)
    return [sentence_of(translator.source_subwords, length) for length, _ in buckets]


def batches_to_check(translator: Translator) -> list[list[str]]:
    """Return the batches of sentences with which an export is checked."""
    texts = sentences(translator.source_subwords, max(CHECKED_BATCHES))
    lengths = sentences_of_buckets(translator)
    return [*(texts[:size] for size in CHECKED_BATCHES), [*lengths, ""]]


def _words(subwords: Subwords) -> list[str]:
    """Return at most 500 words that are one subword, the longest first.

    If the vocabulary contains no such word, return pieces other than bytes.
    """
    model = subwords.bpemb.spm
    ids = (i for i in range(3, subwords.start) if not model.is_byte(i))
    pieces = [model.id_to_piece(i) for i in ids]
    words = [piece[1:] for piece in pieces if piece.startswith("▁") and piece[1:].isalpha()]
    words = [word for word in words if len(subwords.encode(word)) == 3] or pieces
    return sorted(words, key=len, reverse=True)[:500]


def inputs(translator: Translator, texts: Sequence[str], ids_only: bool) -> dict[str, list]:
    """Return {input: nested list}, a request for the translations of texts."""
    if not ids_only:
        return {"source": list(texts)}
    return {"source_ids": pad([translator.source_subwords.encode(text) for text in texts]).tolist()}


def warmup_requests(translator: Translator, ids_only: bool) -> list[tuple[str, Nest]]:
    """Return [(signature, inputs)]: each search in each bucket and a large batch; `attention`."""
    single = sentences_of_buckets(translator)
    batches = [*([text] for text in single), single[:1] * (MAX_COMPILED + 1)]
    warmup = [("ids", inputs(translator, texts, True)) for texts in batches]
    if ids_only:
        return [("serving_default", request) for _, request in warmup] + warmup
    for signature in ("serving_default", "greedy"):
        warmup += [(signature, {"source": texts}) for texts in batches]
    return [*warmup, ("attention", {"source": single[:1], "target": ["a"]})]
