"""Translation of sentences as they are, and the interface that it shares with other ways."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from keras_transformer.translation.translated_line import TranslatedSentence
from keras_transformer.translation.translation import SentenceTranslator

SearchOptions: TypeAlias = Mapping[str, object]
# The arguments and the result are those of `PlainTranslation`.
SentenceTranslation: TypeAlias = Callable[
    [Sequence[str], Sequence[int | None], SearchOptions], Iterable[TranslatedSentence]
]


class PlainTranslation:
    """Translates sentences as they are.

    Args:
        translator: translates the sentences.

    Call arguments:
        sentences: the sentences.
        numbers: the line number of each sentence, for warnings; None for no warning.
        options: {name: value} of `search` and `batch_size` of `Translator.translate`.

    Returns:
        An iterable of a `TranslatedSentence` for each sentence.
    """

    def __init__(self, translator: SentenceTranslator) -> None:
        self.translator = translator

    def __call__(
        self, sentences: Sequence[str], numbers: Sequence[int | None], options: SearchOptions
    ) -> Iterable[TranslatedSentence]:
        found = self.translator.translate(sentences, numbers=numbers, **options)
        for sentence, each in zip(sentences, found, strict=True):
            yield TranslatedSentence(sentence, each[0], each)
