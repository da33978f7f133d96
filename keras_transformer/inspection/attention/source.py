"""What computes attention weights: a translator, or a server."""

from collections.abc import Sequence
from typing import Protocol

from keras_transformer.tensors import Nest
from keras_transformer.translation.translation import Translation


class AttentionSource(Protocol):
    """A `Translator` or a `ServedTranslator`."""

    def attention(
        self, sentence: str, translation: Translation
    ) -> tuple[Sequence[str], Sequence[str], Nest]:
        """Return the subwords and the attention weights, as `Translator.attention` does."""
