/** Attention: which words each word attends to, in every layer and head. */

import { axesOf, between, headOf } from "../interface/attentionMap.js";
import { headColor } from "../interface/colors.js";
import { choice } from "../interface/controls.js";
import { about, element, redraw } from "../interface/dom.js";
import { HeadChooser } from "../interface/headChooser.js";
import { heatmap } from "../interface/heatmap.js";
import { languageNames } from "../interface/labels.js";
import { Lines } from "../interface/lines.js";
import { percent } from "../interface/numbers.js";
import { pictureTable } from "../interface/pictureTable.js";

const KINDS = [
  { value: "cross", label: "Cross" },
  { value: "encoder", label: "Encoder" },
  { value: "decoder", label: "Decoder" },
];
const UNITS = [
  { value: "words", label: "Words" },
  { value: "subwords", label: "Subwords" },
];
const ABOUT =
  "A weight says how much a head takes from one position for another, and the weights of a row add " +
  "up to 100%. Between words, the weights to the subwords of a word are added, and those from its " +
  "subwords are averaged.";
const MODULE = "keras_transformer.model.attention";

class AttentionView {
  /** @param page {backend, state, announce}. */
  constructor({ backend, state }) {
    this.backend = backend;
    this.state = state;
    const { source_lang: source, target_lang: target } = backend.description;
    this.languages = { source, target };
    this.names = languageNames(backend.description);
    this.kind = choice({
      legend: "Attention",
      options: KINDS,
      onchange: (kind) => this.other({ kind }),
    });
    this.units = choice({
      legend: "Between",
      options: UNITS,
      onchange: (units) => this.other({ units }),
    });
    this.lead = element("p", { class: "lead" });
    this.lines = new Lines((word) => state.set({ word }));
    this.heads = new HeadChooser((chosen) => state.set(chosen));
    this.title = element("h3", {});
    this.map = element("div", {});
    this.table = pictureTable();
    this.element = this.layout();
  }

  layout() {
    const heading = element("h2", {}, "What does each word attend to?");
    const controls = element("div", { class: "controls" }, this.kind.element, this.units.element);
    const heads = element("section", {}, element("h3", {}, "All heads"), this.heads.element);
    const large = element("section", {}, this.title, this.map, this.table.element);
    return element(
      "div",
      { class: "view-attention" },
      element(
        "div",
        { class: "split" },
        element("div", {}, heading, this.lead, controls, this.lines.element),
        element("div", {}, heads, large),
      ),
      about(ABOUT, MODULE),
    );
  }

  /** Show other words, so that none of them is chosen. */
  other(changes) {
    this.state.set({ ...changes, word: "" });
  }

  /** @param result of a translation; that of a server contains the attention. */
  async update(result) {
    const attention = result.attention ?? (await this.forced(result)).attention;
    const { kind, units, head: givenHead, layer: givenLayer } = this.state.values;
    const axes = axesOf(kind, units, result);
    const layers = attention[kind].map((weights) => between(axes, weights));
    const layer = Math.min(Math.max(givenLayer ?? layers.length, 1), layers.length);
    const head = givenHead > layers[0].heads ? "mean" : givenHead;
    this.kind.update(kind);
    this.units.update(units);
    this.heads.update(layers, { layer, head });
    this.draw(axes, headOf(layers[layer - 1], head), { layer, head });
  }

  forced({ source, target }) {
    return this.backend.forced({ source: source.ids, target: target.ids, off: [] });
  }

  draw({ rows, columns }, { values }, { layer, head }) {
    const { kind, word } = this.state.values;
    const { lead, ...titles } = textsOf(kind, this.languages, this.names);
    this.lead.textContent = lead;
    const map = {
      ...titles,
      rows: rows.labels,
      columns: columns.labels,
      values,
      color: headColor(head),
    };
    this.lines.update({ ...map, chosen: word });
    const name = `Layer ${layer}, ${head === "mean" ? "mean of all heads" : `head ${head}`}`;
    this.title.textContent = name;
    redraw(this.map, heatmap({ ...map, name: `${name}: attention weights` }));
    this.table.update({
      caption: `Attention weights. ${name}. Rows: ${map.rowTitle}. Columns: ${map.columnTitle}.`,
      corner: map.rowTitle,
      rows: map.rows,
      columns: map.columns,
      cell: (row, column) => shownWeight(values[row * map.columns.length + column]),
    });
  }
}

function shownWeight(weight) {
  return Number.isNaN(weight) ? "masked" : percent(weight);
}

/** Return the texts about a kind of attention. */
function textsOf(kind, { source, target }, { source: sourceName, target: targetName }) {
  return {
    cross: {
      lead: `To write each ${targetName} word, the decoder looks at all ${sourceName} words.`,
      rowTitle: `${targetName}, being written`,
      columnTitle: `${sourceName}, attended to`,
      rowLanguage: target,
      columnLanguage: source,
    },
    encoder: {
      lead: `To represent each ${sourceName} word, the encoder looks at the whole sentence.`,
      rowTitle: `${sourceName}, being read`,
      columnTitle: `${sourceName}, attended to`,
      rowLanguage: source,
      columnLanguage: source,
    },
    decoder: {
      lead: `To write each ${targetName} word, the decoder looks at what it has written before.`,
      rowTitle: `${targetName}, being written`,
      columnTitle: `${targetName}, read`,
      rowLanguage: target,
      columnLanguage: target,
    },
  }[kind];
}

export const attention = {
  name: "attention",
  title: "Attention",
  needsNetwork: false,
  make: (page) => new AttentionView(page),
};
