"""Checkpoints are durable, and a kill or damage never hides the states that are intact."""

import os
import shutil

import numpy as np
import pytest
import tensorflow as tf

from keras_transformer import files
from keras_transformer.errors import UserError
from keras_transformer.runs.checkpoints import (
    epoch_ends,
    latest_checkpoint,
    progress,
    restore,
    restore_newest,
    saved_checkpoints,
)
from keras_transformer.runs.saving import Checkpoints, check_list, clean_up
from tests.limits import limited_files


def saved_numbers(directory, numbers, identity=None):
    """Save a checkpoint for each number, which is also the value of its variable."""
    variable = tf.Variable(0)
    checkpoints = Checkpoints(directory, {"net/number": variable}, identity, directory)
    for number in numbers:
        variable.assign(number)
        checkpoints.save(number)
    return checkpoints


def newest_value(directory, **options):
    """Return the value in the newest intact checkpoint, or None if there is no checkpoint."""
    variable = tf.Variable(-1)
    found = restore_newest(directory, {"net/number": variable}, **options)
    return int(variable.numpy()) if found else None


def names(directory):
    return sorted(path.name for path in directory.iterdir())


def test_a_checkpoint_is_named_after_its_step_or_the_next_free_number(tmp_path):
    saved_numbers(tmp_path, [3, 10, 10, 4])
    assert [path.name for path in saved_checkpoints(tmp_path)] == [
        "ckpt-3",
        "ckpt-10",
        "ckpt-11",
        "ckpt-12",
    ]
    assert newest_value(tmp_path) == 4
    assert tf.train.latest_checkpoint(tmp_path) == str(tmp_path / "ckpt-12")


def test_only_the_chosen_checkpoints_are_kept(tmp_path):
    checkpoints = saved_numbers(tmp_path, [1, 2, 3])
    checkpoints.keep_only(saved_checkpoints(tmp_path)[1:2])
    assert names(tmp_path) == ["checkpoint", "ckpt-2.data-00000-of-00001", "ckpt-2.index"]
    assert tf.train.latest_checkpoint(tmp_path) == str(tmp_path / "ckpt-2")


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="no /proc")
def test_files_are_synced_then_renamed_with_the_index_last_then_the_directory_is_synced(
    tmp_path, monkeypatch
):
    calls = []
    sync, replace = os.fsync, os.replace

    def recorded_sync(descriptor):
        sync(descriptor)
        calls.append(f"sync {os.path.basename(os.readlink(f'/proc/self/fd/{descriptor}'))}")

    def recorded_replace(part, path):
        replace(part, path)
        calls.append(f"rename {os.path.basename(path)}")

    monkeypatch.setattr(files.os, "fsync", recorded_sync)
    monkeypatch.setattr(files.os, "replace", recorded_replace)
    directory = tmp_path / "run"
    saved_numbers(directory, [5])
    data, index = "ckpt-5.data-00000-of-00001", "ckpt-5.index"
    renamed = calls.index(f"rename {data}")
    assert {f"sync {data}", f"sync {index}"} <= set(calls[:renamed])
    assert calls[renamed:-3] == [
        f"rename {data}",
        "sync run",
        f"rename {index}",
        "sync run",
    ]
    part, *rest = calls[-3:]
    assert part.startswith("sync .checkpoint."), "the list is written after the checkpoint"
    assert rest == ["rename checkpoint", "sync run"]


@pytest.fixture(scope="module")
def before_renames(tmp_path_factory):
    """Copies of a directory before each rename of two saves: what a kill leaves there."""
    home, replace, copies = tmp_path_factory.mktemp("renames"), os.replace, []

    def copy_and_replace(part, path):
        copies.append(shutil.copytree(home / "run", home / str(len(copies))))
        replace(part, path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files.os, "replace", copy_and_replace)
        saved_numbers(home / "run", [1, 2])
    assert len(copies) == 6
    return copies


@pytest.mark.parametrize(("renames", "newest"), [(0, None), (1, 1), (2, 1), (3, 1), (4, 2), (5, 2)])
def test_a_kill_before_any_rename_loses_no_finished_state(before_renames, renames, newest):
    """Each save renames the data, the index and the list."""
    directory = before_renames[renames]
    clean_up(directory)
    assert newest_value(directory) == newest
    assert not [name for name in names(directory) if "part" in name]


def test_leftovers_of_tensorflow_and_of_killed_processes_are_removed(tmp_path):
    saved_numbers(tmp_path, [1])
    before = names(tmp_path)
    (tmp_path / "ckpt-2_temp").mkdir()
    (tmp_path / "ckpt-2_temp" / "part-00000-of-00001.data-00000-of-00001").touch()
    (tmp_path / ".ckpt-2.99.part").mkdir()
    for name in ("checkpoint.tmp1a2b", "config.json.part", ".manifest.json.99.part"):
        (tmp_path / name).touch()
    clean_up(tmp_path)
    clean_up(tmp_path / "nowhere")
    assert names(tmp_path) == before
    assert newest_value(tmp_path) == 1


def test_the_data_of_a_checkpoint_that_was_being_deleted_are_removed(tmp_path):
    saved_numbers(tmp_path, [1, 2])
    before = names(tmp_path)
    (tmp_path / "ckpt-1.index").unlink()
    clean_up(tmp_path)
    assert names(tmp_path) == [name for name in before if not name.startswith("ckpt-1.")]
    assert newest_value(tmp_path) == 2
    (tmp_path / "ckpt-2.index").unlink()
    clean_up(tmp_path)
    assert any(name.startswith("ckpt-2.data") for name in names(tmp_path))


def damage(path, how):
    data, index = path.with_name(f"{path.name}.data-00000-of-00001"), path.with_suffix(".index")
    content = {"data": data, "index": index}
    match how.split():
        case ["flip", which]:
            old = content[which].read_bytes()
            content[which].write_bytes(old[:5] + bytes([old[5] ^ 4]) + old[6:])
        case ["truncate", which]:
            content[which].write_bytes(content[which].read_bytes()[:10])
        case ["empty", which]:
            content[which].write_bytes(b"")
        case ["delete", which]:
            content[which].unlink()
        case ["swap"]:
            one, other = data.read_bytes(), index.read_bytes()
            data.write_bytes(other)
            index.write_bytes(one)


@pytest.mark.parametrize(
    "how",
    [
        *(
            f"{verb} {file}"
            for verb in ("truncate", "empty", "delete")
            for file in ("data", "index")
        ),
        "swap",
    ],
)
def test_the_newest_intact_checkpoint_is_restored(tmp_path, caplog, how):
    saved_numbers(tmp_path, [1, 2])
    damage(tmp_path / "ckpt-2", how)
    assert newest_value(tmp_path) == 1
    is_listed = how != "delete index"
    assert ("ckpt-2: damaged" in caplog.text) == is_listed
    assert ("using ckpt-1 instead" in caplog.text) == is_listed


def test_flipped_bits_are_detected(tmp_path):
    """Weights have checksums: whatever bit is flipped, the older checkpoint is restored."""
    variable = tf.Variable(np.arange(100.0))
    checkpoints = Checkpoints(tmp_path, {"net/number": variable})
    checkpoints.save(1)
    variable.assign(-variable)
    checkpoints.save(2)
    path = tmp_path / "ckpt-2.data-00000-of-00001"
    content = path.read_bytes()
    for position in np.random.default_rng(0).integers(0, 8 * variable.shape[0], 20):
        flipped = bytearray(content)
        flipped[position] ^= 1 << (position % 8)
        path.write_bytes(flipped)
        other = tf.Variable(np.zeros(100))
        assert restore_newest(tmp_path, {"net/number": other}) == tmp_path / "ckpt-1"
        np.testing.assert_array_equal(other, np.arange(100))


def test_it_is_an_error_if_no_checkpoint_is_intact(tmp_path):
    assert newest_value(tmp_path) is None
    saved_numbers(tmp_path, [1, 2])
    for number in (1, 2):
        damage(tmp_path / f"ckpt-{number}", "truncate data")
    with pytest.raises(UserError, match="ckpt-2: damaged, .*; no older state is intact"):
        newest_value(tmp_path)


def test_remains_without_a_complete_checkpoint_are_an_error(tmp_path):
    saved_numbers(tmp_path, [1])
    damage(tmp_path / "ckpt-1", "delete index")
    with pytest.raises(UserError, match="no checkpoint is complete"):
        latest_checkpoint(tmp_path)
    with pytest.raises(UserError, match="no checkpoint is complete"):
        newest_value(tmp_path)


@pytest.mark.parametrize(
    "content", [None, b"", b"rubbish", b"\xff\xfe\x00", b'model_checkpoint_path: ""']
)
def test_a_missing_or_damaged_list_hides_nothing(tmp_path, content):
    saved_numbers(tmp_path, [7, 12])
    assert check_list(tmp_path)
    (tmp_path / "checkpoint").unlink()
    if content is not None:
        (tmp_path / "checkpoint").write_bytes(content)
    assert not check_list(tmp_path)
    assert newest_value(tmp_path) == 12


def test_a_list_that_leads_out_of_its_directory_is_an_error(tmp_path):
    saved_numbers(tmp_path / "run", [1])
    saved_numbers(tmp_path / "other", [2])
    for path in ("../other/ckpt-2", str(tmp_path / "other" / "ckpt-2")):
        (tmp_path / "run" / "checkpoint").write_text(f'model_checkpoint_path: "{path}"\n')
        with pytest.raises(UserError, match="checkpoint: leads out of its directory"):
            check_list(tmp_path / "run")
        assert newest_value(tmp_path / "run") == 1


def test_an_empty_directory_needs_no_list(tmp_path):
    assert check_list(tmp_path)
    assert check_list(tmp_path / "nowhere")


def test_checkpoints_of_another_run_are_skipped(tmp_path, caplog):
    saved_numbers(tmp_path, [1], identity="ours")
    saved_numbers(tmp_path, [2], identity="theirs")
    assert newest_value(tmp_path, identity="ours") == 1
    assert "ckpt-2: belongs to another run" in caplog.text
    assert newest_value(tmp_path, identity="theirs") == 2
    assert newest_value(tmp_path) == 2, "an unknown identity is not checked"


def test_checkpoints_without_an_identity_are_accepted(tmp_path):
    saved_numbers(tmp_path, [1])
    assert newest_value(tmp_path, identity="ours") == 1


def test_a_checkpoint_with_more_of_the_network_is_an_error(tmp_path):
    variables = {"net/a": tf.Variable(1), "net/b": tf.Variable(2), "adam/a": tf.Variable(3)}
    path = Checkpoints(tmp_path, variables).save(1)
    with pytest.raises(UserError, match="of a larger model: it also contains net/b"):
        restore(path, {"net/a": tf.Variable(0)})
    restore(path, {"net/a": tf.Variable(0), "net/b": tf.Variable(0)})


def test_only_optional_variables_may_be_missing(tmp_path):
    path = Checkpoints(tmp_path, {"net/a": tf.Variable(1)}).save(1)
    a, b = tf.Variable(0), tf.Variable(5)
    with pytest.raises(UserError, match="ckpt-1: damaged, or of a model of another shape"):
        restore(path, {"net/a": a, "net/b": b})
    restore(path, {"net/a": a, "net/b": b}, optional=["net/b"])
    assert (int(a), int(b)) == (1, 5)


def test_the_ends_of_epochs_are_the_newest_states_without_batches(tmp_path):
    names = ("epoch", "batch", "best_bleu")
    values = {name: tf.Variable(0.0) for name in names}
    states = Checkpoints(tmp_path, {f"progress/{name}": each for name, each in values.items()})
    for step, (epoch, batch) in enumerate([(0, 3), (1, 0), (1, 4), (2, 0), (2, 0), (2, 1)], 1):
        values["epoch"].assign(epoch)
        values["batch"].assign(batch)
        states.save(step)
    assert [path.name for path in epoch_ends(tmp_path)] == ["ckpt-2", "ckpt-5"]
    assert progress(tmp_path / "ckpt-3") == {"epoch": 1, "batch": 4, "best_bleu": 0}
    damage(tmp_path / "ckpt-2", "empty index")
    assert [path.name for path in epoch_ends(tmp_path)] == ["ckpt-5"]
    with pytest.raises(UserError, match="ckpt-2: damaged"):
        progress(tmp_path / "ckpt-2")


def test_an_error_says_which_state_is_kept_and_leaves_nothing_behind(tmp_path, monkeypatch):
    checkpoints = saved_numbers(tmp_path, [1])
    before = names(tmp_path)
    replace = os.replace

    def fail_at_the_index(part, path):
        if str(path).endswith(".index"):
            raise OSError(28, "No space left on device")
        replace(part, path)

    monkeypatch.setattr(files.os, "replace", fail_at_the_index)
    message = "ckpt-2: cannot be saved: No space left on device; ckpt-1 is the newest state"
    with pytest.raises(UserError, match=message):
        checkpoints.save(2)
    assert names(tmp_path) == before
    shutil.rmtree(tmp_path / "sub", ignore_errors=True)
    with pytest.raises(UserError, match="no state was saved before"):
        saved_numbers(tmp_path / "sub", [1])


def test_an_error_names_no_other_checkpoint_as_a_training_state(tmp_path):
    """The directory has a best checkpoint; a training state may be elsewhere, or nowhere."""
    best, variables = tmp_path / "best", {"net/large": tf.Variable(tf.zeros(10_000))}
    saved_numbers(best, [3])
    message = "ckpt-5: cannot be saved: File too large"
    with limited_files(20_000):
        with pytest.raises(UserError, match=f"{message}$"):
            Checkpoints(best, variables).save(5)
        with pytest.raises(UserError, match=f"{message}; no state was saved before$"):
            Checkpoints(best, variables, states=tmp_path).save(5)
    saved_numbers(tmp_path, [4])
    with limited_files(20_000), pytest.raises(UserError, match=f"{message}; ckpt-4 is the newest"):
        Checkpoints(best, variables, states=tmp_path).save(5)


def test_an_error_of_tensorflow_says_which_state_is_kept(tmp_path):
    """TensorFlow cannot write beyond the limit on the size of files."""
    large = tf.Variable(tf.zeros(10_000))
    checkpoints = Checkpoints(tmp_path, {"net/large": large}, states=tmp_path)
    checkpoints.save(1)
    with (
        limited_files(20_000),
        pytest.raises(UserError, match="ckpt-2: cannot be saved: File too large; ckpt-1 is"),
    ):
        checkpoints.save(2)
    assert latest_checkpoint(tmp_path) == tmp_path / "ckpt-1"
    checkpoints.save(2)
    assert latest_checkpoint(tmp_path) == tmp_path / "ckpt-2"
