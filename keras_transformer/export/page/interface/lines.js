/** Two columns of words with lines between them, whose opacity is the attention weight. */

import { element, redraw } from "./dom.js";
import { isShortcut } from "./keys.js";
import { isolated } from "./labels.js";
import { percent } from "./numbers.js";
import { roving } from "./roving.js";
import { curve, svg } from "./svg.js";

const VISIBLE = 0.01; // smaller weights have no line
const NAMED = 0.05; // smaller weights are not in the sentence about a word
const MAX_NAMED = 3;
const HINT = "Stronger lines are larger weights. Choose a word to see only its lines.";
// The height of a row in pixels, for up to this many words. The smallest is still a target for
// fingers (WCAG 2.2, 2.5.8).
const HEIGHTS = [
  [10, 40],
  [16, 34],
  [24, 29],
  [Infinity, 25],
];
const SPREAD = 1.5; // rows of the shorter column are at most this much higher

export class Lines {
  #map = null;
  #buttons = { r: [], c: [] };
  #paths = [];

  /** @param onchoose function of the chosen word: "r2" for row 2, "c3" for column 3, or "". */
  constructor(onchoose) {
    this.onchoose = onchoose;
    this.caption = element("p", { class: "readout", "aria-live": "polite" });
    this.body = element("div", { class: "lines-body", onkeydown: (event) => this.#key(event) });
    this.element = element("div", { class: "lines" }, this.caption, this.body);
  }

  /**
   * Draw the lines.
   *
   * @param map {rows, columns: labels, rowTitle, columnTitle, rowLanguage, columnLanguage, values
   *     (rows * columns), color, chosen: the chosen word}. Rows, which attend, are on the right.
   */
  update(map) {
    this.#map = map;
    const height = heightOf(Math.max(map.rows.length, map.columns.length));
    const total = height * Math.max(map.rows.length, map.columns.length);
    this.body.style.setProperty("--color", map.color);
    redraw(
      this.body,
      this.#column("c", map.columns, map.columnTitle, map.columnLanguage, total, height),
      this.#drawing(total, height),
      this.#column("r", map.rows, map.rowTitle, map.rowLanguage, total, height),
    );
    this.#show(map.chosen);
  }

  #column(side, labels, title, language, total, height) {
    const row = rowHeight(labels.length, total, height);
    const buttons = labels.map((label, i) => this.#button(side + i, label, language, row));
    this.#buttons[side] = buttons;
    const list = element("div", { class: "lines-words", style: { height: `${total}px` } }, buttons);
    roving(list, 1);
    const heading = element("p", { class: "lines-title", "aria-hidden": "true" }, title);
    const attributes = { class: `lines-column lines-${side}`, role: "group", "aria-label": title };
    return element("div", attributes, heading, list);
  }

  #button(word, label, language, height) {
    const preview = () => this.#show(word);
    const end = () => this.#show(this.#focused() ?? this.#map.chosen);
    return element(
      "button",
      {
        type: "button",
        "data-key": word,
        "aria-pressed": word === this.#map.chosen ? "true" : "false",
        style: { height: `${height}px` },
        onclick: () => this.onchoose(word === this.#map.chosen ? "" : word),
        onpointerenter: ({ pointerType }) => pointerType === "mouse" && preview(),
        onpointerleave: ({ pointerType }) => pointerType === "mouse" && end(),
        onfocus: ({ target }) => target.matches(":focus-visible") && preview(),
        onblur: end,
      },
      element("span", { class: "lines-label", lang: language, dir: "auto" }, label),
      element("span", { class: "lines-weight", "aria-hidden": "true" }),
    );
  }

  #drawing(total, height) {
    const { rows, columns } = this.#map;
    const middle = (place, count) => {
      const row = rowHeight(count, total, height);
      return (total - row * count) / 2 + (place + 0.5) * row;
    };
    this.#paths = weightsOf(this.#map).map(({ row, column, weight }) => {
      const d = curve(0, middle(column, columns.length), 100, middle(row, rows.length));
      return { row, column, node: svg("path", { d, style: { "--share": weight } }) };
    });
    const attributes = { viewBox: `0 0 100 ${total}`, height: total, preserveAspectRatio: "none" };
    const nodes = this.#paths.map(({ node }) => node);
    return svg("svg", { ...attributes, class: "lines-drawing", "aria-hidden": "true" }, nodes);
  }

  #key(event) {
    if (event.key === "Escape" && this.#map.chosen) {
      this.onchoose("");
    }
    const other = { ArrowLeft: "c", ArrowRight: "r" }[event.key];
    if (other && !isShortcut(event)) {
      event.preventDefault(); // no scrolling
      this.#buttons[other].find((button) => button.tabIndex === 0)?.focus();
    }
  }

  #focused() {
    return this.body.querySelector("button:focus-visible")?.dataset.key;
  }

  /** Show the lines of one word, or all if it is "". */
  #show(word) {
    const found = this.#lookUp(word);
    const [side, place] = found ? [word[0], Number(word.slice(1))] : [null, null];
    for (const { row, column, node } of this.#paths) {
      node.classList.toggle("off", found !== null && (side === "r" ? row : column) !== place);
    }
    this.body.classList.toggle("one", found !== null);
    for (const key of ["r", "c"]) {
      this.#buttons[key].forEach((button, i) => {
        const weight = found && key !== side ? found.weights[i] : null;
        showWeight(button, weight);
        button.classList.toggle("active", key === side && i === place);
      });
    }
    this.caption.textContent = found ? sentence(found) : HINT;
  }

  /** Return {label, isRow, others: labels, weights} of a word; null if there is no such word. */
  #lookUp(word) {
    const { rows, columns, values } = this.#map;
    const [isRow, place] = [word[0] === "r", Number(word.slice(1))];
    const label = (isRow ? rows : columns)[place];
    if (!word || label === undefined) {
      return null;
    }
    const others = isRow ? columns : rows;
    const weights = others.map((_, i) => {
      const [row, column] = isRow ? [place, i] : [i, place];
      return values[row * columns.length + column];
    });
    return { label, isRow, others, weights };
  }
}

function heightOf(count) {
  return HEIGHTS.find(([most]) => count <= most)[1];
}

/** Return the height of the rows of a column, which fill the height of the longer one if possible. */
function rowHeight(count, total, height) {
  return Math.min(total / count, height * SPREAD);
}

/** Return the weights that have a line, the largest last, which is drawn on top. */
function weightsOf({ columns, values }) {
  const all = Array.from(values, (weight, place) => ({
    row: Math.floor(place / columns.length),
    column: place % columns.length,
    weight,
  }));
  return all
    .filter(({ weight }) => weight >= VISIBLE)
    .sort((one, other) => one.weight - other.weight);
}

/** Show the weight of a word, or none for null. NaN is hidden. */
function showWeight(button, weight) {
  button.style.setProperty("--share", weight || 0);
  button.classList.toggle("seen", weight >= NAMED);
  button.lastElementChild.textContent = weight >= VISIBLE ? percent(weight) : "";
}

/** Return the sentence about the weights of a word. */
function sentence({ label, isRow, others, weights }) {
  const named = weights
    .map((weight, i) => ({ weight, other: others[i] }))
    .filter(({ weight }) => weight >= NAMED)
    .sort((one, other) => other.weight - one.weight)
    .slice(0, MAX_NAMED)
    .map(({ weight, other }) => `“${isolated(other)}” ${percent(weight)}`);
  const verb = isRow ? "attends to" : "is attended to by";
  return `“${isolated(label)}” ${verb} ${named.join(", ") || "nothing in particular"}.`;
}
