"""Rules, prices, draws and ties as sentences in the reader's language."""
