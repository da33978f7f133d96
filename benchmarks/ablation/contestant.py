"""A contestant: a complete training step or search with one kernel swapped for a built-in.

Arguments: the name of the swap; the name of the task; for a training step the checkpoint and the
directory of the batches, for a search the file of a `Task`.
"""

import sys

from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    from ablation import swaps
    from trainers.ours import serve_steps
    from translators import ours as translator

    from keras_transformer.runs.run import Run

# Tasks that are training steps, with their settings besides those of the run.
TRAINING: dict[str, dict[str, object]] = {
    "training step": {},
    "training step, Adam": {"optimizer": "adam"},
    "training step, Muon": {"optimizer": "muon"},
    "training step, dropout 0.1": {"rate": 0.1},
}


def main(swap: str, task: str, *arguments: str) -> None:
    swaps.SWAPS[swap]()
    if task in TRAINING:
        checkpoint, directory = arguments
        serve_steps(Run.open(checkpoint).config.with_settings(TRAINING[task]), directory)
    else:
        translator.main(*arguments)
    swaps.check_use()


if __name__ == "__main__":
    main(*sys.argv[1:])
