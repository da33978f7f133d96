/** Beam search: the hypotheses that competed, as a tree. */

import { uniqueName } from "../interface/controls.js";
import { about, element } from "../interface/dom.js";
import { decimal, percent } from "../interface/numbers.js";
import { pictureTable } from "../interface/pictureTable.js";
import { MAX_PENALTY, searchSliders } from "../interface/searchSettings.js";
import { fateOf, prefixOf } from "./beamNode.js";
import { BeamPicture } from "./beamPicture.js";
import { nodeWith, pathTo, rowsOf, treeOf } from "./beamTree.js";
import { FoundTranslations } from "./foundTranslations.js";
import { greedyTrace } from "./greedyTrace.js";
import { penaltyEffect } from "./penaltyEffect.js";
import { legible } from "./pieces.js";

const COLUMNS = ["Continues", "Subword", "Probability", "Log probability", "Score", "Outcome"];
const GREEDY =
  "Greedy search keeps a single hypothesis: at each position, it adds the most probable subword " +
  "(but <end> cannot come first). Choose a larger beam size to see hypotheses compete.";
const HINT =
  "Thicker lines lead to more probable subwords. Choose a subword to see its numbers; arrow keys " +
  "move along the lines.";
const ABOUT =
  "At each position, the most probable continuations of all hypotheses are the candidates, of " +
  "which as many as the beam size are kept. A hypothesis with <end> is a translation, and its " +
  "score is its log probability divided by a penalty that grows with its length: " +
  "((5 + length) / 6) to the power of the length penalty. A translation has at least one " +
  "subword, so <end> cannot come first.";
const MODULE = "keras_transformer.search.beam";

class BeamView {
  /** @param page {backend, state, announce}. */
  constructor({ backend, state }) {
    this.backend = backend;
    this.state = state;
    const { target_lang: language } = backend.description;
    const choose = (rank) => state.set({ hypothesis: rank });
    this.sliders = searchSliders(state);
    this.lead = element("p", { class: "lead" });
    this.dropped = element("input", {
      type: "checkbox",
      id: uniqueName("dropped"),
      onchange: () => state.set({ dropped: this.dropped.checked ? "shown" : "hidden" }),
    });
    this.picture = new BeamPicture(language, choose);
    this.table = pictureTable();
    this.title = element("h3", {});
    this.found = new FoundTranslations(language, choose);
    this.effect = element("p", { class: "effect" });
    this.element = this.layout();
  }

  layout() {
    const { beam, penalty } = this.sliders;
    const label = element("label", { for: this.dropped.id }, "Show dropped candidates");
    const dropped = element("div", { class: "switch" }, this.dropped, label);
    return element(
      "div",
      { class: "view-beam" },
      element("h2", {}, "Which translations compete?"),
      this.lead,
      element("div", { class: "controls" }, beam.element, penalty.element, dropped),
      element("p", { class: "hint" }, HINT),
      this.picture.element,
      this.table.element,
      element("section", { class: "ended-list" }, this.title, this.found.element, this.effect),
      about(ABOUT, MODULE),
    );
  }

  /** @param result of a translation. */
  async update(result) {
    const trace = await this.trace(result);
    const { ids, labels } = result.target;
    const tree = treeOf({ id: ids[0], label: labels[0] }, trace.steps);
    const found = foundIn(tree, trace, result);
    const ended = trace.finished.length ? found : [];
    this.showSettings(ended.length);
    this.draw(tree, found, ended);
    const hasStopped = this.hasStopped(trace);
    this.effect.textContent = penaltyEffect(ended, MAX_PENALTY, hasStopped);
  }

  draw(tree, found, ended) {
    const { beam: beamSize, penalty: alpha, hypothesis, dropped } = this.state.values;
    const [{ node: winner }] = found;
    const chosen = found[Math.min(Math.max(hypothesis, 1), found.length) - 1];
    const ranks = new Map(ended.map(({ node, rank }) => [node, rank]));
    const search = { beamSize, alpha, ranks };
    const isShown = ({ fate }) => dropped === "shown" || fate !== "dropped";
    const rows = rowsOf(tree, pathTo(winner), isShown);
    this.picture.update({ tree, rows, winner, chosen: chosen.node, search });
    this.table.update(tableOf(tree, search));
    this.found.update(found, alpha, chosen.rank);
  }

  async trace(result) {
    const { beam: beamSize, penalty: lengthPenalty } = this.state.values;
    const source = result.source.ids;
    if (beamSize > 1) {
      return this.backend.beam({ source, search: { beamSize, lengthPenalty }, off: [] });
    }
    const given = { source, target: result.target.ids, off: [] };
    const { best } = await this.backend.forced(given);
    return greedyTrace(result, best, this.backend.description.never, lengthPenalty);
  }

  /** Return whether the search stopped before as many hypotheses had ended as it may find. */
  hasStopped({ steps, finished }) {
    const longest = this.backend.description.network.max_target_length - 1;
    const count = finished.length;
    return count > 0 && count < this.state.values.beam && steps.length < longest;
  }

  /** Show the settings. @param count number of hypotheses that ended. */
  showSettings(count) {
    const { beam, penalty, dropped } = this.state.values;
    this.sliders.beam.update(beam);
    this.sliders.penalty.update(penalty);
    this.dropped.checked = dropped === "shown";
    this.lead.textContent = leadOf(beam);
    this.title.textContent = titleOf(count);
  }
}

function leadOf(beamSize) {
  return beamSize === 1
    ? GREEDY
    : `Beam search keeps the ${beamSize} most probable hypotheses at each position. Of those that ` +
        "end, the one with the best score is the translation.";
}

function titleOf(count) {
  if (count === 0) {
    return "No hypothesis has ended, so the most probable one is the translation";
  }
  return count === 1
    ? "The hypothesis that has ended"
    : `The ${count} best hypotheses that have ended`;
}

/** Return the translations that were found, {rank, text, score, node, logProbability, length}. */
function foundIn(tree, { finished, best }, { translation: text, score }) {
  const all = finished.length ? finished : [{ rank: 1, ids: best, text, score }];
  return all.map((each) => {
    const node = nodeWith(tree, each.ids);
    return { ...each, node, logProbability: node.logProbability, length: node.column };
  });
}

/** Return all candidates as a table. */
function tableOf({ columns }, search) {
  const nodes = columns.slice(1).flat();
  const cells = nodes.map((node) => [
    node.parent.parent ? prefixOf(node.parent) : node.parent.label,
    legible(node.label),
    percent(node.probability),
    decimal(node.logProbability),
    decimal(node.score),
    fateOf(node, search),
  ]);
  return {
    caption: "All candidates of each position, the best first.",
    corner: "Position",
    rows: nodes.map(({ column }) => String(column)),
    columns: COLUMNS,
    cell: (row, column) => cells[row][column],
  };
}

export const beam = {
  name: "beam",
  title: "Beam search",
  needsNetwork: true,
  make: (page) => new BeamView(page),
};
