/** A translation as words above their subwords, each of which is a step. */

import { element, redraw, spoken } from "../interface/dom.js";
import { isToken, shown } from "../interface/labels.js";
import { percent } from "../interface/numbers.js";
import { roving } from "../interface/roving.js";
import { productsOf } from "../interface/wordProbabilities.js";
import { legible } from "./pieces.js";

export class StepStrip {
  /**
   * @param language code of the language of the translation.
   * @param onchoose function of the number of the chosen step, from 1.
   */
  constructor(language, onchoose) {
    this.onchoose = onchoose;
    const label = { role: "group", "aria-label": "Steps" };
    this.element = element("div", { class: "strip", ...label, lang: language, dir: "auto" });
    this.settle = roving(this.element);
  }

  /**
   * Draw the translation. Later words are not shaded, because they are not written yet, unless the
   * reader wrote all of them.
   *
   * @param walk what `walkOf` returned.
   * @param step number of the current step, from 1.
   */
  update(walk, step) {
    const { words } = walk.target;
    const products = productsOf(words, walk.probabilities);
    const steps = walk.probabilities.map((_, i) => i + 1);
    const groups = words.labels.slice(1).map((label, i) => {
      const own = steps.filter((each) => words.numbers[each] === i + 1);
      const isWritten = own.at(-1) <= step || walk.kind === "own";
      const chips = own.map((each) => this.#chip(walk, each, step));
      return group({ label, probability: products[i + 1], isWritten }, chips);
    });
    redraw(this.element, groups);
    this.settle(this.element.querySelector("[aria-current]"));
  }

  #chip({ kind, target, probabilities, chosen }, step, current) {
    const label = legible(target.labels[step]);
    const probability = percent(probabilities[step - 1]);
    const isChosen = chosen.includes(step);
    const isLater = step > current && kind !== "own";
    return element(
      "button",
      {
        type: "button",
        class: `chip${isLater ? " later" : ""}${isChosen ? " chosen" : ""}`,
        style: { "--doubt": 1 - probabilities[step - 1] },
        title: `${label}: ${probability}`,
        "data-key": `step${step}`,
        "aria-label": `${label}, step ${step}, ${probability}${isChosen ? ", chosen by you" : ""}`,
        "aria-current": step === current ? "step" : null,
        onclick: () => this.onchoose(step),
      },
      label,
    );
  }
}

/** Return a word above its subwords. A special token is only a subword. */
function group({ label, probability, isWritten }, chips) {
  const attributes = {
    class: isWritten ? "strip-text" : "strip-text later",
    style: { "--doubt": 1 - probability },
    title: percent(probability),
  };
  const text = [shown(label), spoken(`, ${percent(probability)}: `)];
  const word = isToken(label) ? null : element("span", attributes, text);
  return element("span", { class: "strip-word" }, word, element("span", { class: "chips" }, chips));
}
