"""Measure how many invented names, numbers, dates, prices and codes a run copies.

    python benchmarks/copying.py --checkpoint checkpoints/phrasebook-en-de
    python benchmarks/copying.py --sentences benchmarks/copying_2.tsv

copying.tsv and copying_2.tsv each contain 500 everyday sentences, written independently of the
corpus and of each other, with the string that the German translation must contain. The script
prints the fraction of correct translations, by the network alone and by `translate.py`.
"""

import argparse
from pathlib import Path

from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    from keras_transformer.runs.run import Run
    from keras_transformer.text.lines import read_lines
    from keras_transformer.threads import one_thread_per_operation
    from keras_transformer.translation.line_translator import LineTranslator
    from keras_transformer.translation.reranking import Reranker, reranked
    from keras_transformer.translation.run_copier import run_copier
    from keras_transformer.translation.translator import Translator

# The kinds of lines and their numbers, in the order of the files.
KINDS = {
    "names of people": 100,
    "other names": 50,
    "numbers": 100,
    "dates": 75,
    "prices and times": 100,
    "codes": 75,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checkpoint", default="checkpoints/phrasebook-en-de")
    own = Path(__file__).with_suffix(".tsv")
    parser.add_argument("--sentences", type=Path, default=own, metavar="FILE")
    parser.add_argument("--wrong", action="store_true", help="print the wrong translations")
    arguments = parser.parse_args()
    one_thread_per_operation()
    rows = [line.split("\t") for line in read_lines(arguments.sentences)]
    run = Run.open(arguments.checkpoint)
    translator = Translator.of(run)
    sources = [source for source, _ in rows]
    found = [best.text for best, *_ in translator.translate(sources)]
    both = reranked(translator, Reranker.of(run, translator))
    lines = LineTranslator(both, copier=run_copier(run)).translate(sources)
    repaired = [line.translations()[0].text for line in lines]
    kinds = [kind for kind, count in KINDS.items() for _ in range(count)]
    for kind in (*KINDS, None):
        chosen = [i for i, each in enumerate(kinds) if kind in (each, None)]
        alone, all_parts = (
            sum(rows[i][1] in texts[i] for i in chosen) / len(chosen) for texts in (found, repaired)
        )
        print(
            f"{kind or 'all':17} {len(chosen):4} network {alone:.1%}, translate.py {all_parts:.1%}"
        )
    for (source, value), text in zip(rows, repaired, strict=True):
        if arguments.wrong and value not in text:
            print(f"{source} | {text}")


if __name__ == "__main__":
    main()
