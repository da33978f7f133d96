"""Print the phrasebook: ``python -m keras_transformer.phrasebook --split test``."""

import argparse
import os
import sys

from keras_transformer.phrasebook import SPLITS, pairs


def main() -> None:
    """Print the pairs of a split, one per line, English and German separated by a tab."""
    parser = argparse.ArgumentParser(
        prog="python -m keras_transformer.phrasebook",
        description="Print the sentence pairs of the built-in English-German corpus, one per line, "
        "English and German separated by a tab.",
    )
    parser.add_argument(
        "--split", choices=SPLITS, default="train", help="split to print (default: %(default)s)"
    )
    split = parser.parse_args().split
    try:
        for source, target in pairs(split):
            print(source, target, sep="\t")
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has closed the pipe, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
