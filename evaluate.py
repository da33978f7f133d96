"""Measures a trained run, or an existing translation, on a test set."""

import functools
import json

from keras_transformer.commands import command_line
from keras_transformer.errors import UserError
from keras_transformer.quiet import quiet_stderr
from keras_transformer.search.settings import RERANKED

DESCRIPTION = """\
Translates a test set and reports BLEU and chrF (by sacrebleu, with their signatures), perplexity
and token accuracy against the references, and the speed. With --translations it scores a file.

  python evaluate.py --checkpoint checkpoints/mine --test test.en test.de
  python evaluate.py --checkpoint checkpoints/mine --test test.en test.de --tokenize none --json
  python evaluate.py --test test.en test.de --translations translated.de
"""


def make_parser():
    parser = command_line.Parser(description=DESCRIPTION)
    add = parser.add_argument
    command_line.add_checkpoint_flag(add)
    text = (
        "sentence pairs: one tab-separated file, two parallel files, or tfds:NAME/CONFIG "
        "(default: the test pairs of the corpus that the run was trained on)"
    )
    add("--test", nargs="+", default=(), metavar="FILE", help=text)
    text = "score this file, a translation a line, and translate nothing"
    add("--translations", metavar="FILE", help=text)
    text = "write the translations to this file"
    add("--output", metavar="FILE", help=text)
    add("--json", action="store_true", help="report as one JSON object")
    add_score_flags(parser.add_argument_group("scores").add_argument)
    search = parser.add_argument_group("search").add_argument
    command_line.add_search_flags(search, RERANKED)
    command_line.add_rerank_flag(search)
    command_line.add_batch_flag(search)
    return parser


def add_score_flags(add):
    text = "tokenization for BLEU; none: for text that is tokenized already (default 13a)"
    choices = ("13a", "none", "intl", "char", "zh")
    add("--tokenize", choices=choices, default="13a", help=text)
    add("--lowercase", action="store_true", help="score without regard to case")


def check(arguments):
    """Raises a `UserError` where arguments do not go together."""
    command_line.search_settings(arguments)
    command_line.check_at_least_one(arguments, "batch_size")
    if arguments.translations and arguments.output:
        raise UserError("give --translations or --output, not both")


def test_pairs(arguments, checkpoint):
    """The pairs that the user names, or those of the run's corpus, as a list."""
    from keras_transformer.runs.run import Run
    from keras_transformer.text.corpus import open_pairs, open_test

    if arguments.test and not arguments.test[0].startswith("tfds:"):
        return list(open_pairs(arguments.test, None, None))
    config = Run.open(checkpoint()).config
    languages = config.text.source_lang, config.text.target_lang
    return list(open_test(arguments.test or config.training.train, *languages))


def main():
    arguments = make_parser().parse_args()
    check(arguments)
    with quiet_stderr():
        from keras_transformer.runs.run import Run, chosen_run
        from keras_transformer.text.lines import write_lines
        from keras_transformer.translation import evaluation
        from keras_transformer.translation.parallel import one_thread_per_operation
        from keras_transformer.translation.reranking import Reranker
        from keras_transformer.translation.translator import Translator

    one_thread_per_operation()
    checkpoint = functools.cache(lambda: chosen_run(arguments.checkpoint))  # told once
    pairs = test_pairs(arguments, checkpoint)
    scoring = {"tokenize": arguments.tokenize, "lowercase": arguments.lowercase}
    if arguments.translations:
        report = evaluation.evaluate_file(arguments.translations, pairs, **scoring)
    else:
        translator = Translator.load(checkpoint())
        search = {"search": command_line.search_settings(arguments)}
        search |= {"batch_size": arguments.batch_size}
        reranker = None if arguments.no_rerank else Reranker.of(Run.open(checkpoint()))
        report, translations = evaluation.evaluate(translator, pairs, scoring, reranker, **search)
        if arguments.output:
            write_lines(arguments.output, translations)
    print(json.dumps(report, indent=2) if arguments.json else evaluation.format_report(report))
    return 0


if __name__ == "__main__":
    command_line.run(main)
