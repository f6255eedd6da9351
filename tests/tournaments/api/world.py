"""A club with an evening of each kind, for programs to ask about."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from clubs.api_keys import make_key
from clubs.models import Scope
from tests.evenings import play_round
from tests.factories import first_table, make_club, make_tournament, report, won
from tests.tournaments.seasons.test_season import make_teams
from tournaments.models import Season

if TYPE_CHECKING:
    from clubs.models import Account, Club
    from tournaments.models import Tournament


@dataclass
class World:
    """What addresses are filled in with."""

    running: Tournament
    teams: Tournament
    season: Season
    key: str

    def there(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Of what is asked for, what there is."""
        entry = self.running.entries.get(number=1)
        known = {
            "code": self.running.code,
            "slug": self.running.host.slug,
            "number": 1,
            "round_number": 1,
            "pk": entry.player_id if "person" in asked else self.season.pk,
            "rulebook": "union",
        }
        return {name: known.get(name, value) for name, value in asked.items()}


def make_world(club: Club, account: Account) -> World:
    season = Season.objects.create(host=club, name="2026", starts=date(2026, 1, 1), ends=date(2026, 12, 31))
    fields = {"deals_per_round": 4, "deals_at_three": 3}
    running = make_tournament(8, 2, club=club, account=account, started=False, season=season, **fields)
    play_round(running.rounds.get(number=1), account)
    now = make_tournament(4, 1, club=make_club("Viby"), account=account, **fields)
    report(first_table(now), 1, won(1))
    teams = make_teams(make_club("Ry"), {"account": account, "now": timezone.now()}, teams=4)
    running.refresh_from_db()
    _key, words = make_key(club, name="All", scopes=Scope.values, account=account, now=timezone.now())
    return World(running, teams, season, words)
