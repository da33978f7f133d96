import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.corrections.placing import place_of, placed
from keras_transformer.translation.lexicon import Lexicon

WORDS = {"we": "wir", "meet": "treffen", "at": "um", "in": "in", "town": "Stadt", "dogs": "Hunde"}
TEXTS = st.text(alphabet="ab .,!?-0\u00a0", max_size=30)


@pytest.fixture(scope="module")
def lexicon():
    return Lexicon.learn([*WORDS.items()] * 9)


@pytest.mark.parametrize(
    ("source", "part", "translation", "expected"),
    [
        ("We meet at 14 in town.", "14", "Wir treffen um in Stadt.", "Wir treffen um 14 in Stadt."),
        ("We meet at 14.", "14", "Um, da treffen wir!", "Um 14, da treffen wir!"),
        ("At www.a.com we meet.", "www.a.com", "Wir treffen um.", "Wir treffen um www.a.com."),
        ("14 dogs meet.", "14", "Stadt, Hunde treffen.", "Stadt, 14 Hunde treffen."),
        ("14 quokkas", "14", "Quokkas.", "14 Quokkas."),
        ("quokkas: 14", "14", "Die Quokkas.", "Die Quokkas 14."),
        ("14", "14", "", "14"),
        (
            "We´ll meet, we\u2018ll meet at 14.",
            "14",
            "Um, da treffen wir!",
            "Um 14, da treffen wir!",
        ),
        ("We meet at 14.", "14", "Um, da treffen wir's!", "Um 14, da treffen wir's!"),
        ("We meet at 14.", "14", "Um, da´s treffen wir!", "Um 14, da´s treffen wir!"),
    ],
)
def test_a_value_is_placed_beside_its_neighbor(lexicon, source, part, translation, expected):
    span = source.index(part), source.index(part) + len(part)
    assert placed(part, place_of(span, source, translation, lexicon), translation)[0] == expected


def test_parts_that_are_kept_are_not_divided():
    translation = "Es kostet 3,50 € hier."
    kept = [(10, 16)]
    places = {place_of((i, i + 1), "x" * 30, translation, None, kept) for i in range(30)}
    assert not places & set(range(11, 16))


@pytest.mark.parametrize("place", [0, 3, 10, 16])
def test_parts_are_found_where_an_inserted_text_moved_them(place):
    translation, kept = placed("@", place, "Es kostet 3,50 €.", [(0, 2), (10, 16)])
    assert [translation[start:end] for start, end in kept] == ["Es", "3,50 €", "@"]


@given(TEXTS, st.data())
def test_a_placed_value_stands_alone_and_nothing_is_lost(translation, data):
    source = data.draw(st.text(alphabet="ab ", min_size=1))
    start = data.draw(st.integers(0, len(source) - 1))
    found, _ = placed("@", place_of((start, start + 1), source, translation, None), translation)
    before, after = found.split("@")
    assert "".join((before + after).split()) == "".join(translation.split())
    assert not before or before.endswith(" ")
    assert not after or not after[0].isalnum()
