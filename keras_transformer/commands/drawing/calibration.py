"""Draw how well the probabilities of subwords are calibrated."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from keras_transformer.commands import command_line, evaluate, run_flag
from keras_transformer.commands.drawing import flags
from keras_transformer.commands.opened_run import how_to_calibrate, opened_once
from keras_transformer.errors import UserError
from keras_transformer.quiet import quiet_stderr

if TYPE_CHECKING:
    from keras_transformer.runs.run import Run

DESCRIPTION = """\
Draws how often the most probable next subword is right, by its probability, before and after
calibration (a reliability diagram), and prints the calibration error of both. The network predicts
each subword of the references of a test set.

  %(prog)s --test test.en test.de --output calibration.png
"""


def make_parser() -> command_line.Parser:
    """Return the parser of the kind."""
    parser = command_line.make_parser("draw calibration", DESCRIPTION)
    add = parser.add_argument
    run_flag.add_checkpoint_flag(add)
    evaluate.add_test_flag(add)
    flags.add_output_flag(add)
    text = (
        "predict half of the pairs at the temperature fitted to the other half, and vice versa, "
        "instead of using the run's temperature. Use this for pairs to which that temperature was "
        "fitted"
    )
    add("--cross-fit", action="store_true", help=text)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    chosen = make_parser().parse_args(arguments)
    flags.check_picture(chosen.output)
    with quiet_stderr():
        from keras_transformer.inspection import calibration
        from keras_transformer.threads import one_thread_per_operation
        from keras_transformer.translation.calibration_error import describe_errors_found
        from keras_transformer.translation.translator import Translator

    run = opened_once(chosen.checkpoint)
    pairs = evaluate.test_pairs(chosen, run)
    temperature = None if chosen.cross_fit else run_temperature(run())
    one_thread_per_operation()
    measured = calibration.measure(Translator.of(run()), pairs, temperature)
    for each in measured:
        print(
            f"{each.name}: calibration error {each.reliability.error:.4f}; "
            f"{describe_errors_found(each.errors_found)}"
        )
    flags.write(calibration.plot(measured), chosen)
    return 0


def run_temperature(run: "Run") -> float:
    """Return the temperature of a run.

    Raises:
        UserError: If the run has none.
    """
    from keras_transformer.translation.confidence_model import saved_temperature

    temperature = saved_temperature(run)
    if temperature is None:
        raise UserError(
            f"{run.directory}: the run has no temperature: {how_to_calibrate(run)}; or give "
            "--cross-fit"
        )
    return temperature
