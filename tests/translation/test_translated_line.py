from keras_transformer.translation.translated_line import (
    TranslatedLine,
    TranslatedSentence,
    by_line,
)
from keras_transformer.translation.translation import Translation


def line(*texts):
    best = Translation("", 0.0)
    return TranslatedLine(tuple(TranslatedSentence(text, best, [best]) for text in texts), "de")


def test_the_sentences_of_all_lines_are_given_to_a_function_together():
    calls = []

    def lengths(sentences):
        calls.append([each.read for each in sentences])
        return (len(each.read) for each in sentences)

    assert by_line(lengths, [line("ba", "lo ki"), line(), line("zzz")]) == [[2, 5], [], [3]]
    assert calls == [["ba", "lo ki", "zzz"]]
