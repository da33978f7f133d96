"""Training throughput against other programs, on the same pairs and a network of the same shape.

The script measures real target tokens per second of training steps: ours, those of the TensorFlow
tutorial, of PyTorch's `nn.Transformer`, and of OpenNMT-tf. PyTorch is in the extra `benchmarks`;
OpenNMT-tf needs its own environment, given by its Python. Programs that are not installed are
skipped. The script also prints the fraction of the processor's rate of float32 products that our
step reaches.
"""

import argparse
import importlib.util
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from contest import Contestant, compete, ratio
from trainers import batches as files

from keras_transformer.commands import command_line, entry_point
from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    import numpy as np
    import tensorflow as tf

    from keras_transformer.text.batches import make_batches
    from keras_transformer.text.corpus import open_pairs
    from keras_transformer.text.encoded_pairs import EncodedPairs
    from keras_transformer.text.encoding import Encoding
    from keras_transformer.text.subword_training import train_subwords
    from keras_transformer.text.subwords import Subwords

TOKENS_A_BATCH = 3000


def main() -> int:
    parser = command_line.Parser(description=__doc__)
    add = parser.add_argument
    add("--train", nargs="+", required=True, metavar="FILE", help="as in train.py")
    add("--vocab-size", type=int, default=8000, metavar="N", help="joint vocabulary (default 8000)")
    add("--steps", type=int, default=16, metavar="N", help="batches per round (default 16)")
    add("--rounds", type=int, default=5, metavar="N", help="rounds (default 5)")
    python = "Python of an environment with "
    add("--pytorch", default=sys.executable, metavar="PYTHON", help=python + "PyTorch")
    add("--opennmt-tf", metavar="PYTHON", help=python + "OpenNMT-tf 2.32")
    add("--mixed-precision", action="store_true", help="measure ours in bfloat16 too")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        prepare(directory, arguments)
        contestants = start(directory, arguments)
        compete(contestants, arguments.rounds)
        flops = flops_of_steps(files.read(directory, "bucketed"), arguments.vocab_size + 2)
        tokens = files.real_tokens(files.read(directory, "bucketed"))
    ours = contestants[0]
    for each in contestants:
        print(f"{each.name:24} {each.median:8,.0f} target tokens/s; ours: {ratio(ours, each)}")
    reached, rate = flops / tokens * ours.median, product_rate()
    print(
        f"ours: {reached / 1e9:.0f} of {rate / 1e9:.0f} GFLOP/s of float32 products: "
        f"{reached / rate:.0%}"
    )
    return 0


def prepare(directory: str, arguments: argparse.Namespace) -> None:
    """Write the batches of one round, bucketed and fixed, for all trainers to read."""
    pairs = list(open_pairs(arguments.train, "en", "de"))
    model = Path(directory) / "joint.model"
    train_subwords((side for pair in pairs for side in pair), arguments.vocab_size, model)
    subwords = Subwords.load(model, "en")
    encoded = EncodedPairs(pairs, Encoding(subwords, subwords, 41, 42))
    sizes = {"bucketed": TOKENS_A_BATCH // 41, "fixed": 64}
    for batching, size in sizes.items():
        batches = make_batches(encoded, batching, size, len(pairs), seed=1).take(arguments.steps)
        files.write(directory, batching, list(batches.as_numpy_iterator()))
    files.write_vocab_size(directory, subwords.size)


def start(directory: str, arguments: argparse.Namespace) -> list[Contestant]:
    """Return the contestants, ours first."""
    contestants = [Contestant("ours", "trainers.ours", [directory])]
    if arguments.mixed_precision:
        flags = [directory, "--mixed-precision"]
        contestants.append(Contestant("ours, bfloat16", "trainers.ours", flags))
    contestants.append(Contestant("the tutorial", "trainers.tutorial", [directory]))
    if arguments.pytorch != sys.executable or importlib.util.find_spec("torch"):
        name, module = "PyTorch nn.Transformer", "trainers.pytorch"
        contestants.append(Contestant(name, module, [directory], arguments.pytorch))
    if arguments.opennmt_tf:
        quiet = os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3"}
        opennmt = "OpenNMT-tf", "trainers.opennmt_tf", [directory], arguments.opennmt_tf, quiet
        contestants.append(Contestant(*opennmt))
    return contestants


def flops_of_steps(batches: Sequence[files.Batch], vocab_size: int) -> int:
    """Return the floating-point operations in the matrix products of training steps.

    Each product is computed once forward and twice backward, with 2 operations per weight and
    position. Logits are computed for real tokens only.
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


def product_rate(size: int = 2048, rounds: int = 20) -> float:
    """Return the floating-point operations per second of a product of large float32 matrices."""
    a = tf.random.normal((size, size))
    product = tf.function(lambda: tf.reduce_sum(tf.matmul(a, a)), autograph=False)
    seconds = []
    for _ in range(rounds + 1):
        begin = time.perf_counter()
        float(product())
        seconds.append(time.perf_counter() - begin)
    return 2 * size**3 / statistics.median(seconds[1:])


if __name__ == "__main__":
    entry_point.run(main)
