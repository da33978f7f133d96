"""Text in capitals, which people type and networks hardly know."""

FEWEST_LETTERS = 5  # shorter text in capitals may be a word: OK, USA


def without_capitals(sentence):
    """Return a sentence in capitals as it is usually written; any other as it is."""
    letters = [char for char in sentence if char.isalpha()]
    shouted = len(letters) >= FEWEST_LETTERS and " " in sentence.strip() and sentence.isupper()
    return sentence.capitalize() if shouted else sentence
