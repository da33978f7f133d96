"""Translation throughput against CTranslate2 and the tutorial's search, with the same weights.

The script measures sentences per second from text to text, after a warm-up: with beam search and
greedily, in batches and one by one. CTranslate2, in the extra `ctranslate2`, takes part with and
without Intel's MKL, which is slow on some processors, and with one thread for single sentences.
With --shortlist, ours and CTranslate2 restrict the search to the run's shortlist; CTranslate2 takes
part without it and with 8-bit integers, too. With --against, another run takes part instead of
other programs.
The script also measures the time from the start of `translate.py` to its first translation.
"""

import argparse
import dataclasses
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from contest import Contestant, compete, ratio
from translators.task import Task

from keras_transformer.commands import command_line, entry_point, run_flag
from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    from keras_transformer.export.ctranslate2_model import export_ctranslate2
    from keras_transformer.runs.run import Run
    from keras_transformer.text.lines import read_lines

HOME = Path(__file__).parents[1]
# The defaults of the flags of keras_transformer.xla, over which these take precedence.
DEFAULTS = "--xla_cpu_enable_concurrency_optimized_scheduler=true --xla_disable_hlo_passes="
XLA_DEFAULTS = {"XLA_FLAGS": DEFAULTS}


def make_parser() -> argparse.ArgumentParser:
    parser = command_line.Parser(description=__doc__)
    add = parser.add_argument
    run_flag.add_checkpoint_flag(add)
    add("--input", metavar="FILE", required=True, help="sentences to translate")
    add(
        "--beam-size",
        type=int,
        default=5,
        metavar="N",
        help="hypotheses of a beam (default 5)",
    )
    add("--batch-size", type=int, default=64, metavar="N", help="sentences in a batch (default 64)")
    text = "sentences translated one by one, spread over the file (default 100)"
    add("--alone", type=int, default=100, metavar="N", help=text)
    add("--shortlist", action="store_true", help="compare the searches with a shortlist")
    add("--against", metavar="DIR", help="compare with this run instead of other programs")
    add("--rounds", type=int, default=5, metavar="N", help="rounds (default 5)")
    return parser


def main() -> int:
    arguments = make_parser().parse_args()
    checkpoint = str(Path(run_flag.chosen_run(arguments.checkpoint)).resolve())
    sentences = list(read_lines(arguments.input))
    few = sentences[:: max(len(sentences) // arguments.alone, 1)][: arguments.alone]
    longest = Run.open(checkpoint).config.text.max_target_length - 1
    with tempfile.TemporaryDirectory() as directory:
        exported = str(Path(directory) / "ctranslate2")
        export_ctranslate2(checkpoint, exported)
        for batch_size, texts in ((arguments.batch_size, sentences), (1, few)):
            for beam_size in (arguments.beam_size, 1):
                task = Task(texts, checkpoint, exported, beam_size, batch_size, longest)
                task = dataclasses.replace(task, shortlist=arguments.shortlist)
                print(f"beam size {beam_size}, batch size {batch_size}:", flush=True)
                compare(task, arguments.rounds, arguments.against)
    starts = [seconds_to_first(checkpoint, sentences[0]) for _ in range(3)]
    print(f"start to first translation: {statistics.median(starts):.1f} s")
    return 0


def compare(task: Task, rounds: int, against: str | None) -> None:
    """Run a task with each contestant, and print their throughput."""
    with tempfile.TemporaryDirectory() as place:
        directory = Path(place)
        if against:
            contestants = runs(task, Path(against).resolve(), directory)
        else:
            contestants = list((restricted if task.shortlist else start)(task, directory))
        compete(contestants, rounds)
    for each in contestants:
        times = ratio(contestants[0], each)
        print(f"  {each.name:28} {each.median:8,.1f} sentences/s; ours: {times}", flush=True)


def runs(task: Task, against: Path, directory: Path) -> list[Contestant]:
    """Return two contestants: the run of a task, and another run."""
    tasks = {"ours": task, against.name: dataclasses.replace(task, checkpoint=str(against))}
    return [
        Contestant(name, "translators.ours", [written(each, directory / f"{number}.json")])
        for number, (name, each) in enumerate(tasks.items())
    ]


def restricted(task: Task, directory: Path) -> Iterator[Contestant]:
    """Yield the contestants with a shortlist, ours first, and both without it."""
    full = dataclasses.replace(task, shortlist=False)
    int8 = dataclasses.replace(task, compute_type="int8")
    for name, each in {"ours": task, "ours without shortlist": full}.items():
        yield Contestant(name, "translators.ours", [written(each, directory / f"{name}.json")])
    if task.batch_size == 1:
        path, environment = written(task, directory / "flags.json"), os.environ | XLA_DEFAULTS
        name = "ours, XLA's default flags"
        yield Contestant(name, "translators.ours", [path], environment=environment)
    others = {"": task, " int8": int8, " without shortlist": full}
    for name, each in others.items():
        path = written(each, directory / f"CTranslate2{name}.json")
        yield Contestant(f"CTranslate2{name}", "translators.with_ctranslate2", [path])
        if task.batch_size == 1:  # on some machines, two threads wait for each other
            title = f"CTranslate2{name}, one thread"
            yield Contestant(title, "translators.with_ctranslate2", [path, 1])


def written(task: Task, path: Path) -> Path:
    """Write a task to a file; return the path of the file."""
    task.write(path)
    return path


def start(task: Task, directory: Path) -> Iterator[Contestant]:
    """Yield the contestants without a shortlist, ours first."""
    path = written(task, directory / "task.json")
    ctranslate2, without_mkl = "translators.with_ctranslate2", os.environ | {"CT2_USE_MKL": "0"}
    yield Contestant("ours", "translators.ours", [path])
    yield Contestant("CTranslate2", ctranslate2, [path])
    yield Contestant("CTranslate2 without MKL", ctranslate2, [path], environment=without_mkl)
    if task.batch_size == 1:
        yield Contestant("CTranslate2, one thread", ctranslate2, [path, 1])
    if task.beam_size == task.batch_size == 1:
        yield Contestant("the tutorial", "translators.tutorial", [path])


def seconds_to_first(directory: str, sentence: str) -> float:
    """Return the seconds from the start of `translate.py` to its first translation."""
    begin = time.perf_counter()
    command = [sys.executable, HOME / "translate.py", "--checkpoint", directory, sentence]
    subprocess.run(list(map(str, command)), check=True, capture_output=True)
    return time.perf_counter() - begin


if __name__ == "__main__":
    entry_point.run(main)
