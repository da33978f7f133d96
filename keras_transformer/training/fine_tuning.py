"""The settings of fine-tuning: a run that starts with the subwords and weights of another run."""

from collections.abc import Mapping

from keras_transformer.config import Config
from keras_transformer.errors import StartMismatch, UserError
from keras_transformer.runs.run import Run
from keras_transformer.training.corpora import old_corpus, why_no_old_pairs

# What a run does not inherit from the run that it starts from. The network already translates, so
# a few epochs suffice. Learning rate and decay were chosen on validation pairs: see
# benchmarks/README.md.
SETTINGS: Mapping[str, object] = {
    "train": (),
    "validation": (),
    "epochs": 20,
    "hours": None,
    "peak_learning_rate": 0.002,
    "warmup_steps": 50,
    "decay_epochs": 10,
    "both_directions": 0,
    "patience": 5,
    "average_last": 0,
    "start_from": None,
    "mix": None,
}
# Settings of the network that leave the shapes of the weights as they are.
DROPOUT = {"rate", "attention_rate", "activation_rate"}
MIX = 0.5  # default share of old pairs, if there are any


def fine_tuned_config(chosen: Mapping[str, object]) -> Config:
    """Return the `Config` of a new run that starts from another run.

    Args:
        chosen: {name: value} of the settings that the user chose, among them `start_from`.

    Raises:
        NoRun: If there is no run to start from.
        StartMismatch: If the run, or one before it, started from itself, or its validation pairs
            have changed.
        UserError: If a setting of the subwords or of the network differs from that of the run.
    """
    start = Run.open(str(chosen["start_from"]))
    config = start.config.with_settings({**SETTINGS, **chosen})
    _check_network(start, config)
    if config.training.mix is not None:
        return config
    return config.with_settings({"mix": _default_mix(config)})


def _default_mix(config: Config) -> float:
    """Return the share of old pairs, which is 0 if they are no longer available.

    Raises:
        StartMismatch: If they are not those of the run to start from, which the user can mend.
    """
    try:
        old_corpus(config)
    except StartMismatch:
        raise
    except UserError:
        return 0.0
    return MIX


def _check_network(start: Run, config: Config) -> None:
    """Raise a `UserError` if weights or subwords do not suit the settings of a new run."""
    old, new = start.config.flat(), config.flat()
    for name in (*vars(config.text), *vars(config.model)):
        if new[name] != old[name] and name not in DROPOUT:
            raise UserError(
                f"{start.directory} has {name} {old[name]}, not {new[name]}: a run keeps the "
                "subwords and the network of the run that it starts from; to choose others, train "
                "without start_from"
            )


def describe_start(config: Config) -> str:
    """Return a sentence about the run that a new run starts from, and the share of old pairs."""
    training = config.training
    start = f"starts with the weights of {training.start_from}"
    if training.mix:
        return f"{start}; up to {training.mix:.0%} of the pairs of each epoch are old ones"
    why = why_no_old_pairs(config)
    return f"{start}, without old pairs{f', because {why}' if why else ''}"
