"""The copier of a run."""

from keras_transformer.corrections.copying import Copier
from keras_transformer.corrections.formats import formats
from keras_transformer.runs.run import Run
from keras_transformer.translation.lexicon import Lexicon


def run_copier(run: Run) -> Copier | None:
    """Load the `Copier` of a run, or return None if the run contains no word counts.

    Raises:
        UserError: If a file is damaged.
    """
    words, text = run.words(), run.config.text
    if words is None:
        return None
    languages = formats(text.source_lang, text.target_lang)
    return Copier(*words, languages, text.target_lang, Lexicon.of(run), text.source_lang)
