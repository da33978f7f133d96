/** A translator on TensorFlow Serving (keras_transformer.client). */

import { asRead } from "../engine/sentence.js";
import { wordsOf } from "../engine/words.js";

const PADDING = "<pad>";
const LONE_SURROGATE = /\p{Surrogate}/gu;
// The subwords that attend and those attended to, for each kind of attention.
const SIDES = {
  encoder: ["source", "source"],
  decoder: ["target", "target"],
  cross: ["target", "source"],
};

/** Sends requests to a server. */
export class Server {
  methods = ["translate"];

  /** @param description the block `model` of the page, with the address of the server. */
  constructor(description) {
    this.address = description.server;
    this.language = description.source_lang;
    this.unspaced = description.unspaced;
  }

  ask(method, given) {
    return this[method](given);
  }

  /**
   * Translate a sentence.
   *
   * @returns what the `translate` of the network in a page returns, without ids and probabilities,
   *     and with the `attention` that its `forced` returns.
   */
  async translate({ text }) {
    const sent = asRead(text.replace(LONE_SURROGATE, "?"), this.language); // UTF-8 cannot encode it
    if (!text.trim()) {
      return this.#translated(text, "", 0, { source: [], target: [] }, null);
    }
    const found = await this.#predict("serving_default", { source: [sent] });
    const [translation] = found.translation.map(textOf);
    const outputs = await this.#predict("attention", { source: [sent], target: [translation] });
    const labels = { source: subwordsOf(outputs, "source"), target: subwordsOf(outputs, "target") };
    const attention = attentionOf(outputs, labels);
    return this.#translated(text, translation, found.score[0], labels, attention);
  }

  #translated(text, translation, score, { source, target }, attention) {
    return {
      text,
      source: side(source, this.unspaced.source),
      target: side(target, this.unspaced.target),
      translation,
      score,
      truncated: false,
      finished: true,
      probabilities: null,
      attention,
    };
  }

  /** Return the outputs {name: column} of a signature. */
  async #predict(signature, inputs) {
    const request = { signature_name: signature, inputs };
    const body = JSON.stringify(request);
    const answer = await fetch(`${this.address}:predict`, { method: "POST", body }).catch(() => {
      throw new Error(this.#unreachable());
    });
    const content = await answer.json().catch(() => ({}));
    if (!content.outputs) {
      throw new Error(content.error ?? `${this.address} answered with status ${answer.status}.`);
    }
    return content.outputs;
  }

  // A browser does not tell a page whether a server is down or does not allow requests from pages.
  #unreachable() {
    return (
      `No answer from ${new URL(this.address).origin}. Is TensorFlow Serving running there, and ` +
      "was it started with --enable_cors_support, which allows requests from pages?"
    );
  }
}

function side(labels, isUnspaced) {
  return { ids: null, labels, words: wordsOf(labels, isUnspaced), isUnspaced };
}

/** Return a text that TensorFlow Serving sent as a string, or as bytes {"b64": base64}. */
function textOf(value) {
  if (typeof value === "string") {
    return value;
  }
  const bytes = Uint8Array.from(atob(value.b64), (character) => character.charCodeAt(0));
  return new TextDecoder().decode(bytes);
}

/** Return the subwords of the only sentence. A server pads sentences that it merges. */
function subwordsOf(outputs, name) {
  return outputs[`${name}_subwords`][0].map(textOf).filter((label) => label !== PADDING);
}

/** Return {kind: list with the `Weights` of each layer}. */
function attentionOf(outputs, labels) {
  const kinds = Object.entries(SIDES).map(([kind, [queries, keys]]) => {
    const [layers] = outputs[`${kind}_attention`];
    const [rows, columns] = [labels[queries].length, labels[keys].length];
    return [kind, layers.map((heads) => visible(kind, heads, rows, columns))];
  });
  return Object.fromEntries(kinds);
}

/**
 * Return the weights to draw (keras_transformer.inspection.attention.weights).
 *
 * The last position of the target is omitted, because its prediction is not part of the target.
 * Decoder weights of later positions, which are masked, are NaN. An empty translation has no weights.
 *
 * @param heads nested lists (H, query, key), perhaps padded.
 * @param rows, columns number of queries and of keys without padding.
 */
function visible(kind, heads, rows, columns) {
  const size = {
    heads: heads.length,
    rows: kind === "encoder" ? rows : Math.max(rows - 1, 0),
    columns: kind === "decoder" ? Math.max(columns - 1, 0) : columns,
  };
  const shownRow = (row, i) =>
    row.slice(0, size.columns).map((weight, j) => (kind === "decoder" && j > i ? NaN : weight));
  const values = heads.flatMap((head) => head.slice(0, size.rows).flatMap(shownRow));
  return { ...size, values: Float32Array.from(values) };
}
