/** The translations that a search has found, in the order of their scores. */

import { lengthPenalty } from "../engine/strategy.js";
import { element, redraw } from "../interface/dom.js";
import { shownTranslation } from "../interface/labels.js";
import { decimal } from "../interface/numbers.js";
import { roving } from "../interface/roving.js";

const COLUMNS = ["Translation", "Length", "Log probability", "Penalty", "Score"];

export class FoundTranslations {
  /**
   * @param language code of the language of the translations.
   * @param onchoose function of the rank of the translation that the reader chooses.
   */
  constructor(language, onchoose) {
    this.language = language;
    this.onchoose = onchoose;
    this.rows = element("tbody", {});
    const head = COLUMNS.map((title) => element("th", { scope: "col" }, title));
    this.element = element(
      "table",
      { class: "found" },
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Rank"), head)),
      this.rows,
    );
    this.settle = roving(this.rows);
  }

  /**
   * @param found list of {rank, text, score, logProbability, length}.
   * @param alpha the length penalty.
   * @param chosen rank of the chosen translation.
   */
  update(found, alpha, chosen) {
    redraw(
      this.rows,
      found.map((each) => this.#row(each, alpha, each.rank === chosen)),
    );
    this.settle(this.rows.querySelector("[aria-pressed=true]") ?? undefined);
  }

  #row({ rank, text, score, logProbability, length }, alpha, isChosen) {
    const numbers = [
      ["", String(length)],
      ["", decimal(logProbability)],
      ["÷ ", decimal(lengthPenalty(length, alpha))],
      ["= ", decimal(score)],
    ];
    const button = element(
      "button",
      {
        type: "button",
        lang: this.language,
        dir: "auto",
        "data-key": `found${rank}`,
        "aria-pressed": isChosen ? "true" : "false",
        onclick: () => this.onchoose(rank),
      },
      shownTranslation(text),
    );
    return element(
      "tr",
      {},
      element("th", { scope: "row" }, String(rank)),
      element("td", {}, button),
      numbers.map(([sign, number]) =>
        element("td", { class: "amount" }, element("span", { class: "operator" }, sign), number),
      ),
    );
  }
}
