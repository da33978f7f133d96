"""Translating speed of a trained run: sentences a second once warm, and the time to the first.

Rounds of greedy search and beam search alternate.
"""

import statistics
import subprocess
import sys
import time
from pathlib import Path

from keras_transformer import command_line

with command_line.quiet_start():
    from keras_transformer.checkpoints import newest_run
    from keras_transformer.text.lines import read_lines
    from keras_transformer.translation.translator import Translator

TRANSLATE = Path(__file__).parents[1] / "translate.py"


def main():
    parser = command_line.Parser(description=__doc__)
    parser.add_argument("--checkpoint", metavar="DIR", help="run directory (default: the newest)")
    parser.add_argument("--input", metavar="FILE", required=True, help="sentences to translate")
    parser.add_argument("--beam-size", type=int, default=4, help="of the beam search (default 4)")
    parser.add_argument("--batch-size", type=int, default=64, help="sentences (default 64)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds (default 5)")
    arguments = parser.parse_args()
    directory = arguments.checkpoint or newest_run()
    sentences = list(read_lines(arguments.input))
    speeds = measure(Translator.load(directory), sentences, arguments)
    for beam_size, rounds in speeds.items():
        print(f"beam size {beam_size}: {statistics.median(rounds):,.0f} sentences/s")
    starts = [seconds_to_first(directory, sentences[0]) for _ in range(3)]
    print(f"start to first translation: {statistics.median(starts):.1f} s")
    return 0


def measure(translator, sentences, arguments):
    """{beam size: sentences a second in each round}; a round before them is not counted."""
    speeds = {1: [], arguments.beam_size: []}
    for number in range(arguments.rounds + 1):
        for beam_size, rounds in speeds.items():
            begin = time.perf_counter()
            translator.translate(sentences, beam_size=beam_size, batch_size=arguments.batch_size)
            if number:
                rounds.append(len(sentences) / (time.perf_counter() - begin))
    return speeds


def seconds_to_first(directory, sentence):
    begin = time.perf_counter()
    command = [sys.executable, str(TRANSLATE), "--checkpoint", str(directory), sentence]
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - begin


if __name__ == "__main__":
    command_line.run(main)
