"""One tournament as one JSON file, which another Spadille takes in whole.

The file (`"format": "spadille-tournament", "version": 1`) holds the tournament, its teams, entries, rounds, matches,
tables, seats, every version of every report, boards, penalties, payments, flags, late reports and the log, and the
captains' links. It holds names, but no e-mail addresses and phone numbers. A file written from what was taken in has
the same bytes. Files of earlier Spadilles lack what was not known then, and are read all the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import date, datetime, time
from typing import Any, TypeVar
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import Club, Player
from scoring import ENGINE_VERSION, BadOption, UnknownRulebook
from tournaments.exports.series import series_here, series_of
from tournaments.models import (
    BoardSet,
    Deal,
    Entry,
    Flag,
    FolderChange,
    KeptReport,
    LogEntry,
    Match,
    Payment,
    Penalty,
    Report,
    RevokedSecret,
    Round,
    Seat,
    Table,
    Team,
    Tournament,
)
from tournaments.queries import rulebook_of
from tournaments.recount import differences

M = TypeVar("M", bound=models.Model)
FORMAT, VERSION = "spadille-tournament", 1

# What is written of each thing, besides the things inside it.
FIELDS: Mapping[type[models.Model], tuple[str, ...]] = {
    Club: ("name", "slug", "town", "name_style"),
    Tournament: (
        "code", "name", "date", "begins_at", "place", "state", "rulebook", "options", "rules_name", "rules_version",
        "format", "meetings", "match_points", "bye_teams", "promoted", "relegated", "by_average",
        "rounds_planned", "deals_per_round", "deals_at_three", "comparison", "three_factor", "boards", "board_sets",
        "tie_breaks", "stake", "entry_fee", "prize_shares", "draw_mode", "not_together", "draw_seed", "version",
        "created_at", "started_at", "finished_at",
    ),
    Team: (
        "number", "name", "division", "withdrawn", "secret", "carried_points", "carried_tokens", "origin",
    ),
    Entry: ("number", "reserve", "status", "fee_paid", "carried", "entered_at"),
    Round: ("number", "state", "date", "seed", "swapped", "started_at", "closed_at"),
    Match: ("number", "postponed_to", "ended_at", "awarded_home", "awarded_away", "awarded_reason"),
    Table: (
        "number", "deals", "first_dealer", "secret", "code", "version", "last_hash", "reports_count",
        "last_report_at", "ended_early_at", "ended_early_reason", "folders",
    ),
    BoardSet: ("round_number", "seed", "dealt_at"),
    FolderChange: ("deal_number", "was", "now", "reason", "source", "author", "changed_at"),
    Seat: ("position", "tokens", "agreed_at"),
    Report: (
        "sequence", "deal_number", "revision", "key", "result", "dealer", "outcome", "contract", "declarer",
        "tokens", "parts", "source", "author", "reason", "made_at", "recorded_at", "previous_hash", "hash",
    ),
    RevokedSecret: ("secret", "revoked_at"),
    Flag: ("kind", "deal", "words", "raised_at", "settled_at", "settled_by"),
    KeptReport: ("key", "item", "why", "received_at", "state", "decided_at", "decided_by"),
    Penalty: (
        "tokens", "reason", "ruled_by", "ruled_at", "cancelled_at", "cancelled_by", "cancel_reason",
    ),
    Payment: ("number", "amount", "paid_at", "ticked_by"),
    LogEntry: ("at", "author", "text", "params"),
}  # fmt: skip
# What files of earlier Spadilles lack: it is then as for a tournament of that time.
LATER_FIELDS: Mapping[type[models.Model], tuple[str, ...]] = {
    Tournament: (
        "format", "meetings", "match_points", "bye_teams", "promoted", "relegated", "by_average",
        "boards", "board_sets", "comparison", "three_factor", "begins_at",
    ),
    Team: ("secret", "carried_points", "carried_tokens", "origin"),
    Entry: ("reserve", "carried"),
    Round: ("date",),
    Table: ("folders",),
}  # fmt: skip


class BadFile(Exception):  # noqa: N818 - says what it is
    """A file that cannot be taken in; the text says why, in the reader's words."""


# Out


def export_tournament(tournament: Tournament) -> str:
    """The tournament as text: the same tournament gives the same bytes."""
    return json.dumps(_everything(tournament), ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def _everything(tournament: Tournament) -> dict[str, Any]:
    entries = tournament.entries.select_related("player", "club", "team").order_by("number")
    rounds = tournament.rounds.order_by("number").prefetch_related(
        "matches__home",
        "matches__away",
        "tables__match",
        "tables__seats__entry",
        "tables__reports",
        "tables__flags",
        "tables__kept_reports",
        "tables__revoked_secrets",
        "tables__folder_changes",
    )
    return {
        "format": FORMAT,
        "version": VERSION,
        "host": _plain(tournament.host),
        "tournament": _plain(tournament),
        "series": series_of(tournament),
        "teams": [
            _plain(team) | {"club": _plain(team.club) if team.club else None}
            for team in tournament.teams.select_related("club").order_by("number")
        ],
        "entries": [
            _plain(entry)
            | {
                "name": entry.player.name,
                "club": _plain(entry.club) if entry.club else None,
                "team": _number(entry.team),
            }
            for entry in entries
        ],
        "rounds": [
            _plain(round_)
            | {
                "matches": [_match(match) for match in _by(round_.matches.all(), "number")],
                "tables": [_table(table) for table in _by(round_.tables.all(), "number")],
            }
            for round_ in rounds
        ],
        "penalties": [
            _plain(penalty) | {name: _number(getattr(penalty, name)) for name in ("entry", "team", "round")}
            for penalty in tournament.penalties.select_related("entry", "team", "round").order_by("pk")
        ],
        "payments": [
            _plain(payment) | {name: _number(getattr(payment, name)) for name in ("payer", "payee")}
            for payment in tournament.payments.select_related("payer", "payee")
        ],
        "board_sets_dealt": [_plain(board_set) for board_set in tournament.board_sets_dealt.all()],
        "log": [_plain(line) for line in tournament.log.order_by("pk")],
    }


def _number(thing: Entry | Team | Match | Round | None) -> int | None:
    return thing.number if thing else None


def _match(match: Match) -> dict[str, Any]:
    return _plain(match) | {"home": match.home.number, "away": _number(match.away)}


def _table(table: Table) -> dict[str, Any]:
    return _plain(table) | {
        "match": _number(table.match),
        "seats": [_plain(seat) | {"entry": seat.entry.number} for seat in _by(table.seats.all(), "position")],
        "reports": [_plain(report) for report in _by(table.reports.all(), "sequence")],
        "flags": [_plain(flag) for flag in _by(table.flags.all(), "pk")],
        "kept_reports": [_plain(kept) for kept in _by(table.kept_reports.all(), "pk")],
        "revoked_secrets": [_plain(revoked) for revoked in _by(table.revoked_secrets.all(), "secret")],
        "folder_changes": [_plain(change) for change in _by(table.folder_changes.all(), "pk")],
    }


def _by(things: Iterable[Any], attribute: str) -> list[Any]:
    return sorted(things, key=lambda thing: getattr(thing, attribute))


def _plain(thing: models.Model) -> dict[str, Any]:
    return {name: _value(getattr(thing, name)) for name in FIELDS[type(thing)]}


def _value(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(timezone.get_fixed_timezone(0)).isoformat()
    return str(value) if isinstance(value, (date, time, UUID)) else value


# In


def import_tournament(text: str) -> Tournament:
    """Take a tournament in, all of it or nothing; every hash and total must agree.

    Raises `BadFile` for a file that is not one, was changed, comes from a newer Spadille, or is here already.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadFile(_("This is not a tournament file: it is not JSON.")) from error
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise BadFile(_("This is not a tournament file."))
    if data.get("version") != VERSION:
        raise BadFile(
            _("The file has version %(version)s of the format; this Spadille reads version %(ours)d.")
            % {"version": data.get("version"), "ours": VERSION}
        )
    try:
        with transaction.atomic():
            return _take_in(data)
    except ValidationError as error:
        raise BadFile(
            _("The file does not fit together: %(why)s") % {"why": "; ".join(error.messages)}
        ) from error
    except KeyError as error:
        raise BadFile(_("The file lacks %(what)s.") % {"what": error}) from error
    except (
        TypeError,
        ValueError,
        AttributeError,
        IntegrityError,
        OverflowError,
        BadOption,
        UnknownRulebook,
    ) as error:
        raise BadFile(_("The file does not fit together: %(why)s") % {"why": error}) from error


def _take_in(data: dict[str, Any]) -> Tournament:
    fields = data["tournament"]
    if Tournament.objects.filter(code=fields["code"]).exists():
        raise BadFile(_("The tournament %(code)s is here already.") % {"code": fields["code"]})
    tournament: Tournament = _made(
        Tournament, fields, host=_club(data["host"]), **series_here(data.get("series"))
    )
    if tournament.rules_version not in ("", ENGINE_VERSION):
        raise BadFile(
            _("It was played by version %(version)s of the rules; this Spadille has version %(ours)s.")
            % {"version": tournament.rules_version, "ours": ENGINE_VERSION}
        )
    rulebook_of(tournament)
    teams: dict[int, Team] = {}
    for fields in data.get("teams", []):
        club = _club(fields["club"]) if fields["club"] else None
        teams[fields["number"]] = _made(Team, fields, tournament=tournament, club=club)
    entries = _entries(tournament, data["entries"], teams)
    rounds = {}
    for fields in data["rounds"]:
        rounds[fields["number"]] = _take_round(tournament, fields, entries, teams)
    for fields in data["penalties"]:
        _made(
            Penalty,
            fields,
            tournament=tournament,
            entry=_named(entries, fields["entry"]),
            team=_named(teams, fields.get("team")),
            round=_named(rounds, fields["round"]),
        )
    for fields in data["payments"]:
        payer, payee = (_named(entries, fields[side]) for side in ("payer", "payee"))
        _made(Payment, fields, tournament=tournament, payer=payer, payee=payee)
    for fields in data.get("board_sets_dealt", []):
        _made(BoardSet, fields, tournament=tournament)
    for fields in data["log"]:
        _made(LogEntry, fields, tournament=tournament)
    for difference in differences(tournament):
        raise BadFile(_("The file has been changed: %(difference)s") % {"difference": difference})
    return tournament


def _named(things: Mapping[int, M], number: int | None) -> M | None:
    """The thing of that number; None where none is named. Raises KeyError for one that is not there."""
    return None if number is None else things[number]


def _take_round(
    tournament: Tournament, fields: dict[str, Any], entries: dict[int, Entry], teams: dict[int, Team]
) -> Round:
    round_ = _made(Round, fields, tournament=tournament)
    matches = {
        match["number"]: _made(
            Match, match, round=round_, home=teams[match["home"]], away=_named(teams, match["away"])
        )
        for match in fields.get("matches", [])
    }
    for table in fields["tables"]:
        _take_table(round_, table, entries, _named(matches, table.get("match")))
    return round_


def _take_table(
    round_: Round, fields: dict[str, Any], entries: dict[int, Entry], match: Match | None
) -> None:
    table = _made(Table, fields, round=round_, match=match)
    for seat in fields["seats"]:
        _made(Seat, seat, table=table, round=round_, entry=entries[seat["entry"]])
    newest = {}
    for report in fields["reports"]:
        newest[report["deal_number"]] = _made(Report, report, table=table)
    Deal.objects.bulk_create(
        Deal(table=table, number=number, current=report) for number, report in sorted(newest.items())
    )
    for name, model in (("flags", Flag), ("kept_reports", KeptReport), ("revoked_secrets", RevokedSecret)):
        for inside in fields[name]:
            _made(model, inside, table=table)
    for inside in fields.get("folder_changes", []):
        _made(FolderChange, inside, table=table)


def _club(fields: dict[str, Any]) -> Club:
    """The club of that name, or a new one."""
    known = Club.objects.filter(models.Q(slug=fields["slug"]) | models.Q(name=fields["name"])).first()
    return known or _made(Club, fields)


def _entries(tournament: Tournament, rows: list[dict[str, Any]], teams: dict[int, Team]) -> dict[int, Entry]:
    """Entries by number; a player is the club's member of exactly that name, or somebody new."""
    entries: dict[int, Entry] = {}
    taken: set[int] = set()
    for fields in rows:
        club = _club(fields["club"]) if fields["club"] else None
        player = None
        if club:
            members = Player.objects.filter(memberships__club=club, name=fields["name"]).exclude(pk__in=taken)
            player = members.order_by("pk").first()
        player = player or Player.objects.create(name=fields["name"])
        taken.add(player.pk)
        team = _named(teams, fields.get("team"))
        entries[fields["number"]] = _made(
            Entry, fields, tournament=tournament, player=player, club=club, team=team
        )
    return entries


def _made(model: type[M], fields: dict[str, Any], **related: Any) -> M:
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
