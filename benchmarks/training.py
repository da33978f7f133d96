"""Training speed against others, on the same pairs and a network of the same shape.

Real target tokens a second of training steps: ours, the TensorFlow tutorial's way, PyTorch's
`nn.Transformer`, and OpenNMT-tf. PyTorch is in the extra `benchmarks`; OpenNMT-tf needs an
environment of its own, whose Python is given. Who is not there is left out. It also tells which
part of the processor's rate of float32 products our step reaches.
"""

import importlib.util
import statistics
import sys
import tempfile
import time
from pathlib import Path

from contest import Contestant, compete, ratio
from trainers import batches as files

from keras_transformer.commands import command_line
from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    import numpy as np
    import tensorflow as tf

    from keras_transformer.text.batches import EncodedPairs, make_batches
    from keras_transformer.text.corpus import open_pairs
    from keras_transformer.text.subwords import Subwords, train_subwords

TRAINERS = Path(__file__).parent / "trainers"
TOKENS_A_BATCH = 3000


def main():
    parser = command_line.Parser(description=__doc__)
    add = parser.add_argument
    add("--train", nargs="+", required=True, metavar="FILE", help="as in train.py")
    add("--vocab-size", type=int, default=8000, metavar="N", help="joint (default 8000)")
    add("--steps", type=int, default=16, metavar="N", help="batches a round (default 16)")
    add("--rounds", type=int, default=5, metavar="N", help="rounds (default 5)")
    python = "Python of an environment with "
    add("--pytorch", default=sys.executable, metavar="PYTHON", help=python + "PyTorch")
    add("--opennmt-tf", metavar="PYTHON", help=python + "OpenNMT-tf 2.32")
    add("--mixed-precision", action="store_true", help="ours also in bfloat16")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        prepare(directory, arguments)
        contestants = start(directory, arguments)
        compete(contestants, arguments.rounds)
        flops = flops_of_steps(files.read(directory, "bucketed"), arguments.vocab_size + 2)
        tokens = files.real_tokens(files.read(directory, "bucketed"))
    ours = contestants[0]
    for each in contestants:
        print(f"{each.name:28} {each.median:8,.0f} target tokens/s; ours: {ratio(ours, each):.2f}")
    reached, rate = flops / tokens * ours.median, product_rate()
    print(
        f"ours: {reached / 1e9:.0f} of {rate / 1e9:.0f} GFLOP/s of float32 products: "
        f"{reached / rate:.0%}"
    )
    return 0


def prepare(directory, arguments):
    """Writes the batches of one round, of like length and of fixed shape, for all to read."""
    pairs = list(open_pairs(arguments.train, "en", "de"))
    model = Path(directory) / "joint.model"
    train_subwords((side for pair in pairs for side in pair), arguments.vocab_size, model)
    subwords = Subwords.load(model, "en")
    encoded = EncodedPairs(pairs, subwords, subwords, 41, 42)
    sizes = {"bucketed": TOKENS_A_BATCH // 41, "fixed": 64}
    for batching, size in sizes.items():
        batches = make_batches(encoded, batching, size, len(pairs), seed=1).take(arguments.steps)
        files.write(directory, batching, list(batches.as_numpy_iterator()))
    files.write_vocab_size(directory, subwords.size)


def start(directory, arguments):
    """The contestants, ours first."""
    python = sys.executable
    contestants = [Contestant("ours", [python, TRAINERS / "ours.py", directory])]
    if arguments.mixed_precision:
        command = [python, TRAINERS / "ours.py", directory, "--mixed-precision"]
        contestants.append(Contestant("ours, bfloat16", command))
    contestants.append(
        Contestant("the tutorial's way", [python, TRAINERS / "tutorial.py", directory])
    )
    if arguments.pytorch != python or importlib.util.find_spec("torch"):
        command = [arguments.pytorch, TRAINERS / "pytorch.py", directory]
        contestants.append(Contestant("PyTorch nn.Transformer", command))
    if arguments.opennmt_tf:
        command = [arguments.opennmt_tf, TRAINERS / "opennmt_tf.py", directory]
        contestants.append(Contestant("OpenNMT-tf", command))
    return contestants


def flops_of_steps(batches, vocab_size):
    """Floating-point operations in the matrix products of training steps.

    Each product is made once forward and twice backward, with 2 operations for each weight and
    position; logits are made for real tokens only.
    """
    layers, depth, inner = (files.SHAPE[name] for name in ("num_layers", "d_model", "dff"))
    attention, feed_forward = 4 * depth**2, 2 * depth * inner
    total = 0
    for source, target in batches:
        (rows, read), written = source.shape, target.shape[1] - 1
        total += layers * rows * read * (attention + feed_forward + 2 * depth**2)
        total += layers * rows * written * (2 * attention + feed_forward - 2 * depth**2)
        scores = read**2 + written**2 + written * read
        total += layers * rows * 2 * depth * scores
        total += np.count_nonzero(target[:, 1:]) * depth * vocab_size
    return 6 * total


def product_rate(size=2048, rounds=20):
    """Floating-point operations a second of a product of two large float32 matrices."""
    a = tf.random.normal((size, size))
    product = tf.function(lambda: tf.reduce_sum(tf.matmul(a, a)), autograph=False)
    seconds = []
    for _ in range(rounds + 1):
        begin = time.perf_counter()
        float(product())
        seconds.append(time.perf_counter() - begin)
    return 2 * size**3 / statistics.median(seconds[1:])


if __name__ == "__main__":
    command_line.run(main)
