/** Preprocessing for BPEmb's vocabularies, which have no capital letters and no digits but 0. */

const ZERO_TO_NINE = 9; // from the code of a zero to that of the nine of the same script

export class Preprocessing {
  /** @param zeros string of all digits with the value 0. In Unicode, 1 to 9 follow each of them. */
  constructor(zeros) {
    const ranges = [...zeros].map((zero) => `${zero}-${nineOf(zero)}`);
    this.digits = new RegExp(`[${ranges.join("")}]`, "gu");
  }

  /** Return a text in lower case and with digits replaced by 0. */
  preprocess(text) {
    return text.toLowerCase().replace(this.digits, "0");
  }
}

function nineOf(zero) {
  return String.fromCodePoint(zero.codePointAt(0) + ZERO_TO_NINE);
}
