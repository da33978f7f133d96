"""The Content-Security-Policy of a page, which lets it run only its own code and style.

A page for a server may also send requests to the server's origin; any other page sends none.
https://www.w3.org/TR/CSP3/
"""

import base64
import hashlib
import html
import re
from urllib.parse import urlsplit

from keras_transformer.errors import UserError

# The policy's grammar allows names and IPv4 addresses, but no IPv6 addresses.
HOST = re.compile(r"[A-Za-z0-9.-]+")


def policy(style: str, script: str, address: str | None = None) -> str:
    """Return the policy of a page.

    Args:
        style: the content of its `<style>` element.
        script: the content of its `<script type="module">` element.
        address: the URL of the model on a server to which it sends requests, or None.

    Raises:
        UserError: If a policy cannot contain the address.
    """
    directives = [
        "default-src 'none'",
        f"script-src {source_hash(script)}",
        f"style-src {source_hash(style)}",
        "worker-src blob:",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    if address is not None:
        directives.append(f"connect-src {origin(address)}")
    return "; ".join(directives)


def source_hash(content: str) -> str:
    """Return the hash that allows an inline element with this content."""
    digest = hashlib.sha256(content.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def origin(address: str) -> str:
    """Return the origin of a URL, such as `http://localhost:8501`.

    Raises:
        UserError: If a policy cannot contain the origin, or a browser does not request the URL.
    """
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise UserError(f"{address}: not a URL: {error}") from error
    if parts.username is not None or parts.query or parts.fragment:
        raise UserError(f"{address}: a page cannot send requests to a URL with @, ? or #")
    if not HOST.fullmatch(host):
        raise UserError(
            f"{address}: the policy of a page needs the server's name or IPv4 address in ASCII"
        )
    return f"{parts.scheme}://{host}" + (f":{port}" if port is not None else "")


def meta_element(content: str) -> str:
    """Return the element of a page that contains a policy."""
    escaped = html.escape(content, quote=False)
    return f'<meta http-equiv="Content-Security-Policy" content="{escaped}">'
