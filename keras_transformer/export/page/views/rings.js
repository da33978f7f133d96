/** The positional encoding as rings: one hand for each pair of dimensions. */

import { element } from "../interface/dom.js";
import { decimal, large } from "../interface/numbers.js";
import { svg } from "../interface/svg.js";
import { frequencyOf, wavelengthOf } from "./wavelengths.js";

const SIZE = 1.14; // half of the side of a picture, in radii of the ring

export class Rings {
  /**
   * @param pairs numbers of pairs of dimensions; pair i has the dimensions 2 i and 2 i + 1.
   * @param depth number of dimensions.
   * @param count number of positions.
   */
  constructor(pairs, depth, count) {
    this.rings = pairs.map((pair) => new Ring(pair, depth, count));
    this.element = element(
      "ul",
      { class: "rings" },
      this.rings.map((ring) => ring.element),
    );
  }

  /** Turn the hands to a position, which may be between two whole ones. */
  turn(position) {
    this.rings.forEach((ring) => ring.turn(position));
  }
}

/** A ring with a hand, whose tip is at (cosine, sine). */
class Ring {
  constructor(pair, depth, count) {
    this.frequency = frequencyOf(pair, depth);
    this.name = `Dimensions ${2 * pair} and ${2 * pair + 1}`;
    this.past = Array.from({ length: count }, (_, position) => this.#dot(position));
    this.hand = svg("line", { class: "hand" });
    this.cosine = svg("line", { class: "cosine" });
    this.sine = svg("line", { class: "sine" });
    this.tip = svg("circle", { class: "tip", r: 0.09 });
    const ring = svg("circle", { class: "ring", r: 1 });
    const axis = svg("line", { class: "axis", x1: -1, x2: 1 });
    const viewBox = `${-SIZE} ${-SIZE} ${2 * SIZE} ${2 * SIZE}`;
    const marks = [ring, axis, this.past, this.cosine, this.sine, this.hand, this.tip];
    this.picture = svg("svg", { role: "img", viewBox }, ...marks);
    const wavelength = rounded(wavelengthOf(pair, depth));
    this.element = element(
      "li",
      {},
      this.picture,
      element("span", { class: "wavelength" }, `λ ${wavelength}`),
      element("span", { class: "dimensions" }, `${2 * pair}, ${2 * pair + 1}`),
    );
  }

  #dot(position) {
    const angle = position * this.frequency;
    return svg("circle", { class: "past", cx: Math.cos(angle), cy: -Math.sin(angle), r: 0.045 });
  }

  turn(position) {
    const angle = position * this.frequency;
    const [x, y] = [Math.cos(angle), -Math.sin(angle)]; // y points down in a picture
    place(this.hand, { x2: x, y2: y });
    place(this.cosine, { x2: x });
    place(this.sine, { x1: x, x2: x, y2: y });
    place(this.tip, { cx: x, cy: y });
    this.past.forEach((dot, i) => dot.classList.toggle("reached", i < position));
    const values = `sine ${decimal(Math.sin(angle))}, cosine ${decimal(Math.cos(angle))}`;
    this.picture.setAttribute("aria-label", `${this.name}: ${values}`);
  }
}

function place(mark, attributes) {
  Object.entries(attributes).forEach(([name, value]) => mark.setAttribute(name, value.toFixed(4)));
}

/** Return a positive number with one decimal if it is small, and without otherwise. */
function rounded(value) {
  return value < 100 ? value.toFixed(1) : large(Math.round(value));
}
