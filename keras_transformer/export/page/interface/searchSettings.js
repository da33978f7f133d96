/** The settings of the search: beam size and length penalty. */

import { slider } from "./controls.js";
import { element } from "./dom.js";

const MAX_BEAM = 10;
const MIN_PENALTY = 0;
export const MAX_PENALTY = 3;

/**
 * Return the sliders of the search, each {element, update(value)}.
 *
 * @param state the `State`, whose keys `beam` and `penalty` they change.
 */
export function searchSliders(state) {
  const beam = slider({
    label: "Beam size",
    min: 1,
    max: MAX_BEAM,
    format: (size) => (size === 1 ? "1 (greedy)" : String(size)),
    oninput: (value) => state.set({ beam: value }),
  });
  const penalty = slider({
    label: "Length penalty",
    min: MIN_PENALTY,
    max: MAX_PENALTY,
    step: 0.01, // of the state, and of the exporter
    oninput: (value) => state.set({ penalty: value }),
  });
  return { beam, penalty };
}

/**
 * Return the controls of the search.
 *
 * @param state the `State`, whose keys `beam` and `penalty` they show and change.
 * @returns {element, update()}
 */
export function choiceOfSearch(state) {
  const { beam, penalty } = searchSliders(state);
  const summary = element("summary", {});
  return {
    element: element("details", { class: "settings" }, summary, beam.element, penalty.element),
    update() {
      const { values } = state;
      beam.update(values.beam);
      penalty.update(values.penalty);
      summary.textContent = `Search: ${described(values)}`;
    },
  };
}

function described({ beam, penalty }) {
  return beam === 1 ? "greedy" : `beam size ${beam}, length penalty ${penalty}`;
}
