"""True word alignments of the sentences that the grammar of the built-in corpus generates."""

from itertools import islice

import pytest

from keras_transformer.inspection.alignments.grammar.truth import aligned_sentences, true_alignment
from keras_transformer.phrasebook import corpus
from keras_transformer.phrasebook.english import English
from keras_transformer.phrasebook.german import German
from tests.phrasebook.test_phrasebook import EVERYDAY, EXAMPLES

english, german = English(), German()
TREES = [row[0] for row in (*EXAMPLES, *EVERYDAY)]

# English, sure links, other possible links: checked by hand against the guidelines of
# `grammar.truth`.
CHECKED = [
    ("I was tired.", "I=Ich was=war tired.=müde.", ""),
    (
        "She should sleep.",
        "She=Sie should=sollte sleep.=schlafen.",
        "should=schlafen. sleep.=sollte",
    ),
    (
        "Anna bought a new hat yesterday.",
        "Anna=Anna bought=gekauft. a=einen new=neuen hat=Hut yesterday.=gestern",
        "bought=hat",
    ),
    (
        "He did not buy a dog.",
        "He=Er did=hat not=keinen buy=gekauft. a=keinen dog.=Hund",
        "did=gekauft. buy=hat",
    ),
    (
        "She explained the rule to the student.",
        "She=Sie explained=erklärt. the=die rule=Regel the=dem student.=Studenten",
        "explained=hat to=Studenten",
    ),
    (
        "I know that she likes him.",
        "I=Ich know=weiß, that=dass she=ihr likes=gefällt. him.=er",
        "",
    ),
    (
        "I look forward to the holiday.",
        "I=Ich look=freue to=auf the=den holiday.=Urlaub.",
        "look=mich forward=freue",
    ),
    (
        "Peter gets up at half past seven every day.",
        "Peter=Peter gets=steht up=auf. seven=acht every=jeden day.=Tag",
        "at=um at=halb half=um half=halb past=um past=halb",
    ),
    (
        "The coat is more expensive than the jacket.",
        "The=Der coat=Mantel is=ist expensive=teurer than=als the=die jacket.=Jacke.",
        "more=teurer",
    ),
    (
        "Why did the teacher hurry?",
        "Why=Warum did=hat the=der teacher=Lehrer hurry?=beeilt?",
        "did=beeilt? hurry?=hat hurry?=sich",
    ),
    (
        "The lamp has not been turned off.",
        "The=Die lamp=Lampe has=ist been=worden. not=nicht turned=ausgeschaltet off.=ausgeschaltet",
        "has=ausgeschaltet has=worden. been=ausgeschaltet been=ist turned=ist turned=worden.",
    ),
    ("We need a bigger flat.", "We=Wir need=brauchen a=eine bigger=größere flat.=Wohnung.", ""),
    (
        "Unfortunately, I lost my key.",
        "Unfortunately,=Leider I=ich lost=verloren. my=meinen key.=Schlüssel",
        "lost=habe",
    ),
    ("Please hurry!", "Please=bitte! hurry!=Beeil", "hurry!=dich"),
    ("Be careful, Mr Miller.", "Be=Seien careful,=vorsichtig, Mr=Herr Miller.=Miller.", "Be=Sie"),
    (
        "He used to smoke.",
        "He=Er smoke.=geraucht.",
        "used=hat to=hat used=geraucht. to=geraucht. smoke.=hat used=früher to=früher",
    ),  # fmt: skip
]


def in_words(links, tree):
    """Return links between indices as links between words: {"I=Ich", ...}."""
    source, target = english.realise(tree).split(), german.realise(tree).split()
    return {f"{source[i]}={target[j]}" for i, j in links}


@pytest.mark.parametrize(("text", "sure", "others"), CHECKED, ids=[row[0] for row in CHECKED])
def test_sentences_that_were_checked_by_hand(text, sure, others):
    tree = next(tree for tree in TREES if english.realise(tree) == text)
    found = true_alignment(tree)
    assert in_words(found.sure, tree) == set(sure.split())
    assert in_words(found.possible - found.sure, tree) == set(others.split())


def test_all_sentences_have_alignments_with_indices_in_range():
    """No mark changes the wording, which would raise a ValueError."""
    aligned = 0
    for tree in [*TREES, *(tree for *_, tree in islice(corpus.sentences(3), 1500))]:
        lengths = len(english.realise(tree).split()), len(german.realise(tree).split())
        found = true_alignment(tree)
        assert found.sure <= found.possible
        assert all(0 <= i < lengths[0] and 0 <= j < lengths[1] for i, j in found.possible)
        aligned += len({i for i, _ in found.possible}) == lengths[0]
        assert {j for _, j in found.possible} == set(range(lengths[1]))
    assert aligned == len(TREES) + 1500, "every word of both languages has a link"


def test_aligned_sentences_are_those_of_the_corpus():
    """Marks leave the rules of the corpus as they are."""
    before = [pair for *pair, _ in islice(corpus.sentences(4), 100)]
    assert [[*pair] for *pair, _ in islice(aligned_sentences(4), 100)] == before
    assert [pair for *pair, _ in islice(corpus.sentences(4), 100)] == before
