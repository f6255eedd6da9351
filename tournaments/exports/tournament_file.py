"""A tournament as one JSON file: writing it, reading it, with its applications and series."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

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
from tournaments.exports.file_items import (
    M,
    club_here,
    club_of,
    create_checked,
    give_awards,
    plain,
    series_here,
    series_of,
    unlike_here,
)
from tournaments.exports.verify.recount import differences
from tournaments.ledger.queries import rulebook_of
from tournaments.lifecycle.registration.links import make_link
from tournaments.models import (
    Application,
    BoardSet,
    ChainLink,
    Deal,
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
    Seat,
    SeatChange,
    Table,
    Team,
    TeamEntry,
    TeamEntryPlayer,
    TeamEntryRuling,
    Tournament,
)
from tournaments.models.events import free_code
from tournaments.models.names import tell_apart

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from clubs.models import Club


# A tournament as one JSON file, to be imported by another installation.
#
# The file (`"format": "spadille-tournament", "version": 2`) has the tournament, its teams, entries, rounds, matches,
# tables, seats, every version of every report, boards, penalties, payments, flags, late reports, the log, the
# captains' links, applications, its season and its championship. It has names, but no e-mail addresses and phone
# numbers. Exporting an imported file gives the same bytes. Files of older versions lack newer fields, and are
# accepted. Since version 2 every file has the tournament's hash chain, and is rejected without it; one of version 1
# without a chain is imported with a log line that its past is not certified.

FORMAT, VERSION = "spadille-tournament", 2
READ = range(1, VERSION + 1)
CHAINED = 2  # the first version whose files must have the chain

UNCHAINED = gettext_noop("Imported from a file without a hash chain: nothing proves what was done before")


class BadFile(Exception):
    """A file that cannot be imported; the text is the reason, in the reader's language."""


# Out


def export_tournament(tournament: Tournament) -> str:
    """The tournament as text: the same tournament gives the same bytes."""
    return json.dumps(_everything(tournament), ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def _everything(tournament: Tournament) -> dict[str, Any]:
    entries = tournament.entries.select_related("player", "club", "team").order_by("number")
    return {
        "format": FORMAT,
        "version": VERSION,
        "host": club_of(tournament.host),
        "tournament": plain(tournament),
        "series": series_of(tournament),
        "teams": _teams(tournament),
        "entries": [
            plain(entry)
            | {
                "name": entry.player.name,
                "club": club_of(entry.club) if entry.club else None,
                "team": _number(entry.team),
            }
            for entry in entries
        ],
        "applications": application_rows(tournament),
        "team_entries": _team_entries(tournament),
        "objections": [
            plain(one)
            | {
                "team": _number(one.team),
                "entry": _number(one.entry),
                "club": club_of(one.club) if one.club else None,
            }
            for one in tournament.objections.select_related("team", "entry", "club")
        ],
        "rounds": _rounds(tournament),
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


def _teams(tournament: Tournament) -> list[dict[str, Any]]:
    return [
        plain(team)
        | {
            "club": club_of(team.club) if team.club else None,
            "fixture_wishes": [
                plain(wish) | {"other": _number(wish.other)} for wish in _by(team.fixture_wishes.all(), "pk")
            ],
        }
        for team in tournament.teams.select_related("club")
        .prefetch_related("fixture_wishes__other")
        .order_by("number")
    ]


def _rounds(tournament: Tournament) -> list[dict[str, Any]]:
    rounds = tournament.rounds.order_by("number").prefetch_related(
        "matches__home",
        "matches__away",
        "matches__confirmations__team",
        "matches__postponements__team",
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
    return [
        plain(round_)
        | {
            "matches": [_match(match) for match in _by(round_.matches.all(), "number")],
            "tables": [_table(table) for table in _by(round_.tables.all(), "number")],
        }
        for round_ in rounds
    ]


def _number(thing: Entry | Team | Match | Round | None) -> int | None:
    return thing.number if thing else None


def _match(match: Match) -> dict[str, Any]:
    return plain(match) | {
        "home": match.home.number,
        "away": _number(match.away),
        "confirmations": [
            plain(one) | {"team": one.team.number} for one in _by(match.confirmations.all(), "pk")
        ],
        "postponements": [
            plain(one) | {"team": one.team.number} for one in _by(match.postponements.all(), "pk")
        ],
    }


def _team_entries(tournament: Tournament) -> list[dict[str, Any]]:
    """Serialize the clubs' entries; players who take part also have the number of their entry."""
    numbers = dict(tournament.entries.values_list("player", "number"))
    entries = tournament.team_entries.select_related("club", "team").prefetch_related(
        "players__player", "rulings"
    )
    return [
        plain(entry)
        | {
            "club": club_of(entry.club),
            "team": _number(entry.team),
            "players": [
                plain(one) | {"name": one.player.name, "entry": numbers.get(one.player_id)}
                for one in entry.players.all()
            ],
            "rulings": [plain(ruling) for ruling in entry.rulings.all()],
        }
        for entry in entries
    ]


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
            _(
                "The file has version %(version)s of the format; this Spadille installation reads version %(ours)d."
            )
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
    """Warnings after an import: what differs from the file because of existing data here."""
    data = json.loads(text)
    unlike = unlike_here(data.get("series"), tournament)
    return unlike if data.get("chain") else [_(UNCHAINED) + ".", *unlike]


def _take_in(data: dict[str, Any]) -> Tournament:
    fields = data["tournament"]
    if Tournament.objects.filter(code=fields["code"]).exists():
        raise BadFile(_("The tournament %(code)s is already here.") % {"code": fields["code"]})
    tournament: Tournament = create_checked(
        Tournament,
        fields,
        host=club_here(data["host"]),
        imported_at=timezone.now(),
        **series_here(data.get("series")),
    )
    if tournament.rules_version not in ("", *VERSIONS):
        raise BadFile(
            _(
                "It was played by version %(version)s of the rules; this Spadille installation has version %(ours)s."
            )
            % {"version": tournament.rules_version, "ours": ENGINE_VERSION}
        )
    rulebook_of(tournament)
    teams: dict[int, Team] = {}
    for fields in data.get("teams", []):
        club = club_here(fields["club"]) if fields["club"] else None
        teams[fields["number"]] = create_checked(Team, fields, tournament=tournament, club=club)
    for fields in data.get("teams", []):
        _take_wishes(tournament, fields, teams)
    entries = _entries(tournament, data["entries"], teams)
    take_in(tournament, data.get("applications", []), entries)
    _take_team_entries(tournament, data.get("team_entries", []), teams, entries)
    _take_objections(tournament, data.get("objections", []), teams, entries)
    give_awards(data.get("series"), tournament, entries)
    rounds = {}
    for fields in data["rounds"]:
        rounds[fields["number"]] = _take_round(tournament, fields, entries, teams)
    for fields in data["penalties"]:
        create_checked(
            Penalty,
            fields,
            tournament=tournament,
            entry=_get_by_number(entries, fields["entry"]),
            team=_get_by_number(teams, fields.get("team")),
            round=_get_by_number(rounds, fields["round"]),
        )
    for fields in data["payments"]:
        payer, payee = (_get_by_number(entries, fields[side]) for side in ("payer", "payee"))
        create_checked(Payment, fields, tournament=tournament, payer=payer, payee=payee)
    of_the_whole = {"board_sets_dealt": BoardSet, "printed_lists": PrintedList, "log": LogEntry}
    for model, fields in ((model, one) for name, model in of_the_whole.items() for one in data.get(name, [])):
        create_checked(model, fields, tournament=tournament)
    _take_chain(tournament, data)
    for difference in differences(tournament):
        raise BadFile(_("The file has been altered: %(difference)s") % {"difference": difference})
    return tournament


def _take_chain(tournament: Tournament, data: dict[str, Any]) -> None:
    """The chain as the file has it, sealed here; of files of earlier Spadilles a new one over all that there is."""
    links = data.get("chain", [])
    if not links and data["version"] >= CHAINED:
        raise BadFile(_("The file has been altered: its hash chain has been removed."))
    for fields in links:
        create_checked(ChainLink, fields, tournament=tournament)
    take_over(tournament)
    if not links:
        write_down(tournament, None, UNCHAINED, now=timezone.now())
    tournament.refresh_from_db()


def _get_by_number(things: Mapping[int, M], number: int | None) -> M | None:
    """The thing of that number; None where none is named. Raises KeyError for one that is not there."""
    return None if number is None else things[number]


def _take_round(
    tournament: Tournament, fields: dict[str, Any], entries: dict[int, Entry], teams: dict[int, Team]
) -> Round:
    round_ = create_checked(Round, fields, tournament=tournament)
    matches = {match["number"]: _take_match(round_, match, teams) for match in fields.get("matches", [])}
    for table in with_empty_chairs(round_.number, fields["tables"]):
        _take_table(round_, table, entries, _get_by_number(matches, table.get("match")))
    return round_


def _take_team_entries(
    tournament: Tournament,
    rows: Sequence[dict[str, Any]],
    teams: Mapping[int, Team],
    entries: Mapping[int, Entry],
) -> None:
    """Import the clubs' entries. Raises BadFile where a player is in a team twice."""
    for fields in rows:
        club, team = club_here(fields["club"]), _get_by_number(teams, fields["team"])
        entry = create_checked(TeamEntry, fields, tournament=tournament, club=club, team=team)
        taken: set[int] = set()
        for one in fields["players"]:
            held = _get_by_number(entries, one["entry"])
            player = held.player if held else _member(one["name"], club, taken)
            if player.pk in taken:
                text = _("The file is inconsistent: a player is twice in the entry of team no. %(number)d.")
                raise BadFile(text % {"number": fields["number"]})
            taken.add(player.pk)
            create_checked(TeamEntryPlayer, one, team_entry=entry, player=player)
        for ruling in fields["rulings"]:
            create_checked(TeamEntryRuling, ruling, team_entry=entry)


def _take_objections(
    tournament: Tournament,
    rows: Sequence[dict[str, Any]],
    teams: Mapping[int, Team],
    entries: Mapping[int, Entry],
) -> None:
    for fields in rows:
        create_checked(
            Objection,
            fields,
            tournament=tournament,
            team=_get_by_number(teams, fields["team"]),
            entry=_get_by_number(entries, fields["entry"]),
            club=club_here(fields["club"]) if fields["club"] else None,
        )


def _take_wishes(tournament: Tournament, fields: dict[str, Any], teams: Mapping[int, Team]) -> None:
    """Import a team's wishes for the season's plan. Raises BadFile for an invalid or repeated one."""
    number, known = fields["number"], set()
    for wish in fields.get("fixture_wishes", []):
        wished = (wish["other"], wish["day"])
        if wished.count(None) != 1 or wish["other"] == number or wished in known:
            raise BadFile(
                _(
                    "The file is inconsistent: a wish of team no. %(number)d is there twice, or not for one day or "
                    "one other team."
                )
                % {"number": number}
            )
        known.add(wished)
        other = _get_by_number(teams, wish["other"])
        create_checked(FixtureWish, wish, tournament=tournament, team=teams[number], other=other)


def _take_match(round_: Round, fields: dict[str, Any], teams: Mapping[int, Team]) -> Match:
    """A match with what its teams have agreed on. Raises BadFile where that cannot be theirs."""
    sides = {"home": teams[fields["home"]], "away": _get_by_number(teams, fields["away"])}
    match = create_checked(Match, fields, round=round_, **sides)
    confirmed, proposed = fields.get("confirmations", []), fields.get("postponements", [])
    where = {"round": round_.number, "match": match.number}
    for one in [*confirmed, *proposed]:
        if one["team"] not in (fields["home"], fields["away"]):
            text = _(
                "The file is inconsistent: team no. %(number)d is not in match %(match)d of round %(round)d."
            )
            raise BadFile(text % (where | {"number": one["team"]}))
    if len({one["team"] for one in confirmed}) < len(confirmed):
        text = _("The file is inconsistent: a team agrees twice to match %(match)d of round %(round)d.")
        raise BadFile(text % where)
    if [one["state"] for one in proposed].count(Postponement.State.OPEN) > 1:
        text = _(
            "The file is inconsistent: match %(match)d of round %(round)d has two open proposals of days."
        )
        raise BadFile(text % where)
    for one in confirmed:
        create_checked(MatchConfirmation, one, match=match, team=teams[one["team"]])
    for one in proposed:
        if not _fits_its_answer(create_checked(Postponement, one, match=match, team=teams[one["team"]])):
            text = _(
                "The file is inconsistent: a proposal of days for match %(match)d of round %(round)d does not fit "
                "its answer."
            )
            raise BadFile(text % where)
    return match


def _fits_its_answer(proposal: Postponement) -> bool:
    """Whether a proposal was answered unless it is open, and one of its days chosen just if it was accepted."""
    if (proposal.answered_at is None) != proposal.is_open:
        return False
    days = {day.day for day in proposal.proposed}
    return proposal.chosen in (days if proposal.state == Postponement.State.ACCEPTED else {None})


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
    table = create_checked(Table, fields, round=round_, match=match)
    for seat in fields["seats"]:
        create_checked(Seat, seat, table=table, round=round_, entry=entries[seat["entry"]])
    for former in fields.get("former_seats", []):
        create_checked(FormerSeat, former, table=table, round=round_, entry=entries[former["entry"]])
    for change in fields.get("seat_changes", []):
        create_checked(SeatChange, change, table=table)
    newest = {}
    for report in fields["reports"]:
        newest[report["deal_number"]] = create_checked(Report, report, table=table)
    Deal.objects.bulk_create(
        Deal(table=table, number=number, current=report) for number, report in sorted(newest.items())
    )
    for name, model in (("flags", Flag), ("kept_reports", KeptReport), ("revoked_secrets", RevokedSecret)):
        for inside in fields[name]:
            create_checked(model, inside, table=table)
    for inside in fields.get("folder_changes", []):
        create_checked(FolderChange, inside, table=table)
    for inside in fields.get("printed_sheets", []):
        create_checked(PrintedSheet, inside, table=table)


def _entries(tournament: Tournament, rows: list[dict[str, Any]], teams: dict[int, Team]) -> dict[int, Entry]:
    """Entries by number; a player is the club's member of exactly that name, or a new one."""
    entries: dict[int, Entry] = {}
    taken: set[int] = set()
    for fields in rows:
        club = club_here(fields["club"]) if fields["club"] else None
        player = _member(fields["name"], club, taken)
        taken.add(player.pk)
        team = _get_by_number(teams, fields.get("team"))
        entries[fields["number"]] = create_checked(
            Entry, fields, tournament=tournament, player=player, club=club, team=team
        )
    tell_apart(tournament)
    return {entry.number: entry for entry in tournament.entries.select_related("player", "team")}


def _member(name: str, club: Club | None, taken: Collection[int]) -> Player:
    """The club's member of exactly that name, but for those who are `taken`; else a new player."""
    members = Player.objects.filter(memberships__club=club, name=name).exclude(pk__in=taken) if club else None
    found = members.order_by("pk").first() if members is not None else None
    return found or Player.objects.create(name=name)


# Applications in a tournament's file: names and turns, without addresses and links.
#
# Unconfirmed ones are omitted; an imported applicant gets a new link from the organiser.


def application_rows(tournament: Tournament) -> list[dict[str, Any]]:
    there = tournament.applications.select_related("player", "club", "lead", "entry")
    known = [one for one in there.order_by("number") if one.is_known and (not one.lead or one.lead.is_known)]
    return [
        plain(one)
        | {
            "player": one.player.name if one.player else None,
            "club": club_of(one.club) if one.club else None,
            "lead": one.lead.number if one.lead else None,
            "entry": one.entry.number if one.entry else None,
        }
        for one in known
    ]


def take_in(tournament: Tournament, rows: Sequence[dict[str, Any]], entries: Mapping[int, Entry]) -> None:
    """Raises KeyError for an entry or a lead that the file has not."""
    taken: dict[int, Application] = {}
    for fields in sorted(rows, key=lambda row: row["lead"] is not None):
        entry = None if fields["entry"] is None else entries[fields["entry"]]
        club = club_here(fields["club"]) if fields["club"] else None
        new = Application()
        make_link(new)
        taken[fields["number"]] = create_checked(
            Application,
            fields,
            tournament=tournament,
            typed=fields["player"] or fields["name"],
            player=entry.player if entry else _player(fields["player"], club),
            club=club,
            entry=entry,
            lead=None if fields["lead"] is None else taken[fields["lead"]],
            salt=new.salt,
            key_hash=new.key_hash,
        )


def _player(name: str | None, club: Club | None) -> Player | None:
    """The player of a name: the club's member of exactly that name, or a new player."""
    return None if name is None else _member(name, club, ())
