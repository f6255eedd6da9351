"""Reads a photographed sheet: a picture in, results out. Nothing here imports Django.

    layout              what is printed where, in millimetres: shared by the sheet and its reader
    boxes               which boxes a rulebook's sheet has, and the result that a line's ticks report
    results             what is read: `Reading`, its lines and boxes; `Unreadable`, and why
    image, locate       a picture decoded, and where on it each millimetre of the sheet is
    square              the sheet's square code
    align               where exactly the boxes are, and where that is in doubt
    features            measurements of each box
    weights             the numbers by which a box is judged, and their file; `learning` fits them to real sheets
    judge               which boxes are ticked, cancelled or in doubt
    cards               pictures of cards, found and read
    reader              `read`: a picture in, a reading out
    text                advice about a picture that cannot be read

Pictures need OpenCV, an extra (`reading`), which is imported when one is read; where it is missing `read` says so.
"""
