"""Word alignments of lines and their printed translations."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.inspection.alignments import lines
from keras_transformer.inspection.alignments.cross_attention import SubwordAttention
from keras_transformer.inspection.alignments.lines import LineAligner, counterparts
from keras_transformer.translation.translated_line import TranslatedLine, TranslatedSentence
from keras_transformer.translation.translation import Translation

WORDS = st.lists(st.text("abäß.'-", min_size=1, max_size=3), max_size=6)


def monotone(sentences, translations):
    """Attention from each word of a translation to the source word in the same place."""
    return [
        attention_of(sentence, " ".join(map(str, each.ids)) or each.text)
        for sentence, each in zip(sentences, translations, strict=True)
    ]


def attention_of(source, target):
    source, target = (["<start>", *(f"▁{word}" for word in text.split()), "<end>"]
                      for text in (source, target))  # fmt: skip
    rows = np.minimum(np.arange(len(target)) + 1, len(source) - 2)
    return SubwordAttention(source, target, np.eye(len(source))[rows][np.newaxis, np.newaxis])


def sentence(read, *texts):
    found = [Translation(text, 0.0) for text in texts]
    return TranslatedSentence(read, found[0], found)


def line(text, *sentences, lang="de"):
    return TranslatedLine(sentences, lang, text)


def links_of(*lines):
    return LineAligner(monotone).of(lines)


def test_indices_of_the_second_sentence_follow_those_of_the_first():
    two = line("I am. You are.", sentence("I am.", "Ich bin."), sentence("You are.", "Du bist."))
    assert links_of(two) == [[[(0, 0), (1, 1), (2, 2), (3, 3)]]]


def test_each_of_the_best_translations_is_aligned():
    """The second sentence has only one translation, which is used twice."""
    two = line("A B. C D.", sentence("A B.", "a b.", "a."), sentence("C D.", "c d."))
    first, second = links_of(two)[0]
    assert first == [(0, 0), (1, 1), (2, 2), (3, 3)]
    assert second == [(0, 0), (2, 1), (3, 2)]


def test_lines_keep_their_order():
    assert links_of(line("A", sentence("A", "a")), line("", sentence("", "")), line("B C", sentence(
        "B C", "b c"))) == [[[(0, 0)]], [[]], [[(0, 0), (1, 1)]]]  # fmt: skip


def test_a_name_that_was_replaced_is_linked_to_all_words_of_the_original():
    """The network read and wrote "Anna" in place of "Zbigniew de Kowalczyk"."""
    text, printed = "Zbigniew de Kowalczyk sleeps.", "Zbigniew de Kowalczyk schläft."

    def attend(sentences, translations):
        return [attention_of("Anna sleeps.", "Anna schläft.")]

    found = LineAligner(attend).of([line(text, sentence("Anna sleeps.", printed))])
    assert found == [[[(i, j) for i in range(3) for j in range(3)] + [(3, 3)]]]


def test_words_that_were_not_read_have_no_links():
    """A sentence that is too long is truncated."""
    assert links_of(line("A B C D", sentence("A B", "a b"))) == [[[(0, 0), (1, 1)]]]


def test_parts_that_were_read_on_their_own_have_links():
    """The second half of interrupted speech."""
    second = ', "C D."'  # of the translation, which the network wrote on its own
    whole = sentence('"A," b.', f'"A", B{second}')._replace(parts=(sentence("c d.", "C D."),))

    def attend(sentences, translations):
        written = [each.text.removesuffix(second) for each in translations]
        return [attention_of(*pair) for pair in zip(sentences, written, strict=True)]

    found = LineAligner(attend).of([line('"A," b, "c d."', whole)])
    assert found == [[[(0, 0), (1, 1), (2, 2), (3, 3)]]]


def test_symbols_that_were_copied_have_no_links():
    """The network read and wrote nothing: attention between nothing and symbols has no meaning."""

    def attend(sentences, translations):
        assert list(zip(sentences, map(str, translations), strict=True)) == [("A", "a")]
        return monotone(sentences, translations)

    nothing = Translation("", 0.0)
    copied = TranslatedSentence("", nothing, [Translation("😀😀", 0.0)])
    found = LineAligner(attend).of([line("😀😀", copied), line("A", sentence("A", "a"))])
    assert found == [[[]], [[(0, 0)]]]


def test_sentences_without_space_between_them_share_a_word():
    two = line("猫。犬。", sentence("猫。", "Katze."), sentence("犬。", "Hund."))
    assert links_of(two) == [[[(0, 0), (0, 1)]]]
    joined = line("A. B.", sentence("A.", "猫。"), sentence("B.", "犬。"), lang="ja")
    assert links_of(joined) == [[[(0, 0), (1, 0)]]]


@pytest.mark.parametrize(
    ("words", "shown", "expected"),
    [
        ("a b c", "a b c", [[0], [1], [2]]),
        ("i don't", "I don’t", [[0], [1]]),
        ("a x c", "a y c", [[0], [1], [2]]),
        ("a x d", "a y z d", [[0], [1, 2], [3]]),
        ("a x y d", "a z d", [[0], [1], [1], [2]]),
        ("a b", "a", [[0], []]),
        ("a b.", '"a b, c d"', [[0], [1]]),  # c and d were translated on their own
        ("", "a", []),
    ],
)
def test_words_are_matched_in_order(words, shown, expected):
    assert counterparts(words.split(), shown.split()) == expected


@given(WORDS, WORDS)
def test_counterparts_are_in_range_and_in_order(words, shown):
    found = counterparts(words, shown)
    assert len(found) == len(words)
    flat = [index for indices in found for index in indices]
    assert flat == sorted(flat)
    assert all(0 <= index < len(shown) for index in flat)


@given(WORDS, WORDS, WORDS, WORDS)
def test_no_index_is_out_of_range(text, read, written, printed):
    """Whatever corrections did to the words, links name words of the line and its translation."""

    def attend(sentences, translations):
        return [attention_of(" ".join(read), " ".join(written))] if read else [
            SubwordAttention(["<start>", "<end>"], ["<start>", "<end>"], np.ones((1, 1, 2, 2)))
        ]  # fmt: skip

    found = LineAligner(attend).of(
        [line(" ".join(text), sentence(" ".join(read), " ".join(printed)))]
    )
    [[links]] = found
    assert all(i < len(text) and j < len(printed) for i, j in links)


def test_groups_of_pairs_are_aligned_like_one(monkeypatch):
    texts = [" ".join("ABCDE"[: i + 1]) for i in range(5)]
    read = [line(text, sentence(text, text.lower())) for text in texts]
    together, sizes = links_of(*read), []

    def attend(sentences, translations):
        sizes.append(len(sentences))
        return monotone(sentences, translations)

    monkeypatch.setattr(lines, "GROUP_SIZE", 2)
    assert LineAligner(attend).of(read) == together
    assert together[4] == [[(i, i) for i in range(5)]]
    assert sizes == [2, 2, 1]
