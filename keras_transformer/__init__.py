"""The Transformer of the TensorFlow tutorial in Keras 3: train, use and inspect a translator.

Public names are imported when they are first used, because importing TensorFlow takes seconds.
The log messages of that import are discarded. The environment variable TF_CPP_MIN_LOG_LEVEL, by
default 3, sets the level of later ones.
"""

import importlib
from typing import TYPE_CHECKING, Any

from keras_transformer import quiet
from keras_transformer.version import __version__

if TYPE_CHECKING:
    from keras_transformer.client import ServedTranslator
    from keras_transformer.config import Config
    from keras_transformer.errors import (
        CheckError,
        NoRun,
        PathTaken,
        RunMismatch,
        TrainingDiverged,
        UserError,
        WorkerLost,
    )
    from keras_transformer.export.ctranslate2_model import export_ctranslate2
    from keras_transformer.export.saved_model import Options as ExportOptions
    from keras_transformer.export.saved_model import export_saved_model
    from keras_transformer.inspection.attention.plots import plot_translation
    from keras_transformer.model.attention import MultiHeadAttention, scaled_dot_product_attention
    from keras_transformer.model.decoder import Decoder, DecoderLayer
    from keras_transformer.model.encoder import Encoder, EncoderLayer
    from keras_transformer.model.losses import MaskedAccuracy, MaskedCrossentropy
    from keras_transformer.model.masks import create_look_ahead_mask, create_padding_mask
    from keras_transformer.model.options import Options
    from keras_transformer.model.positions import positional_encoding
    from keras_transformer.model.sublayers import point_wise_feed_forward_network
    from keras_transformer.model.transformer import Transformer
    from keras_transformer.pictures.heatmaps import Axis, plot_attention
    from keras_transformer.runs.averaging import average
    from keras_transformer.runs.run import Run
    from keras_transformer.search.settings import SearchSettings
    from keras_transformer.threads import one_thread_per_operation
    from keras_transformer.training.schedule import CustomSchedule
    from keras_transformer.training.session import train
    from keras_transformer.translation.evaluation import evaluate
    from keras_transformer.translation.line_translator import LineTranslator
    from keras_transformer.translation.reranking import Reranker
    from keras_transformer.translation.translation import Translation
    from keras_transformer.translation.translator import Translator
    from keras_transformer.translation.xla_search import XlaSearch

__all__ = [
    "Axis",
    "CheckError",
    "Config",
    "CustomSchedule",
    "Decoder",
    "DecoderLayer",
    "Encoder",
    "EncoderLayer",
    "ExportOptions",
    "LineTranslator",
    "MaskedAccuracy",
    "MaskedCrossentropy",
    "MultiHeadAttention",
    "NoRun",
    "Options",
    "PathTaken",
    "Reranker",
    "Run",
    "RunMismatch",
    "SearchSettings",
    "ServedTranslator",
    "TrainingDiverged",
    "Transformer",
    "Translation",
    "Translator",
    "UserError",
    "WorkerLost",
    "XlaSearch",
    "__version__",
    "average",
    "create_look_ahead_mask",
    "create_padding_mask",
    "evaluate",
    "export_ctranslate2",
    "export_saved_model",
    "one_thread_per_operation",
    "plot_attention",
    "plot_translation",
    "point_wise_feed_forward_network",
    "positional_encoding",
    "scaled_dot_product_attention",
    "train",
]

# {public name: "module:attribute"}, the same as the imports above.
_SOURCES = {
    "Axis": "pictures.heatmaps:Axis",
    "CheckError": "errors:CheckError",
    "Config": "config:Config",
    "CustomSchedule": "training.schedule:CustomSchedule",
    "Decoder": "model.decoder:Decoder",
    "DecoderLayer": "model.decoder:DecoderLayer",
    "Encoder": "model.encoder:Encoder",
    "EncoderLayer": "model.encoder:EncoderLayer",
    "ExportOptions": "export.saved_model:Options",
    "LineTranslator": "translation.line_translator:LineTranslator",
    "MaskedAccuracy": "model.losses:MaskedAccuracy",
    "MaskedCrossentropy": "model.losses:MaskedCrossentropy",
    "MultiHeadAttention": "model.attention:MultiHeadAttention",
    "NoRun": "errors:NoRun",
    "Options": "model.options:Options",
    "PathTaken": "errors:PathTaken",
    "Reranker": "translation.reranking:Reranker",
    "Run": "runs.run:Run",
    "RunMismatch": "errors:RunMismatch",
    "SearchSettings": "search.settings:SearchSettings",
    "ServedTranslator": "client:ServedTranslator",
    "TrainingDiverged": "errors:TrainingDiverged",
    "Transformer": "model.transformer:Transformer",
    "Translation": "translation.translation:Translation",
    "Translator": "translation.translator:Translator",
    "UserError": "errors:UserError",
    "WorkerLost": "errors:WorkerLost",
    "XlaSearch": "translation.xla_search:XlaSearch",
    "average": "runs.averaging:average",
    "create_look_ahead_mask": "model.masks:create_look_ahead_mask",
    "create_padding_mask": "model.masks:create_padding_mask",
    "evaluate": "translation.evaluation:evaluate",
    "export_ctranslate2": "export.ctranslate2_model:export_ctranslate2",
    "export_saved_model": "export.saved_model:export_saved_model",
    "one_thread_per_operation": "threads:one_thread_per_operation",
    "plot_attention": "pictures.heatmaps:plot_attention",
    "plot_translation": "inspection.attention.plots:plot_translation",
    "point_wise_feed_forward_network": "model.sublayers:point_wise_feed_forward_network",
    "positional_encoding": "model.positions:positional_encoding",
    "scaled_dot_product_attention": "model.attention:scaled_dot_product_attention",
    "train": "training.session:train",
}

if not TYPE_CHECKING:  # a type checker would accept any name

    def __getattr__(name: str) -> Any:
        """Import a public name."""
        if name not in _SOURCES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module, attribute = _SOURCES[name].split(":")
        with quiet.quiet_import():
            value = getattr(importlib.import_module(f"{__name__}.{module}"), attribute)
        globals()[name] = value  # so that later accesses do not call this function
        return value


def __dir__() -> list[str]:
    """Return the public names, for completion."""
    return __all__
