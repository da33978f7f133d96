"""Expansion of English contractions: ``I'm`` to ``I am``, ``can't`` to ``cannot``."""

from __future__ import annotations

import re

IRREGULAR = {"can't": "cannot", "won't": "will not", "shan't": "shall not"}
ENDINGS = {"'m": " am", "'re": " are", "'ve": " have", "'ll": " will"}
# Words after which "'s" is short for "is" or "has"; before one of these participles it is "has".
BEFORE_IS = "he|she|it|that|there|here|what|where|who|how|when"
PARTICIPLES = "had|lost|been|got|gone|done|not seen"
AFTER_WOULD = "like|love|rather|recommend|buy|live|be|have to"


def expanded(text: str) -> str:
    """Return a sentence with its contractions expanded.

    "Don't you know?" is kept, since "do not you know" is not English, and so is "let's".
    """
    text = re.sub(rf"\b({BEFORE_IS})'s(?= (?:{PARTICIPLES})\b)", r"\1 has", text, flags=re.I)
    text = re.sub(rf"\b({BEFORE_IS})'s\b", r"\1 is", text, flags=re.I)
    text = re.sub(rf"\b(I|you|he|she|we|they)'d(?= (?:{AFTER_WOULD})\b)", r"\1 would", text)
    text = re.sub(r"(?<=\w)('m|'re|'ve|'ll)\b", lambda match: ENDINGS[match[1]], text)
    return text if text.endswith("?") else re.sub(r"\b\w+n't\b", _negation, text)


def _negation(match: re.Match[str]) -> str:
    word = match[0]
    full = IRREGULAR.get(word.lower()) or word.lower().removesuffix("n't") + " not"
    return full.capitalize() if word[0].isupper() else full
