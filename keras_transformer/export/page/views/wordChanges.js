/** How probable each word of a translation is with all heads, and without some. */

import { element, redraw } from "../interface/dom.js";
import { shown } from "../interface/labels.js";
import { decimal, percent } from "../interface/numbers.js";
import { productsOf } from "../interface/wordProbabilities.js";

const VISIBLE = 0.05; // nats: smaller changes have no color

export class WordChanges {
  /** @param language code of the target language. */
  constructor(language) {
    this.language = language;
    this.element = element("div", { class: "words" });
  }

  /**
   * Show the probabilities.
   *
   * @param target side {words} of the translation.
   * @param whole the `forced` translation with all heads.
   * @param without the `forced` translation without some heads, or null.
   */
  update({ words }, whole, without) {
    const before = productsOf(words, whole.probabilities);
    const after = without && productsOf(words, without.probabilities);
    // The start token is given, so that it has no probability.
    const rows = words.labels.slice(1).map((label, i) => {
      return this.#row(shown(label), before[i + 1], after?.[i + 1] ?? null);
    });
    const total = without && whole.logProbability - without.logProbability;
    redraw(
      this.element,
      element(
        "table",
        {},
        element("caption", {}, "Probability of each word of the translation with all heads"),
        heading(without ? ["all on", "off", "loss"] : ["all on"]),
        element("tbody", {}, rows),
        without && foot(total),
      ),
    );
  }

  #row(label, before, after) {
    const texts = [before, after].filter((each) => each !== null).map(percent);
    if (after !== null) {
      texts.push(decimal(Math.log(before / after)));
    }
    return element(
      "tr",
      {},
      element("th", { scope: "row", lang: this.language }, label),
      element("td", { "aria-hidden": "true", class: "change" }, bar(before, after)),
      texts.map((text) => element("td", {}, text)),
    );
  }
}

function heading(titles) {
  const ticks = ["0", "50", "100%"].map((text) => element("span", {}, text));
  return element(
    "thead",
    {},
    element(
      "tr",
      {},
      element("th", { scope: "col" }, "word"),
      element("td", { "aria-hidden": "true" }, element("div", { class: "axis" }, ticks)),
      titles.map((title) => element("th", { scope: "col" }, title)),
    ),
  );
}

/** Return probabilities as marks on an axis; `after` may be null. */
function bar(before, after) {
  const marks = after === null ? ["before"] : ["link", "before", "after"];
  const style = { "--before": before, "--after": after ?? before };
  const parts = marks.map((mark) => element("span", { class: `mark ${mark}` }));
  return element(
    "div",
    { class: `bar ${directionOf(Math.log(before / (after ?? before)))}`, style },
    parts,
  );
}

function directionOf(loss) {
  if (Math.abs(loss) < VISIBLE) {
    return "same";
  }
  return loss > 0 ? "loss" : "gain";
}

function foot(total) {
  const title = element("th", { scope: "row", colspan: 4 }, "Sum, in nats");
  return element("tfoot", {}, element("tr", {}, title, element("td", {}, decimal(total))));
}
