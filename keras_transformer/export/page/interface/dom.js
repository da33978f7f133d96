/** Elements of the page. Text is data: nothing here parses HTML. */

/**
 * Return a new HTML element.
 *
 * @param name its tag, such as "p".
 * @param attributes {name: value}. A function is the handler of an event ("onclick"), `style` is an
 *     object of CSS properties, true is an attribute without a value, and false and null are none.
 * @param children nodes, strings, numbers, or lists of them; null, undefined and false are skipped.
 */
export function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** Set attributes and children of a new element, as for `element`, and return it. */
export function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    setAttribute(node, name, value);
  }
  node.append(...present(children));
  return node;
}

/** Set an attribute, as for `element`. */
export function setAttribute(node, name, value) {
  if (typeof value === "function") {
    node.addEventListener(name.slice(2), value);
  } else if (name === "style") {
    // The policy of the page forbids the attribute `style`, but not the same properties by script.
    Object.entries(value).forEach(([property, each]) => node.style.setProperty(property, each));
  } else if (value === false || value === null || value === undefined) {
    node.removeAttribute(name);
  } else {
    node.setAttribute(name, value === true ? "" : value);
  }
}

/**
 * Replace the children of an element.
 *
 * If the focus is on a descendant with the attribute `data-key`, it moves to the new descendant
 * with the same key, so that a picture can be drawn again while the keyboard is in it.
 */
export function redraw(parent, ...children) {
  const focused = parent.contains(document.activeElement) && document.activeElement.dataset.key;
  parent.replaceChildren(...present(children));
  if (focused) {
    parent.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }
}

function present(children) {
  return children.flat().filter((child) => child !== false && (child ?? null) !== null);
}

/** Return text that only screen readers read. English, it does not decide on a `dir="auto"`. */
export function spoken(text) {
  return element("span", { class: "spoken", dir: "ltr" }, text);
}

/**
 * Return what stands below a view: what it shows, and the Python module that computes the same.
 *
 * @param text a few sentences.
 * @param modules names of modules, such as "keras_transformer.model.attention".
 */
export function about(text, ...modules) {
  const names = modules.flatMap((module, i) => [i ? " and " : "", element("code", {}, module)]);
  return element("p", { class: "about" }, `${text} In Python: `, names, ".");
}
