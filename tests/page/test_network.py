"""The page's network and searches against those in Python, with the same weights."""

import base64
import random
import unicodedata
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from keras_transformer.export.html.network_weights import assign, quantized
from keras_transformer.export.html.subword_data import subword_data
from keras_transformer.export.html.tensors import pack
from keras_transformer.inspection.attention.weights import visible
from keras_transformer.inspection.attention.words import words_of
from keras_transformer.inspection.embedded_sentence import embedded_sentence
from keras_transformer.inspection.projection import principal_components
from keras_transformer.model.options import Options
from keras_transformer.model.transformer import Transformer
from keras_transformer.search.settings import SearchSettings
from keras_transformer.text.encoding import Encoding
from keras_transformer.text.subword_training import trained_subwords
from keras_transformer.translation.translator import Translator
from tests.conftest import pairs_of_two_languages
from tests.page.node import run_node

LONGEST = 12  # ids of a source; a target has one more
NEVER = -1e9
# layers of the encoder and the decoder, d_model, heads, dff, norm_first, tied_embeddings, weights,
# and what is added to the logit of the end token
NETWORKS = {
    "post-norm": (1, 2, 12, 3, 17, False, "none", "int8", 0),
    "pre-norm": (2, 1, 8, 2, 13, True, "all", "float16", 0),
    "output": (1, 1, 10, 1, 8, True, "output", "int8", 0),
    "empty": (1, 1, 10, 1, 8, True, "output", "int8", 9),  # it would end each translation at once
}
OFF = [
    {"kind": "encoder", "layer": 1, "head": 1},
    {"kind": "decoder", "layer": 1, "head": 1},
    {"kind": "cross", "layer": 1, "head": 1},
]
SPACED = {"source": False, "target": False}
BEAMS = [(1, 1.5), (2, 0.0), (4, 1.5), (5, 0.6)]


@dataclass
class Case:
    """A network with random weights, those of the page, and questions about it."""

    translator: Translator
    description: dict[str, Any]
    subwords: dict[str, Any]
    weights: bytes
    texts: list[str]

    def pair(self):
        """The ids of a source and a target."""
        draw = random.Random(3)
        source = self.translator.source_ids(self.texts[0])
        ids = range(3, self.translator.target_subwords.start)
        start, end = self.translator.target_subwords.start, self.translator.target_subwords.end
        return source, [start, *draw.choices(ids, k=7), end]

    def questions(self):
        source, target = self.pair()
        pair = {"source": source, "target": target}
        asked = [
            ["translate", {"text": text, "search": page_search(*beam)}]
            for beam in BEAMS
            for text in self.texts
        ]
        return [
            *asked,
            *(["logits", pair | {"off": off}] for off in ([], OFF)),
            ["forced", pair | {"count": 7}],
            ["continued", {"source": source, "prefix": target[:4], "search": page_search(1, 1.0)}],
            ["occlusion", pair],
            ["embedded", {"ids": source}],
            ["beam", {"source": source, "search": page_search(3, 1.0)}],
            *(
                ["outcomes", {"source": source, "search": page_search(*beam), "never": self.never}]
                for beam in BEAMS
            ),
        ]

    @property
    def never(self):
        """Ids that a search must not generate."""
        return self.description["never"]

    def json(self):
        return {
            "description": self.description,
            "subwords": self.subwords,
            "weights": base64.b64encode(self.weights).decode("ascii"),
            "questions": self.questions(),
        }


def page_search(beam_size, length_penalty):
    return {"beamSize": beam_size, "lengthPenalty": length_penalty}


def make_case(layers, decoder_layers, d_model, heads, dff, norm_first, tied, kind, end):
    sources, targets = zip(*pairs_of_two_languages(200), strict=True)
    if tied == "all":
        source_subwords = target_subwords = trained_subwords([*sources, *targets], 64, "en")
    else:
        source_subwords = trained_subwords(sources, 40, "en")
        target_subwords = trained_subwords(targets, 45, "de")
    options = Options(norm_first, tied_embeddings=tied, decoder_layers=decoder_layers)
    sizes = source_subwords.size, target_subwords.size
    model = Transformer(layers, d_model, heads, dff, *sizes, LONGEST + 1, options=options)
    model.build(None)
    draw = np.random.default_rng(0)
    for weight in model.weights:
        # Larger than at the start of a training, so that the probabilities differ.
        noise = draw.normal(0, 0.5 if len(weight.shape) == 1 else 1.2 * d_model**-0.5, weight.shape)
        weight.assign(noise + (weight.name == "gamma"))
    bias = model.final_layer.bias
    bias.assign(bias + end * tf.one_hot(target_subwords.end, target_subwords.size))
    tensors = quantized(model, kind)
    assign(model, tensors)
    entries, weights = pack(tensors)
    encoding = Encoding(source_subwords, target_subwords, LONGEST, LONGEST + 1)
    translator = Translator(model, encoding)
    network = {
        "encoder_layers": layers,
        "decoder_layers": decoder_layers,
        "num_heads": heads,
        "norm_first": norm_first,
        "tied_embeddings": tied,
        "max_source_length": LONGEST,
        "max_target_length": LONGEST + 1,
    }
    never = target_subwords.suppressed_ids()
    return Case(
        translator,
        {"network": network, "never": never, "tensors": entries, "unspaced": SPACED},
        {
            "source": subword_data(source_subwords),
            "target": None if tied == "all" else subword_data(target_subwords),
        },
        weights,
        [*sources[:12], "", " ", "▁", " ".join(sources[:5]), sources[0].upper() + " ?"],
    )


@pytest.fixture(scope="module")
def answered():
    """Each case, and an iterator over the answers of the page."""
    cases = {name: make_case(*sizes) for name, sizes in NETWORKS.items()}
    answers = run_node("network.mjs", [case.json() for case in cases.values()])
    return dict(zip(cases, zip(cases.values(), answers, strict=True), strict=True))


@pytest.fixture(params=NETWORKS)
def case(request, answered):
    return answered[request.param][0]


@pytest.fixture
def answers(case, answered):
    """{method: its answers}, in the order of the questions."""
    [found] = [found for each, found in answered.values() if each is case]
    grouped = {}
    for (method, _), answer in zip(case.questions(), found, strict=True):
        grouped.setdefault(method, []).append(answer)
    return grouped


def logits(case, source, target, off=()):
    """Logits (T - 1, V) by the network in Python, with some heads off."""
    model = case.translator.model
    saved = [weight.numpy() for weight in model.weights]
    for each in off:
        stack = {"encoder": model.encoder.enc_layers}.get(each["kind"], model.decoder.dec_layers)
        layer = stack[each["layer"] - 1]
        part = layer.cross_attention if each["kind"] == "cross" else layer.self_attention
        kernel = part.mha.dense.kernel.numpy()
        depth = len(kernel) // part.mha.num_heads
        kernel[(each["head"] - 1) * depth : each["head"] * depth] = 0
        part.mha.dense.kernel.assign(kernel)
    found = model((tf.constant([source]), tf.constant([target[:-1]])), training=False)[0].numpy()
    for weight, value in zip(model.weights, saved, strict=True):
        weight.assign(value)
    return found


def log_softmax(scores):
    return scores - np.logaddexp.reduce(scores, axis=-1, keepdims=True)


def searchable(case, scores):
    """Log probabilities in a search, which must not generate some ids."""
    scores = scores.astype(np.float64)
    scores[..., case.never] += NEVER
    return log_softmax(scores)


def test_translations_are_those_of_the_translator(case, answers):
    texts = case.texts
    for number, (beam_size, penalty) in enumerate(BEAMS):
        settings = SearchSettings(beam_size=beam_size, length_penalty=penalty)
        lower = [*texts[:-1], texts[-1].capitalize()]
        wanted = [best for best, *_ in case.translator.translate(lower, settings)]
        found = answers["translate"][number * len(texts) : (number + 1) * len(texts)]
        for text, one, best in zip(texts, found, wanted, strict=True):
            assert one["translation"] == best.text, text
            assert one["score"] == pytest.approx(best.score, abs=1e-4), text
            assert one["target"]["ids"] == list(best.ids)
            assert set(one) == {"text", "source", "target", "translation", "score"} | {
                "logProbability",
                "probabilities",
                "finished",
                "truncated",
            }
            assert np.prod(one["probabilities"]) == pytest.approx(np.exp(one["logProbability"]))
        assert [one["truncated"] for one in found] == [text == texts[-2] for text in texts]


def test_no_translation_is_empty(answered):
    case, answers = answered["empty"]
    source, target = case.pair()
    end = case.translator.target_subwords.end
    assert np.argmax(logits(case, source, target)[0]) == end
    texts = case.texts * len(BEAMS)
    for text, one in zip(texts, answers[: len(texts)], strict=True):
        begins = one["target"]["ids"][:2]
        assert not text.strip(" ▁") or (len(begins) == 2 and begins[1] != end), text


def test_the_view_says_why_the_end_does_not_come_first(answered):
    case, answers = answered["empty"]
    grouped = zip(case.questions(), answers, strict=True)
    outcomes = [found for (method, _), found in grouped if method == "outcomes"]
    assert len(outcomes) == len(BEAMS)
    for columns in outcomes:
        first, *later = columns
        assert (first[0]["label"], first[0]["fate"]) == ("<end>", "dropped: cannot come first")
        probabilities = [each["probability"] for each in first]
        assert probabilities == sorted(probabilities, reverse=True)
        assert not any("first" in each["fate"] for column in later for each in column)


def test_logits_equal_those_of_the_network(case, answers):
    source, target = case.pair()
    for found, off in zip(answers["logits"], ([], OFF), strict=True):
        np.testing.assert_allclose(found, logits(case, source, target, off), atol=1e-4)


def test_switching_heads_off_changes_the_logits(answers):
    with_all, without = map(np.array, answers["logits"])
    assert np.abs(with_all - without).max() > 0.1


def test_forced_decoding_gives_the_probabilities_of_the_network(case, answers):
    source, target = case.pair()
    [found] = answers["forced"]
    logs = searchable(case, logits(case, source, target))
    written = logs[np.arange(len(target) - 1), target[1:]]
    np.testing.assert_allclose(found["probabilities"], np.exp(written), rtol=1e-3)
    assert found["logProbability"] == pytest.approx(written.sum(), abs=1e-3)
    for row, best in zip(logs, found["best"], strict=True):
        ids = [each["id"] for each in best]
        assert ids == np.argsort(-row, kind="stable")[:7].tolist()
        assert [each["label"] for each in best] == case.translator.target_subwords.labels(ids)
        np.testing.assert_allclose([each["probability"] for each in best], np.exp(row[ids]), 1e-3)


def test_attention_weights_equal_those_of_the_network(case, answers):
    source, target = case.pair()
    inputs = tf.constant([source]), tf.constant([target])
    _, weights = case.translator.model(inputs, training=False, return_attention=True)
    labels = [str(i) for i in source], [str(i) for i in target]
    for kind, layers in weights._asdict().items():
        found = answers["forced"][0]["attention"][kind]
        assert len(found) == len(layers)
        for one, tensor in zip(found, layers, strict=True):
            expected, _, _ = visible(kind, tensor.numpy()[0], *labels)
            values = np.array(one["values"], float).reshape(
                one["heads"], one["rows"], one["columns"]
            )
            np.testing.assert_allclose(values, expected, atol=1e-5)


def test_a_search_continues_from_a_prefix(case, answers):
    """Greedy search, by one forward pass of the network for each position."""
    source, target = case.pair()
    ids, logs = target[:4], []
    end = case.translator.target_subwords.end
    while ids[-1] != end and len(ids) < LONGEST + 1:
        row = searchable(case, logits(case, source, [*ids, 0])[-1])
        ids = [*ids, int(row.argmax())]
    rows = searchable(case, logits(case, source, ids))
    logs = rows[np.arange(len(ids) - 1), ids[1:]]
    [found] = answers["continued"]
    assert found["target"]["ids"] == ids
    assert found["logProbability"] == pytest.approx(logs.sum(), abs=1e-3)
    assert found["finished"] == (ids[-1] == end)


def test_occlusion_is_the_difference_without_a_word(case, answers):
    source, target = case.pair()
    words = words_of(case.translator.source_subwords.labels(source))
    [found] = answers["occlusion"]
    assert found["words"] == words.labels[1:-1]

    def written(ids):
        logs = searchable(case, logits(case, ids, target))
        return logs[np.arange(len(target) - 1), target[1:]]

    for number, changes in enumerate(found["changes"], start=1):
        rest = [i for i, word in zip(source, words.numbers, strict=True) if word != number]
        np.testing.assert_allclose(changes, written(source) - written(rest), atol=1e-3)


def test_without_spaces_each_subword_of_the_source_is_left_out(answered):
    """The words of the target, which has spaces, are still what is between two of them."""
    case, _ = answered["output"]
    unspaced = replace(
        case, description=case.description | {"unspaced": {**SPACED, "source": True}}
    )
    [answers] = run_node("network.mjs", [unspaced.json()])
    found = dict(zip((method for method, _ in case.questions()), answers, strict=True))
    source, _ = case.pair()
    labels = case.translator.source_subwords.labels(source)
    pieces = [each for each in labels[1:-1] if each != "▁"]
    assert len(pieces) > len(words_of(labels).labels[1:-1])
    assert len(found["occlusion"]["changes"]) == len(pieces)
    assert [word.lstrip("▁") for word in found["occlusion"]["words"]] == [
        piece.lstrip("▁") for piece in pieces
    ]
    target = found["continued"]["target"]
    assert target["words"]["labels"] == words_of(target["labels"]).labels


def test_letters_are_composed_before_they_become_subwords(case):
    text = "a\u0323 \u1112\u1161\u11ab"  # ạ, and a Korean syllable
    asked = [["translate", {"text": text, "search": page_search(1, 1.0)}]]
    [[found]] = run_node("network.mjs", [case.json() | {"questions": asked}])
    composed = unicodedata.normalize("NFC", text)
    assert case.translator.source_ids(composed) != case.translator.source_ids(text)
    assert found["source"]["ids"] == case.translator.source_ids(composed)


def test_embeddings_are_projected_as_in_python(case, answers):
    [found] = answers["embedded"]
    embedded = embedded_sentence(case.translator, case.texts[0])
    projection = principal_components(np.concatenate([embedded.before, embedded.after]))
    assert found["labels"] == embedded.subwords
    np.testing.assert_allclose(found["before"], projection.project(embedded.before), atol=1e-3)
    np.testing.assert_allclose(found["after"], projection.project(embedded.after), atol=1e-3)
    np.testing.assert_allclose(found["variance"], projection.explained, atol=1e-5)


def test_the_candidates_of_a_beam_are_the_best_continuations(case, answers):
    """Each position against all continuations of its live hypotheses."""
    source, _ = case.pair()
    subwords = case.translator.target_subwords
    [found] = answers["beam"]
    live = [[subwords.start]]
    for step in found["steps"]:
        rows = np.stack([searchable(case, logits(case, source, [*ids, 0])) for ids in live])
        sums = [
            sum(rows[k][i][ids[i + 1]] for i in range(len(ids) - 1)) for k, ids in enumerate(live)
        ]
        scores = np.array(sums)[:, np.newaxis] + rows[:, -1]
        order = np.argsort(-scores, axis=None, kind="stable")[:6]
        wanted = list(
            zip(*map(np.ndarray.tolist, np.unravel_index(order, scores.shape)), strict=True)
        )
        candidates = step["candidates"]
        assert [(each["parent"], each["id"]) for each in candidates] == wanted
        np.testing.assert_allclose(
            [each["logProbability"] for each in candidates], scores.ravel()[order], atol=1e-3
        )
        fates, kept = [], 0
        for rank, (_, i) in enumerate(wanted):
            is_end = i == subwords.end
            may_end = rank < 3 and step["position"] > 0
            fates.append("ended" if is_end and may_end else "dropped")
            if not is_end and kept < 3:
                fates[-1], kept = "kept", kept + 1
        assert [each["fate"] for each in candidates] == fates
        chosen = [each for each in candidates if each["fate"] == "kept"]
        assert [each["slot"] for each in chosen] == list(range(len(chosen)))
        live = [[*live[each["parent"]], each["id"]] for each in chosen]
    best, *_ = case.translator.translate(
        [case.texts[0]], SearchSettings(beam_size=3, length_penalty=1.0)
    )
    assert found["best"] == list(best[0].ids)


def test_half_precision_numbers_are_read_as_by_numpy():
    values = np.array(list(map(float, run_node("halves.mjs", None))))
    np.testing.assert_array_equal(values, np.arange(2**16, dtype=np.uint16).view(np.float16))
