"""The translator in the manual, which docs/translator_page.py adds."""

import re

import pytest
import yaml

# Intended: MkDocs is in the extra "docs", which the other tests do not need.
pytest.importorskip("mkdocs")

from mkdocs.commands.build import build
from mkdocs.config import load_config

from keras_transformer.export.html import local_page
from tests.programs import HOME, load_script

translator_page = load_script("docs/translator_page")


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A function that builds a manual of one page with a mark, and returns its directory."""
    settings = {
        "site_name": "manual",
        "docs_dir": "docs",
        "site_dir": "site",
        "hooks": [str(HOME / "docs/hooks.py")],
    }
    (tmp_path / "mkdocs.yml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    page = tmp_path / "docs/try.md"
    page.parent.mkdir()
    page.write_text(f"# Try it\n\n{translator_page.MARK}\n", encoding="utf-8")

    def export_html(run, path, options):
        path.write_text("\n".join([run, *options.examples]), encoding="utf-8")

    def built(run):
        monkeypatch.setattr(local_page, "export_html", export_html)
        if run is None:
            monkeypatch.delenv("KERAS_TRANSFORMER_PAGE_RUN", raising=False)
        else:
            monkeypatch.setenv("KERAS_TRANSFORMER_PAGE_RUN", run)
        build(load_config(str(tmp_path / "mkdocs.yml")))
        return tmp_path / "site"

    return built


def test_the_frame_and_the_link_lead_to_the_export_of_the_run(site):
    page = site("checkpoints/run") / "try/index.html"
    found = re.findall(r'(?:src|href)="([^"]*translator[^"]*)"', page.read_text(encoding="utf-8"))
    assert len(found) == 2
    for address in found:
        lines = (page.parent / address).read_text(encoding="utf-8").splitlines()
        assert lines == ["checkpoints/run", *translator_page.EXAMPLES]


def test_without_a_run_the_page_says_how_to_get_a_translator(site):
    directory = site(None)
    page = (directory / "try/index.html").read_text(encoding="utf-8")
    assert "<code>python docs/build.py</code> trains one" in page
    assert "iframe" not in page
    assert not (directory / translator_page.PAGE).exists()


def test_only_one_page_of_the_manual_has_the_mark():
    pages = HOME.glob("docs/**/*.md")
    marked = [each.name for each in pages if translator_page.MARK in each.read_text("utf-8")]
    assert marked == ["try.md"]
