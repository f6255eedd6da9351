"""An evening that one can enter from home, and people who do."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

from django.test import Client
from django.utils import timezone

from clubs.models import Club
from tests.factories import make_player, make_tournament
from tournaments.lifecycle.registration import links
from tournaments.models import Application, Tournament
from tournaments.models.base import FromHome

WHO = ("Anna Holm", "Bo Krogh", "Carl Dam", "Dora Friis", "Erik Lund")


def evening(
    club: Club, *, in_days: int = 7, fields: dict[str, Any] | None = None, **allowed: Any
) -> Tournament:
    """In a week, with members no. 1 to 5 of whom nobody is entered."""
    for number, name in enumerate(WHO, start=1):
        player = make_player(name, club, number)
        player.email = f"{name.split()[0].lower()}@example.org"
        player.save(update_fields=["email"])
    entering = FromHome(**({"is_on": True, "closes_days": 0, "closes_hour": "23:59"} | allowed)).to_json()
    day = timezone.localdate() + timedelta(days=in_days)
    return make_tournament(0, club=club, drawn=False, date=day, entering=entering, **(fields or {}))


def asks(client: Client, tournament: Tournament, **typed: str) -> str:
    """Ask on the page; the address that it leads to."""
    answer = client.post(f"/t/{tournament.code}/enter/", typed)
    assert answer.status_code == 302, answer.content.decode()
    return str(answer["Location"])


def page_of(application: Application) -> str:
    """The address of their own page."""
    return links.address_of(application)


def of(tournament: Tournament, typed: str) -> Application:
    return tournament.applications.filter(typed=typed).latest("number")


def state_of(tournament: Tournament) -> dict[str, str]:
    """Who stands where, in the order of turns and then of asking."""
    found = tournament.applications.order_by("number").select_related("player")
    return {str(one): one.state for one in found}


def says_yes(client: Client, application: Application, **typed: str) -> None:
    client.post(page_of(application), {"do": "yes"} | typed)


def entered(tournament: Tournament) -> list[str]:
    there = tournament.entries.exclude(status="withdrawn").select_related("player").order_by("number")
    return [entry.player.name for entry in there]


def key_on(html: str) -> str:
    found = re.search(r"[A-Z2-9]{5}-[A-Z2-9]{5}-[A-Z2-9]{5}", html)
    assert found
    return found[0]
