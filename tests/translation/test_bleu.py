"""Corpus BLEU from counts, against sacrebleu."""

import pytest
import sacrebleu

from keras_transformer.translation.bleu import bleu, bleu_counts, bleu_tokenizer


def test_bleu_ranges_from_0_to_100():
    sentence = ["the cat is on the mat"]
    assert bleu(bleu_counts(sentence, sentence)) == pytest.approx(100)
    assert bleu(bleu_counts(["a b c d"], ["e f g h"])) < 10


def test_bleu_of_added_counts_is_that_of_all_sentences():
    """The second part has no match of two words, for which sacrebleu smooths."""
    found = ["The cat, a b c d", "on the mat", "x", "a e b f"]
    references = ["The cat a b c d", "on the mat", "y", "a b z f"]
    whole = sacrebleu.corpus_bleu(found, [references]).score
    for cut in range(5):
        one = bleu_counts(found[:cut], references[:cut])
        other = bleu_counts(found[cut:], references[cut:])
        assert bleu(one + other) == pytest.approx(whole)
    unmatched = sacrebleu.corpus_bleu(found[3:], [references[3:]]).score
    assert bleu(bleu_counts(found[3:], references[3:])) == pytest.approx(unmatched)
    assert unmatched > 0


@pytest.mark.parametrize("tokenize", ["zh", "char", "intl"])
def test_counts_by_other_tokenizers(tokenize):
    found, references = ["我今天很高兴。", "他在家"], ["我今天非常高兴。", "他现在在家"]
    wanted = sacrebleu.corpus_bleu(found, [references], tokenize=tokenize).score
    assert bleu(bleu_counts(found, references, tokenize)) == pytest.approx(wanted)


@pytest.mark.parametrize("lang", ["zh", "wuu", "gan", "ja", "th", "bo", "dz"])
def test_a_language_without_spaces_is_not_compared_by_whole_sentences(lang):
    found, references = ["我今天很高兴在家"], ["我今天非常高兴在家"]
    assert bleu(bleu_counts(found, references)) == 0
    assert bleu(bleu_counts(found, references, bleu_tokenizer(lang))) > 40
