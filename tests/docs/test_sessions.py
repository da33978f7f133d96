"""Console sessions in the manual have the outputs that the pages show."""

import doctest
import re

import numpy as np
import pytest

from tests.programs import HOME

SESSIONS = [page for page in sorted(HOME.glob("docs/*.md")) if "\n>>> " in page.read_text("utf-8")]


def test_the_walkthrough_is_a_session():
    assert HOME / "docs/walkthrough.md" in SESSIONS


@pytest.mark.parametrize("page", SESSIONS, ids=lambda page: page.name)
def test_the_examples_of_a_page_have_the_outputs_that_it_shows(page):
    text = re.sub("^```.*$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    session = doctest.DocTestParser().get_doctest(text, {}, page.stem, None, 0)
    with np.printoptions():  # restored afterwards
        assert doctest.DocTestRunner(verbose=False).run(session).failed == 0
