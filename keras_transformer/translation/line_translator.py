"""Translating lines of several sentences: split, translate each sentence, join."""

from dataclasses import dataclass, replace

from keras_transformer.text.casing import without_capitals
from keras_transformer.text.normalization import with_straight_apostrophes
from keras_transformer.text.sentences import join_sentences, split_sentences
from keras_transformer.translation.translation import Translation


@dataclass(frozen=True)
class TranslatedLine:
    """A line with the translations of its sentences.

    `sentences` are the source sentences as the network read them; `found` has for each of them its
    `Translation`s, the best first; `lang` is the target language.
    """

    sentences: tuple
    found: tuple
    lang: str

    def translations(self):
        """Return the `Translation`s of the line, the best first.

        A line of one sentence has those of the sentence. With more, translation k joins the
        translations k of all sentences (the last of a sentence that has fewer), and its score is
        the sum of their scores, as log probabilities add up.
        """
        if len(self.found) == 1:
            return list(self.found[0])
        count = max((len(each) for each in self.found), default=1)
        return [self._joined(k) for k in range(count)]

    def _joined(self, k):
        chosen = [each[min(k, len(each) - 1)] for each in self.found]
        text = join_sentences([translation.text for translation in chosen], self.lang)
        return Translation(text, sum(translation.score for translation in chosen))


class LineTranslator:
    """Translates lines, sentence by sentence.

    Args:
        translator: a `Translator` or a `ServedTranslator`.
        source_lang, target_lang: languages as BPEmb names them.
        split: whether a line is split into sentences; otherwise it is one sentence.
        copier: a `Copier`, which sees to names and numbers; None for none.
    """

    def __init__(self, translator, source_lang="en", target_lang="de", split=True, copier=None):
        self.source_lang = source_lang
        self.target_lang = target_lang
        self.split = split
        self.translated = Copying(translator, copier) if copier else Plain(translator)

    def sentences(self, line):
        """Return the sentences of a line; a line of white space is one empty sentence."""
        sentences = split_sentences(line, self.source_lang) or [""] if self.split else [line]
        return [without_capitals(with_straight_apostrophes(sentence)) for sentence in sentences]

    def translate(self, lines, first_number=1, **options):
        """Translate lines, the sentences of all of them together.

        Args:
            lines: list of strings.
            first_number: number of the first line, for warnings.
            **options: `search` and `batch_size` of `Translator.translate`.

        Returns:
            A `TranslatedLine` for each line.
        """
        lines = [self.sentences(line) for line in lines]
        numbers = [n for n, line in enumerate(lines, first_number) for _ in line]
        flat = [sentence for line in lines for sentence in line]
        pairs = iter(self.translated(flat, numbers, options))
        lines = [[next(pairs) for _ in line] for line in lines]
        return [TranslatedLine(*zip(*line, strict=True), self.target_lang) for line in lines]


class Plain:
    """Translates sentences as they are.

    Args:
        translator: a `Translator` or a `ServedTranslator`.

    Call arguments:
        sentences: list of strings.
        numbers: the numbers of their lines, for warnings.
        options: {name: value}, `search` and `batch_size` of `Translator.translate`.

    Returns:
        For each sentence what the network read, and its `Translation`s, the best first.
    """

    def __init__(self, translator):
        self.translator = translator

    def __call__(self, sentences, numbers, options):
        found = self.translator.translate(sentences, numbers=numbers, **options)
        return list(zip(sentences, found, strict=True))


class Copying(Plain):
    """Translates sentences and sees to it that names and numbers are copied.

    Args:
        translator: a `Translator` or a `ServedTranslator`.
        copier: the `Copier`.
    """

    def __init__(self, translator, copier):
        super().__init__(translator)
        self.copier = copier

    def __call__(self, sentences, numbers, options):
        masked = [self.copier.masked(sentence) for sentence in sentences]
        pairs = super().__call__([text for text, _ in masked], numbers, options)
        names = [names for _, names in masked]
        lost = [i for i, (_, found) in enumerate(pairs) if _loses(found[0], names[i])]
        # A sentence that lost a name is translated again, with its names as they are.
        again = [[side[i] for i in lost] for side in (sentences, numbers)]
        for i, pair in zip(lost, super().__call__(*again, options), strict=True):
            pairs[i], names[i] = pair, {}
        restored = zip(sentences, pairs, names, strict=True)
        return [(pair[0], self._restored(sentence, pair[1], of)) for sentence, pair, of in restored]

    def _restored(self, sentence, found, originals):
        """Return the `Translation`s of a sentence with its own names and numbers."""
        texts = [self.copier.restored(sentence, each.text, originals) for each in found]
        return [replace(each, text=text) for each, text in zip(found, texts, strict=True)]


def _loses(translation, names):
    """Return whether a `Translation` lacks one of the names that the network was given."""
    return any(name not in translation.text for name in names)
