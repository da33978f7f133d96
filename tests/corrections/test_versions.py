import pytest

from keras_transformer.corrections.versions import VERSION


@pytest.mark.parametrize(
    ("source", "number", "possible"),
    [
        ("It is version 2.0.", "2.0", None),
        ("Section 3.2 is long.", "3.2", None),
        ("SEE CHAPTER 3.2!", "3.2", None),
        ("We use Python 3.11 here.", None, "3.11"),
        ("We use HTML 4.01.", None, "4.01"),
        ("See figure 3.5.", None, "3.5"),
    ],
)
def test_a_number_after_a_word_such_as_version_is_found(source, number, possible):
    match = VERSION.search(source)
    assert (match["number"], match["possible"]) == (number, possible)


@pytest.mark.parametrize(
    "source",
    [
        "In Germany 3.5 million people work.",
        "In Germany 3.5% are out of work.",
        "On the table 2.5 m away",
        "The section 3.5 miles from here",
        "I paid EUR 3.50 or Euro 3.50.",
        "It is on Monday 6.30.",
        "The Price Is 3.50.",
        "It costs 3.50.",
        "He paid 3.50.",
        "It is version 2.4.1 or 2.",
        "It is version 2.0-3.",
    ],
)
def test_other_numbers_are_not(source):
    assert not VERSION.search(source)
