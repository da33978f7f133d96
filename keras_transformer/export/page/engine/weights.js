/** The weights of the network, read from the bytes of the page. */

import { matrix } from "./matrices.js";

/** The tensors of a network by their Keras paths. */
export class Weights {
  /**
   * @param tensors the list `tensors` of the description.
   * @param bytes ArrayBuffer with all tensors, little endian.
   */
  constructor(tensors, bytes) {
    this.bytes = bytes;
    this.tensors = new Map(tensors.map((tensor) => [tensor.name, tensor]));
    this.read = new Map();
  }

  /** Return whether there is a tensor with a path. */
  has(name) {
    return this.tensors.has(name);
  }

  /** Return a matrix, with one row for each output or id. */
  matrix(name) {
    const [rows, columns] = this.tensor(name).shape;
    return matrix(rows, columns, this.vector(name));
  }

  /** Return the values of a tensor as float32. */
  vector(name) {
    if (!this.read.has(name)) {
      this.read.set(name, this.decoded(this.tensor(name)));
    }
    return this.read.get(name);
  }

  tensor(name) {
    if (!this.has(name)) {
      throw new Error(`the page has no weights ${name}`);
    }
    return this.tensors.get(name);
  }

  decoded(tensor) {
    const size = tensor.shape.reduce((product, length) => product * length, 1);
    const decode = { int8: fromIntegers, float16: fromHalves, float32: fromFloats };
    return decode[tensor.kind](this.bytes, tensor, size);
  }
}

/** Return the float32 values of int8 rows, each of which has a scale. */
function fromIntegers(bytes, { shape, offset, scales }, size) {
  const steps = new Int8Array(bytes, offset, size);
  const values = new Float32Array(size);
  const columns = size / shape[0];
  new Float32Array(bytes, scales, shape[0]).forEach((scale, row) => {
    for (let i = row * columns; i < (row + 1) * columns; i++) {
      values[i] = scale * steps[i];
    }
  });
  return values;
}

function fromHalves(bytes, { offset }, size) {
  return Float32Array.from(new Uint16Array(bytes, offset, size), fromHalf);
}

function fromFloats(bytes, { offset }, size) {
  return new Float32Array(bytes, offset, size);
}

/** Return the value of an IEEE 754 half-precision number, given as 16 bits. */
export function fromHalf(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) {
    return sign * fraction * 2 ** -24;
  }
  if (exponent === 0x1f) {
    return fraction ? NaN : sign * Infinity;
  }
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
