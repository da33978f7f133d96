/** Thumbnails of all heads of all layers, of which one is chosen. */

import { headOf } from "./attentionMap.js";
import { element, redraw } from "./dom.js";
import { roving } from "./roving.js";
import { thumbnail } from "./thumbnail.js";

export class HeadChooser {
  /** @param onchoose function ({layer, head}), both from 1; the head may also be "mean". */
  constructor(onchoose) {
    this.onchoose = onchoose;
    this.element = element("div", { class: "heads" });
  }

  /**
   * Draw the thumbnails.
   *
   * @param layers list with the weights {heads, rows, columns, values} of each layer.
   * @param chosen {layer, head}.
   */
  update(layers, chosen) {
    const heads = ["mean", ...Array.from({ length: layers[0].heads }, (_, i) => i + 1)];
    const rows = layers.map((weights, i) => this.#layer(i + 1, heads, weights, chosen));
    const group = element("div", { role: "group", "aria-label": "Layers and heads" }, rows);
    roving(group, heads.length)(group.querySelector("[aria-pressed=true]") ?? undefined);
    redraw(this.element, group);
  }

  #layer(layer, heads, weights, chosen) {
    const buttons = heads.map((head) => {
      const isChosen = layer === chosen.layer && head === chosen.head;
      return this.#button({ layer, head }, headOf(weights, head), isChosen);
    });
    return element(
      "div",
      { class: "heads-layer" },
      element("p", { class: "heads-title", "aria-hidden": "true" }, `Layer ${layer}`),
      element("div", { class: "heads-row", style: { "--count": heads.length } }, buttons),
    );
  }

  #button({ layer, head }, weights, isChosen) {
    const name = head === "mean" ? "mean of all heads" : `head ${head}`;
    return element(
      "button",
      {
        type: "button",
        class: "head",
        "data-key": `head${layer}.${head}`,
        "aria-pressed": isChosen ? "true" : "false",
        "aria-label": `Layer ${layer}, ${name}`,
        onclick: () => this.onchoose({ layer, head }),
      },
      thumbnail({ ...weights, head }),
      element("span", { "aria-hidden": "true" }, String(head)),
    );
  }
}
