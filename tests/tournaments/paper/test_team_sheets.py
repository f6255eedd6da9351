"""A season of teams on paper: every sheet of it, with tokens, rulings and other days."""

from __future__ import annotations

from datetime import date

import pytest
from django.urls import reverse
from django.utils import timezone

from core.pdf.page import render_page
from tests.pages import texts_of
from tournaments.lifecycle.rulings import award, postpone
from tournaments.paper.kinds import KINDS, Order
from tournaments.standings.team_text import score, tokens
from tournaments.standings.teams import team_standings


def page(name, tournament, *which):
    return reverse(name, args=[tournament.code, *which])


@pytest.mark.parametrize("kind", ["standings", "cross", "schedule", "players"])
def test_a_season_is_printed(five_teams, kind):
    order = Order(five_teams.rounds.get(number=1), "http://hall", timezone.now())
    assert KINDS[kind].suits(five_teams)
    pages = KINDS[kind].pages(order)
    text = "".join(render_page(page, 1, 1) for page in pages)
    team = five_teams.teams.get(number=2)
    assert (team.members.first().player.name if kind == "players" else team.name) in text
    type(five_teams).objects.filter(pk=five_teams.pk).update(format="individual")
    five_teams.refresh_from_db()
    assert KINDS[kind].suits(five_teams) == (kind == "standings")


@pytest.mark.slow
def test_the_schedule_on_paper_has_tokens_rulings_and_other_days(client, five_teams, by_alice):
    third, fourth = five_teams.rounds.filter(number__in=[3, 4]).order_by("number")
    postponed = third.matches.exclude(away=None).first()
    postpone(postponed, date(2026, 12, 5), **by_alice)
    ruled = fourth.matches.exclude(away=None).first()
    award(ruled, {"home": 2, "away": 0}, reason="kom ikke", **by_alice)
    found = texts_of(client.get(page("hall_teams_pdf", five_teams, "schedule")).content)
    text = " ".join(" ".join(found).split())
    results = [result for result in team_standings(five_teams).rounds[1] if not result.is_bye]
    assert len(results) == 2
    assert all(f"{score(result)} {tokens(result)}" in text for result in results)
    assert "will be played on 5 December 2026" in text
    assert "by ruling: kom ikke" in text
    assert [text.count(f"Round {number}") for number in range(1, 6)] == [1] * 5
