"""The HTML file of a page, made of the sources in `export/page` and of data.

This module does not import TensorFlow.
"""

import base64
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from keras_transformer.export.html.inlining import ModuleError, bundle
from keras_transformer.export.html.policy import meta_element, policy
from keras_transformer.export.html.style import style_sheet

SOURCES = Path(__file__).parents[1] / "page"
TEMPLATE, MAIN, WORKER = "page.html", "main.js", "worker.js"
# The names of the lines `<!-- NAME -->` in the template, in order. The policy comes first, because
# a browser does not apply it to what precedes it.
PLACEHOLDERS = ["policy", "style", "data", "script"]
PLACEHOLDER = re.compile(r"^[ \t]*<!-- (\w+) -->[ \t]*$", re.MULTILINE)


def local_document(
    description: Mapping[str, Any],
    subwords: Mapping[str, Any],
    weights: bytes,
    sources: Path = SOURCES,
) -> str:
    """Return a page that translates by itself.

    Args:
        description: the description of the model, with its tensors.
        subwords: {"source": subwords, "target": subwords, or None if both are the same}.
        weights: the bytes of the tensors.
        sources: directory of the page's sources.
    """
    blocks = [
        json_block("model", description),
        json_block("subwords", subwords),
        text_block("weights", base64.b64encode(weights).decode("ascii")),
        text_block("worker", bundle(sources, WORKER)),
    ]
    return _document(sources, "\n".join(blocks), None)


def live_document(description: Mapping[str, Any], sources: Path = SOURCES) -> str:
    """Return a page that requests translations from a server.

    Args:
        description: the description of the model, whose "server" is its URL.
        sources: directory of the page's sources.

    Raises:
        UserError: If a page cannot send requests to this URL.
    """
    return _document(sources, json_block("model", description), description["server"])


def json_block(name: str, content: object) -> str:
    """Return an element with JSON, in which `<` is escaped, so that nothing ends the element."""
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    escaped = text.replace("<", r"\u003c")
    return f'<script type="application/json" id="{name}">{escaped}</script>'


def text_block(name: str, text: str) -> str:
    """Return an element with text that contains no `</script`."""
    return f'<script type="text/plain" id="{name}">{text}</script>'


def _document(sources: Path, data: str, address: str | None) -> str:
    """Return the page with some data, and a policy that allows its style and its script."""
    style, script = f"\n{style_sheet(sources)}", f"\n{bundle(sources, MAIN)}"
    parts = {
        "policy": meta_element(policy(style, script, address)),
        "style": f"<style>{style}</style>",
        "data": data,
        "script": f'<script type="module">{script}</script>',
    }
    return fill((sources / TEMPLATE).read_text(encoding="utf-8"), parts)


def fill(template: str, parts: Mapping[str, str]) -> str:
    """Return a template in which each placeholder is replaced by its part.

    Args:
        template: HTML with the lines `PLACEHOLDERS`.
        parts: {name of the placeholder: HTML}.

    Raises:
        ModuleError: If a placeholder is missing, repeated, or in the wrong order.
    """
    pieces = PLACEHOLDER.split(template)
    if pieces[1::2] != PLACEHOLDERS:
        raise ModuleError(f"{TEMPLATE}: placeholders are {pieces[1::2]}; expected {PLACEHOLDERS}")
    pieces[1::2] = [parts[name] for name in PLACEHOLDERS]
    return "".join(pieces)
