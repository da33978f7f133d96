/** The places of the parts of a heat map, and its marks. */

import { svg, textWidth } from "./svg.js";

const FONT = 13; // pixels
const GAP = 8; // pixels between labels and cells
const [SMALLEST, LARGEST] = [20, 34]; // pixels: of a cell
const [WIDTH, MARGIN] = [400, 48]; // pixels: of a heat map that fits, and beside it on a phone
const LONGEST = 16; // characters of a label
const SIGN = 13; // pixels: the largest size of a sign
const ANGLE = 50; // degrees by which the labels of the columns are turned

/**
 * Return the sizes and places in a heat map, in pixels: {cell, labels: width of the labels of the
 * rows, and of the rest top: height of the labels of the columns, width, height}.
 *
 * @param map {rows, columns: labels}, and optionally {smallest: size of a cell, available: width
 *     that the heat map should not exceed if its cells are larger than that}.
 */
export function layoutOf(map) {
  const font = `${FONT}px ${getComputedStyle(document.body).fontFamily}`;
  const [rows, columns] = [map.rows, map.columns].map((each) => each.map(shortened));
  const labels = Math.ceil(textWidth(rows, font)) + GAP;
  const radians = (ANGLE * Math.PI) / 180;
  const top = Math.ceil(textWidth(columns, font) * Math.sin(radians)) + FONT + GAP;
  const overhang = Math.ceil(textWidth(columns.slice(-3), font) * Math.cos(radians));
  const pageWidth = document.documentElement.clientWidth - MARGIN;
  const available = map.available ? map.available - overhang : Math.min(WIDTH, pageWidth);
  const fitting = Math.floor((available - labels) / columns.length);
  const cell = Math.min(LARGEST, Math.max(map.smallest ?? SMALLEST, fitting));
  const width = columns.length * cell + overhang;
  return { cell, labels, top, width, height: top + rows.length * cell + 1 };
}

/** Return the labels of the rows as a picture of its own, which screen readers skip. */
export function rowLabels({ rows }, { cell, labels, top, height }) {
  const marks = rows.map((label, row) => {
    const place = { x: labels - GAP, y: top + (row + 0.5) * cell };
    return svg("text", { ...place, class: "row-label" }, shortened(label));
  });
  const size = { width: labels, height };
  return svg("svg", { ...size, class: "row-labels", "aria-hidden": "true" }, marks);
}

/** Return the labels of the columns as SVG elements. */
export function columnLabels({ columns }, { cell, top }) {
  return columns.map((label, column) => {
    const transform = `translate(${(column + 0.5) * cell},${top - GAP}) rotate(-${ANGLE})`;
    return svg("text", { transform }, shortened(label));
  });
}

/** Return the cells as SVG elements. */
export function grid(map, { cell, top }) {
  const { rows, columns, values } = map;
  const cells = Array.from(values, (value, place) => {
    const [row, column] = [Math.floor(place / columns.length), place % columns.length];
    const corner = { x: column * cell, y: top + row * cell };
    return svg("rect", { ...corner, width: cell - 1, height: cell - 1, ...fillOf(value, map) });
  });
  const [width, height] = [columns, rows].map((each) => Math.max(each.length * cell - 1, 0));
  const size = { width, height };
  return [svg("rect", { class: "grid", x: 0, y: top, ...size }), ...cells];
}

/** Return the characters that are written into cells as SVG elements. */
export function signs({ rows, columns, sign = () => "" }, { cell, top }) {
  const size = Math.min(SIGN, 0.6 * cell);
  const signOf = (row, column) => {
    const place = { x: (column + 0.5) * cell, y: top + (row + 0.5) * cell };
    const text = sign(row, column);
    return text && svg("text", { ...place, class: "sign", "font-size": size }, text);
  };
  return rows.flatMap((_, row) => columns.map((_, column) => signOf(row, column))).filter(Boolean);
}

/** Return [row, column] of the cell at a place; outside of the cells they are too small or large. */
export function cellAt(x, y, { cell, top }) {
  return [Math.floor((y - top) / cell), Math.floor(x / cell)];
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
