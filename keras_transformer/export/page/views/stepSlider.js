/** The slider through the steps, with a button on each side. */

import { slider } from "../interface/controls.js";
import { element } from "../interface/dom.js";

export class StepSlider {
  #step = 1;
  #names = [""];

  /** @param onchoose function of the number of the chosen step, from 1. */
  constructor(onchoose) {
    this.onchoose = onchoose;
    this.slider = slider({
      label: "Step",
      min: 1,
      max: 1,
      format: (step) => `${step} of ${this.#names.length}: ${this.#names[step - 1]}`,
      oninput: onchoose,
    });
    const buttons = [this.#turn("‹", "Previous step", -1), this.#turn("›", "Next step", 1)];
    this.buttons = buttons;
    this.element = element("div", { class: "walk" }, buttons[0], this.slider.element, buttons[1]);
  }

  /**
   * @param step number of the step, from 1.
   * @param names what is written at each step.
   */
  update(step, names) {
    this.#step = step;
    this.#names = names;
    this.slider.update(step, { max: names.length });
    // A button that is disabled would lose the focus.
    this.buttons[0].setAttribute("aria-disabled", step === 1);
    this.buttons[1].setAttribute("aria-disabled", step === names.length);
  }

  #turn(sign, label, by) {
    const onclick = () => {
      const step = this.#step + by;
      if (step >= 1 && step <= this.#names.length) {
        this.onchoose(step);
      }
    };
    return element("button", { type: "button", class: "turn", "aria-label": label, onclick }, sign);
  }
}
