"""Ends of sentences that sentencex misses, because an ordinary word is also an abbreviation.

In English, "me" is also Maine and "no" is also number. In German, "mich" is also Michigan.
"""

import re
from collections.abc import Iterator, Mapping

# Articles with Roman numbers stay: Art. I GG. So do places after a comma: Boise, ID.
WORDS = {
    "en": r"me|[Nn]o(?!\. [IVXLC]{2,}\b)|[Mm]ay|miss|ill|art|fed|sec|id|O[Kk]|ok|(?<!, )(?:ID|LA)",
    "de": r"[Mm]ich|mag|Bart|Art(?!\. [IVXLC]+\b)|(?<!\d\. )Jan|Ida|OP|O[Kk]|ok",
}
CAPITAL = r"[\"'“„«»]?[^\W\d_a-zäöüß]"
# {language: a word, a period, and white space before a word with a capital}
END: Mapping[str, re.Pattern[str]] = {
    lang: re.compile(rf"(?<![\w.'-])(?:{words})\.\s+(?={CAPITAL})") for lang, words in WORDS.items()
}
# sentencex does not divide what is between such marks. Some languages have them the other way.
MARKS = ('"', "“”„", "«»", "()", "[]")


def missed_ends(line: str, begin: int, end: int, lang: str) -> Iterator[int]:
    """Yield the places in a segment where a sentence ends after an ordinary word.

    Args:
        line: a line.
        begin: the begin of a segment that sentencex did not divide.
        end: its end.
        lang: the language. Only English and German have such places.
    """
    counts = [0] * len(MARKS)
    for match in END[lang].finditer(line, begin, end) if lang in END else ():
        part, begin = line[begin : match.end()], match.end()
        counts = [
            count + sum(map(part.count, marks)) for count, marks in zip(counts, MARKS, strict=True)
        ]
        if all(count % 2 == 0 for count in counts):
            yield begin
