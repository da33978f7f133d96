"""The decoder-only network of examples/text_generator.py."""

import re
from collections import Counter, defaultdict

import keras
import numpy as np
import pytest
import tensorflow as tf
import tensorflow_datasets as tfds

from keras_transformer import SearchSettings, UserError
from keras_transformer.search.execution import TensorFlowExecution
from keras_transformer.search.greedy import GreedySearch
from keras_transformer.search.strategy import Target, search
from keras_transformer.text.subword_training import trained_subwords
from tests.programs import load_script

example = load_script("examples/text_generator")

SENTENCES = ["Ich habe einen Hund.", "Ich habe eine Katze.", "Du hast einen Hund.", "Er liest."]


@pytest.fixture(scope="module")
def subwords():
    return trained_subwords(SENTENCES, 40, "de")


def language_model(size=12, length=9):
    keras.utils.set_random_seed(0)
    model = example.LanguageModel(2, 16, 2, 32, size, length, rate=0.0)
    model(tf.constant([[1]]))  # creates the weights
    return model


def test_a_later_id_does_not_change_earlier_logits():
    model, ids = language_model(), np.array([[1, 2, 3, 4]])
    changed = np.array([[1, 2, 9, 4]])
    np.testing.assert_allclose(model(ids)[:, :2], model(changed)[:, :2], atol=1e-6)
    assert np.abs(model(ids)[:, 2:] - model(changed)[:, 2:]).max() > 1e-3


def test_cached_steps_equal_the_full_pass():
    model, ids = language_model(), tf.constant([[1, 2, 3, 4], [5, 6, 7, 8]])
    expected, caches = model(ids), model.caches(2)
    for position in range(4):
        logits, caches = model.step(ids[:, position : position + 1], position, caches)
        np.testing.assert_allclose(logits[:, 0], expected[:, position], atol=1e-5)


def test_the_search_continues_a_prefix():
    """Greedy search equals taking the best id of the full pass, at first the best but the end."""
    model, start = language_model(), 1
    expected = [start]
    for position in range(5):
        logits = model(tf.constant([expected]))[0, -1].numpy()
        logits[11] -= np.inf if position == 0 else 0
        expected.append(int(np.argmax(logits)))
    settings, target = SearchSettings("greedy"), Target(start, end=11, max_length=5)
    strategy = GreedySearch(settings, target, TensorFlowExecution())

    def step(ids, position, lineage, caches):
        return model.step(ids, position, caches)

    found = tf.function(lambda: search(strategy, step, tf.constant(1), model.caches(1)))()
    ids = found.ids[0, 0].numpy().tolist()
    end = ids.index(11) + 1 if 11 in ids else 5
    assert ids[:end] == expected[1 : end + 1]


@pytest.mark.parametrize("prompt", ["", "Ich habe"])
def test_samples_begin_with_the_prompt_and_then_differ(subwords, prompt):
    model = language_model(subwords.size, example.LENGTH)
    settings = SearchSettings("sampling", seed=1)
    found = example.sample(model, subwords, settings, 20, prompt)
    assert len(found) == 20
    assert all(text.startswith(prompt) for text in found)
    assert len(set(found)) > 10
    assert found == example.sample(model, subwords, settings, 20, prompt)


def test_sampling_from_the_best_subword_is_greedy_search(subwords):
    model = language_model(subwords.size, example.LENGTH)
    (found,) = example.sample(model, subwords, SearchSettings("sampling", top_k=1, seed=0), 1)
    ids = [subwords.start]
    while ids[-1] != subwords.end and len(ids) < example.LENGTH:
        logits = model(tf.constant([ids]))[0, -1].numpy()
        logits[subwords.suppressed_ids()] = -np.inf
        logits[subwords.end] -= np.inf if len(ids) == 1 else 0
        ids.append(int(np.argmax(logits)))
    assert found == subwords.decode(ids)


def witten_bell_perplexity(train, test, size, order):
    """Compute the perplexity of n-grams by the recursion of Chen and Goodman (1998, section 2.5).

    p(w | c) = (count(c w) + types(c) p(w | c without its first id)) / (count(c) + types(c)). The
    unigrams count each id once more.
    """
    counts = defaultdict(Counter)
    for ids in train:
        for i in range(1, len(ids)):
            for n in range(order):
                counts[context_of(ids, i, n)][ids[i]] += 1
    unigrams = np.array([1 + counts[()][i] for i in range(size)])

    def probability(word, context):
        if not context:
            return unigrams[word] / unigrams.sum()
        shorter, found = probability(word, context[1:]), counts[context]
        types = len(found)
        if not types:
            return shorter
        return (found[word] + types * shorter) / (sum(found.values()) + types)

    words = [(ids[i], context_of(ids, i, order - 1)) for ids in test for i in range(1, len(ids))]
    return np.exp(-np.mean([np.log(probability(*word)) for word in words]))


def context_of(ids, i, n):
    """Return the n ids before position i, with as many start tokens as needed."""
    return tuple(([ids[0]] * n + ids)[i : i + n])


@pytest.mark.parametrize("seed", range(5))
def test_the_n_gram_model_has_witten_bell_smoothing(seed):
    """Ids 1 (start), 2 (end) and 3 to 8; id 9 occurs only in the test sentences."""
    rng = np.random.default_rng(seed)

    def sentences(count, last):
        lengths = rng.integers(1, 7, count)
        return [[1, *map(int, rng.integers(3, last + 1, length)), 2] for length in lengths]

    train, validation, test = sentences(40, 8), sentences(10, 8), sentences(10, 9)
    perplexities = {n: witten_bell_perplexity(train, validation, 10, n) for n in (2, 3, 4)}
    perplexity, order = example.ngram_perplexity(train, validation, test, 10)
    assert order == min(perplexities, key=perplexities.get)
    np.testing.assert_allclose(perplexity, witten_bell_perplexity(train, test, 10, order))


def test_the_order_of_the_n_grams_is_chosen_on_the_validation_sentences():
    """The fourth subword repeats the first, which only 4-grams know."""
    rng = np.random.default_rng(0)
    rows = rng.integers([3, 5, 5], [5, 7, 7], (300, 3)).tolist()
    sentences = [[1, first, *others, first, 2] for first, *others in rows]
    parts = sentences[:200], sentences[200:250], sentences[250:]
    assert example.ngram_perplexity(*parts, 8)[1] == 4


def test_held_out_sentences_are_not_trained_on(monkeypatch):
    monkeypatch.setattr(example, "TEXTS", 400)
    train, validation, test = example.load(None)
    assert [len(part) for part in (train, validation, test)] == [360, 20, 20]
    assert len({*train, *validation, *test}) == 400


@pytest.fixture
def small(monkeypatch):
    """A corpus of 400 sentences."""
    monkeypatch.setattr(example, "TEXTS", 400)
    monkeypatch.setattr(example, "SUBWORDS", 500)


@pytest.mark.usefixtures("small")
def test_the_program_prints_perplexities_and_sentences_and_draws(tmp_path, capsys):
    picture = tmp_path / "picture.png"
    flags = ["--epochs", "1", "--count", "3", "--prompt", "Ich", "--output", str(picture)]
    example.main(flags)
    text = capsys.readouterr().out
    found = re.search(r"perplexity per subword: ([\d.]+), of [234]-grams: ([\d.]+)\n", text)
    assert all(float(number) > 1 for number in found.groups())
    assert len(re.findall("^Ich", text, re.MULTILINE)) == 3
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_the_picture_shows_the_attention_without_later_subwords(subwords):
    model = language_model(subwords.size, example.LENGTH)
    figure = example.draw(model, subwords, "Ich habe")
    length = len(subwords.encode("Ich habe")) - 1
    drawn = [axes.images[0].get_array() for axes in figure.axes if axes.images][:2]
    for weights in (np.ma.filled(each, np.nan) for each in drawn):
        later = np.triu(np.ones((length, length), bool), 1)
        assert np.array_equal(np.isnan(weights), later)
        np.testing.assert_allclose(np.nansum(weights, axis=1), 1, atol=1e-5)


def test_a_dataset_of_tfds(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(example, "SUBWORDS", 500)
    picture = tmp_path / "picture.png"
    flags = ["--tfds", "lm1b", "--epochs", "1", "--count", "2", "--output", str(picture)]
    with tfds.testing.mock_data(num_examples=100):
        example.main(flags)
    assert "perplexity per subword: " in capsys.readouterr().out
    assert picture.is_file()


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--tfds", "mnist"], "tfds:mnist: no feature text"),
        (["--count", "0"], "--count must be at least 1"),
        (["--temperature", "0"], "--temperature must be a number greater than 0"),
        (["--top-k", "-1"], "--top-k must be at least 0"),
        (["--output", "no_such_folder/a.png"], "no_such_folder"),
    ],
)
def test_invalid_flags_are_reported_before_the_training(flags, message):
    with pytest.raises(UserError, match=message):
        example.main(flags)


def test_texts_that_are_all_too_long_are_reported(monkeypatch):
    monkeypatch.setattr(example, "SUBWORDS", 12)
    texts = ["ba be bi bo bu " * 20] * 40
    monkeypatch.setattr(example, "load", lambda _: (texts, texts[:3], texts[:3]))
    with pytest.raises(UserError, match="too few texts have at most 22 subwords"):
        example.main([])


@pytest.mark.usefixtures("small")
def test_a_prompt_that_is_too_long_is_reported_before_the_training(capsys):
    with pytest.raises(UserError, match="--prompt is too long: at most 21 subwords are possible"):
        example.main(["--prompt", "Ich habe " * 20])
    assert "Epoch" not in capsys.readouterr().out
