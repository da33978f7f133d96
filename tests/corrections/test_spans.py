from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.corrections.spans import FILLER, TextSpan, blanked


@given(st.text(), st.data())
def test_only_the_parts_are_replaced(text, data):
    places = st.integers(0, len(text))
    spans = data.draw(st.lists(st.tuples(places, places).map(sorted), max_size=3))
    inside = {i for start, end in spans for i in range(start, end)}
    wanted = "".join(FILLER if i in inside else char for i, char in enumerate(text))
    assert blanked(text, spans) == wanted


def test_a_part_knows_its_place():
    text = "Anna has 14 dogs."
    part = TextSpan("14", text.index("14"), text.index(" dogs"))
    assert text[slice(*part.span)] == part.text
