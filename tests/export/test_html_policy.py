"""The Content-Security-Policy of a page."""

import pytest

from keras_transformer.errors import UserError
from keras_transformer.export.html.policy import meta_element, origin, policy, source_hash


def test_a_page_without_a_server_may_only_run_its_own_code():
    assert policy("body {}", "alert(1)").split("; ") == [
        "default-src 'none'",
        f"script-src {source_hash('alert(1)')}",
        f"style-src {source_hash('body {}')}",
        "worker-src blob:",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    ]


def test_the_hash_is_that_of_the_specification():
    """CSP 3, section 8.3, gives the hash of this script."""
    wanted = "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='"
    assert source_hash("alert('Hello, world.');") == wanted


def test_requests_are_allowed_to_the_origin_of_a_server():
    address = "https://models.example.org:8501/path/v1/models/en-de"
    local, live = policy("", ""), policy("", "", address)
    assert live == f"{local}; connect-src https://models.example.org:8501"


@pytest.mark.parametrize(
    ("address", "wanted"),
    [
        ("http://localhost:8501/v1/models/a", "http://localhost:8501"),
        ("http://127.0.0.1/v1/models/a", "http://127.0.0.1"),
        ("https://A-b.example/x/v1/models/a/versions/1", "https://a-b.example"),
    ],
)
def test_the_origin_of_a_url(address, wanted):
    assert origin(address) == wanted


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("http://me:secret@host/v1/models/a", "a URL with @, \\? or #"),
        ("http://@host/v1/models/a", "a URL with @, \\? or #"),
        ("http://host/v1/models/a?b", "a URL with @, \\? or #"),
        ("http://host/v1/models/a#b", "a URL with @, \\? or #"),
        ("http://[::1]:8501/v1/models/a", "name or IPv4 address"),
        ("http://größe.example/v1/models/a", "name or IPv4 address"),
        ("http://a;script-src/v1/models/a", "name or IPv4 address"),
        ("http://a,b/v1/models/a", "name or IPv4 address"),
        ("http://'self'/v1/models/a", "name or IPv4 address"),
        ("http://*/v1/models/a", "name or IPv4 address"),
        ("http://host:99999/v1/models/a", "not a URL"),
        ("http://host:x/v1/models/a", "not a URL"),
        ("http://[::1/v1/models/a", "not a URL"),
    ],
)
def test_an_address_that_a_page_cannot_use_is_rejected(address, message):
    with pytest.raises(UserError, match=message):
        origin(address)


def test_the_element_contains_the_policy_as_an_attribute():
    assert meta_element("img-src 'a&b'").endswith("content=\"img-src 'a&amp;b'\">")
