"""Asks TensorFlow Serving for translations, by its REST interface; TensorFlow is not needed."""

import re
from types import SimpleNamespace

import numpy as np
import requests
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

from keras_transformer.errors import UserError
from keras_transformer.translation.translation import Translation

BUSY = (429, 502, 503)
TRIES = 6
CONNECT_SECONDS, ANSWER_SECONDS = 5, 300
ADDRESS = re.compile(r"https?://[^/]+/(?:.+/)?v1/models/[^/:]+(?:/(?:versions|labels)/[^/:]+)?")


class ServedTranslator:
    """A translator on a server, used as a `Translator`.

    Args:
        address: of a model, `http://HOST:8501/v1/models/NAME`; `/versions/N` may follow.
        backoff: a busy server is asked again at once, then after 2, 4, 8 and 16 times this, in
            seconds.

    Raises:
        UserError: the address is not of this form.
    """

    def __init__(self, address, backoff=0.5):
        self.address = address.removesuffix(":predict").rstrip("/")
        if not ADDRESS.fullmatch(self.address):
            raise UserError(f"{address}: give --server http://HOST:8501/v1/models/NAME")
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

    def translate(self, sentences, *, batch_size=64, numbers=None):
        """Translates sentences in their order, `batch_size` in a request.

        Args:
            sentences: list of strings.
            batch_size: sentences of a request.
            n_best: 1: a server gives the best translation only.
            numbers: not used; a server gives no warnings.

        Returns:
            For each sentence a list of one `Translation`.

        Raises:
            UserError: there is no such server or model, it stays busy, or refuses the request.
        """
        found = []
        for first in range(0, len(sentences), batch_size):
            batch = [_valid(sentence) for sentence in sentences[first : first + batch_size]]
            answer = self._ask("serving_default", {"source": batch})
            texts, scores = self._columns(answer, "translation", "score")
            if not len(texts) == len(scores) == len(batch):
                raise UserError(f"{self.address}: {len(batch)} sentences, {len(texts)} answers")
            found += [
                [Translation(text, float(score))] for text, score in zip(texts, scores, strict=True)
            ]
        return found

    def num_layers(self, kind):
        """Return None: a server does not tell before it is asked for attention weights."""

    def attention(self, sentence, translation):
        """The attention weights between a sentence and its translation.

        Args:
            sentence: the source.
            translation: a `Translation` of it, of which the text counts.

        Returns:
            The source's subwords (S), the target's (T), both with start and end, and the weights:
            an object with `encoder`, `decoder` and `cross`, lists with one array (1, H, query, key)
            a layer. (A server that puts requests together pads them all to the longest.)
        """
        inputs = {"source": [_valid(sentence)], "target": [translation.text]}
        answer = self._ask("attention", inputs)
        labels = self._columns(answer, "source_subwords", "target_subwords")
        source, target = ([label for label in row if label != "<pad>"] for [row] in labels)
        sides = {
            "encoder": (source, source),
            "decoder": (target, target),
            "cross": (target, source),
        }
        weights = {}
        for kind, (queries, keys) in sides.items():
            [[of_sentence]] = self._columns(answer, f"{kind}_attention")
            of_sentence = np.array(of_sentence)[..., : len(queries), : len(keys)]
            weights[kind] = [layer[np.newaxis] for layer in of_sentence]
        return source, target, SimpleNamespace(**weights)

    def _columns(self, answer, *names):
        try:
            return [answer[name] for name in names]
        except (KeyError, TypeError):
            raise UserError(
                f"{self.address}: a model without {' and '.join(names)}: was it made by export.py?"
            ) from None

    def _ask(self, signature, inputs):
        """The outputs of a signature, as columns."""
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
            raise UserError(f"{self.address}: the server is busy ({TRIES} tries): try again later")
        return self._outputs(answer)

    def _outputs(self, answer):
        try:
            content = answer.json()
        except requests.JSONDecodeError:
            content = None
        content = content if isinstance(content, dict) else {}
        if answer.ok and "outputs" in content:
            return content["outputs"]
        why = content.get("error") or f"status {answer.status_code}, not from TensorFlow Serving"
        raise UserError(f"{self.address}: {why}")


def _valid(sentence):
    """A sentence that JSON can hold: a lone surrogate is read as a question mark."""
    return sentence.encode("utf-8", "replace").decode("utf-8")
