"""The task that all translators get: sentences, and how to search."""

import dataclasses
import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path


@dataclasses.dataclass(frozen=True)
class Task:
    """Sentences, and how to search.

    Attributes:
        sentences: the sentences to translate.
        checkpoint: a run directory, as an absolute path.
        ctranslate2: a directory that was exported from it.
        beam_size: hypotheses; 1 is a greedy search.
        batch_size: sentences in a batch; 1 translates them one by one.
        longest: maximum number of subwords of a translation.
        shortlist: whether the search is restricted to the shortlist.
        compute_type: the numbers with which CTranslate2 computes.
    """

    sentences: list[str]
    checkpoint: str
    ctranslate2: str
    beam_size: int
    batch_size: int
    longest: int
    shortlist: bool = False
    compute_type: str = "float32"

    def write(self, path: str | os.PathLike[str]) -> None:
        Path(path).write_text(json.dumps(dataclasses.asdict(self)), encoding="utf-8")

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> "Task":
        return cls(**json.loads(Path(path).read_text(encoding="utf-8")))

    def work(self, translate: Callable[[Sequence[str]], None]) -> Callable[[], int]:
        """Return the work for `contest.serve`: translate all sentences, return their number."""

        def work() -> int:
            translate(self.sentences)
            return len(self.sentences)

        return work
