/** The complete network (keras_transformer.model.transformer). */

import { Decoder } from "./decoder.js";
import { PositionalEmbedding } from "./embeddings.js";
import { Encoder } from "./encoder.js";
import { dense } from "./kernels.js";

const TABLE = "embedding/embedding/embeddings";

/** Encoder, decoder and a final linear layer (Vaswani et al. 2017). */
export class Transformer {
  /**
   * @param weights the `Weights`.
   * @param network the sizes and options of the network, from the description.
   */
  constructor(weights, network) {
    const longest = Math.max(network.max_source_length, network.max_target_length);
    const [source, target] = embeddings(weights, network, longest);
    this.encoder = new Encoder(weights, network, source);
    this.decoder = new Decoder(weights, network, target);
    const isTied = network.tied_embeddings !== "none";
    this.finalKernel = isTied ? target.table : weights.matrix("final_layer/kernel"); // (V, D)
    this.finalBias = weights.vector("final_layer/bias");
  }

  /**
   * Encode a source for `step` and `call`.
   *
   * @param ids source ids (S).
   * @param off the `SwitchedOff` heads.
   * @returns the keys and values of each decoder layer, and the encoder's attention weights.
   */
  encode(ids, off) {
    const { output, attention } = this.encoder.call(ids, off);
    return { keysAndValues: this.decoder.keysAndValues(output), attention };
  }

  /**
   * Compute the logits of all target positions.
   *
   * @param source what `encode` returned.
   * @param ids target ids (T).
   * @param off the `SwitchedOff` heads.
   * @param bias see `finalLayer`.
   * @returns logits (T, V), of which row t predicts id t + 1, and the weights of each decoder layer.
   */
  call(source, ids, off, bias) {
    const { output, attention } = this.decoder.call(ids, source.keysAndValues, off);
    return { logits: this.finalLayer(output, bias), attention };
  }

  /**
   * Return logits (n, V) of features (n, D).
   *
   * @param bias a bias in place of the network's, for a search that must not choose some ids.
   */
  finalLayer(features, bias) {
    return dense(features, this.finalKernel, bias);
  }
}

/** Return the embeddings of the source and of the target, which may share a table. */
function embeddings(weights, network, longest) {
  const make = (stack) => new PositionalEmbedding(weights.matrix(`${stack}/${TABLE}`), longest);
  const source = make("encoder");
  return [source, network.tied_embeddings === "all" ? source : make("decoder")];
}
