"""Usual words for durations that a source counts in smaller units: half an hour for 30 minutes."""

import re
from collections.abc import Mapping

# {language: {unit: what follows the number}}
UNITS: Mapping[str, Mapping[str, re.Pattern[str]]] = {
    "en": {"minutes": re.compile(r"[- ]minutes?\b"), "days": re.compile(r"[- ]days?\b")},
    "de": {"minutes": re.compile(r"[- ]?[Mm]inuten?\b"), "days": re.compile(r" Tagen?\b")},
}
# {unit: {number: {language: words}}}
WORDS: Mapping[str, Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "minutes": {
        "15": {"de": ("Viertelstunde",), "en": ("quarter of an hour",)},
        "30": {
            "de": ("halbe Stunde", "halben Stunde"),
            "en": ("half an hour", "half hour", "half-hour"),
        },
        "45": {"de": ("Dreiviertelstunde",), "en": ("three quarters of an hour",)},
    },
    "days": {"14": {"de": ("zwei Wochen",), "en": ("two weeks", "fortnight")}},
}


def duration_words(number: str, rest: str, source_lang: str, target_lang: str) -> tuple[str, ...]:
    """Return the usual words for a duration in a translation, or none.

    Args:
        number: a number of the source, such as 30.
        rest: the source after it, such as " minutes ago.".
        source_lang, target_lang: the languages, English and German or the other way round.
    """
    found = (
        WORDS[unit].get(number, {}).get(target_lang, ())
        for unit, after in UNITS[source_lang].items()
        if after.match(rest)
    )
    return next(found, ())
