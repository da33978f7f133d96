"""The settings of a run, in three sections."""

from dataclasses import dataclass

from keras_transformer.config.fields import Settings, setting
from keras_transformer.errors import UserError

# Defaults of the settings that are None in `Config` because the built-in corpus has other values.
DEFAULTS = {"vocab_size": 10_000, "batch_size": 64, "epochs": 10}

# Limits that keep a damaged or hostile file from exhausting memory or time. All are far beyond what
# a translator needs. The number of weights has its own limit: see `runs.network`.
MAX_LAYERS = 256
MAX_DEPTH = 2**14
MAX_INNER_DEPTH = 2**17
MAX_LENGTH = 2**12
MAX_POSITIONS = 2**20  # of the widest batch: sentence pairs times subwords
MAX_EPOCHS = 10**6
MAX_HOURS = 10**4
MAX_CHECKPOINTS = 10**4
MAX_COUNT = 10**9  # of steps or sentence pairs
MAX_LEARNING_RATE = 100.0
MAX_NORM = 1e9


@dataclass(frozen=True)
class TextConfig(Settings):
    """Languages, subwords and lengths."""

    source_lang: str = setting("en", "source language, as named by BPEmb")
    target_lang: str = setting("de", "target language, as named by BPEmb")
    subwords: str = setting(
        "trained",
        "subword models: trained on the corpus, or pretrained by BPEmb (lower case, digits 0)",
        choices=("trained", "pretrained"),
    )
    vocab_size: int | None = setting(
        None,
        f"subwords per language (default {DEFAULTS['vocab_size']}, "
        "or as many as the corpus allows)",
        minimum=8,
        below=2**20,
    )
    joint_vocabulary: bool = setting(False, "one subword model for both languages")
    max_source_length: int = setting(
        41, "longest source, in subwords including start and end", minimum=3, maximum=MAX_LENGTH
    )
    max_target_length: int = setting(
        42, "longest target, in subwords including start and end", minimum=3, maximum=MAX_LENGTH
    )


@dataclass(frozen=True)
class ModelConfig(Settings):
    """Layers and dimensions of the network."""

    num_layers: int = setting(
        4, "encoder layers, and decoder layers by default", minimum=1, maximum=MAX_LAYERS
    )
    decoder_layers: int | None = setting(
        None, "decoder layers (default: as many as num_layers)", minimum=1, maximum=MAX_LAYERS
    )
    d_model: int = setting(
        128, "depth of embeddings and layers, an even number", minimum=2, maximum=MAX_DEPTH
    )
    num_heads: int = setting(
        8, "attention heads; must divide d_model", minimum=1, maximum=MAX_DEPTH
    )
    dff: int = setting(
        512, "inner depth of the feed-forward networks", minimum=1, maximum=MAX_INNER_DEPTH
    )
    rate: float = setting(
        0.1, "dropout rate of the embeddings and of the output of each sublayer", minimum=0, below=1
    )
    attention_rate: float = setting(
        0.0, "dropout rate of the attention weights", minimum=0, below=1
    )
    activation_rate: float = setting(
        0.0, "dropout rate inside the feed-forward networks", minimum=0, below=1
    )
    norm_first: bool = setting(False, "normalize before each sublayer (pre-norm), not after it")
    tied_embeddings: str = setting(
        "output",
        "output: the target embedding is also the matrix of the output layer; all: so is the "
        "source embedding (needs joint_vocabulary); none: three matrices",
        choices=("none", "output", "all"),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.d_model % self.num_heads:
            raise UserError(
                f"d_model {self.d_model} is not divisible by num_heads {self.num_heads}"
            )
        if self.d_model % 2:
            raise UserError(f"d_model must be an even number, not {self.d_model}")


@dataclass(frozen=True)
class TrainingConfig(Settings):
    """Data, schedule and checkpoints of a training run."""

    train: tuple[str, ...] = setting(
        (),
        "sentence pairs to train on: one tab-separated file, two parallel files, or "
        "tfds:NAME/CONFIG (default: the built-in English-German corpus)",
    )
    validation: tuple[str, ...] = setting(
        (),
        "sentence pairs to validate on, in the same form (default: the corpus's own, or held out)",
    )
    start_from: str | None = setting(
        None,
        "run directory to fine-tune: the new run has its subwords, its best weights and, except "
        "for the schedule, its settings",
        metavar="DIR",
    )
    mix: float | None = setting(
        None,
        "share of pairs of the run start_from in each epoch, against forgetting (default 0.5, or 0 "
        "if its pairs are no longer available)",
        minimum=0,
        below=1,
    )
    epochs: int | None = setting(
        None,
        f"passes over the training pairs (default {DEFAULTS['epochs']})",
        minimum=1,
        maximum=MAX_EPOCHS,
    )
    hours: float | None = setting(
        None,
        "time budget of the whole command in hours; settings that are not given are chosen to suit "
        "it and the corpus (default: none; the setting epochs ends the training)",
        minimum=0.01,
        maximum=MAX_HOURS,
    )
    batching: str = setting(
        "bucketed",
        "batches of sentences of similar length, or all batches of the widest shape",
        choices=("bucketed", "fixed"),
    )
    batch_size: int | None = setting(
        None,
        "sentence pairs in the widest batch; narrower batches contain more "
        f"(default {DEFAULTS['batch_size']})",
        minimum=1,
        maximum=MAX_POSITIONS,
    )
    shuffle_buffer: int = setting(
        100_000, "sentence pairs that are shuffled at a time", minimum=1, maximum=MAX_COUNT
    )
    optimizer: str = setting(
        "adam",
        "muon needs fewer epochs than adam, but each takes longer",
        choices=("adam", "muon"),
    )
    peak_learning_rate: float = setting(
        0.003, "learning rate at the end of the warm-up", minimum=0, maximum=MAX_LEARNING_RATE
    )
    warmup_steps: int = setting(
        300, "steps over which the learning rate rises", minimum=1, maximum=MAX_COUNT
    )
    decay_epochs: int = setting(
        0,
        "number of final epochs in which the learning rate falls linearly almost to zero; 0: none",
        minimum=0,
        maximum=MAX_EPOCHS,
    )
    label_smoothing: float = setting(
        0.1,
        "probability spread over the whole vocabulary in the training loss",
        minimum=0,
        below=1,
    )
    both_directions: int = setting(
        0,
        "number of first epochs that also train on the reversed pairs; needs joint_vocabulary; "
        "0: none",
        minimum=0,
        maximum=MAX_EPOCHS,
    )
    reversed_share: float = setting(
        0.0,
        "share of the pairs that are also reversed in the epochs after both_directions, so that "
        "the network remembers the reverse direction; needs joint_vocabulary",
        minimum=0,
        maximum=1,
    )
    augment: float = setting(
        0.0,
        "share of the training pairs, chosen again for each epoch, that are changed: the source in "
        "lower case or in capitals, no final punctuation mark, or two pairs joined in one line",
        minimum=0,
        maximum=1,
    )
    mixed_precision: str = setting(
        "float32",
        "dtype of the computation; the weights stay float32. bfloat16 is for devices with bfloat16 "
        "instructions, float16 (with loss scaling) for GPUs without them",
        choices=("float32", "bfloat16", "float16"),
        booleans=("float32", "bfloat16"),
    )
    clip_norm: float = setting(
        0.0, "maximum global norm of the gradients; 0: no clipping", minimum=0, maximum=MAX_NORM
    )
    patience: int = setting(
        5,
        "epochs without better weights before training stops early, but not in the first 1,000 "
        "steps of a new run; 0: no early stopping",
        minimum=0,
        maximum=MAX_EPOCHS,
    )
    bleu_sentences: int = setting(
        500,
        "validation sentences translated after each epoch for BLEU, and at the end for the "
        "calibration",
        minimum=1,
        maximum=MAX_COUNT,
    )
    save_every: int = setting(
        1000, "steps between checkpoints within an epoch", minimum=1, maximum=MAX_COUNT
    )
    keep_checkpoints: int = setting(
        3, "number of newest checkpoints to keep", minimum=1, maximum=MAX_CHECKPOINTS
    )
    skip_bad_steps: int = setting(
        0,
        "number of steps whose loss or gradient may be infinite or undefined; they are skipped, "
        "and the next one ends the training",
        minimum=0,
        maximum=MAX_COUNT,
    )
    average_last: int = setting(
        0,
        "number of last epochs whose final weights are averaged at the end; the average is used if "
        "it does not raise the validation loss; 0: none",
        minimum=0,
        maximum=MAX_CHECKPOINTS,
    )
    seed: int = setting(
        1, "seed of weights, dropout, batch order and augmentation", minimum=0, below=2**32
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_start()
        if self.hours and self.decay_epochs:
            raise UserError(
                "decay_epochs cannot be combined with the setting hours, which already lowers the "
                "learning rate at the end"
            )
        if not self.train and self.validation:
            raise UserError("validation needs train: the built-in corpus has validation pairs")

    def _check_start(self) -> None:
        """Raise a `UserError` if a setting does not go together with `start_from`, or needs it."""
        if self.mix is not None and self.start_from is None:
            raise UserError("mix needs start_from: the run whose pairs are mixed in")
        if self.start_from is not None and not self.train:
            raise UserError("start_from needs train: the sentence pairs to fine-tune with")
        if self.start_from == "":
            raise UserError("start_from must not be empty")
        if self.start_from is not None and self.hours:
            raise UserError(
                "start_from cannot be combined with the setting hours: fine-tuning ends by epochs "
                "and patience"
            )

    def reversals(self, epoch: int) -> float:
        """Return the share of the pairs that are also reversed in an epoch, counted from 0."""
        return 1.0 if epoch < self.both_directions else self.reversed_share
