/** What computes: the network in this page, or a server. */

import { LocalNetwork } from "./localNetwork.js";
import { Client, Queue, remembering } from "./requests.js";
import { Server } from "./server.js";

/**
 * Return a function that returns a new `Client`.
 *
 * @param description the block `model` of the page.
 */
export function connected(description) {
  const network =
    description.server === null ? new LocalNetwork(description) : new Server(description);
  const queue = new Queue(remembering((method, given) => network.ask(method, given)));
  return () => new Client(queue, description, network.methods);
}
