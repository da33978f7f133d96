/** Choosing a cell of a picture with the mouse, a finger or the arrow keys. */

import { isShortcut } from "./keys.js";

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/**
 * Choose the cell that the mouse or a finger points at.
 *
 * @param drawing the picture.
 * @param cellAt function (x, y), in pixels from the corner of the picture, that returns the
 *     [row, column] there, which may be outside of the cells.
 * @param choose function of [row, column].
 */
export function followPointer(drawing, cellAt, choose) {
  const point = ({ clientX, clientY }) => {
    const { x, y } = drawing.getBoundingClientRect();
    choose(cellAt(clientX - x, clientY - y));
  };
  drawing.addEventListener("pointermove", point);
  drawing.addEventListener("click", point);
}

/**
 * Choose the current cell when the keyboard moves the focus to an area, and its neighbors with the
 * arrow keys.
 *
 * @param area the element that gets the focus.
 * @param current function that returns the current [row, column].
 * @param choose function of [row, column], which may be outside of the cells.
 */
export function followKeys(area, current, choose) {
  area.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (step && !isShortcut(event)) {
      event.preventDefault();
      choose(current().map((place, axis) => place + step[axis]));
    }
  });
  area.addEventListener("focus", () => area.matches(":focus-visible") && choose(current()));
}
