/** The state of the page, which is also in the fragment of its address, so that it can be linked. */

const WRITE_DELAY = 300; // ms; browsers limit how often the address may change

const text = (initial) => ({ initial, parse: (given) => given });
const choice = (...options) => ({
  initial: options[0],
  parse: (given) => (options.includes(given) ? given : options[0]),
});
const number = (initial, pattern) => ({
  initial,
  parse: (given) => (pattern.test(given) ? Number(given) : initial),
});
const whole = (initial) => number(initial, /^\d{1,4}$/);
/** Part of a sentence: forgotten when the text or the sentence changes. */
const part = (key) => ({ ...key, isPart: true });

// Layers and heads are counted from 1. The initial values that are null depend on the network.
const KEYS = {
  text: text(null),
  sentence: whole(0), // which sentence of the text
  view: text("attention"),
  kind: choice("cross", "encoder", "decoder"),
  layer: whole(null), // null: the last
  head: { initial: "mean", parse: (given) => (/^[1-9]\d?$/.test(given) ? Number(given) : "mean") },
  units: choice("words", "subwords"),
  word: part(text("")), // "r2": row 2 of the attention, "c3": column 3
  step: part(whole(0)), // of decoding
  prefix: part(text("")), // ids that the translation must begin with: "12.7"
  target: part(text("")), // the reader's own translation
  beam: number(null, /^([1-9]|10)$/),
  penalty: number(null, /^([0-2](\.\d{1,2})?|3)$/),
  hypothesis: part(whole(1)), // rank of a translation that beam search found
  dropped: choice("hidden", "shown"), // candidates of beam search
  off: text(""), // heads that are switched off: "c1.2,e2.3"
  position: whole(3), // where the hands of the positional encoding differ
};

/** Holds the values of all keys, immutable, and tells listeners about changes. */
export class State {
  #listeners = [];
  #timer = null;

  /** @param initial {key: value} where the initial value depends on the network. */
  constructor(initial) {
    this.initial = Object.fromEntries(
      Object.entries(KEYS).map(([key, each]) => [key, initial[key] ?? each.initial]),
    );
    this.values = this.#read();
    addEventListener("hashchange", () => this.#change(this.#read()));
  }

  /** Call `listener(values, previous)` after each change. */
  subscribe(listener) {
    this.#listeners.push(listener);
  }

  /**
   * Change values.
   *
   * @param changes {key: value}.
   * @param push whether the browser's back button undoes this change. Otherwise it undoes it
   *     together with the last change that was pushed.
   */
  set(changes, { push = false } = {}) {
    const values = { ...this.values, ...this.#forgotten(changes), ...changes };
    if (push) {
      this.#write("replaceState"); // what is not written yet belongs to the previous entry
    }
    this.#change(values);
    clearTimeout(this.#timer);
    if (push) {
      this.#write("pushState");
    } else {
      this.#timer = setTimeout(() => this.#write("replaceState"), WRITE_DELAY);
    }
  }

  /** Return the initial values of the parts of a sentence, if changes choose another one. */
  #forgotten(changes) {
    const isOther = ["text", "sentence"].some(
      (key) => key in changes && changes[key] !== this.values[key],
    );
    const parts = Object.keys(KEYS).filter((key) => isOther && KEYS[key].isPart);
    return Object.fromEntries(parts.map((key) => [key, this.initial[key]]));
  }

  #change(values) {
    const previous = this.values;
    this.values = Object.freeze(values);
    this.#listeners.forEach((listener) => listener(this.values, previous));
  }

  #read() {
    const given = new URLSearchParams(location.hash.slice(1));
    const values = Object.entries(KEYS).map(([key, { parse }]) => {
      const value = given.has(key) ? parse(given.get(key)) : null;
      return [key, value ?? this.initial[key]];
    });
    return Object.freeze(Object.fromEntries(values));
  }

  #write(method) {
    const changed = Object.entries(this.values).filter(
      ([key, value]) => value !== this.initial[key],
    );
    history[method](null, "", `#${new URLSearchParams(changed)}`);
  }
}
