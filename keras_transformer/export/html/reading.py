"""Reading a page back, to check what has been written.

A browser's rules for the end of a script are those of Python's HTML parser, which knows nothing
about how the page was made.
"""

import base64
import json
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from keras_transformer.export.html.quantization import Quantized
from keras_transformer.export.html.tensors import unpack


class Blocks(HTMLParser):
    """The texts of the scripts of a page.

    Args:
        page: the HTML.

    Attributes:
        texts: {id of a script: its text}.
    """

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: dict[str, str] = {}
        self._id: str | None = None
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        self._id = dict(attrs).get("id") if tag == "script" else None

    def handle_data(self, data: str) -> None:
        if self._id is not None:
            self.texts[self._id] = self.texts.get(self._id, "") + data

    def handle_endtag(self, tag: str) -> None:
        self._id = None


def read_page(path: Path) -> tuple[dict[str, Any], dict[str, Any], dict[str, Quantized]]:
    """Return the description, the subwords and the tensors in a page.

    Raises:
        KeyError: If one of them is missing.
        ValueError: If one of them is damaged.
    """
    texts = Blocks(path.read_text(encoding="utf-8")).texts
    description, subwords = json.loads(texts["model"]), json.loads(texts["subwords"])
    weights = base64.b64decode(texts["weights"], validate=True)
    return description, subwords, unpack(description["tensors"], weights)
