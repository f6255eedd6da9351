"""The wall of the hall: what it shows as it is chosen at the desk, on pages that are about equally full."""

from __future__ import annotations

import re
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone

from scoring import get_rulebook
from tests.factories import first_round, first_table, make_tournament, report
from tests.pages import hall_page
from tournaments.domain.comparison import Comparison
from tournaments.hall.projector import _just_now, gap_texts
from tournaments.lifecycle.ending import post
from tournaments.lifecycle.playing import close_round, start_round
from tournaments.models import LogEntry, Table, Tournament
from tournaments.models.base import Wall, check_wall, read_wall, spread
from tournaments.standings.tie_breaks import Row

WON = {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"}


@pytest.mark.parametrize(
    ("names", "pages"),
    [
        (0, []),
        (1, [[1]]),
        (24, [[12, 12]]),
        (36, [[18, 18]]),
        (37, [[10, 9], [9, 9]]),  # nobody stands alone on page two
        (247, [*[[18, 18]] * 2, *[[18, 17]] * 5]),
    ],
)
def test_rows_are_spread_evenly_over_pages_and_columns(names, pages):
    shown = spread(range(names), 2, 18)
    assert [[len(column) for column in page] for page in shown] == pages
    assert [name for page in shown for column in page for name in column] == list(range(names))


@pytest.mark.parametrize(
    "stored",
    [
        None,
        {"shows": []},
        Wall().to_json() | {"shows": ["films"]},
        Wall().to_json() | {"seconds": 7},
        Wall().to_json() | {"seconds": [12]},
        Wall().to_json() | {"on_paper": 1},
        Wall().to_json() | {"more": 1},
    ],
)
def test_what_no_desk_has_chosen_is_refused_in_a_file(stored):
    with pytest.raises(ValidationError, match="The projector’s settings are in an unknown format"):
        check_wall(stored)


def test_without_a_choice_it_is_the_usual_one():
    assert read_wall({}) == Wall(("podium", "seats", "standings", "progress"), 12, on_paper=False)


def slides(tournament, client):
    return [
        name for name, _parts in client.get(reverse("projector", args=[tournament.code])).context["slides"]
    ]


def test_the_desk_chooses_what_is_shown_and_for_how_long(as_helper, client, club):
    tournament = make_tournament(8, club=club)
    assert slides(tournament, client) == ["seats", "progress"]
    report(first_table(tournament), 1, WON)
    assert slides(tournament, client) == ["standings", "progress"]
    address = reverse("desk_wall", args=[tournament.code])
    for typed, wrong in [
        ({"seconds": "20"}, ["shows"]),
        ({"shows": ["tables", "films"], "seconds": "20"}, ["shows"]),
        ({"shows": ["tables"], "seconds": "7"}, ["seconds"]),
    ]:
        assert list(as_helper.post(address, typed).context["form"].errors) == wrong
    for _twice in range(2):
        as_helper.post(address, {"shows": ["tables", "standings"], "seconds": "20", "on_paper": "on"})
    assert slides(tournament, client) == ["standings", "tables"]
    page = client.get(reverse("projector", args=[tournament.code])).content.decode()
    assert 'data-seconds="20" data-on-paper' in page
    assert Tournament.objects.get().wall == Wall(("standings", "tables"), 20, on_paper=True)
    assert [str(line) for line in LogEntry.objects.order_by("-pk")].count(
        "Chose what the projector shows"
    ) == 1


def test_tables_are_shown_with_who_leads_there(as_alice, client, club):
    tournament = make_tournament(8, club=club)
    report(first_table(tournament), 1, WON)
    as_alice.post(reverse("desk_wall", args=[tournament.code]), {"shows": ["tables"], "seconds": "12"})
    ((_name, (part,)),) = client.get(reverse("projector", args=[tournament.code])).context["slides"]
    first, second = part.columns[0]
    assert [leads for _who, _tokens, leads in first.players] == [False, True, False, False]
    assert not any(leads for _who, _tokens, leads in second.players)


def row(gap, apart=(), **more):
    return Row(1, 1, "Anna", "", False, [gap], gap=gap, told_apart_by=apart, **more)


@pytest.mark.parametrize(
    ("rows", "kind", "said"),
    [
        ([row(0), row(1), row(6), row(9)], "sum", ["1 token ahead", "1 token behind", "6 tokens behind"]),
        ([row(0, ("best_round",)), row(0, ("best_round",))], "sum", ["by best round 0", "by best round 0"]),
        ([row(0, shared=True), row(0, shared=True), row(4)], "sum", ["", "", "4 tokens behind"]),
        ([row(0)], "sum", [""]),
        ([row(0), row(3)], "average", ["", ""]),
    ],
)
def test_the_first_three_say_how_they_stand_to_each_other(rows, kind, said):
    table = SimpleNamespace(
        comparison=Comparison(kind), rulebook=get_rulebook("union"), tie_break_codes=("best_round",)
    )
    found = gap_texts(rows, table)
    assert [found.get(index, "") for index in range(len(said))] == said


def test_the_first_three_stand_on_every_page_and_zero_is_a_line(client, club):
    tournament = make_tournament(41, club=club)
    for table in tournament.rounds.get().tables.all():
        report(table, 1, WON)
    answer = client.get(reverse("projector", args=[tournament.code]))
    (group,) = dict(answer.context["slides"])["standings"]
    assert [part.rows for part in group.parts] == [10, 10]
    assert answer.content.decode().count('class="wall-first"') == 2
    below = [
        place for part in group.parts for column in part.columns for place in column if place.is_first_below
    ]
    assert [place.row.total < 0 for place in below] == [True]


def test_the_wall_shows_seats_before_the_first_deal_then_standings_and_progress(club, alice, client):
    tournament = make_tournament(8, club=club, started=False)
    titles = r"<h2>([^<]*)"
    assert [title.strip() for title in re.findall(titles, hall_page(client, tournament, "projector/"))] == [
        "Seats of round 1"
    ]
    start_round(first_round(tournament), account=alice, now=timezone.now())
    assert [title.strip() for title in re.findall(titles, hall_page(client, tournament, "projector/"))] == [
        "Seats of round 1",
        "Round 1: 0 of 80 deals reported",
    ]
    report(first_table(tournament), 1, WON)
    assert [title.strip() for title in re.findall(titles, hall_page(client, tournament, "projector/"))] == [
        "Standings during round 1",
        "Round 1: 1 of 80 deals reported",
    ]


def wall(client, tournament):
    return client.get(reverse("projector", args=[tournament.code]))


def test_the_row_that_the_last_deal_moved_is_framed_and_said(client, club):
    tournament = make_tournament(8, club=club, deals_per_round=4)
    table = first_table(tournament)
    report(table, 1, WON)
    report(table, 2, WON | {"declarer": 2})
    answer = wall(client, tournament)
    just = answer.context["just"]
    third = table.seats.get(position=2).entry
    assert (just.number, just.table, just.deal) == (third.number, table.number, 2)
    assert just.said.startswith("up to place ")
    text = " ".join(answer.content.decode().split())
    assert f"Just now · table {table.number}, deal 2" in text
    assert len(re.findall(r'<li data-key="\d+" class="[^"]*hit"', text)) == 1


def test_what_is_just_now_is_the_deal_that_the_standings_count_places_from(client, club):
    tournament = make_tournament(8, club=club, deals_per_round=4)
    first, second = tournament.rounds.get().tables.select_related("round__tournament")
    report(first, 1, WON)
    assert report(second, 1, WON | {"declarer": 3}).status == "accepted"
    # A table whose reports were stored earlier, and are the later ones, as in a file.
    Table.objects.filter(pk=first.pk).update(last_report_at=timezone.now() + timedelta(minutes=1))
    just = wall(client, tournament).context["just"]
    assert (just.table, just.number) == (first.number, first.seats.get(position=1).entry.number)


def test_who_climbs_because_of_another_table_is_not_said(club):
    tournament = make_tournament(8, club=club, deals_per_round=4)
    first, second = tournament.rounds.get().tables.select_related("round__tournament")
    report(first, 1, WON)
    winner, other = (table.seats.get(position=1).entry.number for table in (first, second))
    moved = [
        SimpleNamespace(number=number, name=str(number), rank=rank, moved_by_deal=places)
        for rank, (number, places) in enumerate([(other, 3), (winner, 0)], start=1)
    ]
    just = _just_now(tournament, first_round(tournament), SimpleNamespace(rows=moved))
    assert (just.number, just.said) == (winner, "+6")


def test_who_lost_is_not_told_of(client, club):
    tournament = make_tournament(4, club=club, deals_per_round=4)
    report(first_table(tournament), 1, WON | {"outcome": "lost"})
    answer = wall(client, tournament)
    just, name = answer.context["just"], first_table(tournament).seats.get(position=WON["declarer"]).entry
    assert just is None or (just.name != str(name) and just.played == "")
    assert all(str(name) not in said for said, _amount in answer.context["ticker"])


def test_four_to_ten_stand_beside_the_podium(client, club, alice):
    tournament = make_tournament(12, club=club, deals_per_round=4)
    for table in tournament.rounds.get().tables.select_related("round__tournament"):
        for deal in range(1, 5):
            report(table, deal, WON | {"declarer": deal % 4})
        report(table, 4, WON | {"declarer": table.number % 4})
    now = timezone.now()
    close_round(first_round(tournament), account=alice, now=now, force_reason="late")
    post(tournament, minutes=30, account=alice, now=now)
    answer = wall(client, tournament)
    (one,) = dict(answer.context["slides"])["podium"]
    on_podium = {place.name for place in one.podium.places}
    assert len(one.others) <= 7
    assert on_podium.isdisjoint(name for _rank, name, _total in one.others)
    assert all(int(rank.rstrip("=")) > 3 for rank, _name, _total in one.others)
