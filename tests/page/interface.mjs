/** Calls functions of the page's interface: a list of [module, function, arguments]. */

import { readFileSync, writeFileSync } from "node:fs";

const INTERFACE = "../../keras_transformer/export/page/interface/";

/** NaN becomes null, which JSON has, and the other way round. */
const plain = (_, value) => (ArrayBuffer.isView(value) ? Array.from(value) : value);
const floats = (key, value) =>
  key === "values" ? Float32Array.from(value, (each) => each ?? Number.NaN) : value;

const calls = JSON.parse(readFileSync(0, "utf8"), floats);
const answers = calls.map(async ([module, name, given]) => {
  const functions = await import(`${INTERFACE}${module}.js`);
  return functions[name](...given);
});
writeFileSync(1, JSON.stringify(await Promise.all(answers), plain));
