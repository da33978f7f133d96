import numpy as np
import pytest

from keras_transformer.errors import UserError
from keras_transformer.inspection.history.film import frames
from keras_transformer.inspection.history.logs import read_history
from keras_transformer.inspection.history.recorded_picture import picture
from keras_transformer.training.curves import log_validation
from tests.inspection.logs import log_attention, make_run, recorded, totals


def panels_of(figure):
    """Return {title: array} of the heat maps."""
    return {
        axes.get_title(): np.asarray(axes.images[0].get_array())
        for axes in figure.axes
        if axes.get_title()
    }


def texts(figure):
    return [text.get_text() for text in figure.texts]


@pytest.fixture(scope="module")
def history(tmp_path_factory):
    def session():
        for step, epoch in ((0, 0.0), (50, 0.5), (100, 1.0), (1_234_567, 101.25)):
            log_attention(recorded(step, epoch))
            if step == 100:
                log_validation(step, totals(2.0), 28.576)

    return read_history(make_run(tmp_path_factory.mktemp("film") / "run", session))


@pytest.mark.parametrize(("layer", "heads"), [(None, "mean"), (1, "mean"), (2, "all"), (1, 3)])
def test_frames_are_the_weights_that_were_logged(history, layer, heads):
    films = list(frames(history, layer, heads))
    steps = [0, 50, 100, 1_234_567]
    for step, frame in zip(steps, films, strict=True):
        weights = recorded(step, 0.0).weights[(layer or 2) - 1, :, :-1]  # (H, T - 1, S)
        expected = {
            "mean": {"mean of 3 heads": weights.mean(0)},
            "all": {f"head {n + 1}": weights[n] for n in range(3)},
        }.get(heads) or {f"head {heads}": weights[heads - 1]}
        drawn = panels_of(frame)
        assert drawn.keys() == expected.keys()
        for title, matrix in drawn.items():
            np.testing.assert_allclose(matrix, expected[title], rtol=1e-6)
            np.testing.assert_allclose(matrix.sum(-1), 1, rtol=1e-5)
        assert f"cross attention, layer {layer or 2} of 2" in texts(frame)
    assert len({tuple(frame.get_size_inches()) for frame in films}) == 1


def test_rows_and_columns_are_the_subwords(history):
    frame = next(frames(history))
    [panel] = [axes for axes in frame.axes if axes.get_title()]
    rows = [label.get_text() for label in panel.get_yticklabels()]
    columns = [label.get_text() for label in panel.get_xticklabels()]
    assert rows == ["die", "Kat", "ze", "<end>"]
    assert columns == ["<start>", "the", "cat", "$", "<end>"]


def test_each_frame_tells_the_epoch_and_the_last_validation_bleu(history):
    found = [texts(frame) for frame in frames(history)]
    for lines, progress, score in zip(
        found,
        (
            "epoch 0.00, step 0",
            "epoch 0.50, step 50",
            "epoch 1.00, step 100",
            "epoch 101.25, step 1,234,567",
        ),
        (*["validation BLEU: none yet"] * 2, *["validation BLEU 28.58"] * 2),
        strict=True,
    ):
        assert {progress, score, "The cat$", "→ Die Katze"} < set(lines)


@pytest.mark.parametrize(
    ("layer", "heads", "message"),
    [
        (3, "mean", "there is no decoder layer 3: the decoder has 2"),
        (0, "mean", "there is no decoder layer 0: the decoder has 2"),
        (1, 4, "there is no head 4: each layer has 3"),
        (1, 0, "there is no head 0: each layer has 3"),
        (None, -1, "there is no head -1: each layer has 3"),
    ],
)
def test_missing_layers_and_heads_are_errors_before_the_first_frame(history, layer, heads, message):
    with pytest.raises(UserError, match=message):
        frames(history, layer, heads)
    with pytest.raises(UserError, match=message):
        picture(history.attention[0], layer, heads)


def test_a_run_without_recorded_attention_is_an_error(history):
    with pytest.raises(UserError, match="run: no attention was recorded: the run was trained by"):
        frames(history._replace(attention=[]))


def test_only_the_last_sentence_is_shown(history):
    """A later version may choose another sentence. All frames must have the same size."""
    old = [recorded(step, 0.0, target=["<start>", "<end>"]) for step in (0, 50)]
    new = [recorded(step, 0.0) for step in (100, 150)]
    shown = list(frames(history._replace(attention=[*old, *new])))
    assert len(shown) == 2
