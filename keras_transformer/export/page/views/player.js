/** A button that takes a step at a time until the last one, or until it is paused. */

import { element } from "../interface/dom.js";

const INTERVAL = 700; // ms

export class Player {
  #timer = null;

  /** @param advance function that takes a step, and returns whether there is another one. */
  constructor(advance) {
    this.advance = advance;
    const onclick = () => (this.#timer ? this.pause() : this.play());
    this.element = element("button", { type: "button", class: "button", onclick });
    this.pause();
  }

  play() {
    this.element.textContent = "Pause";
    this.#timer = setInterval(() => this.#step(), INTERVAL);
    this.#step();
  }

  pause() {
    this.element.textContent = "Play";
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #step() {
    const isVisible = this.element.offsetParent !== null;
    if (!isVisible || !this.advance()) {
      this.pause();
    }
  }
}
