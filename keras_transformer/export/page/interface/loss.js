/** Losses of log probability, in words. */

import { decimal } from "./numbers.js";

const [LONG, LARGEST] = [1e6, 1e12]; // from here on "1 million", "over a trillion"
const DIGITS = { maximumSignificantDigits: 2 };
const exact = new Intl.NumberFormat("en", DIGITS);
const compact = new Intl.NumberFormat("en", {
  ...DIGITS,
  notation: "compact",
  compactDisplay: "long",
});

/** Return whether a loss, in nats, changes a probability by at least half a percent. */
export function isNoticeable(loss) {
  return Math.exp(Math.abs(loss)) >= 1.005;
}

/**
 * Return what a loss of log probability does to the probability, such as "17 times less probable".
 *
 * @param loss in nats; negative for a gain.
 */
export function comparison(loss) {
  if (!isNoticeable(loss)) {
    return "as probable as before";
  }
  const factor = Math.exp(Math.abs(loss));
  return loss > 0 ? less(factor) : more(factor);
}

/** Return how a number changes, such as "falls from −3.93 to −6.10". */
export function movement(before, after) {
  const [from, to] = [before, after].map((number) => decimal(number));
  const verb = after < before ? "falls" : "rises";
  return from === to ? `stays at ${to}` : `${verb} from ${from} to ${to}`;
}

function less(factor) {
  return factor < 2
    ? `${Math.round(100 * (1 - 1 / factor))}% less probable`
    : `${times(factor)} less probable`;
}

function more(factor) {
  return factor < 2
    ? `${Math.round(100 * (factor - 1))}% more probable`
    : `${times(factor)} as probable`;
}

function times(factor) {
  const format = factor < LONG ? exact : compact;
  return factor > LARGEST ? "over a trillion times" : `${format.format(factor)} times`;
}
