import json
import os
import re
import signal

import keras
import numpy as np
import pytest
import tensorflow as tf
import tensorflow_datasets as tfds

from keras_transformer.config import Config
from keras_transformer.errors import UserError
from keras_transformer.model.losses import token_losses
from keras_transformer.runs.checkpoints import named_variables, restore
from keras_transformer.runs.run import Run
from keras_transformer.text.batches import Survey
from keras_transformer.text.corpus import Corpus, Pairs
from keras_transformer.training.session import make_trainer, train
from keras_transformer.training.trainer import Totals, make_optimizer
from tests.conftest import SMALL, toy_pairs, write_pairs


class ListOfPairs(list, Pairs):
    """Sentence pairs in memory."""


CORPUS = Corpus("toy", ListOfPairs(toy_pairs(60)), ListOfPairs(toy_pairs(12, seed=1)), None)


def new_trainer(directory, strategy=None, **settings):
    run = Run.create(directory, Config().with_settings(SMALL | settings))
    run.make_subwords(CORPUS.train)
    return make_trainer(run, CORPUS, strategy)


def reopened(trainer):
    """A trainer that knows only what is in the run directory."""
    keras.utils.clear_session()
    other = make_trainer(Run.open(trainer.run.directory), CORPUS)
    assert other.restore()
    return other


def stop_after(trainer, step):
    """Makes training behave as if Ctrl-C came during that step."""
    take = trainer.train_step

    def step_and_interrupt(*batch):
        sums = take(*batch)
        if trainer.step == step:
            os.kill(os.getpid(), signal.SIGINT)
        return sums

    trainer.train_step = step_and_interrupt
    return trainer


def weights(trainer):
    return {name: v.numpy() for name, v in named_variables(trainer.model).items()}


def assert_equal(one, other):
    assert one.keys() == other.keys()
    for name, value in one.items():
        np.testing.assert_array_equal(value, other[name], err_msg=name)


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    trainer = new_trainer(tmp_path_factory.mktemp("runs") / "whole")
    assert trainer.train()
    assert trainer.step > 8, "too few for the interruptions below to differ"
    return weights(trainer), trainer.step


@pytest.mark.parametrize("where", ["first", "middle", "end of an epoch", "later"])
def test_interrupted_training_ends_with_the_same_weights(tmp_path, uninterrupted, where):
    wanted, steps = uninterrupted
    step = {"first": 1, "middle": steps // 4, "end of an epoch": steps // 2, "later": steps - 2}
    trainer = stop_after(new_trainer(tmp_path / "run"), step[where])
    assert not trainer.train()
    assert trainer.step == step[where] < steps
    trainer = reopened(trainer)
    assert trainer.step == step[where]
    assert trainer.train()
    assert trainer.step == steps
    assert_equal(weights(trainer), wanted)


def test_a_killed_training_goes_on_from_its_last_save(tmp_path, uninterrupted):
    wanted, steps = uninterrupted
    trainer = new_trainer(tmp_path / "run", save_every=2)
    take = trainer.train_step

    def step_or_die(*batch):
        if trainer.step == 3:
            raise MemoryError
        return take(*batch)

    trainer.train_step = step_or_die
    with pytest.raises(MemoryError):
        trainer.train()
    trainer = reopened(trainer)
    assert trainer.step == 2
    assert trainer.train()
    assert trainer.step == steps
    assert_equal(weights(trainer), wanted)


def test_another_corpus_does_not_go_on(tmp_path):
    trainer = stop_after(new_trainer(tmp_path / "run"), 3)
    trainer.train()
    other = make_trainer(Run.open(tmp_path / "run"), CORPUS._replace(train=CORPUS.train[:50]))
    with pytest.raises(UserError, match="begun with 60 training pairs, and now there are 50"):
        other.restore()


def test_a_loss_that_is_no_number_saves_nothing(tmp_path):
    trainer = new_trainer(tmp_path / "run")
    trainer.totals.assign([np.nan, 1, 1, 1])
    with pytest.raises(UserError, match="the loss of epoch 1 is nan: give a smaller"):
        trainer._end_epoch(1, 1)
    assert not list(trainer.run.directory.glob("*/checkpoint"))


def test_totals_of_an_epoch_go_on_after_an_interruption(tmp_path):
    trainer = stop_after(new_trainer(tmp_path / "run"), 3)
    trainer.train()
    totals = Totals(*reopened(trainer).totals.numpy())
    assert totals == Totals(*trainer.totals.numpy())
    assert totals.tokens > 0


def test_one_step_equals_a_step_by_hand(tmp_path):
    """Mean loss over real tokens, Adam with the paper's constants, the schedule's first rate."""
    trainer = new_trainer(tmp_path / "run", rate=0.0, warmup_steps=10, peak_learning_rate=0.01)
    source, target = next(iter(trainer._batches(trainer.train_pairs, seed=1)))
    variables = trainer.model.trainable_variables
    before = [v.numpy() for v in variables]
    with tf.GradientTape() as tape:
        logits = trainer.model((source, target[:, :-1]), training=True)
        losses = token_losses(target[:, 1:], logits, 0.1)
        loss = tf.reduce_sum(losses) / np.count_nonzero(target[:, 1:])
    gradients = [tf.convert_to_tensor(g).numpy() for g in tape.gradient(loss, variables)]
    sums = trainer.train_step(source, target)
    assert float(sums.tokens) == np.count_nonzero(target[:, 1:])
    assert float(sums.pairs) == len(source)
    assert float(sums.loss) == pytest.approx(float(tf.reduce_sum(losses)), rel=1e-4)
    for old, gradient, variable in zip(before, gradients, variables, strict=True):
        # Adam's first step: the corrected moments are the gradient and its square.
        step = 0.001 * gradient / (np.abs(gradient) + 1e-9 / np.sqrt(1 - 0.98))
        large = np.abs(gradient) > 1e-5
        np.testing.assert_allclose(variable.numpy()[large], (old - step)[large], atol=2e-5)


def test_optimizer_is_that_of_the_paper(tmp_path):
    trainer = new_trainer(tmp_path / "run", clip_norm=0.5)
    optimizer = make_optimizer(trainer.run.config, Survey(kept=60, widths=600))
    assert (optimizer.beta_1, optimizer.beta_2, optimizer.epsilon) == (0.9, 0.98, 1e-9)
    assert optimizer.global_clipnorm == 0.5


def test_muon_is_for_the_matrices_of_the_layers(tmp_path):
    """Adam, which has a velocity for each weight, takes the embeddings and the vectors."""
    trainer = new_trainer(tmp_path / "run", optimizer="muon", clip_norm=0.5)
    assert isinstance(trainer.optimizer, keras.optimizers.Muon)
    assert trainer.optimizer.global_clipnorm == 0.5
    velocities = [v.path for v in trainer.optimizer.variables if v.path.endswith("velocity")]
    for variable in trainer.model.trainable_variables:
        is_matrix = len(variable.shape) == 2 and "embedding" not in variable.path
        name = variable.path.replace("/", "_")
        assert any(name in path for path in velocities) != is_matrix, variable.path


def momentums(trainer):
    """Adam's first moments: after one step a tenth of the gradients."""
    return [v.numpy() for v in trainer.optimizer.variables if v.path.endswith("momentum")]


def test_gradients_are_clipped_to_the_norm(tmp_path):
    def norm_of_gradient(**settings):
        trainer = new_trainer(tmp_path / "run", rate=0.0, **settings)
        trainer.train_step(*next(iter(trainer._batches(trainer.train_pairs, seed=1))))
        return float(10 * np.sqrt(sum(np.sum(m**2) for m in momentums(trainer))))

    free = norm_of_gradient()
    assert norm_of_gradient(clip_norm=free / 4) == pytest.approx(free / 4, rel=1e-4)
    assert norm_of_gradient(clip_norm=free * 4) == pytest.approx(free, rel=1e-4)


def test_loss_goes_down(tmp_path):
    trainer = new_trainer(tmp_path / "run", epochs=8, peak_learning_rate=0.01)
    before = trainer.validate().mean_loss
    trainer.train()
    assert trainer.validate().mean_loss < before - 0.5


def test_mixed_precision_learns_and_keeps_its_weights_in_float32(tmp_path):
    trainer = new_trainer(
        tmp_path / "run", epochs=8, peak_learning_rate=0.01, mixed_precision=True, norm_first=True
    )
    assert trainer.model.decoder.compute_dtype == "bfloat16"
    before = trainer.validate().mean_loss
    trainer.train()
    assert trainer.validate().mean_loss < before - 0.5
    assert all(variable.dtype == "float32" for variable in trainer.model.trainable_variables)


def test_fixed_batches_train_too(tmp_path):
    trainer = new_trainer(tmp_path / "run", batching="fixed", batch_size=64, epochs=1)
    [(source, target)] = trainer._batches(trainer.train_pairs, seed=1)
    assert (source.shape, target.shape) == ((64, 41), (64, 42))
    assert trainer.train()
    assert trainer.step == 1


def test_training_stops_when_nothing_gets_better(tmp_path):
    trainer = new_trainer(tmp_path / "run", epochs=9, patience=2, peak_learning_rate=0.0)
    assert trainer.train()
    assert int(trainer.epoch) == 3, "the first epoch is the best, two more bring nothing"


def test_best_weights_are_those_of_the_best_epoch(tmp_path):
    trainer = new_trainer(tmp_path / "run", epochs=3)
    scores, kept = iter([5.0, 9.0, 7.0]), []

    def score():
        kept.append(weights(trainer))
        return next(scores)

    trainer.validation_bleu = score
    trainer.train()
    model = trainer.run.build_model(*trainer.run.subwords())
    trainer.run.restore_weights(model)
    restored = {name: v.numpy() for name, v in named_variables(model).items()}
    assert_equal(restored, kept[1])
    assert float(trainer.best_bleu) == 9


def best_weights(trainer):
    model = trainer.run.build_model(*trainer.run.subwords())
    trainer.run.restore_weights(model)
    return {name: v.numpy() for name, v in named_variables(model).items()}


@pytest.mark.parametrize(
    "scores, mean_is_best, best_bleu", [([9.0, 6.0, 5.0], True, 5), ([5.0, 6.0, 9.0], False, 6)]
)
def test_the_mean_of_the_last_checkpoints_is_best_if_its_loss_is_lower(
    tmp_path, capsys, scores, mean_is_best, best_bleu
):
    """Whatever its BLEU. The loss falls at first: the mean lies between both epochs' losses."""
    trainer = new_trainer(tmp_path / "run", average_last=2)
    given = iter(scores)
    trainer.validation_bleu = lambda: next(given)
    assert trainer.train()
    assert trainer.finished
    told = re.findall(r"validation loss ([0-9.]+)", capsys.readouterr().out)
    first, last, mean = map(float, told)
    assert first > mean > last
    newest = weights(trainer)
    averaged = tf.train.latest_checkpoint(tmp_path / "run" / "average")
    restore(averaged, named_variables(trainer.model))
    assert_equal(best_weights(trainer), weights(trainer) if mean_is_best else newest)
    assert float(trainer.best_bleu) == best_bleu


def test_after_the_mean_training_can_go_on_from_the_newest_state(tmp_path):
    trainer = new_trainer(tmp_path / "run", average_last=2)
    scores = iter([9.0, 6.0, 8.0, 7.0, 5.0])
    trainer.validation_bleu = lambda: next(scores)
    assert trainer.train()
    state = weights(trainer)

    other = reopened(trainer)
    assert other.finished
    assert_equal(weights(other), state)
    assert float(other.best_bleu) == 8
    longer = make_trainer(
        Run.create(tmp_path / "run", other.run.config.with_settings({"epochs": 3})), CORPUS
    )
    assert longer.restore()
    assert not longer.finished
    longer.validation_bleu = lambda: next(scores)
    assert longer.train()
    assert int(longer.epochs_since_best) == 2, "7 is not better than the 8 of the mean"


def test_an_average_that_was_not_made_is_made_later(tmp_path):
    trainer = new_trainer(tmp_path / "run", average_last=2)
    trainer._try_average = lambda: None  # as if it had been killed there
    trainer.train()
    other = reopened(trainer)
    assert not other.finished
    assert other.train()
    assert other.finished
    assert (tmp_path / "run" / "average" / "checkpoint").exists()


BOTH = {"both_directions": 1, "joint_vocabulary": True}


def test_the_first_epochs_train_both_directions(tmp_path):
    trainer = new_trainer(tmp_path / "run", **BOTH)
    pairs, end_epoch = [], trainer._end_epoch

    def count_and_end(*args):
        pairs.append(Totals(*trainer.totals.numpy()).pairs)
        end_epoch(*args)

    trainer._end_epoch = count_and_end
    assert trainer.train()
    assert pairs == [120, 60]


def test_both_directions_go_on_as_if_never_interrupted(tmp_path):
    whole = new_trainer(tmp_path / "whole", **BOTH)
    assert whole.train()
    part = stop_after(new_trainer(tmp_path / "part", **BOTH), 3)
    assert not part.train()
    part = reopened(part)
    assert part.train()
    assert_equal(weights(part), weights(whole))


def test_old_checkpoints_are_removed(tmp_path):
    trainer = new_trainer(tmp_path / "run", epochs=5, keep_checkpoints=2, patience=0)
    trainer.train()
    directory = trainer.run.directory
    assert len(list(directory.glob("ckpt-*.index"))) == 2
    assert len(list((directory / "best").glob("ckpt-*.index"))) == 1
    assert list((directory / "logs").iterdir())


def test_two_replicas_keep_their_weights_equal(tmp_path):
    """Each takes a batch of its own; the gradients are added up."""
    strategy = tf.distribute.MirroredStrategy(["cpu:0", "cpu:1"])
    trainer = new_trainer(tmp_path / "run", strategy, epochs=1)
    assert trainer.train()
    for variable in trainer.model.trainable_variables:
        one, other = variable.value.values
        np.testing.assert_array_equal(one, other)


def test_a_replica_that_is_left_without_a_batch_does_no_harm(tmp_path):
    """An odd number of batches for two replicas."""
    strategy = tf.distribute.MirroredStrategy(["cpu:0", "cpu:1"])
    fixed = {"batching": "fixed", "batch_size": 20}  # 3 batches of 60 pairs
    trainer = new_trainer(tmp_path / "run", strategy, epochs=1, **fixed)
    assert trainer.train()
    assert trainer.step == 2
    assert np.isfinite(trainer.validate().mean_loss)


def test_two_replicas_take_the_step_of_one_on_both_batches(tmp_path):
    """Also where their batches have different numbers of tokens."""
    strategy = tf.distribute.MirroredStrategy(["cpu:0", "cpu:1"])
    two = new_trainer(tmp_path / "two", strategy, rate=0.0)
    one = new_trainer(tmp_path / "one", rate=0.0)
    both = list(one._batches(one.train_pairs, seed=1).take(2))
    assert both[0][1].shape != both[1][1].shape
    longest = [max(batch[side].shape[1] for batch in both) for side in (0, 1)]
    joined = [
        tf.concat([tf.pad(b[i], ((0, 0), (0, longest[i] - b[i].shape[1]))) for b in both], 0)
        for i in (0, 1)
    ]
    sums = one.train_step(*joined)
    other_sums = two.train_step(*next(iter(two._batches(two.train_pairs, seed=1))))
    np.testing.assert_allclose(other_sums, sums, rtol=1e-5)
    for a, b in zip(momentums(two), momentums(one), strict=True):
        np.testing.assert_allclose(a, b, atol=1e-6)


def settings_for(tmp_path, **more):
    return SMALL | {"train": (write_pairs(tmp_path / "pairs.tsv", toy_pairs(60)),)} | more


def test_the_same_command_goes_on_and_says_so(tmp_path, capsys):
    settings = settings_for(tmp_path)
    assert train(settings, tmp_path / "run")
    out = capsys.readouterr().out
    assert "finished after step" in out
    assert f"next: python translate.py --checkpoint {tmp_path / 'run'} " in out.splitlines()[-1]
    assert (tmp_path / "run" / "calibration.json").is_file()
    assert train(settings, tmp_path / "run")
    assert "trained already" in capsys.readouterr().out
    assert train(settings | {"epochs": 3}, tmp_path / "run")
    out = capsys.readouterr().out
    assert "going on after step" in out
    assert "in epoch 3 of 3" in out
    assert train({"epochs": 3}, tmp_path / "run"), "settings that are not given are the run's own"


def test_another_shape_does_not_go_on(tmp_path):
    settings = settings_for(tmp_path, epochs=1)
    train(settings, tmp_path / "run")
    with pytest.raises(UserError, match="was begun with d_model 16, not 32"):
        train(settings | {"d_model": 32}, tmp_path / "run")


def test_fresh_begins_anew_and_keeps_the_old_run(tmp_path, capsys):
    settings = settings_for(tmp_path, epochs=1)
    train(settings, tmp_path / "run")
    train(settings | {"d_model": 32}, tmp_path / "run", fresh=True)
    assert "set aside" in capsys.readouterr().out
    assert Run.open(tmp_path / "run").config.model.d_model == 32
    assert Run.open(tmp_path / "run.1").config.model.d_model == 16


def test_a_wrong_first_try_is_no_obstacle(tmp_path):
    """A vocabulary that is too large is mended by the same command with a smaller one."""
    settings = settings_for(tmp_path, epochs=1)
    with pytest.raises(UserError, match="the corpus yields at most"):
        train(settings | {"vocab_size": 9999}, tmp_path / "run")
    assert train(settings, tmp_path / "run")
    content = json.loads((tmp_path / "run" / "config.json").read_text())
    assert content["text"]["vocab_size"] == 40
    assert content["versions"]["tensorflow"] == tf.__version__


def test_a_translator_without_its_state_is_not_overwritten(tmp_path):
    settings = settings_for(tmp_path, epochs=1)
    train(settings, tmp_path / "run")
    for path in [*(tmp_path / "run").glob("ckpt-*"), tmp_path / "run" / "checkpoint"]:
        path.unlink()
    with pytest.raises(UserError, match="holds a trained translator, but no state"):
        train(settings, tmp_path / "run")


def test_all_pairs_too_long(tmp_path):
    with pytest.raises(UserError, match="all are empty or too long"):
        train(settings_for(tmp_path, max_source_length=3), tmp_path / "run")


def test_pretrained_subwords_train(tmp_path, monkeypatch, thousand):
    """With models where BPEmb's would be downloaded to."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for lang in ("en", "de"):
        model = tmp_path / ".cache" / "bpemb" / lang / f"{lang}.wiki.bpe.vs1000.model"
        model.parent.mkdir(parents=True)
        model.write_bytes(thousand)
    settings = settings_for(tmp_path, subwords="pretrained", vocab_size=1000, epochs=1)
    assert train(settings, tmp_path / "run")
    assert (tmp_path / "run" / "target.model").read_bytes() == thousand
    source, _ = Run.open(tmp_path / "run").subwords()
    assert source.encode("ABC 12") == source.encode("abc 00")


def test_pre_norm_and_one_table_for_all_embeddings_train(tmp_path):
    more = {"norm_first": True, "joint_vocabulary": True, "tied_embeddings": "all", "epochs": 1}
    settings = settings_for(tmp_path, **more)
    assert train(settings, tmp_path / "run")
    assert train(settings | {"epochs": 2}, tmp_path / "run")
    assert train({"tied_embeddings": "all"}, tmp_path / "run"), "the run has the joint vocabulary"


def test_a_tfds_set_trains(tmp_path):
    """By TFDS's own means of working without a network: a set that it mocks."""
    name = "tfds:ted_hrlr_translate/pt_to_en"
    languages = {"source_lang": "pt", "target_lang": "en", "vocab_size": 80, "epochs": 1}
    with tfds.testing.mock_data(num_examples=60):
        assert train(SMALL | languages | {"train": (name,)}, tmp_path / "run")
    assert Run.open(tmp_path / "run").config.training.train == (name,)
