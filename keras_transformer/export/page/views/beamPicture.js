/** The picture of the tree of beam search: a button for each node, and an edge to its parent. */

import { element, redraw } from "../interface/dom.js";
import { isShortcut } from "../interface/keys.js";
import { isToken } from "../interface/labels.js";
import { svg } from "../interface/svg.js";
import { neighborOf } from "./beamKeys.js";
import { factsOf, prefixOf, spokenNode } from "./beamNode.js";
import { BeamPlaces } from "./beamPlaces.js";
import { pathTo } from "./beamTree.js";
import { legible } from "./pieces.js";

const LONGEST = 90; // characters of the hypothesis in the text about a node

export class BeamPicture {
  #shown = new Map(); // {key: {node, button, edge}}
  #given = null;
  #tapped = null; // key of the node that was chosen last
  #stop = "node0"; // key of the node that the Tab key reaches

  /**
   * @param language code of the language of the subwords.
   * @param onchoose function of the rank of the translation whose last node is chosen.
   */
  constructor(language, onchoose) {
    this.language = language;
    this.onchoose = onchoose;
    this.readout = element("div", { class: "readout" });
    this.tree = element("div", {
      class: "tree",
      role: "group",
      "aria-label": "Tree of hypotheses. Arrow keys move along its edges.",
      onkeydown: (event) => this.#key(event),
      onpointerleave: () => this.#rest(),
    });
    const area = element("div", { class: "scrolling" }, this.tree);
    this.element = element("div", { class: "beam-picture" }, area, this.readout);
  }

  /**
   * Draw a tree.
   *
   * @param given {tree: what `treeOf` returned, rows: what `rowsOf` returned, winner: last node of
   *     the translation, chosen: last node of the hypothesis that the reader chose, search:
   *     {beamSize, alpha, ranks: Map from last nodes to the ranks of translations}}.
   */
  update(given) {
    this.#given = given;
    this.#tapped = null;
    const { tree, rows, search } = given;
    const places = new BeamPlaces(tree, rows, search.ranks, this.element.clientWidth);
    this.#shown = new Map([...rows.keys()].map((node) => [node.key, this.#marks(node, places)]));
    this.#place(places);
    this.#settle(this.#shown.has(this.#stop) ? this.#stop : "node0");
    this.#mark("leading", ...given.search.ranks.keys());
    this.#mark("winner", given.winner);
    this.#mark("chosen", given.chosen);
    this.#rest();
  }

  #marks(node, places) {
    const edge = node.parent ? places.edge(node) : null;
    return { node, button: this.#button(node, places), edge };
  }

  #place(places) {
    const { width, height } = places;
    const marks = [...this.#shown.values()];
    const size = { width, height, viewBox: `0 0 ${width} ${height}` };
    this.tree.style.width = `${width}px`;
    this.tree.style.height = `${height}px`;
    redraw(
      this.tree,
      svg("svg", { ...size, class: "edges", "aria-hidden": "true" }, this.#edges()),
      this.#numbers(places),
      marks.map(({ button }) => button),
    );
  }

  /** Return the edges. Those of the chosen path and of the translation are on top of the others. */
  #edges() {
    const paths = [this.#given.chosen, this.#given.winner].map(pathTo);
    const level = ({ node }) => paths.map((path) => path.includes(node)).lastIndexOf(true);
    const drawn = [...this.#shown.values()].filter(({ edge }) => edge);
    return drawn.sort((one, other) => level(one) - level(other)).map(({ edge }) => edge);
  }

  #numbers(places) {
    return places.columns.map((_, column) =>
      element(
        "span",
        { class: "position", "aria-hidden": "true", style: places.number(column) },
        String(column),
      ),
    );
  }

  #button(node, places) {
    const { search } = this.#given;
    const rank = search.ranks.get(node);
    const label = legible(node.label);
    return element(
      "button",
      {
        type: "button",
        class: `node ${node.fate ?? "kept"}`,
        "data-key": node.key,
        "aria-label": spokenNode(node, search),
        style: places.node(node),
        onclick: () => this.#choose(node),
        onpointerenter: ({ pointerType }) => pointerType === "mouse" && this.#show(node),
        onfocus: () => this.#reach(node),
        onblur: () => this.#rest(),
      },
      element("span", { class: "label", lang: isToken(label) ? null : this.language }, label),
      rank && [" ", element("span", { class: "rank" }, String(rank))],
    );
  }

  #choose(node) {
    this.#tapped = node.key;
    this.#show(node);
    const rank = this.#given.search.ranks.get(node);
    if (rank) {
      this.onchoose(rank);
    }
  }

  #reach(node) {
    this.#settle(node.key);
    this.#show(node);
  }

  /** Make one node the one that the Tab key reaches. */
  #settle(stop) {
    this.#stop = stop;
    this.#shown.forEach(({ button }, key) => {
      button.tabIndex = key === stop ? 0 : -1;
    });
  }

  /** Show the node with the focus, the one chosen last, or the end of the chosen hypothesis. */
  #rest() {
    const focused = this.tree.querySelector(":focus")?.dataset.key;
    const key = focused ?? this.#tapped;
    this.#show(this.#shown.get(key)?.node ?? this.#given.chosen);
  }

  /** Write about a node, and mark the path to it. */
  #show(node) {
    this.#mark("traced", node);
    const { search } = this.#given;
    const facts = factsOf(node, search).map((each) => element("span", {}, each));
    const prefix = ending(prefixOf(node)) || legible(node.label);
    redraw(
      this.readout,
      element("p", { class: "prefix", lang: this.language, dir: "auto" }, prefix),
      element("p", { class: "facts" }, facts),
    );
  }

  /** Mark the buttons and edges of the paths to some nodes with a class. */
  #mark(name, ...last) {
    const path = new Set(last.flatMap(pathTo));
    for (const { node, button, edge } of this.#shown.values()) {
      button.classList.toggle(name, path.has(node));
      edge?.classList.toggle(name, path.has(node));
    }
  }

  #key(event) {
    const from = this.#shown.get(event.target.dataset.key)?.node;
    const to = from && neighborOf(from, event.key, this.#given);
    if (to && !isShortcut(event)) {
      event.preventDefault();
      this.#shown.get(to.key).button.focus();
    }
  }
}

/** Return a text, or only its last words if it is long. */
function ending(text) {
  const characters = [...text];
  const end = characters.slice(-LONGEST).join("");
  return characters.length > LONGEST ? `… ${end.slice(end.indexOf(" ") + 1)}` : text;
}
