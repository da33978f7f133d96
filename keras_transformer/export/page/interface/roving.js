/** Arrow keys in a group of buttons, of which the Tab key reaches only one (ARIA: roving tabindex). */

const STEPS = {
  ArrowRight: () => 1,
  ArrowLeft: () => -1,
  ArrowDown: (columns) => columns,
  ArrowUp: (columns) => -columns,
  Home: () => -Infinity,
  End: () => Infinity,
};

/**
 * Let arrow keys, Home and End move the focus among the buttons in a group.
 *
 * @param group an element. Its buttons may be replaced later; then call `settle` again.
 * @param columns number of buttons in each row of the group.
 * @returns function `settle(button)` that makes a button (by default the first) the one that the
 *     Tab key reaches.
 */
export function roving(group, columns = 1) {
  const buttons = () => [...group.querySelectorAll("button")];
  const settle = (chosen = buttons()[0]) => {
    buttons().forEach((button) => button.setAttribute("tabindex", button === chosen ? "0" : "-1"));
  };
  group.addEventListener("keydown", (event) => {
    const all = buttons();
    const place = all.indexOf(event.target) + (STEPS[event.key]?.(columns) ?? NaN);
    if (!Number.isNaN(place)) {
      event.preventDefault();
      all[Math.min(Math.max(place, 0), all.length - 1)].focus();
    }
  });
  group.addEventListener("focusin", ({ target }) => settle(target.closest("button") ?? undefined));
  settle();
  return settle;
}
