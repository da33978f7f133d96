"""The page uses no syntax that the oldest browsers in the manual lack (September 2022)."""

from tests.programs import HOME

SCRIPTS = sorted((HOME / "keras_transformer" / "export" / "page").rglob("*.js"))


def test_patterns_have_no_lookbehind():
    """Safari before version 16.4, of March 2023, runs nothing of a file that has one."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in SCRIPTS}
    assert "casing.js" in texts
    assert [name for name, text in texts.items() if "(?<=" in text or "(?<!" in text] == []
