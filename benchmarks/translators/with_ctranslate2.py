"""A contestant: CTranslate2 in float32, two threads, the arrangement of them that is faster.

A batch in each of two threads; for a sentence alone, both on each operation, or only one thread: on
a machine that is busy with something else, two that wait for each other can be the slower.
"""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1])]

import ctranslate2  # noqa: E402
import sentencepiece  # noqa: E402
from contest import serve  # noqa: E402
from translators.task import Task  # noqa: E402


def main(path, threads=2):
    """Does the task in the file `path`, for a sentence alone with so many threads."""
    task = Task.read(path)
    alone = task.batch_size == 1
    translator = ctranslate2.Translator(
        task.ctranslate2,
        compute_type="float32",
        inter_threads=1 if alone else 2,
        intra_threads=int(threads) if alone else 1,
    )
    source, target = models(task.ctranslate2)
    search = {
        "beam_size": task.beam_size,
        "length_penalty": 0,
        "max_batch_size": task.batch_size,
        "max_decoding_length": task.longest,
    }

    def translate(sentences):
        size = 1 if alone else len(sentences)
        for first in range(0, len(sentences), size):
            texts = sentences[first : first + size]
            pieces = [source.encode(text, out_type=str) for text in texts]
            for result in translator.translate_batch(pieces, **search):
                target.decode(result.hypotheses[0])

    serve(task.work(translate))


def models(directory):
    """The SentencePiece models of source and target; there is one file if they are the same."""
    paths = sorted(Path(directory).glob("*.model"))  # source.model, then target.model
    return [sentencepiece.SentencePieceProcessor(model_file=str(paths[i])) for i in (0, -1)]


if __name__ == "__main__":
    main(*sys.argv[1:])
