"""After the deadline a ruling alone brings an accepted team back, or dissolves it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.mail.kinds import render_letter
from clubs.models import Letter, Role
from tests.factories import make_account
from tests.tournaments.lifecycle.test_team_entries import (
    by_ulla,
    entered,
    members,
    open_league,
    refused,
    states,
    text_of,
    ulla,
    union,
    wrong,
)
from tournaments.entries.teams import bring_team_back, database_clock, dissolve
from tournaments.lifecycle.team_entries import (
    accept_entry,
    bring_back_by_ruling,
    dissolve_by_ruling,
    set_deadline,
    withdraw_by_ruling,
)
from tournaments.models import TeamEntry

__all__ = ["by_ulla", "entered", "members", "open_league", "ulla", "union"]


@pytest.fixture
def accepted(entered, by_ulla):
    """An accepted team, after the deadline."""
    accept_entry(entered, division=1, **by_ulla)
    over = database_clock() - timedelta(seconds=2)
    set_deadline(entered.tournament, teams_until=over, most_of_club=0, **by_ulla)
    return TeamEntry.objects.select_related("team", "tournament", "club").get(pk=entered.pk)


def test_after_the_deadline_only_a_ruling_brings_a_team_back_or_dissolves_it(accepted, by_ulla):
    said = "A club entered this team, and the deadline has passed: change or withdraw it by a ruling."
    assert refused(dissolve, accepted.team, **by_ulla) == ("", said)
    withdraw_by_ruling(accepted, reason="sygdom", **by_ulla)
    assert refused(bring_team_back, accepted.team, **by_ulla) == ("", said)
    assert refused(bring_back_by_ruling, accepted, reason=" ", **by_ulla)[0] == "reason"
    for _click in range(2):
        bring_back_by_ruling(accepted, reason="raske igen", **by_ulla)
    accepted.team.refresh_from_db()
    assert not accepted.team.withdrawn
    assert refused(dissolve_by_ruling, accepted, reason="", **by_ulla)[0] == "reason"
    for _click in range(2):
        dissolve_by_ruling(accepted, reason="dannet ved en fejl", **by_ulla)
    assert not accepted.tournament.teams.exists()
    assert states(accepted.tournament) == ["entered"]
    assert list(accepted.rulings.values_list("what", "reason")) == [
        ("withdrawn", "sygdom"), ("back", "raske igen"), ("dissolved", "dannet ved en fejl"),
    ]  # fmt: skip
    assert [line.words for line in accepted.tournament.log.all()[:1]] == [
        "By a ruling Stilling 1 is dissolved: dannet ved en fejl"
    ]
    assert wrong(accepted.tournament) == []
    gone = "", "This entry no longer has a team."
    assert refused(bring_back_by_ruling, accepted, reason="x", **by_ulla) == gone


def test_those_rulings_are_told_by_letter_to_the_club(accepted, alice, by_ulla, post_office):
    alice.email = "alice@example.dk"
    alice.save()
    withdraw_by_ruling(accepted, reason="sygdom", **by_ulla)
    bring_back_by_ruling(accepted, reason="raske igen", **by_ulla | {"now": timezone.now()})
    dissolve_by_ruling(accepted, reason="dannet ved en fejl", **by_ulla | {"now": timezone.now()})
    Letter.objects.update(language="en")
    back, dissolved = (render_letter(one).text for one in Letter.objects.order_by("pk")[1:])
    assert "By a ruling of Fyns Forbund, Stilling 1 takes part in" in back
    assert "Reason: raske igen" in back
    assert "has dissolved Stilling 1 in" in dissolved
    assert "Reason: dannet ved en fejl" in dissolved


def test_the_desks_pages_lead_to_the_ruling_and_lose_nothing_typed(accepted, ulla, by_ulla):
    browser, code = Client(), accepted.tournament.code
    browser.force_login(ulla)
    entry, team_page = reverse("desk_team_entry", args=[code, 1]), reverse("desk_team", args=[code, 1])
    assert reverse("desk_dissolve", args=[code, 1]) not in text_of(browser.get(team_page))
    for step, steps_state in (("withdraw", True), ("back", False), ("dissolve", None)):
        address = reverse(f"desk_team_entry_{step}", args=[code, 1])
        assert address in text_of(browser.get(entry))
        answer = browser.post(address, {"reason": "x" * 2000})
        assert list(answer.context[step].errors) == ["reason"]
        assert "x" * 2000 in text_of(answer)
        browser.post(address, {"reason": "en grund"})
        there = TeamEntry.objects.get(pk=accepted.pk).team
        assert (there.withdrawn if there else None) is steps_state
    assert reverse("desk_team_back", args=[code, 1]) not in text_of(browser.get(entry))


def test_only_the_unions_organisers_rule_and_a_number_of_another_tournament_is_not_there(
    accepted, alice, ulla
):
    code = accepted.tournament.code
    hans = make_account("hans", accepted.tournament.host, Role.Kind.HELPER)
    for account, number, status in ((alice, 1, 403), (hans, 1, 403), (ulla, 99, 404)):
        browser = Client()
        browser.force_login(account)
        for step in ("back", "dissolve"):
            address = reverse(f"desk_team_entry_{step}", args=[code, number])
            assert browser.post(address, {"reason": "en grund"}).status_code == status
    assert not accepted.rulings.exists()
