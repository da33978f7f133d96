"""Merges of byte-pair encoding; SentencePiece computes the expected subwords."""

import io
import itertools

import pytest
import sentencepiece
from hypothesis import example, given
from hypothesis import strategies as st

from keras_transformer.errors import UserError
from keras_transformer.inspection.merges import (
    MAX_CHARACTERS,
    BytePairEncoding,
    check_length,
    plot_merges,
)
from keras_transformer.text.subword_training import train_subwords
from keras_transformer.text.subwords import Subwords
from tests.data import train_as_bpemb

LETTERS = "abcdefg"
SENTENCES = [
    f"{a}{b} {b}{c}{a}{b} Aä{c} {a}{a}{a}."
    for a, b, c in itertools.product(LETTERS, LETTERS, LETTERS)
]
# Byte fallback needs a vocabulary of at least 1000 subwords.
WORDS = [
    "".join(word) for word in itertools.islice(itertools.product(LETTERS, repeat=5), 0, None, 7)
]
JAPANESE = [
    f"{who}は{day}{place}へ行き{end}。"
    for who in ("私", "あなた", "田中さん")
    for day in ("今日", "明日", "日曜日に")
    for place in ("東京タワー", "東京駅", "京都")
    for end in ("ます", "ました", "ません")
]
DEFINED = ["ab", "abc", "<sep>", "a b", "▁ca", "ß"]
KINDS = ["trained", "bytes", "as published", "defined", "no words", "white space", "Japanese"]


def train(path, **options):
    """Train a model with options that the package itself does not use."""
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(SENTENCES),
        model_writer=model,
        vocab_size=100,
        minloglevel=3,
        **({"model_type": "bpe"} | options),
    )
    path.write_bytes(model.getvalue())
    return Subwords.load(path, "en")


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """Return {kind: `Subwords`}."""
    home = tmp_path_factory.mktemp("models")
    train_subwords(SENTENCES, 100, home / "trained")
    train_subwords(WORDS, 1000, home / "bytes")
    train_as_bpemb(SENTENCES, 100, home / "published")
    train_as_bpemb(JAPANESE, 70, home / "Japanese")
    unchanged = {"normalization_rule_name": "identity", "remove_extra_whitespaces": False}
    return {
        "trained": Subwords.load(home / "trained", "en"),
        "bytes": Subwords.load(home / "bytes", "en"),
        "as published": Subwords.load(home / "published", "en", pretrained=True),
        "defined": train(home / "defined", user_defined_symbols=DEFINED),
        "no words": train(home / "no words", split_by_whitespace=False),
        "Japanese": Subwords.load(home / "Japanese", "ja", pretrained=True),
        "white space": train(home / "white space", add_dummy_prefix=False, **unchanged),
    }


@pytest.fixture(scope="module")
def encodings(models):
    return {kind: BytePairEncoding(subwords) for kind, subwords in models.items()}


def sentencepiece_pieces(subwords, text):
    """Return SentencePiece's own pieces of a text."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    text = subwords.bpemb.preprocess(text) if subwords.preprocessed else text
    return subwords.bpemb.spm.encode(text, out_type=str)


TEXTS = st.lists(
    st.one_of(
        st.sampled_from([*LETTERS, *DEFINED, " ", "aab", "▁", "漢字", "<s>", "<0x41>", "\ud800"]),
        st.text(max_size=3),
    ),
    max_size=12,
).map("".join)


@pytest.mark.parametrize("kind", KINDS)
@given(text=TEXTS)
@example("")
@example(" \t\u3000 ")
@example("aaaa aaaaa")
@example("<s> <unk> </s>")
@example("a\u0308 A\u0308 … “x” ﬁ")
@example("漢字かな交じり文 ☃☃ 😀")
@example("私は明日東京タワーへ行きません。京都 東京駅")
def test_the_final_subwords_are_those_of_sentencepiece(models, encodings, kind, text):
    words = encodings[kind].words(text)
    assert [s.text for word in words for s in word.subwords] == sentencepiece_pieces(
        models[kind], text
    )
    assert [i for word in words for i in word.ids] == models[kind].encode(text)[1:-1]


@pytest.mark.parametrize("kind", KINDS)
@given(text=TEXTS)
def test_each_merge_joins_adjacent_symbols_to_a_piece(models, encodings, kind, text):
    """The replayed merges lead from the symbols of the normalized text to its subwords."""
    spm, found = models[kind].bpemb.spm, encodings[kind].words(text)
    assert "".join(s for word in found for s in word.symbols) == models[kind].normalized(text)
    for word in found:
        states = list(word.states())
        assert [span.text for span in states[0]] == list(word.symbols)
        for merge, before, after in zip(word.merges, states[:-1], states[1:], strict=True):
            [place] = [i for i, span in enumerate(before) if span == merge.left]
            assert before[place + 1] == merge.right
            assert after == [*before[:place], merge.result, *before[place + 2 :]]
            assert spm.piece_to_id(merge.result.text) != spm.unk_id()
        ends = {(span.begin, span.end) for span in word.subwords}
        known = [each for each in states[-1] if spm.piece_to_id(each.text) != spm.unk_id()]
        assert {(span.begin, span.end) for span in known} <= ends


@given(text=st.text(alphabet=LETTERS, max_size=20))
def test_the_merge_with_the_smallest_rank_is_made_first(encodings, text):
    """At each step, no other pair of adjacent symbols has a smaller rank, or is further left."""
    encoding = encodings["trained"]
    for word in encoding.words(text):
        for merge, state in zip(word.merges, word.states(), strict=False):
            pairs = [(a.text + b.text, a.begin) for a, b in itertools.pairwise(state)]
            possible = [(encoding.ranks[p], i) for p, i in pairs if p in encoding.ranks]
            assert min(possible) == (merge.rank, merge.left.begin)


def test_ranks_are_the_order_in_which_training_found_the_merges(models, encodings):
    """SentencePiece numbers the pieces of merges consecutively in this order."""
    spm, ranks = models["bytes"].bpemb.spm, encodings["bytes"].ranks
    first = spm.piece_to_id(min(ranks, key=ranks.get))
    assert [spm.id_to_piece(first + i) for i in range(len(ranks))] == list(ranks)
    assert list(ranks.values()) == list(range(1, len(ranks) + 1))


def test_the_first_merges_of_the_example_in_the_paper(tmp_path):
    """Sennrich et al. (2016), algorithm 1. es and est occur 9 times, lo and low 7."""
    sentences = ["low"] * 5 + ["lower"] * 2 + ["newest"] * 6 + ["widest"] * 3
    train_as_bpemb(sentences, 24, tmp_path / "paper")
    encoding = BytePairEncoding(Subwords.load(tmp_path / "paper", "en"))
    assert list(encoding.ranks)[:4] == ["es", "est", "lo", "low"]
    [word] = encoding.words("lowest")
    assert [merge.result.text for merge in word.merges] == ["es", "est", "lo", "low", "▁low"]
    assert [subword.text for subword in word.subwords] == ["▁low", "est"]


def test_words_begin_at_spaces(encodings):
    words = encodings["trained"].words("ab bca  ab.")
    assert ["".join(word.symbols) for word in words] == ["▁ab", "▁bca", "▁ab."]
    assert [word.merges for word in words[:1]] == [
        [merge for merge in words[2].merges if "." not in merge.result.text]
    ]


def test_models_without_merges_are_errors(tmp_path):
    unigram = train(tmp_path / "unigram", model_type="unigram")
    with pytest.raises(UserError, match="has no merges: it is not byte-pair encoding"):
        BytePairEncoding(unigram)


def test_long_texts_are_errors():
    check_length("a" * MAX_CHARACTERS)
    with pytest.raises(UserError, match="the text has 1,001 characters; the limit is 1,000"):
        check_length("a" * (MAX_CHARACTERS + 1))


def test_the_picture_has_all_symbols_merges_ranks_and_ids(encodings):
    words = encodings["bytes"].words("abcde $x☃")
    figure = plot_merges(words, "abcde $x☃")
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert "abcde $x☃" in [text.get_text() for text in figure.texts]
    wanted = []
    for word in words:
        for text, note in (
            *((symbol, "") for symbol in word.symbols),
            *((merge.result.text, str(merge.rank)) for merge in word.merges),
            *((s.text, str(i)) for s, i in zip(word.subwords, word.ids, strict=True)),
        ):
            wanted += [text.replace("▁", "␣"), note]
    assert texts[-len(wanted) :] == wanted
