/** Switches for all heads, which also show what a translation loses without each of them. */

import { element, redraw, spoken } from "../interface/dom.js";
import { keyOf, nameOf } from "../interface/heads.js";
import { decimal } from "../interface/numbers.js";
import { pictureTable } from "../interface/pictureTable.js";
import { roving } from "../interface/roving.js";
import { HeadSwitch, lossText } from "./headSwitch.js";

const SMALLEST = 3; // nats: at least this loss has the full color
const HINT = "Point at a head to read what happens without it.";

export class HeadSwitches {
  #off = [];
  #layers = []; // {heads, switches, button: which switches the layer}

  /**
   * @param heads list of {kind, layer, head}.
   * @param titles {kind: {title, description}}.
   * @param onchange function of the list of heads that shall be off.
   */
  constructor(heads, titles, onchange) {
    this.heads = heads;
    this.onchange = onchange;
    this.scale = element("p", { class: "ends" });
    this.readout = element("p", { class: "readout" }, HINT);
    this.table = pictureTable();
    const kinds = Object.entries(titles).map(([kind, each]) => this.#kind(kind, each));
    const group = element("div", { role: "group", "aria-label": "Heads" }, kinds);
    const bar = element("span", { class: "scale", "aria-hidden": "true" });
    const rest = [bar, this.scale, this.readout, this.table.element];
    this.element = element("div", { class: "head-switches" }, group, rest);
    const [{ switches }] = this.#layers;
    roving(group, switches.length + 1)(switches[0].element);
  }

  #kind(kind, { title, description }) {
    const heads = this.heads.filter((each) => each.kind === kind);
    const numbers = new Set(heads.map(({ layer }) => layer));
    const layers = [...numbers].map((number) =>
      this.#layer(
        title,
        heads.filter(({ layer }) => layer === number),
      ),
    );
    const note = element("span", { class: "kind-note" }, description);
    const attributes = { class: "kind", role: "group", "aria-label": title };
    return element("div", attributes, element("h3", {}, title, " ", note), layers);
  }

  #layer(title, heads) {
    const [{ kind, layer }] = heads;
    const button = element(
      "button",
      { type: "button", "data-key": `${kind[0]}${layer}`, onclick: () => this.#switchLayer(heads) },
      spoken(`${title}, layer ${layer}: `),
      element("span", {}),
    );
    const ontoggle = (head) => this.#toggle(head);
    const ondescribe = (sentence) => {
      this.readout.textContent = sentence || HINT;
    };
    const switches = heads.map((head) => new HeadSwitch(head, { ontoggle, ondescribe }));
    this.#layers.push({ heads, switches, button });
    const number = element("span", { "aria-hidden": "true" }, `Layer ${layer}`);
    return element(
      "div",
      { class: "layer" },
      element("div", { class: "layer-title" }, number, button),
      element(
        "div",
        { class: "switches" },
        switches.map((each) => each.element),
      ),
    );
  }

  #toggle(head) {
    const others = this.#off.filter((each) => each !== head);
    this.#change(others.length < this.#off.length ? others : [...this.#off, head]);
  }

  /** Switch a layer off, or on if it is off. */
  #switchLayer(heads) {
    const others = this.#off.filter((each) => !heads.includes(each));
    this.#change(this.#isOff(heads) ? others : [...others, ...heads]);
  }

  #isOff(heads) {
    return heads.every((head) => this.#off.includes(head));
  }

  #change(off) {
    this.onchange(this.heads.filter((head) => off.includes(head)));
  }

  /** Show which of the heads are off. */
  update(off) {
    this.#off = off;
    for (const { heads, switches, button } of this.#layers) {
      switches.forEach((each) => each.update(!off.includes(each.head)));
      button.lastElementChild.textContent = this.#isOff(heads) ? "all on" : "all off";
    }
  }

  /** Show the losses that are known: a Map {key of a head: nats}. */
  updateLosses(losses) {
    const full = Math.max(SMALLEST, ...losses.values());
    const switches = this.#layers.flatMap((layer) => layer.switches);
    switches.forEach((each) => each.updateLoss(losses.get(keyOf(each.head)), full));
    redraw(this.scale, endsOf(full));
    this.table.update(this.#tabulated(losses));
  }

  #tabulated(losses) {
    const [{ heads }] = this.#layers;
    return {
      caption: "What the translation loses without a single head: nats of its log probability.",
      corner: "Layer",
      rows: this.#layers.map((layer) => nameOf(layer.heads[0]).replace(", head 1", "")),
      columns: heads.map(({ head }) => `Head ${head}`),
      cell: (row, column) => lossText(losses.get(keyOf(this.#layers[row].heads[column]))),
    };
  }

  /** Move the focus to the switch of a head. */
  focus(head) {
    const switches = this.#layers.flatMap((layer) => layer.switches);
    switches.find((each) => each.head === head).element.focus({ preventScroll: true });
  }
}

/** Return what the ends of the scale of colors mean. */
function endsOf(full) {
  const nats = decimal(full, 1);
  const texts = [`−${nats} nats (a gain)`, `${nats} nats (a loss)`];
  return texts.map((text) => element("span", {}, text));
}
