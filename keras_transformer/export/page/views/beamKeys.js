/** Arrow keys in the tree of beam search. */

import { pathTo } from "./beamTree.js";

/**
 * Return the node that a key leads to, or undefined.
 *
 * @param node where the focus is.
 * @param key name of the key, such as "ArrowLeft".
 * @param tree what `treeOf` returned.
 * @param rows what `rowsOf` returned.
 * @param chosen last node of the hypothesis that ArrowRight and End follow.
 */
export function neighborOf(node, key, { tree, rows, chosen }) {
  const moves = {
    ArrowLeft: () => node.parent,
    ArrowRight: () => nextOf(node, pathTo(chosen), rows),
    ArrowUp: () => besides(node, rows, -1),
    ArrowDown: () => besides(node, rows, 1),
    Home: () => tree.root,
    End: () => chosen,
  };
  return moves[key]?.() ?? undefined;
}

/** Return the child of a node on a path, otherwise the most probable one that is shown. */
function nextOf({ children }, path, rows) {
  return (
    children.find((child) => path.includes(child)) ?? children.find((child) => rows.has(child))
  );
}

/** Return the nearest node of the same column in a direction: -1 is up, 1 is down. */
function besides(node, rows, direction) {
  const distance = (other) => direction * (rows.get(other) - rows.get(node));
  return [...rows.keys()]
    .filter((other) => other.column === node.column && distance(other) > 0)
    .sort((one, other) => distance(one) - distance(other))[0];
}
