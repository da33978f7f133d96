"""What TensorBoard shows besides curves: sample translations, and the attention of one pair.

The pair is the same during the whole training, and the decoder reads its reference (teacher
forcing). The rows of the attention can therefore be compared from step to step, and a film of them
shows how they become aligned.
"""

import functools
import re
import sys
from collections.abc import Callable, Sequence

import numpy as np
import tensorflow as tf

from keras_transformer.errors import reason
from keras_transformer.inspection.history.recorded_attention import PLUGIN, TAG, RecordedAttention
from keras_transformer.search.settings import SearchSettings
from keras_transformer.text.pairs import Pair
from keras_transformer.training.curves import is_recording, record
from keras_transformer.translation.translation import Translation
from keras_transformer.translation.translator import Translator

SENTENCES = 8  # that are translated after each epoch
LENGTH = 10  # subwords of each side of the pair whose attention is recorded, if possible
CANDIDATES = 500  # pairs among which it is chosen
# What Markdown and HTML interpret, with the period of a numbered list.
MARKUP = re.compile(r"[\\`*_{}\[\]<>&#+\-=|~:]|(?<=\d)\.")
HEADER = ["**source**", "**translation**", "**reference**"]


class Samples:
    """Sample translations and the attention of one pair, in the files that TensorBoard reads.

    They are written inside the context of `tensorboard` only. After an error, one warning
    is printed and there are no more samples. Training continues.

    Args:
        translator: a `Translator` with the network that is trained.
        pairs: validation pairs, in an order that does not change.
    """

    def __init__(self, translator: Translator, pairs: Sequence[Pair]) -> None:
        self._translator = translator
        self._pairs = pairs
        self._failed = False

    def log_step(self, step: int, epoch: float) -> None:
        """Write the attention if `is_recorded` says so.

        Args:
            step: number of steps taken.
            epoch: number of epochs completed, with the completed part of the current one.
        """
        if is_recorded(step):
            self._try(lambda: self._log_weights(step, epoch))

    def log_epoch(self, step: int, epoch: int, bleu: float) -> None:
        """Write the translations, and the attention with an image of it, at the end of an epoch.

        Args:
            step: number of steps taken.
            epoch: number of epochs completed.
            bleu: validation BLEU.
        """

        def log() -> None:
            self._log_translations(step)
            self._log_image(self._log_weights(step, float(epoch)), bleu)

        self._try(log)

    def _try(self, log: Callable[[], object]) -> None:
        """Call a function, whose errors must not end a training that may have taken days."""
        if self._failed or not is_recording():
            return
        try:
            log()
        except Exception as error:
            self._failed = True
            message = f"there are no more samples for TensorBoard: {reason(error)}"
            print(f"warning: {message}", file=sys.stderr, flush=True)

    def _log_translations(self, step: int) -> None:
        sources, references = zip(*self._pairs[:SENTENCES], strict=True)
        found = self._translator.translate(sources, SearchSettings().greedy())
        texts = [best.text for best, *_ in found]
        rows = [list(map(escaped, row)) for row in zip(sources, texts, references, strict=True)]
        record(lambda: tf.summary.text("samples/translations", [HEADER, *rows], step))

    def _log_weights(self, step: int, epoch: float) -> RecordedAttention:
        recorded = attention_of(self._translator, self._pair, step, epoch)
        data = tf.compat.v1.SummaryMetadata.PluginData(
            plugin_name=PLUGIN, content=recorded.labels()
        )
        metadata = tf.compat.v1.SummaryMetadata(plugin_data=data)
        record(lambda: tf.summary.write(TAG, recorded.weights, step, metadata))
        return recorded

    def _log_image(self, recorded: RecordedAttention, bleu: float) -> None:
        # Matplotlib is imported when the first picture is drawn.
        from keras_transformer.inspection.history.recorded_picture import picture
        from keras_transformer.pictures.saving import pixels

        image = pixels(picture(recorded, bleu=bleu))[np.newaxis]  # (1, height, width, 3)
        record(lambda: tf.summary.image("attention/cross", image, recorded.step))

    @functools.cached_property
    def _pair(self) -> Pair:
        return moderate_pair(self._pairs[:CANDIDATES], self._translator)


def is_recorded(step: int) -> bool:
    """Return whether the attention is recorded at a step within an epoch.

    The intervals grow with the number of steps, because attention changes most at the beginning:
    50 steps up to step 1,000, then 500 up to step 10,000, and so on.
    """
    return step % (5 * 10 ** max(1, len(str(step)) - 2)) == 0


def moderate_pair(pairs: Sequence[Pair], translator: Translator) -> Pair:
    """Return the first of the pairs whose sides are closest to `LENGTH` subwords.

    Args:
        pairs: pairs of strings.
        translator: has the subwords of both sides.
    """

    def distance(pair: Pair) -> int:
        source, target = pair
        ids = translator.source_ids(source), translator.target_subwords.encode(target)
        return sum(abs(len(each) - 2 - LENGTH) for each in ids)  # without start and end

    return min(pairs, key=distance)


def attention_of(translator: Translator, pair: Pair, step: int, epoch: float) -> RecordedAttention:
    """Return the cross-attention with which a network would write the reference of a pair.

    Args:
        translator: a `Translator` with the network.
        pair: the source and the reference.
        step: number of steps taken.
        epoch: number of epochs completed.
    """
    sentence, reference = pair
    forced = Translation(reference, 0.0, tuple(translator.target_subwords.encode(reference)))
    source, target, weights = translator.attention(sentence, forced)
    layers = np.stack([layer[0] for layer in weights.cross])  # (L, H, T, S)
    return RecordedAttention(step, epoch, sentence, reference, source, target, layers)


def escaped(text: str) -> str:
    """Return Markdown that is rendered as the text, with single spaces between words."""
    return MARKUP.sub(lambda match: f"&#{ord(match[0])};", " ".join(text.split()))
