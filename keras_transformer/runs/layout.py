"""The files of a run directory, which contains everything that a trained translator needs.

config.json             settings and library versions; for an average, also its origin
manifest.json           what belongs to the run: see manifest.py
source.model            SentencePiece models (only this one with a joint vocabulary)
target.model
checkpoint, ckpt-N.*    the newest training states
lock                    the process that is training the run: see lock.py
best/                   the best weights: those with the best validation BLEU, or an average
average/                the mean of the last checkpoints, if average_last is set
examples.txt            a few validation sources, one per line
calibration.json        parameters of the confidence: see translation/confidence_model.py
decoding.json           defaults of the search and the reranking: see translation/decoding.py
source_words.tsv        words of the training sources, with their frequencies
target_words.tsv        words of the training targets
training.ids            the training pairs as ids: see text/id_file.py
validation.ids          the validation pairs as ids
casing.npz              capitals of the target language, for pretrained subwords:
                        see translation/truecasing.py
lexicon.npz, ngrams.npz parameters of the reranker: see translation/reranking.py
shortlist.npz           target subwords for each source subword: see translation/shortlist.py
logs/                   TensorBoard
datastore/              nearest neighbors, if made: see translation/datastore.py
"""

from pathlib import Path

ROOT = Path("checkpoints")
CONFIG = "config.json"
MANIFEST = "manifest.json"
SUBWORD_MODELS = "source.model", "target.model"
LIST = "checkpoint"  # the file that names the newest checkpoint, for TensorFlow's own tools
LOCK = "lock"
BEST = "best"
AVERAGE = "average"
EXAMPLES = "examples.txt"
TRAINING_IDS, VALIDATION_IDS = "training.ids", "validation.ids"
CALIBRATION = "calibration.json"
DECODING = "decoding.json"
CASING = "casing.npz"
LEXICON, NGRAMS = "lexicon.npz", "ngrams.npz"
SHORTLIST = "shortlist.npz"
LOGS = "logs"
DATASTORE = "datastore"
WORDS = "source_words.tsv", "target_words.tsv"
# The files in the manifest.
SEALED = (
    *SUBWORD_MODELS,
    CASING,
    CALIBRATION,
    DECODING,
    LEXICON,
    NGRAMS,
    SHORTLIST,
    *WORDS,
)
# What exists only after a training state has been saved.
LATER = (
    LIST,
    BEST,
    AVERAGE,
    CALIBRATION,
    DECODING,
    LEXICON,
    NGRAMS,
    SHORTLIST,
    DATASTORE,
    *WORDS,
)
