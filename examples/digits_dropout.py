"""Measure the effect of dropout on a small encoder that classifies pictures of digits.

python examples/digits_dropout.py
python examples/digits_dropout.py --tfds mnist --rates 0 0.3

Dropout sets random activations to 0 during training, so that a network cannot rely on any of them
(Srivastava et al. 2014). The encoder reads a picture like a sentence whose words are the rows of
pixels. It is trained with every rate and with several seeds. A seed selects the training pictures
and the initial weights, so that rates can be compared seed by seed.
"""

from keras_transformer.quiet import quiet_import

with quiet_import():  # without the messages that TensorFlow logs while it is imported
    import keras
    import numpy as np
    import tensorflow as tf
    from tqdm import tqdm

import keras_transformer as kt
from keras_transformer.commands import checks, command_line, entry_point
from keras_transformer.pictures import saving
from keras_transformer.pictures.spreads import Spread, plot_spreads
from keras_transformer.pictures.style import COLORS
from keras_transformer.text.datasets import labelled_images, load_dataset

MAX_TEST = 1000  # pictures


class RowClassifier(keras.Model):
    """Two encoder layers over the rows of a picture, the mean of the rows, and a dense layer.

    The call maps pictures (B, S, width), which have S rows of pixels from 0 to 1, to logits (B, C)
    of the `num_classes` classes.
    """

    def __init__(self, num_rows, num_classes, rate, d_model=64):
        super().__init__()
        self.embed = keras.layers.Dense(d_model, name="embed")
        self.positions = kt.positional_encoding(num_rows, d_model)  # (1, S, D)
        self.enc_layers = [kt.EncoderLayer(d_model, 4, 2 * d_model, rate) for _ in range(2)]
        self.classify = keras.layers.Dense(num_classes, name="classify")

    def call(self, images, training=None):
        x = self.embed(images) + self.positions  # (B, S, D)
        for layer in self.enc_layers:
            x, _ = layer(x, training=training)
        return self.classify(tf.reduce_mean(x, axis=1))  # (B, C)


class Accuracies(keras.callbacks.Callback):
    """Measures the accuracy on sets of pictures after every epoch, without dropout."""

    def __init__(self, *sets):
        super().__init__()
        self.sets, self.found = sets, []

    def on_epoch_end(self, epoch, logs=None):
        guesses = [np.argmax(self.model(images, training=False), -1) for images, _ in self.sets]
        pairs = zip(guesses, self.sets, strict=True)
        self.found.append([np.mean(guess == labels) for guess, (_, labels) in pairs])


def load(name):
    """Return pictures (N, S, width) from 0 to 1, and their classes (N,).

    They are those of a dataset of TensorFlow Datasets, or the 1,797 digits of scikit-learn.
    """
    if name:
        images, labels = labelled_images(load_dataset(name, "image", "label"), "train")
        return images.mean(axis=-1), labels
    from sklearn.datasets import load_digits

    return load_digits().images.astype("float32") / 16, load_digits().target


def make_network(pictures, classes, rate):
    """Return a network for pictures (N, S, width). Its initial weights do not depend on the rate.

    Dropout with a rate above 0 would change them: it draws from the same random numbers.
    """
    networks = []
    for each in (0.0, rate):
        networks.append(RowClassifier(pictures.shape[1], classes, each))
        networks[-1](pictures)  # creates the weights, before the next network draws numbers
    initial, network = networks
    network.set_weights(initial.get_weights())
    return network


def train(data, rate, seed, flags):
    """Train a network; return its accuracy on training and test pictures, (epochs, 2)."""
    keras.utils.set_random_seed(seed)
    order = np.random.permutation(len(data[0]))
    parts = order[: flags.train_size], order[flags.train_size :][:MAX_TEST]
    known, unknown = ([array[part] for array in data] for part in parts)
    network = make_network(known[0][:1], int(data[1].max()) + 1, rate)
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    network.compile(keras.optimizers.Adam(2e-3), loss, steps_per_execution=8)
    after_epoch = Accuracies(known, unknown)
    network.fit(*known, 25, flags.epochs, verbose=0, callbacks=[after_epoch])
    return after_epoch.found


def report(rates, accuracy):
    """Print the accuracy (rates, seeds) on test pictures, and compare rates with the smallest."""
    least = int(np.argmin(rates))
    print("rate   test accuracy: mean, smallest, largest")
    for rate, found in zip(rates, accuracy, strict=True):
        print(f"{rate:4g}   {found.mean():19.2%}  {found.min():.2%}  {found.max():.2%}")
    for i in sorted(set(range(len(rates))) - {least}, key=lambda i: rates[i]):
        gain = accuracy[i] - accuracy[least]
        print(
            f"rate {rates[i]:g} against {rates[least]:g}: {100 * gain.mean():+.2f} points, "
            f"better with {np.sum(gain > 0)} of {len(gain)} seeds"
        )


def make_parser():
    """Return the parser of the command line."""
    parser = command_line.Parser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--tfds", metavar="NAME", help="a dataset of pictures, such as mnist")
    text = "rates of dropout (default 0 0.1 0.2 0.4)"
    add("--rates", type=float, nargs="+", default=[0, 0.1, 0.2, 0.4], metavar="X", help=text)
    add("--seeds", type=int, default=4, metavar="N", help="number of seeds (default 4)")
    add("--train-size", type=int, default=200, metavar="N", help="training pictures (default 200)")
    add("--epochs", type=int, default=40, metavar="N", help="default 40")
    add("--output", default="digits_dropout.png", metavar="FILE", help="picture file")
    return parser


def main(arguments=None):
    """Train with every rate and seed, print the results, and draw the curves."""
    flags = make_parser().parse_args(arguments)
    checks.check_at_least_one(flags, "seeds", "train_size", "epochs")
    saving.check_path(flags.output)
    if not all(0 <= rate < 1 for rate in flags.rates):
        raise kt.UserError("--rates must be at least 0 and less than 1")
    if len(flags.rates) > len(COLORS):
        raise kt.UserError(f"{len(flags.rates)} rates: there are colors for {len(COLORS)} only")
    data = load(flags.tfds)
    if flags.train_size >= len(data[0]):
        raise kt.UserError(f"--train-size must be less than {len(data[0])}, the number of pictures")
    trainings = [(rate, seed) for rate in flags.rates for seed in range(flags.seeds)]
    found = [train(data, *each, flags) for each in tqdm(trainings, unit="training")]
    accuracy = np.reshape(found, (len(flags.rates), flags.seeds, flags.epochs, 2))
    report(flags.rates, accuracy[:, :, -1, 1])
    labels, names = [f"rate {rate:g}" for rate in flags.rates], ("training", "test")
    panels = {
        f"accuracy on {name} pictures": list(map(Spread, labels, accuracy[..., part]))
        for part, name in enumerate(names)
    }
    title = f"Dropout on digits: {flags.train_size} training pictures, {flags.seeds} seeds"
    epochs = np.arange(1, flags.epochs + 1)
    saving.save(plot_spreads(panels, epochs, "epoch", title), flags.output)
    print(f"wrote {flags.output}")


if __name__ == "__main__":
    entry_point.run(main)
