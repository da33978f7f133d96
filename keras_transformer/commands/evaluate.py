"""Evaluate a trained run, or an existing translation, on a test set."""

import argparse
import io
import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, TextIO

from keras_transformer.commands import (
    checks,
    command_line,
    console,
    run_flag,
    search_flags,
    settings_flags,
)
from keras_transformer.commands.advice import advice, advice_on_memory
from keras_transformer.commands.baselines import (
    comparison,
    has_baseline_run,
    translations_of_baseline,
)
from keras_transformer.commands.opened_run import OpenedRun, open_run, opened_once
from keras_transformer.errors import UserError
from keras_transformer.files import check_file
from keras_transformer.memory import keep_freed_memory
from keras_transformer.onednn import disable_onednn
from keras_transformer.quiet import quiet_stderr
from keras_transformer.search.settings import RERANKED

if TYPE_CHECKING:
    from keras_transformer.runs.run import Run

# The tokenizers of sacrebleu that need no additional package and no download.
TOKENIZERS = ("13a", "none", "intl", "char", "zh")
DESCRIPTION = """\
Translates a test set and reports BLEU and chrF (by sacrebleu, with signatures); perplexity, token
accuracy and calibration error on the references; and throughput. With --translations, scores an
existing translation. With --baseline, says whether the difference from another run or translation
is statistically significant.

  %(prog)s --checkpoint checkpoints/mine --test test.en test.de
  %(prog)s --checkpoint checkpoints/mine --test test.en test.de --tokenize none --json
  %(prog)s --test test.en test.de --translations translated.de
  %(prog)s --checkpoint checkpoints/mine --test test.en test.de --baseline checkpoints/other
"""


def make_parser() -> command_line.Parser:
    """Return the parser of the command."""
    parser = command_line.make_parser("evaluate", DESCRIPTION)
    add = parser.add_argument
    run_flag.add_checkpoint_flag(add)
    add_test_flag(add)
    text = "score this file, one translation per line, instead of translating"
    add("--translations", metavar="FILE", help=text)
    text = (
        "compare BLEU and chrF with those of another run, which translates with the same flags, or "
        "of a file of translations, by sacrebleu's paired bootstrap"
    )
    add("--baseline", metavar="DIR|FILE", help=text)
    add("-o", "--output", metavar="FILE", help="write the translations to this file")
    add("--json", action="store_true", help="print the report as a JSON object")
    add_score_flags(parser.add_argument_group("scores").add_argument)
    search = parser.add_argument_group("search").add_argument
    search_flags.add_search_flags(search, RERANKED)
    search_flags.add_rerank_flag(search)
    search_flags.add_shortlist_flag(search)
    search_flags.add_neighbors_flag(search)
    search_flags.add_batch_flag(search)
    parser.set_defaults(batch_size=None)  # tells whether the user gave it
    return parser


def add_test_flag(add: command_line.AddArgument) -> None:
    """Add the flag that names the test set."""
    text = (
        "sentence pairs: one tab-separated file, two parallel files, or tfds:NAME/CONFIG "
        "(default: the test pairs of the corpus that the run was trained on)"
    )
    add("--test", nargs="+", default=(), metavar="FILE", help=text)


def add_score_flags(add: command_line.AddArgument) -> None:
    """Add the flags of BLEU and chrF."""
    text = (
        "tokenization for BLEU; none: the text is already tokenized (default: 13a; if the run's "
        "target language has no spaces, zh for Chinese and char for others)"
    )
    add("--tokenize", choices=TOKENIZERS, help=text)
    add("--lowercase", action="store_true", help="ignore case")


def check(arguments: argparse.Namespace) -> None:
    """Set defaults, and raise a `UserError` if arguments are invalid or cannot be combined."""
    search_flags.search_settings(arguments, RERANKED)
    search_flags.check_neighbors(arguments, "shortlist")
    if arguments.translations is not None:
        check_translations(arguments)
        check_file(arguments.translations)
    if arguments.batch_size is None:
        arguments.batch_size = search_flags.BATCH_SIZE
    checks.check_at_least_one(arguments, "batch_size")
    read = {"--test": arguments.test, "--baseline": [arguments.baseline]}
    checks.check_output(arguments, "output", read)


def check_translations(arguments: argparse.Namespace) -> None:
    """Raise a `UserError` if a flag cannot be combined with --translations."""
    if arguments.output:
        raise UserError("give --translations or --output, not both")
    if has_baseline_run(arguments):  # the flags apply to it
        return
    given = [settings_flags.flag(name) for name in search_flags.given_settings(arguments)]
    given += ["--no-rerank"] if arguments.no_rerank else []
    given += ["--shortlist"] if arguments.shortlist else []
    given += ["--neighbors"] if arguments.neighbors else []
    given += ["--batch-size"] if arguments.batch_size is not None else []
    if given:
        raise UserError(f"{', '.join(given)} cannot be combined with --translations")


def has_test_files(arguments: argparse.Namespace) -> bool:
    """Return whether the test pairs are in files, and not in TensorFlow Datasets or in a corpus."""
    from keras_transformer.text.corpus import TFDS_PREFIX

    return bool(arguments.test) and not arguments.test[0].startswith(TFDS_PREFIX)


def test_pairs(arguments: argparse.Namespace, run: Callable[[], "Run"]) -> list[tuple[str, str]]:
    """Return the pairs that the user chose, or the test pairs of the run's corpus."""
    from keras_transformer.text.corpus import open_test
    from keras_transformer.text.pair_files import open_files

    if has_test_files(arguments):
        return list(open_files(arguments.test))
    config = run().config
    languages = config.text.source_lang, config.text.target_lang
    if arguments.test:
        return list(open_test(arguments.test, *languages))
    with advice({UserError: "give --test"}):
        return list(open_test(config.training.train, *languages))


def bleu_tokenizer_of(arguments: argparse.Namespace, run: Callable[[], "Run"]) -> str:
    """Return the tokenizer for BLEU, which by default depends on the target language of the run."""
    from keras_transformer.translation.bleu import bleu_tokenizer

    if arguments.tokenize:
        return arguments.tokenize
    if arguments.translations and has_test_files(arguments) and not arguments.checkpoint:
        return "13a"  # no run is needed
    return bleu_tokenizer(run().config.text.target_lang)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    chosen = make_parser().parse_args(arguments)
    check(chosen)
    if chosen.shortlist:
        disable_onednn()
    with quiet_stderr():
        from keras_transformer.threads import one_thread_per_operation

    keep_freed_memory()
    one_thread_per_operation()
    run = opened_once(chosen.checkpoint)
    if chosen.checkpoint:
        run()  # a wrong directory is an error even if the run is not needed
    pairs = test_pairs(chosen, run)
    scoring = {"tokenize": bleu_tokenizer_of(chosen, run), "lowercase": chosen.lowercase}
    with settings_flags.naming_flags(search_flags.SETTINGS), advice_on_memory():
        if chosen.translations:
            report_file(pairs, scoring, chosen)
        else:
            report_run(run(), pairs, scoring, chosen)
    return 0


def report_file(
    pairs: list[tuple[str, str]], scoring: dict[str, Any], arguments: argparse.Namespace
) -> None:
    """Evaluate the translations in a file; print the report."""
    from keras_transformer.translation import evaluation

    translations = evaluation.read_translations(arguments.translations, len(pairs))
    report = evaluation.evaluate_translations(translations, pairs, **scoring)
    baseline = translations_of_baseline(pairs, arguments)
    print_report(report | comparison(translations, baseline, pairs, scoring, arguments), arguments)


def report_run(
    run: "Run",
    pairs: list[tuple[str, str]],
    scoring: dict[str, Any],
    arguments: argparse.Namespace,
) -> None:
    """Evaluate a run; print the report and write the translations.

    A failure of one of them does not prevent the other.
    """
    with opened(arguments.output) as output:
        if has_baseline_run(arguments):
            open_run(run, arguments)  # an early error if it lacks a shortlist or a datastore
        baseline = translations_of_baseline(pairs, arguments)
        chosen = open_run(run, arguments)
        report, translations = evaluate_run(chosen, pairs, scoring, arguments)
        report |= comparison(translations, baseline, pairs, scoring, arguments)
        failure = printing_failure(report, arguments)
        output.writelines(f"{line}\n" for line in translations)
    if failure:
        raise failure


def printing_failure(report: dict[str, Any], arguments: argparse.Namespace) -> OSError | None:
    """Print a report; return the error if standard output cannot be written."""
    try:
        print_report(report, arguments)
    except OSError as error:
        return error
    return None


def print_report(report: dict[str, Any], arguments: argparse.Namespace) -> None:
    """Print a report in the form that the user chose."""
    from keras_transformer.translation.evaluation_report import format_report

    text = json.dumps(report, indent=2) if arguments.json else format_report(report)
    print(text, flush=True)


def evaluate_run(
    run: "OpenedRun",
    pairs: list[tuple[str, str]],
    scoring: dict[str, Any],
    arguments: argparse.Namespace,
) -> tuple[dict[str, Any], list[str]]:
    """Return the report of a run, and its translations."""
    from keras_transformer.translation import evaluation

    translator, reranker, search, temperature = run
    return evaluation.evaluate(
        translator, pairs, scoring, reranker, search, arguments.batch_size, temperature
    )


def opened(path: str | None) -> AbstractContextManager[TextIO]:
    """Return the file for the translations, which are discarded without a path."""
    return console.open_output(path) if path else io.StringIO()
