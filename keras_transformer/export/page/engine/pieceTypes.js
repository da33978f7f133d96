/** The types of SentencePiece's pieces that occur in models for byte-pair encoding. */

export const NORMAL = 1;
export const UNKNOWN = 2;
export const CONTROL = 3;
export const USER_DEFINED = 4;
export const BYTE = 6;
