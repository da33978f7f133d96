"""Where sentence pairs come from.

Pairs are an iterable of (source, target) strings that can be read again and again, and that reads
its file each time, so that a corpus larger than memory streams through. Pairs that are part of a
larger set know its other splits.
"""

import heapq
import itertools
import zlib
from pathlib import Path
from typing import NamedTuple

from keras_transformer import phrasebook
from keras_transformer.errors import UserError
from keras_transformer.files import check_file
from keras_transformer.text.autotuning import without_autotuning
from keras_transformer.text.lines import read_lines

TFDS_PREFIX = "tfds:"

# Where no validation pairs are given: one training pair in 20 is held out, 1000 at most.
HELD_OUT_OF = 20
MOST_HELD_OUT = 1000


class Corpus(NamedTuple):
    """The pairs of a training; `test` is None where the corpus has none of its own."""

    name: str
    train: object
    validation: object
    test: object


def open_corpus(train, validation, source_lang, target_lang):
    """Opens the pairs that the settings `train` and `validation` name.

    Args:
        train: names as `open_pairs` takes them; none for the built-in corpus.
        validation: the same; none for the corpus's own validation split, or, where it has none,
            pairs held out of the training pairs.
        source_lang: language translated from.
        target_lang: language translated to.

    Returns:
        A `Corpus`.

    Raises:
        UserError: what is named is not there or not of that form, or has no pairs.
    """
    pairs = open_pairs(train, source_lang, target_lang)
    test = pairs.other_split("test")
    if validation:
        held_out = open_pairs(validation, source_lang, target_lang, split="validation")
    else:
        held_out = pairs.other_split("validation")
        if held_out is None:
            pairs, held_out = hold_out(pairs)
    for part in (pairs, held_out):
        if next(iter(part), None) is None:
            raise UserError(f"{part}: no sentence pairs")
    return Corpus(corpus_name(train), pairs, held_out, test)


def open_test(names, source_lang, target_lang):
    """The test pairs of a corpus that has its own: the built-in one, or a set with a test split.

    Args:
        names: those of the training pairs, as `open_pairs` takes them.
        source_lang: language translated from.
        target_lang: language translated to.

    Raises:
        UserError: the corpus has none.
    """
    test = open_pairs(names, source_lang, target_lang).other_split("test")
    if test is None:
        raise UserError(f"{' '.join(names)}: no test pairs of its own: give --test")
    return test


def open_pairs(names, source_lang, target_lang, split="train"):
    """The pairs of one tab-separated file, two parallel files, a TFDS set or the built-in corpus.

    Args:
        names: one file, two files, one `tfds:NAME/CONFIG`, or nothing.
        source_lang: language translated from.
        target_lang: language translated to.
        split: which part of a set that is divided.

    Raises:
        UserError: what is named is not there, or not of one of these forms.
    """
    if not names:
        return PhrasebookPairs(source_lang, target_lang, split)
    if names[0].startswith(TFDS_PREFIX):
        if len(names) > 1:
            raise UserError(f"{names[0]}: a TFDS set stands alone, without {' '.join(names[1:])}")
        return open_tfds(names[0].removeprefix(TFDS_PREFIX), source_lang, target_lang, split)
    for name in names:
        check_file(name)
        if not Path(name).is_file():
            raise UserError(f"{name}: not a regular file, which can be read again each epoch")
    if len(names) > 2:
        raise UserError(f"give one tab-separated file or two parallel files, not {len(names)}")
    return TabSeparatedFile(*names) if len(names) == 1 else ParallelFiles(*names)


def corpus_name(names):
    """A short name for a corpus, for its run directory."""
    if not names:
        return "phrasebook"
    if names[0].startswith(TFDS_PREFIX):
        return names[0].removeprefix(TFDS_PREFIX).split("/")[0].split(":")[0]
    return Path(names[0]).name.split(".")[0]


class Pairs:
    """Sentence pairs that can be read again and again."""

    def other_split(self, split):
        """The pairs of another split of the same set, or None where it is not divided."""
        return

    def epoch(self, number):
        """Return the pairs of an epoch, from 0; the same in each unless they are sampled."""
        return self

    def vocabulary(self):
        """Return the pairs that the subword models are trained on."""
        return self


class TabSeparatedFile(Pairs):
    """One file, a pair a line: source, tab, target; further columns are ignored (Anki's form)."""

    def __init__(self, path):
        self.path = path

    def __iter__(self):
        for number, line in enumerate(read_lines(self.path), start=1):
            columns = line.split("\t")
            if len(columns) >= 2:
                yield columns[0].strip(), columns[1].strip()
            elif line.strip():
                raise UserError(
                    f"{self.path}, line {number}: one column, where source, tab, target should be"
                )

    def __str__(self):
        return self.path


class ParallelFiles(Pairs):
    """Two files, a sentence a line: line n of one is the translation of line n of the other."""

    def __init__(self, source, target):
        self.source = source
        self.target = target

    def __iter__(self):
        lines = itertools.zip_longest(read_lines(self.source), read_lines(self.target))
        for number, (source, target) in enumerate(lines, start=1):
            if source is None or target is None:
                shorter = self.source if source is None else self.target
                raise UserError(
                    f"{self.source} and {self.target} differ in their number of lines: "
                    f"{shorter} ends after line {number - 1}"
                )
            yield source.strip(), target.strip()

    def __str__(self):
        return f"{self.source} {self.target}"


class PhrasebookPairs(Pairs):
    """The built-in corpus, in either direction.

    Args:
        source_lang, target_lang: "en" and "de", or "de" and "en".
        split: "train", "validation" or "test".
        number: the epoch, for which training pairs are sampled.

    Raises:
        UserError: languages other than English and German.
    """

    def __init__(self, source_lang, target_lang, split, number=0):
        if {source_lang, target_lang} != {"en", "de"}:
            raise UserError(
                f"the built-in corpus is English and German, not {source_lang} and {target_lang}: "
                "give --train"
            )
        self.languages = source_lang, target_lang
        self.split = split
        self.number = number

    def __iter__(self):
        yield from map(self._directed, phrasebook.pairs(self.split, self.number))

    def other_split(self, split):
        return PhrasebookPairs(*self.languages, split)

    def epoch(self, number):
        return PhrasebookPairs(*self.languages, self.split, number)

    def vocabulary(self):
        return [self._directed(pair) for pair in phrasebook.vocabulary_pairs()]

    def _directed(self, pair):
        return pair if self.languages[0] == "en" else pair[::-1]

    def __str__(self):
        return f"the built-in corpus ({self.split})"


class TfdsPairs(Pairs):
    """A split of a translation set of TensorFlow Datasets, in its order on disk."""

    def __init__(self, builder, source_lang, target_lang, split):
        self.builder = builder
        self.languages = source_lang, target_lang
        self.split = split

    def __iter__(self):
        import tensorflow_datasets as tfds

        in_order = tfds.ReadConfig(interleave_cycle_length=1)
        dataset = self.builder.as_dataset(
            split=self.split, read_config=in_order, shuffle_files=False
        )
        for example in without_autotuning(dataset).as_numpy_iterator():
            source, target = (example[lang].decode("utf-8") for lang in self.languages)
            yield source.strip(), target.strip()

    def other_split(self, split):
        if split not in self.builder.info.splits:
            return None
        return TfdsPairs(self.builder, *self.languages, split)

    def __str__(self):
        return f"tfds:{self.builder.info.full_name} ({self.split})"


def open_tfds(name, source_lang, target_lang, split):
    """The pairs of a TFDS translation set, which is downloaded the first time.

    Raises:
        UserError: there is no such set or split, it cannot be downloaded, or it is not a
            translation set with both languages.
    """
    import tensorflow_datasets as tfds

    try:
        builder = tfds.builder(name)
    except (tfds.core.DatasetNotFoundError, ValueError, RuntimeError) as error:
        raise UserError(f"tfds:{name}: {error}") from error
    languages = getattr(builder.info.features, "languages", ())
    missing = [lang for lang in (source_lang, target_lang) if lang not in languages]
    if missing:
        has = f"it has {', '.join(languages)}" if languages else "it is no translation set"
        raise UserError(f"tfds:{name}: unknown language {' and '.join(missing)}: {has}")
    try:
        builder.download_and_prepare()
    except Exception as error:  # each set has its own ways to fail: a server, a disk, a manual step
        raise UserError(f"tfds:{name} could not be downloaded: {error}") from error
    # A set that TFDS mocks has no splits that are known.
    if builder.info.splits and split not in builder.info.splits:
        raise UserError(f"tfds:{name}: no split {split}: it has {', '.join(builder.info.splits)}")
    return TfdsPairs(builder, source_lang, target_lang, split)


def hold_out(pairs):
    """Divides pairs in two by a checksum of the source.

    All pairs with the same source go to the same side, and always to the same side.

    Returns:
        The pairs that are kept, and those held out.
    """
    count = sum(1 for _ in pairs)
    size = max(1, min(MOST_HELD_OUT, count // HELD_OUT_OF))
    smallest = heapq.nsmallest(size, (_checksum(source) for source, _ in pairs))
    if not smallest or all(_checksum(source) <= smallest[-1] for source, _ in pairs):
        raise UserError(f"{pairs}: too few sentence pairs to hold some out: give --validation")
    limit = smallest[-1]
    return HeldOut(pairs, limit, inside=False), HeldOut(pairs, limit, inside=True)


class HeldOut(Pairs):
    """The pairs whose source's checksum is at most `limit` (`inside`), or those above it."""

    def __init__(self, pairs, limit, inside):
        self.pairs = pairs
        self.limit = limit
        self.inside = inside

    def __iter__(self):
        for source, target in self.pairs:
            if (_checksum(source) <= self.limit) == self.inside:
                yield source, target

    def __str__(self):
        return str(self.pairs)


def _checksum(sentence):
    return zlib.crc32(sentence.encode("utf-8"))
