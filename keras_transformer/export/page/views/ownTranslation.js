/** The choice between the network's translation and one that the reader types. */

import { choice, uniqueName } from "../interface/controls.js";
import { element } from "../interface/dom.js";

const OPTIONS = [
  { value: "network", label: "The network’s" },
  { value: "own", label: "Your own" },
];
const TYPING_DELAY = 150; // ms

export class OwnTranslation {
  #timer = null;
  #suggestion = "";

  /**
   * @param language code of the language of the translation.
   * @param ontype function (text, isChosen) of the reader's translation, "" for the network's, and
   *     whether the reader has just chosen between the two.
   */
  constructor(language, ontype) {
    this.ontype = ontype;
    this.choice = choice({
      legend: "Translation",
      options: OPTIONS,
      onchange: (kind) => (kind === "own" ? this.#begin() : ontype("", true)),
    });
    this.input = element("textarea", {
      id: uniqueName("own"),
      rows: 1,
      lang: language,
      dir: "auto",
      spellcheck: "false",
      autocomplete: "off",
      oninput: () => this.#typed(),
    });
    const label = element("label", { for: this.input.id }, "Your translation");
    this.field = element("div", { class: "typed", hidden: true }, label, this.input);
    this.element = element("div", { class: "controls" }, this.choice.element, this.field);
  }

  /**
   * @param kind "network", "changed" or "own".
   * @param text what the reader typed.
   * @param suggestion the translation to begin with.
   */
  update({ kind, text, suggestion }) {
    // The button Back changes the translation, but leaves the focus in the field.
    const hasFocus = document.activeElement === this.input && this.input.value === text;
    const isTyping = this.#timer !== null || hasFocus;
    const isOwn = kind === "own" || isTyping;
    this.#suggestion = suggestion;
    this.choice.update(isOwn ? "own" : kind);
    this.field.hidden = !isOwn;
    if (!isTyping) {
      this.input.value = text;
    }
    this.#grow();
  }

  /** Let the reader edit the translation that is shown. */
  #begin() {
    this.field.hidden = false;
    this.input.value = this.#suggestion;
    this.input.focus();
    this.ontype(this.#suggestion, true);
  }

  #typed() {
    this.#grow();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.ontype(this.input.value, false);
    }, TYPING_DELAY);
  }

  /** Make the field as high as its text. */
  #grow() {
    this.input.style.height = "auto";
    this.input.style.height = `${this.input.scrollHeight}px`;
  }
}
