/** The Web Worker, in which the network computes while the page stays responsive. */

import { Translator } from "./engine/translator.js";

let translator;

/** Return the answer to a request of the page. */
function answer(method, given) {
  if (method === "load") {
    translator = new Translator(given);
    return null;
  }
  return translator[method](given);
}

self.onmessage = ({ data: { id, method, arguments: given } }) => {
  try {
    self.postMessage({ id, result: answer(method, given) });
  } catch (error) {
    self.postMessage({ id, error: error.message });
  }
};
