"""While play goes on: the board, tables, deals, rounds."""
