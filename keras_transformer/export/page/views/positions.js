/** Positions: the positional encoding, and what it does to the words of the sentence. */

import { positionalEncoding } from "../engine/positions.js";
import { slider } from "../interface/controls.js";
import { about, element, redraw } from "../interface/dom.js";
import { shown } from "../interface/labels.js";
import { decimal } from "../interface/numbers.js";
import { pictureTable } from "../interface/pictureTable.js";
import { roving } from "../interface/roving.js";
import { Glide } from "./glide.js";
import { Movements } from "./movements.js";
import { Player } from "./player.js";
import { repetitions } from "./repetitions.js";
import { Rings } from "./rings.js";
import { spreadPairs } from "./wavelengths.js";

const RINGS = 10;
const LEAD =
  "Attention alone ignores the order of words, so the encoder adds to each word a vector that " +
  "stands for its position. Each pair of its dimensions is a hand that turns at its own speed.";
const LEGEND =
  "λ is the wavelength: the number of positions in which a hand turns once. Small dots are earlier " +
  "positions.";
const ABOUT =
  "The angle of the hand of dimensions 2i and 2i + 1 is the position divided by 10000 to the power " +
  "of 2i / d_model. The arrows are the embeddings of the subwords, times √d_model, before and after " +
  "the positional encoding is added, in the plane in which they vary most.";
const MODULES = [
  "keras_transformer.model.positions",
  "keras_transformer.inspection.embedded_sentence",
];

class PositionsView {
  /** @param page {backend, state, announce}. */
  constructor({ backend, state }) {
    this.backend = backend;
    this.state = state;
    const { d_model: depth, max_source_length: count } = backend.description.network;
    this.count = count;
    this.result = null;
    const pairs = spreadPairs(count, depth, RINGS);
    this.slider = slider({
      label: "Position",
      min: 0,
      max: count - 1,
      format: (position) => this.described(position),
      oninput: (position) => this.choose(position),
    });
    this.player = new Player(() => this.advance());
    this.words = element("div", { class: "strip", role: "group", "aria-label": "Subwords" });
    this.settle = roving(this.words);
    this.rings = new Rings(pairs, depth, count);
    this.glide = new Glide((position) => this.rings.turn(position));
    this.ringsTable = pictureTable();
    this.ringsTable.update(encodingTable(pairs, depth, count));
    this.movements = new Movements((position) => this.choose(position));
    this.repeated = element("p", { class: "repetitions" });
    this.movementsTable = pictureTable();
    this.element = this.layout();
  }

  layout() {
    const controls = element(
      "div",
      { class: "controls" },
      this.player.element,
      this.slider.element,
    );
    return element(
      "div",
      { class: "view-positions" },
      element("h2", {}, "How does the network know where a word is?"),
      element("p", { class: "lead" }, LEAD),
      controls,
      this.words,
      this.rings.element,
      legend({ sine: "sine, the first dimension", cosine: "cosine, the second dimension" }),
      element("p", { class: "hint" }, LEGEND),
      this.ringsTable.element,
      element("h3", {}, "The words of the sentence, before and after positions are added"),
      element("div", { class: "moved" }, this.movements.element, this.explanation()),
      this.movementsTable.element,
      about(ABOUT, ...MODULES),
    );
  }

  explanation() {
    const points = {
      before: "embedding of a subword, times √d_model",
      after: "the same with its position added",
    };
    return element("div", { class: "explanation" }, legend(points), this.repeated);
  }

  choose(position) {
    this.player.pause();
    this.state.set({ position });
  }

  /** Go to the next position, after the last one to the first; return whether there is another. */
  advance() {
    const next = (this.position() + 1) % this.count;
    this.state.set({ position: next });
    return next < this.count - 1;
  }

  position() {
    return Math.min(this.state.values.position, this.count - 1);
  }

  described(position) {
    const label = this.result?.source.labels[position];
    return label === undefined ? `${position}, after the sentence` : `${position}: ${shown(label)}`;
  }

  /** @param result of a translation. */
  async update(result) {
    const position = this.position();
    const { ids, labels } = result.source;
    this.result = result;
    this.slider.update(position);
    this.glide.to(position);
    this.drawWords(labels, position);
    const answer = await this.backend.embedded({ ids });
    this.movements.update(answer, ids, position);
    this.repeated.textContent = repetitions(ids, labels);
    this.movementsTable.update(movementsTableOf(answer));
  }

  drawWords(labels, position) {
    const { source_lang: lang } = this.backend.description;
    const buttons = labels.map((label, i) =>
      element(
        "button",
        {
          type: "button",
          "data-key": `position${i}`,
          "aria-pressed": i === position ? "true" : "false",
          onclick: () => this.choose(i),
        },
        element("span", { class: "number" }, String(i)),
        element("span", { class: "subword", lang }, shown(label)),
      ),
    );
    redraw(this.words, buttons);
    this.settle(buttons[position]);
  }
}

/** Return a legend. @param meanings {class of a mark: what it means}. */
function legend(meanings) {
  const items = Object.entries(meanings).map(([mark, meaning]) =>
    element("li", {}, element("span", { class: `mark ${mark}` }), meaning),
  );
  return element("ul", { class: "legend" }, items);
}

function encodingTable(pairs, depth, count) {
  const { values } = positionalEncoding(count, depth);
  const dimensions = pairs.flatMap((pair) => [2 * pair, 2 * pair + 1]);
  return {
    caption: "Positional encoding in the dimensions of the rings.",
    corner: "Position",
    rows: Array.from({ length: count }, (_, position) => String(position)),
    columns: dimensions.map((each) => `${each % 2 ? "cos" : "sin"} ${each}`),
    cell: (row, column) => decimal(values[row * depth + dimensions[column]]),
  };
}

function movementsTableOf({ labels, before, after }) {
  const cells = before.map((point, i) => [...point, ...after[i]]);
  return {
    caption: "Principal components of the subwords before and after their positions are added.",
    corner: "Subword",
    rows: labels.map((label, i) => `${i}: ${shown(label)}`),
    columns: ["First, before", "Second, before", "First, after", "Second, after"],
    cell: (row, column) => decimal(cells[row][column]),
  };
}

export const positions = {
  name: "positions",
  title: "Positions",
  needsNetwork: true,
  make: (page) => new PositionsView(page),
};
