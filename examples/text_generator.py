"""Generate German sentences with a decoder-only Transformer; the baseline is an n-gram model.

python examples/text_generator.py --prompt "Ich habe" --temperature 0.5
"""

import itertools

import numpy as np
from nltk import everygrams, lm, ngrams

import keras_transformer as kt
from keras_transformer.quiet import quiet_import

with quiet_import():  # without the messages that TensorFlow logs while it is imported
    import keras
    import tensorflow as tf

from keras_transformer.commands import checks, command_line, entry_point, search_flags
from keras_transformer.model.caches import GrowingCache
from keras_transformer.model.embeddings import TiedProjection
from keras_transformer.phrasebook.corpus import grammar_pairs
from keras_transformer.pictures import saving, style
from keras_transformer.search.execution import TensorFlowExecution
from keras_transformer.search.sampling import Sampling
from keras_transformer.search.strategy import Target, search
from keras_transformer.text.datasets import examples, load_dataset
from keras_transformer.text.subword_training import trained_subwords

TEXTS, SUBWORDS, BATCH_SIZE = 40_000, 2000, 32
LENGTH = 24  # ids of a sentence, with start and end; longer sentences are left out
SAMPLING = kt.SearchSettings("sampling", temperature=0.7, top_k=20, seed=0)


class LanguageModel(keras.Model):
    """An encoder with a look-ahead mask: from ids (B, T) to the next ids' logits (B, T, V)."""

    def __init__(self, num_layers, d_model, num_heads, dff, vocab_size, length, rate=0.1):
        super().__init__()
        self.cache_shape = num_heads, d_model // num_heads
        self.stack = kt.Encoder(num_layers, d_model, num_heads, dff, vocab_size, length, rate)
        self.final_layer = TiedProjection(self.stack.embedding)

    def call(self, ids, training=None):
        mask = kt.create_look_ahead_mask(tf.shape(ids)[1])
        return self.final_layer(self.stack(ids, training=training, mask=mask)[0])

    def caches(self, batch):
        """Return the empty cache of each layer, for `batch` sequences."""
        shape = *self.cache_shape, self.compute_dtype
        return [GrowingCache.empty(batch, *shape) for _ in self.stack.enc_layers]

    def step(self, ids, position, caches):
        """Return logits (B, k, V) for one more position with ids (B, k), and the new caches."""
        x, caches = self.stack.embedding.step(ids, position), list(caches)
        for i, layer in enumerate(self.stack.enc_layers):
            x, caches[i] = layer.step(x, position, caches[i])
        return self.final_layer(self.stack.final_layernorm(x)), caches


def sample(network, subwords, settings, count, prompt=""):
    """Return `count` sentences that begin with a prompt, drawn with these `SearchSettings`."""
    begin = subwords.encode(prompt)[1:-1]
    bias = np.zeros((LENGTH, subwords.size), np.float32)
    bias[:, subwords.suppressed_ids()] = -1e9
    bias[range(len(begin)), begin] = 1e9

    def step(ids, position, lineage, caches):
        logits, caches = network.step(ids, position, caches)
        return logits + tf.constant(bias)[position], caches

    target = Target(subwords.start, subwords.end, LENGTH - 1)
    strategy, count = Sampling(settings, target, TensorFlowExecution()), tf.constant(count)
    found = tf.function(lambda: search(strategy, step, count, network.caches(count)))()
    return [subwords.decode(ids) for ids in found.ids[:, 0].numpy()]


def ngram_perplexity(train, validation, test, size):
    """Return the perplexity of n-grams on the test ids, each below `size`, and their order n."""

    def perplexity(part, order):
        grams = [gram for ids in part for gram in ngrams(ids[4 - order :], order)]
        return 2 ** -np.mean([model.logscore(word, context) for *context, word in grams])

    parts = [[[*map(str, ids[:1] * 2 + ids)] for ids in part] for part in (train, validation, test)]
    model = lm.WittenBellInterpolated(4)
    model.fit([[(str(i),) for i in range(size)]], map(str, range(size)))  # no probability is 0
    model.fit([g for g in everygrams(ids, max_len=4) if g[-1] != ids[0]] for ids in parts[0])
    order = min((2, 3, 4), key=lambda order: perplexity(parts[1], order))
    return perplexity(parts[2], order), order


def draw(network, subwords, sentence):
    """Return a figure of the attention in the last layer while a sentence is written."""
    ids = subwords.encode(sentence)[:LENGTH]
    mask = kt.create_look_ahead_mask(len(ids) - 1)  # (T, T)
    _, attention = network.stack(tf.constant([ids[:-1]]), training=False, mask=mask)
    weights = np.where(mask, np.nan, attention[-1][0])  # (H, T, T)
    labels = list(map(style.shown, subwords.labels(ids)))
    axes = kt.Axis("subword being written", labels[1:]), kt.Axis("subword read", labels[:-1])
    return kt.plot_attention(weights, *axes, "Attention of the last layer", [sentence])


def load(name):
    """Return training, validation and test texts, from TFDS or the built-in corpus's grammar."""
    if name:
        builder = load_dataset(name, "text")
        texts = [each["text"].decode() for each in examples(builder, f"train[:{TEXTS}]")]
    else:
        texts = [german for _, german in itertools.islice(grammar_pairs(seed=0), TEXTS)]
    return [text for i, text in enumerate(texts) if i % 20 > 1], texts[::20], texts[1::20]


def main(arguments=None):
    """Train, print both perplexities, generate sentences, and draw the attention of one."""
    parser = command_line.Parser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--tfds", metavar="NAME", help="a dataset with the feature text, such as lm1b")
    add("--epochs", type=int, default=3, metavar="N", help="default 3")
    add("--count", type=int, default=10, metavar="N", help="sentences to generate (default 10)")
    add("--prompt", default="", metavar="TEXT", help="the beginning of each sentence")
    add("--temperature", type=float, metavar="X", help="default 0.7; 1: as the network predicts")
    add("--top-k", type=int, metavar="N", help="sample from the N best (default 20; 0: all)")
    add("--seed", type=int, metavar="N", help="default 0")
    add("--output", default="text_generator.png", metavar="FILE", help="picture file")
    flags = parser.parse_args(arguments)
    checks.check_at_least_one(flags, "epochs", "count")
    saving.check_path(flags.output)
    settings = search_flags.search_settings(flags, SAMPLING)
    keras.utils.set_random_seed(settings.seed)
    texts = load(flags.tfds)
    subwords = trained_subwords(texts[0], SUBWORDS, "de")
    if len(subwords.encode(flags.prompt)) >= LENGTH:
        raise kt.UserError(f"--prompt is too long: at most {LENGTH - 3} subwords are possible")
    parts = [[i for i in map(subwords.encode, part) if len(i) <= LENGTH] for part in texts]
    if len(parts[0]) < BATCH_SIZE or not all(parts):
        raise kt.UserError(f"too few texts have at most {LENGTH - 2} subwords")
    train, _, test = (keras.utils.pad_sequences(part, LENGTH, padding="post") for part in parts)
    network = LanguageModel(2, 128, 4, 256, subwords.size, LENGTH, rate=0.0)
    steps = len(train) // BATCH_SIZE * flags.epochs
    rate = keras.optimizers.schedules.CosineDecay(0.0, steps, warmup_target=3e-3, warmup_steps=500)
    network.compile(keras.optimizers.Adam(rate), kt.MaskedCrossentropy(), steps_per_execution=10)
    network.fit(train[:, :-1], train[:, 1:], batch_size=BATCH_SIZE, epochs=flags.epochs)
    loss = network.evaluate(test[:, :-1], test[:, 1:], len(test), verbose=0)  # in one batch
    of_ngrams, order = ngram_perplexity(*parts, subwords.size)
    print(f"perplexity per subword: {np.exp(loss):.1f}, of {order}-grams: {of_ngrams:.1f}")
    print(*(written := sample(network, subwords, settings, flags.count, flags.prompt)), sep="\n")
    saving.save(draw(network, subwords, written[0]), flags.output)
    print(f"wrote {flags.output}")


if __name__ == "__main__":
    entry_point.run(main)
