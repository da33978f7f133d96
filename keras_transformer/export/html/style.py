"""The style sheet of a page, made of the files that `style.css` imports.

This module does not import TensorFlow.
"""

import re
from pathlib import Path

from keras_transformer.export.html.inlining import ModuleError

STYLE = "style.css"
IMPORT = re.compile(r'^@import "\./([^"\n]+)";$', re.MULTILINE)


def style_sheet(sources: Path) -> str:
    """Return the style sheet of a page, in which each import is replaced by the file.

    Args:
        sources: directory of the page's sources.

    Raises:
        ModuleError: If a file is missing, an import has another form or is in an imported file, or
            the style sheet would end the element `<style>`.
    """
    text = (sources / STYLE).read_text(encoding="utf-8")
    style = IMPORT.sub(lambda found: _imported(sources, found[1]), text)
    for forbidden in ("@import", "</style"):
        if forbidden in style.lower():
            raise ModuleError(f"{STYLE}: {forbidden} cannot be inlined")
    return style


def _imported(sources: Path, path: str) -> str:
    file = sources / path
    if not file.is_file():
        raise ModuleError(f"{STYLE}: no file {path}")
    return file.read_text(encoding="utf-8")
