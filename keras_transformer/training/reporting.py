"""The bar that shows the progress of an epoch on a terminal."""

import shutil

from tqdm import tqdm

BAR = "{desc} {percentage:3.0f}% |{bar}| {remaining}{postfix}"
WIDEST = 100  # columns


def epoch_bar(description, total, done):
    """Return a `tqdm` bar that fits the terminal; it is not shown elsewhere.

    Args:
        description: the first words of the line.
        total: pairs of the epoch.
        done: pairs that were trained on already.
    """
    return tqdm(
        desc=description,
        total=total,
        initial=done,
        bar_format=BAR,
        ncols=min(shutil.get_terminal_size().columns, WIDEST),
        disable=None,  # shown on a terminal only
        leave=False,
    )


def show(bar, totals, rate, speed):
    """Show the running figures of an epoch; they leave room for the bar in 80 columns.

    Args:
        bar: a bar made by `epoch_bar`.
        totals: the `Totals` so far.
        rate: learning rate.
        speed: real target tokens per second.
    """
    fit = f"loss {totals.mean_loss:.3f}, acc {totals.accuracy:.3f}"
    bar.set_postfix_str(f"{fit}, lr {rate:.1e}, {speed:,.0f} tok/s", refresh=False)
