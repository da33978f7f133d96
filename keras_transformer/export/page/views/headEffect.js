/** The translation without some heads, next to the one with all heads. */

import { difference } from "../interface/difference.js";
import { element, redraw } from "../interface/dom.js";
import { nameOf } from "../interface/heads.js";
import { isToken, shown, shownTranslation, spaced } from "../interface/labels.js";
import { comparison, isNoticeable, movement } from "../interface/loss.js";
import { decimal } from "../interface/numbers.js";

export class HeadEffect {
  /**
   * @param language code of the target language.
   * @param onchange function of the list of heads that shall be off.
   */
  constructor(language, onchange) {
    this.language = language;
    this.onchange = onchange;
    this.original = element("div", { class: "original" });
    this.changed = element("div", { class: "changed" });
  }

  /**
   * Show both translations.
   *
   * @param result the translation with all heads.
   * @param whole the `forced` translation with all heads.
   * @param effect {off: the heads that are off, without: the `forced` translation without them,
   *     translated: what the network translates without them}; null if all are on.
   */
  update(result, whole, effect) {
    const original = wordsOf(result);
    const changed = effect ? wordsOf(effect.translated) : original;
    const [gone, come] = difference(original.map(shown), changed.map(shown));
    redraw(
      this.original,
      element("h3", {}, "With all heads"),
      this.#sentence(original, gone, "del"),
      element("p", { class: "quiet" }, `Log probability ${decimal(whole.logProbability)}.`),
    );
    redraw(this.changed, effect ? this.#changed(this.#sentence(changed, come, "ins"), effect) : []);
    if (effect) {
      this.changed.lastChild.before(noteOn(result.translation, whole, effect));
    }
  }

  #sentence(labels, differs, tag) {
    const words = labels.map(shown).map((word, i) => (differs[i] ? element(tag, {}, word) : word));
    const attributes = { class: "version", lang: this.language, dir: "auto" };
    return element("p", attributes, words.length ? spaced(labels, words) : shownTranslation(""));
  }

  #changed(sentence, { off }) {
    const allOn = () => this.onchange([]);
    const attributes = { type: "button", class: "button", "data-key": "all-on", onclick: allOn };
    return [
      element("h3", {}, titleOf(off)),
      sentence,
      element("button", attributes, "Switch all heads on"),
    ];
  }

  /** Invite the reader to switch a head off. */
  suggest(head) {
    const off = () => this.onchange([head]);
    const attributes = { type: "button", class: "button", "data-key": "suggested", onclick: off };
    redraw(
      this.changed,
      element("p", { class: "quiet" }, "Switch a head off. This translation depends most on:"),
      element("button", attributes, nameOf(head)),
    );
  }
}

/** Return what screen readers say about an effect, see `update`. */
export function spokenEffect(whole, { off, without, translated }) {
  const change = comparison(whole.logProbability - without.logProbability);
  return `${titleOf(off)}: ${translated.translation} The translation with all heads is ${change}.`;
}

function titleOf(off) {
  return off.length === 1 ? `Without ${nameOf(off[0])}` : `Without ${off.length} heads`;
}

function wordsOf({ target }) {
  return target.words.labels.filter((label) => !isToken(label));
}

function noteOn(translation, whole, { without, translated }) {
  const [before, after] = [whole, without].map((each) => each.logProbability);
  return element(
    "p",
    { class: "quiet" },
    !translated.finished && `Cut off after ${translated.target.labels.length - 1} subwords. `,
    translated.translation === translation
      ? `The translation is the same, ${isNoticeable(before - after) ? "but" : "and"} `
      : "The translation with all heads is ",
    element("strong", {}, comparison(before - after)),
    `: its log probability ${movement(before, after)}.`,
  );
}
