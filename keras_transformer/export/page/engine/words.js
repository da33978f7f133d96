/** Words in place of subwords (keras_transformer.inspection.attention.words). */

import { SPACE } from "./normalization.js";

const TOKENS = new Set(["<pad>", "<start>", "<end>"]); // each is a word of its own
const BYTE = /^<0x[0-9A-F]{2}>$/;
const CONTINUED = /^<0x[89AB][0-9A-F]>$/; // a byte of a character other than its first one
const BLANK = new RegExp(`^${SPACE}*$`);
/** What a decoder returns for a part of a character. */
export const INCOMPLETE = "\ufffd";
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Group subwords into words.
 *
 * A word begins with a subword that begins with `▁`, or after a special token. In a language that is
 * written without spaces, each subword is a word; the bytes of a character are one together.
 *
 * @param subwords the labels of the subwords.
 * @param isUnspaced whether their language is written without spaces.
 * @returns {labels: the words, numbers: the number, from 0, of the word of each subword}.
 */
export function wordsOf(subwords, isUnspaced = false) {
  const begins = isUnspaced ? beginsCharacter : beginsWithSpace;
  const numbers = [];
  for (const group of groupsOf(subwords)) {
    const first = numbers.length ? numbers.at(-1) + 1 : 0;
    const found = TOKENS.has(group[0]) ? group.map((_, i) => i) : wordNumbers(group, begins);
    numbers.push(...found.map((number) => first + number));
  }
  const words = [];
  subwords.forEach((subword, i) => {
    words[numbers[i]] = [...(words[numbers[i]] ?? []), subword];
  });
  return { labels: words.map(joined), numbers };
}

/** Return lists of consecutive subwords that are all special tokens, or all others. */
function groupsOf(subwords) {
  const groups = [];
  subwords.forEach((subword, i) => {
    if (i > 0 && TOKENS.has(subword) === TOKENS.has(subwords[i - 1])) {
      groups.at(-1).push(subword);
    } else {
      groups.push([subword]);
    }
  });
  return groups;
}

/**
 * Return the number of the word of each piece (keras_transformer.translation.word_probabilities).
 *
 * Spaces without a word belong to the word that follows, or to the last one.
 *
 * @param pieces the pieces.
 * @param begins function (piece, the piece before) that returns whether the piece begins a word.
 */
function wordNumbers(pieces, begins) {
  const numbers = [];
  let [number, isBlank] = [0, true];
  pieces.forEach((piece, i) => {
    const isFirst = !isBlank && begins(piece, pieces[i - 1]);
    number += isFirst ? 1 : 0;
    isBlank = (isBlank || isFirst) && BLANK.test(piece);
    numbers.push(number);
  });
  const last = Math.max(number - (isBlank ? 1 : 0), 0);
  return numbers.map((each) => Math.min(each, last));
}

function beginsWithSpace(piece) {
  return piece.startsWith(SPACE);
}

function beginsCharacter(piece, before) {
  return !(CONTINUED.test(piece) && BYTE.test(before));
}

/** Return the text of subwords, in which the bytes of characters are combined. */
function joined(subwords) {
  let [text, codes] = ["", []];
  for (const each of [...subwords, ""]) {
    if (BYTE.test(each)) {
      codes.push(parseInt(each.slice(3, 5), 16));
    } else {
      text += decoder.decode(Uint8Array.from(codes)) + each;
      codes = [];
    }
  }
  return text;
}

/**
 * Return the characters that subwords spell out as bytes, because the vocabulary lacks them.
 *
 * @param subwords the labels of the subwords.
 * @returns list of characters, each of them once.
 */
export function unknownCharacters(subwords) {
  const characters = [...joined(subwords.map((each) => (BYTE.test(each) ? each : " ")))];
  return [...new Set(characters)].filter((each) => each !== " " && each !== INCOMPLETE);
}

/**
 * Compute the attention weights between words, given those between subwords.
 *
 * The weights to the subwords of a word are added, and those from the subwords of a word are
 * averaged. NaN marks a hidden position and counts as 0; a weight is NaN if all between the two
 * words are.
 *
 * @param weights {heads, 1 by default; rows; columns; values: Float32Array (heads, rows, columns)}.
 * @param rows the number of the word of each row.
 * @param columns the number of the word of each column.
 * @returns the weights in the same form.
 */
export function merged(weights, rows, columns) {
  const subwordsOf = countsOf(rows);
  const size = { rows: subwordsOf.length, columns: countsOf(columns).length };
  const sums = new Float64Array((weights.heads ?? 1) * size.rows * size.columns).fill(NaN);
  weights.values.forEach((weight, place) => {
    const row = rows[Math.floor(place / weights.columns) % weights.rows];
    const head = Math.floor(place / (weights.columns * weights.rows));
    const word = (head * size.rows + row) * size.columns + columns[place % weights.columns];
    if (!Number.isNaN(weight)) {
      sums[word] = (Number.isNaN(sums[word]) ? 0 : sums[word]) + weight / subwordsOf[row];
    }
  });
  return { ...weights, ...size, values: Float32Array.from(sums) };
}

/** Return how often each number occurs. */
function countsOf(numbers) {
  const counts = [];
  numbers.forEach((number) => {
    counts[number] = (counts[number] ?? 0) + 1;
  });
  return counts;
}
