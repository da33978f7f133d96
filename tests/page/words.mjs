import { readFileSync } from "node:fs";
import {
  merged,
  unknownCharacters,
  wordsOf,
} from "../../keras_transformer/export/page/engine/words.js";

const { sentences, unspaced, weights, unknown } = JSON.parse(readFileSync(0));

// JSON has no NaN: null stands for it.
function mergedOf({ values, rowWords, columnWords, ...size }) {
  const numbers = Float32Array.from(values, (value) => value ?? NaN);
  const found = merged({ ...size, values: numbers }, rowWords, columnWords);
  return { ...found, values: [...found.values] };
}

const found = {
  words: sentences.map((each) => wordsOf(each)),
  unspaced: unspaced.map((each) => wordsOf(each, true)),
  merged: weights.map(mergedOf),
  unknown: unknown.map(unknownCharacters),
};
process.stdout.write(JSON.stringify(found));
