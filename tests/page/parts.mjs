/** Parts of the page by themselves, which tests put into an empty page. */

import { wordsOf } from "/engine/words.js";
import { slider } from "/interface/controls.js";
import { Lines } from "/interface/lines.js";
import { searchSliders } from "/interface/searchSettings.js";
import { ViewFrame } from "/interface/viewFrame.js";
import { BeamPicture } from "/views/beamPicture.js";
import { FoundTranslations } from "/views/foundTranslations.js";
import { HeadEffect } from "/views/headEffect.js";
import { Occlusion } from "/views/occlusion.js";
import { OwnTranslation } from "/views/ownTranslation.js";
import { StepStrip } from "/views/stepStrip.js";
import { TranslationPanel } from "/views/translation.js";

const ignore = () => {};
const state = { values: { text: "" }, set: ignore };

/** Return a side of a translation whose subwords, between the start and end tokens, are given. */
function side(subwords, isUnspaced = false) {
  const labels = subwords && ["<start>", ...subwords, "<end>"];
  const found = labels ?? [];
  return {
    ids: found.map((_, i) => i),
    labels: found,
    words: wordsOf(found, isUnspaced),
    isUnspaced,
  };
}

function resultOf({ source, target, translation, unspaced = {} }) {
  const sides = {
    source: side(source, unspaced.source),
    target: side(target, unspaced.target),
  };
  const probabilities = sides.target.labels.slice(1).map(() => 0.5);
  const numbers = { probabilities, score: -1, logProbability: -1 };
  return { ...sides, ...numbers, translation, truncated: false, finished: true };
}

const PARTS = {
  panel(given) {
    const description = { source_lang: null, target_lang: null, examples: [] };
    const panel = new TranslationPanel({ backend: { description, local: false }, state });
    const results = given.sentences.map(resultOf);
    panel.update(results, given.place ?? 0);
    return panel;
  },

  frame(given) {
    const view = { element: document.createElement("p"), update: ignore };
    const frame = new ViewFrame(
      { name: "view", title: "View", needsNetwork: false, make: () => view },
      { backend: { renew: ignore, local: true } },
    );
    frame.update(resultOf(given));
    return frame;
  },

  strip(given) {
    const strip = new StepStrip(null, ignore);
    const { target, probabilities } = resultOf(given);
    strip.update({ kind: "network", target, probabilities, chosen: [] }, 1);
    return strip;
  },

  own() {
    return new OwnTranslation(null, ignore);
  },

  effect(given) {
    const effect = new HeadEffect(null, ignore);
    effect.update(resultOf(given), { logProbability: -1 }, null);
    return { element: effect.original };
  },

  occlusion(given) {
    const occlusion = new Occlusion({ decoder_layers: 1, num_heads: 1 }, ignore);
    const result = resultOf(given);
    const [rows, columns] = [result.target.ids.length - 1, result.source.ids.length];
    const values = Float32Array.from({ length: rows * columns }, () => 1 / columns);
    const changes = result.source.words.labels.slice(1, -1).map(() => new Array(rows).fill(0));
    const chosen = { layer: null, head: "mean" };
    occlusion.update(result, changes, [{ heads: 1, rows, columns, values }], chosen);
    return occlusion;
  },

  beam({ target }) {
    const picture = new BeamPicture(null, ignore);
    const columns = [[{ key: "node0", label: "<start>", column: 0, children: [], parent: null }]];
    for (const label of target) {
      const [[parent], column] = [columns.at(-1), columns.length];
      const numbers = { probability: 0.5, logProbability: -1, score: -1 };
      const place = { key: `node${column}.1`, column, rank: 1, fate: "kept" };
      const node = { ...place, ...numbers, label, parent, children: [] };
      parent.children.push(node);
      columns.push([node]);
    }
    const [[root], [node]] = [columns[0], columns.at(-1)];
    const search = { beamSize: 4, alpha: 1, ranks: new Map([[node, 1]]) };
    const rows = new Map(columns.flat().map((each) => [each, 0]));
    picture.update({ tree: { root, columns }, rows, winner: node, chosen: node, search });
    return picture;
  },

  found({ translation }) {
    const found = new FoundTranslations(null, ignore);
    const numbers = { score: -1, logProbability: -1, length: 1 };
    found.update([{ rank: 1, text: translation, ...numbers }], 1, 1);
    return found;
  },

  lines({ rows, columns }) {
    const lines = new Lines(ignore);
    const values = Float32Array.from({ length: rows.length * columns.length }, () => 0.5);
    const titles = { rowTitle: "to", columnTitle: "from", color: "black", chosen: "" };
    lines.update({ rows, columns, values, ...titles });
    return lines;
  },

  penalty({ value }) {
    const { penalty } = searchSliders({ set: (values) => Object.assign(window, { values }) });
    penalty.update(value);
    return penalty;
  },

  slider({ value, ...given }) {
    const part = slider({ label: "Number", oninput: ignore, ...given });
    part.update(value);
    return part;
  },
};

/** Put a part into the page. */
export function show(name, given) {
  document.body.replaceChildren();
  const { element } = PARTS[name](given);
  document.body.append(element);
}
