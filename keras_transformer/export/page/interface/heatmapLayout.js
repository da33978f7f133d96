/** The places of the parts of a heat map, and its marks. */

import { svg, textWidth } from "./svg.js";

const FONT = 13; // pixels
const GAP = 8; // pixels between labels and cells
const [SMALLEST, LARGEST] = [20, 34]; // pixels: of a cell
const [WIDTH, MARGIN] = [400, 48]; // pixels: of a heat map that fits, and beside it on a phone
const LONGEST = 16; // characters of a label
const ANGLE = 50; // degrees by which the labels of the columns are turned

/**
 * Return the sizes and places in a heat map, in pixels: {cell, left, top, width, height}.
 *
 * @param map {rows, columns: labels}, and optionally {smallest: size of a cell, available: width
 *     that the heat map should not exceed if its cells are larger than that}.
 */
export function layoutOf(map) {
  const font = `${FONT}px ${getComputedStyle(document.body).fontFamily}`;
  const [rows, columns] = [map.rows, map.columns].map((labels) => labels.map(shortened));
  const left = Math.ceil(textWidth(rows, font)) + GAP;
  const radians = (ANGLE * Math.PI) / 180;
  const top = Math.ceil(textWidth(columns, font) * Math.sin(radians)) + FONT + GAP;
  const overhang = Math.ceil(textWidth(columns.slice(-3), font) * Math.cos(radians));
  const pageWidth = document.documentElement.clientWidth - MARGIN;
  const available = map.available ? map.available - overhang : Math.min(WIDTH, pageWidth);
  const fitting = Math.floor((available - left) / columns.length);
  const cell = Math.min(LARGEST, Math.max(map.smallest ?? SMALLEST, fitting));
  const width = left + columns.length * cell + overhang;
  return { cell, left, top, width, height: top + rows.length * cell + 1 };
}

/** Return the labels and cells of a heat map as SVG elements. */
export function marks(map, { cell, left, top }) {
  const middle = (place) => (place + 0.5) * cell;
  const rowLabels = map.rows.map((label, row) =>
    svg("text", { x: left - GAP, y: top + middle(row), class: "row-label" }, shortened(label)),
  );
  const columnLabels = map.columns.map((label, column) => {
    const transform = `translate(${left + middle(column)},${top - GAP}) rotate(-${ANGLE})`;
    return svg("text", { transform }, shortened(label));
  });
  const cells = Array.from(map.values, (value, place) => {
    const [row, column] = [Math.floor(place / map.columns.length), place % map.columns.length];
    const corner = { x: left + column * cell, y: top + row * cell };
    return svg("rect", { ...corner, width: cell - 1, height: cell - 1, ...fillOf(value, map) });
  });
  const size = { width: map.columns.length * cell - 1, height: map.rows.length * cell - 1 };
  const background = svg("rect", { class: "grid", x: left, y: top, ...size });
  return [background, ...rowLabels, ...columnLabels, ...cells];
}

/** Return a label that is not too long; the sentence about a cell has all of it. */
function shortened(label) {
  const characters = [...label];
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join("")}…` : label;
}

function fillOf(value, { largest, color, negative }) {
  if (Number.isNaN(value)) {
    return { class: "masked" };
  }
  const share = Math.min(Math.abs(value) / largest, 1);
  return { class: "cell", style: { "--color": value < 0 ? negative : color, "--share": share } };
}
