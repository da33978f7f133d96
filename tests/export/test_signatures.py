"""The signatures of an export against the translator it was made from."""

import math

import numpy as np
import pytest
import tensorflow as tf

from keras_transformer.search.settings import SearchSettings
from keras_transformer.translation.translation import Translation
from tests.conftest import toy_pairs
from tests.export.conftest import TYPED

SENTENCES = [source for source, _ in toy_pairs(64, seed=3)]
STRINGS, FLOATS, INTS = tf.string, tf.float32, tf.int32


def translated(translator, sentences, search=None):
    return [best.text for best, *_ in translator.translate(sentences, search)]


def texts(tensor):
    return [text.decode("utf-8") for text in tensor.numpy()]


def test_signatures_have_the_documented_names_types_and_shapes(loaded):
    wanted = {
        "serving_default": (
            {"source": (STRINGS, [None])},
            {"translation": (STRINGS, [None]), "score": (FLOATS, [None])},
        ),
        "greedy": (
            {"source": (STRINGS, [None])},
            {"translation": (STRINGS, [None]), "score": (FLOATS, [None])},
        ),
        "ids": (
            {"source_ids": (INTS, [None, None])},
            {"target_ids": (INTS, [None, 41]), "score": (FLOATS, [None])},
        ),
        "attention": (
            {"source": (STRINGS, [None]), "target": (STRINGS, [None])},
            {
                "source_subwords": (STRINGS, [None, None]),
                "target_subwords": (STRINGS, [None, None]),
                "encoder_attention": (FLOATS, [None, 1, 2, None, None]),
                "decoder_attention": (FLOATS, [None, 1, 2, None, None]),
                "cross_attention": (FLOATS, [None, 1, 2, None, None]),
            },
        ),
    }

    def described(specs):
        return {name: (spec.dtype, spec.shape.as_list()) for name, spec in specs.items()}

    assert set(loaded.signatures) == set(wanted)
    for name, function in loaded.signatures.items():
        inputs = described(function.structured_input_signature[1])
        outputs = described(function.structured_outputs)
        assert (inputs, outputs) == wanted[name]


@pytest.mark.parametrize(("signature", "beam_size"), [("serving_default", 4), ("greedy", 1)])
@pytest.mark.parametrize("size", [1, 3, 64])
def test_translations_equal_those_of_the_run(loaded, translator, signature, beam_size, size):
    found = loaded.signatures[signature](source=tf.constant(SENTENCES[:size]))
    wanted = translator.translate(SENTENCES[:size], SearchSettings(beam_size=beam_size))
    assert texts(found["translation"]) == [best.text for best, *_ in wanted]
    np.testing.assert_allclose(found["score"], [best.score for best, *_ in wanted], atol=1e-3)


def test_translations_of_ids_equal_those_of_the_run(loaded, translator):
    source = translator.source_subwords.encode(SENTENCES[0])
    found = loaded.signatures["ids"](source_ids=tf.constant([source]))
    [[wanted]] = translator.translate(SENTENCES[:1])
    assert tuple(i for i in found["target_ids"].numpy()[0] if i) == wanted.ids[1:]


def test_numbers_that_are_not_ids_are_read_as_unknown(loaded):
    ids = [[40, -5, 10_000, 41, *[0] * 60], [0] * 64]
    found = loaded.signatures["ids"](source_ids=tf.constant(ids))
    assert found["score"].numpy()[1] == 0
    assert not found["target_ids"].numpy()[1].any()
    unknown = loaded.signatures["ids"](source_ids=tf.constant([[40, 1, 1, 41]]))
    np.testing.assert_array_equal(found["target_ids"][0], unknown["target_ids"][0])


def test_padding_by_a_server_is_ignored(loaded, translator):
    """A server pads with the first id of a request. A source that is too long keeps its end."""
    start, end = translator.source_subwords.start, translator.source_subwords.end
    ids = loaded.signatures["ids"]
    wanted = ids(source_ids=tf.constant([[start, 5, 6, end]]))["target_ids"]
    found = ids(source_ids=tf.constant([[start, 5, 6, end, start, start]]))["target_ids"]
    np.testing.assert_array_equal(found, wanted)
    wanted = ids(source_ids=tf.constant([[start, *[5] * 39, end]]))["target_ids"]
    found = ids(source_ids=tf.constant([[start, *[5] * 50, end, start]]))["target_ids"]
    np.testing.assert_array_equal(found, wanted)


def test_an_empty_source_has_an_empty_translation(loaded, translator):
    """As in an export of text. A source of a word is translated beside it."""
    ids = loaded.signatures["ids"]
    start, end = translator.source_subwords.start, translator.source_subwords.end
    word = translator.source_subwords.encode("ba")
    found = ids(source_ids=tf.constant([[start, end, *[0] * (len(word) - 2)], word]))
    assert not found["target_ids"].numpy()[0].any()
    assert found["score"].numpy()[0] == 0
    assert found["target_ids"].numpy()[1].any()


def test_odd_strings_do_not_change_the_translations_of_others(loaded, translator):
    odd = ["", " \u3000", "\x00", "😀" * 5000, "ba " * 5000, "</s>", "\u2028ba"]
    mixed = [text.encode() for pair in zip(odd, SENTENCES, strict=False) for text in pair]
    mixed += [b"\xff\xfe", b"ba \xc3"]
    found = loaded.signatures["serving_default"](source=tf.constant(mixed))
    assert texts(found["translation"])[1:14:2] == translated(translator, SENTENCES[:7])
    assert texts(found["translation"])[0:13:2] == translated(translator, odd)
    assert found["score"].numpy()[:3:2].tolist() == [0, 0]
    assert len(found["score"]) == len(mixed)


def test_text_encoded_as_bytes_is_translated_as_in_the_run(exported_full, full_translator):
    typed = ["a\tb", *TYPED]
    loaded = tf.saved_model.load(str(exported_full.directory))
    found = loaded.signatures["serving_default"](source=tf.constant(typed))
    wanted = full_translator.translate(typed)
    assert texts(found["translation"]) == [best.text for best, *_ in wanted]
    np.testing.assert_allclose(found["score"], [best.score for best, *_ in wanted], atol=1e-3)
    written = {i for best, *_ in wanted for i in best.ids}
    assert written & set(range(3 + 0x80, 3 + 0x100)), "no translation contains bytes"


@pytest.mark.parametrize("batch", [[], [""], ["", " "]])
@pytest.mark.parametrize("signature", ["serving_default", "greedy"])
def test_empty_sentences_have_empty_translations(loaded, batch, signature):
    found = loaded.signatures[signature](source=tf.constant(batch, tf.string))
    assert texts(found["translation"]) == [""] * len(batch)
    assert found["score"].numpy().tolist() == [0] * len(batch)


def test_attention_equals_that_of_the_translator(loaded, translator):
    translation = Translation("lo ki ba", 0, tuple(translator.target_subwords.encode("lo ki ba")))
    found = loaded.signatures["attention"](
        source=tf.constant(["ba lo ki", ""]), target=tf.constant([translation.text, ""])
    )
    source, target, weights = translator.attention("ba lo ki", translation)
    assert texts(found["source_subwords"][0]) == source
    assert texts(found["target_subwords"][0]) == target
    assert set(texts(found["source_subwords"][1])) == {"<pad>"}
    for kind in ("encoder", "decoder", "cross"):
        wanted = getattr(weights, kind)[0][0]
        np.testing.assert_allclose(found[f"{kind}_attention"][0, 0], wanted, atol=1e-5)


def test_attention_of_empty_sentences_has_a_row_for_each(loaded):
    nothing = tf.constant(["", ""])
    found = loaded.signatures["attention"](source=nothing, target=nothing)
    assert all(len(value) == 2 for value in found.values())


@pytest.mark.parametrize("kind", ["exported", "exported_xla"])
def test_only_weights_are_saved(request, translator, kind):
    """No optimizer slots or random states, and a tied embedding only once."""
    directory = request.getfixturevalue(kind).directory
    saved = tf.train.list_variables(str(directory / "variables/variables"))
    shapes = [shape for name, shape in saved if name.startswith("weights/")]
    trained = translator.model.trainable_variables
    assert sum(map(math.prod, shapes)) == sum(int(tf.size(v)) for v in trained)
    assert len(shapes) == (len(trained) if kind == "exported" else 1)
    others = [name for name, _ in saved if not name.startswith("weights/")]
    assert others == ["_CHECKPOINTABLE_OBJECT_GRAPH"]
