"""One tournament as one JSON file, which another Spadille takes in whole.

The file (`"format": "spadille-tournament", "version": 2`) holds the tournament, its teams, entries, rounds, matches,
tables, seats, every version of every report, boards, penalties, payments, flags, late reports, the log, the captains'
links, who has asked for a place from home, and what its season and its championship are. It holds names, but no e-mail
addresses and phone numbers. A file written from what was taken in has the same bytes. Files of earlier Spadilles lack
what was not known then, and are read all the same. Since version 2 every file has the tournament's chain, and is
refused without it; one of version 1 that has none is taken in, and its log says that nothing vouches for what was done
before.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.models import Player
from scoring import ENGINE_VERSION, BadOption, UnknownRulebook
from scoring.versions import VERSIONS
from tournaments.changes.chain import take_over
from tournaments.changes.log import write_down
from tournaments.draw.chairs import empty_seat
from tournaments.draw.tables import SMALL_TABLE
from tournaments.files import applications
from tournaments.files.recount import differences
from tournaments.files.series import give_awards, series_here, series_of, unlike_here
from tournaments.files.things import M, club_here, club_of, made, plain
from tournaments.ledger.queries import rulebook_of
from tournaments.models import (
    BoardSet,
    ChainLink,
    Deal,
    Entry,
    Flag,
    FolderChange,
    FormerSeat,
    KeptReport,
    LogEntry,
    Match,
    Payment,
    Penalty,
    PrintedList,
    PrintedSheet,
    Report,
    RevokedSecret,
    Round,
    Seat,
    SeatChange,
    Table,
    Team,
    Tournament,
)
from tournaments.models.events import free_code
from tournaments.models.names import tell_apart

FORMAT, VERSION = "spadille-tournament", 2
READ = range(1, VERSION + 1)
CHAINED = 2  # the first version that says that every file has its chain

UNCHAINED = gettext_noop("Imported from a file without a chain: nothing proves what was done before")


class BadFile(Exception):  # noqa: N818 - says what it is
    """A file that cannot be taken in; the text says why, in the reader's words."""


# Out


def export_tournament(tournament: Tournament) -> str:
    """The tournament as text: the same tournament gives the same bytes."""
    return json.dumps(_everything(tournament), ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def _everything(tournament: Tournament) -> dict[str, Any]:
    entries = tournament.entries.select_related("player", "club__union", "team").order_by("number")
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
        "tables__printed_sheets",
        "tables__seat_changes",
        "tables__former_seats__entry",
    )
    return {
        "format": FORMAT,
        "version": VERSION,
        "host": club_of(tournament.host),
        "tournament": plain(tournament),
        "series": series_of(tournament),
        "teams": [
            plain(team) | {"club": club_of(team.club) if team.club else None}
            for team in tournament.teams.select_related("club__union").order_by("number")
        ],
        "entries": [
            plain(entry)
            | {
                "name": entry.player.name,
                "club": club_of(entry.club) if entry.club else None,
                "team": _number(entry.team),
            }
            for entry in entries
        ],
        "applications": applications.written(tournament),
        "rounds": [
            plain(round_)
            | {
                "matches": [_match(match) for match in _by(round_.matches.all(), "number")],
                "tables": [_table(table) for table in _by(round_.tables.all(), "number")],
            }
            for round_ in rounds
        ],
        "penalties": [
            plain(penalty) | {name: _number(getattr(penalty, name)) for name in ("entry", "team", "round")}
            for penalty in tournament.penalties.select_related("entry", "team", "round").order_by("pk")
        ],
        "payments": [
            plain(payment) | {name: _number(getattr(payment, name)) for name in ("payer", "payee")}
            for payment in tournament.payments.select_related("payer", "payee")
        ],
        "board_sets_dealt": [plain(board_set) for board_set in tournament.board_sets_dealt.all()],
        "printed_lists": [plain(printed) for printed in tournament.printed_lists.all()],
        "log": [plain(line) for line in tournament.log.order_by("pk")],
        "chain": [plain(link) for link in tournament.chain.order_by("number")],
    }


def _number(thing: Entry | Team | Match | Round | None) -> int | None:
    return thing.number if thing else None


def _match(match: Match) -> dict[str, Any]:
    return plain(match) | {"home": match.home.number, "away": _number(match.away)}


def _table(table: Table) -> dict[str, Any]:
    return plain(table) | {
        "match": _number(table.match),
        "seats": [plain(seat) | {"entry": seat.entry.number} for seat in _by(table.seats.all(), "position")],
        "reports": [plain(report) for report in _by(table.reports.all(), "sequence")],
        "flags": [plain(flag) for flag in _by(table.flags.all(), "pk")],
        "kept_reports": [plain(kept) for kept in _by(table.kept_reports.all(), "pk")],
        "revoked_secrets": [plain(revoked) for revoked in _by(table.revoked_secrets.all(), "secret")],
        "former_seats": [
            plain(former) | {"entry": former.entry.number} for former in _by(table.former_seats.all(), "pk")
        ],
        "seat_changes": [plain(change) for change in _by(table.seat_changes.all(), "sequence")],
        "folder_changes": [plain(change) for change in _by(table.folder_changes.all(), "pk")],
        "printed_sheets": [plain(printed) for printed in _by(table.printed_sheets.all(), "pk")],
    }


def _by(things: Iterable[Any], attribute: str) -> list[Any]:
    return sorted(things, key=lambda thing: getattr(thing, attribute))


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
    if data.get("version") not in READ:
        raise BadFile(
            _("The file has version %(version)s of the format; this Spadille reads version %(ours)d.")
            % {"version": data.get("version"), "ours": VERSION}
        )
    try:
        with transaction.atomic():
            return _take_in(data)
    except ValidationError as error:
        raise BadFile(_("The file is inconsistent: %(why)s") % {"why": "; ".join(error.messages)}) from error
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
        raise BadFile(_("The file is inconsistent: %(why)s") % {"why": error}) from error


def unlike_the_file(text: str, tournament: Tournament) -> list[str]:
    """What an organiser is to know of a tournament just taken in: where it was put is not quite as the file says."""
    data = json.loads(text)
    unlike = unlike_here(data.get("series"), tournament)
    return unlike if data.get("chain") else [_(UNCHAINED) + ".", *unlike]


def _take_in(data: dict[str, Any]) -> Tournament:
    fields = data["tournament"]
    if Tournament.objects.filter(code=fields["code"]).exists():
        raise BadFile(_("The tournament %(code)s is already here.") % {"code": fields["code"]})
    tournament: Tournament = made(
        Tournament, fields, host=club_here(data["host"]), **series_here(data.get("series"))
    )
    if tournament.rules_version not in ("", *VERSIONS):
        raise BadFile(
            _("It was played by version %(version)s of the rules; this Spadille has version %(ours)s.")
            % {"version": tournament.rules_version, "ours": ENGINE_VERSION}
        )
    rulebook_of(tournament)
    teams: dict[int, Team] = {}
    for fields in data.get("teams", []):
        club = club_here(fields["club"]) if fields["club"] else None
        teams[fields["number"]] = made(Team, fields, tournament=tournament, club=club)
    entries = _entries(tournament, data["entries"], teams)
    applications.take_in(tournament, data.get("applications", []), entries)
    give_awards(data.get("series"), tournament, entries)
    rounds = {}
    for fields in data["rounds"]:
        rounds[fields["number"]] = _take_round(tournament, fields, entries, teams)
    for fields in data["penalties"]:
        made(
            Penalty,
            fields,
            tournament=tournament,
            entry=_named(entries, fields["entry"]),
            team=_named(teams, fields.get("team")),
            round=_named(rounds, fields["round"]),
        )
    for fields in data["payments"]:
        payer, payee = (_named(entries, fields[side]) for side in ("payer", "payee"))
        made(Payment, fields, tournament=tournament, payer=payer, payee=payee)
    of_the_whole = {"board_sets_dealt": BoardSet, "printed_lists": PrintedList, "log": LogEntry}
    for model, fields in ((model, one) for name, model in of_the_whole.items() for one in data.get(name, [])):
        made(model, fields, tournament=tournament)
    _take_chain(tournament, data)
    for difference in differences(tournament):
        raise BadFile(_("The file has been altered: %(difference)s") % {"difference": difference})
    return tournament


def _take_chain(tournament: Tournament, data: dict[str, Any]) -> None:
    """The chain as the file has it, sealed here; of files of earlier Spadilles a new one over all that there is."""
    links = data.get("chain", [])
    if not links and data["version"] >= CHAINED:
        raise BadFile(_("The file has been altered: its chain of decisions has been removed."))
    for fields in links:
        made(ChainLink, fields, tournament=tournament)
    take_over(tournament)
    if not links:
        write_down(tournament, None, UNCHAINED, now=timezone.now())
    tournament.refresh_from_db()


def _named(things: Mapping[int, M], number: int | None) -> M | None:
    """The thing of that number; None where none is named. Raises KeyError for one that is not there."""
    return None if number is None else things[number]


def _take_round(
    tournament: Tournament, fields: dict[str, Any], entries: dict[int, Entry], teams: dict[int, Team]
) -> Round:
    round_ = made(Round, fields, tournament=tournament)
    matches = {
        match["number"]: made(
            Match, match, round=round_, home=teams[match["home"]], away=_named(teams, match["away"])
        )
        for match in fields.get("matches", [])
    }
    for table in with_empty_chairs(round_.number, fields["tables"]):
        _take_table(round_, table, entries, _named(matches, table.get("match")))
    return round_


def with_empty_chairs(number: int, tables: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The tables of a round, where a file of an earlier Spadille has no empty chairs with those that it showed."""
    threes = 0
    for table in tables:
        chair = {}
        if len(table["seats"]) == SMALL_TABLE:
            chair = {"empty_chair": empty_seat(number - 1, threes)}
            threes += 1
        yield chair | table


def _take_table(
    round_: Round, fields: dict[str, Any], entries: dict[int, Entry], match: Match | None
) -> None:
    if Table.objects.filter(code=fields["code"]).exists():
        fields = fields | {"code": free_code(Table)}  # the link in the QR code is the way in
    table = made(Table, fields, round=round_, match=match)
    for seat in fields["seats"]:
        made(Seat, seat, table=table, round=round_, entry=entries[seat["entry"]])
    for former in fields.get("former_seats", []):
        made(FormerSeat, former, table=table, round=round_, entry=entries[former["entry"]])
    for change in fields.get("seat_changes", []):
        made(SeatChange, change, table=table)
    newest = {}
    for report in fields["reports"]:
        newest[report["deal_number"]] = made(Report, report, table=table)
    Deal.objects.bulk_create(
        Deal(table=table, number=number, current=report) for number, report in sorted(newest.items())
    )
    for name, model in (("flags", Flag), ("kept_reports", KeptReport), ("revoked_secrets", RevokedSecret)):
        for inside in fields[name]:
            made(model, inside, table=table)
    for inside in fields.get("folder_changes", []):
        made(FolderChange, inside, table=table)
    for inside in fields.get("printed_sheets", []):
        made(PrintedSheet, inside, table=table)


def _entries(tournament: Tournament, rows: list[dict[str, Any]], teams: dict[int, Team]) -> dict[int, Entry]:
    """Entries by number; a player is the club's member of exactly that name, or somebody new."""
    entries: dict[int, Entry] = {}
    taken: set[int] = set()
    for fields in rows:
        club = club_here(fields["club"]) if fields["club"] else None
        player = None
        if club:
            members = Player.objects.filter(memberships__club=club, name=fields["name"]).exclude(pk__in=taken)
            player = members.order_by("pk").first()
        player = player or Player.objects.create(name=fields["name"])
        taken.add(player.pk)
        team = _named(teams, fields.get("team"))
        entries[fields["number"]] = made(
            Entry, fields, tournament=tournament, player=player, club=club, team=team
        )
    tell_apart(tournament)
    return {entry.number: entry for entry in tournament.entries.select_related("player", "team")}
