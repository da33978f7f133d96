"""The export for CTranslate2 against the run."""

import re
import shutil
import subprocess
import sys

import ctranslate2
import numpy as np
import pytest
import sentencepiece

from keras_transformer.commands import export
from keras_transformer.commands.entry_point import run
from keras_transformer.config import Config
from keras_transformer.errors import CheckError, PathTaken, UserError
from keras_transformer.export import ctranslate2_model
from keras_transformer.export.ctranslate2_model import export_ctranslate2
from keras_transformer.runs.checkpoints import make_checkpoint, named_variables
from keras_transformer.runs.layout import BEST
from keras_transformer.runs.run import Run
from keras_transformer.search.settings import SearchSettings
from keras_transformer.text.subwords import Subwords
from keras_transformer.translation.translator import Translator
from tests.conftest import SMALL, toy_pairs
from tests.export.conftest import TYPED
from tests.programs import HOME

SENTENCES = [source for source, _ in toy_pairs(100, seed=8)]


@pytest.mark.parametrize("beam_size", [1, 4])
def test_translations_equal_those_of_the_run(exported_ctranslate2, translator, beam_size):
    special = "ba 😀 <start> be"
    sentences = [*SENTENCES, special]
    ours = [
        best.text
        for best, *_ in translator.translate(
            sentences, SearchSettings(length_penalty=0.0, beam_size=beam_size)
        )
    ]
    pieces = [translator.source_subwords.bpemb.spm.encode(s, out_type=str) for s in sentences]
    found = ctranslate2.Translator(str(exported_ctranslate2.directory)).translate_batch(
        pieces, beam_size=beam_size, length_penalty=0, max_decoding_length=41
    )
    decode = translator.target_subwords.bpemb.spm.decode
    theirs = [decode(result.hypotheses[0]) for result in found]
    assert (special, theirs[-1]) == (special, ours[-1])
    assert sum(a == b for a, b in zip(ours, theirs, strict=True)) >= len(sentences) - 1


def test_text_encoded_as_bytes_is_translated_as_in_the_run(
    exported_ctranslate2_full, full_translator
):
    typed, directory = ["a\tb", *TYPED], exported_ctranslate2_full.directory
    models = [
        sentencepiece.SentencePieceProcessor(model_file=str(directory / name))
        for name in ("source.model", "target.model")
    ]
    found = ctranslate2.Translator(str(directory)).translate_batch(
        models[0].encode(typed, out_type=str),
        beam_size=4,
        length_penalty=0,
        max_decoding_length=41,
        max_input_length=41,
        return_scores=True,
    )
    wanted = [
        best
        for best, *_ in full_translator.translate(
            typed, SearchSettings(length_penalty=0.0, beam_size=4)
        )
    ]
    theirs = [models[1].decode(result.hypotheses[0]) for result in found]
    assert theirs == [best.text for best in wanted]
    scores = [best.score for best in wanted]
    np.testing.assert_allclose([result.scores[0] for result in found], scores, rtol=1e-4)


@pytest.mark.parametrize(
    ("norm_first", "tied_embeddings"), [(False, "all"), (True, "none"), (True, "output")]
)
def test_every_kind_of_network_can_be_exported(tmp_path, norm_first, tied_embeddings):
    """The export itself compares the probabilities with those of the network."""
    joint = tied_embeddings == "all"
    kind = {"norm_first": norm_first, "tied_embeddings": tied_embeddings}
    config = Config().with_settings(SMALL | kind | {"joint_vocabulary": joint, "num_layers": 2})
    new = Run.create(tmp_path / "run", config)
    new.make_subwords(toy_pairs(100))
    model = new.build_model(*new.subwords())
    for variable in model.trainable_variables:
        variable.assign(variable + 0.1)  # biases of 0 would hide errors
    make_checkpoint(named_variables(model)).save(str(tmp_path / "run" / BEST / "ckpt"))
    report = export_ctranslate2(tmp_path / "run", tmp_path / "out")
    assert report.compared == 64
    assert (tmp_path / "out" / "target.model").exists() != joint


def untrained(directory, longest_source, longest_target):
    """Make a run with random weights and these maximum lengths; return its source subwords."""
    limits = {"max_source_length": longest_source, "max_target_length": longest_target}
    new = Run.create(directory, Config().with_settings(SMALL | limits))
    new.make_subwords(toy_pairs(100))
    model = new.build_model(*new.subwords())
    make_checkpoint(named_variables(model)).save(str(directory / BEST / "ckpt"))
    return new.subwords()[0]


def test_short_limits_shorten_the_sentences_that_are_compared(tmp_path):
    """The generated sentences have up to ten ids."""
    untrained(tmp_path / "run", 8, 4)
    assert export_ctranslate2(tmp_path / "run", tmp_path / "out").compared == 64


def test_every_position_of_a_long_sentence_has_an_encoding(tmp_path):
    """By default, CTranslate2 reads 1024 subwords."""
    subwords = untrained(tmp_path / "run", 1200, 1200)
    export_ctranslate2(tmp_path / "run", tmp_path / "out")
    source = subwords.labels(subwords.encode("ba " * 1198)[1:-1])
    lengths = {"min_decoding_length": 1199, "max_decoding_length": 1199, "max_input_length": 1200}
    exported = ctranslate2.Translator(str(tmp_path / "out"))
    [found] = exported.translate_batch([source], beam_size=1, **lengths)
    assert len(source) == 1198
    assert len(found.hypotheses[0]) == 1199


def printed(program, **options):
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, **options)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def test_the_reported_program_runs(exported_ctranslate2, small_run, translator, tmp_path):
    example = (small_run / "examples.txt").read_text(encoding="utf-8").split("\n")[0]
    [[wanted]] = translator.translate([example], SearchSettings(beam_size=4, length_penalty=0.0))
    assert printed(exported_ctranslate2.program, cwd=tmp_path) == wanted.text + "\n"
    for option in ("length_penalty=0", "max_input_length=41", "max_decoding_length=41"):
        assert option in exported_ctranslate2.program


def test_the_program_in_the_manual_is_the_reported_one(exported_ctranslate2):
    page = (HOME / "docs" / "ctranslate2.md").read_text(encoding="utf-8")
    [program] = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    program = program.strip().replace('"', "'")
    told = exported_ctranslate2.program.replace(
        str(exported_ctranslate2.directory.resolve()), "ctranslate2/en-de"
    )
    told = re.sub("^text = .*$", "text = 'Where can I buy a ticket?'", told, flags=re.MULTILINE)
    assert program == told.strip()


def test_the_program_for_pretrained_subwords_preprocesses_text(
    exported_ctranslate2, small_run, translator, tmp_path
):
    """It lower-cases text, replaces digits by 0, and quotes the sentence correctly."""
    sentence = "BA 'lo' \"7\" KI\\"
    run = Run.open(shutil.copytree(small_run, tmp_path / "run"))
    run.save_examples([sentence])
    source = Subwords(translator.source_subwords.bpemb)
    source.preprocessed = True
    lower = Translator(translator.model, translator.encoding._replace(source_subwords=source))
    program = ctranslate2_model.python_program(run, lower, exported_ctranslate2.directory)
    [[wanted]] = translator.translate(
        ["ba 'lo' \"0\" ki\\"], SearchSettings(beam_size=4, length_penalty=0.0)
    )
    assert printed(program) == wanted.text + "\n"


def test_an_export_that_differs_is_deleted(small_run, tmp_path, monkeypatch):
    spec = ctranslate2_model.model_spec

    def faulty_spec(translator):
        gamma = next(v for v in translator.model.trainable_variables if v.name == "gamma")
        correct = gamma.numpy()
        gamma.assign(correct * 1.01)
        faulty = spec(translator)
        gamma.assign(correct)
        return faulty

    monkeypatch.setattr(ctranslate2_model, "model_spec", faulty_spec)
    with pytest.raises(CheckError, match="log probabilities"):
        export_ctranslate2(small_run, tmp_path / "out")
    assert not list(tmp_path.iterdir())


def test_an_export_that_cannot_be_loaded_is_deleted(small_run, tmp_path, monkeypatch):
    spec = ctranslate2_model.model_spec

    class Broken:
        def save(self, directory):
            shutil.copy(small_run / "config.json", directory)

    monkeypatch.setattr(ctranslate2_model, "model_spec", lambda t: spec(t) and Broken())
    with pytest.raises(CheckError, match="cannot load"):
        export_ctranslate2(small_run, tmp_path / "out")
    assert not list(tmp_path.iterdir())


def test_files_of_killed_exports_to_the_same_output_are_removed(small_run, tmp_path):
    for name in (".out.01234567.part", ".other.01234567.part"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "model.bin").touch()
    export_ctranslate2(small_run, tmp_path / "out")
    assert {path.name for path in tmp_path.iterdir()} == {"out", ".other.01234567.part"}


def test_the_name_of_an_export_may_be_as_long_as_the_file_system_permits(small_run, tmp_path):
    export_ctranslate2(small_run, tmp_path / ("a" * 255))
    assert [path.name for path in tmp_path.iterdir()] == ["a" * 255]


def test_an_existing_output_is_rejected(small_run, tmp_path):
    with pytest.raises(PathTaken, match="already exists"):
        export_ctranslate2(small_run, tmp_path)


def test_a_missing_run_is_rejected(tmp_path):
    with pytest.raises(UserError, match="no run here"):
        export_ctranslate2(tmp_path, tmp_path / "out")


def call(capsys, *arguments):
    with pytest.raises(SystemExit) as end:
        run(lambda: export.main(["--format", "ctranslate2", *map(str, arguments)]))
    return end.value.code, *capsys.readouterr()


def test_the_command_export(capsys, small_run, tmp_path):
    flags = ["--checkpoint", small_run, "--output", tmp_path / "out"]
    status, out, err = call(capsys, *flags)
    assert status == 0
    assert err.splitlines() == [
        f"loading {small_run}",
        f"writing {tmp_path / 'out'}",
        "checking its probabilities in CTranslate2",
    ]
    assert "computes the same probabilities as" in out
    status, _, err = call(capsys, *flags, "--xla")
    assert status == 2
    assert "--xla: for --format savedmodel only" in err
