"""Export of a page that requests translations from TensorFlow Serving.

This module does not import TensorFlow.
"""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from keras_transformer.export.html.description import live_description
from keras_transformer.export.html.document import live_document
from keras_transformer.export.html.new_file import check_is_free, new_file
from keras_transformer.files import naming

if TYPE_CHECKING:
    from keras_transformer.runs.run import Run


def export_live_html(
    address: str,
    output: str | os.PathLike[str],
    run: "Run | None" = None,
    examples: Sequence[str] = (),
    tell: Callable[[str], object] = lambda text: None,
) -> int:
    """Write an HTML file without weights, which translates with a model on a server.

    The server is not asked while the file is written.

    Args:
        address: URL of the model, `http://HOST:8501/v1/models/NAME`.
        output: the file, which must not exist.
        run: the `Run` that was exported, which knows the languages and examples, or None.
        examples: sentences that the page offers, in place of those of the run.
        tell: function that is called with a line of text at the start of each stage.

    Returns:
        The size of the file in bytes.

    Raises:
        UserError: If a page cannot send requests to the address, or the output cannot be written.
        PathTaken: If the output exists.
    """
    output = Path(output)
    check_is_free(output)
    content = live_document(live_description(address, run, examples)).encode("utf-8")
    tell(f"writing {output}")
    with new_file(output) as part, naming(output):
        part.write_bytes(content)
    return len(content)
