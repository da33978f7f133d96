"""Word alignments from the syntax tree that two sentences share.

Words of the two languages are linked if they realize the same node of the tree. Words are what
white space separates; a punctuation mark belongs to the word that it touches. Links are sure or
possible (Och and Ney 2003):

* A node that has as many words in one language as in the other yields sure links, from each word to
  its counterpart. So do nouns, names and numbers that are one word in one language only
  ("washing machine", "Waschmaschine").
* Otherwise all links between the words of the node are possible ("have to", "muss").
* A word whose node has no word in the other language depends on another node, and has possible
  links to its words: an article on its noun, a preposition on its phrase, an auxiliary, a particle,
  "zu" and "sich" on their verb.
* All links between the auxiliaries and forms of a verb in both languages are possible.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import TypeAlias

from keras_transformer.inspection.alignments.errors import Link, Reference
from keras_transformer.inspection.alignments.grammar.marks import (
    Marks,
    marks_of,
    plain,
    positions,
)
from keras_transformer.inspection.alignments.grammar.rules import MarkedEnglish, MarkedGerman
from keras_transformer.inspection.alignments.grammar.trees import marked_tree
from keras_transformer.phrasebook import corpus
from keras_transformer.phrasebook.english import English
from keras_transformer.phrasebook.german import German
from keras_transformer.phrasebook.lexicon import Verb
from keras_transformer.phrasebook.syntax import Sentence, lexemes

Positions: TypeAlias = dict[str, list[int]]

SHORTENED = re.compile(r".+(n't|'m|'s|'re|'ve|'ll|'d)|cannot", re.IGNORECASE)
FULL = {"not", "am", "is", "are", "have", "has", "will", "would"}  # second words of contractions
PUNCTUATION = ".,!?"


def true_alignment(sentence: Sentence) -> Reference:
    """Return the true alignment of the English and the German wording of a tree.

    Args:
        sentence: the tree.

    Raises:
        ValueError: If marks changed the wording, so that the alignment is unknown.
    """
    marks = Marks()
    tree = marked_tree(sentence, marks)
    source = _checked(English().realise(sentence), MarkedEnglish(marks).words(tree))
    target = _checked(German().realise(sentence), MarkedGerman(marks).words(tree))
    sides = positions(source), positions(target)
    sure, possible = _shared(*sides, marks)
    possible |= _dependent(*sides, marks) | _verb_groups(*sides, marks, tree)
    return Reference(frozenset(sure), frozenset(sure | possible))


def aligned_sentences(seed: int) -> Iterator[tuple[str, str, Reference]]:
    """Yield the pairs of `corpus.sentences` with their true alignments, indefinitely."""
    for source, target, tree in corpus.sentences(seed):
        yield source, target, true_alignment(tree)


def _checked(text: str, marked: Sequence[str]) -> list[str]:
    """Return the marked word for each word of a sentence.

    Args:
        text: the sentence, in which some words are contracted.
        marked: its words with marks and without contractions.

    Raises:
        ValueError: If the words are not the same, apart from the endings of marked words.
    """
    rest, found = list(marked), list[str]()
    for word in text.split():
        first, second = [*rest[:2], "", ""][:2]
        contracted = _is_contraction(word, first, second)
        if not (contracted or _is_form(word, first)):
            break
        found.append(first + second if contracted else first)
        rest = rest[1 + contracted :]
    if rest or len(found) < len(text.split()):
        raise ValueError(f"{text!r} became {plain(' '.join(marked))!r} with marks")
    return found


def _is_contraction(word: str, first: str, second: str) -> bool:
    bare = word.rstrip(PUNCTUATION)
    if not SHORTENED.fullmatch(bare) or bare.lower() == plain(first).lower():
        return False
    return plain(second).rstrip(PUNCTUATION) in FULL


def _is_form(word: str, marked: str) -> bool:
    """Return whether a marked word is a word or, as rules of inflection may fail, begins alike."""
    text, other = (each.rstrip(PUNCTUATION).lower() for each in (word, plain(marked)))
    return text == other or (bool(marks_of(marked)) and text[:1] == other[:1])


def _shared(source: Positions, target: Positions, marks: Marks) -> tuple[set[Link], set[Link]]:
    """Return the sure and the possible links of nodes that have words in both languages.

    Args:
        source: {mark: indices of source words}.
        target: {mark: indices of target words}.
        marks: the marks of the tree.
    """
    sure: set[Link] = set()
    possible: set[Link] = set()
    for mark in source.keys() & target.keys():
        words, others = source[mark], target[mark]
        if len(words) == len(others):
            sure.update(zip(words, others, strict=True))
        elif mark in marks.compounds and 1 in (len(words), len(others)):
            sure.update(product(words, others))
        else:
            possible.update(product(words, others))
    return sure, possible


def _dependent(source: Positions, target: Positions, marks: Marks) -> set[Link]:
    """Return the links of nodes that have words in one language only."""
    links: set[Link] = set()
    for mark in source.keys() - target.keys():
        links.update(product(source[mark], _host_words(mark, marks, target)))
    for mark in target.keys() - source.keys():
        links.update(product(_host_words(mark, marks, source), target[mark]))
    return links


def _verb_groups(source: Positions, target: Positions, marks: Marks, tree: Sentence) -> set[Link]:
    """Return all links between the auxiliaries and forms of each verb in both languages."""
    links: set[Link] = set()
    for verb in (word for word in lexemes(tree) if isinstance(word, Verb)):
        group = marks.of(verb), marks.of(verb, "auxiliary")
        words, others = (
            [i for mark in group for i in side.get(mark, [])] for side in (source, target)
        )
        links.update(product(words, others))
    return links


def _host_words(mark: str, marks: Marks, words: Positions) -> list[int]:
    """Return the words of the nearest node with words on which a node depends."""
    while mark in marks.hosts:
        mark = marks.hosts[mark]
        if mark in words:
            return words[mark]
    return []
