/** The decoder, which predicts the target given the source (keras_transformer.model.decoder). */

import { lookAhead } from "./masks.js";
import { CrossAttention, FeedForward, finalNormalization, SelfAttention } from "./sublayers.js";

/** Masked self-attention, attention to the source, then a feed-forward network. */
class DecoderLayer {
  constructor(weights, path, network) {
    this.selfAttention = new SelfAttention(weights, `${path}/self_attention`, network);
    this.crossAttention = new CrossAttention(weights, `${path}/cross_attention`, network);
    this.feedForward = new FeedForward(weights, `${path}/feed_forward`, network);
  }

  /**
   * Compute all target positions.
   *
   * @param x matrix (T, D).
   * @param source the keys and values of the source.
   * @param off {decoder, cross}: sets of heads that are switched off.
   * @returns the output (T, D), and the weights of both kinds of attention.
   */
  call(x, source, off) {
    const own = this.selfAttention.call(x, lookAhead, off.decoder);
    const cross = this.crossAttention.call(own.output, source, off.cross);
    const output = this.feedForward.call(cross.output);
    return { output, decoder: own.weights, cross: cross.weights };
  }

  /** Compute one more position of k hypotheses (k, D); for `caches` see `SelfAttention.step`. */
  step(x, caches, source, off) {
    const own = this.selfAttention.step(x, caches, off.decoder);
    const cross = this.crossAttention.call(own.output, source, off.cross);
    return { output: this.feedForward.call(cross.output), caches: own.caches };
  }
}

/** Embeds the target and passes it through the decoder layers. */
export class Decoder {
  /**
   * @param weights the `Weights` of the network.
   * @param network the sizes and options of the network.
   * @param embedding the `PositionalEmbedding` of the target.
   */
  constructor(weights, network, embedding) {
    this.embedding = embedding;
    this.layers = Array.from({ length: network.decoder_layers }, (_, i) => {
      return new DecoderLayer(weights, `decoder/layer${i + 1}`, network);
    });
    this.finalNormalization = finalNormalization(weights, "decoder", network);
  }

  /** Return the keys and values of an encoded source (S, D), for each layer. */
  keysAndValues(encoded) {
    return this.layers.map((layer) => layer.crossAttention.keysAndValues(encoded));
  }

  /** Return the empty caches of a hypothesis, one for each layer. */
  emptyCaches() {
    return this.layers.map(() => ({ keys: [], values: [] }));
  }

  /**
   * Compute all target positions at once.
   *
   * @param ids target ids (T).
   * @param sources the `keysAndValues` of the source.
   * @param off the `SwitchedOff` heads.
   * @returns the output (T, D), and the weights of each layer: {decoder, cross}.
   */
  call(ids, sources, off) {
    let x = this.embedding.call(ids);
    const attention = this.layers.map((layer, i) => {
      const { output, ...weights } = layer.call(x, sources[i], off.decoderLayer(i + 1));
      x = output;
      return weights;
    });
    return { output: this.finalNormalization(x), attention };
  }

  /**
   * Compute one more position of k hypotheses side by side.
   *
   * @param ids the id of each hypothesis at the position (k).
   * @param position the position; 0 for the start token.
   * @param caches the caches of each hypothesis, one for each layer.
   * @param sources the `keysAndValues` of the source.
   * @param off the `SwitchedOff` heads.
   * @returns the output (k, D), and the caches of each hypothesis with this position.
   */
  step(ids, position, caches, sources, off) {
    let x = this.embedding.step(ids, position);
    const grown = caches.map(() => []);
    this.layers.forEach((layer, i) => {
      const previous = caches.map((each) => each[i]);
      const found = layer.step(x, previous, sources[i], off.decoderLayer(i + 1));
      found.caches.forEach((cache, hypothesis) => {
        grown[hypothesis].push(cache);
      });
      x = found.output;
    });
    return { output: this.finalNormalization(x), caches: grown };
  }
}
