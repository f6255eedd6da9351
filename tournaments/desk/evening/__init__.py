"""The desk during play: board, tables, deals, rounds."""
