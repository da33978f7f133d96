"""Short numbers that stand for values of a source while it is translated.

A network copies a short number that occurs in its training data better than a long number or an
address, which has many subwords.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from keras_transformer.corrections.number_words import word_pattern
from keras_transformer.corrections.word_lexicon import WordLexicon
from keras_transformer.text.touching import BEGIN, END, LETTER

# The order is that of the preference among numbers that the network copies equally well.
PREFERRED = ("12", "15", "18", "24", "30", "16", "14", "20", "25", "50", "13", "40")
OTHERS = (str(n) for n in range(17, 100) if n % 11)  # repeated digits are often copied three times
CANDIDATES = tuple(dict.fromkeys((*PREFERRED, *OTHERS)))
# Words that a translation may express by a number, apart from number words.
WORDS: Mapping[str, re.Pattern[str]] = {
    number: re.compile(rf"\b(?:{words})", re.IGNORECASE)
    for number, words in {
        "12": (
            r"noon\b|mid(?:day|night)|mittags?\b|mitternacht|midi\b|minuit|mediod[i\u00ed]a|"
            r"medianoche|mezzogiorno|mezzanotte|d(?:e[cz]|\u00e9c|ic)i?emb"
        ),
        "24": "midnight|mitternacht|minuit|medianoche|mezzanotte",
        "15": r"quarter|viertel\b|quart\b|[cq]uarto\b",
        "30": r"half\b|halb\b|demie?\b|media\b|mezz[ao]\b",
    }.items()
}
AFTERNOON = re.compile(r"\b(\d\d?)(?:[:.]\d\d)? ?p\.?m\b", re.IGNORECASE)
# What follows the number of an hour, a day or a month.
TIME = re.compile(r" ?(?:Uhr\b|[ap]\.m\.|pm\b|o'clock\b|[月日時时点點월일시])")
SIBILANTS = "s", "ß", "x", "z"  # The German genitive of such a name has an apostrophe: Fritz'
ORDINAL_END = r"(?:st|nd|rd|th)"  # of an English number: "am 12. Tag" is "on the 12th day"


def stand_ins(lexicon: WordLexicon | None) -> Sequence[str]:
    """Return the numbers that a network is likely to copy, best first.

    Args:
        lexicon: the `WordLexicon` of the training data, or None if it is unknown.
    """
    if lexicon is None:
        return CANDIDATES
    probability = {each: lexicon.probability(each, each) for each in CANDIDATES}
    return sorted(CANDIDATES, key=lambda each: -round(probability[each], 1))


def with_stand_ins(
    source: str, spans: Iterable[tuple[int, int, str]], numbers: Iterable[str], lang: str = ""
) -> tuple[str, dict[str, str]]:
    """Replace parts of a source by numbers, as long as there are numbers.

    Args:
        source: the source.
        spans: the start and the end of each part, and the text that replaces it in translations.
        numbers: the stand-ins. Those that the source contains or expresses are not used.
        lang: the language of the source.

    Returns:
        The changed source, and {stand-in: text in the translation}.
    """
    text = source
    free = (number for number in numbers if not _expresses(text, number, lang))
    chosen = list(zip(sorted(spans), free, strict=False))
    for (start, end, _), number in reversed(chosen):
        source = source[:start] + number + source[end:]
    return source, {number: text for (_, _, text), number in chosen}


def _expresses(source: str, number: str, lang: str) -> bool:
    """Return whether a translation of a source may well contain a number: 12 for "noon"."""
    patterns = word_pattern(int(number), lang), WORDS.get(number)
    return (
        number in source
        or any(pattern and re.search(pattern, source) for pattern in patterns)
        or any(int(hour) + 12 == int(number) for hour in AFTERNOON.findall(source))
    )


def contains(translation: str, text: str) -> bool:
    """Return whether a translation contains a stand-in, not only as a part of a longer word.

    Args:
        translation: the translation.
        text: a number, a name or a date.
    """
    return re.search(_whole(re.escape(text)), translation) is not None


def _whole(text: str) -> str:
    """Return a pattern of a stand-in.

    The letter s may follow, the end of an ordinal, and letters of scripts without spaces.
    """
    return rf"{BEGIN}(?:{text})(?=(?:s|{ORDINAL_END})?{END})(?![.,]\d)"


def in_digits(translation: str, originals: Mapping[str, str], lang: str) -> str:
    """Return a translation in which the stand-ins that it has in words are in digits.

    A number whose words occur more than once is left in words.

    Args:
        translation: the translation.
        originals: {stand-in: text in the translation}. Some may be names and dates.
        lang: the language of the translation.
    """
    for number in filter(str.isdecimal, originals):
        pattern = word_pattern(int(number), lang)
        found = list(re.finditer(rf"{pattern}(?!\w)", translation)) if pattern else []
        if len(found) == 1 and not re.search(rf"{BEGIN}{number}{END}", translation):
            start, end = found[0].span()
            text = number + _ordinal_end(found[0][0], lang)
            translation = translation[:start] + text + translation[end:]
    return translation


def _ordinal_end(words: str, lang: str) -> str:
    """Return the end of an English ordinal, or an empty string: th for "twelfth"."""
    end = re.search(rf"{ORDINAL_END}$", words) if lang == "en" else None
    return end[0] if end else ""


def restored(translation: str, originals: Mapping[str, str], lang: str = "") -> str:
    """Return a translation with stand-ins replaced by the texts for which they stand.

    Among `originals` may also be names and dates. A stand-in is a number. The source contains it
    once, so its other occurrences in the translation are removed, also as parts of longer numbers.
    An occurrence that looks like a time stays if another one does not. An English ordinal gets the
    ending of its new number: 12th, 21st. The German genitive of a name in s has an apostrophe.

    Args:
        translation: the translation.
        originals: {stand-in: text in the translation}.
        lang: the language of the translation.
    """
    if not originals:
        return translation
    unused = {text for text in originals if text.isdecimal()}
    times = {text for text in unused if _are_times(text, translation) == {True, False}}

    def original(match: re.Match[str]) -> str:
        space, text, is_ordinal, ending = match[1], match[2], match[3], match[4] or ""
        if text in times and TIME.match(translation, match.end()):
            return match[0]
        if text is None or (text.isdecimal() and text not in unused):
            return ""
        unused.discard(text)
        new = _as_ordinal(originals[text]) if is_ordinal else originals[text]
        if ending and lang == "de" and not text.isdecimal() and new.endswith(SIBILANTS):
            ending = "'"
        return space + new + ending

    texts = "|".join(map(re.escape, sorted(originals, key=len, reverse=True)))
    whole = rf"({texts})((?<=\d){ORDINAL_END})?(s?){END}(?![.,]\d)"
    return re.sub(rf"( ?){BEGIN}(?:{whole}{_concatenated(unused)})", original, translation)


def _as_ordinal(text: str) -> str:
    """Return an English integer as an ordinal, and any other text as it is."""
    if not re.fullmatch(r"[\d,]*\d", text):
        return text
    ends = {} if text[-2:-1] == "1" else {"1": "st", "2": "nd", "3": "rd"}
    return text + ends.get(text[-1], "th")


def _are_times(number: str, translation: str) -> set[bool]:
    """Return whether the occurrences of a stand-in look like times, {True, False} if some do."""
    found = re.finditer(_whole(number), translation)
    return {TIME.match(translation, match.end()) is not None for match in found}


def _concatenated(numbers: Iterable[str]) -> str:
    """Return the end of a pattern, which matches longer integers that contain stand-ins."""
    texts = "|".join(sorted(numbers))
    return rf"|\d*(?:{texts})\d*(?!{LETTER}|[.,]\d)" if texts else ""
