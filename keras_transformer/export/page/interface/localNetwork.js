/** The network in this page, which computes in a Web Worker. */

import { bytesOf } from "../engine/base64.js";

const METHODS = [
  "translate",
  "forced",
  "continued",
  "encodeTarget",
  "beam",
  "occlusion",
  "logProbability",
  "embedded",
];

/** Sends requests to the worker, and matches its answers with them. */
export class LocalNetwork {
  methods = METHODS;
  #worker = new Worker(URL.createObjectURL(new Blob([content("worker")])));
  #requests = new Map();
  #count = 0;
  #loaded;

  /** @param description the block `model` of the page. */
  constructor(description) {
    this.#worker.onmessage = ({ data }) => this.#receive(data);
    this.#worker.onerror = ({ message }) => this.#fail(message);
    const subwords = JSON.parse(content("subwords"));
    const { buffer } = bytesOf(content("weights"));
    this.#loaded = this.#send("load", { description, subwords, weights: buffer }, [buffer]);
  }

  /** Return a promise of the answer to a request, which fails if the network cannot be loaded. */
  async ask(method, given) {
    await this.#loaded;
    return this.#send(method, given);
  }

  #send(method, given, transferred = []) {
    return new Promise((resolve, reject) => {
      const id = ++this.#count;
      this.#requests.set(id, { resolve, reject });
      this.#worker.postMessage({ id, method, arguments: given }, transferred);
    });
  }

  #receive({ id, result, error }) {
    const { resolve, reject } = this.#requests.get(id);
    this.#requests.delete(id);
    if (error === undefined) {
      resolve(result);
    } else {
      reject(new Error(error));
    }
  }

  #fail(message) {
    this.#requests.forEach(({ reject }) => reject(new Error(message)));
    this.#requests.clear();
  }
}

/** Return the text of a data block of the page. */
function content(id) {
  return document.getElementById(id).textContent;
}
