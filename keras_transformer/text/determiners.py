"""German articles, other determiners and prepositions, which precede nouns and ordinal numbers."""

# Articles are also pronouns. After a comma they are relative pronouns, most often.
ARTICLE = r"(?<!, )\b[Dd](?:er|ie|as|en|em|es)\b"
DETERMINER = (
    r"\b(?i:"
    r"(?:k?ein|[mds]ein|ihr|unser|eue?r|dies|jed|jen|welch|manch|solch|viel|einig)(?:e[mnrs]?)?"
    r"|alle[mnrs]?|[ai]m|vom|zum|zur|beim|ins|ans|aufs|fürs|durchs)\b"
)
# Numbers and other words for an amount, which may also stand without a noun: Zwei kamen.
AMOUNT = (
    r"\b(?i:zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|\d+"
    r"|(?:mehrer|wenig|beid|sämtlich)e[mnrs]?)\b"
)
# Without those that are also parts of verbs: Mach das Licht an.
PREPOSITION = "in|von|für|ohne|gegen|bei|seit|wegen|trotz|während|hinter|neben|zwischen"
