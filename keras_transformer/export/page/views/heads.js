/** What a head does: switching heads off, and attention next to occlusion. */

import { about, element } from "../interface/dom.js";
import { headsOf, listed, listOf } from "../interface/heads.js";
import { languageName } from "../interface/labels.js";
import { HeadCosts } from "./headCosts.js";
import { HeadEffect, spokenEffect } from "./headEffect.js";
import { HeadSwitches } from "./headSwitches.js";
import { Occlusion } from "./occlusion.js";
import { WordChanges } from "./wordChanges.js";

const ABOUT =
  "A head that is off adds 0 to the output of its layer, and everything after it is computed again. " +
  "Occlusion leaves out one word of the source and compares the log probabilities.";
const ALL_ON = "All heads are on.";
const MODULE = "keras_transformer.model.attention";

class HeadsView {
  /** @param page {backend, state, announce}. */
  constructor({ backend, state, announce }) {
    const { network, source_lang: source, target_lang: target } = backend.description;
    this.backend = backend;
    this.state = state;
    this.announce = announce;
    this.announced = ALL_ON;
    this.heads = headsOf(network);
    this.effect = new HeadEffect(target, (off) => this.switchAndFocus(off));
    this.words = new WordChanges(target);
    this.switches = new HeadSwitches(this.heads, titles(source, target), (off) => this.switch(off));
    this.costs = new HeadCosts(backend, this.heads, (losses) => this.switches.updateLosses(losses));
    this.occlusion = new Occlusion(network, (changes) => state.set(changes));
    this.element = this.layout();
  }

  layout() {
    return element(
      "div",
      { class: "view-heads" },
      element("h2", {}, "What does a head do?"),
      element(
        "p",
        { class: "lead" },
        "Switch heads off, in this view only, and see what changes. The number on a head is how much " +
          "the log probability of the translation falls if only this head is off, in nats (1 nat: " +
          "2.7 times less probable). A negative number is a gain.",
      ),
      element(
        "div",
        { class: "switching" },
        this.effect.original,
        this.effect.changed,
        this.switches.element,
        this.words.element,
      ),
      this.occlusion.element,
      about(ABOUT, MODULE),
    );
  }

  /** Switch some heads off, and all others on. */
  switch(off) {
    this.state.set({ off: listOf(off) }, { push: off.length === 0 });
  }

  /** Switch heads by a button that disappears then. */
  switchAndFocus(off) {
    this.switch(off);
    this.switches.focus(off[0] ?? this.heads[0]);
  }

  /** @param result of a translation with all heads. */
  async update(result) {
    const { values } = this.state;
    const off = listed(values.off, this.heads);
    const pair = { source: result.source.ids, target: result.target.ids };
    this.switches.update(off);
    const [whole, effect] = await Promise.all([
      this.backend.forced({ ...pair, off: [] }),
      off.length ? this.without(off, pair, result.text) : null,
    ]);
    this.effect.update(result, whole, effect);
    this.words.update(result.target, whole, effect?.without ?? null);
    this.announceOnce(effect ? spokenEffect(whole, effect) : ALL_ON);
    await Promise.all([
      this.showCosts(pair, whole.logProbability),
      this.showOcclusion(pair, result, whole.attention.cross),
    ]);
  }

  announceOnce(text) {
    if (text !== this.announced) {
      this.announced = text;
      this.announce(text);
    }
  }

  /** Return what happens without some heads. */
  async without(off, pair, text) {
    const { beam: beamSize, penalty: lengthPenalty } = this.state.values;
    const [translated, without] = await Promise.all([
      this.backend.translate({ text, search: { beamSize, lengthPenalty }, off }),
      this.backend.forced({ ...pair, off }),
    ]);
    return { off, translated, without };
  }

  async showCosts(pair, whole) {
    await this.costs.update(pair, whole, () => this.state.values.view === "heads");
    const head = this.costs.most();
    if (head && !listed(this.state.values.off, this.heads).length) {
      this.effect.suggest(head);
    }
  }

  async showOcclusion(pair, result, cross) {
    const { changes } = await this.backend.occlusion(pair);
    this.occlusion.update(result, changes, cross, this.state.values);
  }
}

/** Return {kind: {title, description}}. */
function titles(source, target) {
  const [from, to] = [source, target].map(languageName);
  return {
    encoder: { title: "Encoder", description: `${from} attends to ${from}` },
    decoder: { title: "Decoder", description: `${to} attends to earlier ${to}` },
    cross: { title: "Cross-attention", description: `${to} attends to ${from}` },
  };
}

export const heads = {
  name: "heads",
  title: "Heads",
  needsNetwork: true,
  make: (page) => new HeadsView(page),
};
