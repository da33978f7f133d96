/**
 * Translates texts with a server that answers nothing, and then one whose translation is empty.
 * Writes the sources that were sent, and the result of the empty translation.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { Server } from "../../keras_transformer/export/page/interface/server.js";

const SOURCE = ["<start>", "▁我", "吃", "<end>"];
// Of a sentence without subwords, a server returns a row of padding.
const ANSWERS = {
  serving_default: { translation: [""], score: [-1] },
  attention: {
    source_subwords: [SOURCE],
    target_subwords: [["<pad>", "<pad>"]],
    encoder_attention: [[[SOURCE.map(() => [0.25, 0.25, 0.25, 0.25])]]],
    decoder_attention: [
      [
        [
          [
            [0.5, 0.5],
            [0.5, 0.5],
          ],
        ],
      ],
    ].flat(),
    cross_attention: [[[[0, 1].map(() => [0.25, 0.25, 0.25, 0.25])]]].flat(),
  },
};

const sent = [];
globalThis.fetch = async (_address, { body }) => {
  sent.push(...JSON.parse(body).inputs.source);
  return { status: 500, json: async () => ({}) };
};
const description = {
  server: "http://localhost:8501/v1/models/zh-de",
  unspaced: { source: true, target: false },
};
const server = new Server(description);
for (const text of JSON.parse(readFileSync(0))) {
  await server.translate({ text }).catch(() => {});
}
globalThis.fetch = async (_address, { body }) => {
  const { signature_name: name } = JSON.parse(body);
  return { status: 200, json: async () => ({ outputs: ANSWERS[name] }) };
};
const empty = await server.translate({ text: "我吃" });
const plain = (_, value) => (ArrayBuffer.isView(value) ? Array.from(value) : value);
writeFileSync(1, JSON.stringify({ sent, empty }, plain));
