/** Sentences typed in capitals, which training corpora hardly contain (keras_transformer.text.casing). */

const MIN_LETTERS = 5; // a shorter text in capitals may be an abbreviation: OK, USA
const DOMAINS = "com|org|net|edu|gov|info|io|eu|de|uk|fr|nl|pl|ch"; // as in text.addresses
const MOST = 0.9; // of the letters have case. Otherwise only an acronym may be in capitals.
// What follows an address without a space is kept too; it consists of punctuation, mostly.
const ADDRESSES = new RegExp(
  String.raw`\S*(?:[\p{L}\p{N}_.+%-]@[\p{L}\p{N}]|://)\S*|www\.\S+` +
    String.raw`|(?:[\p{L}\p{N}_-]+\.)+(?:(?:${DOMAINS})(?![\p{L}\p{N}_-])|[a-z]{2,6}/)\S*`,
  "giu",
);
// Letters of a code before its number: B-17. Other words before a number are longer, mostly.
const CODE_LETTERS = String.raw`(?!(?:TOP|MID|PRE|SUB)-)[\p{L}\p{Nl}\p{No}]{1,3}-(?=\p{Nd})`;
// The group is a word. Of words with hyphens, only the first may be the letters of a code.
const WORD = new RegExp(String.raw`(?:-|${CODE_LETTERS})?([\p{L}\p{N}_]+)`, "gu");
// Numbers with an ending that has small letters in sentence case: 2nd, 5pm, 1990s, 5km.
const NUMBER = /^(?:[0-9]+(?:ST|ND|RD|TH|[AP]M|[CKM]M|KG)|[0-9]*0S)$/u;
// Languages in which ı, the capital of which is I, is another letter than i.
const DOTLESS = new Set(["az", "crh", "gag", "tr"]);
// Numbers with an ending of the language: 80er, 1er, 14h30.
const ENDINGS = {
  de: /^[0-9]+(?:ERN?|S?TE[MNRS]?)$/u,
  fr: /^[0-9]+(?:ER|RE|E|[ÈE]ME|H[0-9]*)$/u,
};
const WITHOUT_CAPITAL = /[ßªº]/gu; // letters that have no capital, or a rare one
// Cherokee is written in what Unicode calls capitals; hardly anybody writes its small letters.
const CHEROKEE = /[\u13a0-\u13ff]/u;
// Capitals with which no Georgian sentence begins.
const GEORGIAN_CAPITAL = /[\u1c90-\u1cbf]/u;
// Marks, and the number of a list or a note: "[1] ".
const BEFORE_FIRST_LETTER = /^(?:[^\p{L}\p{N}]|\p{Nd}+[.)\]]+(?=\s))*/u;
// The first group is what precedes: Safari has no lookbehind before version 16.4 of 2023.
const PRONOUN = /(^|[^\p{L}\p{N}_.])I(?![\p{L}\p{N}_]|\.[\p{L}\p{N}_])/gu;
// Units that have capitals in sentence case.
const UNITS = ["kWh", "kW", "kHz", "MHz", "GHz", "Hz", "KB", "MB", "GB", "TB", "°C", "°F"];
const SPELLINGS = new Map(UNITS.map((unit) => [unit.toUpperCase(), unit]));
const UNIT = new RegExp(
  String.raw`(\p{Nd}(?:[ \u00a0\u202f]|(?=°)))(?:${[...SPELLINGS.keys()].join("|")})` +
    String.raw`(?![\p{L}\p{N}_])`,
  "gu",
);

/**
 * Convert a sentence typed in capitals to sentence case; return any other unchanged.
 *
 * E-mail addresses, web addresses, codes, units and the English pronoun "I" keep their capitals.
 * The endings of English, German and French numbers do not: 2nd, 5pm, 80er, 14h30.
 *
 * @param language the code of the language of the sentence.
 */
export function withoutCapitals(sentence, language) {
  const letters = sentence.match(/\p{L}/gu) ?? [];
  const isLong = letters.length >= MIN_LETTERS && sentence.trim().includes(" ");
  return isLong && isInCapitals(sentence, letters) ? inSentenceCase(sentence, language) : sentence;
}

function isInCapitals(sentence, letters) {
  const text = sentence.replace(WITHOUT_CAPITAL, "");
  const isUpper = /\p{Uppercase}/u.test(text) && !/[\p{Lowercase}\p{Lt}]/u.test(text);
  return isUpper && letters.filter(hasCase).length >= MOST * letters.length;
}

function hasCase(letter) {
  return letter.toLowerCase() !== letter.toUpperCase() && !CHEROKEE.test(letter);
}

function inSentenceCase(sentence, language) {
  let text = lowerCase(sentence, language);
  if (text.length !== sentence.length) {
    return capitalized(sentence); // the lower case of some letters has two characters
  }
  for (const [start, kept] of keptParts(sentence, language)) {
    text = text.slice(0, start) + kept + text.slice(start + kept.length);
  }
  return text;
}

function lowerCase(text, language) {
  const letters = DOTLESS.has(language) ? text.replaceAll("İ", "i").replaceAll("I", "ı") : text;
  return letters.toLowerCase();
}

function capitalized(sentence) {
  const [first] = sentence;
  return first.toUpperCase() + sentence.slice(first.length).toLowerCase();
}

/** Yield the places of what sentence case leaves in capitals, and how it is written. */
function* keptParts(sentence, language) {
  const [before] = BEFORE_FIRST_LETTER.exec(sentence);
  const [first = ""] = sentence.slice(before.length);
  if (!GEORGIAN_CAPITAL.test(first)) {
    yield [before.length, first];
  }
  yield* partsOf(sentence, ADDRESSES);
  yield* codesOf(sentence, language);
  for (const [start, unit] of partsOf(sentence, UNIT)) {
    yield [start, SPELLINGS.get(unit)];
  }
  if (language === "en") {
    yield* partsOf(sentence, PRONOUN);
  }
}

/** Yield the places of the codes of a sentence, and the codes. */
function* codesOf(sentence, language) {
  for (const { 0: code, 1: word, index } of sentence.matchAll(WORD)) {
    if (isCode(word, language)) {
      yield [index, code];
    }
  }
}

function isCode(word, language) {
  return /\p{Nd}/u.test(word) && !NUMBER.test(word) && !ENDINGS[language]?.test(word);
}

/** Yield the places of the matches of a pattern after its first group, and these texts. */
function* partsOf(sentence, pattern) {
  for (const { 0: text, 1: before = "", index } of sentence.matchAll(pattern)) {
    yield [index + before.length, text.slice(before.length)];
  }
}
