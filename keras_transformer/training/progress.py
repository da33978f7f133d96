"""The progress of an epoch: a bar in a terminal, lines elsewhere."""

import io
import shutil
import sys

from tqdm import tqdm

from keras_transformer.training.lines import print_line
from keras_transformer.training.objective import Totals

BAR = "{desc} {percentage:3.0f}% |{bar}| {remaining}{postfix}"
WIDEST = 100  # columns
LINE = "{desc}: {percentage:.0f}%, {remaining} left{postfix}"
LINE_EVERY = 120  # seconds between two lines of progress outside a terminal


def epoch_bar(description: str, total: int, done: int) -> tqdm:
    """Return a progress bar that fits the terminal; outside a terminal, `ProgressLines`.

    Args:
        description: text at the beginning of the line.
        total: number of sentence pairs in the epoch.
        done: number of sentence pairs already processed.
    """
    options = {"desc": description, "total": total, "initial": done, "leave": False}
    if not sys.stderr.isatty():
        return ProgressLines(bar_format=LINE, file=io.StringIO(), **options)
    columns = min(shutil.get_terminal_size().columns, WIDEST)
    return tqdm(bar_format=BAR, ncols=columns, **options)


class ProgressLines(tqdm):
    """A progress bar for log files: it prints a line every `LINE_EVERY` seconds."""

    next_line = LINE_EVERY  # seconds after the start of the bar

    def display(self, msg: str | None = None, pos: int | None = None) -> None:
        """Print a line if it is time; `tqdm` calls this up to ten times per second."""
        elapsed = self.format_dict["elapsed"]
        if msg is None and elapsed >= self.next_line:
            self.next_line = elapsed + LINE_EVERY
            print_line(str(self))


def show_figures(bar: tqdm, totals: Totals, rate: float, throughput: float) -> None:
    """Show the figures of the current epoch. The line fits into 80 columns.

    Args:
        bar: a bar made by `epoch_bar`.
        totals: the `Totals` so far.
        rate: learning rate.
        throughput: real target tokens per second.
    """
    fit = f"loss {totals.mean_loss:.3f}, acc {totals.accuracy:.3f}"
    bar.set_postfix_str(f"{fit}, lr {rate:.1e}, {throughput:,.0f} tok/s", refresh=False)
