/**
 * The tree of the hypotheses of a beam search.
 *
 * A node is a subword that continues the hypothesis of its parent. It is {key, column: position in
 * the translation, parent, children, rank: place among the candidates of its position, from 1}, and
 * what the search found: {id, label, probability, logProbability, score, fate}. The root, which is
 * the start token, has only the first four of them and its id and label.
 */

/**
 * Return the tree of a search.
 *
 * @param start {id, label} of the start token.
 * @param steps what became of the candidates of each position: `steps` of the request `beam`.
 * @returns {root, columns: the nodes of each position, beginning with [root]}.
 */
export function treeOf(start, steps) {
  const root = { ...start, key: "node0", column: 0, parent: null, children: [] };
  const columns = [[root]];
  let live = [root];
  for (const { candidates } of steps) {
    const nodes = candidates.map((each, i) => nodeOf(each, i + 1, columns.length, live));
    live = nodes.filter(({ slot }) => slot !== null).sort((one, other) => one.slot - other.slot);
    columns.push(nodes);
  }
  return { root, columns };
}

function nodeOf(candidate, rank, column, live) {
  const parent = live[candidate.parent];
  const key = `node${column}.${rank}`;
  const node = { ...candidate, key, column, rank, parent, children: [] };
  parent.children.push(node);
  return node;
}

/** Return the nodes from the root to a node. */
export function pathTo(node) {
  return node.parent ? [...pathTo(node.parent), node] : [node];
}

/** Return the node of the last of some ids, which begin with the start token. */
export function nodeWith({ root }, ids) {
  return ids
    .slice(1)
    .reduce((node, id) => node.children.find((child) => child.id === id) ?? node, root);
}

/**
 * Return the row of each node so that no two edges cross.
 *
 * One path is a straight line in row 0. Below it, nodes are in the order of their parents, better
 * candidates first, and in the row of their parent if there is room. There are never more rows than
 * the fullest column needs.
 *
 * @param tree what `treeOf` returned.
 * @param path the nodes of the straight path.
 * @param isShown function that returns whether a node gets a row. Those of the path always do.
 * @returns Map from nodes to rows; in each column, from the first row to the last.
 */
export function rowsOf({ columns }, path, isShown) {
  const straight = new Set(path);
  const family = ({ children }) => [
    ...children.filter((child) => straight.has(child)),
    ...children.filter((child) => !straight.has(child) && isShown(child)),
  ];
  const others = inOrder(columns.length, path[0], family).map((nodes) =>
    nodes.filter((node) => !straight.has(node)),
  );
  const last = Math.max(...others.map((nodes) => nodes.length));
  const rows = new Map();
  others.forEach((nodes, column) => {
    if (path[column]) {
      rows.set(path[column], 0);
    }
    placeBelow(nodes, rows, last);
  });
  return rows;
}

/** Return the nodes of each column in the order of their parents. */
function inOrder(count, root, family) {
  const columns = [[root]];
  while (columns.length < count) {
    columns.push(columns[columns.length - 1].flatMap(family));
  }
  return columns;
}

/** Put the nodes of a column, in their order, into rows from 1 to `last`. */
function placeBelow(nodes, rows, last) {
  let row = 0;
  nodes.forEach((node, i) => {
    const lowest = last - (nodes.length - 1 - i); // leaves a row for each of the following nodes
    row = Math.max(row + 1, Math.min(rows.get(node.parent), lowest));
    rows.set(node, row);
  });
}
