"""The curves of training runs, as a figure and as a table of their best and last values."""

from collections.abc import Sequence

import numpy as np

from keras_transformer.errors import UserError
from keras_transformer.inspection.history.logs import (
    ACCURACY,
    BLEU,
    LEARNING_RATE,
    PERPLEXITY,
    THROUGHPUT,
    TRAINING_LOSS,
    VALIDATION_LOSS,
    Curve,
    History,
)
from keras_transformer.pictures.curves import Panel, Series, Style, plot_curves
from keras_transformer.pictures.saving import NotebookFigure
from keras_transformer.pictures.style import COLORS, color, printable
from keras_transformer.text.columns import columns, padded

# {title of a panel: the curves in it}
PANELS = {
    "loss (nats per token)": (TRAINING_LOSS, VALIDATION_LOSS),
    "perplexity": (PERPLEXITY,),
    "BLEU": (BLEU,),
    "accuracy": (ACCURACY,),
    "learning rate": (LEARNING_RATE,),
    "throughput (target tokens per second)": (THROUGHPUT,),
}
KINDS = "training", "validation"
HEADER = (
    "run",
    "steps",
    "epochs",
    "best BLEU",
    "at step",
    "perplexity",
    "validation loss",
    "training loss",
    "tokens/s",
)
NONE = "-"  # in place of a value that was not recorded


def plot_histories(histories: Sequence[History]) -> NotebookFigure:
    """Plot the curves of runs, each run in its own color.

    Curves of the training are dashed, curves of the validation solid, with a marker at each epoch.

    Args:
        histories: the `History` of each run.

    Returns:
        A figure that displays itself in a notebook.

    Raises:
        UserError: If there are more runs than colors.
    """
    if len(histories) > len(COLORS):
        raise UserError(f"{len(histories)} runs: there are colors for {len(COLORS)} only")
    panels = [
        Panel(
            title,
            [_series(each, name, n) for n, each in enumerate(histories) for name in names],
            ratios=PERPLEXITY in names,
        )
        for title, names in PANELS.items()
    ]
    names, several = names_of(histories), len(histories) > 1
    kinds = [(kind, _style(kind, "0.3" if several else color(0))) for kind in KINDS]
    runs = [(name, Style(color(number))) for number, name in enumerate(names)]
    title = "training runs" if several else names[0]
    return plot_curves(panels, "step", [*(runs if several else ()), *kinds], title)


def _series(history: History, name: str, number: int) -> Series:
    kind = "training" if name.startswith("train/") else "validation"
    return Series(*history.curves[name], _style(kind, color(number)))


def _style(kind: str, shade: str) -> Style:
    is_training = kind == "training"
    return Style(shade, dashed=is_training, points=not is_training)


def names_of(histories: Sequence[History]) -> list[str]:
    """Return the name of each run: that of its directory, or the path if two have the same name."""
    names = [each.name for each in histories]
    paths = [str(each.directory) for each in histories]
    return [
        printable(path if names.count(name) > 1 else name)
        for name, path in zip(names, paths, strict=True)
    ]


def table(histories: Sequence[History]) -> list[str]:
    """Return the lines of a table with the best and the last values of each run.

    BLEU, perplexity and validation loss are those of the epoch with the best BLEU, and among such
    epochs, of the one with the lowest loss. The training loss is the last one, and the throughput
    is the median.
    """
    rows: list[tuple[str, ...]] = [HEADER]
    for name, history in zip(names_of(histories), histories, strict=True):
        rows.append((name, *_values(history)))
    widths = [max(map(columns, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join([padded(row[0], widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows
    ]


def _values(history: History) -> tuple[str, ...]:
    curves = history.curves
    last = max((int(each.steps[-1]) for each in curves.values() if len(each.steps)), default=0)
    step = best_step(history)
    return (
        f"{last:,}",
        f"{len(curves[BLEU].steps):,}",
        _at(curves[BLEU], step, ".2f"),
        NONE if step is None else f"{step:,}",
        _at(curves[PERPLEXITY], step, ".2f"),
        _at(curves[VALIDATION_LOSS], step, ".3f"),
        f"{curves[TRAINING_LOSS].values[-1]:.3f}" if len(curves[TRAINING_LOSS].steps) else NONE,
        f"{np.median(curves[THROUGHPUT].values):,.0f}" if len(curves[THROUGHPUT].steps) else NONE,
    )


def best_step(history: History) -> int | None:
    """Return the step with the best validation BLEU, or None before the first validation.

    The validation loss decides between equal scores, as it does in training.
    """
    losses = dict(zip(*history.curves[VALIDATION_LOSS], strict=True))
    scores = zip(*history.curves[BLEU], strict=True)
    ranked = ((score, -losses.get(step, np.inf), -step) for step, score in scores)
    best = max(ranked, default=None)
    return None if best is None else -int(best[2])


def _at(curve: Curve, step: int | None, form: str) -> str:
    """Return the value of a curve at a step, formatted."""
    found = curve.values[curve.steps == step]
    return format(found[0], form) if len(found) else NONE
