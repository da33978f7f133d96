"""Sentences of everyday conversation: requests, offers, plans, experiences and hypotheses."""

from __future__ import annotations

from dataclasses import replace

from keras_transformer.phrasebook.clauses import (
    ACTIONS,
    CAN,
    MUST,
    OF_MANY,
    SHOULD,
    WANT,
    WOULD_LIKE,
    adjective,
    deniable_times,
    is_deniable,
    is_requestable,
    selected,
    transitive,
    verb,
)
from keras_transformer.phrasebook.lexicon import Adjective, Adverbial, Lexeme, Verb, lexicon
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
    attributive,
    nouns,
    pronoun_for,
)
from keras_transformer.phrasebook.questions import Questions
from keras_transformer.phrasebook.syntax import (
    PLURAL,
    SINGULAR,
    Clause,
    Complement,
    Conjunction,
    Indefinite,
    Modal,
    NounPhrase,
    Phrase,
    Pronoun,
    Quality,
    Question,
    Sentence,
    Span,
    Subordinate,
)

FORMAL, YOU_TWO = Pronoun(2, SINGULAR, "formal"), Pronoun(2, PLURAL)
ADDRESSED = Pronoun(2, PLURAL, "addressed")
SHALL, MAY_I = Modal("shall", "soll"), Modal("may", "dürfen")
THAT, WHETHER, IF = (
    Conjunction(*words) for words in (("that", "dass"), ("whether", "ob"), ("if", "wenn"))
)
SO_AS_TO, INDIRECT = Conjunction("to", "um"), Conjunction("", "")
THIS = Lexeme("this", "das")
HOW_LONG = Question("how long", "seit wann")
HOW_MUCH = Question("how much", "wie viel")
WANTED, TO = Conjunction("to", "dass"), Conjunction("to", "")
# Adjectives for "how old is ...?", services that others do, and habits that people give up.
MEASURABLE = ("groß", "alt", "teuer", "lang", "hoch", "breit", "tief", "schwer", "gefährlich")
SERVICES = ("reparieren", "putzen", "waschen", "überprüfen", "übersetzen", "renovieren", "bügeln")
GIVEN_UP = (
    *("wohnen", "arbeiten", "rauchen", "tanzen", "schwimmen", "trainieren", "reiten", "angeln"),
    *("vertrauen", "sich erinnern", "joggen", "lieben", "vermissen", "singen", "warten"),
)

SOMEBODY = Indefinite("somebody", "jemand jemanden jemandem")
NOBODY = Indefinite("nobody", "niemand niemanden niemandem")
EVERYBODY = Indefinite("everybody", "alle alle allen", de_number=PLURAL)
ANYBODY = Indefinite("anybody", "jemand jemanden jemandem")
NOT_ANYBODY = Indefinite("anybody", "niemand niemanden niemandem", negative=True)
SOMETHING, NOTHING = (
    Indefinite("something", "etwas etwas etwas"),
    Indefinite("nothing", "nichts nichts nichts"),
)
EVERYTHING = Indefinite("everything", "alles alles allem")
ANYTHING = Indefinite("anything", "etwas etwas etwas")
NOT_ANYTHING = Indefinite("anything", "nichts nichts nichts", negative=True)
# Actions on "something", on "everything" and on "somebody".
TO_THINGS = (
    *("kaufen", "hören", "sehen", "finden", "vergessen", "verlieren", "bestellen", "essen"),
    *("trinken", "verstehen", "brauchen", "wissen", "sagen", "lesen", "verkaufen", "mitbringen"),
    *("kochen", "suchen", "verstecken", "bekommen", "bemerken", "lernen"),
)
TO_ALL_THINGS = ("vergessen", "verstehen", "verkaufen", "essen", "verlieren", "wissen", "hören")
TO_PEOPLE = (
    *("treffen", "sehen", "hören", "kennen", "anrufen", "fragen", "besuchen", "einladen"),
    *("helfen", "danken", "suchen", "stören", "begrüßen"),
)
GIVING = (
    *("geben", "zeigen", "schicken", "leihen", "erklären", "empfehlen", "beschreiben"),
    *("zurückgeben", "anbieten"),
)
# Verbs for states that still last: verb, class of time unit, whether English is progressive.
LASTING = (
    *(("wohnen", "lengthy", False), ("kennen", "lengthy", False), ("lernen", "lengthy", True)),
    *(("arbeiten", "lengthy", True), ("unterrichten", "lengthy", True)),
    *(("warten", "brief", True), ("schlafen", "brief", True), ("fernsehen", "brief", True)),
    *(("telefonieren", "brief", True), ("sammeln", "lengthy", True)),
    *(("studieren", "lengthy", True), ("suchen", "brief", True), ("regnen", "brief", True)),
    *(("trainieren", "brief", True), ("tanzen", "brief", True), ("besitzen", "lengthy", False)),
)
# Adjectives with actions for "too tired to ...", "old enough to ..." and "so tired that ...".
TOO: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("müde", ("kochen", "arbeiten", "fahren", "lernen", "wandern", "aufräumen", "ausgehen")),
    ("krank", ("arbeiten", "reisen", "aufstehen", "joggen", "teilnehmen")),
    ("jung", ("fahren", "heiraten", "rauchen", "studieren")),
    (
        "beschäftigt",
        ("einkaufen gehen", "kochen", "anrufen", "fernsehen", "zuhören", "ausgehen"),
    ),
    ("schüchtern", ("tanzen", "singen", "fragen", "begrüßen")),
    ("faul", ("aufräumen", "putzen", "abwaschen", "joggen", "aufstehen", "bügeln")),
    ("aufgeregt", ("schlafen", "essen", "einschlafen")),
    ("schwach", ("tragen", "hochheben", "schieben")),
    ("ungeduldig", ("warten", "stricken", "angeln")),
    ("verlegen", ("antworten", "fragen", "lachen")),
)
ENOUGH: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("alt", ("wählen", "heiraten", "studieren", "arbeiten")),
    ("stark", ("tragen", "hochheben", "schieben")),
    ("klug", ("lösen", "studieren", "übersetzen", "erklären", "gewinnen")),
    ("reich", ("reisen", "mieten", "fliegen")),
    ("mutig", ("springen", "fragen", "retten", "widersprechen")),
    ("gesund", ("arbeiten", "reisen", "joggen", "schwimmen")),
    ("geduldig", ("unterrichten", "warten", "zuhören", "angeln")),
)
SO_THAT: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("müde", ("einschlafen", "verschlafen", "gähnen", "sich hinlegen")),
    ("krank", ("bleiben", "husten", "sich hinlegen")),
    ("wütend", ("schreien", "verlassen", "streiten", "weglaufen")),
    ("traurig", ("weinen",)),
    ("nervös", ("vergessen", "fallen lassen", "rauchen")),
    ("glücklich", ("singen", "tanzen", "lachen", "umarmen")),
    ("aufgeregt", ("vergessen", "schreien", "fallen lassen")),
    ("hungrig", ("essen", "kochen")),
    ("enttäuscht", ("weinen", "schreien", "weglaufen")),
)
UNGRADED = {"verheiratet", "wach", "fertig", "verletzt", "schockiert"}
# Adjectives for "be ...!" and "don't be ...!".
VIRTUES = ("vorsichtig", "geduldig", "höflich", "ehrlich", "fröhlich", "nett", "mutig", "großzügig")
VICES = (
    *("traurig", "wütend", "nervös", "faul", "schüchtern", "unhöflich", "enttäuscht"),
    *("eifersüchtig", "ungeduldig", "neugierig", "dumm", "stur"),
)
SORROWS = ("krank", "müde", "traurig", "enttäuscht", "beschäftigt", "verletzt", "wütend")
JOYS = ("gesund", "zufrieden", "glücklich", "erleichtert", "wach", "fertig", "entspannt")
BLESSINGS = (
    *("gewinnen", "finden", "kommen", "besuchen", "lösen", "helfen", "zurückkommen", "einladen"),
    *("mitbringen", "anrufen", "vorbeikommen", "reparieren", "zustimmen", "verstehen"),
)
FAVOURS = (
    *("helfen", "anrufen", "öffnen", "schließen", "einschalten", "ausschalten", "abholen"),
    *("mitbringen", "zeigen", "geben", "erklären", "leihen", "wecken", "aufräumen", "abwaschen"),
    *("zurückrufen", "warten", "zuhören", "beschreiben", "wiederholen", "kaufen", "holen"),
    *("übersetzen", "reparieren", "begleiten", "kochen", "füttern", "gießen", "abtrocknen"),
    *("überprüfen", "korrigieren", "bestellen", "empfehlen", "nehmen", "bügeln", "erinnern"),
)
ACTIVE_ONLY = ("hold", "take", "take along", "put on", "take off", "try on")
LEISURE: tuple[str, ...] = (
    *("gehen", "besuchen", "kochen", "backen", "fernsehen", "schwimmen", "tanzen", "einladen"),
    *("spazieren gehen", "einkaufen gehen", "lesen", "wandern", "feiern", "ausgehen", "reisen"),
    *("mieten", "zelten", "joggen", "trinken", "spielen", "renovieren", "organisieren"),
    *("zu Mittag essen", "zu Abend essen", "essen", "reiten", "anrufen", "treffen", "helfen"),
    "bestellen",
)


class Talk(Questions):
    """A generator of random sentences of everyday conversation."""

    # The methods that make sentences, by name, with their weights.
    PATTERNS = {
        "experience": 6,
        "lasting": 3.5,
        "passive": 4,
        "hypothesis": 4,
        "favour": 5,
        "offer": 2.5,
        "proposal": 3,
        "formal": 4,
        "several_addressed": 3,
        "inquiry": 3.5,
        "degree": 5,
        "too_to": 3,
        "so_that": 1.5,
        "superlative": 2,
        "better": 2,
        "somebody": 4,
        "something": 4,
        "giving": 2.5,
        "comment": 4,
        "also": 3,
        "advice": 1.2,
        "wishing": 2.5,
        "how_question": 3,
        "wanting": 3,
        "having_done": 1.5,
        "no_longer": 2,
    }

    def experience(self) -> Sentence:
        """Return a sentence in the perfect ("He hasn't eaten yet")."""
        kind = self.weighted({"done": 6, "yet": 3, "ever": 3, "never": 2})
        tried = kind in ("ever", "never")
        kinds = ("activity", "journey") if tried else ("once", "routine")
        action = self.pick(selected(kinds, _is_experience))
        question = kind == "ever" or (kind == "done" and self.chance(0.1))
        subject = self.pick_asked() if question else self.subject(("person",))
        style = "generic" if tried else "definite"
        parts = self.complements(action, subject, style, kind == "yet")
        classes = {"done": ("already",) if question else ("done",)}.get(kind, (kind,))
        adverb = self._adverb(classes)
        clause = Clause(action, subject, parts, (adverb,), tense="perfect", negative=kind == "yet")
        return Sentence(clause, "question" if question else "statement")

    def _adverb(self, classes: tuple[str, ...]) -> Adverbial:
        fitting = adverbials(*classes)
        if classes == ("done",):
            fitting = [word for word in fitting if not {"ever", "never"} & set(word.classes)]
        return self.pick(fitting)

    def pick_asked(self) -> Phrase:
        """Return the subject of a question, often "you"."""
        if self.chance(0.5):
            return YOU
        subject = self.subject(("person",))
        return self.pick_asked() if subject in (ME, WE) else subject

    def lasting(self) -> Sentence:
        """Return a sentence about a state that still lasts ("I have known her for two years")."""
        german, units, progressive = self.random.choice(LASTING)
        action = verb(german)
        question = self.chance(0.25)
        subject: Phrase
        if german == "regnen":
            subject = IT
        else:
            subject = self.pick_asked() if question else self.subject(action.subject)
        parts: tuple[Complement, ...]
        if german == "kennen":
            parts = (Complement(self.random.choice(self._other_pronouns(subject)), "accusative"),)
        else:
            parts = self.complements(action, subject, "generic")
        adjunct = HOW_LONG if question else self._span("since", units)
        clause = Clause(action, subject, parts, (adjunct,), tense="since", progressive=progressive)
        return Sentence(clause, "question" if question else "statement")

    def passive(self) -> Sentence:
        """Return a passive sentence ("The car has to be repaired")."""
        action = self.pick(selected(("once", "routine"), _has_passive))
        frame = action.frames[0]
        things = nouns(*(name for name in frame.classes if name not in ("person", "kin")))
        subject = self.noun_phrase(self.pick(things), None, "definite")
        if subject.determiner in ("indefinite", "number"):
            subject = replace(subject, determiner="definite", numeral=None)
        if action.en in OF_MANY:
            subject = replace(subject, number=PLURAL)
        kind = self.weighted({"past": 5, "now": 2, "modal": 3, "future": 2, "done": 3})
        clause = Clause(action, subject, passive=True)
        if kind == "past":
            return self._passive_past(clause)
        if kind == "done":
            adverb = self._adverb(("already", "yet"))
            negative = "yet" in adverb.classes
            clause = replace(clause, tense="perfect", adjuncts=(adverb,), negative=negative)
        elif kind == "modal":
            clause = replace(clause, modal=self.random.choice((CAN, MUST, MUST, SHOULD)))
        elif kind == "now":
            clause = replace(clause, progressive=True)
        else:
            clause = replace(clause, tense="future", adjuncts=self.time("planned", verb("kaufen")))
        return Sentence(clause, "question" if self.chance(0.12) else "statement")

    def _passive_past(self, clause: Clause) -> Sentence:
        parts: tuple[Complement, ...] = ()
        if self.chance(0.35):
            agent = self._person(self.weighted({"name": 1, "kin": 1}), (), None, "definite")
            parts = (Complement(agent, "dative", "object", "von", "by"),)
        times = self.time("past", verb("kaufen")) if self.chance(0.6) else ()
        fronted = bool(times) and self.chance(0.3)
        clause = replace(clause, complements=parts, tense="past", adjuncts=times)
        if self.chance(0.12):
            return Sentence(clause, "question")
        return Sentence(replace(clause, fronted=fronted))

    def hypothesis(self) -> Sentence:
        """Return an unreal conditional ("If I had time, I would help you")."""
        subject = self.random.choice((ME, ME, YOU, HE, SHE, WE, THEY))
        kind = self.weighted({"time": 3, "rich": 1, "weather": 2, "you": 2, "state": 2})
        actions = LEISURE
        if kind == "rich":
            actions = ("reisen", "fliegen", "mieten", "umziehen", "kaufen")
        elif kind == "weather":
            actions = ("wandern", "schwimmen", "joggen", "zelten", "spazieren gehen", "reiten")
        elif kind == "you":
            subject, actions = ME, (*FAVOURS, *LEISURE, "sich entschuldigen", "sich beeilen")
        elif kind == "state":
            actions = ("helfen", "kochen", "aufräumen", "ausgehen", "tanzen", "joggen", "arbeiten")
        action = verb(self.random.choice(actions))
        parts = self.complements(action, YOU if kind == "you" else subject)
        if kind == "you":
            parts = self.complements(action, ME)
        modal = CAN if kind in ("time", "weather") and self.chance(0.4) else None
        main = Clause(action, subject, parts, tense="conditional", modal=modal)
        condition = Subordinate(IF, self._unreal(kind, subject), first=self.chance(0.7))
        return Sentence(main, subordinate=condition)

    def _unreal(self, kind: str, subject: Phrase) -> Clause:
        if kind == "time":
            part = Complement(NounPhrase(self.pick(nouns("leisure")), "indefinite"), "accusative")
            return Clause(verb("haben"), subject, (part,), tense="unreal")
        if kind == "you":
            part = Complement(YOU, "nominative", "predicate")
            return Clause(verb("sein"), subject, (part,), tense="unreal")
        if kind == "weather":
            weather = NounPhrase(self.pick(nouns("weather")), "definite")
            word = self.random.choice(("gut", "schön", "warm", "perfekt"))
            return self.feeling(weather, adjective(word), "unreal")
        if kind == "rich":
            return self.feeling(subject, adjective("reich"), "unreal")
        word = self.random.choice(("müde", "krank", "erschöpft", "beschäftigt", "verletzt"))
        return replace(self.feeling(subject, adjective(word), "unreal"), negative=True)

    # Conversation

    def favour(self) -> Sentence:
        """Return a polite request ("Could you please open the window?")."""
        subject, address = self._addressee()
        action = verb(self.random.choice(FAVOURS))
        tense = self.random.choice(("present", "conditional"))
        adjuncts = tuple(adverbials("please")) if self.chance(0.5) else ()
        parts = self._spared(self.complements(action, subject, "definite"))
        clause = Clause(action, subject, parts, adjuncts, tense=tense, modal=CAN)
        return Sentence(clause, "question", address=address)

    def _addressee(self) -> tuple[Pronoun, Lexeme | None]:
        """Return the pronoun for an addressee, and the form of address if there is one."""
        kind = self.weighted({"nobody": 5, "friend": 2, "formal": 4, "several": 2})
        if kind == "formal":
            return FORMAL, self.pick(adverbials("formal"))
        if kind == "several":
            return ADDRESSED, self.pick(adverbials("several"))
        return YOU, self.first_name() if kind == "friend" else None

    @staticmethod
    def _spared(parts: tuple[Complement, ...]) -> tuple[Complement, ...]:
        """Return the complements with "them" in place of "you", as the subject is the addressee."""
        return tuple(replace(part, phrase=THEY) if part.phrase == YOU else part for part in parts)

    def offer(self) -> Sentence:
        """Return an offer or a suggestion ("Shall I call the doctor?")."""
        modal = self.random.choice((SHALL, SHALL, MAY_I))
        subject = self.random.choice((ME, ME, WE))
        action = verb(self.random.choice(FAVOURS if subject == ME else LEISURE))
        parts = self.complements(action, subject, "definite")
        return Sentence(Clause(action, subject, parts, modal=modal), "question")

    def proposal(self) -> Sentence:
        """Return a proposal ("Let's visit our aunt tomorrow")."""
        action = self._proposed()
        parts = self.complements(action, WE, "generic")
        times = self.time("planned", verb("kaufen")) if self.chance(0.35) else ()
        return Sentence(Clause(action, None, parts, times), "proposal")

    def _proposed(self) -> Verb:
        if self.chance(0.6):
            return verb(self.random.choice(LEISURE))
        action = self.pick(selected(ACTIONS, is_requestable))
        return self._proposed() if action.reflexive else action

    def formal(self) -> Sentence:
        """Return a sentence with the formal "you" ("Please wait here, Mrs Schmidt!")."""
        return self._speech(FORMAL, self.pick(adverbials("formal")))

    def several_addressed(self) -> Sentence:
        """Return a sentence with a plural "you" ("Please close the door, children!")."""
        if self.chance(0.5):
            return self._speech(ADDRESSED, self.pick(adverbials("several")))
        clause = replace(self.clause(subject=YOU_TWO, negatable=False), fronted=False)
        return Sentence(clause, "question" if self.chance(0.5) else "statement")

    def _speech(self, subject: Pronoun, address: Lexeme) -> Sentence:
        if self.chance(0.35):
            action = self.pick(selected(ACTIONS, is_requestable))
            negative = is_deniable(action) and self.chance(0.2)
            parts = self._spared(self.complements(action, subject, "definite", negative))
            clause = Clause(action, subject, parts, negative=negative)
            return Sentence(clause, self.random.choice(("imperative", "command")), address=address)
        asked = self.chance(0.8)
        constructions = () if asked else ("modal",)
        clause = self.clause(subject=subject, constructions=constructions, negatable=not asked)
        if any(getattr(part, "phrase", None) == YOU for part in clause.complements):
            return self._speech(subject, address)
        clause = replace(clause, fronted=clause.fronted and not asked)
        return Sentence(clause, "question" if asked else "statement", address=address)

    def inquiry(self) -> Sentence:
        """Return an indirect question ("Can you tell me where Anna lives?")."""
        if self.chance(0.4):
            conjunction, matter = WHETHER, replace(self.clause(negatable=False), fronted=False)
        else:
            conjunction, matter = INDIRECT, self.adverb_question_clause()
        if matter.subject in (ME, WE):
            return self.inquiry()
        subordinate = Subordinate(conjunction, matter)
        kind = self.weighted({"tell": 3, "like": 1, "wonder": 2})
        if kind == "wonder":
            return Sentence(Clause(verb("sich fragen"), ME), subordinate=subordinate)
        if kind == "like":
            clause = Clause(verb("wissen"), ME, modal=WOULD_LIKE)
            return Sentence(clause, subordinate=subordinate)
        told = Complement(self.random.choice((ME, ME, WE)), "dative")
        tense = self.random.choice(("present", "conditional"))
        tell = replace(verb("sagen"), en="tell", en_past="told")
        clause = Clause(tell, YOU, (told,), tense=tense, modal=CAN)
        return Sentence(clause, "question", subordinate)

    def advice(self) -> Sentence:
        """Return an imperative of "be" ("Don't be sad, Anna!")."""
        negative = self.chance(0.5)
        word = adjective(self.random.choice(VICES if negative else VIRTUES))
        subject, address = self._addressee()
        clause = Clause(verb("sein"), subject, (Quality(word),), negative=negative)
        return Sentence(clause, self.random.choice(("imperative", "command")), address=address)

    # Qualities

    def feeling(self, subject: Phrase, word: Adjective, tense: str = "") -> Clause:
        """Return a clause with a predicative adjective, in a random tense if none is given."""
        tense = tense or self.random.choice(("present", "past"))
        return Clause(verb("sein"), subject, (Quality(word),), tense=tense)

    def degree(self) -> Sentence:
        """Return a sentence with a degree adverb ("The soup is too hot")."""
        degree = self.random.choice(("very", "very", "really", "quite", "a little", "too", "so"))
        emotional = self.chance(0.5)
        words = [word for word in adjectives("mood", "state") if word.de not in UNGRADED]
        if not emotional:
            words = [word for word in lexicon().adjectives if word.en_comparative]
        word = self.pick(words)
        if emotional:
            degree = "very" if degree == "too" else degree
            subject: Phrase = self.subject(("person",))
        else:
            degree = "quite" if degree == "a little" else degree
            subject = self._praised(word)
        if subject == YOU and degree == "so":
            degree = "really"
        clause = replace(self.feeling(subject, word), complements=(Quality(word, degree),))
        return Sentence(clause, "question" if subject == YOU else "statement")

    def _praised(self, word: Adjective) -> NounPhrase:
        """Return something that an adjective can describe."""
        phrase = self.noun_phrase(self.pick(nouns(*word.classes)), style="definite")
        if phrase.determiner in ("indefinite", "number"):
            phrase = replace(phrase, determiner="definite", numeral=None)
        return replace(phrase, adjective=None)

    def too_to(self) -> Sentence:
        """Return a sentence with "too" or "enough" ("I am too tired to cook")."""
        degree = self.random.choice(("too", "too", "enough"))
        german, actions = self.random.choice(TOO if degree == "too" else ENOUGH)
        possible = [action for action in actions if action != "wählen"]
        action, subject = verb(self.random.choice(possible)), self.subject(("person",))
        clause = self.feeling(subject, adjective(german))
        clause = replace(clause, complements=(Quality(adjective(german), degree),))
        done = Clause(action, None, self.complements(action, subject, "definite"))
        return Sentence(clause, subordinate=Subordinate(SO_AS_TO, done))

    def so_that(self) -> Sentence:
        """Return a sentence with a result clause ("He was so tired that he fell asleep")."""
        german, actions = self.random.choice(SO_THAT)
        subject = self.subject(("person",))
        pronoun = pronoun_for(subject)
        if pronoun is None:
            return self.so_that()
        action = verb(self.random.choice(actions))
        quality = Quality(adjective(german), "so")
        main = replace(self.feeling(subject, quality.adjective, "past"), complements=(quality,))
        result = Clause(action, pronoun, self.complements(action, pronoun), tense="past")
        return Sentence(main, subordinate=Subordinate(THAT, result))

    def superlative(self) -> Sentence:
        """Return a superlative ("This is the oldest church in the city")."""
        noun = self.pick(nouns("town", "built"))
        fitting = [word for word in attributive(*noun.classes) if word.en_comparative]
        if not fitting or not noun.countable:
            return self.superlative()
        phrase = NounPhrase(noun, "definite", adjective=self.pick(fitting), degree="superlative")
        where = replace(self.place(("city", "settlement"), False), role="scope")
        part = Complement(phrase, "nominative", "predicate")
        asked = self.chance(0.2)
        return Sentence(
            Clause(verb("sein"), THIS, (part, where)), "question" if asked else "statement"
        )

    def better(self) -> Sentence:
        """Return a sentence with a comparative object ("We need a bigger flat")."""
        action = verb(self.random.choice(("brauchen", "kaufen", "suchen", "wollen", "mieten")))
        noun = self.pick(nouns(*action.frames[0].classes))
        fitting = [word for word in attributive(*noun.classes) if word.en_comparative]
        if not fitting or not noun.countable:
            return self.better()
        phrase = NounPhrase(noun, "indefinite", adjective=self.pick(fitting), degree="comparative")
        preposition = action.frames[0].en_preposition
        part = Complement(phrase, "accusative", en_preposition=preposition)
        clause = Clause(action, self.subject(("person",)), (part,))
        if action.kind == "once":
            tense = self.random.choice(("past", "intention", "future"))
            return Sentence(replace(clause, tense=tense))
        return Sentence(clause)

    # Pronouns

    def somebody(self) -> Sentence:
        """Return a sentence with an indefinite subject ("Nobody called me")."""
        question = self.chance(0.3)
        subject = ANYBODY if question else self.random.choice((SOMEBODY, NOBODY, EVERYBODY))
        clause = self.clause(
            kinds=(*ACTIONS, "event", "chance", "process", "state"),
            subject=subject,
            constructions=("past", "future", "modal", "present"),
            negatable=False,
        )
        times = tuple(part for part in clause.adjuncts if not isinstance(part, Span))
        fronted = clause.fronted and not question and times == clause.adjuncts
        clause = replace(clause, adjuncts=times, fronted=fronted)
        return Sentence(clause, "question" if question else "statement")

    def something(self) -> Sentence:
        """Return a sentence with an indefinite object ("I bought something")."""
        human = self.chance(0.4)
        kind = self.weighted({"some": 3, "no": 3, "asked": 3, "all": 2 * (not human)})
        german = self.random.choice(
            TO_PEOPLE if human else TO_ALL_THINGS if kind == "all" else TO_THINGS
        )
        action = verb(german)
        case = "dative" if german in ("helfen", "danken") else "accusative"
        phrase = {
            "some": SOMEBODY if human else SOMETHING,
            "no": NOT_ANYBODY if human else NOT_ANYTHING,
            "asked": ANYBODY if human else ANYTHING,
            "all": EVERYTHING,
        }[kind]
        english = action.frames[0].en_preposition if action.frames else ""
        part = Complement(phrase, case, en_preposition=english)
        subject = self.pick_asked() if kind == "asked" else self.subject(("person",))
        lasts = action.kind in ("state", "possession") or german == "wissen"
        tense = "present" if lasts else self.random.choice(("past", "past", "future", "perfect"))
        if tense == "perfect":
            tense = "past"
        times = self.time("past", verb("kaufen")) if tense == "past" and self.chance(0.3) else ()
        clause = Clause(action, subject, (part,), times, tense=tense, negative=kind == "no")
        return Sentence(clause, "question" if kind == "asked" else "statement")

    def giving(self) -> Sentence:
        """Return a sentence with a recipient and a pronoun object ("I gave it to him")."""
        action = verb(self.random.choice(GIVING))
        request = self.chance(0.3)
        subject = YOU if request else self.subject(("person",))
        thing = self.random.choice((IT, IT, THEY))
        receiver = self.person(("person",), subject, "definite")
        parts = (
            Complement(receiver, "dative", en_preposition="to"),
            Complement(thing, "accusative"),
        )
        if request:
            mood = self.random.choice(("imperative", "command"))
            return Sentence(Clause(action, None, parts), mood)
        tense = self.random.choice(("past", "past", "future", "intention"))
        times = self.time("past" if tense == "past" else "future", verb("kaufen"))
        times = times if self.chance(0.4) else ()
        return Sentence(Clause(action, subject, parts, times, tense=tense))

    # Opinions

    def comment(self) -> Sentence:
        """Return a sentence with a sentence adverb ("Unfortunately, I lost my key")."""
        word = self.pick(adverbials("comment"))
        clause = self._matter(word.de)
        if any("frequency" in getattr(part, "classes", ()) for part in clause.adjuncts):
            return self.comment()
        adjuncts = (word, *clause.adjuncts[: 1 if self.chance(0.6) else 0])
        return Sentence(replace(clause, adjuncts=adjuncts, fronted=True))

    def _matter(self, opinion: str) -> Clause:
        """Return a clause that fits a sentence adverb such as "leider" or "zum Glück"."""
        negative, glad = opinion == "leider", opinion == "zum Glück"
        if self.chance(0.3):
            groups = {"leider": SORROWS, "zum Glück": JOYS}
            words = [adjective(word) for word in groups.get(opinion, (*SORROWS, *JOYS))]
            return self.feeling(self.subject(("person",)), self.pick(words))
        if negative and self.chance(0.5):
            return self.clause(kinds=("chance",))
        if negative or glad:
            action = verb(self.random.choice(BLESSINGS))
            clause = self.clause(verb=action, constructions=("past", "future"), negatable=False)
            parts = self.complements(action, clause.subject, negative=True)
            if glad:
                return clause
            times = deniable_times(clause.adjuncts)
            return replace(clause, complements=parts, adjuncts=times, negative=True)
        return self.clause(constructions=("past", "future", "present", "intention"))

    def also(self) -> Sentence:
        """Return a sentence with "also", "still", "already" or the like ("I'm still tired")."""
        word = self.pick(adverbials("likely", "also", "still", "already"))
        if {"still", "already"} & set(word.classes) or self.chance(0.2):
            fitting = (
                adjectives("state") if "already" in word.classes else adjectives("state", "mood")
            )
            if "still" in word.classes:
                fitting = _passing(fitting)
            mood = self.pick(fitting)
            clause = self.feeling(self.subject(("person",)), mood, "present")
        else:
            constructions = ("past", "future", "present", "intention")
            clause = self.clause(constructions=constructions, negatable=False)
        times = () if clause.fronted else clause.adjuncts[:1]
        return Sentence(replace(clause, adjuncts=(word, *times), fronted=False))

    def wishing(self) -> Sentence:
        """Return a wish, or a question about one ("Do you want a dog?")."""
        action = self.random.choice([item for item in lexicon().verbs if item.kind == "wish"])
        subject = YOU if (question := self.chance(0.45)) else self.subject(("person",))
        clause = self.clause(verb=action, subject=subject, negatable=not question)
        return Sentence(clause, "question" if question else "statement")

    def how_question(self) -> Sentence:
        """Return a question about a degree or price ("How old is your brother?")."""
        if self.chance(0.3):
            noun = self.pick(nouns(*verb("kosten").subject))
            goods = replace(self.noun_phrase(noun, style="definite"), adjective=None)
            goods = replace(goods, determiner=self.random.choice(("definite", "this")))
            return Sentence(Clause(verb("kosten"), goods, (), (HOW_MUCH,)), "question")
        subject: Phrase
        if self.chance(0.35):
            word, subject = adjective("alt"), self.person(("kin",), YOU)
        else:
            word = self.pick([adjective(german) for german in MEASURABLE])
            subject = self._praised(word)
        question = Question(f"how {word.en}", f"wie {word.de}")
        clause = Clause(verb("sein"), subject, (), (question,))
        return Sentence(clause, "question")

    def wanting(self) -> Sentence:
        """Return a sentence about a wish or request ("She asked him to close the door")."""
        wanter = self.subject(("person",))
        asked = self.random.choice(self._other_pronouns(wanter))
        action = verb(self.random.choice(FAVOURS))
        parts = self.complements(action, asked, "definite")
        if any(getattr(part, "phrase", None) in (wanter, YOU, WE) for part in parts):
            return self.wanting()
        german = self.random.choice(
            ("wollen", "möchten", "bitten", "bitten", "erlauben", "verbieten")
        )
        if german in ("wollen", "möchten"):
            done = Clause(action, asked, parts)
            return Sentence(Clause(verb(german), wanter), subordinate=Subordinate(WANTED, done))
        case = "accusative" if german == "bitten" else "dative"
        told = Complement(asked, case)
        main = Clause(verb(german), wanter, (told,), tense="past")
        return Sentence(main, subordinate=Subordinate(TO, Clause(action, None, parts)))

    def having_done(self) -> Sentence:
        """Return a causative sentence ("I am having my car repaired")."""
        action = verb(self.random.choice(SERVICES))
        subject = self.subject(("person",))
        parts = self.complements(action, subject, "definite")[:1]
        tense = self.random.choice(("past", "past", "intention", "present"))
        clause = Clause(action, subject, parts, tense=tense, causative=True)
        if tense == "present":
            modal = self.random.choice((MUST, WANT, WOULD_LIKE, SHOULD, None))
            return Sentence(replace(clause, modal=modal, progressive=modal is None))
        times = self.time(tense, verb("kaufen")) if tense == "past" and self.chance(0.4) else ()
        return Sentence(replace(clause, adjuncts=times))

    def no_longer(self) -> Sentence:
        """Return a sentence with "anymore" ("She doesn't work here anymore")."""
        adverb = self.pick(adverbials("anymore"))
        if self.chance(0.5):
            words = _passing(adjectives("state", "mood"))
            clause = self.feeling(self.subject(("person",)), self.pick(words))
        else:
            action = verb(self.random.choice(GIVEN_UP))
            subject = self.subject(("person",))
            clause = Clause(action, subject, self.complements(action, subject))
        return Sentence(replace(clause, negative=True, adjuncts=(adverb,)))


def _is_experience(item: Verb) -> bool:
    """Return whether the verb fits "have you ever ...?"; "stayed" would mean spending the night."""
    return is_deniable(item) and item.en != "stay"


def _passing(words: list[Adjective]) -> list[Adjective]:
    """Return the adjectives for states that may last; "immer noch fertig" would mean exhausted."""
    return [word for word in words if word.de != "fertig"]


def _has_passive(item: Verb) -> bool:
    """Return whether the object, a thing, can be the subject of a passive clause."""
    if item.en in ACTIVE_ONLY:
        return False
    if (
        not transitive(item)
        or item.reflexive
        or len([1 for f in item.frames if not f.optional]) > 1
    ):
        return False
    frame = item.frames[0]
    return (
        frame.marking == "acc"
        and not frame.en_preposition
        and not ({"person", "kin"} & set(frame.classes))
    )
