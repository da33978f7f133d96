"""A contestant: CTranslate2 with two threads, arranged for the highest throughput.

Batches are translated side by side, one per thread. A single sentence uses both threads for each
operation, or only one: on a busy machine, two threads that wait for each other can be slower.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import ctranslate2
import sentencepiece
from contest import serve
from translators.task import Task


def main(path: str, threads: str = "2") -> None:
    """Do the task in the file `path`; `threads` is the number for single sentences."""
    task = Task.read(path)
    alone = task.batch_size == 1
    translator = ctranslate2.Translator(
        task.ctranslate2,
        compute_type=task.compute_type,
        inter_threads=1 if alone else 2,
        intra_threads=int(threads) if alone else 1,
    )
    source, target = models(task.ctranslate2)
    search = {
        "beam_size": task.beam_size,
        "length_penalty": 0,
        "max_batch_size": task.batch_size,
        "max_decoding_length": task.longest,
        "use_vmap": task.shortlist,
    }

    def translate(sentences: Sequence[str]) -> None:
        size = 1 if alone else len(sentences)
        for first in range(0, len(sentences), size):
            texts = sentences[first : first + size]
            pieces = [source.encode(text, out_type=str) for text in texts]
            for result in translator.translate_batch(pieces, **search):
                target.decode(result.hypotheses[0])

    serve(task.work(translate))


def models(
    directory: str | os.PathLike[str],
) -> list[sentencepiece.SentencePieceProcessor]:
    """Return the SentencePiece models of source and target, which may share a file."""
    paths = sorted(Path(directory).glob("*.model"))  # source.model, then target.model
    return [sentencepiece.SentencePieceProcessor(model_file=str(paths[i])) for i in (0, -1)]


if __name__ == "__main__":
    main(*sys.argv[1:])
