"""Checks of what users choose against the limits of a network."""

from typing import TYPE_CHECKING

from keras_transformer.errors import UserError

if TYPE_CHECKING:  # TensorFlow is not needed for the attention of a server
    from keras_transformer.translation.translator import Translator


def check_layer(layer: int | None, num_layers: int | None, kind: str) -> None:
    """Check the number of a layer.

    Args:
        layer: number of the layer, from 1; None for the last.
        num_layers: number of layers; None if it is unknown.
        kind: whose attention is meant: "encoder", "decoder" or "cross", which the decoder has.

    Raises:
        UserError: If the network has no such layer.
    """
    if layer is not None and num_layers is not None and not 1 <= layer <= num_layers:
        stack = "encoder" if kind == "encoder" else "decoder"
        raise UserError(f"there is no {stack} layer {layer}: the {stack} has {num_layers}")


def check_head(head: int | None, num_heads: int) -> None:
    """Check the number of a head.

    Args:
        head: number of the head, from 1; None for the mean of all heads.
        num_heads: number of heads of a layer.

    Raises:
        UserError: If the layers have no such head.
    """
    if head is not None and not 1 <= head <= num_heads:
        raise UserError(f"there is no head {head}: each layer has {num_heads}")


def check_length(name: str, length: int, longest: int, verb: str = "reads") -> None:
    """Check the number of the subwords of a text.

    Args:
        name: what the text is, such as "the sentence".
        length: its number of subwords, without start and end tokens.
        longest: the largest number of subwords that the network processes.
        verb: what the network does with them.

    Raises:
        UserError: If the text is too long.
    """
    if length > longest:
        raise UserError(
            f"{name} is too long: it has {length} subwords, and the network {verb} at most "
            f"{longest}"
        )


def complete_source_ids(
    translator: "Translator", sentence: str, name: str = "the sentence"
) -> list[int]:
    """Return the ids of a source, from the start to the end token, if the network reads all.

    Args:
        translator: the translator whose network reads the source.
        sentence: the source.
        name: what the source is called in errors.

    Raises:
        UserError: If the sentence is empty, or longer than the network reads.
    """
    ids = translator.source_subwords.encode(sentence)
    if len(ids) <= 2:  # for example, of invisible characters
        raise UserError(f"{name} is empty")
    check_length(name, len(ids) - 2, translator.max_source_length - 2)
    return ids
