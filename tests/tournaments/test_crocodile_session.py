"""A crocodile session: tables of three, everybody deals equally often, places by what declarers have scored."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.evenings import make_evening, play_evening
from tests.factories import make_player, make_tournament, player_name
from tournaments.models import Seat, Table
from tournaments.recount import differences
from tournaments.standings import standings


@pytest.fixture
def played(club, alice):
    """Seven players, four rounds: two tables of three, and one player sits each round out."""
    players = [make_player(player_name(index), club, index + 1) for index in range(7)]
    return play_evening(
        make_evening(players, club, alice, rounds_planned=4, rulebook="crocodile", deals_at_three=6), alice
    )


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
        assert message.startswith("A crocodile session has a number of deals that 3 divides")
