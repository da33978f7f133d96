"""The settings of a new run, and what it keeps of its corpus."""

import pytest

from keras_transformer.config import Config
from keras_transformer.runs.run import Run
from keras_transformer.training.session import (
    built_in_settings,
    example_sentences,
    new_config,
)
from tests.conftest import toy_pairs


def test_the_built_in_corpus_has_settings_of_its_own():
    config = new_config({})
    assert config == Config().with_settings(built_in_settings({})).resolved()
    assert config.text.joint_vocabulary
    assert config.model.tied_embeddings == "all"


def test_what_the_user_chooses_goes_before():
    config = new_config({"epochs": 2, "vocab_size": 1000, "norm_first": False})
    assert (config.training.epochs, config.text.vocab_size) == (2, 1000)
    assert not config.model.norm_first


def test_other_corpora_have_the_general_defaults():
    assert new_config({"train": ("a", "b")}) == Config().with_settings(
        {"train": ("a", "b"), "vocab_size": 10_000, "batch_size": 64, "epochs": 10}
    )


@pytest.mark.parametrize("choice", [{"subwords": "pretrained"}, {"joint_vocabulary": False}])
def test_what_a_choice_rules_out_is_left_out(choice):
    config = new_config(choice)
    assert not config.text.joint_vocabulary
    assert config.model.tied_embeddings == "output"
    assert config.training.both_directions == 0
    assert config.text.vocab_size == 10_000


def test_fixed_batches_are_those_of_the_tutorial():
    assert new_config({"batching": "fixed"}).training.batch_size == 64


def pairs_of(*sources):
    return [(source, "x") for source in sources]


def test_examples_are_the_shortest_of_three_words():
    sources = ["Yes.", "We are very late.", "", "Sit down.", "I am  sad.", "I am sad.", "a b c"]
    long = [f"This is sentence number {n}." for n in (1, 2, 3)]
    found = example_sentences(pairs_of(*long, *sources))
    assert found == ["a b c", "I am sad.", "We are very late.", *long[:2]]


def test_where_no_source_has_three_words_the_shortest_are_examples():
    assert example_sentences(pairs_of("今日は暑い。", "はい。", "\n")) == ["はい。", "今日は暑い。"]
    assert example_sentences([]) == []


def test_a_run_keeps_examples_of_its_validation_pairs(small_run):
    examples = Run.open(small_run).examples()
    assert len(examples) == 5
    assert set(examples) <= {source for source, _ in toy_pairs(200)}
    assert len(examples[0].split()) == 3
    assert [len(example) for example in examples] == sorted(map(len, examples))


def test_a_run_without_examples_has_none(small_run, tmp_path):
    (tmp_path / "config.json").write_bytes((small_run / "config.json").read_bytes())
    run = Run.open(tmp_path)
    assert run.examples() == []
    run.save_examples(["Ä b c", "d e f"])
    assert (tmp_path / "examples.txt").read_text(encoding="utf-8") == "Ä b c\nd e f\n"
    assert run.examples() == ["Ä b c", "d e f"]
