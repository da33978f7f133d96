"""Count the training sentences of a topic of the built-in corpus that a run translates as written.

    python benchmarks/learned.py
    python benchmarks/learned.py --topic machine_learning --others

A sentence counts if `translate.py` prints its written translation. Some of the others are right,
too. A topic is a file in `keras_transformer/phrasebook/everyday`; `first_sentences` contains what
users are most likely to try first.
"""

import argparse

from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    from keras_transformer.phrasebook.everyday import FIRST, FOLDER, read_pairs
    from keras_transformer.threads import one_thread_per_operation
    from keras_transformer.translation.line_translator import LineTranslator


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checkpoint", default="checkpoints/phrasebook-en-de")
    topics = sorted(path.stem for path in (FOLDER / "everyday").glob("*.tsv"))
    parser.add_argument("--topic", default=FIRST, choices=topics, metavar="NAME")
    text = "print the others: the sentence, its written translation, and that of the run"
    parser.add_argument("--others", action="store_true", help=text)
    arguments = parser.parse_args()
    one_thread_per_operation()
    pairs = read_pairs(FOLDER / "everyday" / f"{arguments.topic}.tsv")
    translator = LineTranslator.load(arguments.checkpoint)
    lines = translator.translate([english for english, _ in pairs])
    found = [line.translations()[0].text for line in lines]
    others = [(each, text) for each, text in zip(pairs, found, strict=True) if text != each[1]]
    print(f"{len(pairs) - len(others):,} of {len(pairs):,}")
    for (english, german), text in others if arguments.others else ():
        print(f"{english} | {german} | {text}")


if __name__ == "__main__":
    main()
