/** A map from byte strings to numbers in the format of Darts-clone: a trie as a double array. */

const LABEL = 0x800000ff; // the bits of a unit with its label; a unit with a value has bit 31
const VALUE = 0x7fffffff;

export const ROOT = 0;

/**
 * Each unit is a node, or a value. The child of node n for a byte is the unit n ^ offset ^ byte,
 * and its label is that byte. The value of node n, if it has one, is the unit n ^ offset.
 */
export class DoubleArray {
  /** @param units Uint32Array; empty if the map is. */
  constructor(units) {
    this.units = units;
  }

  /** Return the node that bytes lead to from a node, or null. */
  descend(node, bytes) {
    for (const byte of bytes) {
      node = this.valuePlace(node) ^ byte;
      if (node >= this.units.length || (this.units[node] & LABEL) !== byte) {
        return null;
      }
    }
    return node;
  }

  /** Return the value of a node, or null. */
  value(node) {
    const hasValue = this.units[node] & 0x100;
    return hasValue ? this.units[this.valuePlace(node)] & VALUE : null;
  }

  valuePlace(node) {
    const unit = this.units[node];
    return node ^ ((unit >>> 10) << (unit & 0x200 ? 8 : 0));
  }
}
