/** The header and the footer of the page. */

import { element } from "./dom.js";
import { languageNames } from "./labels.js";
import { large } from "./numbers.js";

/** Return the header: what translates, and where it runs. */
export function pageHeader(description) {
  return element(
    "header",
    { class: "page-header" },
    element("h1", {}, title(description)),
    element(
      "p",
      { class: "quiet" },
      description.server ? served(description) : contained(description),
    ),
  );
}

function title(description) {
  const { source, target } = languageNames(description);
  const languages = description.source_lang ? ` ${source} into ${target}` : "";
  return `How a Transformer translates${languages}`;
}

function contained({ name, network }) {
  const { encoder_layers: encoder, decoder_layers: decoder, num_heads: heads, weights } = network;
  return (
    `${name}: ${encoder} encoder and ${decoder} decoder layers with ${heads} heads each, ` +
    `${large(weights)} weights. The network is in this file and runs in your browser.`
  );
}

function served({ name, server }) {
  return `${name} runs on ${new URL(server).host}, which receives what you type.`;
}

/** Return the footer. */
export function pageFooter({ version }) {
  return element(
    "footer",
    { class: "page-footer quiet" },
    `Made with keras_transformer ${version}`,
  );
}
