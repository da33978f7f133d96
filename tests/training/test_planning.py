"""The settings chosen for a corpus and a time budget."""

import pytest

from keras_transformer.config import Config
from keras_transformer.text.statistics import LengthStatistics, TextStatistics
from keras_transformer.training.planning import (
    Basis,
    endless_settings,
    plan_batches,
    plan_built_in,
    plan_lengths,
    plan_text,
    plan_training,
    recipe_settings,
)
from keras_transformer.training.throughput import Throughput

ENGLISH_GERMAN = TextStatistics(29_000, 360_000, 340_000, common_script=0.98)
ENGLISH_RUSSIAN = TextStatistics(29_000, 360_000, 340_000, common_script=0.02)
JOINT = {"joint_vocabulary": True, "tied_embeddings": "all"}


def planned(plan, **chosen):
    """Return the settings of a run with a plan and with settings that the user chose."""
    return plan.applied_to(Config().with_settings(chosen), chosen).flat()


def test_languages_with_one_script_share_a_vocabulary():
    """The corpus for which the recipe was made gets the recipe's vocabulary."""
    settings = planned(plan_text(ENGLISH_GERMAN, {}))
    assert settings["joint_vocabulary"]
    assert settings["tied_embeddings"] == "all"
    assert settings["vocab_size"] == 8000


@pytest.mark.parametrize(
    ("statistics", "joint", "why"),
    [
        (ENGLISH_GERMAN, None, "mostly one script"),
        (ENGLISH_GERMAN, True, "mostly one script"),
        (ENGLISH_GERMAN, False, "as chosen"),
        (ENGLISH_RUSSIAN, False, "different scripts"),
        (ENGLISH_RUSSIAN, True, "as chosen"),
    ],
)
def test_the_reason_for_a_vocabulary_is_the_scripts_or_the_user(statistics, joint, why):
    chosen = {} if joint is None else {"joint_vocabulary": joint}
    assert f"({why})" in plan_text(statistics, chosen).reasons[0]


@pytest.mark.parametrize(
    ("statistics", "chosen", "tied"),
    [
        (ENGLISH_GERMAN, {}, "all"),
        (ENGLISH_RUSSIAN, {}, "output"),
        (ENGLISH_GERMAN, {"tied_embeddings": "none"}, "none"),
    ],
)
def test_the_reason_for_a_vocabulary_names_the_tied_embeddings(statistics, chosen, tied):
    assert plan_text(statistics, chosen).reasons[0].endswith(f"; tied embeddings: {tied}")


def test_languages_with_different_scripts_have_a_vocabulary_each():
    """Each language has half of the words: 8,000 / sqrt(2) is about 6,000."""
    settings = planned(plan_text(ENGLISH_RUSSIAN, {}))
    assert not settings["joint_vocabulary"]
    assert settings["tied_embeddings"] == "output"
    assert settings["vocab_size"] == 6000


@pytest.mark.parametrize(("words", "size"), [(2_000, 1000), (43_750, 2000), (10**9, 16_000)])
def test_the_vocabulary_grows_with_the_root_of_the_corpus(words, size):
    statistics = TextStatistics(1000, words // 2, words // 2, common_script=1.0)
    assert planned(plan_text(statistics, {}))["vocab_size"] == size


@pytest.mark.parametrize(("characters", "size"), [(80, 1000), (2_500, 4000), (20_000, 21_000)])
def test_a_vocabulary_has_all_characters_and_some_words(characters, size):
    joint = TextStatistics(1000, 10, 10, 1.0, characters=characters)
    separate = TextStatistics(1000, 10, 10, 0.0, characters=9**9, most_characters=characters)
    for statistics in (joint, separate):
        assert planned(plan_text(statistics, {}))["vocab_size"] == size


def test_what_the_user_chose_is_kept():
    chosen = {"joint_vocabulary": False, "vocab_size": 500}
    plan = plan_text(ENGLISH_GERMAN, chosen)
    settings = planned(plan, **chosen)
    assert not settings["joint_vocabulary"]
    assert settings["vocab_size"] == 500
    assert settings["tied_embeddings"] == "output"
    assert "500" in plan.reasons[0]


def test_pretrained_subwords_are_not_planned():
    assert plan_text(ENGLISH_GERMAN, {"subwords": "pretrained"}).settings == {}


def lengths(longest):
    return LengthStatistics(mean=10.0, most=20, longest=longest, unknown="")


def test_both_directions_fit_into_joint_lengths():
    """The decoder reads one position less than the target has."""
    settings = planned(plan_lengths(lengths(51), lengths(56), joint=True, chosen={}))
    assert (settings["max_source_length"], settings["max_target_length"]) == (56, 57)
    assert settings["batch_size"] == 53


def test_separate_lengths_are_those_of_the_corpus_up_to_a_limit():
    settings = planned(plan_lengths(lengths(50), lengths(500), joint=False, chosen={}))
    assert (settings["max_source_length"], settings["max_target_length"]) == (50, 128)


def config(**settings):
    """Return the config of a run that ends when its time is over."""
    return Config().with_settings(endless_settings() | settings)


def basis(seconds_per_step, settings, chosen=()):
    """Return the basis of plans for an hour and epochs of 100 steps."""
    throughput = Throughput(100, seconds_per_step, weights=1000, memory=2**30)
    return Basis(config(**settings), throughput, 3600, dict(chosen))


def training_plan(seconds_per_step, **settings):
    """Return the settings planned for an hour and epochs of 100 steps."""
    return planned(plan_training(basis(seconds_per_step, settings, settings)), **settings)


@pytest.mark.parametrize(("seconds_per_step", "rate"), [(0.2, 0.3), (1.0, 0.2), (3.0, 0.1)])
def test_more_epochs_need_more_dropout(seconds_per_step, rate):
    """180, 36 and 12 epochs."""
    assert training_plan(seconds_per_step)["rate"] == rate


def test_the_first_epochs_are_in_both_directions():
    """Of time for 180 epochs, 60 % are spent on 54 epochs, each of which counts as two."""
    assert training_plan(0.2, **JOINT)["both_directions"] == 54
    assert training_plan(0.2)["both_directions"] == 0  # needs a joint vocabulary
    assert training_plan(2.0, **JOINT)["both_directions"] == 0  # only 18 epochs


def test_the_other_epochs_keep_a_share_of_reversed_pairs_if_any_are_in_both_directions():
    assert training_plan(0.2, **JOINT)["reversed_share"] == 0.2
    assert training_plan(0.2)["reversed_share"] == 0.0
    assert training_plan(2.0, **JOINT)["reversed_share"] == 0.0


def test_the_reason_names_the_number_of_epochs():
    """54 epochs that count as two, and 72 / 1.2 = 60 that count as 1.2, take the time of 180."""
    plan = plan_training(basis(0.2, JOINT))
    assert "epochs: about 114 at" in plan.reasons[0]


FEW = {"batch_size": 24, "optimizer": "muon"}


@pytest.mark.parametrize(
    ("seconds_per_step", "epochs", "planned"), [(1.0, 300, {}), (2.0, 300, FEW), (0.1, 20, FEW)]
)
def test_batches_are_smaller_if_there_would_be_only_a_few_steps(seconds_per_step, epochs, planned):
    """In an hour, 3,600 steps, 1,800, or 2,000 until the limit of epochs; 24 * 41 positions."""
    lengths = {"max_source_length": 41, "max_target_length": 42, "batch_size": 73}
    plan = plan_batches(basis(seconds_per_step, lengths | {"epochs": epochs}))
    assert plan.settings == planned
    text = "Muon, which needs fewer steps" if planned else "about 2,993 positions; optimizer: Adam"
    assert text in plan.reasons[0]


@pytest.mark.parametrize("chosen", [{"batch_size": 16}, {"optimizer": "adam"}])
def test_batches_are_not_smaller_with_a_batch_size_or_adam_of_the_user(chosen):
    """1,800 steps would be too few otherwise."""
    plan = plan_batches(basis(2.0, {"batch_size": 73} | chosen, chosen))
    assert plan.settings == {}


def test_the_reasons_name_the_values_that_the_user_chose():
    """There is time for 180 epochs; 10 of them in both directions leave 160."""
    chosen = JOINT | {
        "rate": 0.15,
        "both_directions": 10,
        "reversed_share": 0.0,
        "warmup_steps": 123,
    }
    epochs, rate = plan_training(basis(0.2, chosen, chosen)).reasons
    assert "about 170 at" in epochs
    assert "the first 10 in both directions; dropout 0.15" in epochs
    assert "rises for 123 steps" in rate
    built_in = plan_built_in(basis(0.2, chosen, chosen))
    assert built_in.reasons[0].endswith("dropout 0.15")


@pytest.mark.parametrize(("average_last", "is_replaced"), [(0, True), (10, False)])
def test_the_decay_replaces_an_average_that_the_user_did_not_choose(average_last, is_replaced):
    chosen = {"average_last": average_last}
    assert ("instead of an average" in plan_training(basis(0.2, chosen)).reasons[1]) == is_replaced


def test_the_size_of_a_batch_suits_the_lengths_that_the_user_chose():
    chosen = {"max_source_length": 10, "max_target_length": 20}
    plan = plan_lengths(lengths(51), lengths(56), joint=False, chosen=chosen)
    assert plan.settings["batch_size"] == 157  # 3,000 positions; the decoder reads 19 target ids
    assert plan.reasons == ("lengths: up to 10/20 subwords",)


@pytest.mark.parametrize(("longest", "before", "size"), [(1_100, 2, 1), (41, 10, 10)])
def test_smaller_batches_have_at_least_one_pair_and_are_never_larger(longest, before, size):
    settings = {"max_source_length": longest, "max_target_length": longest, "batch_size": before}
    assert plan_batches(basis(36.0, settings)).settings["batch_size"] == size


def test_smaller_batches_take_the_same_time_per_epoch():
    throughput = Throughput(100, 3.0, weights=1000, memory=2**30).with_batches(25, measured=75)
    assert throughput[:2] == (300, 1.0)


def test_a_limit_of_epochs_also_limits_those_in_both_directions():
    """There is time for 180 epochs in one direction."""
    limited = training_plan(0.2, **JOINT, epochs=60)
    assert (limited["both_directions"], limited["rate"]) == (36, 0.2)
    short = training_plan(0.2, **JOINT, epochs=20)
    assert (short["both_directions"], short["rate"], short["warmup_steps"]) == (0, 0.1, 100)


def test_the_time_also_limits_the_epochs_in_both_directions_that_the_user_chose():
    """There is time for 18 epochs in one direction: 60 % for 5 in both, and the rest for 8."""
    found = plan_training(basis(2.0, JOINT, {"both_directions": 20, "reversed_share": 0.0}))
    assert found.reasons[0].startswith("epochs: about 13 at 200 s each, the first 5 in both")
    assert found.settings["warmup_steps"] == 90


@pytest.mark.parametrize(("epochs", "number"), [(None, 300), (20, 20)])
def test_the_reason_says_if_the_training_ends_early(epochs, number):
    """A step of 10 ms leaves time for 3,600 epochs."""
    plans = basis(0.01, {"epochs": epochs} if epochs else {})
    reason = f"epochs: about {number} (at most {number}, so training ends early) at 1 s each"
    assert plan_training(plans).reasons[0].startswith(reason)
    assert plan_built_in(plans).reasons[0].startswith(reason)


@pytest.mark.parametrize(("seconds_per_step", "steps"), [(0.1, 1000), (3.0, 60), (36.0, 50)])
def test_the_warm_up_takes_a_twentieth_of_the_steps(seconds_per_step, steps):
    """At most 1,000 and at least 50; 3 s per step leave time for 1,200 steps."""
    assert training_plan(seconds_per_step)["warmup_steps"] == steps


@pytest.mark.parametrize(("seconds_per_step", "rate"), [(7.2, 0.0), (3.0, 0.1)])
def test_the_built_in_corpus_has_dropout_from_ten_epochs(seconds_per_step, rate):
    """There is time for 5 and for 12 epochs of 100 steps."""
    assert plan_built_in(basis(seconds_per_step, {})).settings == {"rate": rate}


@pytest.mark.parametrize(("joint", "target"), [(False, 41), (True, 42)])
def test_a_corpus_of_short_sentences_does_not_limit_those_to_translate(joint, target):
    settings = planned(plan_lengths(lengths(2), lengths(10), joint=joint, chosen={}))
    assert (settings["max_source_length"], settings["max_target_length"]) == (41, target)


def test_the_recipe_is_a_valid_config_that_ends_with_its_time():
    config = Config().with_settings(recipe_settings() | endless_settings() | {"hours": 1.0})
    assert config.model.d_model == 128
    assert config.training.patience == 0


def test_long_epochs_are_reported_without_exponents():
    reason = plan_training(basis(42.0, {})).reasons[0]
    assert reason.startswith("epochs: about 0.857 at 4,200 s each")
