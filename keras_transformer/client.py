"""A client for TensorFlow Serving's REST interface, which does not import TensorFlow."""

import contextlib
import re
from collections.abc import Iterable, Iterator, Sequence
from types import SimpleNamespace

import numpy as np

from keras_transformer.errors import UserError
from keras_transformer.rest.outputs import Outputs
from keras_transformer.rest.transport import RestError, Transport
from keras_transformer.text.normalization import without_surrogates
from keras_transformer.translation.attention_kinds import SIDES, SOURCE, TARGET
from keras_transformer.translation.translation import Translation, require_list

ADDRESS = re.compile(
    r"https?://[^/\s]+/(?:\S+/)?v1/models/[^/:\s]+(?:/(?:versions|labels)/[^/:\s]+)?"
)


class ServedTranslator:
    """A translator on a server, with methods like those of `Translator`.

    Args:
        address: URL of a model, `http://HOST:8501/v1/models/NAME`, optionally followed by
            `/versions/N` or `/labels/LABEL`.
        timeout: seconds for each request, from the connection to the last byte of the answer,
            including all retries.
        backoff: seconds before a busy server is asked again for the first time. Each further delay
            is twice as long.

    Raises:
        UserError: If the address does not have this form.
    """

    def __init__(self, address: str, timeout: float = 300.0, backoff: float = 0.5) -> None:
        self.address = model_address(address)
        self.transport = Transport(timeout, backoff)

    def translate(
        self,
        sentences: Sequence[str],
        *,
        batch_size: int = 64,
        numbers: Iterable[int | None] | None = None,
    ) -> list[list[Translation]]:
        """Translate sentences.

        Args:
            sentences: strings.
            batch_size: maximum number of sentences in a request.
            numbers: line numbers, ignored: a server never warns.

        Returns:
            For each sentence, in order, a list of one `Translation`.

        Raises:
            UserError: If the server or model does not exist, stays busy, does not answer in time,
                rejects the request, or returns anything but translations.
            TypeError: If `sentences` is a single string or an iterator.
        """
        return list(self.stream(sentences, batch_size=batch_size))

    def stream(
        self,
        sentences: Sequence[str],
        *,
        batch_size: int = 64,
        numbers: Iterable[int | None] | None = None,
    ) -> Iterator[list[Translation]]:
        """Translate sentences, with the arguments and the errors of `translate`.

        Yields:
            For each sentence, in order, a list of one `Translation`, as soon as it is received.
        """
        require_list(sentences)
        for first in range(0, len(sentences), batch_size):
            yield from self._translations(sentences[first : first + batch_size])

    def _translations(self, sentences: Sequence[str]) -> list[list[Translation]]:
        """Request the translations of a batch of sentences."""
        source = [without_surrogates(sentence) for sentence in sentences]
        with self._naming_address():
            outputs = self._ask("serving_default", {"source": source}, "translation", "score")
            texts, scores = outputs.texts("translation"), outputs.numbers("score")
            if not len(texts) == len(scores) == len(source):
                raise RestError(
                    f"{len(texts)} translations and {len(scores)} scores "
                    f"for {len(source)} sentences"
                )
        return [[Translation(text, score)] for text, score in zip(texts, scores, strict=True)]

    def num_layers(self, kind: str) -> None:
        """Return None: the number of layers is unknown until attention weights are requested."""

    def attention(
        self, sentence: str, translation: Translation
    ) -> tuple[list[str], list[str], SimpleNamespace]:
        """Request the attention weights between a sentence and its translation.

        Args:
            sentence: the source.
            translation: a `Translation` of the sentence, of which only the text is used.

        Returns:
            The subwords of the source (S) and of the target (T), both with start and end token,
            and the weights: an object with the attributes `encoder`, `decoder` and `cross`, each a
            list with one array (1, H, query, key) for each layer.

        Raises:
            UserError: If the request fails, as in `translate`.
        """
        texts = {SOURCE: sentence, TARGET: translation.text}
        inputs = {side: [without_surrogates(text)] for side, text in texts.items()}
        names = ["source_subwords", "target_subwords", *(f"{kind}_attention" for kind in SIDES)]
        with self._naming_address():
            outputs = self._ask("attention", inputs, *names)
            rows = {side: outputs.subwords(f"{side}_subwords") for side in texts}
            weights = {
                kind: outputs.weights(f"{kind}_attention", rows[queries], rows[keys])
                for kind, (queries, keys) in SIDES.items()
            }
        layers = {kind: [layer[np.newaxis] for layer in each] for kind, each in weights.items()}
        return rows[SOURCE].labels, rows[TARGET].labels, SimpleNamespace(**layers)

    def _ask(self, signature: str, inputs: dict[str, list[str]], *names: str) -> Outputs:
        """Return the outputs of a signature, which include those with the given names."""
        content = {"signature_name": signature, "inputs": inputs}
        return Outputs.of(self.transport.post(f"{self.address}:predict", content), *names)

    @contextlib.contextmanager
    def _naming_address(self) -> Iterator[None]:
        """Turn a `RestError` into a `UserError` that begins with the address."""
        try:
            yield
        except RestError as error:
            raise UserError(f"{self.address}: {error}") from error


def model_address(address: str) -> str:
    """Return the address of a model without a final slash or `:predict`.

    Raises:
        UserError: If it does not have the form that `ServedTranslator` describes.
    """
    shortened = address.removesuffix(":predict").rstrip("/")
    if not ADDRESS.fullmatch(shortened):
        raise UserError(
            f"{address}: not the address of a model, which has the form "
            "http://HOST:8501/v1/models/NAME"
        )
    return shortened


class Streaming:
    """A translator that yields the translations of a server as soon as they are received.

    Args:
        served: a `ServedTranslator`.

    Attributes:
        translate: the method `stream` of `served`.
    """

    def __init__(self, served: ServedTranslator) -> None:
        self.translate = served.stream
