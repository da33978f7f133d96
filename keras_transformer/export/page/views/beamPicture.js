/** The picture of the tree of beam search: a button for each node, and an edge to its parent. */

import { element, redraw } from "../interface/dom.js";
import { isToken, shown } from "../interface/labels.js";
import { svg, textWidth } from "../interface/svg.js";
import { factsOf, prefixOf, spokenNode } from "./beamNode.js";
import { pathTo } from "./beamTree.js";

// In pixels.
const ROW = 30;
const HEADER = 24; // the numbers of the positions
const [SMALLEST_GAP, LARGEST_GAP] = [32, 72]; // between columns, for the edges
const NARROWEST = 26; // of a node, so that a finger can choose it
const PADDING = 7; // to the left and right of a label
const BADGE = 22; // the rank of a translation, behind its last node
const WIDEST = 130; // of a label; the sentence about a node has the whole subword
const FONT_SIZE = 13;
const LONGEST = 60; // characters of the hypothesis in the sentence about a node
const [THINNEST, THICKEST] = [1, 4.5]; // edges of subwords with probabilities 0 and 1

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
    const places = this.#places();
    this.#shown = new Map(
      [...given.rows.keys()].map((node) => [node.key, this.#marks(node, places)]),
    );
    const marks = [...this.#shown.values()];
    const { width, height } = places;
    const edges = marks.map(({ edge }) => edge).filter(Boolean);
    const size = { width, height, viewBox: `0 0 ${width} ${height}` };
    this.tree.style.width = `${width}px`;
    this.tree.style.height = `${height}px`;
    redraw(
      this.tree,
      svg("svg", { ...size, class: "edges", "aria-hidden": "true" }, edges),
      this.#header(places),
      marks.map(({ button }) => button),
    );
    this.#settle(this.#shown.has(this.#stop) ? this.#stop : "node0");
    this.#mark("leading", ...given.search.ranks.keys());
    this.#mark("winner", given.winner);
    this.#mark("chosen", given.chosen);
    this.#rest();
  }

  /** Return {columns: the left and right ends of each, rows, width, height}, in pixels. */
  #places() {
    const { tree, rows } = this.#given;
    const widths = tree.columns.map((nodes) => this.#width(nodes.filter((node) => rows.has(node))));
    const total = widths.reduce((sum, each) => sum + each, 0);
    const room = (this.element.clientWidth - total) / (widths.length - 1);
    const gap = Math.min(Math.max(Math.floor(room), SMALLEST_GAP), LARGEST_GAP);
    let left = 0;
    const columns = widths.map((each) => {
      const column = { left, right: left + each };
      left = column.right + gap;
      return column;
    });
    const height = HEADER + (Math.max(...rows.values()) + 1) * ROW;
    return { columns, gap, width: left - gap, height };
  }

  /** Return the width of a column with some nodes. */
  #width(nodes) {
    const family = getComputedStyle(document.documentElement).getPropertyValue("--mono");
    const labels = nodes.map(({ label }) => shown(label));
    const label = Math.min(WIDEST, Math.ceil(textWidth(labels, `bold ${FONT_SIZE}px ${family}`)));
    const badge = nodes.some((node) => this.#given.search.ranks.has(node)) ? BADGE : 0;
    return Math.max(label + 2 * PADDING + badge, NARROWEST);
  }

  #header({ columns }) {
    return columns.map(({ left }, column) =>
      element(
        "span",
        { class: "position", "aria-hidden": "true", style: { left: `${left + PADDING}px` } },
        String(column),
      ),
    );
  }

  #marks(node, places) {
    const edge = node.parent && this.#edge(node, places);
    return { node, button: this.#button(node, places), edge };
  }

  #button(node, { columns }) {
    const { rows, search } = this.#given;
    const rank = search.ranks.get(node);
    const top = HEADER + rows.get(node) * ROW;
    const label = shown(node.label);
    return element(
      "button",
      {
        type: "button",
        class: `node ${node.fate ?? "kept"}`,
        "data-key": node.key,
        "aria-label": spokenNode(node, search),
        style: { left: `${columns[node.column].left}px`, top: `${top}px` },
        onclick: () => this.#choose(node),
        onpointerenter: ({ pointerType }) => pointerType === "mouse" && this.#show(node),
        onfocus: () => this.#reach(node),
        onblur: () => this.#rest(),
      },
      element("span", { class: "label", lang: isToken(label) ? null : this.language }, label),
      rank && [" ", element("span", { class: "rank" }, String(rank))],
    );
  }

  /** Return the edge from the parent of a node, in the space between two columns. */
  #edge(node, { columns, gap }) {
    const { rows } = this.#given;
    const middle = (each) => HEADER + (rows.get(each) + 0.5) * ROW;
    const [from, to] = [columns[node.parent.column], columns[node.column]];
    const [y, toY, bend] = [middle(node.parent), middle(node), gap / 2];
    const curve = `C${from.right + bend},${y} ${to.left - bend},${toY} ${to.left},${toY}`;
    const share = node.fate === "dropped" ? 0 : node.probability;
    return svg("path", {
      class: `edge ${node.fate}`,
      d: `M${from.left + PADDING},${y}H${from.right}${curve}`,
      "stroke-width": THINNEST + (THICKEST - THINNEST) * share,
    });
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
    const prefix = ending(prefixOf(node)) || node.label;
    redraw(
      this.readout,
      element("p", { class: "prefix", lang: this.language }, prefix),
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
    const to = from && this.#neighbor(from, event.key);
    if (to) {
      event.preventDefault();
      this.#shown.get(to.key).button.focus();
    }
  }

  /** Return the node that a key leads to; null if it is no key of the tree, or there is none. */
  #neighbor(node, key) {
    const { rows, chosen, tree } = this.#given;
    const path = pathTo(chosen);
    const isShown = (each) => rows.has(each);
    const column = [...rows.keys()]
      .filter((each) => each.column === node.column)
      .sort((one, other) => rows.get(one) - rows.get(other));
    const beside = (step) => column[column.indexOf(node) + step];
    const moves = {
      ArrowLeft: () => node.parent,
      ArrowRight: () =>
        node.children.find((each) => path.includes(each)) ?? node.children.find(isShown),
      ArrowUp: () => beside(-1),
      ArrowDown: () => beside(1),
      Home: () => tree.root,
      End: () => chosen,
    };
    return moves[key]?.() ?? null;
  }
}

/** Return a text, or only its end if it is long. */
function ending(text) {
  const characters = [...text];
  return characters.length > LONGEST ? `…${characters.slice(-LONGEST).join("")}` : text;
}
