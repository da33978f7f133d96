"""The rules of English and German, with marks on the words that they add.

Function words such as articles, pronouns, auxiliaries and "not" are not in the lexicon: rules add
them. The rules themselves mark nothing. They stay readable, generating sentences costs no time for
marks, and `phrasebook.version`, a hash of their code, stays the same. Instead, a copy of each
module of rules is loaded, and some functions of the copy are replaced by ones that call the
original and mark the words of its result.
"""

import importlib.util
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from keras_transformer.inspection.true_alignments.marks import (
    Marks,
    also,
    marked,
    marks_of,
    plain,
)
from keras_transformer.phrasebook import english, german
from keras_transformer.phrasebook.syntax import (
    Clause,
    Clock,
    Complement,
    Coordination,
    Date,
    Indefinite,
    NounPhrase,
    Quality,
    Sentence,
    Subordinate,
)


def copy_of(module: ModuleType) -> ModuleType:
    """Return a second instance of a module, whose functions can be replaced."""
    spec = importlib.util.find_spec(module.__name__)
    assert spec and spec.loader
    copy = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(copy)
    return copy


def head(phrase: Any, marks: Marks) -> str:
    """Return the mark of the word on which the others of a phrase depend."""
    if isinstance(phrase, NounPhrase):
        return marks.of(phrase.noun)
    if isinstance(phrase, Coordination):
        return marks.of(phrase.first)
    return marks.of(phrase)


class Rules:
    """The rules of a language, with marks. Subclasses replace functions by their methods.

    A method replaces the function of the same name; its docstring is that of the function.

    Args:
        module: the module of the rules.

    Attributes:
        marks: the `Marks` of the tree that is realized.
    """

    REPLACED: tuple[str, ...] = ()

    def __init__(self, module: ModuleType) -> None:
        self.marks = Marks()
        self.rules = copy_of(module)
        self.original = {name: getattr(self.rules, name) for name in self.REPLACED}
        self._clauses: list[Clause] = []  # the clause that is being realized, and those around it
        for name in self.REPLACED:
            setattr(self.rules, name, getattr(self, name.lstrip("_")))

    def words(self, tree: Sentence, marks: Marks) -> list[str]:
        """Return the words of a marked tree, with the marks of the nodes that they realize."""
        self.marks, verb = marks, tree.clause.verb
        text = self.rules.realise(tree)
        roles = {
            **dict.fromkeys(("please", "bitte"), marks.of(tree, "please")),
            **dict.fromkeys(("let's", "lass", "uns"), marks.of(tree, "proposal")),
            **dict.fromkeys(("not", "nicht"), marks.of(verb, "not")),
            "do": self.auxiliary(verb),
        }
        return [_with_role(word, roles) for word in text.split()]

    def auxiliary(self, verb: object) -> str:
        """Return the mark of the auxiliaries of a verb."""
        return self.marks.of(verb, "auxiliary", self.marks.of(verb))

    def within(self, clause: Clause, name: str, *arguments: Any) -> Any:
        """Call an original function while a clause is the current one."""
        self._clauses.append(clause)
        try:
            return self.original[name](clause, *arguments)
        finally:
            self._clauses.pop()

    def not_mark(self) -> str:
        """Return the mark of the negation of the current clause."""
        return self.marks.of(self._clauses[-1].verb, "not")

    def is_negative(self) -> bool:
        """Return whether the current clause is negative."""
        return bool(self._clauses) and self._clauses[-1].negative

    def article_mark(self, phrase: Any) -> str:
        """Return the mark of the determiner of a phrase."""
        return self.marks.of(phrase, "determiner", head(phrase, self.marks))

    def rest_of(self, part: Any, text: str) -> str:
        """Return the text of a complement or adjunct with marks on the words that have none."""
        if isinstance(part, Complement):
            mark = self.marks.of(part, "preposition", head(part.phrase, self.marks))
        elif isinstance(part, Quality):
            mark = self.marks.of(part, "degree", self.marks.of(part.adjective))
        else:
            mark = self.marks.of(part)
        return marked(text, mark)


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


class English(Rules):
    """The rules of English."""

    REPLACED = (
        *("article", "_pronoun_forms", "_determiner", "render", "_verb_group", "_complement"),
        *("adjunct", "_clause", "_infinitive_clause", "_subordinate"),
    )

    def __init__(self) -> None:
        super().__init__(english)

    def article(self, following: str) -> str:
        return self.original["article"](plain(following))

    def pronoun_forms(self, pronoun: Any) -> tuple[str, ...]:
        forms = self.original["_pronoun_forms"](pronoun)
        return tuple(marked(form, self.marks.of(pronoun)) for form in forms)

    def determiner(self, phrase: NounPhrase, following: str) -> str:
        return marked(self.original["_determiner"](phrase, following), self.article_mark(phrase))

    def render(self, phrase: Any, *arguments: Any, **options: Any) -> str:
        return marked(self.original["render"](phrase, *arguments, **options), self.marks.of(phrase))

    def verb_group(self, clause: Clause, inverted: bool) -> tuple[str, list[str]]:
        operator, rest = self.original["_verb_group"](clause, inverted)
        words = [operator, *rest]
        main = self.marks.of(clause.verb)
        if not (any(main in word for word in words) or clause.causative):
            words[-1] = marked(words[-1], main)  # a form of "be"
        operator, *rest = [marked(word, self.auxiliary(clause.verb)) for word in words]
        return operator, rest

    def complement(self, part: Any) -> tuple[int, str]:
        slot, text = self.original["_complement"](part)
        if isinstance(part, Clock | Date):
            text = _without_first(text, "at")
        return slot, self.rest_of(part, text)

    def adjunct(self, part: Any) -> tuple[int, str]:
        slot, text = self.original["adjunct"](part)
        return slot, self.rest_of(part, text)

    def clause(self, clause: Clause, inverted: bool) -> str:
        text = self.within(clause, "_clause", inverted)
        roles = {"not": self.marks.of(clause.verb, "not"), "there": self.marks.of(clause.subject)}
        return with_roles(text, roles)

    def infinitive_clause(self, clause: Clause) -> str:
        return marked(self.within(clause, "_infinitive_clause"), self.marks.of(clause.verb))

    def subordinate(self, subordinate: Subordinate) -> str:
        verb = subordinate.clause.verb
        to = self.marks.of(verb, "to", self.marks.of(verb))
        return with_roles(self.original["_subordinate"](subordinate), {"to": to})


class Contractions(dict[tuple[str, str], str]):
    """The contractions of prepositions and articles, of which the article may be marked."""

    def get(self, key: tuple[str, str], default: Any = None) -> Any:
        """Return a contraction with the marks of the article, or the default."""
        preposition, article = key
        found = super().get((preposition, plain(article)), default)
        return also(found, "".join(sorted(marks_of(article)))) if found else found


class German(Rules):
    """The rules of German."""

    REPLACED = (
        *("_pronoun_forms", "_reflexive", "_participants", "_determiner", "render"),
        *("prepositional", "_verb_group", "_complement", "adjunct", "_clause"),
        *("_infinitive_clause", "_imperative_clause", "_imperative_form", "_proposal"),
        "_subordinate",
    )

    def __init__(self) -> None:
        super().__init__(german)
        self.rules.CONTRACTIONS = Contractions(german.CONTRACTIONS)  # type: ignore[attr-defined]

    def pronoun_forms(self, pronoun: Any) -> tuple[str, ...]:
        forms = self.original["_pronoun_forms"](pronoun)
        return tuple(marked(form, self.marks.of(pronoun)) for form in forms)

    def reflexive(self, subject: Any) -> str:
        return plain(self.original["_reflexive"](subject)).removesuffix(" zwei")

    def participants(self, clause: Clause, implied: Any) -> list[tuple[int, str]]:
        mark = self.marks.of(clause.verb, "reflexive", self.marks.of(clause.verb))
        parts = self.original["_participants"](clause, implied)
        return [(slot, marked(text, mark)) for slot, text in parts]

    def determiner(
        self, phrase: NounPhrase, case: str, gender: str, negative: bool
    ) -> tuple[str, str]:
        text, declension = self.original["_determiner"](phrase, case, gender, negative)
        text = marked(text, self.article_mark(phrase))
        return also(text, self.not_mark()) if text and negative else text, declension

    def render(self, phrase: Any, *arguments: Any) -> str:
        text = self.original["render"](phrase, *arguments)
        if isinstance(phrase, Indefinite) and phrase.negative and self.is_negative():
            return also(text, self.not_mark())  # "nothing" for "not ... anything"
        is_name = getattr(phrase, "gender", "") and hasattr(phrase, "en")
        return marked(text, self.article_mark(phrase) if is_name else self.marks.of(phrase))

    def prepositional(self, preposition: str, phrase: Any, case: str) -> str:
        text = self.original["prepositional"](preposition, phrase, case)
        return text if " " in text else marked(text, self.marks.of(phrase))  # "womit"

    def verb_group(self, clause: Clause) -> tuple[str, str, str]:
        finite, prefix, nonfinite = self.original["_verb_group"](clause)
        verb = clause.verb
        main, helper = self.marks.of(verb), self.auxiliary(verb)
        if main in finite + nonfinite:  # the others are auxiliaries
            return marked(finite, helper), prefix, marked(nonfinite, helper)
        if not nonfinite:
            return marked(finite, main), prefix, ""
        *before, last = nonfinite.split()
        return marked(finite, helper), prefix, " ".join([*before, also(last, main)])

    def complement(self, part: Any, negative: bool) -> tuple[int, str]:
        slot, text = self.original["_complement"](part, negative)
        if isinstance(part, Clock | Date):
            text = _without_first(text, "um")
        if isinstance(part, Complement) and part.de_preposition:
            first, space, rest = text.partition(" ")
            mark = self.marks.of(part, "preposition", head(part.phrase, self.marks))
            text = also(first, mark) + space + rest
        return slot, self.rest_of(part, text)

    def adjunct(self, part: Any) -> tuple[int, str]:
        slot, text = self.original["adjunct"](part)
        return slot, self.rest_of(part, text)

    def clause(self, clause: Clause, order: str) -> str:
        verb = clause.verb
        for part in clause.adjuncts:  # "früher", for which English has "used to"
            self.marks.hosts.setdefault(self.marks.of(part), self.auxiliary(verb))
        progressive = self.marks.of(verb, "progressive", self.marks.of(verb))
        roles = {
            "nicht": self.marks.of(verb, "not"),
            "gern": self.auxiliary(verb),
            "gerade": progressive,
        }
        return with_roles(self.within(clause, "_clause", order), roles)

    def infinitive_clause(self, clause: Clause, implied: Any) -> str:
        verb = clause.verb
        to = self.marks.of(verb, "to", self.marks.of(verb))
        text = with_roles(self.within(clause, "_infinitive_clause", implied), {"zu": to})
        return _last_also(text, self.marks.of(verb))

    def imperative_clause(self, clause: Clause, please: bool) -> str:
        return self.within(clause, "_imperative_clause", please)

    def imperative_form(self, verb: Any, addressee: Any) -> str:
        addressed = self.marks.of(verb, "addressee", self.marks.of(verb))
        text = self.original["_imperative_form"](verb, addressee)
        return with_roles(text, {"sie": addressed}, self.marks.of(verb))

    def proposal(self, clause: Clause) -> str:
        return _last_also(self.within(clause, "_proposal"), self.marks.of(clause.verb))

    def subordinate(self, subordinate: Subordinate, main: Clause) -> str:
        """A German conjunction for which English has "to" depends on it."""
        conjunction, verb = subordinate.conjunction, subordinate.clause.verb
        if conjunction.en == "to":
            to = self.marks.of(verb, "to", self.marks.of(verb))
            self.marks.hosts[self.marks.of(conjunction)] = to
        return self.original["_subordinate"](subordinate, main)


def _without_first(text: str, word: str) -> str:
    """Return a text without its first word, if that is the given one."""
    first, _, rest = text.partition(" ")
    return rest if plain(first) == word else text


def _last_also(text: str, mark: str) -> str:
    """Return a text whose last word has a mark: the infinitive, which may be irregular."""
    before, space, last = text.rpartition(" ")
    return before + space + (last if mark in last else also(last, mark))
