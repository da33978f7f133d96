"""Settings for a corpus and a time budget, with the reasons for them.

They start from the recipe for Multi30k. The vocabulary depends on the text; dropout, directions and
warm-up depend on the number of epochs for which there is time, and so on the measured throughput.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from keras_transformer import recipes
from keras_transformer.config import Config, required
from keras_transformer.counting import rounded
from keras_transformer.runs.config_file import read_settings
from keras_transformer.text.encoded_pairs import max_width
from keras_transformer.text.statistics import LengthStatistics, TextStatistics
from keras_transformer.training.budget import BOTH_SHARE, DECAY_SHARE
from keras_transformer.training.precision import fast_dtype
from keras_transformer.training.throughput import Throughput

RECIPE = "multi30k"
NETWORK = "num_layers", "d_model", "num_heads", "dff", "norm_first"
# The default limit, for small corpora. The recipe has 185 epochs, if those in both directions count
# twice.
EPOCHS = 300
# The vocabulary of the recipe, and the number of words of the corpus that it was chosen for. Larger
# corpora have a vocabulary that grows with the square root of their words.
VOCABULARY, WORDS = 8_000, 700_000
MIN_VOCABULARY, MAX_VOCABULARY = 1_000, 16_000
# Subwords besides the characters of a sample: bytes, special ones, and characters of other pairs.
BESIDES_CHARACTERS = 800
COMMON_SCRIPT = 0.5  # overlap of the scripts from which a joint vocabulary is chosen
# Limits of the maximum lengths, in subwords. Sentences to translate may be longer than those of the
# corpus, and have more subwords per word.
SHORTEST, LONGEST = 41, 128
POSITIONS = 3_000  # of a batch
# With fewer steps than this, smaller batches and Muon are far better: see benchmarks/README.md.
STEPS_FOR_FULL_BATCHES, SMALL_BATCH_POSITIONS = 2_500, 1_000
# {epochs: dropout rate with at least as many epochs}. The more often a pair is seen, the more
# dropout is needed (benchmarks/README.md). The first rate is that of the recipe, the last that of
# the default settings.
DROPOUT = {100: 0.3, 25: 0.2, 0: 0.1}
BUILT_IN_DROPOUT_EPOCHS = 10  # the built-in corpus needs no dropout for 5 epochs, but for 17
BOTH_EPOCHS = 40  # from which the first epochs train in both directions
REVERSED_SHARE = 0.2  # in the other epochs, for the reconstruction in reranking
WARMUP_SHARE, LONGEST_WARMUP, SHORTEST_WARMUP = 0.05, 1_000, 50


@dataclass(frozen=True)
class Plan:
    """Settings, and a line for each group of them that says why.

    Attributes:
        settings: {name: value}.
        reasons: the lines.
    """

    settings: Mapping[str, object]
    reasons: tuple[str, ...] = ()

    def applied_to(self, config: Config, chosen: Mapping[str, object]) -> Config:
        """Return a `Config` with these settings, except those that the user chose."""
        return config.with_settings(
            {name: value for name, value in self.settings.items() if name not in chosen}
        )


def recipe_settings() -> dict[str, object]:
    """Return {name: value} of the recipe, without what the corpus and the budget decide."""
    with recipes.path(RECIPE) as path:
        settings = read_settings(path)
    names = *NETWORK, "peak_learning_rate", "label_smoothing"
    return {name: settings[name] for name in names} | fast_dtype()


def endless_settings() -> dict[str, object]:
    """Return the settings of a run that ends when its time is over."""
    return {"epochs": EPOCHS, "decay_epochs": 0, "patience": 0}


def plan_text(statistics: TextStatistics, chosen: Mapping[str, object]) -> Plan:
    """Plan the vocabulary.

    Args:
        statistics: statistics of the training pairs.
        chosen: {name: value} of the settings that the user chose.
    """
    if chosen.get("subwords") == "pretrained":
        return Plan({}, ("vocabulary: pretrained",))
    has_common_script = statistics.common_script >= COMMON_SCRIPT
    joint = bool(chosen.get("joint_vocabulary", has_common_script))
    size = chosen.get("vocab_size") or _vocabulary(statistics, joint)
    kind = "one for both languages" if joint else "one per language"
    why = "as chosen" if joint != has_common_script else _script_text(has_common_script)
    settings = {
        "joint_vocabulary": joint,
        "vocab_size": size,
        "tied_embeddings": "all" if joint else "output",
    }
    tied = _chosen_or(settings, chosen)["tied_embeddings"]
    reason = f"vocabulary: {kind} ({why}), up to {size:,} subwords; tied embeddings: {tied}"
    return Plan(settings, (reason,))


def _script_text(has_common_script: bool) -> str:
    return "mostly one script" if has_common_script else "different scripts"


def _vocabulary(statistics: TextStatistics, joint: bool) -> int:
    """Return the number of subwords, a multiple of 1,000.

    It has room for all characters, also beyond `MAX_VOCABULARY`, because each one is a subword.
    """
    words = statistics.source_words + statistics.target_words
    size = VOCABULARY * (words / (1 if joint else 2) / WORDS) ** 0.5
    size = round(min(max(size, MIN_VOCABULARY), MAX_VOCABULARY) / 1000)
    characters = statistics.characters if joint else statistics.most_characters
    return 1000 * max(size, math.ceil((characters + BESIDES_CHARACTERS) / 1000))


def plan_lengths(
    source: LengthStatistics,
    target: LengthStatistics,
    joint: bool,
    chosen: Mapping[str, object],
) -> Plan:
    """Plan the maximum lengths and the size of a batch.

    With a joint vocabulary, both lengths are equal but for one, so that reversed pairs fit.

    Args:
        source, target: the lengths of the training pairs, or of a sample of them.
        joint: whether the vocabulary is joint.
        chosen: {name: value} of the settings that the user chose.
    """
    longest = [min(max(each.longest, SHORTEST), LONGEST) for each in (source, target)]
    if joint:
        longest = [max(longest)] * 2
    settings = {"max_source_length": longest[0], "max_target_length": longest[1] + joint}
    source_length, target_length = _chosen_or(settings, chosen).values()
    batch_size = max(1, POSITIONS // max_width(source_length, target_length))
    reason = f"lengths: up to {source_length}/{target_length} subwords"
    return Plan(settings | {"batch_size": batch_size}, (reason,))


def _chosen_or(settings: Mapping[str, Any], chosen: Mapping[str, object]) -> dict[str, Any]:
    """Return planned settings, but the values of the user where there are any."""
    return {name: chosen.get(name, value) for name, value in settings.items()}


@dataclass(frozen=True)
class Basis:
    """What the plans for training are based on.

    Attributes:
        config: the settings so far.
        throughput: the measured `Throughput`.
        seconds: time for training.
        chosen: {name: value} of the settings that the user chose.
    """

    config: Config
    throughput: Throughput
    seconds: float
    chosen: Mapping[str, object]

    @property
    def limit(self) -> int:
        """The largest number of epochs."""
        return required(self.config.training.epochs)

    @property
    def affordable(self) -> float:
        """Number of epochs in one direction for which there is time."""
        return self.seconds / self.throughput.seconds_per_epoch

    @property
    def steps(self) -> float:
        """Number of steps in one direction, for which there is time or until the limit."""
        return self.throughput.steps_per_epoch * min(self.affordable, self.limit)

    def describe_epochs(self, epochs: float) -> str:
        """Return a number of epochs as text, with a remark if training ends before its time."""
        ends_early = (
            f" (at most {epochs:,}, so training ends early)" if epochs == self.limit else ""
        )
        return f"epochs: about {rounded(epochs)}{ends_early} at {self.throughput.describe()}"


def plan_batches(basis: Basis) -> Plan:
    """Plan smaller batches and Muon if there would be only a few steps."""
    text, training, chosen = basis.config.text, basis.config.training, basis.chosen
    size = required(training.batch_size)
    width = max_width(text.max_source_length, text.max_target_length)
    is_free = "batch_size" not in chosen and chosen.get("optimizer", "muon") == "muon"
    if basis.steps >= STEPS_FOR_FULL_BATCHES or not is_free:
        optimizer = training.optimizer.title()
        return Plan({}, (f"batches: about {size * width:,} positions; optimizer: {optimizer}",))
    reason = (
        f"batches: about {SMALL_BATCH_POSITIONS:,} positions, because there would be only about "
        f"{basis.steps:,.0f} steps with {POSITIONS:,}; optimizer: Muon, which needs fewer steps "
        "than Adam"
    )
    size = min(max(1, SMALL_BATCH_POSITIONS // width), size)
    return Plan({"batch_size": size, "optimizer": "muon"}, (reason,))


def plan_built_in(basis: Basis) -> Plan:
    """Plan the dropout of the built-in corpus, whose other settings are tuned for a few epochs."""
    epochs = min(basis.affordable, basis.limit)
    settings = {"rate": 0.1 if epochs >= BUILT_IN_DROPOUT_EPOCHS else 0.0}
    rate = _chosen_or(settings, basis.chosen)["rate"]
    return Plan(settings, (f"{basis.describe_epochs(epochs)}; dropout {rate}",))


def plan_training(basis: Basis) -> Plan:
    """Plan dropout, directions and the warm-up."""
    shortest = min(basis.affordable, basis.limit)
    rate = next(rate for least, rate in DROPOUT.items() if shortest >= least)
    directions = _plan_directions(basis)
    both, share = _chosen_or(directions, basis.chosen).values()
    both = min(both, round(min(basis.affordable * BOTH_SHARE / 2, basis.limit)))
    # An epoch in both directions counts as two.
    epochs = min(both + max(0, basis.affordable - 2 * both) / (1 + share), basis.limit)
    steps = basis.throughput.steps_per_epoch * (2 * both + (epochs - both) * (1 + share))
    warmup = round(min(max(WARMUP_SHARE * steps, SHORTEST_WARMUP), LONGEST_WARMUP))
    settings = {"rate": rate, **directions, "warmup_steps": warmup}
    used, training = _chosen_or(settings, basis.chosen), basis.config.training
    first = f"the first {both:,} in both directions" if both else "in one direction"
    reasons = (
        f"{basis.describe_epochs(epochs)}, {first}; dropout {used['rate']}",
        f"learning rate: rises for {used['warmup_steps']:,} steps to "
        f"{training.peak_learning_rate}, and falls over the last {DECAY_SHARE:.0%} of "
        f"the time{'' if training.average_last else ', instead of an average of checkpoints'}",
    )
    return Plan(settings, reasons)


def _plan_directions(basis: Basis) -> dict[str, Any]:
    """Plan the number of epochs in both directions, and the share of reversed pairs after them."""
    affordable, limit = basis.affordable, basis.limit
    if not basis.config.text.joint_vocabulary or min(affordable, limit) < BOTH_EPOCHS:
        return {"both_directions": 0, "reversed_share": 0.0}
    both = round(min(affordable * BOTH_SHARE / 2, limit * BOTH_SHARE))
    return {"both_directions": both, "reversed_share": REVERSED_SHARE}
