"""Draw how well the probabilities of subwords are calibrated."""

import functools
from collections.abc import Sequence

from keras_transformer.commands import command_line, evaluate
from keras_transformer.commands.drawing import flags
from keras_transformer.errors import UserError
from keras_transformer.quiet import quiet_stderr

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
    command_line.add_checkpoint_flag(add)
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
        from keras_transformer.translation.calibration import describe_errors_found
        from keras_transformer.translation.parallel import one_thread_per_operation
        from keras_transformer.translation.translator import Translator

    checkpoint = functools.cache(lambda: command_line.chosen_run(chosen.checkpoint))
    pairs = evaluate.test_pairs(chosen, checkpoint)
    temperature = None if chosen.cross_fit else run_temperature(str(checkpoint()))
    one_thread_per_operation()
    measured = calibration.measure(Translator.load(checkpoint()), pairs, temperature)
    for each in measured:
        print(
            f"{each.name}: calibration error {each.reliability.error:.4f}; "
            f"{describe_errors_found(each.errors_found)}"
        )
    flags.write(calibration.plot(measured), chosen)
    return 0


def run_temperature(checkpoint: str) -> float:
    """Return the temperature of a run.

    Raises:
        UserError: If the run has none.
    """
    from keras_transformer.runs.run import Run
    from keras_transformer.translation.confidence import saved_temperature

    temperature = saved_temperature(Run.open(checkpoint))
    if temperature is None:
        train = command_line.program("train", "--checkpoint", checkpoint)
        raise UserError(
            f"{checkpoint}: the run has no temperature: {train} fits one, or give --cross-fit"
        )
    return temperature
