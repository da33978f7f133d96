"""Measure how well a run translates text the way people type it.

    python benchmarks/typed.py --checkpoint checkpoints/phrasebook-en-de
    python benchmarks/typed.py --checkpoint checkpoints/multi30k --pair test.en test.de
    python benchmarks/typed.py --checkpoint checkpoints/multi30k --pair test.en test.de --alone

The script translates variants of sentence pairs like `translate.py`: the validation pairs of the
built-in corpus, or parallel files. It scores them with BLEU: in lower case and in capitals (scored
without case), without the final punctuation mark (on both sides), with typographic apostrophes,
after a tab or a no-break space, and with two sentences per line. The share is that of the BLEU of
the plain pairs, scored in the same way. With --alone, the lines go to the network as they are
typed, as in an export that other programs call.
"""

import argparse
from collections.abc import Callable, Sequence
from typing import NamedTuple

from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    import sacrebleu

    from keras_transformer import phrasebook
    from keras_transformer.text.lines import read_lines
    from keras_transformer.threads import one_thread_per_operation
    from keras_transformer.translation.line_translator import LineTranslator
    from keras_transformer.translation.translator import Translator

MARKS = ".?!"

Side = Sequence[str]  # the sources, the references or the translations of sentence pairs


class Variant(NamedTuple):
    """A way to type sentence pairs.

    Attributes:
        typed: returns the sources or the references as they are typed.
        cased: whether BLEU distinguishes capitals.
        scored: returns the references as the plain translations are compared with them, so that the
            BLEU of the variant and that of the plain translations are scored in the same way.
    """

    typed: Callable[[Side], list[str]]
    cased: bool = True
    scored: Callable[[Side], list[str]] = list


def each(change: Callable[[str], str]) -> Callable[[Side], list[str]]:
    """Return a function that changes each string of a list."""
    return lambda side: [change(text) for text in side]


def bare(text: str) -> str:
    """Return a text without final punctuation marks."""
    return text.rstrip().rstrip(MARKS).rstrip()


def doubled(side: Side) -> list[str]:
    """Return the texts joined two by two."""
    return [" ".join(side[i : i + 2]) for i in range(0, len(side), 2)]


VARIANTS = {
    "plain": Variant(list),
    "lower case": Variant(each(str.lower), cased=False),
    "capitals": Variant(each(str.upper), cased=False),
    "no final mark": Variant(each(bare), scored=each(bare)),
    "typographic apostrophes": Variant(each(lambda text: text.replace("'", "\u2019"))),
    "tab before": Variant(each(lambda text: f"\t{text}")),
    "no-break space before": Variant(each(lambda text: f"\u00a0{text}")),
    "two sentences per line": Variant(doubled, scored=doubled),
}


def bleu(found: Side, references: Side, cased: bool) -> float:
    """Return the BLEU of translations."""
    return sacrebleu.corpus_bleu(found, [references], lowercase=not cased).score


def report(pairs: Sequence[tuple[str, str]], translate: Callable[[Side], list[str]]) -> None:
    """Print the BLEU of each variant, and its share of that of the plain pairs."""
    sources, references = (list(side) for side in zip(*pairs, strict=True))
    plain = translate(sources)
    for name, variant in VARIANTS.items():
        typed, wanted = variant.typed(sources), variant.scored(references)
        found = plain if typed == sources else translate(typed)
        whole = bleu(variant.scored(plain), wanted, variant.cased)
        score = bleu(found, wanted, variant.cased)
        print(f"{name:24} BLEU {score:6.2f} plain {whole:6.2f} share {score / whole:7.1%}")


def by_lines(checkpoint: str) -> Callable[[Side], list[str]]:
    """Return a function that translates lines like `translate.py`."""
    translator = LineTranslator.load(checkpoint)
    return lambda lines: [line.translations()[0].text for line in translator.translate(lines)]


def by_network(checkpoint: str) -> Callable[[Side], list[str]]:
    """Return a function that translates lines by the network alone."""
    translator = Translator.load(checkpoint)
    return lambda lines: [best.text for best, *_ in translator.translate(lines)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checkpoint", default="checkpoints/phrasebook-en-de")
    parser.add_argument("--split", choices=("validation", "test"), default="validation")
    parser.add_argument("--pair", nargs=2, metavar=("SOURCE", "TARGET"), help="parallel files")
    parser.add_argument("--alone", action="store_true", help="measure the network alone")
    arguments = parser.parse_args()
    one_thread_per_operation()
    translate = (by_network if arguments.alone else by_lines)(arguments.checkpoint)
    sides = map(read_lines, arguments.pair or ())
    pairs = list(zip(*sides, strict=True)) or phrasebook.pairs(arguments.split)
    report(pairs, translate)


if __name__ == "__main__":
    main()
