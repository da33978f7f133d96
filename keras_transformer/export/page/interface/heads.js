/** The heads of a network: their names, and how the address of the page lists some of them. */

const NAMES = { encoder: "encoder", decoder: "decoder", cross: "cross-attention" };

/**
 * Return all heads of a network: {kind: "encoder", "decoder" or "cross", layer, head}, from 1.
 *
 * @param network its sizes, from the description.
 */
export function headsOf({ encoder_layers: encoder, decoder_layers: decoder, num_heads: heads }) {
  const layers = { encoder, decoder, cross: decoder };
  return Object.entries(layers).flatMap(([kind, count]) =>
    countedTo(count).flatMap((layer) => countedTo(heads).map((head) => ({ kind, layer, head }))),
  );
}

function countedTo(number) {
  return Array.from({ length: number }, (_, i) => i + 1);
}

/** Return the short name of a head: "c1.2" is head 2 of the cross-attention of layer 1. */
export function keyOf({ kind, layer, head }) {
  return `${kind[0]}${layer}.${head}`;
}

/** Return the name of a head for the reader. */
export function nameOf({ kind, layer, head }) {
  return `${NAMES[kind]}, layer ${layer}, head ${head}`;
}

/** Return those of some heads that a text such as "c1.2,e2.3" lists. */
export function listed(text, heads) {
  const keys = new Set(text.split(","));
  return heads.filter((head) => keys.has(keyOf(head)));
}

/** Return the text that lists some heads. */
export function listOf(heads) {
  return heads.map(keyOf).join(",");
}
