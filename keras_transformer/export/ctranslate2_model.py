"""Export of a run directory as a model for CTranslate2 (https://opennmt.net/CTranslate2)."""

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from keras_transformer.errors import PathTaken
from keras_transformer.export import samples, vocabulary_map
from keras_transformer.export.ctranslate2_check import compare
from keras_transformer.export.ctranslate2_spec import model_spec, tokens
from keras_transformer.files import check_utf8, hidden_prefix, naming, replace, sync_tree
from keras_transformer.runs.layout import SHORTLIST
from keras_transformer.runs.run import Run
from keras_transformer.translation.shortlist import Shortlist
from keras_transformer.translation.translator import Translator
from keras_transformer.workspace import workspace

PROGRAM = """\
import {modules}

source = sentencepiece.SentencePieceProcessor(model_file={source!r})
target = sentencepiece.SentencePieceProcessor(model_file={target!r})
translator = ctranslate2.Translator({directory!r})
text = {example!r}
[result] = translator.translate_batch(
    [source.encode({text}, out_type=str)],
    beam_size=4,
    length_penalty=0,
    max_input_length={max_source_length},
    max_decoding_length={max_decoding_length},
)
print(target.decode(result.hypotheses[0]))
"""
# The text to encode. Pretrained subwords need lower case, and 0 for each digit.
TEXT, PREPROCESSED_TEXT = "text", 're.sub(r"\\d", "0", text.lower())'


@dataclass(frozen=True)
class Report:
    """A description of an export.

    Args:
        directory: the model directory.
        size: size in bytes.
        compared: number of translations whose probabilities were compared with those of the run.
        program: a Python program that translates a sentence with the export.
    """

    directory: Path
    size: int
    compared: int
    program: str


def export_ctranslate2(
    checkpoint: str | os.PathLike[str],
    output: str | os.PathLike[str],
    tell: Callable[[str], object] = lambda text: None,
) -> Report:
    """Write a model directory for `ctranslate2.Translator`, with the SentencePiece models.

    If the run has a shortlist, the directory also has a vocabulary map, for `use_vmap`.

    Args:
        checkpoint: run directory.
        output: the model directory, which must not exist.
        tell: function that is called with a line of text at the start of each stage.

    Returns:
        The `Report`.

    Raises:
        UserError: If the run does not exist or the output cannot be written.
        PathTaken: If the output exists.
        CheckError: If CTranslate2 cannot load the export, or computes different probabilities. The
            export is deleted.
    """
    output = Path(output)
    if output.exists():
        raise PathTaken(f"{output} already exists")
    check_utf8(output)
    run = Run.open(checkpoint)
    tell(f"loading {checkpoint}")
    translator = Translator.of(run)
    with naming(output):
        output.parent.mkdir(parents=True, exist_ok=True)
    with workspace(output.parent, hidden_prefix(output)) as part:
        tell(f"writing {output}")
        with naming(output):
            _write(part, translator, run)
        tell("checking its probabilities in CTranslate2")
        compared = compare(part, translator)
        size = sum(path.stat().st_size for path in part.iterdir())
        with naming(output):
            sync_tree(part)
            replace(part, output)
    return Report(output, size, compared, python_program(run, translator, output))


def _write(directory: Path, translator: Translator, run: Run) -> None:
    """Write the model, its SentencePiece models and its vocabulary map to a directory."""
    model_spec(translator).save(str(directory))
    for path in run.subword_files():
        shutil.copy(path, directory)
    if run.has(SHORTLIST):
        names = tokens(translator.source_subwords), tokens(translator.target_subwords)
        text = vocabulary_map.vocabulary_map(Shortlist.of(run), *names)
        (directory / vocabulary_map.FILE).write_text(text, encoding="utf-8")


def python_program(run: Run, translator: Translator, output: Path) -> str:
    """Return a Python program that translates a sentence with the export in `output`."""
    output = output.resolve()
    source, target = (str(output / path.name) for path in run.subword_files())
    preprocessed = translator.source_subwords.preprocessed
    return PROGRAM.format(
        modules="ctranslate2, re, sentencepiece" if preprocessed else "ctranslate2, sentencepiece",
        source=source,
        target=target,
        directory=str(output),
        example=samples.example(run, translator.source_subwords),
        text=PREPROCESSED_TEXT if preprocessed else TEXT,
        max_source_length=translator.max_source_length,
        max_decoding_length=translator.max_target_length - 1,
    )
