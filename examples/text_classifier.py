"""Classify sentences with the Transformer's encoder alone.

python examples/text_classifier.py
python examples/text_classifier.py --tfds imdb_reviews --length 200

The task depends on word order alone: is a sentence written forward or backward? The grammar of the
built-in corpus generates the sentences. Both classes consist of the same words, so the baseline, a
bag of words, can only guess. With `--tfds imdb_reviews`, the task is to tell good reviews from bad.
"""

import itertools

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

import keras_transformer as kt
from keras_transformer.quiet import quiet_import

with quiet_import():  # without the messages that TensorFlow logs while it is imported
    import keras
    import tensorflow as tf

from keras_transformer.commands import checks, command_line, entry_point
from keras_transformer.phrasebook.corpus import grammar_pairs
from keras_transformer.pictures import saving
from keras_transformer.text.datasets import examples, load_dataset

VOCABULARY = 10_000  # words; all others have the same id
SHORTEST = 4  # different words of a sentence


class TextClassifier(keras.Model):
    """The mean of the encoder's output over the real words, and a dense layer.

    The arguments are those of `Encoder`, and the number of classes C. The call maps word ids
    (B, S), padded with 0, to logits (B, C). With `return_attention`, it also returns the attention
    weights of each layer, (B, H, S, S).
    """

    def __init__(self, *encoder_arguments, num_classes):
        super().__init__()
        self.encoder = kt.Encoder(*encoder_arguments, name="encoder")
        self.classify = keras.layers.Dense(num_classes, name="classify")

    def call(self, ids, training=None, return_attention=False):
        mask = kt.create_padding_mask(ids)  # (B, 1, 1, S)
        features, weights = self.encoder(ids, training=training, mask=mask)  # (B, S, D)
        real = 1 - mask[:, 0, 0, :, tf.newaxis]  # (B, S, 1)
        mean = tf.reduce_sum(features * real, axis=1) / tf.maximum(tf.reduce_sum(real, axis=1), 1)
        logits = self.classify(mean)  # (B, C)
        return (logits, weights) if return_attention else logits


def word_orders(count, seed):
    """Return the training set, the test set and the names of the classes.

    A set consists of texts and classes. Both orders of a sentence are in the same set.
    """
    cleaned = (clean(english) for english, _ in grammar_pairs(seed))
    long = (each for each in cleaned if len(set(each.split())) >= SHORTEST)
    sentences = list(dict.fromkeys(itertools.islice(long, count)))
    parts = sentences[len(sentences) // 10 :], sentences[: len(sentences) // 10]
    sets = [
        ([text for each in part for text in (each, backward(each))], np.tile([0, 1], len(part)))
        for part in parts
    ]
    return *sets, ["forward", "backward"]


def clean(sentence):
    """Return a sentence without what marks its ends: capital letters and punctuation."""
    return "".join(c for c in sentence.lower() if c.isalnum() or c in " '").strip()


def backward(sentence):
    """Return a sentence with its words in reverse order."""
    return " ".join(reversed(sentence.split()))


def tfds_texts(name):
    """Return the same as `word_orders` for a dataset with a training and a test split."""
    builder = load_dataset(name, "text", "label")
    parts = [list(examples(builder, split)) for split in ("train", "test")]
    sets = [([e["text"].decode() for e in p], np.array([e["label"] for e in p])) for p in parts]
    return *sets, builder.info.features["label"].names


def bag_of_words_accuracy(train, test):
    """Return the test accuracy of a logistic regression on the counts of words."""
    counts = CountVectorizer(max_features=VOCABULARY, token_pattern=r"[\w']+")
    return make_pipeline(counts, LogisticRegression(max_iter=200)).fit(*train).score(*test)


def draw(network, vectorize, text, names):
    """Return a figure of the attention in the last layer while a text is read."""
    words, ids = vectorize.get_vocabulary(), vectorize(tf.constant([text]))
    logits, attention = network(ids, training=False, return_attention=True)
    labels = [words[i] for i in ids[0] if i != 0][:40]
    weights = attention[-1][0, :, : len(labels), : len(labels)].numpy()  # (H, S, S)
    probability = tf.nn.softmax(logits[0]).numpy()
    title = f"Class {names[probability.argmax()]}, probability {probability.max():.3f}"
    return kt.plot_attention(weights, kt.Axis("word", labels), kt.Axis("attends to", labels), title)


def parse(arguments):
    """Return the arguments of the command line."""
    parser = command_line.Parser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--tfds", metavar="NAME", help="a dataset of texts with labels, such as imdb_reviews")
    add("--length", type=int, default=20, metavar="N", help="words read of a text (default 20)")
    add("--sentences", type=int, default=8000, metavar="N", help="number (default 8000)")
    add("--epochs", type=int, default=3, metavar="N", help="default 3")
    add("--seed", type=int, default=0, metavar="N", help="default 0")
    add("--output", default="text_classifier.png", metavar="FILE", help="picture file")
    chosen = parser.parse_args(arguments)
    checks.check_at_least_one(chosen, "length", "epochs")
    checks.check_seed(chosen.seed)
    if chosen.sentences < 10:
        raise kt.UserError("--sentences must be at least 10: one in ten is for testing")
    saving.check_path(chosen.output)
    return chosen


def main(arguments=None):
    """Train the encoder and the bag of words, print their accuracy, and draw the attention."""
    chosen = parse(arguments)
    keras.utils.set_random_seed(chosen.seed)
    train, test, names = (
        tfds_texts(chosen.tfds) if chosen.tfds else word_orders(chosen.sentences, chosen.seed)
    )
    vectorize = keras.layers.TextVectorization(VOCABULARY, output_sequence_length=chosen.length)
    vectorize.adapt(train[0])
    size = vectorize.vocabulary_size()
    network = TextClassifier(2, 64, 4, 128, size, chosen.length, num_classes=len(names))
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    network.compile(keras.optimizers.Adam(1e-3), loss, metrics=["accuracy"])
    ids, test_ids = (vectorize(tf.constant(texts)) for texts, _ in (train, test))
    network.fit(ids, train[1], batch_size=64, epochs=chosen.epochs)
    accuracy = network.evaluate(test_ids, test[1], verbose=0)[1]
    print(f"encoder: test accuracy {accuracy:.2%}")
    print(f"bag of words: test accuracy {bag_of_words_accuracy(train, test):.2%}")
    saving.save(draw(network, vectorize, test[0][0], names), chosen.output)
    print(f"wrote {chosen.output}")


if __name__ == "__main__":
    entry_point.run(main)
