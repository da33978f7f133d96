"""Sentence pairs from files, TensorFlow Datasets (TFDS) and the built-in corpus.

`Pairs` yield (source, target) strings and can be read repeatedly. Files are read again for each
iteration, so a corpus may be larger than memory.
"""

import hashlib
import heapq
import itertools
import zlib
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from keras_transformer import phrasebook
from keras_transformer.errors import UserError
from keras_transformer.files import check_file
from keras_transformer.text.autotuning import without_autotuning
from keras_transformer.text.datasets import check_split, download, find_dataset
from keras_transformer.text.lines import read_lines

if TYPE_CHECKING:  # the import takes seconds
    import tensorflow_datasets as tfds

TFDS_PREFIX = "tfds:"

# Without validation pairs, one training pair in 20 is held out, up to 1,000 pairs.
HOLD_OUT_ONE_IN = 20
MAX_HELD_OUT = 1000
# Of a small corpus, twice as many: the score of one or two pairs would say nothing.
SMALL_HOLD_OUT, SMALL_HOLD_OUT_ONE_IN = 20, 10

Pair: TypeAlias = tuple[str, str]  # source, target


class Pairs(Iterable[Pair]):
    """Sentence pairs that can be read repeatedly."""

    @abstractmethod
    def __iter__(self) -> Iterator[Pair]:
        """Iterate over the (source, target) pairs from the beginning."""

    def other_split(self, split: str) -> "Pairs | None":
        """Return another split of the same data set, or None if there is no such split."""
        return None

    def epoch(self, number: int) -> "Pairs":
        """Return the pairs of epoch `number`, from 0. Only a sampled corpus differs by epoch."""
        return self

    def vocabulary(self) -> Iterable[Pair]:
        """Return the pairs that the subword models are trained on."""
        return self

    def fingerprint(self) -> str:
        """Return a SHA-256 that changes whenever a pair or the order of pairs changes.

        Pairs that are read from files are read once more for the first call. The fingerprint of a
        sampled corpus covers all epochs.
        """
        return self._fingerprint

    def is_unchanged(self) -> bool:
        """Return whether the pairs are still those of the fingerprint, by reading them again."""
        return self._digest() == self.fingerprint()

    @cached_property
    def _fingerprint(self) -> str:
        return self._digest()

    def _digest(self) -> str:
        content = hashlib.sha256()
        for source, target in self:
            # With the lengths, no two sequences of pairs have the same bytes.
            text = f"{len(source)} {len(target)} {source}{target}"
            content.update(text.encode("utf-8", "surrogatepass"))
        return content.hexdigest()


class Corpus(NamedTuple):
    """The sentence pairs of a training run.

    Attributes:
        name: short name, as `corpus_name` returns it.
        train: training pairs.
        validation: validation pairs.
        test: the corpus's own test pairs, or None.
    """

    name: str
    train: Pairs
    validation: Pairs
    test: Pairs | None


def open_corpus(
    train: Sequence[str], validation: Sequence[str], source_lang: str, target_lang: str
) -> Corpus:
    """Open the pairs that the settings `train` and `validation` name.

    Args:
        train: names as in `open_pairs`; empty for the built-in corpus.
        validation: names as in `open_pairs`. If empty, the validation split of the training corpus
            is used. If there is no such split, some training pairs are held out.
        source_lang: source language.
        target_lang: target language.

    Returns:
        A `Corpus`.

    Raises:
        UserError: If a file or data set is missing, has the wrong format or contains no pairs.
    """
    pairs = open_pairs(train, source_lang, target_lang)
    test = pairs.other_split("test")
    if validation:
        held_out = open_pairs(validation, source_lang, target_lang, split="validation")
    else:
        pairs, held_out = with_validation(pairs)
    for part in (pairs, held_out):
        if next(iter(part), None) is None:
            raise UserError(f"{part}: no sentence pairs")
    return Corpus(corpus_name(train), pairs, held_out, test)


def with_validation(pairs: Pairs) -> tuple[Pairs, Pairs]:
    """Return training and validation pairs, holding some out if there is no validation split."""
    split = pairs.other_split("validation")
    return hold_out(pairs) if split is None else (pairs, split)


def open_test(names: Sequence[str], source_lang: str, target_lang: str) -> Pairs:
    """Return the test pairs of the built-in corpus or of a data set with a test split.

    Args:
        names: names of the training pairs, as in `open_pairs`.
        source_lang: source language.
        target_lang: target language.

    Raises:
        UserError: If the corpus has no test pairs, or cannot be opened.
    """
    test = open_pairs(names, source_lang, target_lang).other_split("test")
    if test is None:
        raise UserError(f"{' '.join(names)}: the corpus has no test pairs of its own")
    return test


def open_pairs(
    names: Sequence[str], source_lang: str, target_lang: str, split: str = "train"
) -> Pairs:
    """Open one tab-separated file, two parallel files, a TFDS data set or the built-in corpus.

    Args:
        names: one file, two files, one `tfds:NAME/CONFIG`, or empty for the built-in corpus.
        source_lang: source language.
        target_lang: target language.
        split: split of a data set that has several.

    Raises:
        UserError: If a data set is missing or a file cannot be used (see `open_files`).
    """
    if not names:
        return PhrasebookPairs(source_lang, target_lang, split)
    if names[0].startswith(TFDS_PREFIX):
        if len(names) > 1:
            others = " ".join(names[1:])
            raise UserError(f"{names[0]}: a TFDS data set cannot be combined with {others}")
        return open_tfds(names[0].removeprefix(TFDS_PREFIX), source_lang, target_lang, split)
    return open_files(names)


def open_files(names: Sequence[str]) -> Pairs:
    """Open one tab-separated file or two parallel files.

    Raises:
        UserError: If a file is missing or not a regular file, or there are more than two.
    """
    for name in names:
        check_file(name)
        if Path(name).is_dir():
            raise UserError(f"{name}: a directory, not a file")
        if not Path(name).is_file():
            raise UserError(f"{name}: not a regular file; pairs are read more than once")
    if len(names) > 2:
        raise UserError(
            f"expected one tab-separated file or two parallel files, not {len(names)} files"
        )
    return TabSeparatedFile(*names) if len(names) == 1 else ParallelFiles(*names)


def corpus_name(names: Sequence[str]) -> str:
    """Return a short name for a corpus, for use in the name of its run directory."""
    if not names:
        return "phrasebook"
    if names[0].startswith(TFDS_PREFIX):
        return names[0].removeprefix(TFDS_PREFIX).split("/")[0].split(":")[0]
    return Path(names[0]).name.lstrip(".").split(".")[0] or "corpus"


class TabSeparatedFile(Pairs):
    """A file with one pair per line: source, tab, target.

    Further columns, as in Anki exports, are ignored.

    Args:
        path: the file.
    """

    def __init__(self, path: str) -> None:
        self.path = path

    def __iter__(self) -> Iterator[Pair]:
        for number, line in enumerate(read_lines(self.path), start=1):
            columns = line.split("\t")
            if len(columns) >= 2:
                yield columns[0].strip(), columns[1].strip()
            elif line.strip():
                raise UserError(
                    f"{self.path}, line {number}: only one column, expected source, tab, target"
                )

    def __str__(self) -> str:
        return self.path


class ParallelFiles(Pairs):
    """Two files with one sentence per line; line n of one translates line n of the other.

    Args:
        source: the file of source sentences.
        target: the file of target sentences.
    """

    def __init__(self, source: str, target: str) -> None:
        self.source = source
        self.target = target

    def __iter__(self) -> Iterator[Pair]:
        lines = itertools.zip_longest(read_lines(self.source), read_lines(self.target))
        for number, (source, target) in enumerate(lines, start=1):
            if source is None or target is None:
                shorter = self.source if source is None else self.target
                raise UserError(
                    f"{self.source} and {self.target} have different numbers of lines: "
                    f"{shorter} ends after line {number - 1}"
                )
            yield source.strip(), target.strip()

    def __str__(self) -> str:
        return f"{self.source} {self.target}"


class PhrasebookPairs(Pairs):
    """The built-in corpus, in either direction.

    Args:
        source_lang: "en" or "de".
        target_lang: the other language.
        split: "train", "validation" or "test".
        number: the epoch, for which training pairs are sampled.

    Raises:
        UserError: If the languages are not English and German.
    """

    def __init__(self, source_lang: str, target_lang: str, split: str, number: int = 0) -> None:
        if {source_lang, target_lang} != {"en", "de"}:
            raise UserError(
                f"the built-in corpus is English and German, not {source_lang} and {target_lang}; "
                "the setting train must name another corpus"
            )
        self.languages = source_lang, target_lang
        self.split = split
        self.number = number

    def __iter__(self) -> Iterator[Pair]:
        yield from map(self._directed, phrasebook.pairs(self.split, self.number))

    def other_split(self, split: str) -> Pairs:
        return PhrasebookPairs(*self.languages, split)

    def epoch(self, number: int) -> Pairs:
        if number == self.number:
            return self
        return PhrasebookPairs(*self.languages, self.split, number)

    def vocabulary(self) -> Iterable[Pair]:
        return [self._directed(pair) for pair in phrasebook.vocabulary_pairs()]

    @cached_property
    def _fingerprint(self) -> str:
        parts = "phrasebook", phrasebook.version(), *self.languages, self.split, self.number
        return hash_of(*parts)

    def is_unchanged(self) -> bool:
        return True  # generated, not read

    def _directed(self, pair: Pair) -> Pair:
        english, german = pair
        return (english, german) if self.languages[0] == "en" else (german, english)

    def __str__(self) -> str:
        return f"the built-in corpus ({self.split})"


class TfdsPairs(Pairs):
    """A split of a TFDS translation data set, in its order on disk.

    Args:
        builder: builder of the data set, which has been downloaded.
        source_lang: source language.
        target_lang: target language.
        split: name of the split.
    """

    def __init__(
        self, builder: "tfds.core.DatasetBuilder", source_lang: str, target_lang: str, split: str
    ) -> None:
        self.builder = builder
        self.languages = source_lang, target_lang
        self.split = split

    def __iter__(self) -> Iterator[Pair]:
        import tensorflow_datasets as tfds

        in_order = tfds.ReadConfig(interleave_cycle_length=1)
        dataset = self.builder.as_dataset(
            split=self.split, read_config=in_order, shuffle_files=False
        )
        for example in without_autotuning(dataset).as_numpy_iterator():
            source, target = (example[lang].decode("utf-8") for lang in self.languages)
            yield source.strip(), target.strip()

    def other_split(self, split: str) -> Pairs | None:
        if split not in self.builder.info.splits:
            return None
        return TfdsPairs(self.builder, *self.languages, split)

    @cached_property
    def _fingerprint(self) -> str:
        # The full name contains the version, which changes with the content.
        return hash_of("tfds", self.builder.info.full_name, *self.languages, self.split)

    def is_unchanged(self) -> bool:
        return True  # the files of a version are never edited

    def __str__(self) -> str:
        return f"tfds:{self.builder.info.full_name} ({self.split})"


def open_tfds(name: str, source_lang: str, target_lang: str, split: str) -> TfdsPairs:
    """Return the pairs of a TFDS translation data set, which is downloaded on first use.

    Raises:
        UserError: If there is no such data set or split, the download fails, or the data set does
            not contain translations between both languages.
    """
    builder = find_dataset(name)
    _check_languages(builder, name, (source_lang, target_lang))
    download(builder, name)
    check_split(builder, split)
    return TfdsPairs(builder, source_lang, target_lang, split)


def _check_languages(
    builder: "tfds.core.DatasetBuilder", name: str, languages: tuple[str, str]
) -> None:
    """Raise a `UserError` if a TFDS data set lacks one of two languages."""
    available = getattr(builder.info.features, "languages", ())
    if not available:
        raise UserError(f"tfds:{name}: not a translation data set")
    missing = [lang for lang in languages if lang not in available]
    if missing:
        raise UserError(
            f"tfds:{name}: no language {' or '.join(missing)}; available: {', '.join(available)}"
        )


def _of_small(count: int) -> int:
    return min(SMALL_HOLD_OUT, count // SMALL_HOLD_OUT_ONE_IN)


def hold_out(pairs: Pairs) -> tuple["HeldOut", "HeldOut"]:
    """Split pairs in two by a checksum of the source.

    The split is deterministic. Pairs with the same source are never separated. Pairs with an empty
    side are not held out.

    Returns:
        The remaining pairs and the pairs held out.

    Raises:
        UserError: If there are no pairs, or none would remain.
    """
    count = sum(1 for pair in pairs if _is_complete(pair))
    if not count:
        raise UserError(f"{pairs}: no sentence pairs")
    size = max(1, min(MAX_HELD_OUT, count // HOLD_OUT_ONE_IN), _of_small(count))
    smallest = heapq.nsmallest(size, (_checksum(pair[0]) for pair in pairs if _is_complete(pair)))
    if all(_checksum(pair[0]) <= smallest[-1] for pair in pairs if _is_complete(pair)):
        raise UserError(
            f"{pairs}: too few sentence pairs to hold some out; "
            "the setting validation must name validation pairs"
        )
    limit = smallest[-1]
    return HeldOut(pairs, limit, inside=False), HeldOut(pairs, limit, inside=True)


class HeldOut(Pairs):
    """The pairs on one side of a split by the checksum of the source.

    Args:
        pairs: all pairs.
        limit: the largest checksum that is held out.
        inside: whether to yield the pairs held out, instead of the remaining ones.
    """

    def __init__(self, pairs: Pairs, limit: int, inside: bool) -> None:
        self.pairs = pairs
        self.limit = limit
        self.inside = inside

    def __iter__(self) -> Iterator[Pair]:
        for pair in self.pairs:
            is_held_out = _is_complete(pair) and _checksum(pair[0]) <= self.limit
            if is_held_out == self.inside:
                yield pair

    @cached_property
    def _fingerprint(self) -> str:
        return hash_of("held out", self.pairs.fingerprint(), self.limit, self.inside)

    def is_unchanged(self) -> bool:
        return self.pairs.is_unchanged()

    def __str__(self) -> str:
        return str(self.pairs)


def hash_of(*parts: object) -> str:
    """Return the SHA-256 of values whose `repr` is the same in every process."""
    return hashlib.sha256(repr(parts).encode("utf-8")).hexdigest()


def _is_complete(pair: Pair) -> bool:
    """Return whether neither side of a pair is empty."""
    return all(side.strip() for side in pair)


def _checksum(sentence: str) -> int:
    return zlib.crc32(sentence.encode("utf-8"))
