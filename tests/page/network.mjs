/** Answers questions about networks: [{description, subwords, weights, questions}] on standard input. */

import { readFileSync, writeFileSync } from "node:fs";
import { forced } from "../../keras_transformer/export/page/engine/forced.js";
import { rowsOf } from "../../keras_transformer/export/page/engine/matrices.js";
import { SwitchedOff } from "../../keras_transformer/export/page/engine/switchedOff.js";
import { Translator } from "../../keras_transformer/export/page/engine/translator.js";
import { fateOf } from "../../keras_transformer/export/page/views/beamNode.js";
import { treeOf } from "../../keras_transformer/export/page/views/beamTree.js";
import { greedyTrace } from "../../keras_transformer/export/page/views/greedyTrace.js";

const OWN = {
  /** Logits, which the page itself never shows. */
  logits(translator, { source, target, off }) {
    const { transformer } = translator;
    const heads = new SwitchedOff(off);
    const { logits } = forced(transformer, source, target, heads, transformer.finalBias);
    return rowsOf(logits).map((values) => Array.from(values));
  },

  /** What the view of beam search says of each candidate: {label, probability, fate}. */
  outcomes(translator, { source, search, never }) {
    const { beamSize, lengthPenalty: alpha } = search;
    const { steps } = beamSize > 1 ? translator.beam({ source, search }) : greedy();
    const { columns } = treeOf({ id: translator.targetSubwords.start }, steps);
    const ranks = new Map();
    return columns.slice(1).map((nodes) =>
      nodes.map((node) => {
        const { label, probability } = node;
        return { label, probability, fate: fateOf(node, { beamSize, ranks }) };
      }),
    );

    function greedy() {
      const result = translator.continued({ source, search });
      const { best } = translator.forced({ source, target: result.target.ids });
      return greedyTrace(result, best, never, alpha);
    }
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
