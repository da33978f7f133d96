"""What all translators are given: sentences, and how to search."""

import dataclasses
import json
from pathlib import Path


@dataclasses.dataclass(frozen=True)
class Task:
    """`sentences` to translate; `checkpoint`, a run directory; `ctranslate2`, a directory that was
    exported from it; `beam_size`, 1 is greedy; `batch_size`, 1 is each sentence alone; `longest`,
    most subwords of a translation.
    """

    sentences: list
    checkpoint: str
    ctranslate2: str
    beam_size: int
    batch_size: int
    longest: int

    def write(self, path):
        Path(path).write_text(json.dumps(dataclasses.asdict(self)), encoding="utf-8")

    @classmethod
    def read(cls, path):
        return cls(**json.loads(Path(path).read_text(encoding="utf-8")))

    def work(self, translate):
        """For `contest.serve`: translates all sentences and returns their number."""

        def work():
            translate(self.sentences)
            return len(self.sentences)

        return work
