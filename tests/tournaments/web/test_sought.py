"""Of up to a hundred one is chosen from a list; of more by a search, whose hits are ticked."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest
from django.urls import reverse

from tests.factories import first_round, make_player, make_tournament
from tournaments.desk.club.seasons import AwardForm
from tournaments.desk.draw.swap import ApartForm
from tournaments.models import Entry, Penalty, Season, Seat
from tournaments.seasons.ladder_table import Placed
from tournaments.web import choice_field
from tournaments.web.choice_field import AtHand, players_of

NAMES = "Anna Holm", "Bo Krogh", "Carl Dam", "Dora Friis", "Erik Lund", "Fie Munk", "Gert Skov", "Hanne Toft"


@pytest.fixture
def many(patch_display):
    """Three are too many for a list, two for a search."""
    patch_display.setattr(choice_field, "MOST_LISTED", 3)
    patch_display.setattr(choice_field, "MOST_FOUND", 2)


@pytest.fixture
def tournament(club, alice):
    return make_tournament(8, club=club)


def number_of(entries, name):
    return str(entries.get(player__name=name).number)


def apart(tournament, **sent):
    return ApartForm(sent, players=players_of(tournament))


def hits(form, name="first"):
    """Who stands there to be ticked, with a star before who is."""
    shown = str(form[name])
    ticks = re.findall(r'type="radio"[^>]*value="([^"]*)"( checked)?> <span>([^<]*)', shown)
    return [f"{'*' if checked else ''}{label}" for _key, checked, label in ticks]


def test_a_few_are_listed_by_name(tournament):
    form = ApartForm(players=players_of(tournament))
    assert re.findall(r">([^<]+)</option>", str(form["first"])) == [
        "choose", *(f"{name} ({number})" for number, name in enumerate(NAMES, start=1))
    ]  # fmt: skip


def test_of_many_nobody_is_listed_before_somebody_is_sought(tournament, many):
    assert hits(ApartForm(players=players_of(tournament))) == []


@pytest.mark.parametrize(
    ("typed", "found", "said"),
    [
        ("3", ["*Carl Dam (3)"], "This is what was found. Send the form again if it is right."),
        ("  holm\x00", ["*Anna Holm (1)"], "This is what was found. Send the form again if it is right."),
        ("an", ["Anna Holm (1)", "Hanne Toft (8)"], "More than one match: choose the one you mean."),
        ("r", ["Bo Krogh (2)", "Carl Dam (3)"], "More than one match: choose the one you mean."),
        ("stilling", ["Anna Holm (1)", "Bo Krogh (2)"], "More than one match: choose the one you mean."),
        ("99", [], "Nothing found. Type a number, or part of the name."),
        ("<x>", [], "Nothing found. Type a number, or part of the name."),
        ("9" * 99, [], "Nothing found. Type a number, or part of the name."),
    ],
)
def test_what_is_typed_comes_back_with_its_hits_and_chooses_nobody(tournament, many, typed, found, said):
    form = apart(tournament, **{"first-q": typed, "first-for": ""})
    assert form.errors["first"] == [said]
    assert hits(form) == found
    shown = typed.strip(" \x00").replace("<x>", "&lt;x&gt;")
    assert f'name="first-q" value="{shown}"' in str(form["first"])


def test_who_is_ticked_among_the_hits_is_chosen(tournament, many):
    sent = {
        "first": "1",
        "first-q": "an",
        "first-for": "an",
        "second": "8",
        "second-q": "an",
        "second-for": "an",
    }
    form = apart(tournament, **sent)
    assert form.is_valid()
    assert [entry.number for entry in form.cleaned_data["entries"]] == [1, 8]
    assert hits(form) == ["*Anna Holm (1)", "Hanne Toft (8)"]


def test_who_was_ticked_is_not_meant_where_somebody_else_is_sought_since(tournament, many):
    form = apart(tournament, **{"first": "1", "first-q": "carl", "first-for": "an"})
    assert form.has_error("first", "sought")
    assert hits(form) == ["*Carl Dam (3)"]


@pytest.mark.parametrize(("key", "valid"), [("", True), (None, False)])
def test_who_is_left_open_is_nobody_and_who_is_sought_is_somebody(tournament, many, key, valid):
    chosen = {} if key is None else {"third": key}
    form = apart(tournament, **{"third-q": "an", "third-for": "an", **chosen})
    assert ("third" not in form.errors) == valid


def test_a_player_of_another_tournament_is_none_of_this_one(tournament, many):
    form = apart(tournament, first="99", second="x")
    assert form.errors["first"] == form.errors["second"] == ["Choose a player of this tournament."]


def test_whoever_is_stored_can_be_kept_while_another_is_sought(many):
    field = choice_field.SoughtField(initial=2, required=False, empty="nobody")
    field.offer(AtHand([1, 2, 30, 4, 5], key=int, label=str))
    assert [hit.label for hit in field.hits(choice_field.Sent(None, "30"))["hits"]] == ["2", "30"]


# The pages: none lists its players, and each answers a search with the hits alone.


def drawn_with_four_gone_and_five_late(club):
    drawn = make_tournament(8, club=club, started=False)
    drawn.entries.filter(number__lte=4).update(status=Entry.Status.WITHDRAWN)
    come_late(drawn, club)
    return drawn


def come_late(tournament, club):
    Entry.objects.bulk_create(
        Entry(
            tournament=tournament,
            number=number,
            player=make_player(f"Late {number}"),
            club=club,
            status="present",
        )
        for number in range(9, 14)
    )


def page_of(name, club):
    if name == "desk_draw":
        return reverse(name, args=[drawn_with_four_gone_and_five_late(club).code])
    fields = {"format": "pairs", "drawn": False} if name == "desk_teams" else {}
    tournament = make_tournament(8, club=club, **fields)
    if name == "desk_play_on":
        come_late(tournament, club)
    which = [1, 1] if name == "desk_play_on" else []
    return reverse(name, args=[tournament.code, *which])


PAGES = [
    ("desk_penalties", "entry", "hanne", "Hanne Toft (8)"),
    ("desk_apart", "fourth", "8", "Hanne Toft (8)"),
    ("desk_play_on", "newcomer", "late 11", "Late 11 (11)"),
    ("desk_draw", "gone", "anna", "Anna Holm"),
    ("desk_draw", "newcomer", "12", "Late 12"),
    ("desk_teams", "member_2", "hanne", "Hanne Toft (8)"),
]


@pytest.mark.parametrize(("name", "field", "typed", "found"), PAGES)
def test_each_page_finds_whom_it_does_not_list(as_alice, club, many, name, field, typed, found):
    page = page_of(name, club)
    shown = as_alice.get(page).content.decode()
    assert f'name="{field}-q"' in shown
    assert f'<select name="{field}"' not in shown
    sought_for = {"seek": field, f"{field}-q": typed}
    part = as_alice.get(page, sought_for, headers={"HX-Request": "true"}).content.decode()
    assert re.findall(r"checked> <span>([^<]*)", part)[0].endswith(found)
    assert "<html" not in part
    assert "<html" in as_alice.get(page, sought_for).content.decode()


def test_a_penalty_is_given_to_who_was_found_and_not_before(as_alice, tournament, many):
    page = reverse("desk_penalties", args=[tournament.code])
    typed = {"entry-q": "hanne", "entry-for": "", "tokens": "-2", "reason": "spoke", "seen": "0"}
    answer = as_alice.post(page, typed).content.decode()
    assert not Penalty.objects.exists()
    key = re.search(r'name="entry" value="([0-9]+)" checked', answer)[1]
    assert 'value="spoke"' in answer
    as_alice.post(page, typed | {"entry-for": "hanne", "entry": key})
    assert [(str(one.whom), one.tokens) for one in Penalty.objects.all()] == [("Hanne Toft", -2)]


def test_a_substitute_who_is_sought_is_chosen_on_the_page_of_the_draw(as_alice, club, alice, many):
    drawn = drawn_with_four_gone_and_five_late(club)
    address = reverse("desk_substitute", args=[drawn.code])
    typed = {"gone-q": "anna", "gone-for": "", "newcomer-q": "late 9", "newcomer-for": ""}
    answer = as_alice.post(address, typed)
    assert "This is what was found." in answer.content.decode()
    chosen = {"gone": "1", "gone-for": "anna", "newcomer": "9", "newcomer-for": "late 9"}
    as_alice.post(address, typed | chosen)
    assert Seat.objects.filter(round=first_round(drawn), entry__number=9).count() == 1


def test_an_award_goes_to_who_is_found_by_name_or_place(club, many):
    rows = [
        Placed(10 + rank, f"{name}", "", "", 1, SimpleNamespace(rank=rank))
        for rank, name in enumerate(NAMES, start=1)
    ]
    season = Season.objects.create(host=club, name="2026", starts="2026-01-01", ends="2026-12-31")
    for typed in ("hanne", "8"):
        form = AwardForm({"title": "Jokum", "player-q": typed}, season=season, rows=rows)
        assert hits(form, "player") == ["*8. Hanne Toft"]
    form = AwardForm({"title": "Jokum", "player": "18"}, season=season, rows=rows)
    assert form.is_valid()
    assert form.cleaned_data["player"] == 18
