/** Two heat maps with the same rows and columns, in which one cell is chosen at the same time. */

import { element, redraw } from "../interface/dom.js";
import { layoutOf, marks } from "../interface/heatmapLayout.js";
import { picture, svg } from "../interface/svg.js";

// Pixels: cells for fingers, which are also seen on a phone, and for a mouse.
const [FINGER, MOUSE] = [20, 16];
const SIGN = 13; // pixels: the largest size of a sign
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class PairedMaps {
  #maps = [];
  #place = [0, 0];

  /** @param keys the `data-key` of each map. */
  constructor(keys) {
    this.keys = keys;
    this.elements = keys.map(() => element("div", { class: "heatmap" }));
    this.readout = element("p", { class: "readout", "aria-live": "polite" });
  }

  /**
   * Draw both.
   *
   * @param maps list of two maps {name, values: numbers (rows * columns), color, negative: color of
   *     negative values, largest: the absolute value with the full color, sign: function (row,
   *     column) that returns a character to write into a cell, or ""}.
   * @param words {rows, columns: labels}.
   * @param texts {hint: what the reader can do, describe: function (row, column) that returns the
   *     sentence about a cell}.
   */
  update(maps, words, { hint, describe }) {
    this.words = words;
    this.describe = describe;
    this.readout.textContent = hint;
    const smallest = matchMedia("(pointer: coarse)").matches ? FINGER : MOUSE;
    this.#maps = maps.map((map, i) => {
      const available = this.elements[i].clientWidth;
      return this.#drawn({ ...map, ...words, smallest, available }, this.keys[i]);
    });
    this.#maps.forEach(({ area }, i) => redraw(this.elements[i], area));
  }

  #drawn(map, key) {
    const layout = layoutOf(map);
    const size = { width: layout.cell, height: layout.cell };
    const cursor = svg("rect", { class: "cursor", hidden: true, ...size });
    const parts = [...marks(map, layout), ...signs(map, layout), cursor];
    const drawing = picture(map.name, layout.width, layout.height, ...parts);
    const point = (event) => this.#choose(cellAt(event, drawing, layout));
    drawing.addEventListener("pointermove", point);
    drawing.addEventListener("click", point);
    return { area: this.#area(map.name, key, drawing), cursor, layout };
  }

  #area(name, key, drawing) {
    const area = element(
      "div",
      {
        class: "scrolling",
        tabindex: "0",
        role: "group",
        "data-key": key,
        "aria-label": `${name}. Arrow keys choose a cell.`,
        onkeydown: (event) => this.#key(event),
        onscroll: () => this.#maps.forEach((map) => map.area.scrollTo({ left: area.scrollLeft })),
        onfocus: () => area.matches(":focus-visible") && this.#choose(this.#place),
      },
      drawing,
    );
    return area;
  }

  #key(event) {
    const step = STEPS[event.key];
    if (step) {
      event.preventDefault();
      this.#choose([this.#place[0] + step[0], this.#place[1] + step[1]]);
      this.#maps.forEach(({ cursor }) =>
        cursor.scrollIntoView({ block: "nearest", inline: "nearest" }),
      );
    }
  }

  #choose([row, column]) {
    const { rows, columns } = this.words;
    if (row < 0 || column < 0 || row >= rows.length || column >= columns.length) {
      return;
    }
    this.#place = [row, column];
    for (const { cursor, layout } of this.#maps) {
      cursor.removeAttribute("hidden");
      cursor.setAttribute("x", layout.left + column * layout.cell);
      cursor.setAttribute("y", layout.top + row * layout.cell);
    }
    this.readout.textContent = this.describe(row, column);
  }
}

function cellAt({ clientX, clientY }, drawing, { left, top, cell }) {
  const { x, y } = drawing.getBoundingClientRect();
  return [Math.floor((clientY - y - top) / cell), Math.floor((clientX - x - left) / cell)];
}

function signs({ rows, columns, sign }, { left, top, cell }) {
  const written = rows.flatMap((_, row) =>
    columns.map((_, column) => ({ row, column, text: sign(row, column) })),
  );
  const size = Math.min(SIGN, 0.6 * cell);
  return written
    .filter(({ text }) => text)
    .map(({ row, column, text }) => {
      const [x, y] = [left + (column + 0.5) * cell, top + (row + 0.5) * cell];
      return svg("text", { x, y, class: "sign", "font-size": size }, text);
    });
}
