"""Settings files that are damaged, or written by someone who wants to do harm."""

import copy
import json
import random
from collections.abc import Callable
from typing import Any

# Tokens of JSON, or of what Python accepts as JSON, in place of a number.
NUMBERS = (
    *("1000000000", "1e9", "1e30", "1" + 30 * "0", "1" + 400 * "0", "1" + 100_000 * "0"),
    *("2147483648", "4294967296", "9223372036854775808", "18446744073709551616"),
    *("-1", "0", "-0.0", "1e308", "1e999", "-1e999", "1e-320", "0.1" + 10_000 * "1"),
    *("NaN", "Infinity", "-Infinity", "true", "null", '"1"', "[]", "[1]", "{}", '{"a": 1}'),
)
STRINGS = (
    *('""', '" "', '"\\u0000"', '"en\\u0000"', '"\\ud800"', '"\\u001b[31m"', '"a\\nb\\rc"'),
    *('"../../../x"', '"/"', '"%s%n"', '"\\u202e"', json.dumps("x" * 100_000)),
    *("1", "true", "[]", '["en"]', "{}", "[" * 500 + "]" * 500),
)
PATHS = (
    *('"pairs.tsv"', '[""]', '["\\u0000"]', '["a\\u0000b"]', '["\\udcff"]', '["/"]', '["."]'),
    *('["/dev/zero", "/dev/zero"]', '["tfds:"]', '["tfds:\\u0000"]', '["tfds:../x"]', "[3]"),
    *("[null]", "[[]]", '["a", "b", "c"]', json.dumps(["a"] * 10_000), '{"a": 1}'),
    *(json.dumps(["x" * 5000]), '["pairs.tsv", 3]', "true", "3"),
)
# Largest valid values, which together make a network that fits into no memory.
LARGEST = {"num_layers": 256, "d_model": 16_384, "dff": 131_072, "num_heads": 16_384}


def hostile_file(content: dict[str, Any], seed: int) -> tuple[str, bytes]:
    """Return a kind of harm, and the content of a settings file that was harmed in this way.

    Args:
        content: the content of a valid config.json.
        seed: seed of the choices; consecutive seeds take turns in the kinds of harm.
    """
    harm = HARMS[seed % len(HARMS)]
    draw = random.Random(seed)
    return harm.__name__.replace("_", " "), harm(copy.deepcopy(content), draw)


def settings(content: dict[str, Any], *kinds: type) -> list[tuple[str, str]]:
    """Return (section, name) of the settings whose values have one of these types."""
    return [
        (section, name)
        for section in ("text", "model", "training")
        for name, value in content[section].items()
        if type(value) in kinds
    ]


def with_token(content: dict[str, Any], setting: tuple[str, str], token: str) -> bytes:
    """Return the file with a token in place of the value of a setting."""
    section, name = setting
    content[section][name] = "@"
    return json.dumps(content, indent=2).replace('"@"', token).encode("utf-8")


def an_extreme_number(content: dict[str, Any], draw: random.Random) -> bytes:
    setting = draw.choice(settings(content, int, float))
    return with_token(content, setting, draw.choice(NUMBERS))


def a_wrong_switch(content: dict[str, Any], draw: random.Random) -> bytes:
    setting = draw.choice(settings(content, bool))
    return with_token(content, setting, draw.choice([t for t in NUMBERS if t != "true"]))


def an_odd_string(content: dict[str, Any], draw: random.Random) -> bytes:
    setting = draw.choice(settings(content, str))
    return with_token(content, setting, draw.choice(STRINGS))


def odd_paths(content: dict[str, Any], draw: random.Random) -> bytes:
    setting = draw.choice(settings(content, list))
    return with_token(content, setting, draw.choice(PATHS))


def the_largest_network(content: dict[str, Any], draw: random.Random) -> bytes:
    names = draw.sample(sorted(LARGEST), draw.randint(2, 4))
    content["model"] |= {name: LARGEST[name] for name in {"num_layers", "d_model", *names}}
    return json.dumps(content).encode("utf-8")


def an_impossible_size(content: dict[str, Any], draw: random.Random) -> bytes:
    names = ("num_layers", "decoder_layers", "d_model", "dff", "num_heads")
    lengths = ("max_source_length", "max_target_length", "vocab_size")
    name = draw.choice([*names, *lengths])
    section = "model" if name in names else "text"
    content[section][name] = draw.choice([10**7, 10**9, 2**31 - 1, 2**63 - 1])
    return json.dumps(content).encode("utf-8")


def a_wrong_section(content: dict[str, Any], draw: random.Random) -> bytes:
    name = draw.choice(["text", "model", "training", "versions", "mean_of"])
    content[name] = draw.choice([None, 3, "text", [], [1], True, {"a": {}}, 1.5])
    return json.dumps(content).encode("utf-8")


def an_unknown_name(content: dict[str, Any], draw: random.Random) -> bytes:
    name = draw.choice(["", "x" * 10_000, "__class__", "\x1b[2J", "\n", "d_model ", "\ud800"])
    target = draw.choice([content, content["model"]])
    target[name] = draw.choice([3, {}, {"a": 1}])
    return json.dumps(content).encode("utf-8")


def a_name_that_occurs_twice(content: dict[str, Any], draw: random.Random) -> bytes:
    text = json.dumps(content)
    section = draw.choice(["model", "text", "training"])
    twice = draw.choice([f'"{section}": {{', f'"{section}": {{}}, "{section}": {{"seed": 1, '])
    return text.replace(f'"{section}": {{', f'{twice}"seed": 1, "seed": 2, ').encode()


def another_top_level(content: dict[str, Any], draw: random.Random) -> bytes:
    return draw.choice([b"[]", b"3", b'"text"', b"null", b"true", b"[{}]", b"NaN", b"1e999"])


def deep_nesting(content: dict[str, Any], draw: random.Random) -> bytes:
    depth = draw.choice([1_000, 10_000, 200_000])
    opening, closing = draw.choice([("[", "]"), ('{"a":', "}"), ('{"model":', "}")])
    end = draw.choice(["", "1" + closing * depth])
    return (opening * depth + end).encode()


def a_huge_file(content: dict[str, Any], draw: random.Random) -> bytes:
    filling = draw.choice([b" ", b"\n", b"\0", b"[", b"9", b'{"a":'])
    return json.dumps(content).encode()[:-1] + filling * (draw.choice([2, 20]) * 2**20)


def a_cut_file(content: dict[str, Any], draw: random.Random) -> bytes:
    text = json.dumps(content, indent=2).encode()
    return text[: draw.randrange(len(text))]


def random_bytes(content: dict[str, Any], draw: random.Random) -> bytes:
    return draw.randbytes(draw.choice([1, 10, 1000]))


def a_changed_byte(content: dict[str, Any], draw: random.Random) -> bytes:
    text = bytearray(json.dumps(content, indent=2).encode())
    text[draw.randrange(len(text))] = draw.randrange(256)
    return bytes(text)


def another_encoding(content: dict[str, Any], draw: random.Random) -> bytes:
    encoding = draw.choice(["utf-8-sig", "utf-16", "utf-16-le", "utf-32", "utf-7", "cp037"])
    return json.dumps(content).encode(encoding)


def almost_json(content: dict[str, Any], draw: random.Random) -> bytes:
    text = json.dumps(content)
    replacements = [('"', "'"), ("}", ",}"), ("{", "{/* comment */"), (":", "="), ("true", "True")]
    return text.replace(*draw.choice(replacements)).encode()


HARMS: list[Callable[[dict[str, Any], random.Random], bytes]] = [
    an_extreme_number,
    a_wrong_switch,
    an_odd_string,
    odd_paths,
    the_largest_network,
    an_impossible_size,
    a_wrong_section,
    an_unknown_name,
    a_name_that_occurs_twice,
    another_top_level,
    deep_nesting,
    a_huge_file,
    a_cut_file,
    random_bytes,
    a_changed_byte,
    another_encoding,
    almost_json,
]
