"""The report of an evaluation as text."""

from keras_transformer.counting import counted
from keras_transformer.translation.calibration_error import describe_errors_found
from keras_transformer.translation.evaluation import Report
from keras_transformer.translation.significance import Comparison, format_comparison


def format_report(report: Report) -> str:
    """Return a report as text, with one line for each kind of score."""
    precisions = "/".join(f"{precision:.1f}" for precision in report["precisions"])
    lines = [
        "BLEU {bleu:.2f} ({precisions}, brevity penalty {brevity_penalty:.3f}) {bleu_signature}",
        "chrF {chrf:.2f} {chrf_signature}",
    ]
    if "perplexity" in report:
        lines += [
            *_describe_fit(report),
            "{counted_sentences} translated in {seconds:.1f} s: "
            "{sentences_per_second:,.1f} sentences/s, {tokens_per_second:,.0f} tokens/s",
        ]
    compared = [
        format_comparison(title, Comparison(**report["baseline"][title.lower()]))
        for title in ("BLEU", "chrF")
        if "baseline" in report
    ]
    number = counted(report.get("sentences", 0), "sentence")
    values = report | {"precisions": precisions, "counted_sentences": number}
    return "\n".join(["\n".join(lines).format(**values), *compared])


def _describe_fit(report: Report) -> list[str]:
    """Return lines with the placeholders of a report."""
    if not report["tokens"]:
        return ["no perplexity: all {left_out} pairs are too long or empty"]
    return [
        "perplexity {perplexity:.3f}, token accuracy {accuracy:.4f} over {tokens:,} subwords "
        "of the references; pairs excluded as too long or empty: {left_out}",
        f"{_describe_calibration(report)}; {describe_errors_found(report['errors_found'])}",
    ]


def _describe_calibration(report: Report) -> str:
    if report["temperature"] is None:
        return f"calibration error {report['calibration_error']:.4f} (the run has no temperature)"
    return (
        f"calibration error {report['calibration_error']:.4f} at temperature "
        f"{report['temperature']:.3f} ({report['uncalibrated_error']:.4f} at temperature 1)"
    )
