"""A contestant: this project's `Translator`; for single sentences, with `XlaSearch`."""

import sys
from collections.abc import Sequence

from contest import serve
from translators.task import Task

from keras_transformer.memory import keep_freed_memory
from keras_transformer.onednn import disable_onednn
from keras_transformer.quiet import quiet_stderr

# The benchmark of kernels imports this module and has other arguments.
if __name__ == "__main__" and Task.read(sys.argv[1]).shortlist:
    disable_onednn()
with quiet_stderr():
    from keras_transformer.search.settings import SearchSettings
    from keras_transformer.threads import one_thread_per_operation
    from keras_transformer.translation.batch_search import BatchSearch
    from keras_transformer.translation.translator import Translator
    from keras_transformer.translation.xla_search import XlaSearch


def main(path: str) -> None:
    task = Task.read(path)
    keep_freed_memory()
    one_thread_per_operation()
    alone = task.batch_size == 1
    kind = XlaSearch if alone else BatchSearch
    translator = Translator.load(task.checkpoint, kind, shortlist=task.shortlist)
    settings = SearchSettings(beam_size=task.beam_size, length_penalty=0.0)
    search = {"search": settings, "batch_size": task.batch_size}

    def translate(sentences: Sequence[str]) -> None:
        size = 1 if alone else len(sentences)
        for first in range(0, len(sentences), size):
            translator.translate(sentences[first : first + size], **search)

    serve(task.work(translate))


if __name__ == "__main__":
    main(*sys.argv[1:])
