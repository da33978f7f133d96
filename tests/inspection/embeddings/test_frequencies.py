"""Counts of subwords; the expected counts come from encoding the sentences one by one."""

import shutil
from collections import Counter

import numpy as np
import pytest

from keras_transformer.errors import UserError
from keras_transformer.inspection.embeddings.frequencies import (
    SIDES,
    count_subwords,
    is_continuation,
)
from keras_transformer.runs.run import Run
from keras_transformer.text.corpus import open_corpus
from keras_transformer.text.words import count_words


@pytest.fixture
def run(small_run, tmp_path):
    """A copy of the small run whose files may be changed."""
    return Run.open(shutil.copytree(small_run, tmp_path / "run"))


def training_pairs(run):
    """Return the pairs of the run's files that are not held out for validation."""
    files, text = run.config.training, run.config.text
    languages = text.source_lang, text.target_lang
    return list(open_corpus(files.train, files.validation, *languages).train)


def counted(subwords, texts):
    """Return the occurrences of each id, and how often the word continues after it.

    Args:
        subwords: the `Subwords`.
        texts: {text: number of occurrences}.
    """
    occurrences, continued = Counter(), Counter()
    for text, number in texts.items():
        ids = subwords.encode(text)
        for i, after in zip(ids, [*ids[1:], subwords.end], strict=True):
            occurrences[i] += number
            label = subwords.labels([after])[0]
            letter = any(c.isalpha() for c in label) and label not in ("<start>", "<end>", "<unk>")
            continued[i] += number * (letter and label[0] != "▁")
    return [[each[i] for i in range(subwords.size)] for each in (occurrences, continued)]


@pytest.mark.parametrize("side", SIDES)
def test_subwords_are_counted_in_the_training_sentences(run, side):
    number = SIDES.index(side)
    texts = Counter(pair[number] for pair in training_pairs(run))
    found = count_subwords(run, side)
    assert [each.tolist() for each in found] == counted(run.subwords()[number], texts)


@pytest.mark.parametrize("damage", ["missing", "cut", "other ids"])
def test_without_the_training_sentences_subwords_are_counted_in_their_words(run, damage):
    path = run.directory / "training.ids"
    if damage == "missing":
        path.unlink()
    elif damage == "cut":
        path.write_bytes(path.read_bytes()[:-8])
    else:
        write_ids(path, [[9000, 9001]] * 2)  # not in the vocabulary of the small run
    words = count_words(source for source, _ in training_pairs(run))
    found = count_subwords(run, "source")
    assert [each.tolist() for each in found] == counted(run.subwords()[0], words)


def test_the_vocabulary_of_the_other_side_may_be_larger(run):
    subwords = run.subwords()[0]
    ids = subwords.encode("ba be")
    write_ids(run.directory / "training.ids", [ids, [9000, 9001]])
    found = count_subwords(run, "source")
    assert [each.tolist() for each in found] == counted(subwords, {"ba be": 1})


def write_ids(path, rows):
    """Write rows of ids, alternately of a source and of its translation."""
    from keras_transformer.text import id_file
    from keras_transformer.text.encoding import PairIds
    from keras_transformer.text.rows import Rows

    rows = Rows.of(rows)
    ids = Rows(rows.ids.astype("<u2"), rows.offsets)
    id_file.save(path, b"k" * 32, [PairIds(ids, np.zeros(1, np.uint8))])


def test_runs_with_neither_file_are_errors(run):
    for name in ("training.ids", "source_words.tsv"):
        (run.directory / name).unlink()
    with pytest.raises(UserError, match=r"neither training\.ids nor source_words\.tsv"):
        count_subwords(run, "source")


@pytest.mark.parametrize(
    ("piece", "continues"),
    [
        ("ing", True),
        ("▁un", False),
        ("▁", False),
        (",", False),
        ("7", False),
        ("漢", True),
        ("\u0940", True),  # a vowel sign of Hindi
        ("\ufe0f", False),  # makes a symbol an emoji
        ("<unk>", False),
        ("<start>", False),
        ("<0xF0>", False),
    ],
)
def test_continuations_have_a_letter_and_no_space_before_it(piece, continues):
    assert is_continuation(piece) == continues
