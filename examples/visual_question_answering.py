"""Answer questions about pictures, such as "What color is the circle left of the square?"

python examples/visual_question_answering.py
python examples/visual_question_answering.py --tfds clevr

An encoder layer reads the picture. Decoder layers read the question, with cross-attention from its
words to the parts of the picture. The baseline is the same network with blank pictures.
"""

import itertools
import logging
import random
import re
from collections import defaultdict, namedtuple

from keras_transformer.quiet import quiet_import

with quiet_import():  # without the messages that TensorFlow logs while it is imported
    import keras
    import numpy as np
    import tensorflow as tf
    from PIL import Image, ImageColor

import keras_transformer as kt
from keras_transformer.commands import checks, command_line, entry_point
from keras_transformer.errors import UserError, reason
from keras_transformer.model.embeddings import PositionalEmbedding
from keras_transformer.pictures import saving
from keras_transformer.pictures.overlays import Strip, plot_over_images
from keras_transformer.text.datasets import download, examples, find_dataset

D_MODEL, HEADS, DFF, BATCH_SIZE, LEARNING_RATE = 48, 4, 96, 16, 1e-3
CELLS, CELL, QUESTIONS = 3, 16, 5  # 3 by 3 cells of 16 by 16 pixels; questions about a picture
COLORS = "red", "blue", "green", "yellow"
Y, X = np.mgrid[-6:7, -6:7]
SHAPES = {  # the pixels (13, 13) of each shape
    "circle": X**2 + Y**2 <= 38,
    "square": np.maximum(abs(X), abs(Y)) <= 5,
    "triangle": (Y <= 5) & (2 * abs(X) <= Y + 6),
    "diamond": abs(X) + abs(Y) <= 6,
}
RELATIONS = {"left of": (1, -1), "right of": (1, 1), "above": (0, -1), "below": (0, 1)}
KINDS = ("color", "shape", "count", "yes/no", "relation", "relation in a new sentence")
TRAINING_KINDS = (*KINDS[:5], *KINDS[2:5], "relation", "relation")  # the hard ones more often

Thing = namedtuple("Thing", "row column color shape")
# N pictures (N, height, width, channels), and Q questions about each: arrays of strings (N, Q).
Data = namedtuple("Data", "pictures kinds questions answers")


def draw_scene(scene, rng):
    """Return a picture (48, 48, 3) with each thing at a random place in its cell."""
    picture = np.full((CELLS * CELL, CELLS * CELL, 3), 235, np.uint8)
    for row, column, color, shape in scene:
        top, left = (CELL * n + rng.randint(0, CELL - 13) for n in (row, column))
        picture[top : top + 13, left : left + 13][SHAPES[shape]] = ImageColor.getrgb(color)
    return picture


def questions_about(scene):
    """Yield (kind, question, answer) for every question about a list of things with one answer."""
    by_shape = {shape: [t for t in scene if t.shape == shape] for shape in SHAPES}
    by_color = {f"{color} thing": [t for t in scene if t.color == color] for color in COLORS}
    for name, things in (by_shape | by_color).items():
        yield "count", f"How many {name}s are there?", str(len(things))
        if len(things) == 1:
            kind = "color" if name in by_shape else "shape"
            yield kind, f"What {kind} is the {name}?", getattr(things[0], kind)
    for (shape, things), (other, others) in itertools.permutations(by_shape.items(), 2):
        if len(others) == 1 and len({t.color for t in things}) > 1:
            for relation, (axis, sign) in RELATIONS.items():  # axis 0: row, 1: column
                found = [t for t in things if sign * (t[axis] - others[0][axis]) > 0]
                question = f"What color is the {shape} {relation} the {other}?"
                if len(found) == 1:
                    is_new = sum(question.encode()) % 10 == 7  # not in the training data
                    yield KINDS[4 + is_new], question, found[0].color
    for one, other in itertools.product(scene, scene):  # color and shape occur, perhaps apart
        is_there = any((t.color, t.shape) == (one.color, other.shape) for t in scene)
        yield "yes/no", f"Is there a {one.color} {other.shape}?", "yes" if is_there else "no"


def make_data(count, split, seed):
    """Return `Data` in which guessing helps little: the answers of a kind are about as frequent."""
    rng, pictures, asked = random.Random(f"{split} {seed}"), [], []
    for _ in range(count):
        cells = rng.sample(range(CELLS**2), rng.randint(2, 6))
        scene = [Thing(*divmod(c, CELLS), rng.choice(COLORS), rng.choice([*SHAPES])) for c in cells]
        possible = defaultdict(lambda: defaultdict(list))
        for kind, question, answer in questions_about(scene):
            possible[kind][answer].append(question)
        kinds = [k for k in (TRAINING_KINDS if split == "train" else KINDS) if k in possible]
        pairs = [(k, rng.choice(sorted(possible[k]))) for k in rng.choices(kinds, k=QUESTIONS)]
        asked.append([(k, rng.choice(sorted(possible[k][a])), a) for k, a in pairs])
        pictures.append(draw_scene(scene, rng))
    return Data(np.array(pictures), *np.moveaxis(np.array(asked), -1, 0))


def load_data(count, split, name):
    """Return `Data` with the first pictures of a dataset that has the features of CLEVR."""
    builder, pictures, asked = find_dataset(name), [], []
    if not {"image", "question_answer"} <= {*builder.info.features}:
        raise UserError(f"tfds:{name} has no pictures with questions and answers")
    download(builder, name)
    for each in itertools.islice(examples(builder, split), count):
        texts = (map(bytes.decode, each["question_answer"][k]) for k in ("question", "answer"))
        pairs = itertools.islice(itertools.cycle(zip(*texts, strict=True)), QUESTIONS)
        asked.append([(question.split(" ")[0], question, answer) for question, answer in pairs])
        pictures.append(np.asarray(Image.fromarray(each["image"]).resize((96, 96))))
    return Data(np.array(pictures), *np.moveaxis(np.array(asked), -1, 0))


class VisualQuestionAnswering(keras.Model):
    """An encoder layer for pictures, and decoder layers for questions about them.

    `embed` maps pictures (B, height, width, channels) to parts (B, R, C, D). The call maps pictures
    and ids of words (B, Q, T) to probabilities of the answers (B, Q, A); `return_attention` adds
    the weights of each layer's cross-attention, (B, Q, H, T, R, C).
    """

    def __init__(self, embed, vocab_size, length, num_answers):
        super().__init__()
        sizes, options = (D_MODEL, HEADS, DFF), kt.Options(norm_first=True)  # learns in fewer steps
        self.embed = embed
        self.picture_layer = kt.EncoderLayer(*sizes, 0.0, options)
        self.embedding = PositionalEmbedding(vocab_size, D_MODEL, length, 0.0)
        self.question_layers = [kt.DecoderLayer(*sizes, 0.0, options) for _ in range(3)]
        self.final_layernorm = keras.layers.LayerNormalization()
        self.classify = keras.layers.Dense(num_answers, activation="softmax")

    def call(self, inputs, return_attention=False):
        (pictures, ids), attention = inputs, []
        count, length = ids.shape[1:]
        parts = self.embed(pictures)  # (B, R, C, D)
        rows, columns = parts.shape[1:3]
        row, column = (kt.positional_encoding(n, D_MODEL // 2)[0] for n in (rows, columns))
        parts += np.concatenate(np.broadcast_arrays(row[:, None], column), -1)  # half of D for each
        parts, _ = self.picture_layer(tf.reshape(parts, (-1, rows * columns, D_MODEL)))
        parts = tf.repeat(parts, count, axis=0)  # (B * Q, R * C, D)
        ids = tf.reshape(ids, (-1, length))  # (B * Q, T)
        mask = kt.create_padding_mask(ids)  # (B * Q, 1, 1, T)
        words = self.embedding(ids)  # (B * Q, T, D)
        for layer in self.question_layers:  # no look-ahead mask: the whole question is known
            words, _, weights = layer(words, parts, look_ahead_mask=mask)  # (B * Q, T, D)
            attention.append(tf.reshape(weights, (-1, count, HEADS, length, rows, columns)))
        real = 1 - mask[:, 0, 0, :, tf.newaxis]  # (B * Q, T, 1)
        mean = tf.reduce_sum(self.final_layernorm(words) * real, 1) / tf.reduce_sum(real, 1)
        answers = tf.reshape(self.classify(mean), (-1, count, self.classify.units))  # (B, Q, A)
        return (answers, attention) if return_attention else answers


def small_cnn():
    """Return four convolutions, each of which halves the height and the width."""
    options = {"strides": 2, "padding": "same", "kernel_initializer": "he_normal"}
    layers = [keras.layers.Conv2D(n, 4, activation="relu", **options) for n in (16, 32, 48)]
    layers = [keras.layers.Rescaling(1 / 127.5, offset=-1), *layers]
    return keras.Sequential([*layers, keras.layers.Conv2D(D_MODEL, 4, **options)])


def vgg16_features(pictures):
    """Return what the third block of VGG16 makes of pictures: (N, R, C, 256)."""
    arguments = {"include_top": False, "input_shape": pictures.shape[1:]}
    try:
        vgg16 = keras.applications.VGG16(**arguments)
    except Exception as error:  # Keras has no class for a failed download
        logging.warning("VGG16 has random weights: %s", reason(error))
        vgg16 = keras.applications.VGG16(**arguments, weights=None)
    features = keras.layers.LayerNormalization()(vgg16.get_layer("block3_pool").output)
    inputs = keras.applications.vgg16.preprocess_input(pictures.astype("float32"))
    return keras.Model(vgg16.inputs, features).predict(inputs)


def compile_and_fit(network, inputs, labels, epochs):
    """Train a network with a learning rate that falls to 0."""
    steps = epochs * -(-len(labels) // BATCH_SIZE)
    rate = keras.optimizers.schedules.CosineDecay(LEARNING_RATE, steps)
    loss = "sparse_categorical_crossentropy"
    network.compile(keras.optimizers.Adam(rate), loss, metrics=["accuracy"], steps_per_execution=25)
    network.fit(inputs, labels, BATCH_SIZE, epochs)


def print_accuracy(data, found):
    """Print the share of correct answers by kind of question, for {name: answers (N, Q)}."""
    print(f"\n{'question':28}", *(f"{name:>15}" for name in found))
    for kind in [*np.unique(data.kinds), "all"]:
        these = (data.kinds == kind) | (kind == "all")
        right = [(answers == data.answers)[these] for answers in found.values()]
        print(f"{kind:28}", *(f"{each.mean():15.1%}" for each in right))


def draw(network, inputs, data, answers, vocabulary):
    """Return a figure of the cross-attention, the mean of the heads, in a few questions."""
    strips = []
    for kind in np.unique(data.kinds)[-4:]:
        n, q = np.argwhere(data.kinds == kind)[0]
        _, attention = network([each[n : n + 1] for each in inputs], return_attention=True)
        words = [vocabulary[i] for i in inputs[1][n, q] if i]
        caption = f"{data.questions[n, q]} {answers[n, q]} (correct: {data.answers[n, q]})"
        for layer, text in (0, f"{caption}, first layer"), (-1, "last layer"):
            weights = np.mean(attention[layer][0, q], axis=0)[: len(words)]  # (T, R, C)
            strips.append(Strip(data.pictures[n] / 255, weights, words, text))
    return plot_over_images(strips, "Attention of the words of a question to the picture")


def parse(arguments):
    """Return the arguments of the command line."""
    parser = command_line.Parser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--backbone", choices=["vgg16"], help="features of VGG16 instead of a small CNN")
    add("--tfds", metavar="NAME", help="clevr, or a dataset with the same features")
    for name, default in ("pictures", 10_000), ("test-pictures", 1000), ("epochs", 8), ("seed", 0):
        add(f"--{name}", type=int, default=default, metavar="N", help=f"default {default}")
    add("--output", default="visual_question_answering.png", metavar="FILE", help="picture file")
    chosen = parser.parse_args(arguments)
    checks.check_at_least_one(chosen, "pictures", "test_pictures", "epochs")
    checks.check_seed(chosen.seed)
    saving.check_path(chosen.output)
    return chosen


def main(arguments=None):
    """Train the network and the blind one, print their accuracy, and draw the attention."""
    chosen = parse(arguments)
    keras.utils.set_random_seed(chosen.seed)
    load, source = (load_data, chosen.tfds) if chosen.tfds else (make_data, chosen.seed)
    train = load(chosen.pictures, "train", source)
    test = load(chosen.test_pictures, "validation", source)
    questions = np.concatenate([train.questions, test.questions])
    texts = [re.findall(r"\w+", question.lower()) for question in questions.flat]
    vocabulary = ["", *sorted({word for text in texts for word in text})]  # id 0 is padding
    ids = [[vocabulary.index(word) for word in text] for text in texts]
    ids = keras.utils.pad_sequences(ids, padding="post")  # (N * Q, T)
    ids = ids.reshape(*questions.shape, -1)  # (N, Q, T)
    answers, labels = np.unique(train.answers, return_inverse=True)
    pictures = np.concatenate([train.pictures, test.pictures])
    pictures = vgg16_features(pictures) if chosen.backbone else pictures
    count, found = len(labels), {}
    for name, visible in (("blind network", 0), ("network", 1)):
        epochs = chosen.epochs if visible else -(-chosen.epochs // 4)  # guessing is learned sooner
        print(f"Training the {name}")
        embed = keras.layers.Conv2D(D_MODEL, 1) if chosen.backbone else small_cnn()
        network = VisualQuestionAnswering(embed, len(vocabulary), ids.shape[-1], len(answers))
        compile_and_fit(network, (pictures[:count] * visible, ids[:count]), labels, epochs)
        inputs = pictures[count:] * visible, ids[count:]
        found[name] = answers[network.predict(inputs, verbose=0).argmax(-1)]
    print_accuracy(test, found)
    saving.save(draw(network, inputs, test, found[name], vocabulary), chosen.output)
    print(f"wrote {chosen.output}")


if __name__ == "__main__":
    entry_point.run(main)
