"""The input pipeline: rate of encoding, time to the first step, memory, and an epoch of batches.

    python benchmarks/input_pipeline.py
    python benchmarks/input_pipeline.py --train multi30k/train.en multi30k/train.de --pairs

The encoding of pairs in parallel is compared with encoding each sentence in one thread, in
alternating rounds. The first step is measured in new processes, first without and then with ids
in files.
"""

import itertools
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from contest import summary

from keras_transformer import phrasebook
from keras_transformer.commands import command_line, entry_point
from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    from keras_transformer.config import Config
    from keras_transformer.runs.run import Run
    from keras_transformer.text.batches import make_batches
    from keras_transformer.text.corpus import open_pairs
    from keras_transformer.text.encoded_pairs import EncodedPairs
    from keras_transformer.text.encoding import Encoding
    from keras_transformer.text.pairs import Pair

LIMITS = 41, 42
VOCABULARY_PAIRS = 50_000
FIRST_STEP = Path(__file__).with_name("first_step.py")


def main() -> int:
    parser = command_line.Parser(description=__doc__)
    add = parser.add_argument
    add("--train", nargs="+", default=(), metavar="FILE", help="as in train.py; made up by default")
    add("--pairs", nargs="*", type=int, default=(100_000, 1_000_000), help="sizes of made-up files")
    add("--encoded", type=int, default=50_000, help="pairs encoded in a round (default 50000)")
    add("--rounds", type=int, default=5, help="rounds (default 5)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        pairs = list(itertools.islice(corpus(arguments.train), arguments.encoded))
        encoding = train_encoding(directory / "vocabulary", pairs)
        compare_encoding(encoding, pairs, arguments.rounds)
        measure_epoch(encoding, pairs, arguments.rounds)
        for size in arguments.pairs:
            measure_first_steps(directory, size)
    return 0


def corpus(train: Sequence[str]) -> Iterable[Pair]:
    """Return the pairs of files, or made-up pairs."""
    return open_pairs(train, "en", "de") if train else made_up_pairs()


def made_up_pairs() -> Iterator[Pair]:
    """Yield pairs of the built-in corpus indefinitely, with numbers that make them distinct."""
    pairs = phrasebook.pairs("train")
    for number in itertools.count():
        for source, target in pairs:
            yield f"{source} {number}", f"{target} {number}"


def train_encoding(directory: Path, pairs: Sequence[Pair]) -> Encoding:
    """Return an encoding with the subwords of some pairs."""
    run = Run.create(directory, Config().with_settings({"vocab_size": 8000}).resolved())
    run.make_subwords(pairs[:VOCABULARY_PAIRS])
    return Encoding(*run.subwords(), *LIMITS)


def compare_encoding(encoding: Encoding, pairs: Sequence[Pair], rounds: int) -> None:
    """Print the rates of encoding in parallel and one sentence at a time."""

    def one_at_a_time() -> None:
        for source, target in pairs:
            encoding.source_subwords.encode(source)
            encoding.target_subwords.encode(target)

    def in_parallel() -> None:
        for _ in encoding.encode_all(pairs):
            pass

    times = [(seconds(one_at_a_time), seconds(in_parallel)) for _ in range(rounds)]
    single, parallel = (len(pairs) / statistics.median(each) for each in zip(*times, strict=True))
    ratios = summary([one / many for one, many in times])
    print(f"encoding: {parallel:,.0f} pairs/s, one at a time {single:,.0f}; ratio {ratios}")


def measure_epoch(encoding: Encoding, pairs: Sequence[Pair], rounds: int) -> None:
    """Print the time of an epoch of bucketed batches of ids that are encoded already."""
    encoded = EncodedPairs(pairs, encoding)
    encoded.survey()

    def epoch() -> None:
        for _ in make_batches(encoded, "bucketed", 64, 100_000, seed=1):
            pass

    median = statistics.median(seconds(epoch) for _ in range(rounds))
    print(f"batches of an epoch of {len(pairs):,} pairs: {median:.2f} s")


def seconds(work: Callable[[], None]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def measure_first_steps(directory: Path, size: int) -> None:
    """Print the time to the first step, and the memory, without and with cached ids."""
    file = directory / f"{size}.tsv"
    with file.open("w", encoding="utf-8") as lines:
        lines.writelines(f"{s}\t{t}\n" for s, t in itertools.islice(made_up_pairs(), size))
    run = Run.create(
        directory / str(size),
        Config().with_settings({"train": (str(file),), "vocab_size": 8000}).resolved(),
    )
    for side in ("source.model", "target.model"):
        (run.directory / side).write_bytes((directory / "vocabulary" / side).read_bytes())
    for state in ("new", "cached"):
        command = [sys.executable, str(FIRST_STEP), str(run.directory)]
        output = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
        figures = json.loads(output.splitlines()[-1])
        print(
            f"{size:,} pairs, {state} ids: first batch after {figures['first_batch']:.1f} s, first "
            f"step after {figures['first_step']:.1f} s; memory {figures['peak']:,.0f} MiB, after "
            f"the imports {figures['imported']:,.0f} MiB"
        )


if __name__ == "__main__":
    entry_point.run(main)
