/** What there is to say about the translation that the steps walk through. */

import { element, redraw } from "../interface/dom.js";
import { isolated, isToken, shown, shownTranslation } from "../interface/labels.js";
import { decimal, large, percent } from "../interface/numbers.js";
import { productsOf } from "../interface/wordProbabilities.js";
import { legible } from "./pieces.js";

const EQUAL = 0.05; // nats by which translations that are called equally probable may differ
const MANY = 1e9;

export class StepVerdict {
  /** @param actions {onback: function, onstep: function of the number of a step}. */
  constructor(actions) {
    this.actions = actions;
    this.element = element("div", { class: "verdict" });
  }

  /** @param walk what `walkOf` returned. */
  update(walk) {
    const isNetwork = walk.kind === "network";
    this.element.className = `verdict ${walk.kind}`;
    redraw(
      this.element,
      line(headline(walk), ` Log probability ${decimal(walk.logProbability)}.`),
      !isNetwork && line(comparison(walk), " ", this.#back()),
      walk.kind === "own" && this.#surprise(walk),
      walk.truncated && line("Too long: only the beginning was read."),
    );
  }

  #surprise(walk) {
    const { label, probability, step } = leastProbable(walk);
    const place = label === "<end>" ? "the end of the translation" : `“${isolated(shown(label))}”`;
    const button = element(
      "button",
      {
        type: "button",
        class: "button",
        "data-key": "surprise",
        onclick: () => this.actions.onstep(step),
      },
      `Show step ${step}`,
    );
    return line("Most surprising: ", strong(place), ` (${percent(probability)}). `, button);
  }

  #back() {
    return element(
      "button",
      { type: "button", class: "button", "data-key": "back", onclick: () => this.actions.onback() },
      "Back to the network’s translation",
    );
  }
}

/** Return the verdict as a sentence for screen readers. */
export function spokenVerdict({ kind, translation, logProbability, network }) {
  const compared =
    kind === "network" ? "" : `; the network’s own: ${decimal(network.logProbability)}`;
  return `${translation} Log probability ${decimal(logProbability)}${compared}.`;
}

/** Return {label, probability, step of its least probable subword} of the least probable word. */
function leastProbable({ target: { words }, probabilities }) {
  const products = productsOf(words, probabilities).slice(1);
  const word = products.indexOf(Math.min(...products)) + 1;
  const steps = probabilities.map((_, i) => i + 1).filter((step) => words.numbers[step] === word);
  const [step] = steps.sort((one, other) => probabilities[one - 1] - probabilities[other - 1]);
  return { label: words.labels[word], probability: products[word - 1], step };
}

function headline({ kind, chosen, target }) {
  if (kind !== "changed") {
    return strong(kind === "own" ? "Your own translation." : "The network’s own translation.");
  }
  const steps = new Intl.ListFormat("en").format(chosen.map(String));
  const last = chosen.at(-1);
  const label = target.labels[last];
  const text = isToken(label) ? "the end" : `“${isolated(legible(label))}”`;
  return strong(`You changed step${chosen.length > 1 ? "s" : ""} ${steps}: ${text}.`);
}

function comparison({ target, logProbability, network }) {
  if (`${target.ids}` === `${network.ids}`) {
    return "It is the network’s own. Change a word to compare them.";
  }
  const { translation, logProbability: own } = network;
  const difference = own - logProbability;
  const given = `The network’s own: “${isolated(shownTranslation(translation))}”, ${decimal(own)}`;
  const ratio = times(Math.exp(Math.abs(difference)));
  if (Math.abs(difference) < EQUAL) {
    return `${given}, about as probable.`;
  }
  return difference > 0
    ? `${given}, ${ratio} times as probable.`
    : `${given}. This one is ${ratio} times as probable.`;
}

function times(ratio) {
  if (ratio > MANY) {
    return "over a billion";
  }
  return ratio < 10 ? decimal(ratio, 1) : large(Math.round(ratio));
}

function strong(text) {
  return element("strong", {}, text);
}

function line(...children) {
  return element("p", {}, ...children);
}
