"""Names where there is little room: short, none cut off, and never two alike."""

import pytest

from clubs.models import shortened
from tournaments.domain.terms import short_names

LONG = "Niels Christian Frederiksen Oppermann-Damgaard"


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["Karen Vestergaard", "Carl Dam", "Bo"], ["Karen", "Carl", "Bo"]),
        (["Karen Vestergaard", "Karen Lund", "Bo"], ["Karen V.", "Karen L.", "Bo"]),
        (["Karen Vestergaard", "Karen Vang", "Karen Lund"], ["Karen Ve.", "Karen Va.", "Karen L."]),
        (["Gudrun Holm (Marstal)", "Åse Ågård"], ["Gudrun", "Åse"]),
        (["Gudrun Holm (Marstal)", "Gudrun Dam (Ærø"], ["Gudrun H.", "Gudrun D."]),
        (["Anna Lund (7)", "Anna Lund (12)"], ["Anna Lund (7)", "Anna Lund (12)"]),
        (["Karen Marie Jensen", "Karen Mette Jensen"], ["Karen Marie Jensen", "Karen Mette Jensen"]),
        (["Karen Jensen", "Karen"], ["Karen J.", "Karen"]),
        (["Karen Jensen", "Karen Jensen"], ["Karen", "Karen"]),
        (["Spiller 12", "Spiller 1", "7", ""], ["Spiller 12", "Spiller 1", "7", ""]),
        ([LONG, "x" * 200, "(Marstal)"], ["Niels", "x" * 20, "(Marstal)"]),
    ],
)
def test_a_name_is_as_short_as_tells_the_players_at_a_table_apart(names, expected):
    assert short_names(names) == expected


def test_a_club_that_shows_first_names_and_a_letter_takes_the_letter_from_the_name():
    assert shortened("Gudrun Holm (Marstal)") == "Gudrun H."
    assert shortened("(Marstal)") == "(Marstal)"
