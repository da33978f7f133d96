"""Measure what fine-tuning gains on new pairs, and loses on old ones.

    python benchmarks/fine_tuning.py --start-from checkpoints/multi30k-default --pairs deu.tsv \
        --old-test multi30k/test_2016_flickr.en multi30k/test_2016_flickr.de

Of the new pairs, 2,000 are for training, 500 for validation and 1,000 for the test, with different
sources. The script fine-tunes with the default settings, and prints the time and the BLEU of the
new and the old test pairs before and after, with reranking.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    from keras_transformer.runs.run import Run
    from keras_transformer.text.pair_files import open_files
    from keras_transformer.text.pairs import Pair
    from keras_transformer.training.session import train
    from keras_transformer.translation.evaluation import score_text
    from keras_transformer.translation.reranking import Reranker, reranked
    from keras_transformer.translation.translator import Translator

PARTS = {"train": 2000, "validation": 500, "test": 1000}


def split(names: Sequence[str]) -> dict[str, list[Pair]]:
    """Return random pairs for each part. Of pairs with the same source, the first is used."""
    firsts: dict[str, str] = {}
    for source, target in open_files(names):
        firsts.setdefault(source, target)
    pairs = sorted(firsts.items())
    random.Random(7).shuffle(pairs)
    rest = iter(pairs)
    return {part: [next(rest) for _ in range(count)] for part, count in PARTS.items()}


def bleu(directory: Path | str, pairs: Sequence[Pair]) -> float:
    """Return the BLEU of reranked translations."""
    sources, references = map(list, zip(*pairs, strict=True))
    run = Run.open(directory)
    translator = Translator.of(run)
    both = reranked(translator, Reranker.of(run, translator))
    return score_text([best.text for best, *_ in both.translate(sources)], references).bleu


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--start-from", required=True, metavar="RUN")
    parser.add_argument("--pairs", required=True, nargs="+", metavar="FILE")
    parser.add_argument("--old-test", required=True, nargs="+", metavar="FILE")
    arguments = parser.parse_args()
    parts = split(arguments.pairs)
    tests = {"new": parts["test"], "old": list(open_files(arguments.old_test))}
    with tempfile.TemporaryDirectory() as folder:
        files = {part: Path(folder) / f"{part}.tsv" for part in ("train", "validation")}
        for part, path in files.items():
            path.write_text("".join(f"{a}\t{b}\n" for a, b in parts[part]), encoding="utf-8")
        names = {part: (str(path),) for part, path in files.items()}
        begin = time.perf_counter()
        tuned = train({"start_from": arguments.start_from} | names, Path(folder) / "tuned")
        print(f"fine-tuning took {time.perf_counter() - begin:.0f} s")
        for name, pairs in tests.items():
            before, after = (bleu(each, pairs) for each in (arguments.start_from, tuned.directory))
            print(f"{name} test pairs: BLEU {before:.2f} before, {after:.2f} after")


if __name__ == "__main__":
    main()
