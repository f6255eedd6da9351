"""The season and the championship in a tournament's file, without their other tournaments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from tournaments.exports.file_items import club_here, club_of, create_checked, plain
from tournaments.models import Award, Championship, Season, Stage, Tournament

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tournaments.models import Entry

# An imported tournament joins an existing season or championship of the same host and name; otherwise it is created.
# So the files of all its tournaments restore a complete season or championship.


def series_of(tournament: Tournament) -> dict[str, Any]:
    """The season with the awards that went to players of this tournament; the championship with its stages."""
    season, stage = tournament.counts_in, tournament.group_of
    return {
        "season": _season(season) | {"awards": _awards(season, tournament)} if season else None,
        "championship": _championship(stage.championship) if stage else None,
        "stage": stage.number if stage else None,
    }


def _season(season: Season) -> dict[str, Any]:
    return plain(season) | {"host": club_of(season.host)}


def _awards(season: Season, tournament: Tournament) -> list[dict[str, Any]]:
    numbers = dict(tournament.entries.values_list("player", "number"))
    return [
        plain(award) | {"entry": numbers[award.player_id]}
        for award in season.awards.filter(player__in=numbers)
    ]


def _championship(championship: Championship) -> dict[str, Any]:
    stages = [plain(stage) for stage in championship.stages.all()]
    return plain(championship) | {"host": club_of(championship.host), "stages": stages}


def series_here(series: Mapping[str, Any] | None) -> dict[str, Season | Stage | None]:
    """The season and the stage, found or made here. A file of an earlier Spadille has none, or their names alone."""
    season, stage = (series or {}).get("season"), (series or {}).get("stage")
    if isinstance(stage, dict):
        stage_here = _stage_named(stage)
    else:
        stage_here = _championship_here((series or {})["championship"], stage) if stage else None
    return {"season": _season_here(season) if season else None, "stage": stage_here}


def _season_here(fields: dict[str, Any]) -> Season | None:
    if "rule" not in fields:
        return Season.objects.filter(host__slug=fields["host"], name=fields["name"]).first()
    host = club_here(fields["host"])
    return Season.objects.filter(host=host, name=fields["name"]).first() or create_checked(
        Season, fields, host=host
    )


def _stage_named(fields: Mapping[str, Any]) -> Stage | None:
    there = Championship.objects.filter(host__slug=fields["host"], name=fields["championship"])
    return Stage.objects.filter(championship__in=there, number=fields["number"]).first()


def _championship_here(fields: dict[str, Any], number: int) -> Stage | None:
    host = club_here(fields["host"])
    championship = Championship.objects.filter(host=host, name=fields["name"]).first()
    if championship is None:
        championship = create_checked(Championship, fields, host=host)
        for stage in fields["stages"]:
            create_checked(Stage, stage, championship=championship)
    return Stage.objects.filter(championship=championship, number=number).first()


def give_awards(
    series: Mapping[str, Any] | None, tournament: Tournament, entries: Mapping[int, Entry]
) -> None:
    """Give the players of a tournament that is taken in what the season gave them, unless they have it here."""
    season = tournament.season
    for fields in ((series or {}).get("season") or {}).get("awards", []) if season else []:
        player = entries[fields["entry"]].player
        if not Award.objects.filter(season=season, player=player, title=fields["title"]).exists():
            create_checked(Award, fields, season=season, player=player)


def _rules(series: Mapping[str, Any]) -> dict[str, Any]:
    """All settings except club and awards, which may be written differently elsewhere."""
    return {name: value for name, value in series.items() if name not in ("host", "awards")}


def unlike_here(series: Mapping[str, Any] | None, tournament: Tournament) -> list[str]:
    """Warnings if the existing season or championship here has other settings."""
    there, here = series or {}, series_of(tournament)
    unlike = []
    for kind in ("season", "championship"):
        theirs, ours = there.get(kind), here[kind]
        if theirs and ours and any(theirs.get(name, value) != value for name, value in _rules(ours).items()):
            unlike.append(
                _("“%(name)s” already exists here and differs from the file: it is left as it is here.")
                % {"name": ours["name"]}
            )
    if there.get("stage") and here["stage"] is None:
        unlike.append(_("The championship here has no such stage: assign this tournament by hand."))
    return unlike
