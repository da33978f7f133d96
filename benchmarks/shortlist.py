"""Measure the BLEU with shortlists of different sizes on the validation pairs of a run.

    python benchmarks/shortlist.py --checkpoint checkpoints/multi30k

For each number of target subwords per source subword, the script prints the size of the shortlists
of batches and of single sentences, the BLEU of greedy search and of beam search, and how many
translations are those of the whole vocabulary.
"""

import argparse
import statistics
from collections.abc import Sequence
from dataclasses import replace

from prepared import open_corpus_of

from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    from keras_transformer.runs.layout import TRAINING_IDS
    from keras_transformer.runs.run import Run
    from keras_transformer.search.settings import SearchSettings
    from keras_transformer.text.id_file import load_any
    from keras_transformer.threads import one_thread_per_operation
    from keras_transformer.translation.batch_search import BatchSearch
    from keras_transformer.translation.bleu import bleu, bleu_counts, bleu_tokenizer
    from keras_transformer.translation.shortlist import Shortlist
    from keras_transformer.translation.translator import Translator

BATCH = 64
NUMBERS = 50, 30, 20, 10  # of target subwords per source subword


def sizes(shortlist: Shortlist, sources: Sequence[list[int]]) -> str:
    """Return the mean sizes of the shortlists of batches, sorted by length, and of each source."""
    order = sorted(sources, key=len)
    batches = [order[i : i + BATCH] for i in range(0, len(order), BATCH)]
    means = [
        statistics.mean(len(shortlist.ids(each)) for each in parts)
        for parts in (batches, [[source] for source in sources])
    ]
    return f"{means[0]:,.0f} of a batch, {means[1]:,.0f} of a sentence"


def report(
    translator: Translator,
    shortlist: Shortlist | None,
    sides: tuple[Sequence[str], Sequence[str]],
    whole: Sequence[Sequence[str]],
    tokenize: str,
) -> list[list[str]]:
    """Print the BLEU of each search with a shortlist; return the translations."""
    network = translator.batch_search.network_search
    translator.batch_search = BatchSearch(network, translator.max_source_length, shortlist)
    beam = replace(SearchSettings(), beam_size=5, length_penalty=translator.search.length_penalty)
    searches = {"greedy": beam.greedy(), "beam 5": beam}
    sources, references = sides
    found = []
    for i, (name, settings) in enumerate(searches.items()):
        texts = [each[0].text for each in translator.translate(sources, settings)]
        same = sum(map(str.__eq__, texts, whole[i])) if whole else len(texts)
        score = bleu(bleu_counts(texts, references, tokenize))
        print(f"  {name}: BLEU {score:.2f}, {same:,} of {len(texts):,} translations are the same")
        found.append(texts)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checkpoint", default="checkpoints/phrasebook-en-de")
    checkpoint = parser.parse_args().checkpoint
    one_thread_per_operation()
    run = Run.open(checkpoint)
    translator = Translator.of(run)
    subwords = translator.source_subwords, translator.target_subwords
    sides = tuple(zip(*open_corpus_of(run).validation, strict=True))
    ids = [subwords[0].encode(source) for source in sides[0]]
    rows = load_any(run.directory / TRAINING_IDS).rows
    tokenize = bleu_tokenizer(run.config.text.target_lang)
    print("the whole vocabulary")
    whole = report(translator, None, sides, (), tokenize)
    for number in NUMBERS:
        shortlist = Shortlist.learn(rows, *subwords, number)
        print(f"{number} per source subword: {sizes(shortlist, ids)}")
        report(translator, shortlist, sides, whole, tokenize)


if __name__ == "__main__":
    main()
