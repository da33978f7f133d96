"""The kinds of sentences in the phrasebook, each built at random from clauses and phrases."""

from __future__ import annotations

from dataclasses import replace

from keras_transformer.phrasebook.clauses import (
    ACTIONS,
    CAN,
    SHOULD,
    WANT,
    adjective,
    is_deniable,
    is_extensible,
    is_requestable,
    selected,
    transitive,
    verb,
    verbs,
)
from keras_transformer.phrasebook.lexicon import (
    Lexeme,
    Name,
    Noun,
    Number,
    Verb,
    lexicon,
)
from keras_transformer.phrasebook.phrases import (
    HE,
    IT,
    ME,
    SHE,
    THEY,
    WE,
    YOU,
    adjectives,
    adverbials,
    names,
    nouns,
    pronoun_for,
)
from keras_transformer.phrasebook.questions import WHERE, asking
from keras_transformer.phrasebook.syntax import (
    PLURAL,
    SINGULAR,
    Adjunct,
    Clause,
    Complement,
    Conjunction,
    Date,
    Interrogative,
    Measure,
    NounPhrase,
    Phrase,
    Pronoun,
    Quality,
    Relative,
    Sentence,
    Subordinate,
    first_complement,
    lexemes,
    subject_of,
)
from keras_transformer.phrasebook.talk import Talk

BECAUSE, THAT = Conjunction("because", "weil"), Conjunction("that", "dass")
WHETHER, IF = Conjunction("whether", "ob"), Conjunction("if", "wenn")
ALTHOUGH = Conjunction("although", "obwohl")
TO, IN_ORDER_TO = Conjunction("to", ""), Conjunction("to", "um")
INDIRECT = Conjunction("", "")
DEMONSTRATIVE = Lexeme("this", "das")

# Reasons to go somewhere: class of the place, German verb.
PURPOSES = (
    ("store", "kaufen"),
    ("stop", "abholen"),
    ("water", "schwimmen"),
    ("town", "treffen"),
    ("outdoors", "sich ausruhen"),
    ("study", "lernen"),
    ("goal", "treffen"),
    ("dining", "frühstücken"),
    ("dining", "essen"),
)
# States that prevent an action, and actions that follow from a state.
EXCUSES = ("müde", "krank")
NEEDS = (
    ("hungrig", "essen"),
    ("hungrig", "kochen"),
    ("durstig", "trinken"),
    ("müde", "sich ausruhen"),
    ("müde", "schlafen"),
    ("krank", "bleiben"),
)
# Actions of people who have time, indoors, outdoors and in spite of tiredness; good and bad news.
KINDNESSES = (
    *("besuchen", "helfen", "anrufen", "kochen", "backen", "schreiben", "einladen"),
    *("reparieren", "zuhören", "lernen", "putzen", "abholen", "begleiten"),
)
INDOOR = ("fernsehen", "lesen", "backen", "kochen", "spielen", "putzen", "nehmen", "stricken")
OUTDOOR = ("wandern", "schwimmen", "laufen", "pflücken", "pflanzen", "fotografieren")
TIRING = (
    *("arbeiten", "lernen", "kochen", "lesen", "schreiben", "wandern", "tanzen", "singen"),
    *("putzen", "backen", "helfen", "spielen", "laufen", "unterrichten"),
)
GOOD_NEWS = (
    *("gewinnen", "finden", "bekommen", "kommen", "besuchen", "lösen", "kaufen", "helfen"),
    *("zurückkommen", "einladen", "mitbringen", "anrufen", "backen", "organisieren"),
)
# Adjectives for "it is ... to", and actions.
EVALUATIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("wichtig", ("lernen", "üben", "helfen", "zuhören", "korrigieren", "beantworten", "lösen")),
    ("schwierig", ("lernen", "lösen", "übersetzen", "erklären", "reparieren", "zeichnen")),
    ("interessant", ("besuchen", "beobachten", "lesen", "sprechen", "lernen", "fotografieren")),
    ("einfach", ("kochen", "backen", "reparieren", "einschalten", "putzen", "beantworten")),
    ("gut", ("helfen", "danken", "besuchen", "lesen", "einladen", "lernen", "anrufen")),
)
BAD_NEWS = ("verlieren", "vergessen", "verpassen")


class Grammar(Talk):
    """A generator of random sentences."""

    PATTERNS = {
        "statement": 34,
        "yes_no_question": 8,
        "subject_question": 3,
        "object_question": 5,
        "adverb_question": 7,
        "request": 5,
        "description": 6,
        "comparison": 4,
        "profession": 3.5,
        "position": 2,
        "existence": 2.5,
        "number_sentence": 5,
        "date_or_hour": 2,
        "weather": 8,
        "ache": 4,
        "reason": 7,
        "mood": 4,
        "concession": 3,
        "report": 6,
        "doubt": 5,
        "condition": 4,
        "infinitive": 4,
        "evaluation": 2,
        "purpose": 4,
        "relative": 5,
        **Talk.PATTERNS,
    }

    def sentence(self) -> Sentence:
        """Return a random sentence."""
        self.begin_sentence()
        sentence = getattr(self, self.weighted(self.PATTERNS))()
        return replace(sentence, contracted=self.chance(0.5))

    # Simple sentences

    def statement(self) -> Sentence:
        """Return a statement ("Anna bought a hat yesterday")."""
        return Sentence(self.clause())

    def request(self) -> Sentence:
        """Return a request ("Please open the window!")."""
        action = self.pick(selected(ACTIONS, is_requestable))
        negative = is_deniable(action) and self.chance(0.2)
        parts = self.complements(action, YOU, "definite", negative)
        mood = "imperative" if self.chance(0.6) else "command"
        return Sentence(Clause(action, None, parts, negative=negative), mood)

    # Sentences with "be"

    def description(self) -> Sentence:
        """Return a sentence with a predicative adjective ("The old house is beautiful")."""
        words = [word for word in lexicon().adjectives if word.de not in EXCUSES]
        word = self.pick(words)
        if {"mood", "state"} & set(word.classes):
            return Sentence(self.feeling(self.subject(("person",)), word))
        noun = self.pick(nouns(*word.classes))
        subject = self._described(noun)
        past = self.chance(0.3)
        clause = Clause(
            verb("sein"),
            replace(subject, adjective=None),
            (Quality(word),),
            tense="past" if past else "present",
            negative=self.chance(0.15),
        )
        return Sentence(clause, "question" if self.chance(0.15) else "statement")

    def _described(self, noun: Noun) -> NounPhrase:
        phrase = self.noun_phrase(noun, style="definite")
        if phrase.determiner in ("indefinite", "number"):
            phrase = replace(phrase, determiner="definite", numeral=None)
        return phrase

    def comparison(self) -> Sentence:
        """Return a comparison ("The coat is more expensive than the jacket")."""
        word = self.pick([word for word in lexicon().adjectives if word.en_comparative])
        first = self.pick(nouns(*word.classes))
        shared = [name for name in first.classes if name in word.classes]
        second = self.pick(nouns(*shared))
        if second == first:
            return self.comparison()
        degree = "comparative" if self.chance(0.7) else "equative"
        than = replace(self._described(second), adjective=None)
        subject = replace(self._described(first), adjective=None)
        clause = Clause(
            verb("sein"),
            subject,
            (Quality(word, degree, than),),
            negative=degree == "equative" and self.chance(0.4),
        )
        return Sentence(clause)

    def profession(self) -> Sentence:
        """Return a sentence about a profession ("My brother is a doctor")."""
        job = self.pick(nouns("job", "job:f"))
        gender = "f" if "job:f" in job.classes else "m"
        subject = self._of_sex(gender)
        word = self.pick(adjectives("person", "skilled")) if self.chance(0.35) else None
        determiner = "indefinite" if word else "profession"
        predicate = NounPhrase(job, determiner, adjective=word)
        part = Complement(predicate, "nominative", "predicate")
        if not word and self.chance(0.4):
            modal, tense = self.random.choice(
                ((WANT, "present"), (WANT, "past"), (None, "future"), (None, "past"))
            )
            return Sentence(Clause(verb("werden"), subject, (part,), modal=modal, tense=tense))
        tense = self.random.choice(("present", "present", "past"))
        negative = self.chance(0.15)
        return Sentence(Clause(verb("sein"), subject, (part,), tense=tense, negative=negative))

    def _of_sex(self, gender: str) -> Phrase:
        pronoun = HE if gender == "m" else SHE
        if self.chance(0.2):
            return pronoun
        if self.chance(0.5):
            return self.pick(names("male" if gender == "m" else "female"))
        kin = [noun for noun in nouns("kin") if noun.gender == gender]
        return NounPhrase(self.pick(kin), "possessive", possessor=self.random.choice((ME, ME, YOU)))

    def position(self) -> Sentence:
        """Return a sentence about a location ("The keys are on the table")."""
        tense = self.random.choice(("present", "present", "past"))
        subject: Phrase
        if self.chance(0.5):
            subject = self._described(self.pick(nouns("flat")))
            table = NounPhrase(self.pick(nouns("surface")), "definite")
            where = Complement(table, "dative", "location", "auf", "on")
        else:
            subject = self.subject(("person",))
            where = self.place(
                ("goal", "athome", "here", "city", "area", "storage", "outdoors"), False
            )
        clause = Clause(verb("sein"), subject, (where,), tense=tense, negative=self.chance(0.12))
        if self.chance(0.25) and not clause.negative:
            return Sentence(asking(replace(clause, complements=()), WHERE), "question")
        return Sentence(clause, "question" if self.chance(0.15) else "statement")

    def existence(self) -> Sentence:
        """Return a sentence with "there is" ("There are two museums in Rome")."""
        there_is = replace(verb("geben"), en="be", kind="existence")
        number = SINGULAR if self.chance(0.5) else PLURAL
        noun = self.pick(nouns("town"))
        where = self.place(("city",) if number == PLURAL else ("settlement", "city"), False)
        determiner = "indefinite" if number == SINGULAR else "number"
        numeral = self.pick(lexicon().numbers[1:9]) if number == PLURAL else None
        word = self._adjective(noun)
        phrase = NounPhrase(noun, determiner, number, word, numeral)
        clause = Clause(there_is, IT, (Complement(phrase, "accusative"), where))
        return Sentence(clause, "question" if self.chance(0.3) else "statement")

    # Sentences about numbers and times

    def number_sentence(self) -> Sentence:
        """Return a sentence about an age or a price."""
        if self.chance(0.5):
            subject = self._of_sex(self.random.choice("mf"))
            elder = isinstance(subject, NounPhrase) and "elder" in subject.noun.classes
            age = Measure(self._count(40, 99) if elder else self._count(2, 49), "year")
            return Sentence(Clause(verb("sein"), subject, (age,)))
        return Sentence(self._price())

    def _count(self, least: int, most: int) -> Number:
        """Return a number in a range, often a simple one (sixteen, sixty)."""
        if self.chance(0.5):
            return self.pick([item for item in lexicon().numbers if least <= item.value <= most])
        return lexicon().number(self.random.randint(least, most))

    def _price(self) -> Clause:
        noun = self.pick(nouns(*verb("kosten").subject))
        subject = replace(self._described(noun), number=SINGULAR)
        price = Measure(self._count(30 if "furniture" in noun.classes else 5, 100), "euro")
        return Clause(verb("kosten"), subject, (price,))

    def date_or_hour(self) -> Sentence:
        """Return a sentence about a time or date ("The concert is on the third of May")."""
        if self.chance(0.5):
            return Sentence(Clause(verb("sein"), IT, (self.clock(),)))
        subject = self._described(self.pick(nouns("programme", "party", "personal", "attended")))
        day = Date(self.pick(adverbials("month")), self.pick(adverbials("ordinal")))
        return Sentence(
            Clause(verb("sein"), replace(subject, number=SINGULAR, adjective=None), (day,))
        )

    def weather(self) -> Sentence:
        """Return a sentence about the weather ("Yesterday it was cold")."""
        tense = self.random.choice(("habit", "past", "future"))
        times: tuple[Adjunct, ...]
        if tense == "habit":
            times = (self.pick(adverbials("season")),)
        else:
            times = self.time(tense, verb("regnen"))
        season = {name for word in lexemes(times) for name in getattr(word, "classes", ())}
        fitting = {"cold": ("kalt",), "hot": ("warm", "heiß")}
        words = [word for name, group in fitting.items() if name in season for word in group]
        parts = (Quality(adjective(self.random.choice(words or ("kalt", "warm", "heiß")))),)
        rainy = self.chance(0.5)
        clause = Clause(
            self._rain("hot" in season) if rainy else verb("sein"),
            IT,
            () if rainy else parts,
            times,
            tense="present" if tense == "habit" else tense,
            fronted=self.chance(0.5),
        )
        return Sentence(clause)

    def _rain(self, hot: bool) -> Verb:
        return verb("regnen") if hot else self.pick(verbs("weather"))

    def ache(self) -> Sentence:
        """Return a sentence about pain ("My head hurts")."""
        noun = self.pick(nouns("body", "limb"))
        number = PLURAL if "limb" in noun.classes and self.chance(0.6) else SINGULAR
        owner: Pronoun | Name
        if self.chance(0.5):
            owner, determiner = self.random.choice((ME, ME, YOU, HE, SHE)), "possessive"
        else:
            owner, determiner = self.first_name(), "genitive"
        clause = Clause(verb("wehtun"), NounPhrase(noun, determiner, number, possessor=owner))
        if owner == YOU or (owner != ME and self.chance(0.15)):
            return Sentence(clause, "question")
        if number == SINGULAR and self.chance(0.6):
            times = self.time("past", clause.verb)
            clause = replace(clause, tense="past", adjuncts=times, fronted=self.chance(0.5))
        return Sentence(clause)

    # Complex sentences

    def reason(self) -> Sentence:
        """Return a sentence with "because" ("Anna did not come because she was ill")."""
        main, reason = self.random.choice((self._excuse, self._need, self._fair_weather))()
        return Sentence(main, subordinate=Subordinate(BECAUSE, reason, first=self.chance(0.4)))

    def _excuse(self) -> tuple[Clause, Clause]:
        main = self._past(
            self.random.choice((*TIRING, "kommen", "reisen", "teilnehmen")), negative=True
        )
        return main, self._hindrance(_pronoun_for_subject(main))

    def _need(self) -> tuple[Clause, Clause]:
        state, action = self.random.choice(NEEDS)
        main = self._past(action)
        return main, self.feeling(_pronoun_for_subject(main), adjective(state), "past")

    def _fair_weather(self) -> tuple[Clause, Clause]:
        main = self._past(self.random.choice(OUTDOOR))
        return main, self._weather_was(self.random.choice(("gut", "schön", "warm")))

    def _weather_was(self, word: str, tense: str = "past") -> Clause:
        weather = NounPhrase(self.pick(nouns("weather")), "definite")
        return Clause(verb("sein"), weather, (Quality(adjective(word)),), tense=tense)

    def _past(self, german: str, negative: bool = False) -> Clause:
        """Return a clause in the past, with a subject that a pronoun can refer to."""
        action, subject = verb(german), self.subject(("person",))
        while pronoun_for(subject) is None:
            subject = self.subject(("person",))
        parts = self.complements(action, subject, negative=negative)
        return Clause(action, subject, parts, tense="past", negative=negative)

    def _hindrance(self, pronoun: Pronoun) -> Clause:
        """Return a reason why somebody could not act: illness, tiredness or lack of time."""
        if self.chance(0.25):
            time = Complement(NounPhrase(self.pick(nouns("leisure")), "indefinite"), "accusative")
            return Clause(verb("haben"), pronoun, (time,), tense="past", negative=True)
        if pronoun.number == SINGULAR and self.chance(0.25):
            part = NounPhrase(self.pick(nouns("body")), "possessive", possessor=pronoun)
            return Clause(verb("wehtun"), part, tense="past")
        return self.feeling(pronoun, adjective(self.random.choice(EXCUSES)), "past")

    def concession(self) -> Sentence:
        """Return a sentence with "although" ("Although Anna was tired, she cooked soup")."""
        main = self._past(self.random.choice(TIRING))
        hindrance = self._hindrance(_pronoun_for_subject(main))
        return Sentence(main, subordinate=Subordinate(ALTHOUGH, hindrance, first=self.chance(0.5)))

    def mood(self) -> Sentence:
        """Return a sentence about a mood ("Anna is happy because her brother won the game")."""
        glad = self.chance(0.6)
        news = verb(self.random.choice(GOOD_NEWS if glad else BAD_NEWS))
        moods = (
            ("glücklich", "zufrieden", "überrascht", "stolz")
            if glad
            else ("traurig", "wütend", "nervös")
        )
        subject = self.subject(("person",))
        doer = pronoun_for(subject) if self.chance(0.4) else None
        clause = self.clause(subject=doer, verb=news, constructions=("past",), negatable=False)
        times = () if clause.verb.adverbs and not clause.fronted else clause.adjuncts
        clause = replace(clause, adjuncts=times, fronted=False)
        word = adjective(self.random.choice(moods))
        return Sentence(self.feeling(subject, word), subordinate=Subordinate(BECAUSE, clause))

    def report(self) -> Sentence:
        """Return a sentence with "that" ("Peter says that Anna lives in Rome")."""
        german, tense = self.random.choice(
            (
                ("wissen", "present"),
                ("sagen", "past"),
                ("glauben", "present"),
                ("hoffen", "present"),
                ("schreiben", "past"),
                ("denken", "present"),
                ("hören", "past"),
                ("behaupten", "present"),
                ("erfahren", "past"),
            )
        )
        hoping = german == "hoffen"
        matter = self.clause(constructions=("future", "present") if hoping else ())
        matter = replace(matter, fronted=False)
        matrix = Clause(verb(german), self._reporter(subject_of(matter)), tense=tense)
        return Sentence(matrix, subordinate=Subordinate(THAT, matter))

    def _reporter(self, other: Phrase) -> Phrase:
        reporter = self.subject(("person",))
        return self._reporter(other) if reporter == other else reporter

    def doubt(self) -> Sentence:
        """Return an indirect question ("I do not know whether Anna lives in Rome")."""
        if self.chance(0.5):
            conjunction, matter = WHETHER, replace(self.clause(negatable=False), fronted=False)
        else:
            conjunction, matter = INDIRECT, self.adverb_question_clause()
        subject = self._reporter(subject_of(matter))
        if self.chance(0.25) and conjunction == WHETHER:
            return Sentence(
                Clause(verb("fragen"), subject, tense="past"),
                subordinate=Subordinate(conjunction, matter),
            )
        question = subject == YOU
        matrix = Clause(verb("wissen"), subject, negative=not question)
        return Sentence(
            matrix, "question" if question else "statement", Subordinate(conjunction, matter)
        )

    def condition(self) -> Sentence:
        """Return a real conditional ("If you have time, we can visit my aunt")."""
        kind = self.random.choice(("time", "fair", "foul", "need"))
        subject = self.random.choice((ME, YOU, HE, SHE, WE, THEY))
        if kind == "need":
            state, action = self.random.choice(NEEDS)
            condition = self.feeling(subject, adjective(state), "present")
        else:
            action = self.random.choice({"time": KINDNESSES, "fair": OUTDOOR, "foul": INDOOR}[kind])
            condition = self._condition(kind, subject)
        modal = self.random.choice((CAN, SHOULD) if kind == "need" else (CAN, None))
        parts = self.complements(verb(action), subject)
        main = Clause(
            verb(action), subject, parts, tense="present" if modal else "future", modal=modal
        )
        return Sentence(main, subordinate=Subordinate(IF, condition, first=self.chance(0.7)))

    def _condition(self, kind: str, subject: Phrase) -> Clause:
        if kind == "time":
            time = Complement(NounPhrase(self.pick(nouns("leisure")), "indefinite"), "accusative")
            return Clause(verb("haben"), subject, (time,))
        if kind == "foul" and self.chance(0.7):
            return Clause(self.pick(verbs("weather")), IT)
        return self._weather_was("schlecht" if kind == "foul" else "gut", "present")

    def infinitive(self) -> Sentence:
        """Return a sentence with an infinitive clause ("Anna tried to repair the car")."""
        matrix = verb(
            self.random.choice(
                (
                    *("versuchen", "versprechen", "beschließen", "vergessen", "hoffen"),
                    *("anfangen", "vorhaben", "sich weigern"),
                )
            )
        )
        subject = self.subject(("person",))
        action = self._infinitive(subject)
        tense = "present" if matrix.de == "hoffen" else "past"
        return Sentence(Clause(matrix, subject, tense=tense), subordinate=Subordinate(TO, action))

    def _infinitive(self, subject: Phrase | None) -> Clause:
        action = self.pick(selected(ACTIONS, is_extensible))
        return Clause(action, None, self.complements(action, subject))

    def evaluation(self) -> Sentence:
        """Return an evaluation of an action ("It is difficult to learn Japanese")."""
        german, actions = self.random.choice(EVALUATIONS)
        word, action = adjective(german), verb(self.random.choice(actions))
        done = Clause(action, None, self.complements(action, ME))
        matrix = Clause(
            verb("sein"), IT, (Quality(word),), tense=self.random.choice(("present", "past"))
        )
        return Sentence(matrix, subordinate=Subordinate(TO, done))

    def purpose(self) -> Sentence:
        """Return a sentence with a purpose clause ("Anna went to the market to buy bread")."""
        place, action = self.random.choice(PURPOSES)
        driving = place != "outdoors" and self.chance(0.35)
        motion = verb("fahren" if driving else "gehen")
        subject = self.subject(("person",))
        where = self.place((place,), True)
        parts = [frame for frame in verb(action).frames if not frame.optional]
        complements = tuple(self.filled(verb(action), frame, subject) for frame in parts)
        times = self.time("past", verb("kaufen")) if self.chance(0.4) else ()
        main = Clause(
            motion, subject, (where,), times, tense="past", fronted=bool(times) and self.chance(0.6)
        )
        return Sentence(
            main, subordinate=Subordinate(IN_ORDER_TO, Clause(verb(action), None, complements))
        )

    def relative(self) -> Sentence:
        """Return a sentence with a relative clause ("This is the book that Anna wrote")."""
        presented = self.chance(0.5)
        human = self.chance(0.5)
        phrase = self._person_with_clause() if human else self._thing_with_clause(presented)
        if presented:
            part = Complement(phrase, "nominative", "predicate")
            return Sentence(Clause(verb("sein"), DEMONSTRATIVE, (part,)))
        conditions = {"state", "mood"}
        fitting = adjectives(*phrase.noun.classes)
        fitting = [word for word in fitting if not conditions & set(word.classes)]
        if not fitting:
            return self.relative()
        phrase = replace(phrase, adjective=None)
        tense = "present" if human else "past"
        return Sentence(Clause(verb("sein"), phrase, (Quality(self.pick(fitting)),), tense=tense))

    def _person_with_clause(self) -> NounPhrase:
        noun = self.pick(nouns("person"))
        subject = {"m": HE, "f": SHE}.get(noun.gender, Interrogative(True))
        clause = self.clause(subject=subject, constructions=("past", "present"), negatable=False)
        if clause.verb.kind == "experience":
            return self._person_with_clause()
        clause = replace(clause, subject=Relative(noun, SINGULAR), fronted=False)
        return NounPhrase(noun, "definite", relative=clause)

    def _thing_with_clause(self, single: bool) -> NounPhrase:
        action = self.pick(selected((*ACTIONS, "chance"), transitive))
        clause = self.clause(verb=action, constructions=("past",), negatable=False)
        thing = first_complement(clause)
        phrase = thing.phrase
        if (
            not isinstance(phrase, NounPhrase)
            or not phrase.noun.countable
            or {"kin", "tiny"} & set(phrase.noun.classes)
        ):
            return self._thing_with_clause(single)
        number = SINGULAR if single else phrase.number
        relative = replace(thing, phrase=Relative(phrase.noun, number))
        complements = (relative, *clause.complements[1:])
        clause = replace(clause, complements=complements, fronted=False)
        return NounPhrase(phrase.noun, "definite", number, phrase.adjective, relative=clause)


def _pronoun_for_subject(clause: Clause) -> Pronoun:
    pronoun = pronoun_for(subject_of(clause))
    assert pronoun is not None
    return pronoun
