/** Attention next to occlusion: where a head looks, and which words matter. */

import { correlation, largestOfRows } from "../interface/agreement.js";
import { headColor } from "../interface/colors.js";
import { choice } from "../interface/controls.js";
import { element, redraw } from "../interface/dom.js";
import { isolated } from "../interface/labels.js";
import { decimal, percent } from "../interface/numbers.js";
import { pictureTable } from "../interface/pictureTable.js";
import { attentionOf, comparedWords, lossesOf } from "./importance.js";
import { PairedMaps } from "./pairedMaps.js";

const FULL = 5; // nats: losses from here on have the full color
const NEGATIVE = -0.2; // nats: losses below have a minus sign in their cell
const AGREEMENT = " translated words attend most to the source word that matters most to them.";
const HONEST =
  "1 means proportional, 0 unrelated. Attention says where a head looked; occlusion says what the " +
  "translation depended on.";
const HINT =
  "Point at a cell to read both values. ● marks the largest value of a row, and − a word without " +
  "which the translated word is more probable.";

export class Occlusion {
  /**
   * @param network the sizes of the network.
   * @param onchange function of changes of the state.
   */
  constructor({ decoder_layers: layers, num_heads: heads }, onchange) {
    this.layers = layers;
    this.heads = heads;
    this.layer = choice({
      legend: "Layer",
      options: numbered(layers),
      onchange: (layer) => onchange({ layer: Number(layer) }),
    });
    this.head = choice({
      legend: "Head",
      options: [{ value: "mean", label: "mean" }, ...numbered(heads)],
      onchange: (head) => onchange({ head: head === "mean" ? head : Number(head) }),
    });
    this.maps = new PairedMaps(["attention-map", "occlusion-map"]);
    this.agreement = element("div", { class: "agreement" });
    this.tables = [pictureTable(), pictureTable()];
    this.element = this.#layout();
  }

  #layout() {
    const titles = [
      ["Attention: where the head looks", "0% to 100%"],
      ["Occlusion: what the word loses", `0 to ${FULL} nats or more`],
    ];
    const sections = titles.map(([title, scale], i) => {
      const heading = element("h3", {}, title, " ", element("span", { class: "kind-note" }, scale));
      return element("section", {}, heading, this.maps.elements[i], this.tables[i].element);
    });
    return element(
      "section",
      { class: "occlusion" },
      element("h2", {}, "Does it look at what matters?"),
      element(
        "p",
        { class: "lead" },
        "Attention: how much each translated word takes from each source word. Occlusion: what its " +
          "log probability loses, with all heads on, if the source word is left out.",
      ),
      element("div", { class: "controls" }, this.layer.element, this.head.element),
      this.agreement,
      this.maps.readout,
      element("div", { class: "pair" }, sections),
    );
  }

  /**
   * @param result of a translation.
   * @param changes the `changes` of its occlusion.
   * @param cross the cross-attention of its layers.
   * @param chosen {layer: from 1, or null for the last; head: from 1, or "mean"}.
   */
  update(result, changes, cross, chosen) {
    const layer = Math.min(Math.max(chosen.layer ?? this.layers, 1), this.layers);
    const head = chosen.head > this.heads ? "mean" : chosen.head;
    this.layer.update(String(layer));
    this.head.update(String(head));
    const { rows, columns } = comparedWords(result);
    const words = { rows: rows.labels, columns: columns.labels };
    const attention = attentionOf(result, cross[layer - 1], head);
    const losses = lossesOf(result, changes);
    this.#draw(words, attention, losses, head);
    this.#tabulate(words, attention, losses);
    redraw(this.agreement, agreementOf(words, attention, losses));
  }

  #draw(words, attention, losses, head) {
    const count = words.columns.length;
    const most = [attention, losses].map((values) => largestOfRows(values, count));
    const maps = [
      { name: "Attention weights", values: attention, color: headColor(head), largest: 1 },
      {
        name: "Losses",
        values: losses,
        color: "var(--second)",
        negative: "var(--accent)",
        largest: FULL,
      },
    ];
    const marked = maps.map((map, i) => ({
      ...map,
      sign: (row, column) => signOf(map.values[row * count + column], most[i][row] === column),
    }));
    const describe = (row, column) => {
      const place = row * count + column;
      return sentence(words.rows[row], words.columns[column], attention[place], losses[place]);
    };
    this.maps.update(marked, words, { hint: HINT, describe });
  }

  #tabulate(words, attention, losses) {
    const count = words.columns.length;
    const captions = [
      "Attention weights from the words of the translation to the source words.",
      "What the words of the translation lose without a source word, in nats.",
    ];
    const texts = [(place) => percent(attention[place]), (place) => decimal(losses[place])];
    this.tables.forEach((table, i) => {
      table.update({
        caption: captions[i],
        corner: "Word",
        ...words,
        cell: (row, column) => texts[i](row * count + column),
      });
    });
  }
}

function numbered(count) {
  return Array.from({ length: count }, (_, i) => ({ value: String(i + 1), label: String(i + 1) }));
}

function signOf(value, isMost) {
  if (isMost) {
    return "●";
  }
  return value < NEGATIVE ? "−" : "";
}

function sentence(row, column, weight, loss) {
  const change = loss < 0 ? `gains ${decimal(-loss)}` : `loses ${decimal(loss)}`;
  const pair = `“${isolated(row)}” attends to “${isolated(column)}”`;
  return `${pair} with ${percent(weight)}, and ${change} nats without it.`;
}

/** Return the sentences on how far attention and occlusion agree. */
function agreementOf({ rows, columns }, attention, losses) {
  const [looked, mattered] = [attention, losses].map((each) => largestOfRows(each, columns.length));
  const agreeing = looked.filter((column, row) => column === mattered[row]).length;
  const similarity = correlation(attention, losses);
  const share = `${agreeing} of ${rows.length}`;
  const number = Number.isNaN(similarity) ? "not defined" : decimal(similarity);
  return [
    element("p", {}, element("strong", {}, share), AGREEMENT),
    element("p", { class: "quiet" }, `Correlation of all cells: ${number}. ${HONEST}`),
  ];
}
