/** UTF-8, in which SentencePiece spells the characters that are not in a vocabulary. */

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Return the bytes (Uint8Array) of a text without lone surrogates. */
export function utf8Of(text) {
  return encoder.encode(text);
}

/**
 * Return the text of bytes, with U+FFFD for each invalid byte, as SentencePiece decodes.
 *
 * A `TextDecoder` yields a single U+FFFD for several bytes if a character begins with them.
 *
 * @param bytes Uint8Array.
 */
export function textOf(bytes) {
  let text = "";
  for (let start = 0; start < bytes.length; ) {
    const end = start + lengthAfter(bytes[start]);
    const character = validText(bytes.subarray(start, end));
    text += character ?? "\ufffd";
    start = character === null ? start + 1 : end;
  }
  return text;
}

/** Return the number of bytes of a character, given the first one. */
function lengthAfter(lead) {
  if (lead < 0x80) {
    return 1;
  }
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/** Return the text of bytes, or null if they are not valid. */
function validText(bytes) {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}
