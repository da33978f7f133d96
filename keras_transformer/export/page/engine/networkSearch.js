/** The search with a network (keras_transformer.translation.network_search). */

import { BeamSearch } from "./beam.js";
import { greedySearch } from "./greedy.js";
import { following } from "./strategy.js";
import { NEVER } from "./topK.js";

/** Searches for the translations that a network finds most probable. */
export class NetworkSearch {
  /**
   * @param transformer the `Transformer`.
   * @param target {start, end, maxLength}: ids of the start and end tokens, and the maximum number
   *     of ids of a translation without the start token.
   * @param never target ids that must not be generated.
   */
  constructor(transformer, target, never) {
    this.transformer = transformer;
    this.target = target;
    this.never = never;
    this.bias = this.biasFor([]);
  }

  /**
   * Return the bias of the final layer with which ids that must not be generated have the
   * probability 0, except for those that a given target contains.
   */
  biasFor(target) {
    const bias = this.transformer.finalBias.slice();
    for (const id of this.never.filter((each) => !target.includes(each))) {
      bias[id] += NEVER;
    }
    return bias;
  }

  /** Return the step function for an encoded source; see strategy.js. */
  step(source, off) {
    return (ids, position, caches) => {
      const { decoder } = this.transformer;
      const found = decoder.step(ids, position, caches, source.keysAndValues, off);
      return { logits: this.transformer.finalLayer(found.output, this.bias), states: found.caches };
    };
  }

  /**
   * Search for translations of an encoded source.
   *
   * @param source what `Transformer.encode` returned.
   * @param settings {beamSize, lengthPenalty}; a beam of 1 is greedy search.
   * @param off the `SwitchedOff` heads.
   * @param prefix ids with which the translation begins, the start token first.
   * @returns {found: list of {hypothesis, score}, best first, trace: see `BeamSearch`}.
   */
  search(source, settings, off, prefix = [this.target.start]) {
    const step = this.step(source, off);
    const first = following(step, prefix, this.transformer.decoder.emptyCaches());
    if (settings.beamSize === 1) {
      const hypothesis = greedySearch(step, first, this.target);
      return {
        found: [{ hypothesis, score: hypothesis.score(settings.lengthPenalty) }],
        trace: [],
      };
    }
    const beam = new BeamSearch(step, settings, this.target);
    return { found: beam.search(first), trace: beam.trace };
  }
}
