/** A number that moves smoothly, unless the reader prefers no motion. */

const DURATION = 350; // ms
const CALM = matchMedia("(prefers-reduced-motion: reduce)");

export class Glide {
  #value = null;
  #request = null;

  /** @param draw function that shows a value. It is called for each frame. */
  constructor(draw) {
    this.draw = draw;
  }

  /** Move from the value that is shown to another one; the first is shown at once. */
  to(value) {
    cancelAnimationFrame(this.#request);
    const from = this.#value ?? value;
    if (from === value || CALM.matches) {
      this.#show(value);
      return;
    }
    const begin = performance.now();
    const move = () => {
      const share = Math.min((performance.now() - begin) / DURATION, 1);
      this.#show(from + (value - from) * eased(share));
      if (share < 1) {
        this.#request = requestAnimationFrame(move);
      }
    };
    move();
  }

  #show(value) {
    this.#value = value;
    this.draw(value);
  }
}

/** Slow at the beginning and the end. */
function eased(share) {
  return share * share * (3 - 2 * share);
}
