"""Sentences typed in capitals, which training corpora hardly contain."""

MIN_LETTERS = 5  # a shorter text in capitals may be an abbreviation: OK, USA


def without_capitals(sentence: str) -> str:
    """Convert a sentence typed in capitals to sentence case; return any other unchanged."""
    letters = [char for char in sentence if char.isalpha()]
    in_capitals = len(letters) >= MIN_LETTERS and " " in sentence.strip() and sentence.isupper()
    return sentence.capitalize() if in_capitals else sentence
