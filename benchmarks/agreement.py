"""Compare the translations of an exported CTranslate2 model with those of its run.

The script prints the number of equal lines and the BLEU of both. It searches without a length
penalty, which the two define differently. CTranslate2 is in the extra `ctranslate2`.
"""

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

from keras_transformer.commands import command_line, entry_point, evaluate, run_flag
from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    from keras_transformer.export.ctranslate2_model import export_ctranslate2
    from keras_transformer.search.settings import SearchSettings
    from keras_transformer.text.corpus import open_pairs
    from keras_transformer.translation.evaluation import score_text
    from keras_transformer.translation.translator import Translator


def make_parser() -> argparse.ArgumentParser:
    parser = command_line.Parser(description=__doc__)
    add = parser.add_argument
    run_flag.add_checkpoint_flag(add)
    add("--test", nargs="+", required=True, metavar="FILE", help="sentence pairs: one file, or two")
    add("--beam-size", type=int, default=5, metavar="N", help="hypotheses (default 5)")
    add(
        "--compute-type",
        choices=("float32", "int8"),
        default="float32",
        help="numbers with which CTranslate2 computes (default float32)",
    )
    add(
        "--tokenize",
        choices=evaluate.TOKENIZERS,
        default="13a",
        help="tokenization for BLEU (default 13a)",
    )
    return parser


def main() -> int:
    arguments = make_parser().parse_args()
    checkpoint = run_flag.chosen_run(arguments.checkpoint)
    sources, references = zip(*open_pairs(arguments.test, None, None), strict=True)
    translator = Translator.load(checkpoint)
    found = translator.translate(
        sources, SearchSettings(beam_size=arguments.beam_size, length_penalty=0.0)
    )
    ours = [best.text for best, *_ in found]
    with tempfile.TemporaryDirectory() as directory:
        exported = str(Path(directory) / "ctranslate2")
        export_ctranslate2(checkpoint, exported)
        longest = translator.max_target_length - 1
        theirs = translate_by_ctranslate2(
            exported, sources, arguments.compute_type, arguments.beam_size, longest
        )
    same = sum(our == their for our, their in zip(ours, theirs, strict=True))
    print(f"equal: {same:,} of {len(ours):,} lines")
    for name, translations in (("ours", ours), ("CTranslate2", theirs)):
        scores = score_text(translations, references, arguments.tokenize)
        print(f"{name}: BLEU {scores.bleu:.2f} {scores.bleu_signature}")
    return 0


def translate_by_ctranslate2(
    directory: str, sentences: Sequence[str], compute_type: str, beam_size: int, longest: int
) -> list[str]:
    """Return the translations of an exported model, of at most `longest` subwords."""
    # Imported here: if the extra is missing, the export has already failed with a clear message.
    import ctranslate2
    from translators.with_ctranslate2 import models

    source, target = models(directory)
    results = ctranslate2.Translator(directory, compute_type=compute_type).translate_batch(
        [source.encode(sentence, out_type=str) for sentence in sentences],
        beam_size=beam_size,
        length_penalty=0,
        max_batch_size=64,
        max_decoding_length=longest,
    )
    return [target.decode(result.hypotheses[0]) for result in results]


if __name__ == "__main__":
    entry_point.run(main)
