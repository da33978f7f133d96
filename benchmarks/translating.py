"""Translating speed against CTranslate2 and the tutorial's way, with the same weights.

Sentences a second from text to text, once warm: with a beam and greedily, in batches and one by
one. CTranslate2, which is in the extra `ctranslate2`, takes part twice: as it is, and without
Intel's MKL, which is slow on some processors; for single sentences also with one thread. Also the
time from the start of `translate.py` to its first translation.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from contest import Contestant, compete, ratio
from translators.task import Task

from keras_transformer.commands import command_line
from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    from keras_transformer.export.ctranslate2_model import export_ctranslate2
    from keras_transformer.runs.run import Run, newest_run
    from keras_transformer.text.lines import read_lines

HERE = Path(__file__).parent
TRANSLATORS = HERE / "translators"


def make_parser():
    parser = command_line.Parser(description=__doc__)
    add = parser.add_argument
    add("--checkpoint", metavar="DIR", help="run directory (default: the newest)")
    add("--input", metavar="FILE", required=True, help="sentences to translate")
    add("--beam-size", type=int, default=5, metavar="N", help="of the beam search (default 5)")
    add("--batch-size", type=int, default=64, metavar="N", help="of the batches (default 64)")
    text = "sentences that are translated one by one, spread over the file (default 100)"
    add("--alone", type=int, default=100, metavar="N", help=text)
    add("--rounds", type=int, default=5, metavar="N", help="rounds (default 5)")
    return parser


def main():
    arguments = make_parser().parse_args()
    checkpoint = str(arguments.checkpoint or newest_run())
    sentences = list(read_lines(arguments.input))
    few = sentences[:: max(len(sentences) // arguments.alone, 1)][: arguments.alone]
    longest = Run.open(checkpoint).config.text.max_target_length - 1
    with tempfile.TemporaryDirectory() as directory:
        exported = str(Path(directory) / "ctranslate2")
        export_ctranslate2(checkpoint, exported)
        for batch_size, texts in ((arguments.batch_size, sentences), (1, few)):
            for beam_size in (arguments.beam_size, 1):
                task = Task(texts, checkpoint, exported, beam_size, batch_size, longest)
                print(f"beam size {beam_size}, batch size {batch_size}:", flush=True)
                compare(task, arguments.rounds)
    starts = [seconds_to_first(checkpoint, sentences[0]) for _ in range(3)]
    print(f"start to first translation: {statistics.median(starts):.1f} s")
    return 0


def compare(task, rounds):
    """Lets the contestants do one task, and tells how fast each was."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "task.json"
        task.write(path)
        contestants = list(start(task, path))
        compete(contestants, rounds)
    for each in contestants:
        times = ratio(contestants[0], each)
        print(f"  {each.name:28} {each.median:8,.1f} sentences/s; ours: {times:.2f}", flush=True)


def start(task, path):
    """Yields the contestants, ours first."""

    def contestant(name, program, *arguments, **environment):
        command = [sys.executable, TRANSLATORS / program, path, *arguments]
        return Contestant(name, command, os.environ | environment)

    yield contestant("ours", "ours.py")
    yield contestant("CTranslate2", "with_ctranslate2.py")
    yield contestant("CTranslate2 without MKL", "with_ctranslate2.py", CT2_USE_MKL="0")
    if task.batch_size == 1:
        yield contestant("CTranslate2, one thread", "with_ctranslate2.py", 1)
    if task.beam_size == task.batch_size == 1:
        yield contestant("the tutorial's way", "tutorial.py")


def seconds_to_first(directory, sentence):
    begin = time.perf_counter()
    command = [sys.executable, HERE.parent / "translate.py", "--checkpoint", directory, sentence]
    subprocess.run(list(map(str, command)), check=True, capture_output=True)
    return time.perf_counter() - begin


if __name__ == "__main__":
    command_line.run(main)
