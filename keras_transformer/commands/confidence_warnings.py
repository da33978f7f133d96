"""Warnings about translations that may be wrong."""

import sys

MOST_LINES = 10  # whose numbers a summary names


class Doubts:
    """Collects the assessments of lines and warns about the unsure ones.

    Args:
        assessor: an `Assessor`; None where nothing is known about confidence.
        each: whether to warn about each line at once; otherwise one summary ends the run.
    """

    def __init__(self, assessor=None, each=None):
        self.assessor = assessor
        self.each = sys.stdout.isatty() and sys.stderr.isatty() if each is None else each
        self.unsure = {}  # {line number: its warning}
        self.lost = {}  # characters, as the keys of a dict to keep their order
        self.lines = 0

    def examine(self, lines, first_number=1):
        """Assess lines and warn, if each line is to be warned about.

        Args:
            lines: list of `TranslatedLine`s.
            first_number: number of the first of them.
        """
        self.lines += len(lines)
        if self.assessor is None:
            return
        sentences = [sentence for line in lines for sentence in line.sentences]
        best = [found[0] for line in lines for found in line.found]
        assessments = iter(self.assessor.assess(sentences, best))
        for number, line in enumerate(lines, first_number):
            self._note(number, [next(assessments) for _ in line.sentences])

    def _note(self, number, assessments):
        """Keep the warning about a line, or print it, if a sentence of it is unsure."""
        unsure = [assessment for assessment in assessments if assessment.unsure]
        if not unsure:
            return
        self.lost |= dict.fromkeys(char for each in unsure for char in each.lost_characters)
        self.unsure[number] = f"line {number} may be wrong: {_reasons(unsure)}"
        if self.each:
            _warn(self.unsure[number])

    def summarize(self):
        """Print what was not printed line by line."""
        if self.each or not self.unsure:
            return
        if len(self.unsure) == 1:
            _warn(*self.unsure.values())
            return
        numbers = [str(number) for number in self.unsure][:MOST_LINES]
        more = ", ..." if len(self.unsure) > MOST_LINES else ""
        lost = f"; {_lost(''.join(self.lost))}" if self.lost else ""
        _warn(
            f"{len(self.unsure):,} of {self.lines:,} lines may be wrong: "
            f"{', '.join(numbers)}{more}{lost}"
        )


def _reasons(assessments):
    """Return why a line is unsure, in words."""
    confidence = min(assessment.confidence for assessment in assessments)
    words = [word for each in assessments for word in each.least_certain]
    untranslated = [word for each in assessments for word in each.untranslated]
    unknown = [word for each in assessments for word in each.unknown_words]
    lost = "".join(each.lost_characters for each in assessments)
    reasons = [f"confidence {confidence:.2f}"]
    reasons += [f"least certain: {', '.join(words)}"] if words else []
    reasons += [f"perhaps not translated: {', '.join(untranslated)}"] if untranslated else []
    reasons += (
        [f"words not in the training: {', '.join(dict.fromkeys(unknown))}"] if unknown else []
    )
    reasons += [_lost(lost)] if lost else []
    return "; ".join(reasons)


def _lost(characters):
    return f"characters not translated: {' '.join(characters)}"


def _warn(message):
    print(f"warning: {message}", file=sys.stderr, flush=True)
