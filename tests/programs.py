"""Where the programs are."""

from pathlib import Path

HOME = Path(__file__).parents[1]
