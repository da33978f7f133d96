"""The command `draw masks`."""

import pytest
from PIL import Image

from keras_transformer.inspection.masks import plot_translation_masks
from keras_transformer.pictures.saving import encoded


def test_words_need_no_run(call, tmp_path):
    path = tmp_path / "masks.png"
    assert call("draw", "masks", "The dog.", "It sees $x$ today.", "--output", path) == (
        0,
        "",
        f"wrote {path}\n",
    )
    with Image.open(path) as picture:
        assert min(picture.size) > 500


@pytest.mark.parametrize(
    ("flags", "layer_and_head"),
    [((), (None, None)), (("--head", 2), (None, 2)), (("--layer", 1, "--head", 1), (1, 1))],
)
def test_a_run_translates_the_sentences(
    call, small_run, translator, tmp_path, flags, layer_and_head
):
    path = tmp_path / "masks.png"
    arguments = "ba be", "LO BA KI", "--checkpoint", small_run, *flags, "-o", path
    assert call("draw", "masks", *arguments)[0] == 0
    figure = plot_translation_masks(translator, ["ba be", "Lo ba ki"], *layer_and_head)
    assert path.read_bytes() == encoded(figure, "png")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((" ",), "sentence 1 is empty"),
        (("a",) * 9, "there are 9 sentences"),
        (("a", "--layer", 1), "--layer and --head need --checkpoint"),
        (("a", "--head", 1), "--layer and --head need --checkpoint"),
        (("a", "--checkpoint", "missing"), "missing: no run here"),
        (("a " * 50,), "sentence 1 is too long"),
        ((), "required: SENTENCE"),
    ],
)
def test_invalid_arguments_are_errors_and_leave_no_file(error_of, tmp_path, arguments, message):
    assert message in error_of("draw", "masks", *arguments, "--output", tmp_path / "x.png")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("ba", "--layer", 2), "there is no decoder layer 2: the decoder has 1"),
        (("ba", "--head", 3), "there is no head 3: each layer has 2"),
        (("ba " * 50,), "sentence 1 is too long: it has"),
    ],
)
def test_what_a_network_lacks_is_an_error(error_of, small_run, tmp_path, arguments, message):
    arguments = *arguments, "--checkpoint", small_run, "--output", tmp_path / "x.png"
    assert message in error_of("draw", "masks", *arguments)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["x", "x.bmp", "no/x.png"])
def test_pictures_that_cannot_be_written_are_errors(error_of, tmp_path, name):
    assert f"{name}: cannot be written" in error_of("draw", "masks", "a", "-o", tmp_path / name)
