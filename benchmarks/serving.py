"""Speed of exports without Python, against each other and against `Translator`.

The exports, with and without --xla, are made anew and run by a C program, through the loader of
TensorFlow Serving. Compared are one sentence a request, a batch, and the first request after the
warm-up with the hundredth. Rounds alternate.
"""

import contextlib
import statistics
import tempfile
import time
from pathlib import Path

from c_program import Program, compile_program

from keras_transformer.commands import command_line
from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    import tensorflow as tf
    from tensorflow_serving.apis import prediction_log_pb2

    from keras_transformer.errors import UserError
    from keras_transformer.export.saved_model import Options, export_saved_model
    from keras_transformer.runs.run import newest_run
    from keras_transformer.text.lines import read_lines
    from keras_transformer.translation.translator import Translator

SIGNATURES = {"serving_default": "beam 4", "greedy": "greedy"}


def main():
    parser = command_line.Parser(description=__doc__)
    parser.add_argument("--checkpoint", metavar="DIR", help="run directory (default: the newest)")
    parser.add_argument("--input", metavar="FILE", required=True, help="sentences to translate")
    parser.add_argument("--sentences", type=int, default=50, help="single ones (default 50)")
    parser.add_argument("--batch-size", type=int, default=64, help="of a batch (default 64)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds (default 5)")
    arguments = parser.parse_args()
    checkpoint = arguments.checkpoint or newest_run()
    sentences = list(read_lines(arguments.input))
    if len(sentences) < 4 * max(arguments.batch_size, 25):
        raise UserError(f"{arguments.input}: too few sentences: give {4 * arguments.batch_size}")
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


def compare_singles(program, versions, signature, name, sentences, rounds):
    """Prints the median time of one sentence; after a round of warm-up, rounds alternate."""
    seconds = {kind: [] for kind in versions}
    with contextlib.ExitStack() as stack:
        running = {
            kind: stack.enter_context(Program(program, path, signature))
            for kind, path in versions.items()
        }
        for number in range(rounds + 1):
            for kind, process in running.items():
                for sentence in sentences:
                    process.request(source=[sentence])
                    if number:
                        seconds[kind].append(process.seconds)
    plain, xla = (statistics.median(times) * 1e3 for times in seconds.values())
    print(
        f"one sentence, {name}: plain {plain:.1f} ms, --xla {xla:.1f} ms: {plain / xla:.2f} times"
    )


def compare_batches(program, versions, translator, batches, rounds):
    """Prints the median time of some batches, by `Translator` and by each export."""
    seconds = {kind: [] for kind in ("Translator", *versions)}
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
                    process.request(source=batch)
                    times[kind] += process.seconds
            for kind, value in times.items():
                seconds[kind] += [value] if number else []
    medians = {kind: statistics.median(values) for kind, values in seconds.items()}
    told = ", ".join(f"{kind} {value:.2f} s" for kind, value in medians.items())
    print(f"{len(batches)} batches of {len(batches[0])}, beam 4: {told}")


def compare_first(program, version, kind, sentences, rounds):
    """Prints the time of the first request after the warm-up as a share of the hundredth."""
    warmup = list(warmup_batches(version))
    firsts, hundredths = [], []
    for sentence in sentences[:rounds]:
        with Program(program, version) as process:
            for batch in warmup:
                process.request(source=batch)
            times = []
            for text in [sentence, *sentences[:98], sentence]:
                process.request(source=[text])
                times.append(process.seconds)
            firsts.append(times[0])
            hundredths.append(times[-1])
    ratio = statistics.median(a / b for a, b in zip(firsts, hundredths, strict=True))
    first, hundredth = (statistics.median(times) * 1e3 for times in (firsts, hundredths))
    told = f"first {first:.1f} ms, hundredth {hundredth:.1f} ms: {ratio:.2f}"
    print(f"after the warm-up, {kind}: {told}")


def warmup_batches(version):
    """The sentences of each warm-up request for `serving_default`."""
    path = version / "assets.extra/tf_serving_warmup_requests"
    for record in tf.data.TFRecordDataset(str(path)):
        request = prediction_log_pb2.PredictionLog.FromString(record.numpy()).predict_log.request
        if request.model_spec.signature_name == "serving_default":
            yield [text.decode() for text in tf.make_ndarray(request.inputs["source"])]


if __name__ == "__main__":
    command_line.run(main)
