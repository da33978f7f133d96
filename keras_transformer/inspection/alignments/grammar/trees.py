"""Marked syntax trees: copies in which the words of the lexicon carry the marks of their nodes.

Every node of the copy is an object of its own, so that "I lost my key", in which the same pronoun
occurs twice, has two nodes for it.
"""

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any

from keras_transformer.inspection.alignments.grammar.marks import Marks, also, marked
from keras_transformer.phrasebook.german_inflection import PRESENT, PRETERITE, SUBJUNCTIVE
from keras_transformer.phrasebook.lexicon import (
    Adjective,
    Adverbial,
    Lexeme,
    Name,
    Noun,
    Number,
    Verb,
)
from keras_transformer.phrasebook.syntax import (
    Clock,
    Conjunction,
    Indefinite,
    Modal,
    Question,
    Sentence,
)

# Verbs whose forms are looked up by the verb, which therefore must not be marked.
ENGLISH_TABLES = {"be", "would"}
GERMAN_TABLES = {*PRESENT, *PRETERITE, *SUBJUNCTIVE}


def marked_tree(sentence: Sentence, marks: Marks) -> Sentence:
    """Return a marked copy of a tree, without contractions, which hide the words.

    Args:
        sentence: the tree.
        marks: receives the marks.
    """
    tree: Sentence = _Copying(marks).copy(sentence)
    return replace(tree, contracted=False)


class _Copying:
    """Copies trees.

    Args:
        marks: receives the marks.
    """

    def __init__(self, marks: Marks) -> None:
        self.marks = marks
        self.copiers: dict[type, Callable[[Any], Any]] = {
            Noun: self._noun,
            Verb: self._verb,
            Adjective: self._adjective,
            Clock: self._clock,
            Conjunction: self._conjunction,
            Name: self._compound,
            Number: self._compound,
            Adverbial: self._fixed,
            Lexeme: self._fixed,
            Indefinite: self._fixed,
            Question: self._fixed,
            Modal: replace,
        }

    def copy(self, tree: Any) -> Any:
        """Return a copy of a tree, or a value that is none unchanged."""
        if isinstance(tree, tuple):
            return tuple(map(self.copy, tree))
        if not is_dataclass(tree) or isinstance(tree, type):
            return tree
        copier = self.copiers.get(type(tree))
        if copier:
            return copier(tree)
        parts = {each.name: self.copy(getattr(tree, each.name)) for each in fields(tree)}
        return replace(tree, **parts)

    def _with(self, node: Any, *names: str) -> Any:
        """Return a copy of a node with a new mark on the strings of the given fields."""
        mark = self.marks.new()
        made = replace(node, **{name: marked(getattr(node, name), mark) for name in names})
        self.marks.assign(made, mark)
        return made

    def _fixed(self, node: Any) -> Any:
        return self._with(node, "en", "de")

    def _compound(self, node: Any) -> Any:
        made = self._fixed(node)
        self.marks.compounds.add(self.marks.of(made))
        return made

    def _noun(self, noun: Noun) -> Noun:
        names = ["en", "de", "en_plural", "de_plural"]
        if noun.declension != "weak":
            names.append("declension")  # the genitive
        made: Noun = self._with(noun, *names)
        self.marks.compounds.add(self.marks.of(made))
        return made

    def _adjective(self, adjective: Adjective) -> Adjective:
        more, _, positive = adjective.en_comparative.partition("more ")
        names = ["en", "de", "stem", "de_comparative"]
        if more or not positive:
            return self._with(adjective, *names, "en_comparative")
        made: Adjective = self._with(adjective, *names)
        mark = self.marks.of(made)
        comparative = f"{also('more', self.marks.new(mark))} {marked(positive, mark)}"
        copy = replace(made, en_comparative=comparative)
        self.marks.assign(copy, mark)
        return copy

    def _clock(self, clock: Clock) -> Clock:
        """Return a copy in which both hours have the same mark: "half past three", "halb vier"."""
        hour, host = self.marks.new(), self.marks.new()
        self.marks.hosts[hour] = host  # "um ein Uhr" has no mark on the hour
        made = replace(
            clock,
            hour=_with_mark(clock.hour, hour),
            next_hour=_with_mark(clock.next_hour, hour),
            minutes=clock.minutes and self._compound(clock.minutes),
        )
        self.marks.assign(made, host)
        return made

    def _conjunction(self, conjunction: Conjunction) -> Conjunction:
        """Return a copy; the English "to" is not marked, because a rule compares it."""
        if conjunction.en != "to":
            return self._fixed(conjunction)
        return self._with(conjunction, "de")

    def _verb(self, verb: Verb) -> Verb:
        """Return a copy with marks on the verb and on its particle or separable prefix."""
        main = self.marks.new()
        rest = self.marks.new(main)
        head, space, particle = verb.en.partition(" ")
        english = "" if head in ENGLISH_TABLES else main
        german = "" if verb.de in GERMAN_TABLES else main

        def form(text: str, mark: str) -> str:
            return marked(text, mark) if mark else text

        made = replace(
            verb,
            en=form(head, english) + space + marked(particle, rest),
            en_past=form(verb.en_past, english),
            en_done=form(verb.en_done, english),
            en_ing=form(verb.en_ing, english),
            de=form(verb.de, german),
            prefix=marked(verb.prefix, rest),
            du_er=tuple(form(each, german) for each in verb.du_er),
            participle=_participle(verb, german, rest),
        )
        self.marks.assign(made, main)
        return made


def _with_mark(number: Number, mark: str) -> Number:
    return replace(number, en=marked(number.en, mark), de=marked(number.de, mark))


def _participle(verb: Verb, main: str, rest: str) -> str:
    """Return the irregular participle of a verb with the marks of the verb and of its prefix."""
    before, space, last = verb.participle.rpartition(" ")
    if last and main:
        last = also(last, main)
    if last and verb.prefix and not verb.prefix.endswith(" "):
        last = also(last, rest)
    return marked(before, rest) + space + last
