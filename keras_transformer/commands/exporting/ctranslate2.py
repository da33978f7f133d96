"""The export of a model for CTranslate2."""

import argparse

from keras_transformer.commands.progress import report_progress
from keras_transformer.quiet import quiet_stderr


def export(arguments: argparse.Namespace) -> None:
    """Write a model directory for CTranslate2, and print how to use it."""
    checkpoint = arguments.checkpoint
    with quiet_stderr():
        from keras_transformer.export.ctranslate2_model import export_ctranslate2

    report = export_ctranslate2(checkpoint, arguments.output, report_progress)
    print(
        f"{report.directory}: {report.size / 1e6:.1f} MB; for {report.compared} translations, "
        f"CTranslate2 computes the same probabilities as {checkpoint}\n"
    )
    print(report.program, end="")
