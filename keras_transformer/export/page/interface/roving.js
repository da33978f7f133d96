/** Arrow keys in a group of buttons, of which the Tab key reaches only one (ARIA: roving tabindex). */

import { isShortcut } from "./keys.js";

const SIDEWAYS = { ArrowRight: 1, ArrowLeft: -1 };
const UP_AND_DOWN = { ArrowDown: 1, ArrowUp: -1 };
const TO_THE_ENDS = { Home: -Infinity, End: Infinity };

/**
 * Let arrow keys, Home and End move the focus among the buttons in a group.
 *
 * @param group an element. Its buttons may be replaced later; then call `settle` again.
 * @param columns number of buttons in each row of the group. In a single column, the left and right
 *     arrow keys do nothing. Without a number, all arrow keys lead to the next or previous button.
 * @returns function `settle(button)` that makes a button (by default the first) the one that the
 *     Tab key reaches.
 */
export function roving(group, columns = null) {
  const buttons = () => [...group.querySelectorAll("button")];
  const settle = (chosen = buttons()[0]) => {
    buttons().forEach((button) => button.setAttribute("tabindex", button === chosen ? "0" : "-1"));
  };
  group.addEventListener("keydown", (event) => {
    const all = buttons();
    const step = stepOf(event.key, columns, getComputedStyle(group).direction === "rtl");
    if (step && !isShortcut(event)) {
      event.preventDefault();
      const isEnd = !Number.isFinite(step);
      const next = isEnd ? all.at(step < 0 ? 0 : -1) : all[all.indexOf(event.target) + step];
      next?.focus(); // at an edge, the focus stays
    }
  });
  group.addEventListener("focusin", ({ target }) => settle(target.closest("button") ?? undefined));
  settle();
  return settle;
}

/** Return by how many buttons a key moves the focus; undefined if it does not. */
function stepOf(key, columns, isRightToLeft) {
  if (key in SIDEWAYS) {
    return columns === 1 ? undefined : SIDEWAYS[key] * (isRightToLeft ? -1 : 1);
  }
  return key in UP_AND_DOWN ? UP_AND_DOWN[key] * (columns ?? 1) : TO_THE_ENDS[key];
}
