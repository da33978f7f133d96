"""Examples of a Hypothesis strategy as a list, for tests that need all of them at once."""

from typing import TypeVar

from hypothesis import Phase, given, settings
from hypothesis.strategies import SearchStrategy

Example = TypeVar("Example")


def draw(strategy: SearchStrategy[Example], count: int) -> list[Example]:
    """Return examples of a strategy, the same ones in each run."""
    drawn: list[Example] = []

    @settings(max_examples=count, derandomize=True, database=None, phases=[Phase.generate])
    @given(strategy)
    def collect(example: Example) -> None:
        drawn.append(example)

    collect()
    return drawn
