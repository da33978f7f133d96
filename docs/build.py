"""Build the manual with a translator that visitors can use before they install anything.

Usage: python docs/build.py [--checkpoint DIR] [--site-dir DIR]

Trains the built-in run first if it does not exist, which may take 50 minutes.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from translator_page import VARIABLE

HOME = Path(__file__).parents[1]


def main() -> int:
    """Train if necessary, and build; return the exit status of the first command that fails."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    text = "the run to show, which is trained if it does not exist (default %(default)s)"
    parser.add_argument("--checkpoint", default="checkpoints/phrasebook-en-de", help=text)
    text = "directory of the manual (default %(default)s)"
    parser.add_argument("--site-dir", default="site", help=text)
    arguments = parser.parse_args()
    run, site = Path(arguments.checkpoint).resolve(), Path(arguments.site_dir).resolve()
    train = [sys.executable, "train.py", "--checkpoint", str(run)]
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(site)]
    environment = os.environ | {VARIABLE: str(run)}
    for command in [build] if run.is_dir() else [train, build]:
        status = subprocess.run(command, cwd=HOME, env=environment).returncode
        if status:
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main())
