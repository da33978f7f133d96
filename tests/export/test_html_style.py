"""The style sheet of a page is one text, and cannot end its element or load anything."""

import pytest

from keras_transformer.export.html.document import SOURCES
from keras_transformer.export.html.inlining import ModuleError
from keras_transformer.export.html.style import style_sheet

TWO = '/* first */\n@import "./styles/a.css";\n@import "./styles/b.css";\n'


@pytest.fixture
def sources(tmp_path):
    """A directory with two style sheets, and one that imports them."""
    (tmp_path / "styles").mkdir()
    (tmp_path / "styles/a.css").write_text("p::before { content: '—\\2014'; }\n", encoding="utf-8")
    (tmp_path / "styles/b.css").write_text("b { color: red; }\n", encoding="utf-8")
    (tmp_path / "style.css").write_text(TWO, encoding="utf-8")
    return tmp_path


def test_imported_files_replace_the_imports_in_order(sources):
    expected = "/* first */\np::before { content: '—\\2014'; }\n\nb { color: red; }\n\n"
    assert style_sheet(sources) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('@import "./styles/c.css";\n', r"no file styles/c\.css"),
        ('@import url("https://example.org/a.css");\n', "@import cannot be inlined"),
        ('@IMPORT "./styles/a.css";\n', "@import cannot be inlined"),
        ("p::before { content: '</STYLE>'; }\n", "</style cannot be inlined"),
    ],
)
def test_other_styles_are_rejected(sources, text, message):
    (sources / "style.css").write_text(text, encoding="utf-8")
    with pytest.raises(ModuleError, match=message):
        style_sheet(sources)


def test_an_import_in_an_imported_file_is_rejected(sources):
    (sources / "styles/b.css").write_text('@import "./a.css";\n', encoding="utf-8")
    with pytest.raises(ModuleError, match="@import cannot be inlined"):
        style_sheet(sources)


def test_every_style_sheet_of_the_package_is_imported():
    found = style_sheet(SOURCES)
    files = list((SOURCES / "styles").iterdir())
    assert len(files) > 5
    assert all(file.read_text(encoding="utf-8") in found for file in files)
