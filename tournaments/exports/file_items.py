"""The parts of a tournament's file, one table of the database each; its season and championship."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time
from typing import Any, TypeVar
from uuid import UUID

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import Affiliation, Club, Gives
from tournaments.models import (
    Application,
    Award,
    BoardSet,
    ChainLink,
    Championship,
    Entry,
    FixtureWish,
    Flag,
    FolderChange,
    FormerSeat,
    KeptReport,
    LogEntry,
    Match,
    MatchConfirmation,
    Objection,
    Payment,
    Penalty,
    Postponement,
    PrintedList,
    PrintedSheet,
    Report,
    RevokedSecret,
    Round,
    Season,
    Seat,
    SeatChange,
    Stage,
    Table,
    Team,
    TeamEntry,
    TeamEntryPlayer,
    TeamEntryRuling,
    Tournament,
)

M = TypeVar("M", bound=models.Model)

# What is written of each thing, besides the things inside it.
FIELDS: Mapping[type[models.Model], tuple[str, ...]] = {
    Club: ("name", "slug", "town", "name_style"),
    Tournament: (
        "code", "name", "date", "begins_at", "place", "state", "rulebook", "options", "rules_name", "rules_version",
        "format", "meetings", "match_points", "bye_teams", "promoted", "relegated", "up_limit",
        "teams_until", "most_of_club", "alike_journeys", "by_average",
        "takes_over", "rounds_planned", "deals_per_round", "deals_at_three", "comparison", "three_factor",
        "least_share", "boards", "board_sets",
        "tie_breaks", "stake", "entry_fee", "prize_shares", "prize_amounts", "prize_things",
        "draw_mode", "not_together", "draw_seed", "even_threes",
        "version", "created_at", "started_at", "finished_at", "called_off_at", "called_off_reason",
        "posted_at", "objections_until", "round_minutes", "projector", "entering",
        "shows_same_cards", "halls",
        "told_changes", "told_at",
    ),
    Team: (
        "number", "name", "division", "withdrawn", "place", "secret", "carried_points", "carried_tokens", "origin",
    ),
    TeamEntry: ("number", "name", "place", "state", "answer", "entered_at", "changed_at"),
    TeamEntryPlayer: ("place", "is_reserve", "is_captain"),
    TeamEntryRuling: ("what", "reason", "ruled_by", "ruled_at"),
    Objection: (
        "number", "about", "round_number", "table_number", "deal_number", "words", "made_by", "made_at", "state",
        "answer", "decided_by", "decided_at",
    ),
    Entry: ("number", "reserve", "status", "fee_paid", "carried", "entered_at"),
    Application: ("number", "name", "state", "yes_at", "let_in_at", "team_name", "turn", "asked_at"),
    Round: (
        "number", "state", "date", "seed", "swapped", "byes", "ranking", "started_at", "closed_at", "clock_started_at",
        "clock_minutes", "clock_pauses",
    ),
    Match: (
        "number", "day", "begins_at", "place", "started_at", "postponed_to", "ended_at", "awarded_home",
        "awarded_away", "awarded_reason",
    ),
    FixtureWish: ("day", "is_hard"),
    MatchConfirmation: ("home_tokens", "away_tokens", "confirmed_at"),
    Postponement: ("days", "place", "reason", "state", "chosen", "answer", "asked_at", "answered_at"),
    Table: (
        "number", "deals", "first_dealer", "secret", "code", "version", "last_hash", "reports_count",
        "last_report_at", "ended_early_at", "ended_early_reason", "folders", "turns",
        "empty_chair",
    ),
    BoardSet: ("round_number", "seed", "dealt_at"),
    FolderChange: ("deal_number", "was", "now", "reason", "source", "author", "changed_at"),
    Seat: ("position", "tokens", "agreed_at"),
    FormerSeat: ("position", "through", "tokens"),
    SeatChange: ("sequence", "change", "reason", "author", "changed_at"),
    Report: (
        "sequence", "deal_number", "revision", "key", "result", "dealer", "outcome", "contract", "declarer",
        "tokens", "parts", "source", "author", "reason", "made_at", "recorded_at", "previous_hash", "hash",
    ),
    PrintedList: ("page", "code", "layout", "printed_at"),
    PrintedSheet: ("page", "code", "layout", "printed_at"),
    RevokedSecret: ("secret", "revoked_at"),
    Flag: ("kind", "deal", "words", "about", "raised_at", "settled_at", "settled_by"),
    KeptReport: ("key", "item", "why", "received_at", "state", "decided_at", "decided_by"),
    Penalty: (
        "tokens", "match_points", "reason", "ruled_by", "ruled_at", "cancelled_at", "cancelled_by", "cancel_reason",
    ),
    Payment: ("number", "amount", "paid_at", "ticked_by"),
    LogEntry: ("at", "author", "text", "params"),
    ChainLink: ("number", "at", "content", "previous_hash", "hash"),
    Season: (
        "name", "starts", "ends", "rule", "best_of", "least_evenings", "least_deals", "place_points", "with_guests",
        "counts_withdrawn", "breaks_ties",
    ),
    Award: ("title", "words", "number"),
    Championship: ("name", "date"),
    Stage: ("number", "name", "groups", "sessions", "deals", "each", "next_best", "carried"),
}  # fmt: skip
# What files of earlier Spadilles lack: it is then as for a tournament of that time.
LATER_FIELDS: Mapping[type[models.Model], tuple[str, ...]] = {
    Tournament: (
        "format", "meetings", "match_points", "bye_teams", "promoted", "relegated", "up_limit",
        "teams_until", "most_of_club", "alike_journeys", "by_average",
        "takes_over", "boards", "board_sets", "comparison", "three_factor", "least_share", "begins_at",
        "prize_amounts",
        "called_off_at", "called_off_reason", "posted_at", "objections_until",
        "round_minutes", "projector", "prize_things", "entering",
        "shows_same_cards", "halls",
        "told_changes", "told_at", "even_threes",
    ),
    Team: ("place", "secret", "carried_points", "carried_tokens", "origin"),
    Match: ("day", "begins_at", "place", "started_at"),
    Entry: ("reserve", "carried"),
    Round: ("date", "byes", "ranking", "clock_started_at", "clock_minutes", "clock_pauses"),
    Penalty: ("match_points",),
    Table: ("folders", "turns", "empty_chair"),
    Flag: ("about",),
}  # fmt: skip


def plain(thing: models.Model) -> dict[str, Any]:
    return {name: _value(getattr(thing, name)) for name in FIELDS[type(thing)]}


def _value(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(timezone.get_fixed_timezone(0)).isoformat()
    return str(value) if isinstance(value, (date, time, UUID)) else value


def club_of(club: Club) -> dict[str, Any]:
    """A club with the union that it joined first, whose seasons and championships are the club's too."""
    union = club.unions.first()
    return plain(club) | {"union": plain(union) if union else None}


def club_here(fields: dict[str, Any]) -> Club:
    """The club of that name, or a new one, in its union."""
    known = Club.objects.filter(models.Q(slug=fields["slug"]) | models.Q(name=fields["name"])).first()
    if known:
        return known
    club = create_checked(Club, fields)
    if union := fields.get("union"):
        joined = timezone.localdate()
        Affiliation.objects.create(club=club, union=club_here(union), joined=joined, gives=Gives.EVERYTHING)
    return club


def create_checked(model: type[M], fields: dict[str, Any], **related: Any) -> M:
    """Store one thing of the file, each field checked as a form would check it."""
    stored = {field.name: field for field in model._meta.fields}
    lacking = {name for name in LATER_FIELDS.get(model, ()) if name not in fields}
    values = {name: stored[name].to_python(fields[name]) for name in FIELDS[model] if name not in lacking}
    thing = model(**values, **related)
    thing.clean_fields(exclude=list(related))
    thing.save(force_insert=True)
    # What is set to now when something is made here was set when it was made there.
    times = {name: value for name, value in values.items() if getattr(stored[name], "auto_now_add", False)}
    if times:
        model._default_manager.filter(pk=thing.pk).update(**times)
        vars(thing).update(times)
    return thing


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
