import pytest

from keras_transformer.errors import UserError
from keras_transformer.inspection.network.reading import (
    prefix_reading,
    source_reading,
    translation_reading,
)


def test_a_source_is_read_as_the_translator_reads_it(translator):
    reading = source_reading(translator, "ba be lo")
    assert reading.ids == translator.source_ids("ba be lo")
    assert reading.labels() == translator.source_subwords.labels(reading.ids)
    assert (reading.labels()[0], reading.labels()[-1]) == ("<start>", "<end>")


def test_a_prefix_has_a_start_and_no_end(translator):
    subwords = translator.target_subwords
    assert prefix_reading(translator, "").ids == [subwords.start]
    ids = prefix_reading(translator, "be lo").ids
    assert subwords.decode(ids) == "be lo"
    assert [*ids, subwords.end] == subwords.encode("be lo")


def test_the_decoder_reads_all_of_a_translation_but_its_last_id(translator):
    [[translation]] = translator.translate(["ba be lo"])
    reading = translation_reading(translator, "ba be lo")
    assert (reading.text, reading.ids) == (translation.text, list(translation.ids[:-1]))
    assert translation_reading(translator, "\u200b").ids == [translator.target_subwords.start]


@pytest.mark.parametrize("sentence", ["", " ", "\u200b"])
def test_a_sentence_without_subwords_is_an_error(translator, sentence):
    with pytest.raises(UserError, match="the sentence is empty"):
        source_reading(translator, sentence)


def test_sentences_and_prefixes_that_are_too_long_are_errors(translator):
    """The small run reads at most 41 source ids and 41 target ids, start and end included."""
    unit = "a" * 60
    message = "is too long: it has 6[0-9] subwords, and the network reads at most {}"
    with pytest.raises(UserError, match="the sentence " + message.format(39)):
        source_reading(translator, unit)
    with pytest.raises(UserError, match="the prefix " + message.format(40)):
        prefix_reading(translator, unit)
    longest = max(
        range(60), key=lambda n: (len(translator.source_subwords.encode("a" * n)) <= 41, n)
    )
    assert len(source_reading(translator, "a" * longest).ids) == 41
