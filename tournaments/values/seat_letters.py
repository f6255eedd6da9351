"""What the places at a table are called, on screen and on paper: A deals first."""

SEAT_LETTERS = "ABCDE"
