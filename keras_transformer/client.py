"""A client for TensorFlow Serving's REST interface, which does not import TensorFlow."""

import re
from collections.abc import Iterable, Sequence
from types import SimpleNamespace

import numpy as np
import requests
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

from keras_transformer.errors import UserError
from keras_transformer.tensors import Nest
from keras_transformer.translation.translation import Translation, require_list

BUSY = (429, 502, 503)  # status codes of a server that is overloaded or starting
TRIES = 6
CONNECT_SECONDS, ANSWER_SECONDS = 5, 300
ADDRESS = re.compile(r"https?://[^/]+/(?:.+/)?v1/models/[^/:]+(?:/(?:versions|labels)/[^/:]+)?")


class ServedTranslator:
    """A translator on a server, with methods like those of `Translator`.

    Args:
        address: URL of a model, `http://HOST:8501/v1/models/NAME`, optionally followed by
            `/versions/N` or `/labels/LABEL`.
        backoff: unit in seconds of the delays before a busy server is asked again. The first retry
            is immediate; the later ones wait 2, 4, 8 and 16 units.

    Raises:
        UserError: If the address does not have this form.
    """

    def __init__(self, address: str, backoff: float = 0.5) -> None:
        self.address = address.removesuffix(":predict").rstrip("/")
        if not ADDRESS.fullmatch(self.address):
            raise UserError(
                f"{address}: not the address of a model, which has the form "
                "http://HOST:8501/v1/models/NAME"
            )
        retry = Retry(
            total=TRIES - 1,
            connect=0,
            read=False,
            status_forcelist=BUSY,
            allowed_methods=None,
            backoff_factor=backoff,
            raise_on_status=False,
        )
        self.session = requests.Session()
        for scheme in ("http://", "https://"):
            self.session.mount(scheme, HTTPAdapter(max_retries=retry))

    def translate(
        self,
        sentences: Sequence[str],
        *,
        batch_size: int = 64,
        numbers: Iterable[int] | None = None,
    ) -> list[list[Translation]]:
        """Translate sentences.

        Args:
            sentences: strings.
            batch_size: maximum number of sentences in a request.
            numbers: line numbers, ignored: a server never warns.

        Returns:
            For each sentence, in order, a list of one `Translation`.

        Raises:
            UserError: If the server or model does not exist, stays busy, or rejects the request.
            TypeError: If `sentences` is a single string.
        """
        require_list(sentences)
        found = []
        for first in range(0, len(sentences), batch_size):
            batch = [_encodable(sentence) for sentence in sentences[first : first + batch_size]]
            answer = self._ask("serving_default", {"source": batch})
            texts, scores = self._columns(answer, "translation", "score")
            if not len(texts) == len(scores) == len(batch):
                raise UserError(
                    f"{self.address}: {len(texts)} translations for {len(batch)} sentences"
                )
            found += [
                [Translation(text, float(score))] for text, score in zip(texts, scores, strict=True)
            ]
        return found

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
        inputs = {"source": [_encodable(sentence)], "target": [translation.text]}
        answer = self._ask("attention", inputs)
        labels = self._columns(answer, "source_subwords", "target_subwords")
        # A server that merges requests pads the rows to the same length.
        source, target = ([label for label in row if label != "<pad>"] for [row] in labels)
        sides = {
            "encoder": (source, source),
            "decoder": (target, target),
            "cross": (target, source),
        }
        weights = {}
        for kind, (queries, keys) in sides.items():
            [[layers]] = self._columns(answer, f"{kind}_attention")
            unpadded = np.array(layers)[..., : len(queries), : len(keys)]  # (L, H, query, key)
            weights[kind] = [layer[np.newaxis] for layer in unpadded]
        return source, target, SimpleNamespace(**weights)

    def _columns(self, answer: Nest, *names: str) -> list[Nest]:
        """Return the named outputs of an answer."""
        try:
            return [answer[name] for name in names]
        except (KeyError, TypeError):
            raise UserError(
                f"{self.address}: the model has no output {' and '.join(names)}; "
                "it was not exported by keras_transformer"
            ) from None

    def _ask(self, signature: str, inputs: dict[str, list[str]]) -> Nest:
        """Return the outputs of a signature, a nested list for each name."""
        try:
            answer = self.session.post(
                f"{self.address}:predict",
                json={"signature_name": signature, "inputs": inputs},
                timeout=(CONNECT_SECONDS, ANSWER_SECONDS),
            )
        except (requests.exceptions.SSLError, requests.exceptions.ProxyError) as error:
            raise UserError(f"{self.address}: {error}") from error
        except requests.ConnectionError as error:
            raise UserError(f"{self.address}: no server answers there") from error
        except requests.RequestException as error:
            raise UserError(f"{self.address}: {error}") from error
        if answer.status_code in BUSY:
            raise UserError(
                f"{self.address}: the server is still busy after {TRIES} requests; try again later"
            )
        return self._outputs(answer)

    def _outputs(self, answer: requests.Response) -> Nest:
        """Return the outputs in the body of an answer."""
        try:
            content = answer.json()
        except requests.JSONDecodeError:
            content = None
        content = content if isinstance(content, dict) else {}
        if answer.ok and "outputs" in content:
            return content["outputs"]
        why = content.get("error") or f"status {answer.status_code}, not from TensorFlow Serving"
        raise UserError(f"{self.address}: {why}")


def _encodable(sentence: str) -> str:
    """Return a sentence with question marks for lone surrogates, which UTF-8 cannot encode."""
    return sentence.encode("utf-8", "replace").decode("utf-8")
