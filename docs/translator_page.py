"""The translator in the manual: the HTML export of a run, if the builder of the manual has one.

The run is named by the environment variable KERAS_TRANSFORMER_PAGE_RUN. docs/build.py trains the
built-in run and sets it. Without a run, the manual says how to make such a page.
"""

import os
import tempfile
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File

VARIABLE = "KERAS_TRANSFORMER_PAGE_RUN"
PAGE = "translator.html"
MARK = "{{ translator }}"
EXAMPLES = (
    "I am sad because my brother did not read the letter.",
    "My brother is three years older than me.",
    "Good morning, how are you?",
    "I do not eat meat.",
    "What time does the train leave?",
)
# A page of the manual is a directory, such as try/. MkDocs does not change addresses in HTML.
EMBEDDED = f"""\
<p>Type an English sentence in place of the example. <a href="../{PAGE}">Open the translator on a
page of its own</a>, which can be saved and works offline.</p>

<iframe src="../{PAGE}" title="A translator that shows how it translates" width="100%" height="900"
  style="border: 1px solid #8884"></iframe>
"""
MISSING = """\
*This copy of the manual was built without a trained translator. `python docs/build.py` trains one,
and builds the manual with it.*
"""


def translator_files(config: MkDocsConfig) -> list[File]:
    """Return the files that the site contains besides its pages: the translator, or none."""
    run = os.environ.get(VARIABLE)
    if not run:
        return []
    # Imported here because it needs TensorFlow, which a manual without a translator does not need.
    from keras_transformer.export.html.content import Options
    from keras_transformer.export.html.local_page import export_html

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, PAGE)
        export_html(run, path, Options(examples=EXAMPLES))
        return [File.generated(config, PAGE, content=path.read_bytes())]


def with_translator(markdown: str) -> str:
    """Return the text of a page with the translator, or a note, in place of `MARK`."""
    return markdown.replace(MARK, EMBEDDED if os.environ.get(VARIABLE) else MISSING)
