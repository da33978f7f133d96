/** User-defined symbols of a SentencePiece model, which are neither normalized nor split. */

export class UserDefined {
  /** @param symbols list of strings. */
  constructor(symbols) {
    this.symbols = [...symbols].sort((a, b) => b.length - a.length);
  }

  /** Return the longest symbol at a position of a text, in UTF-16 code units, or undefined. */
  at(text, start) {
    return this.symbols.find((symbol) => text.startsWith(symbol, start));
  }
}
