"""What is chained of each thing, and what a thing is called in the chain.

Every field of a chained model is in it, but for those of `LEFT_OUT`: a field that is added later is chained from the
next step about its thing on. Names are made of numbers and codes alone, so that they are the same on another machine:
"table 2/3", "ruling 1", "log 40". A step names the things that it decided (`logbook.write_down`, `about`).
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time
from typing import Any
from uuid import UUID

from django.db import models

Content = dict[str, Any]

PRINT_LETTERS = 16
# Fields that are not chained, by model, and why.
PLACE = "its place is its name"
WITH = "is chained with it"
LEFT_OUT: Mapping[str, Mapping[str, str]] = {
    "Tournament": {
        "code": PLACE,
        "host": "decides nothing; the log tells of a change",
        "season": "a club's choice of evenings, in the club's log",
        "stage": "a club's choice of groups, in the club's log",
        "version": "tells pages that something changed",
        "results_kept": "whether what follows from the results is counted",
        "is_rated": "whether what follows from the results is counted",
        "created_at": "decides nothing",
        "chain_count": "the chain's own",
        "chain_head": "the chain's own",
        "chain_seal": "the chain's own",
    },
    "Round": {"tournament": PLACE, "number": PLACE},
    "Table": {
        "round": PLACE,
        "number": PLACE,
        "secret": "lets a phone in, and out again",
        "code": "lets a phone in, and out again",
        "phone": "which phone enters",
        "phone_seen_at": "which phone enters",
        "version": "tells phones that something changed",
        "last_hash": WITH,
        "reports_count": WITH,
        "last_report_at": "follows from the reports",
        "seal": "seals the chain of reports",
    },
    "Match": {"round": PLACE, "number": PLACE},
    "Entry": {
        "tournament": PLACE,
        "number": PLACE,
        "club": "whom one plays for is a wish of the draw",
        "has_namesake": "follows from the names",
        "entered_at": "decides nothing",
    },
    "Team": {
        "tournament": PLACE,
        "number": PLACE,
        "name": "follows what players are called, which they may ask to be forgotten",
        "club": "whom one plays for is a wish of the draw",
        "secret": "lets a captain in, and out again",
    },
    "Penalty": {"tournament": PLACE},
    "Payment": {"tournament": PLACE, "number": PLACE},
    "BoardSet": {"tournament": PLACE, "round_number": PLACE},
    "LogEntry": {"tournament": PLACE, "account": "its name is kept as the author"},
}
# Models that are not chained by themselves, and where what they say is kept from being changed unseen.
ELSEWHERE = {
    "Report": "in the chain of its table",
    "Deal": "recounted: it counts its newest report",
    "Seat": "who sits there is chained with its table; tokens are recounted; a yes is taken back by any change",
    "FolderChange": "chained with its table",
    "SeatChange": "chained with its table",
    "FormerSeat": "chained with its table; tokens are recounted",
    "ChainLink": "is the chain",
    "EveningResult": "follows from the results, and is counted anew",
    "RatingState": "follows from the results, and is counted anew",
    "RatedEvening": "follows from the results, and is counted anew",
    "Rating": "follows from the results, and is counted anew",
    "KeptReport": "as it came, decided by nobody; taken in it is a report, and the log tells of each decision",
    "Flag": "a word to the desk: decides nothing",
    "RevokedSecret": "a dead link",
    "Photograph": "evidence beside the reports; the log tells of attaching and removing it",
    "ClubRules": "a club's own; what a tournament is played by is chained with it",
    "Season": "a club's own, counted from tournaments",
    "Award": "a club's own, in the club's log",
    "Championship": "a club's own, counted from tournaments",
    "Stage": "a club's own; what is taken along is chained with entries and teams",
}
# Texts that are codes: chained as they stand. All others are chained as prints.
CODES = {"rulebook", "rules_version", "three_factor", "text", "origin"}
# Where rows of a model are found from their tournament.
FROM_TOURNAMENT = {
    "Round": "tournament",
    "Table": "round__tournament",
    "Match": "round__tournament",
    "Entry": "tournament",
    "Team": "tournament",
    "Penalty": "tournament",
    "Payment": "tournament",
    "BoardSet": "tournament",
    "LogEntry": "tournament",
}
RELATED = {
    "Table": ("round", "match"),
    "Match": ("round", "home", "away"),
    "Entry": ("team", "player"),
    "Penalty": ("entry", "team", "round"),
    "Payment": ("payer", "payee"),
}
Models = Callable[[str], type[models.Model]]


def print_of(value: object) -> str:
    """A text, or what fills a line of the log, as a print: it shows a change and does not say what was there."""
    said = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return "#" + hashlib.sha256(said.encode()).hexdigest()[:PRINT_LETTERS]


def name_of(thing: Any, place: int = 0) -> str:
    """What a thing is called in the chain; `place` is that of a ruling or a log line among its tournament's."""
    match type(thing).__name__:
        case "Tournament":
            return "tournament"
        case "Table" | "Match" as kind:
            return f"{kind.lower()} {thing.round.number}/{thing.number}"
        case "BoardSet":
            return f"boards {thing.round_number}"
        case "Penalty":
            return f"ruling {place}"
        case "LogEntry":
            return f"log {place}"
        case kind:
            return f"{kind.lower()} {thing.number}"


def everything(tournament: Any, model: Models) -> Iterator[tuple[str, Content]]:
    """Each thing of a tournament that is chained, as it stands; `model` finds a model by its name."""
    yield name_of(tournament), content_of(tournament)
    for kind, path in FROM_TOURNAMENT.items():
        rows = model(kind)._default_manager.filter(**{path: tournament}).order_by("pk")
        things = rows.select_related(*RELATED.get(kind, ())) if kind in RELATED else rows
        beside = _beside(kind, rows, model)
        for place, thing in enumerate(things, start=1):
            yield name_of(thing, place), content_of(thing, beside.get(thing.pk))


def things_in(about: Iterable[models.Model], model: Models) -> Iterator[tuple[str, Content | None]]:
    """The things that a step was about, read again as they stand now; None for each that is gone."""
    by_kind: dict[str, list[Any]] = defaultdict(list)
    for thing in about:
        by_kind[type(thing).__name__].append(thing)
    for kind, named in by_kind.items():
        rows = model(kind)._default_manager.filter(pk__in={thing.pk for thing in named})
        found = {row.pk: row for row in rows.select_related(*RELATED.get(kind, ()))}
        beside = _beside(kind, rows, model)
        for pk, thing in {thing.pk: thing for thing in named}.items():
            now = found.get(pk)
            name = name_of(now or thing, _place(now or thing))
            yield name, content_of(now, beside.get(pk)) if now else None


def _place(thing: Any) -> int:
    if type(thing).__name__ not in ("Penalty", "LogEntry"):
        return 0
    rows = type(thing)._default_manager.filter(tournament=thing.tournament_id, pk__lte=thing.pk)
    return int(rows.count())


def content_of(thing: Any, beside: Content | None = None) -> Content:
    """What is chained of a thing, with what is chained `beside` its fields."""
    left_out = LEFT_OUT.get(type(thing).__name__, {})
    content = {
        field.name: _value(thing, field)
        for field in thing._meta.concrete_fields
        if not field.primary_key and field.name not in left_out
    }
    if "last_hash" in left_out:
        content["reports"] = [thing.reports_count, thing.last_hash]
    return content | (beside or {})


def _value(thing: Any, field: models.Field[Any, Any]) -> Any:
    if field.name == "player":
        return print_of(thing.player.name)
    value = getattr(thing, field.name)
    if isinstance(value, models.Model):
        return getattr(value, "number", None)
    if isinstance(field, models.CharField) and not field.choices and field.name not in CODES:
        return print_of(value) if value else ""
    if field.name == "params":
        return print_of(value)
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    return str(value) if isinstance(value, (date, time, UUID)) else value


def _beside(kind: str, tables: models.QuerySet[Any], model: Models) -> Mapping[int, Content]:
    """Table's primary key -> who sits at it, and sat before, by entry numbers, and what was changed in the round."""
    if kind != "Table":
        return {}
    found = {pk: unchanged_table(()) for pk in tables.order_by().values_list("pk", flat=True)}
    for pk, position, number in _rows(model("Seat"), tables, "position", "entry__number"):
        found[pk]["seats"][chr(ord("A") + position)] = number
    for pk, *former in _rows(model("FormerSeat"), tables, "position", "through", "entry__number"):
        found[pk]["former_seats"].append(former)
    for pk, _place, change, reason in _rows(model("SeatChange"), tables, "sequence", "change", "reason"):
        found[pk]["seat_changes"].append([change, print_of(reason)])
    for pk, _place, *change in _rows(model("FolderChange"), tables, "pk", "deal_number", "was", "now"):
        found[pk]["folder_changes"].append(change)
    return found


def unchanged_table(entries: Sequence[int]) -> Content:
    """What is chained beside a table's fields where nothing was changed in the round; entry numbers by position."""
    seats = {chr(ord("A") + position): number for position, number in enumerate(entries)}
    return {"seats": seats, "former_seats": [], "seat_changes": [], "folder_changes": []}


def _rows(model: type[models.Model], tables: models.QuerySet[Any], *fields: str) -> Iterable[Sequence[Any]]:
    rows: Iterable[Sequence[Any]] = (
        model._default_manager.filter(table__in=tables.order_by())
        .order_by("table", *fields[:2])
        .values_list("table", *fields)
    )
    return rows
