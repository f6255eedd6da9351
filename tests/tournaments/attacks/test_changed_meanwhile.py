"""Two organisers with the same form open: the second is shown what the first stored, beside what they typed."""

from __future__ import annotations

import re
from datetime import date
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from clubs.views import guards as club_guards
from tests.factories import first_table, make_account, make_tournament
from tournaments.entries import entering, teams
from tournaments.lifecycle.drawing import draw
from tournaments.models import Championship, ClubRules, Season, Tournament
from tournaments.web import guards as desk_guards

pytestmark = pytest.mark.databases
SAID = re.compile("Someone else has changed th(is|ese rules) since you opened the page.")


def fields(page: str, having: str) -> dict[str, str]:
    """What the page's form that has the field `having` would send, as nobody has touched it."""
    (form,) = [one for one in re.findall(r"<form.*?</form>", page, re.DOTALL) if f'name="{having}"' in one]
    sent = {}
    for tag in re.findall(r"<input[^>]*>", form):
        found = dict(re.findall(r'(\w+)="([^"]*)"', tag))
        is_box = found.get("type") in ("checkbox", "radio")
        if "name" not in found or (is_box and "checked" not in tag):
            continue
        name, value = found["name"], unescape(found.get("value", "on" if is_box else ""))
        if is_box:
            sent[name] = value  # of several the last
        else:  # prizes have a field for each place
            sent[name] = " ".join((sent.get(name, ""), value)).strip()
    for name, options in re.findall(r'<select[^>]*name="([^"]*)"[^>]*>(.*?)</select>', form, re.DOTALL):
        chosen = re.search(r'<option value="([^"]*)"[^>]*selected', options)
        sent[name] = chosen[1] if chosen else ""
    return sent


class Edited:
    """A page with a form, what Alice types there, what Bertha does, and the words that are stored then."""

    def __init__(self, club, alice):
        self.club, self.alice = club, alice
        self.page = self.post_to = ""
        self.typed: dict[str, str] = {}
        self.other: dict[str, str] = {}
        self.stored_now = ""

    def stored(self) -> object:
        raise NotImplementedError


class OfClub(Edited):
    def __init__(self, club, alice):
        super().__init__(club, alice)
        self.page = reverse("club_edit", args=[club.slug])
        self.typed, self.other, self.stored_now = {"town": "Skanderborg"}, {"town": "Hørning"}, "Hørning"

    def stored(self):
        self.club.refresh_from_db()
        return self.club.town


class OfGuest(Edited):
    def __init__(self, club, alice):
        super().__init__(club, alice)
        tournament = make_tournament(0, club=club, account=alice)
        self.entry = entering.enter_guest(tournament, "Gudrun", account=alice, now=timezone.now())
        self.page = reverse("desk_entry", args=[tournament.code, self.entry.number])
        self.post_to = reverse("desk_rename_guest", args=[tournament.code, self.entry.number])
        self.typed, self.other, self.stored_now = (
            {"name": "Gudrun Holm"},
            {"name": "Gudrun Bech"},
            "Gudrun Bech",
        )

    def stored(self):
        self.entry.player.refresh_from_db()
        return self.entry.player.name


class OfPrizes(Edited):
    def __init__(self, club, alice):
        super().__init__(club, alice)
        self.tournament = make_tournament(0, club=club, account=alice, entry_fee=5000)
        self.page = reverse("desk_money", args=[self.tournament.code])
        self.typed = {"unit": "shares", "by_place": "60 40"}
        self.other, self.stored_now = {"unit": "shares", "by_place": "70 30"}, "70 30"

    def stored(self):
        self.tournament.refresh_from_db()
        return " ".join(map(str, self.tournament.prize_shares))


class OfSeason(Edited):
    def __init__(self, club, alice):
        super().__init__(club, alice)
        self.season = Season.objects.create(
            host=club, name="Efterår", starts=date(2026, 8, 1), ends=date(2026, 12, 1), best_of=5
        )
        self.page = reverse("club_season_edit", args=[club.slug, self.season.pk])
        self.typed, self.other, self.stored_now = {"best_of": "6"}, {"best_of": "8"}, "8"

    def stored(self):
        self.season.refresh_from_db()
        return str(self.season.best_of)


class OfChampionship(Edited):
    def __init__(self, club, alice):
        super().__init__(club, alice)
        self.championship = Championship.objects.create(host=club, name="DM", date=date(2026, 11, 1))
        self.championship.stages.create(number=1, name="Grupper", groups=2, sessions=3, deals=40)
        self.page = reverse("club_championship_edit", args=[club.slug, self.championship.pk])
        self.typed, self.other, self.stored_now = {"stage-1-deals": "36"}, {"stage-1-deals": "44"}, "44"

    def stored(self):
        return str(self.championship.stages.get().deals)


class OfPair(Edited):
    def __init__(self, club, alice):
        super().__init__(club, alice)
        tournament = make_tournament(2, club=club, account=alice, format="pairs", drawn=False)
        teams.put_together(tournament, account=alice, now=timezone.now())
        self.team = tournament.teams.get()
        self.page = reverse("desk_team", args=[tournament.code, self.team.number])
        self.typed, self.other, self.stored_now = {"name": "Makkerne"}, {"name": "Duoen"}, "Duoen"

    def stored(self):
        self.team.refresh_from_db()
        return self.team.name


class OfRules(Edited):
    def __init__(self, club, alice):
        super().__init__(club, alice)
        self.rules = ClubRules.objects.create(club=club, name="Husets", rulebook="union", options={})
        self.page = reverse("club_rules_edit", args=[club.slug, self.rules.pk])
        self.typed, self.other, self.stored_now = {"name": "Vores"}, {"name": "Klubbens"}, "Klubbens"

    def stored(self):
        self.rules.refresh_from_db()
        return self.rules.name


class OfMatch(Edited):
    """A match of two pairs that is drawn; each subclass has a form of its own."""

    def __init__(self, club, alice):
        super().__init__(club, alice)
        by_alice = {"account": alice, "now": timezone.now()}
        tournament = make_tournament(
            5, club=club, account=alice, format="pairs", drawn=False, date=date(2027, 1, 2)
        )
        teams.put_together(tournament, **by_alice)
        draw(tournament, seed=1, **by_alice)
        self.tournament = tournament
        self.match = tournament.rounds.get(number=1).matches.get()
        self.pages = [tournament.code, 1, self.match.number]


class OfDays(OfMatch):
    def __init__(self, club, alice):
        super().__init__(club, alice)
        self.page = reverse("desk_matches", args=[self.tournament.code])
        self.post_to = reverse("desk_days", args=[self.tournament.code])
        self.typed, self.other = {"day_1": "2027-01-09"}, {"day_1": "2027-01-16"}
        self.stored_now = date_format(date(2027, 1, 16))

    def stored(self):
        day = self.tournament.rounds.get(number=1).date
        return date_format(day) if day == date(2027, 1, 16) else day.isoformat()


class OfPostponed(OfMatch):
    def __init__(self, club, alice):
        super().__init__(club, alice)
        self.page = reverse("desk_match", args=self.pages)
        self.post_to = reverse("desk_postpone", args=self.pages)
        self.typed, self.other = {"day": "2027-01-09"}, {"day": "2027-01-16"}
        self.stored_now = date_format(date(2027, 1, 16))

    def stored(self):
        self.match.refresh_from_db()
        day = self.match.postponed_to
        return date_format(day) if day == date(2027, 1, 16) else day.isoformat()


class OfFolder(Edited):
    def __init__(self, club, alice):
        super().__init__(club, alice)
        self.table = first_table(make_tournament(4, club=club, account=alice, boards=True, board_sets=1))
        self.page = reverse("desk_folder", args=[self.table.round.tournament.code, 1, 1, 1])
        self.typed = {"reason": "mixed up", "folder": "2"}
        self.other, self.stored_now = {"reason": "mixed up", "folder": "3"}, "3"

    def stored(self):
        self.table.refresh_from_db()
        return str(self.table.folder_of(1))


EVERY_FORM = [
    OfClub, OfGuest, OfPrizes, OfSeason, OfChampionship, OfPair, OfRules, OfDays, OfPostponed, OfFolder,
]  # fmt: skip


@pytest.mark.parametrize("what", EVERY_FORM)
def test_what_is_stored_meanwhile_is_shown_beside_what_was_typed(club, alice, as_alice, what):
    edited = what(club, alice)
    bertha = Client()
    bertha.force_login(make_account("bertha", club))
    address = edited.post_to or edited.page
    name, typed = next(reversed(edited.typed.items()))
    opened = fields(as_alice.get(edited.page).content.decode(), name)
    assert (
        bertha.post(
            address, fields(bertha.get(edited.page).content.decode(), name) | edited.other
        ).status_code
        == 302
    )
    assert edited.stored() == edited.stored_now

    page = as_alice.post(address, opened | edited.typed)
    assert page.status_code == 200
    said = page.content.decode()
    assert SAID.search(said)
    assert f"Saved now: <strong>{edited.stored_now}</strong>" in said
    assert edited.stored() == edited.stored_now
    again = fields(said, name)
    assert again[name] == typed

    assert as_alice.post(address, again).status_code == 302
    assert edited.stored() == typed


@pytest.mark.parametrize("what", EVERY_FORM)
def test_what_is_stored_while_one_waits_for_the_other_is_shown_too(club, alice, as_alice, monkeypatch, what):
    """Both press at the same moment: whoever comes second waits, and is compared with what the first has stored."""
    edited = what(club, alice)
    address, name = edited.post_to or edited.page, next(reversed(edited.typed))
    bertha = Client()
    bertha.force_login(make_account("bertha", club))
    opened = fields(as_alice.get(edited.page).content.decode(), name)
    hers = fields(bertha.get(edited.page).content.decode(), name) | edited.other
    pressed: list[int] = []

    def wait_for_her(hold):
        def held(what):
            if not pressed:
                pressed.append(0)
                pressed[0] = bertha.post(address, hers).status_code
            hold(what)

        return held

    for guards, lock in ((club_guards, "lock_club"), (desk_guards, "hold")):
        monkeypatch.setattr(guards, lock, wait_for_her(getattr(guards, lock)))
    page = as_alice.post(address, opened | edited.typed)
    assert pressed == [302]
    assert page.status_code == 200
    assert SAID.search(page.content.decode())
    assert edited.stored() == edited.stored_now


def test_what_was_typed_twice_alike_is_no_conflict(club, alice, as_alice):
    edited = OfClub(club, alice)
    opened = fields(as_alice.get(edited.page).content.decode(), "town")
    assert as_alice.post(edited.page, opened | edited.other).status_code == 302
    assert as_alice.post(edited.page, opened | edited.other).status_code == 302


def test_a_mistake_does_not_pass_for_having_seen_the_other(club, alice, as_alice):
    edited = OfClub(club, alice)
    opened = fields(as_alice.get(edited.page).content.decode(), "town")
    as_alice.post(edited.page, opened | edited.other)
    first = as_alice.post(edited.page, opened | {"town": "x", "name": ""}).content.decode()
    assert "Saved now: <strong>Hørning</strong>" in first


def test_evenings_of_a_season_that_another_chose_stay(club, alice, as_alice):
    season = OfSeason(club, alice).season
    one, two, three = (
        make_tournament(0, club=club, account=alice, name=name, date=season.starts) for name in "ABC"
    )
    Tournament.objects.filter(pk=one.pk).update(season=season)
    address = reverse("club_season_evenings", args=[club.slug, season.pk])
    as_alice.post(address, {"evening": [one.code, two.code], "seen": [one.code]})  # meanwhile
    as_alice.post(
        address, {"evening": [three.code], "seen": [one.code]}
    )  # leaves A out, adds C, has not seen B
    assert set(season.evenings.values_list("name", flat=True)) == {"B", "C"}
