"""The names that `import keras_transformer` makes available."""

import ast
from pathlib import Path

import pytest

import keras_transformer as kt
from tests.programs import run_python

NAMES = [
    "Axis",
    "CheckError",
    "Config",
    "CustomSchedule",
    "Decoder",
    "DecoderLayer",
    "Encoder",
    "EncoderLayer",
    "ExportOptions",
    "LineTranslator",
    "MaskedAccuracy",
    "MaskedCrossentropy",
    "MultiHeadAttention",
    "NoRun",
    "Options",
    "PathTaken",
    "Reranker",
    "Run",
    "RunMismatch",
    "SearchSettings",
    "ServedTranslator",
    "TrainingDiverged",
    "Transformer",
    "Translation",
    "Translator",
    "UserError",
    "WorkerLost",
    "XlaSearch",
    "average",
    "create_look_ahead_mask",
    "create_padding_mask",
    "evaluate",
    "export_ctranslate2",
    "export_saved_model",
    "one_thread_per_operation",
    "plot_attention",
    "plot_translation",
    "point_wise_feed_forward_network",
    "positional_encoding",
    "scaled_dot_product_attention",
    "train",
]


def test_all_and_dir_list_the_public_names():
    assert kt.__all__ == dir(kt) == sorted([*NAMES, "__version__"])


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_is_a_documented_class_or_function(name):
    value = getattr(kt, name)
    assert callable(value)
    assert value.__doc__
    assert getattr(kt, name) is value


def test_type_checkers_see_the_same_names():
    """A checker reads the imports; a name in one module must not come from another at run time."""
    tree = ast.parse(Path(kt.__file__).read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    sources = {
        alias.asname or alias.name: (node.module, alias.name)
        for node in imports
        if str(node.module).startswith("keras_transformer.")
        for alias in node.names
    }
    assert sources.pop("__version__") == ("keras_transformer.version", "__version__")
    assert sorted(sources) == sorted(NAMES)
    for name, source in sources.items():
        assert (getattr(kt, name).__module__, getattr(kt, name).__name__) == source


def test_other_names_do_not_exist():
    with pytest.raises(AttributeError, match="'keras_transformer' has no attribute 'Transfomer'"):
        _ = kt.Transfomer


def test_a_program_that_translates_lines_is_silent(small_run):
    """TensorFlow, which it imports when it loads the translator, would write a log."""
    program = f"import keras_transformer as kt; kt.LineTranslator.load({str(small_run)!r})"
    done = run_python("-c", program)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
