"""Translation of lines that contain several sentences: split, translate, join."""

import itertools
import os
from collections.abc import Iterator, Sequence
from typing import Self

from keras_transformer.corrections.copying import Copier
from keras_transformer.quiet import quiet_import
from keras_transformer.search.settings import SearchSettings
from keras_transformer.text.casing import without_capitals
from keras_transformer.text.reading import normalized
from keras_transformer.text.sentences import split_sentences
from keras_transformer.translation.sentence_translation import sentence_translation
from keras_transformer.translation.translated_line import TranslatedLine
from keras_transformer.translation.translation import SentenceTranslator, require_list


class LineTranslator:
    """Translates lines sentence by sentence.

    Args:
        translator: translates the sentences.
        source_lang: code of the source language.
        target_lang: code of the target language.
        split: whether to split lines into sentences. Otherwise a line is one sentence.
        copier: a `Copier` that corrects names and numbers, or None.
    """

    def __init__(
        self,
        translator: SentenceTranslator,
        source_lang: str = "en",
        target_lang: str = "de",
        split: bool = True,
        copier: Copier | None = None,
    ) -> None:
        self.source_lang = source_lang
        self.target_lang = target_lang
        self.split = split
        self.translator = translator
        self.translated = sentence_translation(translator, copier)

    @classmethod
    def load(cls, directory: str | os.PathLike, split: bool = True) -> Self:
        """Load the translator of a run directory, with what `translate.py` adds to the network.

        These are reranking, and the correction of names and numbers.

        Args:
            directory: the run directory.
            split: whether to split lines into sentences.

        Raises:
            UserError: If there is no run or no checkpoint, or a file is damaged.
        """
        # Imported here because a translator of a server does not need TensorFlow.
        with quiet_import():
            from keras_transformer.runs.run import Run
            from keras_transformer.translation.reranking import Reranker, reranked
            from keras_transformer.translation.run_copier import run_copier
            from keras_transformer.translation.translator import Translator

        run = Run.open(directory)
        network = Translator.of(run)
        translator = reranked(network, Reranker.of(run, network))
        text = run.config.text
        return cls(translator, text.source_lang, text.target_lang, split, run_copier(run))

    def sentences(self, line: str) -> list[str]:
        """Return the sentences of a line, at least one.

        Case, apostrophes and the marks of direct speech are normalized, and letters are composed.
        """
        line = normalized(line)
        sentences = split_sentences(line, self.source_lang) or [""] if self.split else [line]
        return [without_capitals(each, self.source_lang) for each in sentences]

    def translate(
        self,
        lines: Sequence[str],
        first_number: int = 1,
        search: SearchSettings | None = None,
        **options: object,
    ) -> list[TranslatedLine]:
        """Translate lines. The sentences of all lines share batches.

        Of the translations of a sentence that have the same text, for example because a correction
        made them equal, only the first is kept, so there may be fewer than `n_best`. Samples may be
        equal.

        Args:
            lines: the lines.
            first_number: number of the first line, for warnings.
            search: the `SearchSettings`, or None for those of the translator.
            **options: `batch_size` of `Translator.translate`.

        Returns:
            A `TranslatedLine` for each line.

        Raises:
            TypeError: If `lines` is a single string or an iterator.
        """
        return list(self.stream(lines, first_number, search, **options))

    def stream(
        self,
        lines: Sequence[str],
        first_number: int = 1,
        search: SearchSettings | None = None,
        **options: object,
    ) -> Iterator[TranslatedLine]:
        """Translate lines, with the arguments and the errors of `translate`.

        Yields:
            A `TranslatedLine` for each line. If the translator is a `Streaming`, a line is yielded
            as soon as all its sentences are translated.
        """
        require_list(lines)
        options |= {"search": search} if search else {}
        split = [self.sentences(line) for line in lines]
        numbers = [n for n, line in enumerate(split, first_number) for _ in line]
        flat = [sentence for line in split for sentence in line]
        translated = iter(self.translated(flat, numbers, options))
        for line, parts in zip(lines, split, strict=True):
            sentences = tuple(itertools.islice(translated, len(parts)))
            if not self._draws_samples(search):
                sentences = tuple(each.without_repetitions() for each in sentences)
            yield TranslatedLine(sentences, self.target_lang, line)

    def _draws_samples(self, search: SearchSettings | None) -> bool:
        """Return whether translations are samples, which may be equal."""
        search = search or getattr(self.translator, "search", None)
        return isinstance(search, SearchSettings) and search.strategy == "sampling"
