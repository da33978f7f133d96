"""The export of a run as an HTML file, and its checks."""

import re
import shutil

import numpy as np
import pytest

from keras_transformer.commands import export
from keras_transformer.commands.entry_point import run
from keras_transformer.errors import CheckError, PathTaken, UserError
from keras_transformer.export import samples
from keras_transformer.export.html import check as check_module
from keras_transformer.export.html import content as content_module
from keras_transformer.export.html import local_page
from keras_transformer.export.html.content import Content, Options
from keras_transformer.export.html.local_page import TooManyWeights, export_html
from keras_transformer.export.html.network_weights import assign
from keras_transformer.export.html.reading import read_page
from keras_transformer.export.html.subword_data import subword_data
from keras_transformer.model.sizes import count_weights
from keras_transformer.runs.run import Run
from keras_transformer.search.settings import SearchSettings
from keras_transformer.translation.translator import Translator
from keras_transformer.version import __version__
from tests.export.html_elements import Elements, directives, elements, hash_of


@pytest.fixture(scope="module")
def exported_html(small_run, tmp_path_factory):
    return export_html(small_run, tmp_path_factory.mktemp("html") / "toy.html")


@pytest.fixture(scope="module")
def exporting(small_run):
    """The translator of the small run, as `export_html` loads it."""
    return Translator.load(small_run, fold_normalizations=False)


@pytest.fixture
def loaded_once(exporting, monkeypatch):
    """Let `export_html` use this translator, because tracing its search takes seconds.

    An export changes its weights, and so may the test.
    """
    weights = [variable.numpy() for variable in exporting.model.weights]
    monkeypatch.setattr(Translator, "of", lambda _, **options: exporting)
    yield exporting
    for variable, value in zip(exporting.model.weights, weights, strict=True):
        variable.assign(value)


@pytest.fixture(scope="module")
def content(exported_html):
    """The description, the subwords and the tensors in the page."""
    return read_page(exported_html.path)


def test_the_description_is_that_of_the_run(content, small_run, translator):
    description, subwords, _ = content
    tensors = description.pop("tensors")
    never = translator.target_subwords.suppressed_ids()
    network = description.pop("network")
    assert description == {
        "name": "run",
        "version": __version__,
        "server": None,
        "source_lang": "en",
        "target_lang": "de",
        "unspaced": {"source": False, "target": False},
        "search": {"beam_size": 4, "length_penalty": translator.search.length_penalty},
        "never": never,
        "examples": sorted(Run.open(small_run).examples(), key=len, reverse=True),
    }
    size = translator.source_subwords.size
    options = translator.model.options
    assert network == {
        "encoder_layers": 1,
        "decoder_layers": 1,
        "d_model": 16,
        "num_heads": 2,
        "dff": 32,
        "input_vocab_size": size,
        "target_vocab_size": translator.target_subwords.size,
        "norm_first": options.norm_first,
        "tied_embeddings": options.tied_embeddings,
        "max_source_length": 41,
        "max_target_length": 42,
        "weights": count_weights(1, 16, 32, size, translator.target_subwords.size, options),
    }
    assert network["weights"] == sum(np.prod(tensor["shape"]) for tensor in tensors)
    assert subwords == {
        "source": subword_data(translator.source_subwords),
        "target": subword_data(translator.target_subwords),
    }


def test_the_page_runs_only_its_own_code_and_sends_no_requests(exported_html):
    page = exported_html.path.read_text(encoding="utf-8")
    [style], [script] = elements(page, "style"), elements(page, "script", type="module")
    assert directives(page) == {
        "default-src": "'none'",
        "script-src": hash_of(script),
        "style-src": hash_of(style),
        "worker-src": "blob:",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    attributes = [name for _, found, _ in Elements(page).found for name in found]
    assert not [name for name in attributes if name == "style" or name.startswith("on")]


def test_the_report_compares_translations_with_those_of_the_run(
    exported_html, content, loaded_once, translator
):
    path = exported_html.path
    assert exported_html.size == path.stat().st_size
    assert exported_html.weights == translator.model.count_params()
    examples = content[0]["examples"]
    assign(loaded_once.model, content[2])
    greedy = SearchSettings(strategy="greedy")
    random = samples.sentences(translator.source_subwords, 64)
    for agreement, sentences in (
        (exported_html.examples, examples),
        (exported_html.random, random),
    ):
        ours, theirs = (
            [best.ids for best, *_ in each.translate(sentences, greedy)]
            for each in (translator, loaded_once)
        )
        same = sum(a == b for a, b in zip(ours, theirs, strict=True))
        assert str(agreement) == f"{same} of {len(sentences)}"


@pytest.mark.usefixtures("loaded_once")
def test_options_select_the_weights_and_the_initial_search(small_run, translator, tmp_path):
    options = Options("float16", SearchSettings(beam_size=7, length_penalty=0.5))
    report = export_html(small_run, tmp_path / "new" / "toy.html", options)
    description, _, tensors = read_page(report.path)
    assert description["search"] == {"beam_size": 7, "length_penalty": 0.5}
    assert {tensor.kind for tensor in tensors.values()} == {"float16", "float32"}
    kernel = translator.model.decoder.dec_layers[0].feed_forward.ffn.layers[0].kernel.numpy()
    found = tensors["decoder/layer1/feed_forward/ffn/inner/kernel"].dequantized()
    np.testing.assert_array_equal(found, kernel.T.astype(np.float16).astype(np.float32))


def test_the_length_penalty_has_as_many_digits_as_a_page_can_show(small_run, translator):
    options = Options(search=SearchSettings(length_penalty=0.6174))
    content = Content.of(Run.open(small_run), translator, options)
    assert content.description["search"]["length_penalty"] == 0.62


def test_a_joint_vocabulary_is_stored_once(small_run, translator):
    """The two vocabularies of the small run are equal."""
    config = Run.open(small_run).config.with_settings({"joint_vocabulary": True})
    content = Content.of(Run(small_run, config), translator, Options())
    assert content.subwords["source"] == subword_data(translator.source_subwords)
    assert content.subwords["target"] is None


@pytest.mark.usefixtures("loaded_once")
def test_examples_can_be_given(small_run, tmp_path):
    options = Options(examples=["ki", "ba lo"])
    report = export_html(small_run, tmp_path / "page.html", options)
    assert read_page(report.path)[0]["examples"] == ["ki", "ba lo"]


@pytest.mark.usefixtures("loaded_once")
def test_an_example_that_is_too_long_is_reported_once(small_run, tmp_path, caplog):
    """The small run reads 39 subwords. Each word of the example is two, `▁b` and `a`."""
    examples = ["ba lo", "ba " * 60, "ki"]
    report = export_html(small_run, tmp_path / "page.html", Options(examples=examples))
    assert [record.getMessage() for record in caplog.records] == [
        "the example 'ba ba ba ba ba ba ba ba ba ba ba ba ba b...' is too long: only the first 39 "
        "of its 120 subwords are translated"
    ]
    assert read_page(report.path)[0]["examples"] == examples


@pytest.mark.usefixtures("loaded_once")
def test_a_page_opens_with_a_sentence_whose_translation_is_probable(
    small_run, translator, tmp_path, monkeypatch
):
    examples = Run.open(small_run).examples()
    found = translator.translate(examples, SearchSettings(length_penalty=0))
    mean = {
        text: np.exp(best.score / (len(best.ids) - 1))
        for text, (best, *_) in zip(examples, found, strict=True)
    }
    most = max(mean, key=mean.get)
    rest = [text for text in examples if text != most]
    monkeypatch.setattr(content_module, "SURE", mean[most] - 1e-6)
    report = export_html(small_run, tmp_path / "page.html")
    expected = [most, *sorted(rest, key=len, reverse=True)]
    assert read_page(report.path)[0]["examples"] == expected


@pytest.mark.usefixtures("loaded_once")
def test_examples_are_sentences_that_the_network_reads_to_their_end(small_run, tmp_path):
    directory = tmp_path / "run"
    changed = Run.open(shutil.copytree(small_run, directory))
    changed.save_examples(["ba " * 60, " ", "ba lo"])
    report = export_html(directory, tmp_path / "a.html")
    assert read_page(report.path)[0]["examples"] == ["ba lo"]
    (directory / "examples.txt").unlink()
    report = export_html(directory, tmp_path / "b.html")
    assert len(read_page(report.path)[0]["examples"]) == 5


@pytest.mark.usefixtures("loaded_once")
@pytest.mark.parametrize(
    ("examples", "flags", "lines"),
    [
        (
            ["ba"],
            [],
            ["It contains a few validation sentences as examples; --example replaces them"],
        ),
        (
            [],
            [],
            ["It contains a few sentences of random words as examples; --example replaces them"],
        ),
        (["ba"], ["--example", "ki"], []),
    ],
)
def test_the_command_says_what_the_examples_are(call, small_run, tmp_path, examples, flags, lines):
    changed = Run.open(shutil.copytree(small_run, tmp_path / "run"))
    changed.save_examples(examples)
    flags = [*flags, "--checkpoint", tmp_path / "run", "--output", tmp_path / "a.html"]
    _, out, _ = call(*flags)
    assert [each for each in out.splitlines() if each.startswith("It contains")] == lines


@pytest.mark.usefixtures("loaded_once")
def test_a_network_too_large_for_a_page_is_rejected_before_it_is_loaded(
    small_run, translator, tmp_path, monkeypatch
):
    weights = translator.model.count_params()
    monkeypatch.setattr(local_page, "MAX_WEIGHTS", weights)
    export_html(small_run, tmp_path / "toy.html")
    monkeypatch.setattr(local_page, "MAX_WEIGHTS", weights - 1)
    monkeypatch.delattr(Translator, "of")
    message = f"run has {weights:,} weights; a page can contain {weights - 1:,}$"
    with pytest.raises(TooManyWeights, match=message):
        export_html(small_run, tmp_path / "large.html")
    assert [path.name for path in tmp_path.iterdir()] == ["toy.html"]


def changed_page(monkeypatch, pattern, text):
    """Change what is written: replace a part of the page."""
    document = content_module.local_document

    def change(*arguments):
        page, count = re.subn(pattern, text, document(*arguments), count=1)
        assert count == 1
        return page

    monkeypatch.setattr(content_module, "local_document", change)


@pytest.mark.usefixtures("loaded_once")
@pytest.mark.parametrize(
    ("pattern", "text", "message"),
    [
        ('"beam_size":4', '"beam_size":5', "does not describe the model"),
        ('"pieces":\\["', '"pieces":["x', "does not describe the model"),
        ('id="weights">....', 'id="weights">////', "does not contain the weights"),
        ('"scales":', '"scalesx":', "does not contain the weights"),
        ('id="weights">.', 'id="weights">!', "cannot be read back"),
        ('id="weights"', 'id="weight"', "cannot be read back"),
        ('id="weights">.*<', 'id="weights"><', "cannot be read back"),
        ('"subwords">{', '"subwords">', "cannot be read back"),
    ],
)
def test_a_page_with_other_content_is_deleted(
    small_run, tmp_path, monkeypatch, pattern, text, message
):
    changed_page(monkeypatch, pattern, text)
    with pytest.raises(CheckError, match=message):
        export_html(small_run, tmp_path / "toy.html")
    assert not list(tmp_path.iterdir())


def test_weights_that_are_not_finite_are_rejected(loaded_once, small_run, tmp_path):
    bias = loaded_once.model.final_layer.bias
    bias.assign(bias + np.nan)
    with pytest.raises(CheckError, match="final_layer/bias: a weight is not a finite number"):
        export_html(small_run, tmp_path / "toy.html")
    assert not list(tmp_path.iterdir())


def test_logits_that_are_not_finite_are_rejected(loaded_once, small_run, tmp_path):
    """Although all weights are finite."""
    table = loaded_once.model.decoder.embedding.embedding.embeddings
    table.assign(table * 1e38)
    with pytest.raises(CheckError, match="logits that are not finite"):
        export_html(small_run, tmp_path / "toy.html")
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("loaded_once")
def test_files_of_killed_exports_to_the_same_output_are_removed(small_run, tmp_path):
    for name in (".toy.html.01234567.part", ".other.html.01234567.part"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "page.html").touch()
    export_html(small_run, tmp_path / "toy.html")
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"toy.html", ".other.html.01234567.part"}


def test_an_existing_output_is_not_replaced(small_run, tmp_path):
    (tmp_path / "toy.html").write_text("old", encoding="utf-8")
    with pytest.raises(PathTaken, match=r"toy\.html already exists"):
        export_html(small_run, tmp_path / "toy.html")
    assert (tmp_path / "toy.html").read_text(encoding="utf-8") == "old"


def test_a_missing_run_is_rejected(tmp_path):
    with pytest.raises(UserError, match="no run here"):
        export_html(tmp_path, tmp_path / "toy.html")
    assert not list(tmp_path.iterdir())


def test_an_output_that_cannot_be_written_is_named(small_run, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match=r"file/toy\.html: cannot be written"):
        export_html(small_run, tmp_path / "file" / "toy.html")


@pytest.fixture
def call(capsys):
    """Run the command in this process: (exit status, standard output, standard error)."""

    def call(*arguments):
        with pytest.raises(SystemExit) as end:
            run(lambda: export.main(["--format", "html", *map(str, arguments)]))
        return end.value.code, *capsys.readouterr()

    return call


@pytest.mark.usefixtures("loaded_once")
def test_the_command_export(call, small_run, tmp_path, translator):
    flags = "--checkpoint", small_run, "--output", tmp_path / "toy.html"
    status, out, err = call(*flags)
    assert status == 0
    assert err.splitlines() == [
        f"loading {small_run}",
        f"writing {tmp_path / 'toy.html'} with weights as int8",
        "reading it back, and comparing translations by its weights with those of the run",
    ]
    first, *_, last = out.splitlines()
    assert re.fullmatch(
        rf"{re.escape(str(tmp_path))}/toy\.html: \d\.\d MB, "
        rf"{translator.model.count_params():,} weights as int8; \d of 5 examples and "
        r"\d+ of 64 sentences of random words are translated exactly as by "
        rf"{re.escape(str(small_run))}; rounding "
        "can change a translation",
        first,
    )
    assert last == (tmp_path / "toy.html").as_uri()
    status, out, err = call(*flags)
    assert (status, out) == (2, "")
    assert err == f"error: {tmp_path}/toy.html already exists: give another --output\n"


def test_the_command_mentions_the_server_if_the_network_is_too_large(
    call, small_run, tmp_path, monkeypatch
):
    monkeypatch.setattr(local_page, "MAX_WEIGHTS", 1000)
    status, out, err = call("--checkpoint", small_run, "--output", tmp_path / "toy.html")
    assert (status, out) == (2, "")
    [line] = err.splitlines()
    assert line.startswith(f"error: {small_run} has ")
    assert line.endswith(": serve the run, and give --server for a page without weights")


def test_the_check_translates_with_the_weights_of_the_page(pre_norm_run, tmp_path, monkeypatch):
    """A search with a folded copy would never see these weights."""

    def assign_noise(model, tensors):
        for variable in model.weights:
            variable.assign(np.random.default_rng(1).normal(size=variable.shape))

    monkeypatch.setattr(check_module, "assign", assign_noise)
    report = export_html(pre_norm_run, tmp_path / "page.html")
    assert report.random.same < report.random.compared / 2
