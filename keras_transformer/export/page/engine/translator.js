/** A translator: a sentence in, its translation and what the network did out. */

import { forced, logProbabilities, mostProbable } from "./forced.js";
import { rowsOf } from "./matrices.js";
import { NetworkSearch } from "./networkSearch.js";
import { occlusion } from "./occlusion.js";
import { principalComponents } from "./projection.js";
import { asRead } from "./sentence.js";
import { Subwords } from "./subwords.js";
import { SwitchedOff } from "./switchedOff.js";
import { Transformer } from "./transformer.js";
import { Weights } from "./weights.js";
import { wordsOf } from "./words.js";

/**
 * Translates with a `Transformer` and the subwords of its two languages.
 *
 * Each method takes one object and returns one, both of which a Web Worker can send. Ids are lists
 * of numbers. `off` is a list of {kind, layer, head}: heads that are switched off. `search` is
 * {beamSize, lengthPenalty}. A side is {ids, labels, words: {labels, numbers}, isUnspaced: whether
 * its language is written without spaces}, start and end tokens included.
 */
export class Translator {
  /**
   * @param description the block `model` of the page.
   * @param subwords {source, target}; the target is null if both languages share their subwords.
   * @param weights ArrayBuffer with the tensors.
   */
  constructor({ description, subwords, weights }) {
    const { network } = description;
    this.language = description.source_lang;
    this.unspaced = description.unspaced;
    this.sourceSubwords = new Subwords(subwords.source);
    this.targetSubwords = subwords.target ? new Subwords(subwords.target) : this.sourceSubwords;
    this.maxSourceLength = network.max_source_length;
    this.maxTargetLength = network.max_target_length;
    this.transformer = new Transformer(new Weights(description.tensors, weights), network);
    const { start, end } = this.targetSubwords;
    const target = { start, end, maxLength: this.maxTargetLength - 1 };
    this.networkSearch = new NetworkSearch(this.transformer, target, description.never);
  }

  /** Translate a sentence; an empty one has the empty translation. */
  translate({ text, search, off }) {
    const sentence = asRead(text, this.language);
    const { ids, truncated } = fitting(sentence, this.sourceSubwords, this.maxSourceLength);
    const source = side(ids, this.sourceSubwords, this.unspaced.source);
    const translated = ids.length ? this.continued({ source: ids, search, off }) : this.nothing();
    return { text, source, truncated, ...translated };
  }

  /** Search for a translation that begins with a prefix, by default the start token. */
  continued({ source, prefix, search, off }) {
    const heads = new SwitchedOff(off);
    const encoded = this.transformer.encode(source, heads);
    const { found } = this.networkSearch.search(encoded, search, heads, prefix);
    const [{ hypothesis, score }] = found;
    return {
      target: this.targetSide(hypothesis.ids),
      translation: this.targetSubwords.decode(hypothesis.ids),
      score,
      logProbability: hypothesis.logProbability,
      probabilities: hypothesis.logs.map(Math.exp),
      finished: hypothesis.last === this.targetSubwords.end,
    };
  }

  nothing() {
    const numbers = { score: 0, logProbability: 0, probabilities: [] };
    return { target: this.targetSide([]), translation: "", ...numbers, finished: true };
  }

  listed({ hypothesis, score }) {
    return { ids: hypothesis.ids, text: this.targetSubwords.decode(hypothesis.ids), score };
  }

  targetSide(ids) {
    return side(ids, this.targetSubwords, this.unspaced.target);
  }

  /**
   * Predict each id of a given target from the ids before it.
   *
   * As in a search, ids that must not be generated have no probability, except for those that the
   * target contains. The probabilities of a translation are therefore the same in all views.
   *
   * @returns the probability of each id after the start token, the `count` most probable ids in
   *     its place, the log probability of all, and the attention weights, see forced.js.
   */
  forced({ source, target, off, count = 5 }) {
    const bias = this.networkSearch.biasFor(target.slice(1));
    const heads = new SwitchedOff(off);
    const { logs, attention } = forced(this.transformer, source, target, heads, bias);
    const written = logs.map((each, i) => each[target[i + 1]]);
    return {
      probabilities: written.map(Math.exp),
      best: logs.map((each) => this.labelled(mostProbable(each, count))),
      logProbability: written.reduce((sum, log) => sum + log, 0),
      attention,
    };
  }

  labelled(predictions) {
    const labels = this.targetSubwords.labels(predictions.map(({ id }) => id));
    return predictions.map((each, i) => ({ ...each, label: labels[i] }));
  }

  /** Return the side of a translation that the reader typed, and whether it was truncated. */
  encodeTarget({ text }) {
    const { ids, truncated } = fitting(text, this.targetSubwords, this.maxTargetLength);
    return { ...this.targetSide(ids), truncated };
  }

  /** Run beam search, and return what became of each candidate at each position. */
  beam({ source, search, off }) {
    const heads = new SwitchedOff(off);
    const encoded = this.transformer.encode(source, heads);
    const { found, trace } = this.networkSearch.search(encoded, search, heads);
    const steps = trace.map((candidates, position) => ({
      position,
      candidates: candidates.map((candidate) => this.candidate(candidate, search)),
    }));
    const finished = found.filter(({ hypothesis }) => hypothesis.last === this.targetSubwords.end);
    return {
      steps,
      finished: finished.map((each, i) => ({ ...this.listed(each), rank: i + 1 })),
      best: found[0].hypothesis.ids,
    };
  }

  candidate({ parent, id, log, hypothesis, fate, slot }, search) {
    const [label] = this.targetSubwords.labels([id]);
    const { logProbability } = hypothesis;
    const score = hypothesis.score(search.lengthPenalty);
    return { parent, id, label, logProbability, probability: Math.exp(log), score, fate, slot };
  }

  /** Return how much each word of the source matters: see occlusion.js. */
  occlusion({ source, target, off }) {
    const { labels, numbers } = side(source, this.sourceSubwords, this.unspaced.source).words;
    const bias = this.networkSearch.biasFor(target.slice(1));
    const heads = new SwitchedOff(off);
    const found = occlusion(this.transformer, source, numbers, target, heads, bias);
    return {
      words: found.map(({ number }) => labels[number]),
      changes: found.map(({ changes }) => changes),
    };
  }

  /** Return the log probability of a target, in nats. */
  logProbability({ source, target, off }) {
    const bias = this.networkSearch.biasFor(target.slice(1));
    const heads = new SwitchedOff(off);
    const logs = logProbabilities(this.transformer, source, target, heads, bias);
    return logs.reduce((sum, log) => sum + log, 0);
  }

  /**
   * Return the embeddings of a source before and after the positions are added to them, projected
   * to their two principal components (keras_transformer.inspection.embedded_sentence).
   */
  embedded({ ids }) {
    const { embedding } = this.transformer.encoder;
    const before = rowsOf(embedding.scaled(ids));
    const { coordinates, explained } = principalComponents([
      ...before,
      ...rowsOf(embedding.call(ids)),
    ]);
    return {
      labels: this.sourceSubwords.labels(ids),
      before: coordinates.slice(0, ids.length),
      after: coordinates.slice(ids.length),
      variance: explained,
    };
  }
}

/** Return the ids of a text, none if it is empty, truncated to `longest`. */
function fitting(text, subwords, longest) {
  const ids = subwords.encode(text);
  if (ids.length <= 2) {
    return { ids: [], truncated: false }; // nothing between the start and the end token
  }
  const truncated = ids.length > longest;
  return { ids: truncated ? [...ids.slice(0, longest - 1), subwords.end] : ids, truncated };
}

function side(ids, subwords, isUnspaced) {
  const labels = subwords.labels(ids);
  return { ids, labels, words: wordsOf(labels, isUnspaced), isUnspaced };
}
