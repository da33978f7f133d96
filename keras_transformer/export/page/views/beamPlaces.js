/** Where the nodes and edges of the tree of beam search are drawn, in pixels. */

import { svg, textWidth } from "../interface/svg.js";
import { legible } from "./pieces.js";

const ROW = 30;
const HEADER = 24; // above the rows, for the numbers of the positions
const [MIN_GAP, MAX_GAP] = [32, 72]; // between columns, for the edges
const NARROWEST = 26; // of a node, so that a finger can choose it
const PADDING = 7; // to the left and right of a label
const BADGE = 22; // the rank of a translation, behind its last node
const WIDEST = 130; // of a label; the text about a node has the whole subword
const FONT_SIZE = 13;
const [THINNEST, THICKEST] = [1, 4.5]; // edges of subwords with probabilities 0 and 1

export class BeamPlaces {
  /**
   * @param tree what `treeOf` returned.
   * @param rows what `rowsOf` returned.
   * @param ranks Map from last nodes to the ranks of translations.
   * @param room width that the tree should have if it fits.
   */
  constructor(tree, rows, ranks, room) {
    this.rows = rows;
    const widths = tree.columns.map((nodes) => {
      const found = nodes.filter((node) => rows.has(node));
      return widthOf(found, found.some((node) => ranks.has(node)) ? BADGE : 0);
    });
    const total = widths.reduce((sum, each) => sum + each, 0);
    const share = Math.floor((room - total) / (widths.length - 1));
    this.gap = Math.min(Math.max(share, MIN_GAP), MAX_GAP);
    let left = 0;
    this.columns = widths.map((width) => {
      const column = { left, right: left + width };
      left = column.right + this.gap;
      return column;
    });
    this.width = left - this.gap;
    this.height = HEADER + (Math.max(...rows.values()) + 1) * ROW;
  }

  /** Return the CSS properties that place a node. */
  node(node) {
    const top = HEADER + this.rows.get(node) * ROW;
    return { left: `${this.columns[node.column].left}px`, top: `${top}px` };
  }

  /** Return the CSS properties that place the number of a position. */
  number(column) {
    return { left: `${this.columns[column].left + PADDING}px` };
  }

  /** Return the edge from the parent of a node. Its curve is in the gap between two columns. */
  edge(node) {
    const [from, to] = [this.columns[node.parent.column], this.columns[node.column]];
    const [y, toY, bend] = [this.#middle(node.parent), this.#middle(node), this.gap / 2];
    const curve = `C${from.right + bend},${y} ${to.left - bend},${toY} ${to.left},${toY}`;
    const share = node.fate === "dropped" ? 0 : node.probability;
    return svg("path", {
      class: `edge ${node.fate}`,
      d: `M${from.left + PADDING},${y}H${from.right}${curve}`,
      "stroke-width": THINNEST + (THICKEST - THINNEST) * share,
    });
  }

  #middle(node) {
    return HEADER + (this.rows.get(node) + 0.5) * ROW;
  }
}

/** Return the width of a column. @param badge width beside its labels. */
function widthOf(nodes, badge) {
  const family = getComputedStyle(document.documentElement).getPropertyValue("--mono");
  const labels = nodes.map(({ label }) => legible(label));
  const width = Math.min(WIDEST, Math.ceil(textWidth(labels, `bold ${FONT_SIZE}px ${family}`)));
  return Math.max(width + 2 * PADDING + badge, NARROWEST);
}
