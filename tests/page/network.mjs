/** Answers questions about networks: [{description, subwords, weights, questions}] on standard input. */

import { readFileSync, writeFileSync } from "node:fs";
import { forced } from "../../keras_transformer/export/page/engine/forced.js";
import { rowsOf } from "../../keras_transformer/export/page/engine/matrices.js";
import { SwitchedOff } from "../../keras_transformer/export/page/engine/switchedOff.js";
import { Translator } from "../../keras_transformer/export/page/engine/translator.js";

const OWN = {
  /** Logits, which the page itself never shows. */
  logits(translator, { source, target, off }) {
    const { transformer } = translator;
    const heads = new SwitchedOff(off);
    const { logits } = forced(transformer, source, target, heads, transformer.finalBias);
    return rowsOf(logits).map((values) => Array.from(values));
  },
};

function answers({ description, subwords, weights, questions }) {
  const bytes = Uint8Array.from(Buffer.from(weights, "base64")).buffer;
  const translator = new Translator({ description, subwords, weights: bytes });
  return questions.map(([method, given]) => {
    return OWN[method] ? OWN[method](translator, given) : translator[method](given);
  });
}

/** Floats as lists; NaN, which JSON does not have, becomes null. */
function plain(_, value) {
  return ArrayBuffer.isView(value) ? Array.from(value) : value;
}

const models = JSON.parse(readFileSync(0, "utf8"));
writeFileSync(1, JSON.stringify(models.map(answers), plain));
