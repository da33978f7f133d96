"""Words whose spelling needs zero-width joiners, for the tests of all that shows subwords."""

JOINED = (
    "می\u200cخواهم",  # Persian: I want
    "क्\u200dष",  # a Hindi conjunct in its half form
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",  # a family
)
