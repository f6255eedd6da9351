"""A crocodile session: tables of three, everybody deals equally often, places by what declarers have scored."""

from __future__ import annotations

from fractions import Fraction
from urllib.parse import urlencode

import pytest
from django.urls import reverse

from tests.evenings import make_evening, play_evening
from tests.factories import make_player, make_tournament, player_name
from tournaments.exports.verify.recount import differences
from tournaments.models import Seat, Table, Tournament
from tournaments.standings.players import standings


@pytest.fixture
def played(club, alice):
    """Seven players, four rounds: two tables of three, and one player sits each round out."""
    players = [make_player(player_name(index), club, index + 1) for index in range(7)]
    return play_evening(
        make_evening(players, club, alice, rounds_planned=4, rulebook="crocodile", deals_at_three=6), alice
    )


@pytest.mark.slow
def test_a_session_from_the_draw_to_the_standings(client, played):
    tables = Table.objects.filter(round__tournament=played)
    assert {table.seats.count() for table in tables} == {3}
    # Four byes among seven players: nobody has two.
    sat = [entry.seats.count() for entry in played.entries.all()]
    assert sorted(sat) == [3, 3, 3, 3, 4, 4, 4]
    totals = dict.fromkeys(played.entries.values_list("pk", flat=True), 0)
    for table in tables:
        at = dict(table.seats.values_list("position", "entry"))
        for deal in table.dealt.select_related("current"):
            declarer, tokens = deal.current.declarer, deal.current.tokens
            assert [won for position, won in enumerate(tokens) if position != declarer] == [0] * (
                3 if declarer is None else 2
            )
            if declarer is not None:
                totals[at[declarer]] += tokens[declarer]
    rows = standings(played).rows
    assert {row.entry_id: row.total for row in rows} == totals
    assert [row.total for row in rows] == sorted(totals.values(), reverse=True)
    assert any(totals.values())
    assert not list(differences(played))
    assert Seat.objects.filter(round__tournament=played).count() == 24
    for name in ("standings", "hall", "projector"):
        assert client.get(reverse(name, args=[played.code])).status_code == 200


@pytest.mark.parametrize(("deals", "fine"), [("30", True), ("36", True), ("40", False), ("4", False)])
def test_deals_that_three_do_not_share_are_refused_at_the_set_up(as_alice, club, deals, fine):
    tournament = make_tournament(3, club=club, started=False, drawn=False, rulebook="crocodile")
    page = reverse("tournament_setup", args=[tournament.code])
    form = as_alice.get(page).context["form"]
    values = {field.html_name: field.value() for field in form if field.value() not in (None, "")}
    values |= {"rulebook": form.chosen, "options_of": form.chosen, "host": club.pk, "deals_at_three": deals}
    answer = as_alice.post(page, values)
    assert (answer.status_code == 302) is fine
    if not fine:
        (message,) = answer.context["form"].errors["deals_at_three"]
        assert message.startswith("A crocodile session has a number of deals divisible by 3, such as")


@pytest.mark.slow
def test_who_has_a_bye_takes_a_seat_and_its_player_the_bye(as_alice, club):
    tournament = make_tournament(7, 2, club=club, started=False, rulebook="crocodile")
    round_ = tournament.rounds.get(number=1)
    page = reverse("desk_swap", args=[tournament.code, 1])
    draw = reverse("desk_draw", args=[tournament.code])
    (over,) = as_alice.get(draw).context["shown"].planned.bye
    seat = round_.seats.select_related("entry").get(table__number=1, position=0)
    chosen = as_alice.get(draw, {"seat": f"bye.{over.number}"}).context["shown"]
    assert chosen.chosen.entry == over
    assert all(place.price for _table, places in chosen.page for place in places)
    sent = {"at": f"bye.{over.number}", "to": f"1A.{seat.entry.number}"}
    for _tap in range(2):
        changed = as_alice.post(page, sent, follow=True)
        assert "have swapped seats" in changed.content.decode()
        assert Seat.objects.get(pk=seat.pk).entry == over
    assert as_alice.get(draw).context["shown"].planned.bye == [seat.entry]
    assert round_.seats.count() == 6
    back = {"at": f"1A.{over.number}", "to": f"bye.{seat.entry.number}"}
    assert f"{page}?{urlencode(back)}".replace("&", "&amp;") in changed.content.decode()
    for _tap in range(2):
        as_alice.post(f"{page}?{urlencode(back)}")
        assert Seat.objects.get(pk=seat.pk).entry == seat.entry
    assert as_alice.get(draw).context["shown"].planned.bye == [over]


def test_two_who_have_a_bye_have_nothing_to_change(as_alice, club):
    tournament = make_tournament(8, 1, club=club, started=False, rulebook="crocodile")
    first, second = tournament.entries.exclude(seats__round__number=1)
    page = reverse("desk_swap", args=[tournament.code, 1])
    sent = {"at": f"bye.{first.number}", "to": f"bye.{second.number}"}
    answer = as_alice.post(page, sent, follow=True)
    assert "Both have a bye: choose someone who is at a table." in answer.content.decode()


def set_up(browser, rulebook="crocodile", **typed):
    """The set-up page of these rules as it comes, and what a browser would send back of it."""
    shown = browser.post(
        reverse("tournament_new"), {"rulebook": rulebook, "options_of": "union", "show_options": "1"}
    )
    form = shown.context["form"]
    values = {field.html_name: field.value() for field in form if field.value() not in (None, "")}
    values |= {"rulebook": form.chosen, "options_of": form.chosen, "code": "ABCDEF", "date": "2026-11-22"}
    return form, values | typed


def test_the_average_is_offered_and_recommended_where_some_play_fewer_rounds(as_alice, club):
    form, values = set_up(as_alice, host=club.pk)
    offered = dict(form.fields["comparison"].choices)
    assert set(offered) == {"sum", "average"}
    assert "recommended" in offered["average"]
    assert "three_factor" not in form.fields
    answer = as_alice.post(reverse("tournament_new"), values | {"comparison": "average"})
    assert answer.status_code == 302
    assert Tournament.objects.get().comparison == "average"


@pytest.mark.parametrize(
    ("players", "rounds", "comparison", "said"),
    [
        (7, 4, "sum", True),  # four byes among seven
        (7, 7, "sum", False),  # each sits out once
        (6, 4, "sum", False),
        (7, 4, "average", False),
    ],
)
def test_the_draw_recommends_it_where_the_byes_do_not_come_out_even(
    as_alice, club, players, rounds, comparison, said
):
    tournament = make_tournament(
        players, rounds, club=club, started=False, drawn=False, rulebook="crocodile", comparison=comparison
    )
    page = as_alice.get(reverse("desk_draw", args=[tournament.code]))
    assert page.context["average_is_fairer"] is said
    assert ("recommended" in page.content.decode()) is said


@pytest.mark.slow
def test_who_played_fewer_rounds_is_ranked_by_the_average(club, alice):
    players = [make_player(player_name(index), club, index + 1) for index in range(7)]
    evening = make_evening(
        players, club, alice, rounds_planned=4, rulebook="crocodile", deals_at_three=6, comparison="average"
    )
    table = standings(play_evening(evening, alice))
    expected = [
        Fraction(row.tokens, 6 * len([won for won in row.rounds if won is not None])) for row in table.rows
    ]
    assert [row.total for row in table.rows] == expected == sorted(expected, reverse=True)
    assert len({len([won for won in row.rounds if won is not None]) for row in table.rows}) == 2
