/** Controls that the views share. They are created once; `update` shows another value. */

import { element } from "./dom.js";

let count = 0;

/** Return an id or name that no other element of the page has. */
export function uniqueName(prefix) {
  return `${prefix}${++count}`;
}

/**
 * Return a group of options, of which one is chosen (radio buttons).
 *
 * @param legend what is chosen.
 * @param options list of {value, label}.
 * @param onchange function of the chosen value.
 * @returns {element, update(value)}
 */
export function choice({ legend, options, onchange }) {
  const name = uniqueName("choice");
  const inputs = options.map(({ value }) =>
    element("input", { type: "radio", name, value, onchange: () => onchange(value) }),
  );
  const labels = options.map(({ label }, i) =>
    element("label", {}, inputs[i], element("span", {}, label)),
  );
  return {
    element: element("fieldset", { class: "choice" }, element("legend", {}, legend), labels),
    update(value) {
      inputs.forEach((input, i) => {
        input.checked = options[i].value === value;
      });
    },
  };
}

/**
 * Return a slider with a label and its value as text.
 *
 * @param label what it changes.
 * @param min, max, step as of an <input type="range">.
 * @param format function that returns a value as text.
 * @param oninput function of the new value.
 * @returns {element, update(value, changes = {})}, where changes may contain min and max.
 */
export function slider({ label, min, max, step = 1, format = String, oninput }) {
  const input = element("input", { type: "range", id: uniqueName("slider"), min, max, step });
  const output = element("output", { for: input.id });
  const show = (value) => {
    output.textContent = format(value);
    input.setAttribute("aria-valuetext", output.textContent);
  };
  input.addEventListener("input", () => {
    const value = Number(input.value);
    show(value);
    oninput(value);
  });
  return {
    element: element(
      "div",
      { class: "slider" },
      element("label", { for: input.id }, label),
      output,
      input,
    ),
    update(value, changes = {}) {
      Object.assign(input, changes);
      input.value = value;
      show(value); // not what the browser rounds it to
    },
  };
}
