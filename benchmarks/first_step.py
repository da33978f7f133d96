"""Resume a training and take one step, as a process of its own.

It prints, as JSON, the seconds from its start to the end of the step, and its peak memory in MiB
before and after training was prepared. `input_pipeline.py` runs it.
"""

import json
import sys
import time
from pathlib import Path

BEGIN = time.perf_counter()

from keras_transformer.quiet import quiet_stderr  # noqa: E402 (the clock runs)

with quiet_stderr():
    from prepared import open_corpus_of

    from keras_transformer.runs.run import Run
    from keras_transformer.training.encoded_corpus import EncodedCorpus
    from keras_transformer.training.trainer import Trainer


def peak_mebibytes() -> float:
    """Return the most memory that this process has used.

    Linux only. `resource.getrusage` would include that of the process which started this one.
    """
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def main(directory: str) -> None:
    imported = peak_mebibytes()
    run = Run.open(directory)
    trainer = Trainer(run, *EncodedCorpus.of(run, open_corpus_of(run)))
    batch = next(iter(trainer.batches(trainer.train_pairs, seed=1)))
    prepared = time.perf_counter() - BEGIN
    float(trainer.train_step(*batch).totals.loss)
    figures = {
        "first_batch": prepared,
        "first_step": time.perf_counter() - BEGIN,
        "imported": imported,
        "peak": peak_mebibytes(),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main(*sys.argv[1:])
