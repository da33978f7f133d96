/** Steps: decoding, one subword at a time. */

import { choice } from "../interface/controls.js";
import { about, element } from "../interface/dom.js";
import { decimal, percent } from "../interface/numbers.js";
import { pictureTable } from "../interface/pictureTable.js";
import { OwnTranslation } from "./ownTranslation.js";
import { legible } from "./pieces.js";
import { StepChoices } from "./stepChoices.js";
import { StepHeads } from "./stepHeads.js";
import { StepSlider } from "./stepSlider.js";
import { StepStrip } from "./stepStrip.js";
import { StepVerdict, spokenVerdict } from "./stepVerdict.js";
import { walkOf, withChoice } from "./walk.js";

const LEAD =
  "At each step, the network computes how probable each subword is as the next one, given the " +
  "source and the subwords before. Choose another, and the translation continues from there.";
const ABOUT =
  "The bars show the most probable next subwords: greedy search takes the first (at the first " +
  "step, the first but <end>), and beam search compares whole translations. The log probability " +
  "of a translation is the sum of the logarithms of the probabilities of its subwords.";
const MODULE = "keras_transformer.inspection.attention.forced";

const LONG = 28; // subwords of a source whose heads do not fit beside the bars

class StepsView {
  #walk = null;
  #isHeld = false; // whether the bars stay in their place, because the reader is choosing one

  /** @param page {backend, state, announce}. */
  constructor({ backend, state, announce }) {
    this.backend = backend;
    this.state = state;
    this.announce = announce;
    const { target_lang: language, network } = backend.description;
    const go = (step) => state.set({ step });
    this.own = new OwnTranslation(language, (target, push) => this.type(target, push));
    this.strip = new StepStrip(language, go);
    this.verdict = new StepVerdict({ onstep: go, onback: () => this.back() });
    this.slider = new StepSlider(go);
    this.choices = new StepChoices(language, (step, id) => this.choose(step, id));
    this.layers = choiceOfLayers(network.decoder_layers, (layer) => state.set({ layer }));
    this.heads = new StepHeads();
    this.table = pictureTable();
    this.pictures = this.layoutOfPictures();
    this.element = this.layout();
  }

  layout() {
    const { own, strip, verdict, slider } = this;
    return element(
      "div",
      { class: "view-steps" },
      element("h2", {}, "Which subword comes next?"),
      element("p", { class: "lead" }, LEAD),
      own.element,
      strip.element,
      verdict.element,
      slider.element,
      this.pictures,
      about(ABOUT, MODULE),
    );
  }

  layoutOfPictures() {
    const { choices, layers, heads, table } = this;
    const next = section("The most probable next subwords", choices.element);
    const all = section("All steps", table.element);
    const attention = section("Where each head looks", layers.element, heads.element);
    return element("div", { class: "split" }, element("div", {}, next, all), attention);
  }

  /** @param result of the network's own translation. */
  async update(result) {
    const walk = await walkOf(this.backend, this.state.values, result);
    this.announceChange(walk);
    this.#walk = walk;
    const top = this.#top();
    this.draw(walk);
    if (this.#isHeld) {
      scrollBy(0, this.#top() - top);
      this.#isHeld = false;
    }
  }

  /** Announce another translation of the same source. */
  announceChange(walk) {
    const previous = this.#walk ?? walk;
    if (isSame(walk.source, previous.source) && !isSame(walk.target, previous.target)) {
      this.announce(spokenVerdict(walk));
    }
  }

  #top() {
    return this.choices.element.getBoundingClientRect().top;
  }

  draw(walk) {
    const { values } = this.state;
    const step = Math.min(Math.max(values.step, 1), walk.probabilities.length);
    this.own.update({ kind: walk.kind, text: values.target, suggestion: walk.translation });
    this.strip.update(walk, step);
    this.verdict.update(walk);
    this.slider.update(step, walk.target.labels.slice(1).map(legible));
    this.choices.update(walk, step);
    this.drawHeads(walk, step);
    this.table.update(tableOf(walk));
  }

  drawHeads({ source, cross }, step) {
    this.pictures.classList.toggle("long", source.labels.length > LONG);
    const all = cross.map((weights, i) => ({ number: i + 1, weights }));
    const chosen = all[this.state.values.layer - 1];
    this.layers.update(chosen?.number ?? null);
    this.heads.update({ layers: chosen ? [chosen] : all, step, columns: source.labels });
  }

  choose(step, id) {
    if (id !== this.#walk.target.ids[step]) {
      this.#isHeld = true;
      this.state.set(withChoice(this.#walk, step, id), { push: true });
    }
  }

  /** Return to the network's own translation. The button that does it disappears. */
  back() {
    this.strip.element.querySelector("[aria-current]")?.focus({ preventScroll: true });
    this.type("", true);
  }

  type(target, push) {
    this.state.set({ target, prefix: "" }, { push });
  }
}

function isSame(side, other) {
  return `${side.ids}` === `${other.ids}`;
}

function section(title, ...children) {
  return element("section", {}, element("h3", {}, title), ...children);
}

/** Return the choice of the decoder layers whose heads are shown; null stands for all. */
function choiceOfLayers(count, onchange) {
  const layers = Array.from({ length: count }, (_, i) => ({ value: i + 1, label: String(i + 1) }));
  const options = [{ value: null, label: "All" }, ...layers];
  return choice({ legend: "Layer", options, onchange });
}

function tableOf({ target, probabilities, best }) {
  const columns = [
    "Subword",
    "Probability",
    "Log probability",
    "Most probable",
    "Probability of it",
  ];
  const cells = [
    (step) => legible(target.labels[step + 1]),
    (step) => percent(probabilities[step]),
    (step) => decimal(Math.log(probabilities[step])),
    (step) => legible(best[step][0].label),
    (step) => percent(best[step][0].probability),
  ];
  return {
    caption: "The steps of the translation and the probability of each subword.",
    corner: "Step",
    rows: probabilities.map((_, i) => String(i + 1)),
    columns,
    cell: (row, column) => cells[column](row),
  };
}

export const steps = {
  name: "steps",
  title: "Steps",
  needsNetwork: true,
  make: (page) => new StepsView(page),
};
