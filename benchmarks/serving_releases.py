"""Run exports of all kinds with the libraries of other releases of TensorFlow.

The script exports a run as text, with --xla and with --ids-only. For each release, it compiles
`run_saved_model.c`, which loads exports as TensorFlow Serving does, against its headers and
libraries, and compares the scores of all translations with those of the run. The packages of a
release need neither their dependencies nor a Python that could import them:

    pip install --no-deps --only-binary=:all: --target DIR \\
        tensorflow==2.20.0 tensorflow-text==2.20.0

The exit status is 1 if a release cannot run an export, or a translation differs.
"""

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from c_program import Installation, Program, compile_program
from serving_operations import version

from keras_transformer.commands import command_line, entry_point, run_flag
from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    from keras_transformer.export import samples
    from keras_transformer.export.saved_model import TOLERANCE, Options, export_saved_model
    from keras_transformer.translation.translator import Translator

KINDS = {"text": Options(), "--xla": Options(xla=True), "--ids-only": Options(ids_only=True)}


def main() -> int:
    arguments = make_parser().parse_args()
    checkpoint = run_flag.chosen_run(arguments.checkpoint)
    translator = Translator.load(checkpoint)
    failures = 0
    with tempfile.TemporaryDirectory() as directory:
        versions = {
            kind: export_saved_model(checkpoint, Path(directory) / "model", options).directory
            for kind, options in KINDS.items()
        }
        for other in map(Installation, map(Path, arguments.directories)):
            release = version(other.directory, "tensorflow")
            program = compile_program(directory, installation=other)
            results = {
                kind: result(program, other, path, translator, KINDS[kind].ids_only)
                for kind, path in versions.items()
            }
            failures += sum(text != "ok" for text in results.values())
            row = [release, *(f"{kind}: {text}" for kind, text in results.items())]
            print("; ".join(row), flush=True)
    return int(failures > 0)


def make_parser() -> argparse.ArgumentParser:
    parser = command_line.Parser(description=__doc__)
    add = parser.add_argument
    run_flag.add_checkpoint_flag(add)
    add("directories", nargs="+", metavar="DIR", help="directory of the packages of a release")
    return parser


def result(
    program: Path, other: Installation, path: Path, translator: Translator, ids_only: bool
) -> str:
    """Return "ok", or what is wrong with an export in another release."""
    libraries = () if ids_only else (other.text_operations,)
    try:
        with Program(program, path, libraries=libraries) as running:
            return next(differences(running, translator, ids_only), "ok")
    except RuntimeError as error:
        return " ".join(str(error).split())


def differences(running: Program, translator: Translator, ids_only: bool) -> Iterator[str]:
    """Yield the sentences whose translations have another score than those of the run."""
    for texts in samples.batches_to_check(translator, ids_only):
        found = running.request(**samples.inputs(translator, texts, ids_only))["score"]
        wanted = [best.score for best, *_ in translator.translate(texts)]
        yield from unequal(texts, [float(score) for score in found], wanted)


def unequal(texts: Sequence[str], found: Sequence[float], wanted: Sequence[float]) -> Iterator[str]:
    """Yield a message for each text whose two scores differ."""
    for text, score, other in zip(texts, found, wanted, strict=True):
        if not abs(score - other) < TOLERANCE:
            yield f"{text!r} has the score {score}, in the run {other:.6f}"


if __name__ == "__main__":
    entry_point.run(main)
