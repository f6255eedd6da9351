"""Paper that reads itself: a sheet to be ticked, and the reading of its photograph. Nothing here knows Django.

    marks, geometry     what is printed where, in millimetres: shared by the sheet and its reader
    boxes               which boxes a rulebook's sheet has, from what may be reported by it
    results             what is read: `Reading`, its lines and boxes; `Unreadable`, and why
    pictures            a picture's bytes made into grey, its size known before it is unpacked
    warp, locate        where on the picture each millimetre of the sheet is
    square              the sheet's square code
    align               where the boxes truly are, and where that is in doubt
    features            what is seen of each box, and what this sheet's hand is like
    weights             the numbers by which a box is judged, and their file; `learning` fits them, again by real sheets
    hand, ink           what a sheet's hand is like, by its marks; ink that is no tick's
    judge               which boxes are ticked, which are cancelled, and what is in doubt
    reader              `read`: a picture in, a reading out
    lines               a line's ticks as the result that they report, judged by the rules
    words               what to do about a picture that cannot be read

Pictures need OpenCV, which is an extra (`reading`): it is loaded when one is read; where it is missing `read` says so.
"""
