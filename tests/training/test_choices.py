"""The settings that the user chose, and what follows from them."""

import pytest

from keras_transformer.errors import UserError
from keras_transformer.text.statistics import TextStatistics
from keras_transformer.training.choices import all_chosen, new_config
from keras_transformer.training.planning import plan_text

TIMED = {"train": ("a", "b"), "hours": 1.0}


@pytest.mark.parametrize(
    "choice", [{"both_directions": 30}, {"reversed_share": 0.2}, {"tied_embeddings": "all"}]
)
def test_a_choice_that_needs_a_joint_vocabulary_decides_the_plan(choice):
    """Languages of different scripts would have a vocabulary each otherwise."""
    different = TextStatistics(29_000, 360_000, 340_000, common_script=0.0)
    assert not plan_text(different, all_chosen(TIMED, None)).settings["joint_vocabulary"]
    chosen = all_chosen(TIMED | choice, None)
    config = plan_text(different, chosen).applied_to(new_config(chosen), chosen)
    assert config.text.joint_vocabulary
    assert {name: config.flat()[name] for name in choice} == choice


@pytest.mark.parametrize(
    "choice", [{"both_directions": 0}, {"reversed_share": 0.0}, {"tied_embeddings": "output"}]
)
def test_other_choices_leave_the_vocabulary_to_the_plan(choice):
    assert all_chosen(TIMED | choice, None) == TIMED | choice


@pytest.mark.parametrize(
    "choice", [{"joint_vocabulary": False}, {"subwords": "pretrained"}, {"hours": None}]
)
def test_without_a_joint_vocabulary_both_directions_are_an_error(choice):
    chosen = all_chosen(TIMED | {"both_directions": 30} | choice, None)
    with pytest.raises(UserError, match="both_directions needs joint_vocabulary"):
        new_config(chosen)
