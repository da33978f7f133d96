"""The rules of English and German, with marks on the words that they add.

Function words such as articles, pronouns, auxiliaries and "not" are not in the lexicon: rules add
them. The rules of the built-in corpus mark nothing, so that they stay readable and generating
sentences costs no time for marks. Their subclasses here mark the words of what the rules return.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from keras_transformer.inspection.alignments.grammar.marks import (
    Marks,
    also,
    marked,
    marks_of,
    plain,
)
from keras_transformer.phrasebook import english, german
from keras_transformer.phrasebook.english import English
from keras_transformer.phrasebook.german import German
from keras_transformer.phrasebook.syntax import (
    Adjunct,
    Argument,
    Clause,
    Clock,
    Complement,
    Coordination,
    Date,
    Indefinite,
    NounPhrase,
    Phrase,
    Pronoun,
    Quality,
    Sentence,
    Subordinate,
)


class NodeMarks:
    """The marks of the parts of a syntax tree, by their grammatical role.

    Args:
        marks: the `Marks` of the tree.
    """

    def __init__(self, marks: Marks) -> None:
        self.marks = marks
        self._clauses: list[Clause] = []  # the clause that is being realized, and those around it

    @contextmanager
    def within(self, clause: Clause) -> Iterator[None]:
        """Make a clause the current one."""
        self._clauses.append(clause)
        try:
            yield
        finally:
            self._clauses.pop()

    @property
    def is_negative(self) -> bool:
        """Whether the current clause is negative."""
        return bool(self._clauses) and self._clauses[-1].negative

    def of_negation(self) -> str:
        """Return the mark of the negation of the current clause."""
        return self.marks.of(self._clauses[-1].verb, "not")

    def of_head(self, phrase: Any) -> str:
        """Return the mark of the word on which the others of a phrase depend."""
        if isinstance(phrase, NounPhrase):
            return self.marks.of(phrase.noun)
        if isinstance(phrase, Coordination):
            return self.marks.of(phrase.first)
        return self.marks.of(phrase)

    def of_determiner(self, phrase: Any) -> str:
        """Return the mark of the determiner of a phrase."""
        return self.marks.of(phrase, "determiner", self.of_head(phrase))

    def of_preposition(self, part: Complement) -> str:
        """Return the mark of the preposition of a complement."""
        return self.marks.of(part, "preposition", self.of_head(part.phrase))

    def of_verb(self, verb: object, role: str) -> str:
        """Return the mark of words that depend on a verb, such as its "auxiliary" or its "to"."""
        return self.marks.of(verb, role, self.marks.of(verb))

    def rest_of(self, part: Any, text: str) -> str:
        """Return the text of a complement or adjunct with marks on the words that have none."""
        if isinstance(part, Complement):
            return marked(text, self.of_preposition(part))
        if isinstance(part, Quality):
            return marked(text, self.marks.of(part, "degree", self.marks.of(part.adjective)))
        return marked(text, self.marks.of(part))

    def sentence_words(self, tree: Sentence, text: str) -> list[str]:
        """Return the words of a sentence, with marks on those that its mood adds."""
        roles = {
            **dict.fromkeys(("please", "bitte"), self.marks.of(tree, "please")),
            **dict.fromkeys(("let's", "lass", "uns"), self.marks.of(tree, "proposal")),
            **dict.fromkeys(("not", "nicht"), self.marks.of(tree.clause.verb, "not")),
            "do": self.of_verb(tree.clause.verb, "auxiliary"),
        }
        return [_with_role(word, roles) for word in text.split()]


def _with_role(word: str, roles: Mapping[str, str]) -> str:
    """Return a word without a mark with that of its role, if it has one."""
    mark = roles.get(plain(word).strip(".,!?~").lower())
    return marked(word, mark) if mark else word


def with_roles(text: str, roles: Mapping[str, str], default: str = "") -> str:
    """Return a text with marks on the words that have none.

    Args:
        text: the text.
        roles: {word in lower case: mark}.
        default: the mark of other words; "" for none.
    """
    text = " ".join(_with_role(word, roles) for word in text.split(" "))
    return marked(text, default) if default else text


class MarkedEnglish(English):
    """The rules of English, with marks.

    Args:
        marks: the `Marks` of the tree that is put into words.
    """

    def __init__(self, marks: Marks) -> None:
        self.marks, self.nodes = marks, NodeMarks(marks)

    def words(self, tree: Sentence) -> list[str]:
        """Return the words of a marked tree, with the marks of the nodes that they realize."""
        return self.nodes.sentence_words(tree, self.realise(tree))

    def pronoun_forms(self, pronoun: Pronoun) -> tuple[str, ...]:
        mark = self.marks.of(pronoun)
        return tuple(marked(form, mark) for form in super().pronoun_forms(pronoun))

    def determiner(self, phrase: NounPhrase, following: str) -> str:
        # "a" or "an" depends on the next letter, which must not be a mark.
        text = super().determiner(phrase, plain(following))
        return marked(text, self.nodes.of_determiner(phrase))

    def render(self, phrase: Phrase, subject: bool = False, bare: bool = False) -> str:
        return marked(super().render(phrase, subject, bare), self.marks.of(phrase))

    def verb_group(self, clause: Clause, inverted: bool) -> tuple[str, list[str]]:
        operator, rest = super().verb_group(clause, inverted)
        words = [operator, *rest]
        main = self.marks.of(clause.verb)
        if not (any(main in word for word in words) or clause.causative):
            words[-1] = marked(words[-1], main)  # a form of "be"
        helper = self.nodes.of_verb(clause.verb, "auxiliary")
        operator, *rest = [marked(word, helper) for word in words]
        return operator, rest

    def complement(self, part: Argument) -> tuple[english.Slot, str]:
        slot, text = super().complement(part)
        if isinstance(part, Clock | Date):
            text = _without_first(text, "at")
        return slot, self.nodes.rest_of(part, text)

    def adjunct(self, part: Adjunct) -> tuple[english.Slot, str]:
        slot, text = super().adjunct(part)
        return slot, self.nodes.rest_of(part, text)

    def clause(self, clause: Clause, inverted: bool) -> str:
        text = super().clause(clause, inverted)
        roles = {"not": self.marks.of(clause.verb, "not"), "there": self.marks.of(clause.subject)}
        return with_roles(text, roles)

    def infinitive_clause(self, clause: Clause) -> str:
        return marked(super().infinitive_clause(clause), self.marks.of(clause.verb))

    def subordinate(self, subordinate: Subordinate) -> str:
        to = self.nodes.of_verb(subordinate.clause.verb, "to")
        return with_roles(super().subordinate(subordinate), {"to": to})


class MarkedGerman(German):
    """The rules of German, with marks.

    Args:
        marks: the `Marks` of the tree that is put into words.
    """

    def __init__(self, marks: Marks) -> None:
        self.marks, self.nodes = marks, NodeMarks(marks)

    def words(self, tree: Sentence) -> list[str]:
        """Return the words of a marked tree, with the marks of the nodes that they realize."""
        return self.nodes.sentence_words(tree, self.realise(tree))

    def pronoun_forms(self, pronoun: Pronoun) -> tuple[str, ...]:
        mark = self.marks.of(pronoun)
        return tuple(marked(form, mark) for form in super().pronoun_forms(pronoun))

    def reflexive(self, subject: Phrase | None) -> str:
        return plain(super().reflexive(subject)).removesuffix(" zwei")

    def participants(self, clause: Clause, implied: Phrase | None) -> list[tuple[german.Slot, str]]:
        mark = self.nodes.of_verb(clause.verb, "reflexive")
        parts = super().participants(clause, implied)
        return [(slot, marked(text, mark)) for slot, text in parts]

    def determiner(
        self, phrase: NounPhrase, case: str, gender: str, negative: bool
    ) -> tuple[str, str]:
        text, declension = super().determiner(phrase, case, gender, negative)
        text = marked(text, self.nodes.of_determiner(phrase))
        is_negation = text and negative
        return also(text, self.nodes.of_negation()) if is_negation else text, declension

    def render(self, phrase: Phrase, case: str, negative: bool = False) -> str:
        text = super().render(phrase, case, negative)
        if isinstance(phrase, Indefinite) and phrase.negative and self.nodes.is_negative:
            return also(text, self.nodes.of_negation())  # "nothing" for "not ... anything"
        is_name = getattr(phrase, "gender", "") and hasattr(phrase, "en")
        return marked(text, self.nodes.of_determiner(phrase) if is_name else self.marks.of(phrase))

    def prepositional(self, preposition: str, phrase: Phrase, case: str) -> str:
        text = super().prepositional(preposition, phrase, case)
        return text if " " in text else marked(text, self.marks.of(phrase))  # "womit"

    def contraction(self, preposition: str, article: str) -> str:
        """Return a contraction with the marks of the article."""
        text = super().contraction(preposition, plain(article))
        return also(text, "".join(sorted(marks_of(article)))) if text else ""

    def verb_group(self, clause: Clause) -> tuple[str, str, str]:
        finite, prefix, nonfinite = super().verb_group(clause)
        main = self.marks.of(clause.verb)
        helper = self.nodes.of_verb(clause.verb, "auxiliary")
        if main in finite + nonfinite:  # the others are auxiliaries
            return marked(finite, helper), prefix, marked(nonfinite, helper)
        if not nonfinite:
            return marked(finite, main), prefix, ""
        *before, last = nonfinite.split()
        return marked(finite, helper), prefix, " ".join([*before, also(last, main)])

    def complement(self, part: Argument, negative: bool) -> tuple[german.Slot, str]:
        slot, text = super().complement(part, negative)
        if isinstance(part, Clock | Date):
            text = _without_first(text, "um")
        if isinstance(part, Complement) and part.de_preposition:
            first, space, rest = text.partition(" ")
            text = also(first, self.nodes.of_preposition(part)) + space + rest
        return slot, self.nodes.rest_of(part, text)

    def adjunct(self, part: Adjunct) -> tuple[german.Slot, str]:
        slot, text = super().adjunct(part)
        return slot, self.nodes.rest_of(part, text)

    def clause(self, clause: Clause, order: str) -> str:
        verb = clause.verb
        helper = self.nodes.of_verb(verb, "auxiliary")
        for part in clause.adjuncts:  # "früher", for which English has "used to"
            self.marks.hosts.setdefault(self.marks.of(part), helper)
        progressive = self.nodes.of_verb(verb, "progressive")
        roles = {"nicht": self.marks.of(verb, "not"), "gern": helper, "gerade": progressive}
        with self.nodes.within(clause):
            return with_roles(super().clause(clause, order), roles)

    def infinitive_clause(self, clause: Clause, implied: Phrase | None) -> str:
        with self.nodes.within(clause):
            text = super().infinitive_clause(clause, implied)
        text = with_roles(text, {"zu": self.nodes.of_verb(clause.verb, "to")})
        return _last_also(text, self.marks.of(clause.verb))

    def imperative_clause(self, clause: Clause, please: bool) -> str:
        with self.nodes.within(clause):
            return super().imperative_clause(clause, please)

    def imperative_form(self, verb: Any, addressee: Pronoun) -> str:
        text = super().imperative_form(verb, addressee)
        return with_roles(text, {"sie": self.nodes.of_verb(verb, "addressee")}, self.marks.of(verb))

    def proposal(self, clause: Clause) -> str:
        with self.nodes.within(clause):
            return _last_also(super().proposal(clause), self.marks.of(clause.verb))

    def subordinate(self, subordinate: Subordinate, main: Clause) -> str:
        """Return a clause. A conjunction for which English has "to" depends on that."""
        conjunction, verb = subordinate.conjunction, subordinate.clause.verb
        if conjunction.en == "to":
            self.marks.hosts[self.marks.of(conjunction)] = self.nodes.of_verb(verb, "to")
        return super().subordinate(subordinate, main)


def _without_first(text: str, word: str) -> str:
    """Return a text without its first word, if that is the given one."""
    first, _, rest = text.partition(" ")
    return rest if plain(first) == word else text


def _last_also(text: str, mark: str) -> str:
    """Return a text whose last word has a mark: the infinitive, which may be irregular."""
    before, space, last = text.rpartition(" ")
    return before + space + (last if mark in last else also(last, mark))
