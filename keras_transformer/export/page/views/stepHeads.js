/** Where each head of the cross-attention looks at one step, and the mean of each layer. */

import { headOf } from "../interface/attentionMap.js";
import { followKeys, followPointer } from "../interface/cellChoice.js";
import { headColor } from "../interface/colors.js";
import { element, redraw } from "../interface/dom.js";
import { isolated } from "../interface/labels.js";
import { percent } from "../interface/numbers.js";
import { pictureTable } from "../interface/pictureTable.js";
import { picture, svg, textWidth } from "../interface/svg.js";
import { legible } from "./pieces.js";

const FONT = 12; // pixels
const [HEIGHT, TITLE, GAP] = [16, 22, 6]; // pixels: of a row and of a layer's title; after labels
const [NARROWEST, WIDEST] = [17, 56]; // pixels: columns
const SLANT = (50 * Math.PI) / 180; // of the labels of the columns
const MAX_NAMED = 3;

export class StepHeads {
  #width = 320; // pixels, until the page tells
  #place = null; // [row, column] of the cell that the reader chose
  #drawn = null;

  constructor() {
    this.labels = element("div", { "aria-hidden": "true" });
    this.area = element("div", {
      class: "scrolling",
      tabindex: "0",
      role: "group",
      "data-key": "heads",
    });
    followKeys(
      this.area,
      () => this.#place ?? [0, 0],
      (place) => {
        this.#choose(place);
        this.#drawn.cursor.scrollIntoView({ block: "nearest", inline: "nearest" });
      },
    );
    this.readout = element("p", { class: "readout", "aria-live": "polite" });
    this.table = pictureTable();
    const pictures = element("div", { class: "heads-picture" }, this.labels, this.area);
    this.element = element("div", {}, pictures, this.readout, this.table.element);
  }

  /**
   * Draw the weights of a step.
   *
   * @param layers list of {number: from 1, weights: {heads, rows, columns, values}}.
   * @param step number of the step, from 1.
   * @param columns labels of the source.
   */
  update({ layers, step, columns }) {
    this.#width = this.element.clientWidth || this.#width;
    const rows = layers.flatMap((layer) => rowsOf(layer, step - 1));
    const labels = columns.map(legible);
    const layout = layoutOf(rows, labels, this.#width);
    const name = `Cross-attention weights at step ${step}`;
    this.#drawn = { rows, columns: labels, layout, cursor: cursorOf(layout) };
    this.area.setAttribute("aria-label", `${name}. Arrow keys choose a cell.`);
    redraw(this.labels, rowLabels(rows, layout));
    redraw(this.area, this.#drawing(name));
    this.#show();
    this.table.update({
      caption: `${name}. Rows: heads. Columns: subwords of the source.`,
      corner: "Head",
      rows: rows.map((row) => row.name),
      columns: labels,
      cell: (row, column) => percent(rows[row].values[column]),
    });
  }

  #drawing(name) {
    const { rows, columns, layout, cursor } = this.#drawn;
    const content = [
      ...columnLabels(columns, layout),
      ...rows.flatMap((row, i) => rowOf(row, i, layout)),
    ];
    const drawing = picture(name, layout.width, layout.height, ...content, cursor);
    const choose = (place) => this.#choose(place);
    followPointer(drawing, (x, y) => cellAt(x, y, layout), choose);
    drawing.addEventListener(
      "pointerleave",
      ({ pointerType }) => pointerType === "mouse" && this.#leave(),
    );
    return drawing;
  }

  #choose([row, column]) {
    const { rows, columns } = this.#drawn;
    if (row >= 0 && column >= 0 && row < rows.length && column < columns.length) {
      this.#place = [row, column];
      this.#show();
    }
  }

  #leave() {
    this.#place = null;
    this.#show();
  }

  /** Show the chosen cell, or a summary if there is none. */
  #show() {
    const { rows, columns, layout, cursor } = this.#drawn;
    const [row, column] = this.#place ?? [];
    const weight = rows[row]?.values[column];
    cursor.toggleAttribute("hidden", weight === undefined);
    if (weight === undefined) {
      this.readout.textContent = summary(rows, columns);
      return;
    }
    cursor.setAttribute("x", column * layout.cell - 1);
    cursor.setAttribute("y", layout.tops[row] - 1);
    this.readout.textContent = `${rows[row].name} → “${isolated(columns[column])}”: ${percent(weight)}`;
  }
}

/** Return the rows of a layer: {name, label, color, layer, values}, that of the mean first. */
function rowsOf({ number, weights }, step) {
  const heads = ["mean", ...Array.from({ length: weights.heads }, (_, i) => i + 1)];
  return heads.map((head) => {
    const { columns, values } = headOf(weights, head);
    return {
      name: `Layer ${number}, ${head === "mean" ? "mean" : `head ${head}`}`,
      label: head === "mean" ? "mean" : `head ${head}`,
      color: headColor(head),
      layer: number,
      isFirst: head === "mean",
      values: values.subarray(step * columns, (step + 1) * columns),
    };
  });
}

function summary(rows, columns) {
  const { layer, values } = rows.findLast((row) => row.isFirst);
  const named = columns
    .map((label, i) => ({ label, weight: values[i] }))
    .sort((one, other) => other.weight - one.weight)
    .slice(0, MAX_NAMED)
    .map(({ label, weight }) => `“${isolated(label)}” ${percent(weight)}`);
  return `The heads of layer ${layer} look most at ${named.join(", ")} (mean).`;
}

/** Return the places and sizes of the parts of the picture, in pixels. */
function layoutOf(rows, columns, available) {
  const font = `${FONT}px ${getComputedStyle(document.body).fontFamily}`;
  const left = Math.ceil(textWidth([...rows.map(({ label }) => label), "Layer 8"], font)) + GAP;
  const reach = (texts, part) => Math.ceil(textWidth(texts, font) * part);
  const overhang = reach(columns.slice(-1), Math.cos(SLANT));
  const fitting = Math.floor((available - left - overhang) / columns.length);
  const cell = Math.min(WIDEST, Math.max(NARROWEST, fitting));
  const head = reach(columns, Math.sin(SLANT)) + FONT + 2 * GAP;
  const titles = rows.map(
    (_, i) => TITLE * rows.slice(0, i + 1).filter((row) => row.isFirst).length,
  );
  const tops = rows.map((_, i) => head - TITLE + titles[i] + i * HEIGHT);
  const height = tops.at(-1) + HEIGHT + 1;
  return { left, cell, head, tops, width: cell * columns.length + overhang, height };
}

function cellAt(x, y, { cell, tops }) {
  return [tops.findIndex((top) => y >= top && y < top + HEIGHT), Math.floor(x / cell)];
}

function columnLabels(columns, { cell, head }) {
  return columns.map((label, column) => {
    const place = `translate(${(column + 0.5) * cell},${head - GAP})`;
    return svg("text", { transform: `${place} rotate(-50)` }, label);
  });
}

function rowLabels(rows, { left, height, tops }) {
  const marks = rows.flatMap(({ label, layer, isFirst }, i) => {
    const place = { x: left - GAP, y: tops[i] + HEIGHT / 2 };
    const text = svg("text", { class: "row-label", ...place }, label);
    const title = svg("text", { class: "layer", x: 0, y: tops[i] - GAP }, `Layer ${layer}`);
    return isFirst ? [title, text] : [text];
  });
  return svg("svg", { width: left, height }, marks);
}

function rowOf({ color, values }, row, { cell, tops }) {
  const size = { y: tops[row], width: cell - 1, height: HEIGHT - 1 };
  const cells = Array.from(values, (weight, column) => {
    const style = { "--color": color, "--share": weight };
    return svg("rect", { x: column * cell, ...size, class: "cell", style });
  });
  const grid = svg("rect", { class: "grid", x: 0, ...size, width: cell * values.length - 1 });
  return [grid, ...cells];
}

function cursorOf({ cell }) {
  return svg("rect", { class: "cursor", width: cell + 1, height: HEIGHT + 1, hidden: true });
}
