"""Send requests to an export for a long time, and check its answers and its memory.

The script exports a run. A C program with the loader of TensorFlow Serving (`soak_saved_model.c`)
answers the requests of several clients in one process. Meanwhile its version is swapped again and
again: the next version is a copy of the first one in a new directory; it is loaded, the clients
switch, and the previous one is closed and deleted. Each answer is compared with that of the run.

A row is printed before each swap. Memory is flat if its median in the last quarter of the rows
exceeds that in the first quarter after the warm-up, which is the first fifth, by less than 2 %. The
exit status is 1 if the memory is not flat, an answer is wrong, or a row has no new answers.
"""

import argparse
import itertools
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from c_program import INSTALLED, SOAK_SOURCE, Installation, Soak, compile_program

from keras_transformer.commands import command_line, entry_point, run_flag
from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    from keras_transformer.export.saved_model import TOLERANCE, Options, export_saved_model
    from keras_transformer.search.settings import SearchSettings
    from keras_transformer.text.lines import read_lines
    from keras_transformer.translation.translation import Translation
    from keras_transformer.translation.translator import Translator

FLAT = 0.02  # relative growth
MAX_REQUEST_SIZE = 8  # sentences


class Row(NamedTuple):
    """Numbers of answers and of wrong answers since the start, and bytes of memory."""

    answers: int
    wrong: int
    memory: int


def main() -> int:
    arguments = make_parser().parse_args()
    checkpoint = run_flag.chosen_run(arguments.checkpoint)
    sentences = list(itertools.islice(read_lines(arguments.input), arguments.sentences))
    with tempfile.TemporaryDirectory() as directory:
        home = Path(directory)
        report = export_saved_model(checkpoint, home / "model", Options(xla=arguments.xla))
        (home / "requests").write_text("".join(requests(checkpoint, sentences)), encoding="utf-8")
        installation = Installation(Path(arguments.tensorflow or INSTALLED.directory))
        program = compile_program(home, SOAK_SOURCE, installation)
        settings = arguments.clients, home / "requests", installation
        with Soak(program, report.directory, *settings) as soak:
            found = list(rows(soak, report.directory, 60 * arguments.minutes, arguments.swap_every))
    return verdict(found)


def make_parser() -> argparse.ArgumentParser:
    parser = command_line.Parser(description=__doc__)
    add = parser.add_argument
    run_flag.add_checkpoint_flag(add)
    add("--input", metavar="FILE", required=True, help="sentences to translate")
    add("--sentences", type=int, default=400, help="of them, the first ones (default 400)")
    add("--xla", action="store_true", help="export with --xla")
    add("--clients", type=int, default=8, help="clients (default 8)")
    add("--minutes", type=float, default=30, help="duration (default 30)")
    add("--swap-every", type=float, default=60, help="seconds between two swaps (default 60)")
    text = "directory of the packages tensorflow and tensorflow-text of another release"
    add("--tensorflow", metavar="DIR", help=text)
    return parser


def requests(checkpoint: str | Path, sentences: Sequence[str]) -> Iterator[str]:
    """Yield requests of 1 to 8 sentences and the answers of the run, as the program reads them.

    Sentences whose best two translations have nearly equal scores are left out, because rounding
    decides between them.
    """
    found = Translator.load(checkpoint).translate(sentences, SearchSettings(n_best=2))
    clear = [
        (sentence, best)
        for sentence, (best, *others) in zip(sentences, found, strict=True)
        if all(best.score - other.score > 2 * TOLERANCE for other in others)
    ]
    sizes = itertools.cycle(range(1, MAX_REQUEST_SIZE + 1))
    while clear:
        size = next(sizes)
        yield request(clear[:size])
        clear = clear[size:]


def request(pairs: Iterable[tuple[str, Translation]]) -> str:
    """Return the lines of a request: sentences, scores and translations."""
    columns = ((text, f"{best.score:.6f}", best.text) for text, best in pairs)
    return "".join("\t".join(column) + "\n" for column in zip(*columns, strict=True))


def rows(soak: Soak, version: Path, seconds: float, interval: float) -> Iterator[Row]:
    """Swap versions at intervals; yield and print a row before each swap."""
    soak.send(version)
    print("minute  swaps  answers  wrong  memory in MB", flush=True)
    begin = time.monotonic()
    for swaps in range(max(1, round(seconds / interval))):
        time.sleep(max(0, begin + (swaps + 1) * interval - time.monotonic()))
        row = Row(*soak.send(), soak.memory())
        minute = (time.monotonic() - begin) / 60
        numbers = f"{swaps:6} {row.answers:8} {row.wrong:6} {row.memory / 1e6:8.1f}"
        print(f"{minute:6.1f} {numbers}", flush=True)
        yield row
        version = swap(soak, version)


def swap(soak: Soak, version: Path) -> Path:
    """Replace a version by a copy with the next number, as a new export would; return the copy."""
    following = version.with_name(str(int(version.name) + 1))
    shutil.copytree(version, following)
    soak.send(following)
    shutil.rmtree(version)
    return following


def verdict(found: Sequence[Row]) -> int:
    """Print the growth of the memory and the result; return the exit status."""
    steady = [row.memory for row in found[len(found) // 5 :]]
    quarter = max(1, len(steady) // 4)
    first, last = (statistics.median(part) for part in (steady[:quarter], steady[-quarter:]))
    growth, wrong, idle = last / first - 1, found[-1].wrong, rows_without_answers(found)
    answers = f"{found[-1].answers:,} answers, {wrong} wrong, none in {idle} of {len(found)} rows"
    print(f"{answers}; memory after the warm-up: {growth:+.2%}")
    return int(wrong > 0 or idle > 0 or growth >= FLAT)


def rows_without_answers(found: Sequence[Row]) -> int:
    """Return how many rows have no more answers than the row before, because the clients hang."""
    counts = [row.answers for row in found]
    return sum(now <= before for before, now in itertools.pairwise([0, *counts]))


if __name__ == "__main__":
    entry_point.run(main)
