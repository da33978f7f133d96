"""Scripts whose letters touch words and numbers of other scripts, as in 我坐CA123航班.

Python's word characters do not tell where such a word or number begins and ends.
"""

# Letters, marks and punctuation of Thai, Lao, Tibetan, Burmese, Khmer, Chinese, Japanese and
# Korean. Digits and full-width Latin letters are left out.
TOUCHING = (
    r"\u0e00-\u0e4f\u0e5a-\u0ecf\u0eda-\u0f1f\u0f34-\u103f\u104a-\u108f\u109a-\u109f\u1780-\u17df"
    r"\u17ea-\u17ff\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40"
    r"\uff5b-\uffef\U00020000-\U0003ffff"
)
LETTER = rf"[^\W{TOUCHING}]"  # a letter, digit or underscore of any other script
BEGIN = rf"(?<!{LETTER})"  # the begin and the end of a word or number of any other script
END = rf"(?!{LETTER})"
