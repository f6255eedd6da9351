"""Where clubs play: positions typed or taken from a map's link, and how far apart two are."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Club
from clubs.positions import Position, kilometres_between, parse_position
from tests.factories import affiliate, make_account, make_club

AARHUS, COPENHAGEN = Position(56.157, 10.211), Position(55.6761, 12.5683)
CATHEDRAL = Position(56.1629, 10.2039)
BOTH = "56.157, 10.211"


@pytest.mark.parametrize(
    ("one", "other", "kilometres"),
    [
        (AARHUS, AARHUS, 0),
        (AARHUS, COPENHAGEN, 156),
        (COPENHAGEN, AARHUS, 156),
        (CATHEDRAL, COPENHAGEN, 157),
        # Across the date line, and from pole to pole: half of 40,030 km.
        (Position(-17.0, 179.9), Position(-17.0, -179.9), 21),
        (Position(90.0, 0.0), Position(-90.0, 123.0), 20015),
        (Position(0.0, 0.0), Position(0.0, 180.0), 20015),
    ],
)
def test_distances_are_along_great_circles(one, other, kilometres):
    assert round(kilometres_between(one, other)) == kilometres


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        (BOTH, AARHUS),
        (" 56.157 10.211 ", AARHUS),
        ("56.157,10.211", AARHUS),
        ("56,157 10,211", AARHUS),
        ("56,157; 10,211", AARHUS),
        ("56,157, 10,211", AARHUS),
        ("-33.86, +151.21", Position(-33.86, 151.21)),
        ("https://www.openstreetmap.org/#map=15/56.157/10.211", AARHUS),
        ("https://www.openstreetmap.org/?mlat=56.157&mlon=10.211#map=12/55.1/9.2", AARHUS),
        ("https://www.openstreetmap.org/node/1#map=19/56.157/10.211&layers=N", AARHUS),
        ("geo:56.157,10.211?z=17", AARHUS),
        ("https://www.google.com/maps/@56.157,10.211,15z", AARHUS),
        ("https://www.google.dk/maps/place/Kroen/@55.1,9.2,17z/data=!3m1!4b1!8m2!3d56.157!4d10.211", AARHUS),
        ("https://maps.google.com/?q=56.157%2C10.211", AARHUS),
        ("https://www.google.com/maps/search/?api=1&query=56.157,+10.211", AARHUS),
        ("https://www.google.com/maps/place/56.157,10.211", AARHUS),
    ],
)
def test_a_position_is_typed_or_pasted_from_a_map(typed, found):
    assert parse_position(typed) == found


@pytest.mark.parametrize(
    "typed",
    [
        "here", "56.157", "56,157", "56,157,10,211", "56, 10", "91.5, 10.2", "56.1, 180.5", "nan, inf",
        "56.157, 10.211, 3.5", "https://maps.app.goo.gl/AbCdEf", "https://www.openstreetmap.org/#map=15/95.1/10.2",
        "9" * 2000, "٥٦.١, ١٠.٢",
    ],
)  # fmt: skip
def test_a_text_that_is_no_position_gets_a_message_at_its_field(as_alice, club, typed):
    with pytest.raises(ValueError, match="no"):
        parse_position(typed)
    page = as_alice.post(reverse("club_edit", args=[club.slug]), sent(as_alice, club, position=typed))
    assert list(page.context["form"].errors) == ["position"]
    assert Club.objects.get(pk=club.pk).position == ""


def sent(browser, club, **typed):
    form = browser.get(reverse("club_edit", args=[club.slug])).context["form"]
    return {name: form[name].value() or "" for name in form.fields} | typed


def test_a_club_has_a_position_and_a_union_says_how_near_neighbours_are(as_alice, club):
    edit = reverse("club_edit", args=[club.slug])
    assert "neighbours_km" not in as_alice.get(edit).context["form"].fields
    link = "https://www.openstreetmap.org/#map=15/56.157/10.211"
    assert as_alice.post(edit, sent(as_alice, club, position=link)).status_code == 302
    club.refresh_from_db()
    assert (club.position, club.neighbours_km) == ("56.15700, 10.21100", 25)
    as_alice.post(edit, sent(as_alice, club, position=""))
    assert Club.objects.get(pk=club.pk).position == ""
    union = make_club("Union")
    affiliate(club, union)
    browser = Client()
    browser.force_login(make_account("ulla", union))
    edit = reverse("club_edit", args=[union.slug])
    assert browser.get(edit).context["form"]["neighbours_km"].value() == 25
    for wrong in ("501", "-1", "near"):
        page = browser.post(edit, sent(browser, union, neighbours_km=wrong))
        assert list(page.context["form"].errors) == ["neighbours_km"]
    for typed in ("0", "40"):
        assert browser.post(edit, sent(browser, union, neighbours_km=typed)).status_code == 302
        assert Club.objects.get(pk=union.pk).neighbours_km == int(typed)
    # A form without it leaves it as it is.
    browser.post(edit, {"name": "Union", "name_style": "full"})
    assert Club.objects.get(pk=union.pk).neighbours_km == 40
