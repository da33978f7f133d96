/** Translates texts with a server that answers nothing, and writes the sources that it was sent. */

import { readFileSync, writeFileSync } from "node:fs";
import { Server } from "../../keras_transformer/export/page/interface/server.js";

const sent = [];
globalThis.fetch = async (address, { body }) => {
  sent.push(...JSON.parse(body).inputs.source);
  return { status: 500, json: async () => ({}) };
};
const server = new Server({ server: "http://localhost:8501/v1/models/en-de" });
for (const text of JSON.parse(readFileSync(0))) {
  await server.translate({ text }).catch(() => {});
}
writeFileSync(1, JSON.stringify(sent));
