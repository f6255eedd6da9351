"""A form that is sent twice, by two clicks, has done once what it does: no second line in a log, no second row."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from clubs.models import Membership
from tests.factories import first_round, make_player, make_tournament, report
from tests.tournaments.attacks.test_changed_meanwhile import fields
from tournaments.lifecycle.ending import post
from tournaments.lifecycle.playing import close_round
from tournaments.models import Entry, Tournament

if TYPE_CHECKING:
    from clubs.models import Account, Club

WON = {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"}


def drawn(club: Club, account: Account) -> Tournament:
    return make_tournament(8, club=club, account=account, started=False)


def playing(club: Club, account: Account) -> Tournament:
    """A deal is reported at the first of two tables."""
    tournament = make_tournament(8, 2, club=club, account=account, entry_fee=5000, stake=25)
    report(first_round(tournament).tables.get(number=1), 1, WON)
    return tournament


def posted(club: Club, account: Account) -> Tournament:
    """Time for objections."""
    tournament, by = playing(club, account), {"account": account, "now": timezone.now()}
    close_round(first_round(tournament), force_reason="late", **by)
    return post(tournament, minutes=30, **by)


def picture() -> SimpleUploadedFile:
    file = BytesIO()
    Image.new("RGB", (40, 30), "white").save(file, "JPEG")
    return SimpleUploadedFile("slip.jpg", file.getvalue(), "image/jpeg")


def first_entry() -> int:
    return Entry.objects.get(number=1).pk


# The evening, the page, what stands after the evening's code in its address, where its form is sent, what is typed.
AT_THE_DESK = [
    (posted, "desk_reopen", [], "", {"reason": "a sheet", "minutes": "20"}),
    (posted, "desk_reopen", [], "", {"reason": "a sheet", "minutes": "0"}),
    (posted, "desk_objections", [], "", {"minutes": "45"}),
    (posted, "desk_objections", [], "", {"minutes": "0"}),
    (posted, "desk_money", [], "desk_money_list", {"way": "cashier"}),
    (posted, "desk_money", [], "desk_money_list", {"way": "each_other"}),
    (playing, "desk_money", [], "", {"unit": "shares", "by_place": "60 40"}),
    (playing, "desk_clock", [], "", {"minutes": "90"}),
    (playing, "desk_wall", [], "", {"seconds": "20"}),
    (playing, "desk_penalties", [], "", {"entry": first_entry, "tokens": "-3", "reason": "late"}),
    (playing, "desk_end_table", [1, 1], "", {"reason": "ill"}),
    (playing, "desk_close_round", [1], "", {"force_reason": "late"}),
    (playing, "desk_table", [1, 1], "desk_attach_photograph", {"photograph": picture}),
    (playing, "desk_entry", [1], "desk_withdraw", {"reason": "ill"}),
    (playing, "desk_deal", [1, 1, 1], "", {"reason": "typed_wrong", "outcome": "bete"}),
    (playing, "desk_ruling", [1, 1, 2], "", {"reason": "misdeal", "tokens_0": "3", "tokens_1": "-3"}),
    (drawn, "desk_call_off", [], "", {"reason": "snow"}),
    (drawn, "desk_start_round", [1], "", {"with_clock": "on", "minutes": "40"}),
]
OF_THE_CLUB = [
    ("club_edit", [], {"town": "Skanderborg"}),
    ("club_crest", [], {"colour": "#123456"}),
    ("member_edit", ["member"], {"email": "rita@example.dk"}),
    ("member_new", [], {"name": "Nina Ny"}),
    ("club_season_new", [], {"name": "Foråret"}),
    ("role_new", [], {"username": "hanne", "full_name": "Hanne Holm", "kind": "helper"}),
]


def rows() -> dict[str, int]:
    return {
        model.__name__: model._default_manager.count()
        for app in ("clubs", "tournaments")
        for model in apps.get_app_config(app).get_models()
    }


def sent_twice(browser, page: str, address: str, typed) -> None:
    opened = fields(browser.get(page).content.decode(), next(reversed(typed)))
    before, then = rows(), []
    for _click in range(2):
        told = {name: value() if callable(value) else value for name, value in typed.items()}
        browser.post(address, opened | told)
        then.append(rows())
    assert then[0] != before, "the form did nothing"
    assert then[1] == then[0]


@pytest.mark.parametrize("row", AT_THE_DESK, ids=lambda row: row[3] or row[1])
def test_at_the_desk(as_alice, alice, club, row):
    made, name, which, to, typed = row
    tournament = made(club, alice)
    page, address = (reverse(one, args=[tournament.code, *which]) for one in (name, to or name))
    sent_twice(as_alice, page, address, typed)


@pytest.mark.parametrize(("name", "which", "typed"), OF_THE_CLUB)
def test_on_a_clubs_pages(as_alice, club, name, which, typed):
    make_player("Rita Ret", club, 7)
    keys = {"member": Membership.objects.get(club=club, number=7).pk}
    page = reverse(name, args=[club.slug, *(keys[one] for one in which)])
    sent_twice(as_alice, page, page, typed)
