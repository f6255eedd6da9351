"""The state of a table as the captain's phone gets it: offers, next seats, the end of the sheet."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils.formats import date_format
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from scoring.choices import choices
from scoring.results import read_result
from scoring.seats import WITH_FOURTH, Role, Seating
from scoring.settlement import problems
from tournaments.domain.terms import (
    contract_name,
    patch_name,
    problem_said,
    reason_words,
    seat_name,
    short_names,
    signed,
)
from tournaments.ledger.queries import names_at, rulebook_of
from tournaments.ledger.scoresheet import result_texts
from tournaments.ledger.seating import Names, names_then, seating_at, turns_at
from tournaments.models import Flag, Report, Seat, Table, Tournament
from tournaments.standings.columns import places_moved
from tournaments.standings.players import standings

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scoring.rulebook import Rulebook
    from tournaments.ledger import Answer
    from tournaments.standings.players import Standings


# State sent to the captain's page: table, seats, every deal with its versions, choices of the entry form.


def table_state(table: Table, *, now: datetime, since: int | None = None) -> dict[str, Any]:
    """A table's complete state; with `since` (sequence of a report) only deals changed after it.

    `table` comes with its round and tournament.
    """
    seats = list(table.seats.select_related("entry__player", "entry__club", "entry__tournament__host"))
    names = Names(table, [seat.entry.shown_name for seat in seats])
    taken_over = table.round.tournament.hands_taken_over and len(seats) in WITH_FOURTH
    partial = since is not None
    reports = table.reports.defer("parts").order_by("deal_number", "revision")
    if partial:
        changed = table.reports.filter(sequence__gt=since).values("deal_number")
        reports = reports.filter(deal_number__in=changed)
    rulebook = rulebook_of(table.round.tournament)
    versions = {number: list(same) for number, same in groupby(reports, key=attrgetter("deal_number"))}
    numbers: Iterable[int] = versions if partial else range(1, table.deals + 1)
    state = {
        "version": table.version,
        "sequence": table.reports_count,
        "partial": partial,
        "phone": phone_that_enters(table, now),
        "table": _table(table, len(seats)),
        "seats": [
            _seat(seat, name, short)
            for seat, name, short in zip(seats, names, short_names(names), strict=True)
        ],
        "seatings": [
            _seating(rulebook.seating(len(seats), dealer, in_pairs=taken_over))
            for dealer in range(len(seats))
        ],
        "deals": [_deal(rulebook, table, number, versions.get(number, []), names) for number in numbers],
        "flags": [
            {"kind": flag.kind, "deal": flag.deal, "words": reason_words(flag.words)}
            for flag in Flag.objects.filter(table=table, settled_at=None).exclude(
                kind__in=(Flag.Kind.CONFLICT, Flag.Kind.RARE)
            )
        ],
    }
    if not partial:
        state["choices"] = offers(rulebook, len(seats), get_language() or "en")
    return state


def _table(table: Table, players: int) -> dict[str, Any]:
    return {
        "tournament": table.round.tournament.name,
        "round": table.round.number,
        "number": table.number,
        "deals": table.deals,
        "first_dealer": turns_at(table, players).dealer(1),
        # Number of changes of dealer or seats: a report carries the number that its phone has seen.
        "turns": len(table.turns),
        # The folder of each deal; none where cards are dealt by hand.
        "folders": table.folders,
        "started": table.has_begun,
        "ended": table.ended_early_at is not None,
        # Whether the players' tokens add up: to 0, or to what is missing in the pool.
        "sums": rulebook_of(table.round.tournament).zero_sum,
        # Whether those opposite each other play together: pairs and teams.
        "sides": table.match_id is not None and players in WITH_FOURTH,
    }


def _seat(seat: Seat, name: str, short: str) -> dict[str, Any]:
    return {
        "position": seat.position,
        "name": name,
        "called": short,
        "short": short,
        "number": seat.entry.number,
        "tokens": seat.tokens,
        "agreed": seat.agreed_at is not None,
    }


def _seating(seating: Seating) -> dict[str, Any]:
    """Roles in a deal: nearly all deals of a table have one of three or four seatings, by dealer.

    In pairs `taken_over` has the seating by declarer, where the player sitting out plays (`plays`) a partner's
    hand.
    """
    said = _roles(seating)
    taken = {
        str(position): _roles(played) | {"plays": played.position_of(played.taken_over)}
        for position, role in enumerate(seating.roles)
        if (played := seating.declared_by(role)).taken_over
    }
    return said | {"taken_over": taken} if taken else said


def _roles(seating: Seating) -> dict[str, Any]:
    return {"roles": [role.value for role in seating.roles], "sits_out": seating.sits_out}


def _deal(
    rulebook: Rulebook, table: Table, number: int, versions: Sequence[Report], names: Sequence[str]
) -> dict[str, Any]:
    """A deal: number and dealer; once reported, the version that counts and the older ones, oldest first."""
    seating = seating_at(table, len(names), number)
    deal: dict[str, Any] = {"number": number, "dealer": seating.dealer}
    if seating.order:
        deal |= _seating(seating)  # two have changed seats: it is none of the table's usual ones
    if versions:
        deal |= _version(rulebook, versions[-1], names)
    if len(versions) > 1:
        deal["older"] = [_version(rulebook, report, names) for report in versions[:-1]]
    return deal


def _version(rulebook: Rulebook, report: Report, names: Sequence[str]) -> dict[str, Any]:
    said = {
        "revision": report.revision,
        "result": report.result,
        "outcome": report.outcome,
        "tokens": report.tokens,
        "text": report_text(rulebook, report, names),
        # Pages loaded before programs had a source of their own know these two only.
        "source": "desk" if report.source == Report.Source.DESK else "captain",
        "by": report.reported_by.value,
        "reported_at": report.recorded_at.isoformat(timespec="seconds"),
    }
    if report.reason:
        said["reason"] = reason_words(report.reason)
    return said


def report_text(rulebook: Rulebook, report: Report, names: Sequence[str]) -> str:
    """A report in few words, its declarer left to the result: “Solo ♥ · won”."""
    if report.result is None:
        return _("undone")
    texts = result_texts(rulebook, report.result, report.outcome, names_then(names, report.deal_number))
    said = (f"{texts['contract']} {texts['trump']}".strip(), texts["result"], texts["remark"])
    return " · ".join(text for text in said if text)


def answer_json(rulebook: Rulebook, answer: Answer, names: Sequence[str]) -> dict[str, Any]:
    """The result of one report. The current version is included in a conflict only, so that responses are small."""
    said: dict[str, Any] = {"key": str(answer.key), "status": answer.status, "revision": answer.revision}
    if answer.problems:
        said["problems"] = [problem.to_json() for problem in answer.problems]
    if answer.warnings:
        said["warnings"] = [warning.to_json() for warning in answer.warnings]
    if answer.status == "conflict":
        said["current"] = _version(rulebook, answer.current, names) if answer.current else None
    return said


def answers_json(table: Table, answers: Sequence[Answer]) -> list[dict[str, Any]]:
    names = names_at(table) if any(answer.status == "conflict" for answer in answers) else []
    rulebook = rulebook_of(table.round.tournament)
    return [answer_json(rulebook, answer, names) for answer in answers]


# Page of a table whose sheet is signed: thanks, its players' places, and what the final places still wait for.


def is_last_round(table: Table) -> bool:
    """Whether nothing is played after the table's round: it is the last one, or play is over."""
    tournament = table.round.tournament
    return table.round.number >= tournament.rounds_planned or tournament.is_played


def table_ending(table: Table) -> dict[str, Any]:
    """Thanks in a line, a note below it, the places of who sits here by place, and why they may still change."""
    tournament = table.round.tournament
    whole = standings(tournament)
    return {
        "thanks": _thanks(table, whole),
        "note": _note(table, whole),
        "places": _places(table, whole),
        "provisional": _provisional(table),
        "is_last": is_last_round(table),
    }


def _thanks(table: Table, whole: Standings) -> str:
    winners = _winners(table.round.tournament, whole)
    if winners:
        return ngettext("%(names)s won", "%(names)s share the win", len(winners)) % {
            "names": _(" and ").join(winners)
        }
    if is_last_round(table):
        return _("Thank you for tonight, table %(number)d") % {"number": table.number}
    return _("Thank you, table %(number)d") % {"number": table.number}


def _note(table: Table, whole: Standings) -> str:
    tournament = table.round.tournament
    if _winners(tournament, whole):
        final = _("The final standings.") if tournament.is_finished else ""
        total = _("Winning total: %(total)s.") % {"total": signed(whole.first[0].total)}
        said = (total, final, _next_evening(tournament))
        return " ".join(filter(None, said))
    if is_last_round(table):
        return _("Your standing after the last round:")
    return _("Your standing after round %(round)d:") % {"round": table.round.number}


def _next_evening(tournament: Tournament) -> str:
    """The date of the host's next evening; "" where none is set up."""
    coming = Tournament.objects.not_called_off().filter(
        host=tournament.host_id, state=Tournament.State.SETUP, date__gte=tournament.date
    )
    day = coming.order_by("date").values_list("date", flat=True).first()
    return _("Next evening: %(day)s.") % {"day": date_format(day, "DATE_FORMAT")} if day else ""


def _winners(tournament: Tournament, whole: Standings) -> list[str]:
    """The winners, once play is over."""
    return [row.name for row in whole.first] if tournament.is_played else []


def _places(table: Table, whole: Standings) -> list[dict[str, Any]]:
    here = {
        seat.entry_id: seat.entry.shown_name
        for seat in table.seats.select_related("entry__player", "entry__club", "entry__tournament__host")
    }
    return [
        {
            "number": row.number,
            "place": f"{row.rank}.=" if row.shared else f"{row.rank}.",
            "name": here[row.entry_id],
            "moved": places_moved(row.moved),
            "total": signed(row.total),
        }
        for row in whole.rows
        if row.entry_id in here
    ]


def _provisional(table: Table) -> str:
    """Empty once the places are final."""
    tournament = table.round.tournament
    if tournament.is_finished:
        return ""
    playing = Seat.objects.filter(round=table.round, agreed_at=None).exclude(table=table)
    tables = playing.values("table").distinct().count() if table.round.is_running else 0
    if tables:
        said = ngettext(
            "Provisional: %(tables)d table is still playing.",
            "Provisional: %(tables)d tables are still playing.",
            tables,
        )
        return said % {"tables": tables}
    if is_last_round(table):
        return _("Provisional until the organiser confirms the places.")
    return ""


# What a captain's phone may report: the engine's choices, named in the reader's language, small to load.

# A part of what the engine's `choices` gives, as JSON.
Choice = dict[str, Any]

# What players call a result, though it is one with something besides: it has a button among the results.
CALLED_RESULTS = ("tout_won",)


@lru_cache(maxsize=64)
def offers(rulebook: Rulebook, players: int, language: str) -> Choice:  # noqa: ARG001 - the texts hang on it
    """The rulebook's choices with the names of contracts and codes; what is rare carries a question to ask back.

    Call it with the active language. The result is cached and shared: do not change it.
    """
    offered = choices(rulebook, players)
    patches = (
        patch
        for contract in offered["contracts"]
        for kind in ("results", "rare", "extras", "partners")
        for patch in contract[kind]
    )
    named = [_Asking(rulebook, players, contract).named_choice() for contract in offered["contracts"]]
    return offered | {
        "antes": _antes(rulebook, offered["roles"]),
        "role_names": {role: seat_name(rulebook, Role(role)) for role in offered["roles"]},
        "names": {patch["code"]: patch_name(rulebook, patch["code"]) for patch in patches}
        | _field_names(offered),
        "contracts": [_short_tokens(contract, contract["declarers"], offered["roles"]) for contract in named],
    }


def _field_names(offered: Choice) -> dict[str, str]:
    names = {"before_trick": _("Given up before trick")}
    asked_for = {field["name"] for contract in offered["contracts"] for field in contract["fields"]}
    return {name: text for name, text in names.items() if name in asked_for}


def _antes(rulebook: Rulebook, roles: Sequence[str]) -> list[int] | None:
    """The ante of each role before a deal, as negative tokens; None where there is no pool."""
    if rulebook.pool is None:
        return None
    dealer = rulebook.seating(len(roles), 0).role_of(0)
    return [-rulebook.pool.ante if rulebook.pool.by_all or role == dealer else 0 for role in roles]


def _short_tokens(part: Any, declarers: Sequence[str], roles: Sequence[str]) -> Any:
    """Compress tokens to lists: one per declarer (null if not offered), with an amount per role.

    A phone has less than half as much to load.
    """
    if isinstance(part, list):
        return [_short_tokens(one, declarers, roles) for one in part]
    if not isinstance(part, dict):
        return part
    return {
        name: [
            [value[declarer].get(role, 0) for role in roles] if declarer in value else None
            for declarer in declarers
        ]
        if name in ("tokens", "pool")
        else _short_tokens(value, declarers, roles)
        for name, value in part.items()
    }


# What the phone needs of a contract as the engine gives it.
USED = ("id", "declarers", "trumps", "trump_must", "results", "rare", "takeovers", "partners", "fields")


class _Asking:
    """A contract's choices with the engine's own questions about what is legal but rare."""

    def __init__(self, rulebook: Rulebook, players: int, contract: Choice) -> None:
        self.rulebook = rulebook
        self.seating = rulebook.seating(players, 0)
        self.contract = contract
        self.usual = contract["results"][0]["set"]
        self.suits = contract["trumps"] or [""]

    def named_choice(self) -> Choice:
        contract = self.contract
        extras = [
            extra
            | {"ask": self.question(self.usual | extra["set"], self.suits[-1])}
            | ({"main": True} if extra["code"] in CALLED_RESULTS else {})
            for extra in contract["extras"]
        ]
        questions = {suit: self.question(self.usual, suit) for suit in self.suits}
        used = {name: contract[name] for name in USED}
        return used | {
            "name": contract_name(contract["id"]),
            "asks": {suit: question for suit, question in questions.items() if question},
            "extras": extras,
            "joiners": [
                joiner
                | {
                    "results": [
                        _account(self.rulebook, joiner["seat"], account) for account in joiner["results"]
                    ]
                }
                for joiner in contract["joiners"]
            ],
        }

    def question(self, told: Choice, suit: str) -> str:
        """The engine's question about a report of the first possible declarer; empty for usual results."""
        declarer = self.contract["declarers"][0]
        for extra in self.contract["extras"]:
            if extra.get("must"):
                told = extra["set"] | told
        for partner in self.contract["partners"]:
            told = partner["set"] | told if partner["seat"] != declarer else told
        if self.rulebook.pool:
            told = {"pool": self.rulebook.pool.each_deal(self.seating.players)} | told
        report = json.loads(json.dumps(told).replace("DECLARER", declarer).replace('"COUNT"', "1"))
        report |= {"contract": self.contract["id"], "declarer": declarer} | ({"trump": suit} if suit else {})
        found = problems(read_result(report, self.seating), self.seating, self.rulebook)
        names = [seat_name(self.rulebook, role) for role in self.seating.roles]
        said = (problem_said(self.rulebook, problem, names, self.seating) for problem in found)
        return " ".join(problem.message for problem in said if problem.is_warning)


def _account(rulebook: Rulebook, seat: str, account: Choice) -> Choice:
    """A joiner's account: on its button the tricks alone, as the row has the name; in a sentence both."""
    name = patch_name(rulebook, account["code"])
    kind, _underscore, tricks = account["code"].partition("_")
    return account | {"name": tricks if kind == "tricks" else name, "text": f"{{{seat}}} {name}"}


# Which phone enters a table's deals: one, until another takes over. Reports of any phone are accepted.

# Phones send a heartbeat every minute; after three minutes the next phone takes over without asking.
GONE_AFTER = timedelta(minutes=3)


def phone_that_enters(table: Table, now: datetime) -> str:
    """The phone's name for itself; empty if none has been heard of lately."""
    seen = table.phone_seen_at
    return table.phone if seen is not None and now - seen < GONE_AFTER else ""


@transaction.atomic
def hold_table(table: Table, phone: str, *, take: bool, now: datetime) -> str:
    """Let `phone` enter the deals if no other does, or if it takes over; returns the phone that enters."""
    table = Table.objects.select_for_update(of=("self",)).get(pk=table.pk)
    holder = phone_that_enters(table, now)
    if holder not in ("", phone) and not take:
        return holder
    if table.phone != phone:
        table.version += 1  # the other phone sees it with its next request
    table.phone = phone
    table.phone_seen_at = now
    table.save(update_fields=["phone", "phone_seen_at", "version"])
    return phone
