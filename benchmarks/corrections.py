"""Count the correct translations that the correction of values changes.

    python benchmarks/corrections.py --pairs multi30k/train.en multi30k/train.de

The script takes pairs of a corpus whose source has a digit, and corrects the target as if a
network had produced it. All words of the corpus are known. As people translated the sentences, each
change is either an error of the correction or a value that the translator changed. Both directions
are counted.
"""

import argparse
from collections.abc import Iterator, Sequence

from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    from keras_transformer.corrections.copying import Copier
    from keras_transformer.corrections.formats import formats
    from keras_transformer.text.pair_files import open_files
    from keras_transformer.text.words import count_words

DIRECTIONS = ("en", "de"), ("de", "en")


def changes(pairs: Sequence[tuple[str, str]], copier: Copier) -> Iterator[tuple[str, str, str]]:
    """Yield the source, the target and the corrected target of each pair that is changed."""
    for source, target in pairs:
        corrected = copier.restored(source, source, target, {})
        if corrected != target:
            yield source, target, corrected


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--pairs", nargs="+", required=True, help="English-German pairs, as for train.py"
    )
    parser.add_argument("--changes", action="store_true", help="print the changed translations")
    arguments = parser.parse_args()
    corpus = list(open_files(arguments.pairs))
    for source_lang, target_lang in DIRECTIONS:
        pairs = corpus if source_lang == "en" else [(de, en) for en, de in corpus]
        counts = map(count_words, zip(*pairs, strict=True))
        pairs = [pair for pair in pairs if any(map(str.isdigit, pair[0]))]
        languages = formats(source_lang, target_lang)
        copier = Copier(*counts, languages, target_lang, source_lang=source_lang)
        found = list(changes(pairs, copier))
        print(f"{source_lang}-{target_lang}: {len(found)} of {len(pairs)}")
        if arguments.changes:
            print("\n".join(map(" | ".join, found)))


if __name__ == "__main__":
    main()
