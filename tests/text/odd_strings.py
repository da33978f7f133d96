"""Strings on which implementations of subwords may differ."""

import random

ODD = [
    "",
    " ",
    "   ",
    "\t",
    "\r\n",
    " \u3000\xa0",
    "\x85",
    "\x1c",
    "\x00",
    "a\x00b",
    "ΑΣ\x00Σ ΑΣ",
    "</s>",
    "<s> <unk> <pad>",
    "▁",
    "▁▁ a",
    "e\u0301\u0302",
    "\u202eשלום עולם",
    "مرحبا ٣٤",
    "😀👨\u200d👩\u200d👧",
    "\ufeffab",
    "\uffff\ud7ff",
    "İI ẞß ﬃ",
    "a" * 5000,
    "ab " * 2000,
    "😀" * 5000,
    "a\u2028b",
    "<0x41>",
    "\u200b\xad\x7f",
    "http://example.org/A?b=12",
    "\U00011f50 \U0001d7d8 ²",
    "a\tb\xa0c\u202fd",
    "„ab“ ‚c‘ “d” ‘e’ «f» it’s",
    "u\u0308ber Mu\u0308ller A\u030angstro\u0308m",
    "a\u0308\u0301 \u0308u",
    "Привет, мир! Ёж и\u0306",
    "你好，世界。 こんにちは",
    "<0x41><0xE4> <0xFF>",
    "2024 1.234,56 €",
    "a – b — c … ﬁ",
]
POOLS = [
    [chr(c) for c in range(32)],
    [chr(c) for c in range(32, 127)],
    [chr(c) for c in range(0x300, 0x340)],
    [chr(c) for c in range(0x590, 0x700)],
    [chr(c) for c in range(0x1F300, 0x1F700)],
    [chr(c) for c in (*range(0x80, 0xD800), *range(0xE000, 0x30000))],
    [" ", "\t", "\xa0", "\u3000"],
    ["<s>", "</s>", "<unk>", "<pad>", "▁"],
    list("abcdefgABCDEFGäöüßΣσ. 0123456789"),
]


def odd_strings(count):
    draw = random.Random(0)
    drawn = (
        "".join(draw.choice(draw.choice(POOLS)) for _ in range(draw.randint(1, 40)))
        for _ in range(count - len(ODD))
    )
    return [*ODD, *drawn]


def plain_strings(count):
    draw = random.Random(1)
    return [
        " ".join(
            "".join(draw.choices("abcdefgh", k=draw.randint(1, 8)))
            for _ in range(draw.randint(1, 12))
        )
        for _ in range(count)
    ]
