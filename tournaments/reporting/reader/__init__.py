"""Reads a photographed sheet: a picture in, results out. Nothing here imports Django.

    layout              positions of all printed marks in millimetres: shared by the sheet and its reader
    boxes               boxes of a rulebook's sheet, and the result that a line's ticks report
    results             output types: `Reading`, its lines and boxes; `Unreadable`, with the reason
    image, locate       decoding, and the mapping from millimetres of the sheet to pixels
    square              the sheet's square code
    align               fine alignment of the boxes, with confidence
    features            measurements of each box
    weights             parameters of the classifier of boxes, and their file; `learning` fits them to real sheets
    judge               which boxes are ticked, cancelled or in doubt
    cards               pictures of cards, found and read
    reader              `read`: a picture in, a reading out
    text                advice about a picture that cannot be read

Pictures need OpenCV, an extra (`reading`), imported on first use; without it `read` returns a reason.
"""
