/** A heat map whose cells can be chosen. Its row labels stay in place when it scrolls sideways. */

import { followKeys, followPointer } from "./cellChoice.js";
import { element } from "./dom.js";
import { cellAt, columnLabels, grid, layoutOf, rowLabels, signs } from "./heatmapLayout.js";
import { picture, svg } from "./svg.js";

export class HeatmapDrawing {
  #place = [0, 0];
  #layout;
  #cursor;

  /**
   * @param map {name: what it shows, rows and columns: labels, values: numbers (rows * columns), NaN
   *     for masked cells, color: CSS color, largest: the absolute value with the full color}, and
   *     optionally {negative: CSS color of negative values, sign: function (row, column) that
   *     returns a character to write into a cell, or "", and what `layoutOf` reads}.
   * @param options {key: `data-key` of the element, onchoose: function (row, column)}.
   */
  constructor(map, { key, onchoose }) {
    this.map = map;
    this.onchoose = onchoose;
    this.#layout = layoutOf(map);
    const { cell } = this.#layout;
    this.#cursor = svg("rect", { class: "cursor", width: cell, height: cell, hidden: true });
    const cells = this.#cells();
    const drawing = element("div", { class: "map" }, rowLabels(map, this.#layout), cells);
    this.element = element("div", this.#attributes(key), drawing);
    followPointer(cells, (x, y) => cellAt(x, y, this.#layout), this.#choose.bind(this));
    followKeys(
      this.element,
      () => this.#place,
      (place) => {
        this.#choose(place);
        this.#cursor.scrollIntoView({ block: "nearest", inline: "nearest" });
      },
    );
  }

  #attributes(key) {
    return {
      class: "scrolling",
      tabindex: "0",
      role: "group",
      "data-key": key,
      "aria-label": `${this.map.name}. Arrow keys choose a cell.`,
      style: { "scroll-padding-left": `${this.#layout.labels}px` },
    };
  }

  #cells() {
    const { map } = this;
    const layout = this.#layout;
    const marks = [...grid(map, layout), ...columnLabels(map, layout), ...signs(map, layout)];
    return picture(map.name, layout.width, layout.height, ...marks, this.#cursor);
  }

  #choose([row, column]) {
    const { rows, columns } = this.map;
    if (row >= 0 && column >= 0 && row < rows.length && column < columns.length) {
      this.onchoose(row, column);
    }
  }

  /** Mark a cell. The arrow keys continue from there. */
  mark(row, column) {
    const { cell, top } = this.#layout;
    this.#place = [row, column];
    this.#cursor.removeAttribute("hidden");
    this.#cursor.setAttribute("x", column * cell);
    this.#cursor.setAttribute("y", top + row * cell);
  }
}
