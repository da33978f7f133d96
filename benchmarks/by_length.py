"""Measure how well a run translates what users might type, by the length of the sentence.

    python benchmarks/by_length.py
    python benchmarks/by_length.py --translations translated.txt

benchmarks/user_sentences.tsv contains English sentences with two German references each. Language
models that had not seen the built-in corpus wrote them. Sentences that are training pairs of the
built-in corpus are not counted. With --translations, a file with a translation per sentence is
scored instead of a run.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    import sacrebleu

    from keras_transformer import phrasebook
    from keras_transformer.phrasebook.variants import plain
    from keras_transformer.text.lines import read_lines
    from keras_transformer.threads import one_thread_per_operation
    from keras_transformer.translation.line_translator import LineTranslator

SENTENCES = Path(__file__).with_name("user_sentences.tsv")
LENGTHS = {"up to 5 words": range(1, 6), "6 to 9": range(6, 10), "10 and more": range(10, 100)}


class Scored(NamedTuple):
    """A sentence, its references and its translation."""

    source: str
    references: Sequence[str]
    translation: str


def read_sentences(path: Path) -> list[tuple[str, list[str]]]:
    """Return the (sentence, references) of a file with a sentence and its references per line."""
    rows = (line.split("\t") for line in read_lines(path))
    return [(source, references) for source, *references in rows]


def translated(sources: list[str], checkpoint: str) -> list[str]:
    """Return the translations of `translate.py`."""
    one_thread_per_operation()
    lines = LineTranslator.load(checkpoint).translate(sources)
    return [line.translations()[0].text for line in lines]


def untrained(scored: Sequence[Scored]) -> list[Scored]:
    """Return the sentences that the built-in corpus does not contain, in the form of `plain`."""
    known = {plain(source) for source, _ in phrasebook.pairs("train")}
    return [each for each in scored if plain(each.source) not in known]


def scores(scored: Sequence[Scored]) -> tuple[float, float]:
    """Return BLEU and chrF, each with all references."""
    translations = [each.translation for each in scored]
    references = [list(column) for column in zip(*(e.references for e in scored), strict=True)]
    bleu = sacrebleu.corpus_bleu(translations, references)
    return bleu.score, sacrebleu.corpus_chrf(translations, references).score


def print_table(scored: Sequence[Scored]) -> None:
    """Print the scores of the sentences of each length, and of all."""
    print("length         sentences   BLEU   chrF")
    for name, lengths in {**LENGTHS, "all": range(1, 100)}.items():
        chosen = [each for each in scored if len(each.source.split()) in lengths]
        print("{:13} {:10} {:6.1f} {:6.1f}".format(name, len(chosen), *scores(chosen)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checkpoint", default="checkpoints/phrasebook-en-de")
    parser.add_argument("--translations", metavar="FILE", help="score this file instead of a run")
    arguments = parser.parse_args()
    sentences = read_sentences(SENTENCES)
    sources = [source for source, _ in sentences]
    file = arguments.translations
    found = read_lines(file) if file else translated(sources, arguments.checkpoint)
    pairs = zip(sentences, found, strict=True)
    scored = untrained([Scored(*sentence, text) for sentence, text in pairs])
    print(f"{len(sources) - len(scored)} of {len(sources)} sentences are training pairs")
    print_table(scored)


if __name__ == "__main__":
    main()
