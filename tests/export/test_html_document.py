"""The HTML around the data of a page."""

import base64
import json

import pytest

from keras_transformer.export.html.document import (
    SOURCES,
    fill,
    json_block,
    live_document,
    local_document,
)
from keras_transformer.export.html.inlining import ModuleError
from keras_transformer.export.html.reading import Blocks
from tests.export.html_elements import Elements, directives, elements, hash_of

ODD = '</script><script>alert(1)</script><!-- &lt; \u2028\0\r\n" \\u003c ü 😀'
TEMPLATE = """\
<!doctype html>
<meta charset="utf-8">
<!-- policy -->
<!-- style -->
<!-- A comment that is not a placeholder. -->
<main></main>
  <!-- data -->
<!-- script -->
"""


@pytest.fixture
def sources(tmp_path):
    """A directory with the sources of a small page."""
    (tmp_path / "page.html").write_text(TEMPLATE, encoding="utf-8")
    (tmp_path / "style.css").write_text("p::before { content: '—'; }\n", encoding="utf-8")
    (tmp_path / "a.js").write_text("export const a = '</script>ü';\n", encoding="utf-8")
    for name in ("main.js", "worker.js"):
        text = f'import {{ a }} from "./a.js";\n\nconsole.log(a, "{name}");\n'
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_the_policy_contains_the_hashes_of_what_the_page_runs(sources):
    page = local_document({}, {}, b"", sources)
    [style], [script] = elements(page, "style"), elements(page, "script", type="module")
    assert "content: '—'" in style
    assert "main.js" in script
    found = directives(page)
    assert found["script-src"] == hash_of(script)
    assert found["style-src"] == hash_of(style)
    assert found["default-src"] == "'none'"
    assert "connect-src" not in found


def test_the_policy_precedes_all_content(sources):
    """A browser does not apply it to what it has read before."""
    tags = [tag for tag, *_ in Elements(local_document({}, {}, b"", sources)).found]
    assert tags == ["meta", "meta", "style", "main", *["script"] * 5]


def test_a_page_for_a_server_contains_no_weights_and_may_ask_the_server(sources):
    description = {"server": "http://localhost:8501/v1/models/en-de"}
    page = live_document(description, sources)
    assert directives(page)["connect-src"] == "http://localhost:8501"
    assert [json.loads(text) for text in elements(page, "script", id="model")] == [description]
    assert list(Blocks(page).texts) == ["model"]
    assert len(elements(page, "script")) == 2


def test_text_of_any_kind_is_read_back(sources):
    """Whatever a sentence or a subword contains, it does not end its element."""
    content = {"text": [ODD], ODD: 1.5}
    page = local_document(content, content, bytes(range(256)), sources)
    assert len(elements(page, "script")) == 5
    texts = Blocks(page).texts
    assert list(texts) == ["model", "subwords", "weights", "worker"]
    assert json.loads(texts["model"]) == json.loads(texts["subwords"]) == content
    assert base64.b64decode(texts["weights"], validate=True) == bytes(range(256))
    assert "worker.js" in texts["worker"]
    assert "<" not in json_block("a", content).removeprefix("<script").removesuffix("</script>")


def test_json_has_no_numbers_that_are_not_json():
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_block("model", {"score": float("nan")})


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<!-- style -->\n", ""),
        ("<!-- style -->", "a <!-- style -->"),
        ("<!-- data -->", "<!-- data -->\n<!-- data -->"),
        ("<main>", "<!-- other -->\n<main>"),
        ("<!doctype html>", "<!doctype html>\n<!-- script -->"),
    ],
)
def test_a_template_with_other_placeholders_is_rejected(old, new):
    parts = dict.fromkeys(["policy", "style", "data", "script"], "")
    assert "placeholder." in fill(TEMPLATE, parts)
    with pytest.raises(ModuleError, match="placeholders"):
        fill(TEMPLATE.replace(old, new), parts)


def test_a_style_that_would_end_itself_is_rejected(sources):
    (sources / "style.css").write_text("p::before { content: '</STYLE>'; }", encoding="utf-8")
    with pytest.raises(ModuleError, match=r"style\.css"):
        local_document({}, {}, b"", sources)


def test_the_template_of_the_package_has_the_placeholders():
    template = (SOURCES / "page.html").read_text(encoding="utf-8")
    names = ["policy", "style", "data", "script"]
    page = fill(template, {name: f"[{name}]" for name in names})
    assert [name for name in names if f"\n[{name}]\n" in page] == names
