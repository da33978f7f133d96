"""Classify pictures of digits with the Transformer's encoder, which reads patches instead of words.

python examples/image_classifier.py
python examples/image_classifier.py --tfds mnist --epochs 3

A picture is cut into square patches. A dense layer embeds each patch, as `Embedding` does each
word, and the positional encoding is added. One learned vector, the class token, precedes them. It
belongs to no patch, and its output is classified (Dosovitskiy et al. 2021). A dense network, which
reads all pixels at once, is the baseline.
"""

from keras_transformer.quiet import quiet_import

with quiet_import():  # without the messages that TensorFlow logs while it is imported
    import keras
    import numpy as np
    import tensorflow as tf

import keras_transformer as kt
from keras_transformer.commands import checks, command_line, entry_point
from keras_transformer.pictures import saving
from keras_transformer.pictures.overlays import VEIL, Strip, plot_over_images, tint
from keras_transformer.text.datasets import labelled_images, load_dataset

MAX_PATCHES = 49  # the cost of attention grows with the square of their number


class ImageClassifier(keras.Model):
    """A vision transformer for pictures of `size` by `size` pixels, whose patches are `patch` wide.

    The call maps pictures (B, size, size, channels), from 0 to 1, to logits (B, C) of the
    `num_classes` classes. With `return_attention`, it also returns the attention weights of each
    layer, (B, H, S, S). The S positions are the class token and the patches, row by row.
    """

    def __init__(self, size, patch, num_classes, num_layers, d_model, num_heads, dff, rate):
        super().__init__()
        # A convolution whose stride is its width applies one dense layer to every patch.
        self.embed = keras.layers.Conv2D(d_model, patch, strides=patch, name="embed")
        self.flatten = keras.layers.Reshape((-1, d_model))
        self.positions = kt.positional_encoding((size // patch) ** 2 + 1, d_model)  # (1, S, D)
        self.class_token = self.add_weight(shape=(1, 1, d_model), name="class_token")
        shape = d_model, num_heads, dff, rate
        self.enc_layers = [kt.EncoderLayer(*shape) for _ in range(num_layers)]
        self.classify = keras.layers.Dense(num_classes, name="classify")

    def call(self, images, training=None, return_attention=False):
        patches = self.flatten(self.embed(images))  # (B, S - 1, D)
        token = tf.repeat(self.class_token, tf.shape(patches)[0], axis=0)  # (B, 1, D)
        x = tf.concat([token, patches], axis=1) + self.positions  # (B, S, D)
        attention = []
        for layer in self.enc_layers:
            x, weights = layer(x, training=training)
            attention.append(weights)
        logits = self.classify(x[:, 0])  # (B, C)
        return (logits, attention) if return_attention else logits


def dense_network(num_classes):
    """Return the baseline: two hidden layers over all pixels."""
    layers = [keras.layers.Dense(units, "relu") for units in (256, 128)]
    output = keras.layers.Dropout(0.1), keras.layers.Dense(num_classes)
    return keras.Sequential([keras.layers.Flatten(), *layers, *output])


def digits(seed):
    """Return the digits of scikit-learn, (8, 8, 1) each: 1,257 to train with, 540 to test with."""
    from sklearn.datasets import load_digits
    from sklearn.model_selection import train_test_split

    images, labels = load_digits(return_X_y=True)
    images = images.reshape(-1, 8, 8, 1).astype("float32") / 16
    parts = train_test_split(images, labels, test_size=0.3, stratify=labels, random_state=seed)
    return (parts[0], parts[2]), (parts[1], parts[3])


def tfds_images(name):
    """Return the training and the test pictures of a dataset of TensorFlow Datasets."""
    builder = load_dataset(name, "image", "label")
    parts = [labelled_images(builder, split) for split in ("train", "test")]
    height, width = parts[0][0].shape[1:3]
    if height != width:
        raise kt.UserError(f"tfds:{name}: the pictures are not square: {height} by {width}")
    return parts


def patch_size(size):
    """Return the smallest divisor of `size` with which a picture has at most 49 patches."""
    return next(p for p in range(1, size + 1) if size % p == 0 and (size // p) ** 2 <= MAX_PATCHES)


def fit(network, train, test, epochs):
    """Train a network and return its accuracy on the test pictures."""
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    network.compile(keras.optimizers.Adam(1e-3), loss, metrics=["accuracy"])
    network.fit(*train, batch_size=32, epochs=epochs)
    return network.evaluate(*test, verbose=0)[1]


def draw(network, test, count=4):
    """Return a figure of where the class token of the last layer looks in the first pictures."""
    images = test[0][:count]
    logits, attention = network(images, training=False, return_attention=True)
    side = round((attention[-1].shape[-1] - 1) ** 0.5)
    weights = attention[-1][:, :, 0, 1:].numpy()  # (B, H, S - 1), from the class token to patches
    weights = weights.reshape(*weights.shape[:2], side, side)
    heads = [f"head {head + 1}" for head in range(weights.shape[1])]
    found = zip(images, weights, test[1], np.argmax(logits, axis=-1), strict=False)
    strips = [
        Strip(np.squeeze(image), matrices, heads, f"class {label}, classified as {guess}")
        for image, matrices, label, guess in found
    ]
    colors = tint(1) if images.shape[-1] == 1 else VEIL
    return plot_over_images(strips, "Attention of the class token, last layer", colors)


def make_parser():
    """Return the parser of the command line."""
    parser = command_line.Parser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--tfds", metavar="NAME", help="a dataset of square pictures, such as mnist or cifar10")
    add("--epochs", type=int, default=40, metavar="N", help="default 40")
    add("--seed", type=int, default=0, metavar="N", help="default 0")
    add("--output", default="image_classifier.png", metavar="FILE", help="picture file")
    return parser


def main(arguments=None):
    """Train both networks, print their accuracy, and draw the attention."""
    flags = make_parser().parse_args(arguments)
    checks.check_at_least_one(flags, "epochs")
    checks.check_seed(flags.seed)
    saving.check_path(flags.output)
    keras.utils.set_random_seed(flags.seed)
    train, test = tfds_images(flags.tfds) if flags.tfds else digits(flags.seed)
    size, classes = train[0].shape[1], int(train[1].max()) + 1
    encoder = ImageClassifier(size, patch_size(size), classes, 2, 64, 4, 128, 0.1)
    networks = {"encoder": encoder, "dense network": dense_network(classes)}
    accuracies = {name: fit(each, train, test, flags.epochs) for name, each in networks.items()}
    for name, accuracy in accuracies.items():
        print(f"{name}: {networks[name].count_params():,} weights, test accuracy {accuracy:.2%}")
    saving.save(draw(encoder, test), flags.output)
    print(f"wrote {flags.output}")


if __name__ == "__main__":
    entry_point.run(main)
