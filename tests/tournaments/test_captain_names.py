"""Names on a phone: short, and never two alike."""

import pytest

from tournaments.captain.names import called, first_names


@pytest.mark.parametrize(
    ("names", "on_buttons", "over_columns"),
    [
        (["Anna Holm", "Carl Dam", "Bo"], ["Anna Holm", "Carl Dam", "Bo"], ["Anna", "Carl", "Bo"]),
        (["Anna Holm", "Anna Dam", "Bo"], ["Anna Holm", "Anna Dam", "Bo"], ["Anna H", "Anna D", "Bo"]),
        (
            ["Hans-Christian Frederiksen Damgaard-Thorvaldsen", "x" * 200, "Bo Krogh"],
            ["Hans-Christian D.", "x" * 20, "Bo Krogh"],
            ["Hans-Christian", "x" * 200, "Bo"],
        ),
        (
            ["Margrethe Elisabeth Kristoffersen", "Margrethe Charlotte Kjeldsen", ""],
            ["Margrethe Elisabeth Kristoffersen", "Margrethe Charlotte Kjeldsen", ""],
            ["Margrethe E", "Margrethe C", ""],
        ),
    ],
)
def test_a_name_is_as_short_as_tells_the_players_apart(names, on_buttons, over_columns):
    assert called(names) == on_buttons
    assert first_names(names) == over_columns
