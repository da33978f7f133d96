"""Warnings about translations that may be wrong or are defective."""

import contextlib
import itertools
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from keras_transformer.commands.defects import Defects
from keras_transformer.corrections.stand_ins import restored
from keras_transformer.translation.translated_line import TranslatedLine, TranslatedSentence

if TYPE_CHECKING:  # the import takes seconds
    from keras_transformer.translation.confidence import Assessment, Assessor

MAX_LINES = 10  # line numbers in a summary


class ConfidenceWarnings:
    """Assesses the translations of lines and warns about the uncertain and the defective ones.

    Args:
        assessor: an `Assessor`, or None for no warnings about uncertain translations.
        immediate: whether to print a warning as soon as its line is translated. Otherwise
            `summarize` prints one warning of each kind. By default, warnings are immediate if
            standard output and standard error are terminals.
        defects: `Defects`, or None for no warnings about defective translations.
    """

    def __init__(
        self,
        assessor: "Assessor | None" = None,
        immediate: bool | None = None,
        defects: Defects | None = None,
    ) -> None:
        at_terminal = sys.stdout.isatty() and sys.stderr.isatty()
        self.assessor = assessor
        self.defects = defects
        self.immediate = at_terminal if immediate is None else immediate
        self.lines = 0
        self.uncertain: dict[int, str] = {}  # {line number: its warning}
        self.defective: dict[str, list[int]] = {}  # {defect: line numbers}
        self.lost: dict[str, None] = {}  # lost characters in order; a dict used as an ordered set

    def examine(self, lines: Sequence[TranslatedLine], first_number: int = 1) -> None:
        """Assess lines, and warn about them if warnings are immediate.

        Args:
            lines: the lines with their translations.
            first_number: number of the first line.
        """
        self.lines += len(lines)
        assessments = self._assessed(lines)
        for number, line in enumerate(lines, first_number):
            if self.defects is not None:
                self._note_defects(number, self.defects.of(line))
            self._note(number, next(assessments, []))

    def _assessed(self, lines: Sequence[TranslatedLine]) -> "Iterator[list[Assessment]]":
        """Yield the assessments of the sentences of each line; nothing without an assessor."""
        if self.assessor is None:
            return
        sentences = [sentence for line in lines for sentence in line.all_read()]
        read = [sentence.read for sentence in sentences]
        best = [sentence.best_of_read for sentence in sentences]
        assessments = iter(self.assessor.assess(read, best))
        for line in lines:
            yield [_restored(next(assessments), each) for each in line.all_read()]

    def _note_defects(self, number: int, found: Iterable[str]) -> None:
        """Save the defects of a line; print them if immediate."""
        for defect in found:
            self.defective.setdefault(defect, []).append(number)
            if self.immediate:
                _warn(f"the translation of line {number} {defect}")

    def _note(self, number: int, assessments: "Sequence[Assessment]") -> None:
        """Save the warning about a line with an uncertain sentence; print it if immediate."""
        uncertain = [assessment for assessment in assessments if assessment.unsure]
        if not uncertain:
            return
        self.lost |= dict.fromkeys(char for each in uncertain for char in each.lost_characters)
        self.uncertain[number] = f"line {number} may be wrong: {_reasons(uncertain)}"
        if self.immediate:
            _warn(self.uncertain[number])

    def summarize(self) -> None:
        """Print one warning of each kind, unless warnings are immediate."""
        if self.immediate:
            return
        for defect, numbers in self.defective.items():
            hint = "; --warn-each-line lists them" if len(numbers) > MAX_LINES else ""
            share, first = self._share(numbers), _first_of(numbers)
            _warn(f"the translation of {share} {defect} ({first}{hint})")
        if len(self.uncertain) == 1:
            _warn(*self.uncertain.values())
        elif self.uncertain:
            self._summarize_uncertain()

    def _summarize_uncertain(self) -> None:
        lost = f"; {_lost_characters(self.lost)}" if self.lost else ""
        lines = f"{_first_of(self.uncertain)}; --warn-each-line gives the reasons"
        _warn(f"{self._share(self.uncertain)} may be wrong ({lines}){lost}")

    def _share(self, numbers: Collection[int]) -> str:
        """Return how many of all lines some are."""
        return f"{len(numbers):,} of {self.lines:,} lines"


def _first_of(numbers: Collection[int]) -> str:
    """Return the first of some line numbers, as text."""
    label = "line" if len(numbers) == 1 else "lines"
    more = ", ..." if len(numbers) > MAX_LINES else ""
    return f"{label} {', '.join(map(str, itertools.islice(numbers, MAX_LINES)))}{more}"


def _restored(assessment: "Assessment", sentence: TranslatedSentence) -> "Assessment":
    """Return the assessment of what the network read, with the names of the sentence itself.

    Words that are only in the uncorrected translation are left out, and so are parts of
    abbreviations such as "p.m.".
    """

    def names(words: Iterable[str]) -> Iterator[str]:
        return (restored(word, sentence.originals) for word in words)

    text = sentence.found[0].text
    whole = (each for each in assessment.untranslated if _is_word_of(each, sentence.read))
    return assessment._replace(
        least_certain=tuple(each for each in names(assessment.least_certain) if each in text),
        untranslated=tuple(names(whole)),
        unknown_words=tuple(names(assessment.unknown_words)),
    )


def _is_word_of(word: str, sentence: str) -> bool:
    """Return whether a word occurs in a sentence, other than in an abbreviation with periods."""
    pattern = rf"(?<!\w\.)(?<!\w){re.escape(word)}(?!\.?\w)"
    return re.search(pattern, sentence, re.IGNORECASE) is not None


def _reasons(assessments: "Sequence[Assessment]") -> str:
    """Return why the sentences of a line are uncertain."""
    confidence = min(assessment.confidence for assessment in assessments)
    words = {
        "least certain": [word for each in assessments for word in each.least_certain],
        "possibly untranslated": [word for each in assessments for word in each.untranslated],
        "words not in the training data": dict.fromkeys(
            word for each in assessments for word in each.unknown_words
        ),
    }
    lost = [char for each in assessments for char in each.lost_characters]
    reasons = [f"confidence {confidence:.2f}"]
    reasons += [f"{label}: {', '.join(found)}" for label, found in words.items() if found]
    reasons += [_lost_characters(lost)] if lost else []
    return "; ".join(reasons)


def _lost_characters(characters: Iterable[str]) -> str:
    return f"characters not translated: {' '.join(characters)}"


def _warn(message: str) -> None:
    """Print a warning. If nobody reads standard error any more, the translations go on."""
    with contextlib.suppress(OSError):
        print(f"warning: {message}", file=sys.stderr, flush=True)
