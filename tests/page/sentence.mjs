/** Writes each text as the network reads it, and with direct speech in double quotation marks. */

import { readFileSync, writeFileSync } from "node:fs";
import {
  withDoubleQuotes,
  withStraightApostrophes,
} from "../../keras_transformer/export/page/engine/quotes.js";
import { asRead } from "../../keras_transformer/export/page/engine/sentence.js";

const texts = JSON.parse(readFileSync(0));
const quoted = texts.map((text) => withDoubleQuotes(withStraightApostrophes(text)));
writeFileSync(1, JSON.stringify({ read: texts.map((text) => asRead(text, "en")), quoted }));
