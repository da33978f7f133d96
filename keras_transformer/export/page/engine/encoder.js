/** The encoder, which reads the source (keras_transformer.model.encoder). */

import { everything } from "./masks.js";
import { FeedForward, finalNormalization, SelfAttention } from "./sublayers.js";

/** Self-attention, then a feed-forward network. */
class EncoderLayer {
  constructor(weights, path, network) {
    this.selfAttention = new SelfAttention(weights, `${path}/self_attention`, network);
    this.feedForward = new FeedForward(weights, `${path}/feed_forward`, network);
  }

  /** Return the output (S, D) for x (S, D), and the attention weights. */
  call(x, off) {
    const { output, weights } = this.selfAttention.call(x, everything, off);
    return { output: this.feedForward.call(output), weights };
  }
}

/** Embeds the source and passes it through the encoder layers. */
export class Encoder {
  /**
   * @param weights the `Weights` of the network.
   * @param network the sizes and options of the network.
   * @param embedding the `PositionalEmbedding` of the source.
   */
  constructor(weights, network, embedding) {
    this.embedding = embedding;
    this.layers = Array.from({ length: network.encoder_layers }, (_, i) => {
      return new EncoderLayer(weights, `encoder/layer${i + 1}`, network);
    });
    this.finalNormalization = finalNormalization(weights, "encoder", network);
  }

  /**
   * Encode source ids.
   *
   * @param ids the ids (S).
   * @param off the `SwitchedOff` heads.
   * @returns the encoded source (S, D) and the attention weights of each layer.
   */
  call(ids, off) {
    let x = this.embedding.call(ids);
    const attention = this.layers.map((layer, i) => {
      const { output, weights } = layer.call(x, off.heads("encoder", i + 1));
      x = output;
      return weights;
    });
    return { output: this.finalNormalization(x), attention };
  }
}
