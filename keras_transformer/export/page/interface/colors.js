/** Colors of the heads, which colors.css defines for light and dark pages. */

const COUNT = 8;

/**
 * Return the CSS color of a head.
 *
 * @param head its number, from 1, or "mean". After the last color, they repeat.
 */
export function headColor(head) {
  return head === "mean" ? "var(--mean)" : `var(--head-${((head - 1) % COUNT) + 1})`;
}

/** Return [red, green, blue], from 0 to 255, of the color of a head on the page as it is now. */
export function channels(head) {
  const name = headColor(head).slice("var(".length, -1);
  const hex = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  return [1, 3, 5].map((place) => parseInt(hex.slice(place, place + 2), 16));
}

/** Call a function whenever the page changes between light and dark. */
export function onColorsChanged(listener) {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", listener);
}
