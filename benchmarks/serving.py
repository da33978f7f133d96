"""Latency of exports without Python, compared with each other and with `Translator`.

The script exports the run with and without --xla. A C program runs the exports, through the loader
of TensorFlow Serving. Measured are single sentences, batches, and the first request after the
warm-up relative to the hundredth. Rounds alternate.
"""

import contextlib
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from c_program import Program, compile_program
from contest import summary

from keras_transformer.commands import command_line, entry_point, run_flag
from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    import tensorflow as tf
    from tensorflow_serving.apis import prediction_log_pb2

    from keras_transformer.errors import UserError
    from keras_transformer.export.saved_model import Options, export_saved_model
    from keras_transformer.text.lines import read_lines
    from keras_transformer.translation.translator import Translator

SIGNATURES = {"serving_default": "beam 4", "greedy": "greedy"}


def main() -> int:
    parser = command_line.Parser(description=__doc__)
    run_flag.add_checkpoint_flag(parser.add_argument)
    parser.add_argument("--input", metavar="FILE", required=True, help="sentences to translate")
    parser.add_argument("--sentences", type=int, default=50, help="single sentences (default 50)")
    parser.add_argument(
        "--batch-size", type=int, default=64, help="sentences in a batch (default 64)"
    )
    parser.add_argument("--rounds", type=int, default=5, help="rounds (default 5)")
    arguments = parser.parse_args()
    checkpoint = run_flag.chosen_run(arguments.checkpoint)
    sentences = list(read_lines(arguments.input))
    needed = 4 * max(arguments.batch_size, 25)
    if len(sentences) < needed:
        raise UserError(
            f"{arguments.input}: too few sentences: give {needed}, or a smaller --batch-size"
        )
    with tempfile.TemporaryDirectory() as directory:
        program = compile_program(directory)
        versions = {}
        for xla in (False, True):
            report = export_saved_model(checkpoint, Path(directory) / "model", Options(xla=xla))
            versions["--xla" if xla else "plain"] = report.directory
            print(f"{report.directory.name}: {report.size / 1e6:.1f} MB")
        for signature, name in SIGNATURES.items():
            singles = sentences[: arguments.sentences]
            compare_singles(program, versions, signature, name, singles, arguments.rounds)
        size = arguments.batch_size
        batches = [sentences[first : first + size] for first in range(0, 4 * size, size)]
        compare_batches(program, versions, Translator.load(checkpoint), batches, arguments.rounds)
        for kind, version in versions.items():
            compare_first(program, version, kind, sentences, arguments.rounds)
    return 0


def compare_singles(
    program: Path,
    versions: Mapping[str, Path],
    signature: str,
    name: str,
    sentences: Sequence[str],
    rounds: int,
) -> None:
    """Print the median latency of one sentence; a warm-up round is not counted."""
    seconds: dict[str, list[list[float]]] = {kind: [] for kind in versions}
    with contextlib.ExitStack() as stack:
        running = {
            kind: stack.enter_context(Program(program, path, signature))
            for kind, path in versions.items()
        }
        for number in range(rounds + 1):
            for kind, process in running.items():
                times = [request_seconds(process, [sentence]) for sentence in sentences]
                seconds[kind] += [times] if number else []
    plain, xla = ([statistics.median(times) * 1e3 for times in seconds[kind]] for kind in versions)
    ratios = [a / b for a, b in zip(plain, xla, strict=True)]
    print(
        f"one sentence, {name}: plain {statistics.median(plain):.1f} ms, "
        f"--xla {statistics.median(xla):.1f} ms: {summary(ratios)} times"
    )


def request_seconds(process: Program, sentences: Sequence[str]) -> float:
    """Return the latency of a request."""
    process.request(source=sentences)
    return process.seconds


def compare_batches(
    program: Path,
    versions: Mapping[str, Path],
    translator: Translator,
    batches: Sequence[list[str]],
    rounds: int,
) -> None:
    """Print the median time of some batches, by `Translator` and by each export."""
    seconds: dict[str, list[float]] = {kind: [] for kind in ("Translator", *versions)}
    with contextlib.ExitStack() as stack:
        running = {
            kind: stack.enter_context(Program(program, path)) for kind, path in versions.items()
        }
        for number in range(rounds + 1):
            times = dict.fromkeys(seconds, 0.0)
            for batch in batches:
                begin = time.perf_counter()
                translator.translate(batch)
                times["Translator"] += time.perf_counter() - begin
                for kind, process in running.items():
                    times[kind] += request_seconds(process, batch)
            for kind, value in times.items():
                seconds[kind] += [value] if number else []
    medians = {kind: statistics.median(values) for kind, values in seconds.items()}
    text = ", ".join(f"{kind} {value:.2f} s" for kind, value in medians.items())
    print(f"{len(batches)} batches of {len(batches[0])}, beam 4: {text}")
    for kind in versions:
        ratios = [a / b for a, b in zip(seconds["Translator"], seconds[kind], strict=True)]
        print(f"  Translator : {kind} {summary(ratios)}")


def compare_first(
    program: Path, version: Path, kind: str, sentences: Sequence[str], rounds: int
) -> None:
    """Print the latency of the first request after the warm-up, relative to the hundredth."""
    warmup = list(warmup_batches(version))
    firsts, hundredths = [], []
    for sentence in sentences[:rounds]:
        with Program(program, version) as process:
            for batch in warmup:
                process.request(source=batch)
            texts = [sentence, *sentences[:98], sentence]
            times = [request_seconds(process, [text]) for text in texts]
            firsts.append(times[0])
            hundredths.append(times[-1])
    ratios = [a / b for a, b in zip(firsts, hundredths, strict=True)]
    first, hundredth = (statistics.median(times) * 1e3 for times in (firsts, hundredths))
    text = f"first {first:.1f} ms, hundredth {hundredth:.1f} ms: {summary(ratios)}"
    print(f"after the warm-up, {kind}: {text}")


def warmup_batches(version: Path) -> Iterator[list[str]]:
    """Yield the sentences of each warm-up request for `serving_default`."""
    path = version / "assets.extra/tf_serving_warmup_requests"
    for record in tf.data.TFRecordDataset(str(path)):
        request = prediction_log_pb2.PredictionLog.FromString(record.numpy()).predict_log.request
        if request.model_spec.signature_name == "serving_default":
            yield [text.decode() for text in tf.make_ndarray(request.inputs["source"])]


if __name__ == "__main__":
    entry_point.run(main)
