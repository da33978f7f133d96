"""MkDocs hooks: pages from outside docs/, a translator, links between pages."""

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from translator_page import translator_files, with_translator

HOME = Path(__file__).parents[1]
# Files of the repository that are pages of the manual: {path in the repository: path on the site}.
PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "LICENSE": "license.md",
    "benchmarks/README.md": "benchmarks.md",
}
SOURCES = {page: source for source, page in PAGES.items()}
# A block of code, which may contain what looks like a link, such as `layers[i](x)`; or a link.
CODE_OR_LINK = re.compile(
    r"(^```.*?^```$)|(?<=\]\()(?![a-z]+:|#)([^)#\s]+)", re.MULTILINE | re.DOTALL
)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages from outside docs/, and the translator."""
    for source, page in PAGES.items():
        files.append(File.generated(config, page, abs_src_path=str(HOME / source)))
    for file in translator_files(config):
        files.append(file)
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Replace links between files by links between pages, and insert the translator."""
    site_path = page.file.src_uri
    folder = posixpath.dirname(SOURCES.get(site_path, f"docs/{site_path}"))

    def site_link(match: re.Match[str]) -> str:
        code, link = match.groups()
        if code:
            return code
        path = posixpath.normpath(posixpath.join(folder, link))
        target = PAGES.get(path, path.removeprefix("docs/"))
        return posixpath.relpath(target, posixpath.dirname(site_path) or ".")

    return with_translator(CODE_OR_LINK.sub(site_link, markdown))
