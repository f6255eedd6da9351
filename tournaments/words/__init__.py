"""The engine in the reader's words: terms, prices, rule texts, the referee, draws."""
