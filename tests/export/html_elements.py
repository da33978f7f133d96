"""The elements of a page, and its Content-Security-Policy."""

import base64
import hashlib
from html.parser import HTMLParser


class Elements(HTMLParser):
    """The elements of a page: [[tag, attributes, text]]."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.is_open = False
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.found.append([tag, dict(attrs), ""])
        self.is_open = True

    def handle_endtag(self, tag):
        self.is_open = False

    def handle_data(self, data):
        if self.is_open:
            self.found[-1][2] += data


def elements(page, tag, **wanted):
    """Return the texts of the elements that have these attributes."""
    found = Elements(page).found
    return [
        text
        for name, attributes, text in found
        if name == tag and wanted.items() <= attributes.items()
    ]


def directives(page):
    """Return {directive: value} of the policy in a page."""
    found = [attributes for _, attributes, _ in Elements(page).found if "http-equiv" in attributes]
    [content] = [attributes["content"] for attributes in found]
    return dict(part.split(" ", 1) for part in content.split("; "))


def hash_of(text):
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
