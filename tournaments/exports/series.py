"""What a tournament belongs to, in its file: a season and a championship's stage by name, not with all that is in them.

Taken in, it is put where the same season or stage is; where there is none, the tournament stands by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tournaments.models import Season, Stage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tournaments.models import Tournament


def series_of(tournament: Tournament) -> dict[str, Any]:
    season, stage = tournament.counts_in, tournament.group_of
    return {
        "season": {"host": season.host.slug, "name": season.name} if season else None,
        "stage": {
            "host": stage.championship.host.slug,
            "championship": stage.championship.name,
            "number": stage.number,
        }
        if stage
        else None,
    }


def series_here(series: Mapping[str, Any] | None) -> dict[str, Season | Stage | None]:
    """The season and the stage of these names, each where it is here. A file of an earlier Spadille names none."""
    season, stage = (series or {}).get("season"), (series or {}).get("stage")
    return {
        "season": Season.objects.filter(host__slug=season["host"], name=season["name"]).first()
        if season
        else None,
        "stage": Stage.objects.filter(
            championship__host__slug=stage["host"],
            championship__name=stage["championship"],
            number=stage["number"],
        ).first()
        if stage
        else None,
    }
