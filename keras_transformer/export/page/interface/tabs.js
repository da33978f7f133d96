/** Tabs (ARIA Authoring Practices: tabs with automatic activation). */

import { element } from "./dom.js";
import { roving } from "./roving.js";

/**
 * Return tabs with their panels.
 *
 * @param label what the tabs choose from.
 * @param views list of {name, title, element}.
 * @param onchoose function of the name of the chosen view.
 * @returns {element, select(name)}
 */
export function tabs(label, views, onchoose) {
  const buttons = views.map(({ name, title }) =>
    element(
      "button",
      {
        type: "button",
        role: "tab",
        id: `tab-${name}`,
        "aria-controls": `view-${name}`,
        onclick: () => onchoose(name),
        onfocus: () => onchoose(name),
      },
      title,
    ),
  );
  const panels = views.map((view) =>
    element(
      "section",
      { role: "tabpanel", id: `view-${view.name}`, "aria-labelledby": `tab-${view.name}` },
      view.element,
    ),
  );
  const list = element("div", { class: "tabs", role: "tablist", "aria-label": label }, buttons);
  const settle = roving(list);
  return {
    element: element("div", { class: "views" }, list, panels),
    select(name) {
      const hasFocus = list.contains(document.activeElement);
      views.forEach((view, i) => {
        const isChosen = view.name === name;
        buttons[i].setAttribute("aria-selected", isChosen);
        panels[i].hidden = !isChosen;
        if (isChosen) {
          settle(buttons[i]);
        }
        if (isChosen && hasFocus) {
          buttons[i].focus({ preventScroll: true }); // or it would choose its own view again
        }
      });
    },
  };
}
