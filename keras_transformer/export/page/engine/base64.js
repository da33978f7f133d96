/** Binary data in the text of the page. */

/** Return the bytes (Uint8Array) that a base64 string encodes. */
export function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
