"""What the tests share: a quiet TensorFlow, a toy language, and a small run trained on it."""

import dataclasses
import functools
import gc
import os
import random
import signal

import hypothesis
import pytest

from keras_transformer.quiet import quiet_stderr
from tests.programs import HOME

with quiet_stderr():
    import tensorflow as tf
from xdist.scheduler import LoadFileScheduling

# The first call of a TensorFlow operation may take long, which is no fault. With the environment
# variable CI, the examples are the same in each run, so that a change does not fail because of an
# older bug; elsewhere they are new ones.
hypothesis.settings.register_profile(
    "unhurried", deadline=None, derandomize=bool(os.environ.get("CI"))
)
hypothesis.settings.load_profile("unhurried")
tf.get_logger().setLevel("ERROR")
# Tracing creates millions of objects. Searching them for garbage as often as by default takes a
# tenth of the time of the tests.
gc.set_threshold(50_000, 50, 100)
# Shells start background jobs with Ctrl-C ignored, which their children inherit.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
# Two logical processors, for the tests of training on two replicas.
processor = tf.config.list_physical_devices("CPU")[0]
tf.config.set_logical_device_configuration(processor, [tf.config.LogicalDeviceConfiguration()] * 2)

# The other groups of tests follow in any order; see `group_of`.
LONGEST_FIRST = {
    "tests/training": 0,
    "tests/export": 1,
    "tests/page": 2,
    "tests/training/test_distributed.py": 3,
    "tests/commands/test_train.py": 4,
    "tests/test_robustness.py": 5,
    "tests/docs/test_notebooks.py": 6,
    "tests/translation/test_xla_search.py": 7,
    "tests/translation/test_shortlist.py": 8,
}

WORDS = [f"{a}{b}" for a in "bdfgklmn" for b in "aeiou"]

# Settings of a network that trains in seconds.
SMALL = {
    "num_layers": 1,
    "d_model": 16,
    "num_heads": 2,
    "dff": 32,
    "vocab_size": 40,
    "epochs": 2,
    "batch_size": 3,
    "warmup_steps": 20,
    "bleu_sentences": 10,
}


def toy_pairs(count, seed=0):
    """Sentences of made-up words, whose translation has the words in reverse order."""
    draw = random.Random(seed)
    pairs = []
    for _ in range(count):
        words = draw.choices(WORDS, k=draw.randint(1, 6))
        pairs.append((" ".join(words), " ".join(reversed(words))))
    return pairs


def pairs_of_two_languages(count, seed=0):
    """Like `toy_pairs`, but the languages have no letter in common.

    The subword models of `toy_pairs` are equal, because both sides have the same words.
    """
    return [(source, target.upper()) for source, target in toy_pairs(count, seed)]


def sources_of_all_lengths(translator):
    """Ids of sentences, from short to as long as the network reads."""
    sentences = [" ".join(["ba", "lo", "ki"] * n) for n in (1, 2, 3, 5, 8)]
    sentences += [source for source, _ in toy_pairs(10, seed=7)]
    return [translator.source_subwords.encode(sentence)[:40] for sentence in sentences]


def write_pairs(path, pairs):
    path.write_text("".join(f"{source}\t{target}\n" for source, target in pairs), encoding="utf-8")
    return str(path)


@pytest.fixture
def hangups():
    """Let this process, and those that it starts, receive SIGHUP, which `nohup` ignores."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.fixture(scope="session")
def thousand(tmp_path_factory):
    """A model of 1000 subwords, in place of one that BPEmb publishes: the file's content."""
    from keras_transformer.text.subword_training import train_subwords

    draw = random.Random(0)
    words = ["".join(draw.choices("abcdefgh", k=6)) for _ in range(2000)]
    path = tmp_path_factory.mktemp("subwords") / "thousand.model"
    train_subwords(words, 1000, path)
    return path.read_bytes()


@pytest.fixture(scope="session")
def small_run(tmp_path_factory):
    """The directory of a small run that was trained on toy pairs.

    The weights after the first epoch are made the best ones. After the second, all translations are
    empty: the end is the first token that a network learns.
    """
    from keras_transformer.training.session import train
    from keras_transformer.training.validation import Validator
    from tests.training.reuse import POOL

    home, scores = tmp_path_factory.mktemp("small"), iter([1.0, 0.0])
    pairs = write_pairs(home / "pairs.tsv", toy_pairs(200))
    with pytest.MonkeyPatch.context() as patch, POOL.lending():
        patch.setattr(Validator, "sample_bleu", lambda _: next(scores))
        assert train(SMALL | {"train": (pairs,)}, home / "run").finished
    return home / "run"


@pytest.fixture(scope="session")
def pre_norm_run(tmp_path_factory):
    """The directory of a small run with pre-norm, whose searches fold the normalizations."""
    from keras_transformer.training.session import train

    home = tmp_path_factory.mktemp("pre_norm")
    pairs = write_pairs(home / "pairs.tsv", toy_pairs(200))
    settings = SMALL | {"train": (pairs,), "norm_first": True, "epochs": 3, "average_last": 0}
    assert train(settings | {"peak_learning_rate": 0.02}, home / "run").finished
    return home / "run"


@pytest.fixture(scope="session")
def translator(small_run):
    from keras_transformer.translation.translator import Translator

    return Translator.load(small_run)


@pytest.fixture(scope="session")
def reranking(small_run, translator):
    """The translator of the small run as `translate.py` uses it."""
    from keras_transformer.runs.run import Run
    from keras_transformer.translation.reranking import Reranker, Reranking

    return Reranking(translator, Reranker.of(Run.open(small_run), translator))


@functools.cache
def group_of(file):
    """Return the group of a file of tests, whose tests run in the same process.

    The files of a group share what takes long to make: exports, the run of the page, or learners.
    Those that share nothing are groups of their own.
    """
    folder = os.path.dirname(file)
    if folder in {"tests/export", "tests/page"}:
        return folder
    reuses = folder == "tests/training" and "reused_learners" in (HOME / file).read_text("utf-8")
    return folder if reuses else file


class Scheduling(LoadFileScheduling):
    """Run the tests of a group in the same process.

    Marks for --dist=loadgroup do not suffice: pytest-xdist may read them before they are set.
    """

    def _split_scope(self, nodeid):
        return group_of(super()._split_scope(nodeid))


def pytest_xdist_make_scheduler(config, log):
    """Replace the scheduler that --dist selects."""
    return Scheduling(config, log)


def pytest_collection_modifyitems(items):
    """Run the longest groups first, so that no process is idle at the end."""
    items.sort(key=lambda item: LONGEST_FIRST.get(group_of(item.nodeid.split("::")[0]), 9))


def reduced_shortlist(shortlist, aligned, frequent):
    """Return a `Shortlist` with fewer ids for each source subword and for every source."""
    from keras_transformer.translation.shortlist import SPECIAL

    ids = shortlist.aligned[:, : aligned + 1]
    return dataclasses.replace(shortlist, aligned=ids, frequent=frequent + SPECIAL)
