"""Paper: score sheets, seat plans and standings as PDF, A4, legible in black and white.

From what is stored to what is printed:

    kinds                      what can be printed, and for which rounds
    score, seats, ranking      pages, each a template with what fills it, and how much fits on one
    grid, text                 a score sheet's lines: hairlines drawn once, texts cut and padded to characters
    pdf                        pages to one file, a few at a time
    rules                      the rules in force, on one page where they fit
    kept                       sheets for everybody in the hall, each made once
    jobs                       a file being made in the background, with its progress

Nothing here knows a request: language and the address in the QR codes are passed in.
"""
