/** Two heat maps with the same rows and columns, in which one cell is chosen at the same time. */

import { element, redraw } from "../interface/dom.js";
import { HeatmapDrawing } from "../interface/heatmapDrawing.js";

// Pixels: cells for fingers, which are also seen on a phone, and for a mouse.
const [FINGER, MOUSE] = [20, 16];

export class PairedMaps {
  #drawings = [];
  #left = 0;

  /** @param keys the `data-key` of each map. */
  constructor(keys) {
    this.keys = keys;
    this.elements = keys.map(() => element("div", { class: "heatmap" }));
    this.readout = element("p", { class: "readout", "aria-live": "polite" });
  }

  /**
   * Draw both.
   *
   * @param maps list of two maps, see `HeatmapDrawing`, without their words.
   * @param words {rows, columns: labels}.
   * @param texts {hint: what the reader can do, describe: function (row, column) that returns the
   *     sentence about a cell}.
   */
  update(maps, words, { hint, describe }) {
    this.describe = describe;
    this.readout.textContent = hint;
    const smallest = matchMedia("(pointer: coarse)").matches ? FINGER : MOUSE;
    this.#drawings = maps.map((map, i) => {
      const available = this.elements[i].clientWidth;
      return this.#drawing({ ...map, ...words, smallest, available }, this.keys[i]);
    });
    this.#left = 0;
    this.#drawings.forEach((drawing, i) => redraw(this.elements[i], drawing.element));
  }

  #drawing(map, key) {
    const onchoose = (row, column) => this.#choose(row, column);
    const drawing = new HeatmapDrawing(map, { key, onchoose });
    drawing.element.addEventListener("scroll", () => this.#scroll(drawing.element.scrollLeft));
    return drawing;
  }

  // The event of the map that follows comes a frame later. It must not take back a scroll that the
  // reader has made in between.
  #scroll(left) {
    if (left === this.#left) {
      return;
    }
    this.#left = left;
    this.#drawings.forEach((drawing) => drawing.element.scrollTo({ left }));
  }

  #choose(row, column) {
    this.#drawings.forEach((drawing) => drawing.mark(row, column));
    this.readout.textContent = this.describe(row, column);
  }
}
