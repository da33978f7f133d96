/** Makes requests of which some are dropped, and writes what was run and answered. */

import { writeFileSync } from "node:fs";
import {
  Client,
  Queue,
  remembering,
} from "../../keras_transformer/export/page/interface/requests.js";

const run = [];
const answered = [];

/** A network whose answer, after a while, is the method and what it was given. */
async function ask(method, given) {
  run.push(given);
  await new Promise((resolve) => setTimeout(resolve, 1));
  if (given === "wrong") {
    throw new Error("failed");
  }
  return `${method} ${given}`;
}

const queue = new Queue(remembering(ask));
const client = () => new Client(queue, { server: null }, ["translate"]);
const [view, other] = [client(), client()];
const note = (answer) => answered.push(answer);

view.translate("sent, then dropped").then(note);
view.translate("dropped while waiting").then(note);
const kept = [other.translate("of another view").then(note)];
view.renew();
kept.push(view.translate("wrong").catch((error) => note(error.message)));
kept.push(view.translate("newest").then(note));
kept.push(view.translate("newest").then(note));
await Promise.all(kept);
writeFileSync(1, JSON.stringify({ run, answered }));
