/** Keys that belong to the browser. */

/** Return whether a key is pressed together with Alt, Ctrl or Meta, as in Alt+Left for "back". */
export function isShortcut({ altKey, ctrlKey, metaKey }) {
  return altKey || ctrlKey || metaKey;
}
