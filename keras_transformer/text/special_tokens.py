"""Names of special tokens and of single bytes, as `Subwords.labels` returns them for display."""

import re

PADDING_TOKEN, UNKNOWN_TOKEN, START_TOKEN, END_TOKEN = "<pad>", "<unk>", "<start>", "<end>"
SPECIAL_TOKENS = frozenset((PADDING_TOKEN, UNKNOWN_TOKEN, START_TOKEN, END_TOKEN))
BYTE = re.compile("<0x[0-9A-F]{2}>")  # of a character that is not in the vocabulary
