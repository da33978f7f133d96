import re
from pathlib import Path

import numpy as np
import pytest
from matplotlib.colors import to_hex

from keras_transformer.errors import UserError
from keras_transformer.inspection.history.curves import best_step, plot_histories, table
from keras_transformer.inspection.history.logs import CURVES, Curve, read_history
from keras_transformer.pictures.style import COLORS
from keras_transformer.training.curves import log_validation
from tests.inspection.logs import make_run, totals, training

PANELS = {
    "loss (nats per token)": ["train/loss", "validation/loss"],
    "perplexity": ["validation/perplexity"],
    "BLEU": ["validation/bleu"],
    "accuracy": ["train/accuracy"],
    "learning rate": ["train/learning_rate"],
    "throughput (target tokens per second)": ["train/target_tokens_per_second"],
}


@pytest.fixture(scope="module")
def histories(tmp_path_factory):
    home = tmp_path_factory.mktemp("runs")
    sessions = training(1, 300), training(1, 250, offset=0.5)
    names = "first", "$second_run$"
    return [
        read_history(make_run(home / name, session))
        for name, session in zip(names, sessions, strict=True)
    ]


def lines_of(figure):
    """Return {title of the panel: its lines}."""
    return {axes.get_title(loc="left"): list(axes.lines) for axes in figure.axes}


def legend_of(figure):
    """Return {label: (color, style)} of the legend."""
    [legend] = figure.legends
    return {
        text.get_text(): (to_hex(line.get_color()).upper(), line.get_linestyle())
        for text, line in zip(legend.get_texts(), legend.get_lines(), strict=True)
    }


def test_every_value_is_drawn_in_its_panel_in_the_color_of_its_run(histories):
    figure = plot_histories(histories)
    drawn = lines_of(figure)
    assert list(drawn) == list(PANELS)
    for title, names in PANELS.items():
        wanted = [(run, name) for run in (0, 1) for name in names]
        for line, (run, name) in zip(drawn[title], wanted, strict=True):
            curve = histories[run].curves[name]
            np.testing.assert_array_equal(line.get_xdata(), curve.steps)
            np.testing.assert_array_equal(line.get_ydata(), curve.values)
            assert line.get_color() == COLORS[run]
            is_training = name.startswith("train/")
            assert (line.get_linestyle() == "--") == is_training
            assert (line.get_marker() == "o") != is_training
    legend = legend_of(figure)
    assert list(legend) == ["first", "$second_run$", "training", "validation"]
    assert [legend[name] for name in list(legend)[:2]] == [(c, "-") for c in COLORS[:2]]
    assert [style for _, style in list(legend.values())[2:]] == ["--", "-"]


def test_a_single_run_is_named_in_the_title(histories):
    figure = plot_histories(histories[1:])
    assert "$second_run$" in [text.get_text() for text in figure.texts]
    assert legend_of(figure) == {"training": (COLORS[0], "--"), "validation": (COLORS[0], "-")}


def test_the_current_directory_has_a_name(histories, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert histories[0]._replace(directory=Path()).name == tmp_path.name


def test_runs_of_the_same_name_are_told_apart_by_their_paths(histories):
    one, two = (histories[0]._replace(directory=Path(name) / "run") for name in "ab")
    assert list(legend_of(plot_histories([one, two])))[:2] == ["a/run", "b/run"]
    assert [line.split()[0] for line in table([one, two])] == ["run", "a/run", "b/run"]


def test_more_runs_than_colors_are_an_error(histories):
    assert plot_histories(histories[:1] * 8)
    with pytest.raises(UserError, match="^9 runs: there are colors for 8 only$"):
        plot_histories(histories[:1] * 9)


def test_the_table_has_the_best_and_the_last_values(histories):
    """BLEU is step / 10, the loss 6 - step / 100, and the training loss 8 - step / 100."""
    header, first, second = table(histories)
    assert re.split("  +", header) == [
        "run",
        "steps",
        "epochs",
        "best BLEU",
        "at step",
        "perplexity",
        "validation loss",
        "training loss",
        "tokens/s",
    ]
    perplexity = f"{np.exp(3):.2f}"
    assert first.split() == [
        "first",
        "300",
        "3",
        "30.00",
        "300",
        perplexity,
        "3.000",
        "5.000",
        "1,175",
    ]
    perplexity = f"{np.exp(4.5):.2f}"
    assert second.split()[:6] == ["$second_run$", "250", "2", "20.50", "200", perplexity]
    assert len({len(line) for line in (header, first, second)}) == 1


def test_the_loss_decides_between_equal_scores(tmp_path):
    def session():
        for step, loss, bleu in ((10, 3.0, 5.0), (20, 2.0, 5.0), (30, 2.5, 5.0), (40, 1.0, 4.0)):
            log_validation(step, totals(loss), bleu)

    history = read_history(make_run(tmp_path / "run", session))
    assert best_step(history) == 20
    assert table([history])[1].split() == [
        "run",
        "40",
        "4",
        "5.00",
        "20",
        f"{np.exp(2):.2f}",
        "2.000",
        "-",
        "-",
    ]


def test_values_that_were_not_recorded_are_dashes(histories):
    empty = Curve(np.array([], np.int64), np.array([]))
    curves = dict.fromkeys(CURVES, empty) | {"train/loss": histories[0].curves["train/loss"]}
    history = histories[0]._replace(curves=curves)
    assert table([history])[1].split() == ["first", "300", "0", *["-"] * 4, "5.000", "-"]
    assert best_step(history) is None
    drawn = lines_of(plot_histories([history]))
    assert [len(lines) for lines in drawn.values()] == [1, 0, 0, 0, 0, 0]
