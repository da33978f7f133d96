import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.text.addresses import addresses


def found(text):
    return [text[start:end] for start, end in addresses(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Write to anna.b@mail.example.org.", ["anna.b@mail.example.org"]),
        ("Is it a+b-c@x-y.example?", ["a+b-c@x-y.example"]),
        ("See https://example.org/a_(b)?c=1&d=%20#e, now", ["https://example.org/a_(b)?c=1&d=%20#e"]),
        ("(see http://example.org/a)", ["http://example.org/a"]),
        ('<a href="ftp://x.org">', ["ftp://x.org"]),
        ("www.example.com and example.co.uk!", ["www.example.com", "example.co.uk"]),
        ("Go to shop.example.com.au/sale today", ["shop.example.com.au/sale"]),
        ("http://localhost:8000", ["http://localhost:8000"]),
        ("bit.ly/2021", ["bit.ly/2021"]),
        ("MAIL ME@EXAMPLE.ORG", ["ME@EXAMPLE.ORG"]),
        # Not addresses: abbreviations, versions, numbers, missing spaces
        ("At 3 p.m. e.g. version 2.4.1 costs 3.50.", []),
        ("We went home.It was late.", []),
        ("a @ b", []),
        ("请发邮件到bob@example.com联系", ["bob@example.com"]),
        ("今日https://example.com/aを見て。", ["https://example.com/a"]),
        ("www.example.com으로", ["www.example.com"]),
        ("อีเมลbob@example.comครับ", ["bob@example.com"]),
        ("and/or", []),
        ("", []),
    ],
)  # fmt: skip
def test_addresses_are_found_without_the_punctuation_around_them(text, expected):
    assert found(text) == expected


@given(st.text(alphabet="ab.@/:-_w1 (),é"))
def test_addresses_are_ordered_spans_without_spaces(text):
    spans = list(addresses(text))
    edges = [edge for span in spans for edge in span]
    assert edges == sorted(edges)
    assert all(text[start:end].split() == [text[start:end]] for start, end in spans)


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("a", []),
        ("a.", []),
        ("a@", ["a@a"]),
        ("a-", []),
        ("a'", []),
        ("://", []),
        ("www.", ["www." * 499 + "www"]),  # only 2,000 characters without a space are searched
        ("a." * 50 + " ", []),
        ("a.org ", ["a.org"] * 20_000),
    ],
)
def test_long_texts_take_no_excessive_time(part, expected):
    assert found(part * 20_000) == expected
