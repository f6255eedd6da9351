"""How an answer says that it can wait: read by what listens, before the program itself is."""

# Of an answer: it is not to be sent yet, for so many seconds at most, while this is the version that there is.
HOLD_BACK = "X-Hold-Back"
