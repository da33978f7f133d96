"""The error rate of word alignments from the cross-attention of each layer and head.

Usage: python benchmarks/alignments.py --checkpoint checkpoints/phrasebook-en-de

The true alignments are those of sentences that the grammar of the built-in corpus generates, but
not for training. The network reads the reference translations (forced decoding). One set of pairs
serves to select a layer and head. The error rates to report are those of another, disjoint set.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TypeAlias

from keras_transformer.commands import command_line, entry_point, run_flag
from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    from keras_transformer.inspection.alignments.errors import (
        Errors,
        Link,
        Reference,
        diagonal,
        errors,
        transposed,
    )
    from keras_transformer.inspection.alignments.forced_attention import BatchedAttention
    from keras_transformer.inspection.alignments.grammar.truth import aligned_sentences
    from keras_transformer.inspection.alignments.links import (
        READING,
        WRITING,
        balanced,
        between_words,
        head_weights,
        strongest_links,
    )
    from keras_transformer.phrasebook.corpus import GRAMMAR_PAIRS, grammar_pairs
    from keras_transformer.runs.run import Run
    from keras_transformer.text.words import tokens
    from keras_transformer.translation.lexicon import Lexicon
    from keras_transformer.translation.translation import Translation
    from keras_transformer.translation.translator import Translator

SEED = 1_000_001  # of the sentences; no epoch has this number
PARTS = ("selection", "test")
WAYS = ("default", "not balanced", "reading step")
Pair: TypeAlias = tuple[str, str, Reference]
Aligner: TypeAlias = Callable[[int], Sequence[Link]]


class Part:
    """A set of sentence pairs, with the attention between their words.

    Args:
        translator: the translator of the run.
        pairs: the pairs.
    """

    def __init__(self, translator: Translator, pairs: Sequence[Pair]) -> None:
        self.pairs = pairs
        sources = [source for source, *_ in self.pairs]
        targets = [Translation(target, 0.0) for _, target, _ in self.pairs]
        found = BatchedAttention(translator)(sources, targets)
        self.words = {
            step: [between_words(each, step) for each in found] for step in (WRITING, READING)
        }

    def scored(self, align: Aligner) -> Errors:
        """Return the errors of an aligner, a function of the number of a pair."""
        found = map(align, range(len(self.pairs)))
        return errors(found, (reference for *_, reference in self.pairs))

    def of_head(self, way: str, layer: int, head: int | None) -> Errors:
        """Return the errors of a layer and head, one of the `WAYS`."""
        step = READING if way == "reading step" else WRITING
        change = (lambda weights: weights) if way == "not balanced" else balanced
        return self.scored(
            lambda i: strongest_links(
                change(head_weights(self.words[step][i].weights, layer, head))
            )
        )

    def of_diagonal(self) -> Errors:
        """Return the errors of the diagonal."""
        return self.scored(lambda i: diagonal(*(len(text.split()) for text in self.pairs[i][:2])))

    def of_lexicon(self, lexicon: Lexicon) -> Errors:
        """Return the errors of links from each source word to the word that explains it best."""
        return self.scored(lambda i: by_lexicon(lexicon, *self.pairs[i][:2]))


def held_out_pairs(source_lang: str, epochs: int) -> Iterator[Pair]:
    """Yield different pairs, from English to German or vice versa, that no epoch contains."""
    trained = {
        pair for epoch in range(epochs) for pair in islice(grammar_pairs(epoch), GRAMMAR_PAIRS)
    }
    for english, german, reference in aligned_sentences(SEED):
        if (english, german) in trained:
            continue
        forward = source_lang == "en"
        yield (english, german, reference) if forward else (german, english, transposed(reference))


def by_lexicon(lexicon: Lexicon, source: str, target: str) -> list[Link]:
    """Return the links between the words of which a lexicon pairs tokens, without punctuation."""
    rows, columns = word_numbers(source), word_numbers(target)
    pairs = zip(tokens(source), rows, lexicon.explanations(source, target), strict=True)
    return [(i, columns[k]) for token, i, k in pairs if k >= 0 and token[0].isalnum()]


def word_numbers(text: str) -> list[int]:
    """Return the number of the word, as white space separates them, of each token of a text."""
    return [number for number, word in enumerate(text.split()) for _ in tokens(word)]


def percent(value: float) -> str:
    """Return a share in percent."""
    return f"{100 * value:.1f}"


def print_heads(parts: dict[str, Part], layers: int, heads: int) -> tuple[int, int | None]:
    """Print the error rates of all heads; return the layer and head that are best on selection."""
    print("| layer | head | selection | test | test, not balanced | test, reading step |")
    print("| --- | --- | --- | --- | --- | --- |")
    rates: dict[tuple[int, int | None], float] = {}
    for layer in range(1, layers + 1):
        for head in (*range(1, heads + 1), None):
            rates[layer, head] = parts["selection"].of_head("default", layer, head).error_rate
            columns = [rates[layer, head]]
            columns += [parts["test"].of_head(way, layer, head).error_rate for way in WAYS]
            print(f"| {layer} | {head or 'mean'} | {' | '.join(map(percent, columns))} |")
    return min(rates, key=lambda key: rates[key])


def print_summary(named: dict[str, Errors]) -> None:
    """Print precision, recall and error rate of several aligners."""
    print("| aligner (test) | precision | recall | error rate |")
    print("| --- | --- | --- | --- |")
    for name, found in named.items():
        print(f"| {name} | {' | '.join(map(percent, found))} |")


def make_parser() -> argparse.ArgumentParser:
    parser = command_line.Parser(description=__doc__)
    add = parser.add_argument
    run_flag.add_checkpoint_flag(add)
    add("--pairs", type=int, default=1000, metavar="N", help="pairs of each set (default 1000)")
    return parser


def main() -> int:
    arguments = make_parser().parse_args()
    run = Run.open(run_flag.chosen_run(arguments.checkpoint))
    translator = Translator.of(run)
    pairs = held_out_pairs(run.config.text.source_lang, run.config.training.epochs)
    parts = {name: Part(translator, list(islice(pairs, arguments.pairs))) for name in PARTS}
    layers = translator.num_layers("cross")
    layer, head = print_heads(parts, layers, run.config.model.num_heads)
    print(f"\nbest on selection: layer {layer}, head {head or 'mean'}\n")
    test = parts["test"]
    found = {
        f"attention, layer {layers}, mean of the heads": test.of_head("default", layers, None),
        f"attention, layer {layer}, head {head or 'mean'}": test.of_head("default", layer, head),
        "diagonal": test.of_diagonal(),
    }
    if lexicon := Lexicon.of(run):
        found["IBM model 1"] = test.of_lexicon(lexicon)
    print_summary(found)
    return 0


if __name__ == "__main__":
    entry_point.run(main)
