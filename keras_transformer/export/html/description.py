"""The description of the model in a page, from which the page reads what Python knows.

This module does not import TensorFlow.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from keras_transformer.search.settings import SearchSettings
from keras_transformer.text.sentences import UNSPACED
from keras_transformer.version import __version__

if TYPE_CHECKING:
    from keras_transformer.runs.run import Run
    from keras_transformer.translation.translator import Translator

PENALTY_DIGITS = 2  # after the decimal point of a length penalty in the sliders and links of a page
SIZES = "d_model", "num_heads", "dff", "input_vocab_size", "target_vocab_size"


def local_description(
    run: "Run", translator: "Translator", search: SearchSettings, examples: Sequence[str]
) -> dict[str, Any]:
    """Return the description of a run, without that of its tensors.

    Args:
        run: the `Run`.
        translator: its `Translator`.
        search: settings with which the page begins.
        examples: source sentences.
    """
    return {
        "name": run.directory.absolute().name,
        "version": __version__,
        "server": None,
        **_languages(run),
        "network": _network(translator),
        "search": _search(search),
        "never": translator.target_subwords.suppressed_ids(),
        "examples": list(examples),
    }


def live_description(
    address: str, run: "Run | None" = None, examples: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the description of a model on a server, whose network is unknown.

    Args:
        address: the URL of the model.
        run: the `Run` that was exported, which knows the languages and examples, or None.
        examples: source sentences in place of those of the run.
    """
    names = re.findall("/v1/models/([^/]+)", address)
    return {
        "name": names[-1],
        "version": __version__,
        "server": address,
        **(_languages(run) if run else _of_languages(None, None)),
        "network": {},
        "search": _search(SearchSettings()),
        "never": [],
        "examples": list(examples) or (run.examples() if run else []),
        "tensors": [],
    }


def _languages(run: "Run") -> dict[str, Any]:
    return _of_languages(run.config.text.source_lang, run.config.text.target_lang)


def _of_languages(source: str | None, target: str | None) -> dict[str, Any]:
    """Return the codes of the languages, and which of them are written without spaces."""
    return {
        "source_lang": source,
        "target_lang": target,
        "unspaced": {"source": source in UNSPACED, "target": target in UNSPACED},
    }


def _search(search: SearchSettings) -> dict[str, Any]:
    penalty = round(search.length_penalty, PENALTY_DIGITS)
    return {"beam_size": search.beam_size, "length_penalty": penalty}


def _network(translator: "Translator") -> dict[str, Any]:
    """Return the sizes and options of a network."""
    model = translator.model
    return {
        "encoder_layers": len(model.encoder.enc_layers),
        "decoder_layers": len(model.decoder.dec_layers),
        **{name: model.settings[name] for name in SIZES},
        "norm_first": model.options.norm_first,
        "tied_embeddings": model.options.tied_embeddings,
        "max_source_length": translator.max_source_length,
        "max_target_length": translator.max_target_length,
        "weights": model.count_params(),
    }
