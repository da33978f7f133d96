"""Translating lines of several sentences: split, translate each sentence, join."""

from dataclasses import dataclass, replace

from keras_transformer.text.casing import without_capitals
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
        self.translator = translator
        self.source_lang = source_lang
        self.target_lang = target_lang
        self.split = split
        self.copier = copier

    def sentences(self, line):
        """Return the sentences of a line; a line of white space is one empty sentence."""
        sentences = split_sentences(line, self.source_lang) or [""] if self.split else [line]
        return [without_capitals(sentence) for sentence in sentences]

    def translate(self, lines, first_number=1, **search):
        """Translate lines, the sentences of all of them together.

        Args:
            lines: list of strings.
            first_number: number of the first line, for warnings.
            search: arguments for `Translator.translate`.

        Returns:
            A `TranslatedLine` for each line.
        """
        lines = [self.sentences(line) for line in lines]
        numbers = [n for n, line in enumerate(lines, first_number) for _ in line]
        flat = [sentence for line in lines for sentence in line]
        pairs = iter(self._translated(flat, numbers, search))
        lines = [[next(pairs) for _ in line] for line in lines]
        return [TranslatedLine(*zip(*line, strict=True), self.target_lang) for line in lines]

    def _translated(self, sentences, numbers, search):
        """Return for each sentence what the network read, and its `Translation`s."""
        if not self.copier:
            found = self.translator.translate(sentences, numbers=numbers, **search)
            return list(zip(sentences, found, strict=True))
        masked = [self.copier.masked(sentence) for sentence in sentences]
        read = [text for text, _ in masked]
        found = self.translator.translate(read, numbers=numbers, **search)
        lost = [
            i
            for i, (_, names) in enumerate(masked)
            if any(name not in each.text for name in names for each in found[i][:1])
        ]
        # What lost a name is translated once more, with the names as they are.
        again = self.translator.translate(
            [sentences[i] for i in lost], numbers=[numbers[i] for i in lost], **search
        )
        for i, translations in zip(lost, again, strict=True):
            read[i], found[i], masked[i] = sentences[i], translations, (sentences[i], {})
        return [
            (read[i], [self._restored(sentences[i], each, masked[i][1]) for each in found[i]])
            for i in range(len(sentences))
        ]

    def _restored(self, sentence, translation, originals):
        """Return a `Translation` with the names and numbers of the sentence."""
        text = self.copier.restored(sentence, translation.text, originals)
        return replace(translation, text=text)
