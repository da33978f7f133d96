/** The heads that are switched off: their output is 0, as if they had found nothing. */

const NONE = new Set();

export class SwitchedOff {
  /** @param heads list of {kind: "encoder", "decoder" or "cross", layer, head}, from 1. */
  constructor(heads = []) {
    this.sets = new Map();
    for (const { kind, layer, head } of heads) {
      const key = `${kind} ${layer}`;
      this.sets.set(key, (this.sets.get(key) ?? new Set()).add(head));
    }
  }

  /** Return the set of heads that are switched off in the attention of a kind in a layer. */
  heads(kind, layer) {
    return this.sets.get(`${kind} ${layer}`) ?? NONE;
  }

  /** Return the sets of both kinds of attention of a decoder layer: {decoder, cross}. */
  decoderLayer(layer) {
    return { decoder: this.heads("decoder", layer), cross: this.heads("cross", layer) };
  }
}
