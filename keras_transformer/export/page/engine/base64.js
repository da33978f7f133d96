/** Base64. */

/** Return the bytes (Uint8Array) that a text represents. */
export function bytesOf(base64) {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  // Forty times as fast as `Uint8Array.from` with a function, for megabytes of weights.
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = binary.charCodeAt(i);
  }
  return bytes;
}
