"""Measure how well a run translates text the way people type it.

    python benchmarks/typed.py --checkpoint checkpoints/phrasebook-en-de

The script translates variants of the validation pairs of the built-in corpus like `translate.py`,
and scores them with BLEU: in lower case, in capitals (scored without case), without the final
punctuation mark (on both sides), with typographic apostrophes, after a tab or a no-break space, and
with two sentences per line.
"""

import argparse
from collections.abc import Iterator, Sequence

from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    import sacrebleu

    from keras_transformer import phrasebook
    from keras_transformer.runs.run import Run
    from keras_transformer.translation.copying import Copier
    from keras_transformer.translation.line_translator import LineTranslator
    from keras_transformer.translation.parallel import one_thread_per_operation
    from keras_transformer.translation.reranking import Reranker, reranked
    from keras_transformer.translation.translator import Translator

MARKS = ".?!"

Side = Sequence[str]  # the sources or the references of sentence pairs


def variants(pairs: Sequence[tuple[str, str]]) -> dict[str, tuple[Side, Side, bool]]:
    """Return {name: (sources, references, whether BLEU is case-sensitive)}."""
    sources, references = zip(*pairs, strict=True)
    bare = [[text.rstrip(MARKS) for text in side] for side in (sources, references)]

    def halves(side: Side) -> Iterator[tuple[str, str]]:
        return zip(side[::2], side[1::2], strict=False)

    doubled = [[" ".join(two) for two in halves(side)] for side in (sources, references)]
    return {
        "plain": (sources, references, True),
        "lower case": ([text.lower() for text in sources], references, True),
        "capitals": ([text.upper() for text in sources], references, False),
        "plain, scored without case": (sources, references, False),
        "no final mark": (*bare, True),
        "typographic apostrophes": (
            [text.replace("'", "\u2019") for text in sources],
            references,
            True,
        ),
        "tab before": ([f"\t{text}" for text in sources], references, True),
        "no-break space before": ([f"\u00a0{text}" for text in sources], references, True),
        "two sentences per line": (*doubled, True),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checkpoint", default="checkpoints/phrasebook-en-de")
    parser.add_argument("--split", choices=("validation", "test"), default="validation")
    arguments = parser.parse_args()
    one_thread_per_operation()
    run = Run.open(arguments.checkpoint)
    network = Translator.load(arguments.checkpoint)
    translator = reranked(network, Reranker.of(run, network))
    translator = LineTranslator(translator, copier=Copier.of(run))
    for name, (sources, references, cased) in variants(phrasebook.pairs(arguments.split)).items():
        found = [line.translations()[0].text for line in translator.translate(list(sources))]
        bleu = sacrebleu.corpus_bleu(found, [list(references)], lowercase=not cased).score
        print(f"{name:28} BLEU {bleu:6.2f}")


if __name__ == "__main__":
    main()
