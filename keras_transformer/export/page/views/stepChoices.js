/** The most probable subwords of a step as horizontal bars, any of which the reader can choose. */

import { element, redraw } from "../interface/dom.js";
import { isToken } from "../interface/labels.js";
import { percent } from "../interface/numbers.js";
import { roving } from "../interface/roving.js";
import { continuation } from "./pieces.js";

export class StepChoices {
  /**
   * @param language code of the language of the translation.
   * @param onchoose function of a step, from 1, and of the id that the reader chose for it.
   */
  constructor(language, onchoose) {
    this.language = language;
    this.onchoose = onchoose;
    const label = "Most probable subwords";
    this.list = element("div", { class: "bars", role: "group", "aria-label": label });
    this.rest = element("div", { class: "bars" });
    this.element = element("div", {}, this.list, this.rest);
    this.settle = roving(this.list);
  }

  /**
   * Draw the bars.
   *
   * @param walk what `walkOf` returned.
   * @param step number of the current step, from 1.
   */
  update(walk, step) {
    const written = writtenAt(walk, step);
    const best = walk.best[step - 1];
    const isAmong = best.some(({ id }) => id === written.id);
    const listed = isAmong ? best : [...best, written];
    redraw(
      this.list,
      listed.map((each) => this.#bar(each, walk, step)),
    );
    this.settle(this.list.querySelector("[aria-pressed=true]"));
    redraw(this.rest, rest(listed));
  }

  #bar({ id, label, probability }, walk, step) {
    const note = noteOn(id, walk, step);
    const isWritten = id === walk.target.ids[step];
    const piece = continuation(walk.target.labels.slice(0, step), label);
    return element(
      "button",
      {
        type: "button",
        class: isWritten && walk.chosen.includes(step) ? "bar chosen" : "bar",
        style: { "--share": probability },
        "data-key": `choice${id}`,
        "aria-label": nameOf(piece, probability, note),
        "aria-pressed": isWritten ? "true" : "false",
        onclick: () => this.onchoose(step, id),
      },
      labelOf(piece, isToken(label) ? null : this.language),
      " ", // between the words of the button, which the layout separates
      line(probability, note),
    );
  }
}

/** Return the name of a bar for screen readers. */
function nameOf({ context, text, character }, probability, note) {
  const continued = context && `continues “${context}”`;
  return [text, character, percent(probability), note, continued].filter(Boolean).join(", ");
}

/** Return what is visible of a subword. steps.css adds the context. */
function labelOf({ context, text, character }, language) {
  const attributes = { class: language ? "bar-label" : "bar-label token", lang: language };
  return element(
    "span",
    { ...attributes, "data-context": context },
    text,
    character && ` (${character})`,
  );
}

/** Return the subword that is written at a step: {id, label, probability}. */
function writtenAt({ target, probabilities }, step) {
  const probability = probabilities[step - 1];
  return { id: target.ids[step], label: target.labels[step], probability };
}

/** Return what is special about an id at a step. */
function noteOn(id, { target, chosen, network }, step) {
  if (id === target.ids[step]) {
    return chosen.includes(step) ? "your choice" : "written";
  }
  const isSameBefore = target.ids.slice(0, step).every((each, i) => each === network.ids[i]);
  return isSameBefore && id === network.ids[step] ? "network’s" : "";
}

/** Return the bar of all subwords that are not listed. */
function rest(listed) {
  const sum = listed.reduce((total, { probability }) => total + probability, 0);
  const share = Math.max(0, 1 - sum);
  return element(
    "p",
    { class: "bar others", style: { "--share": share } },
    element("span", { class: "bar-label token" }, "all others"),
    line(share),
  );
}

/** Return what steps.css draws as a bar, its number and a note. */
function line(share, note = "") {
  const parts = [
    element("span", {}, percent(share)),
    " ",
    element("span", { class: "bar-note" }, note),
  ];
  return element("span", { class: "bar-line" }, ...parts);
}
