"""German articles and other determiners, which tell nouns and ordinal numbers from other words."""

# Articles are also pronouns. After a comma they are relative pronouns, most often.
ARTICLE = r"(?<!, )\b[Dd](?:er|ie|as|en|em|es)\b"
DETERMINER = (
    r"\b(?i:"
    r"(?:k?ein|[mds]ein|ihr|unser|eue?r|dies|jed|jen|welch|manch|solch|viel|einig)(?:e[mnrs]?)?"
    r"|alle[nrs]?|[ai]m|vom|zum|zur|beim|ins|ans|aufs|fürs|durchs)\b"
)
