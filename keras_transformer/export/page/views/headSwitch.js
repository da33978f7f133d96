/** A switch for a head, with what a translation loses without it. */

import { element, spoken } from "../interface/dom.js";
import { keyOf, nameOf } from "../interface/heads.js";
import { comparison } from "../interface/loss.js";
import { decimal } from "../interface/numbers.js";

const UNKNOWN = "…";

export class HeadSwitch {
  /**
   * @param head {kind, layer, head}.
   * @param handlers {ontoggle, ondescribe: function of the sentence about the head, or "" when the
   *     pointer or the focus leaves it}.
   */
  constructor(head, { ontoggle, ondescribe }) {
    this.head = head;
    this.loss = element("span", {}, UNKNOWN);
    this.sentence = "";
    const describe = () => ondescribe(this.sentence);
    const leave = () => ondescribe("");
    this.element = element(
      "button",
      {
        type: "button",
        role: "switch",
        class: "switch",
        "data-key": keyOf(head),
        onclick: () => ontoggle(head),
        onpointerenter: describe,
        onpointerleave: leave,
        onfocus: describe,
        onblur: leave,
      },
      element("span", { class: "switch-head", "aria-hidden": "true" }, String(head.head)),
      spoken(`${nameOf(head)}, loss `),
      this.loss,
    );
  }

  /** Show whether the head is on. */
  update(isOn) {
    this.element.setAttribute("aria-checked", isOn);
  }

  /**
   * Show a loss.
   *
   * @param loss in nats, or undefined if it is not known yet.
   * @param full the loss with the full color.
   */
  updateLoss(loss, full) {
    this.loss.textContent = lossText(loss);
    this.sentence = loss === undefined ? "" : sentenceOf(this.head, loss);
    this.element.style.setProperty("--share", Math.abs(loss ?? 0) / full);
    this.element.classList.toggle("gain", loss < 0);
  }
}

/** Return a loss in nats as text; undefined is not known yet. */
export function lossText(loss) {
  return loss === undefined ? UNKNOWN : decimal(loss, Math.abs(loss) < 9.995 ? 2 : 1);
}

function sentenceOf(head, loss) {
  const name = nameOf(head);
  const subject = name[0].toUpperCase() + name.slice(1);
  return `${subject}: with only this head off, the translation is ${comparison(loss)}.`;
}
