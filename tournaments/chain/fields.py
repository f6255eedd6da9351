"""Which fields of which models are chained, and how the value of each is said there.

Every field of a chained model is, but for those of `LEFT_OUT`: a field that is added later is chained from the next
step about its thing on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple

from django.db import models

from core.canonical_json import AsStored, as_text, canonical, canonical_of, json_of, moment

PRINT_LETTERS = 16
# Fields that are not chained, by model, and why.
PLACE = "its place is its name"
WITH = "is chained with it"
LEFT_OUT: Mapping[str, Mapping[str, str]] = {
    "Tournament": {
        "code": PLACE,
        "host": "in the register",
        "held_by": "who helps at the desk decides nothing; the log tells of each change",
        "round_minutes": "decides nothing; the log tells of each clock",
        "projector": "what a wall shows decides nothing",
        "season": "in the register",
        "stage": "in the register",
        "version": "tells pages that something changed",
        "told_changes": "tells calendars and feeds that something changed",
        "told_at": "tells calendars and feeds that something changed",
        "results_kept": "whether what follows from the results is counted",
        "is_rated": "whether what follows from the results is counted",
        "deals_summed": "whether what follows from the results is counted",
        "created_at": "decides nothing",
        "draw_prices": "what another draw would have cost decides nothing",
        "chain_count": "the chain's own",
        "chain_head": "the chain's own",
        "chain_seal": "the chain's own",
    },
    "Round": {
        "tournament": PLACE,
        "number": PLACE,
        "clock_started_at": "decides nothing; the log tells of each step",
        "clock_minutes": "decides nothing; the log tells of each step",
        "clock_pauses": "decides nothing; the log tells of each step",
    },
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
        "name": "in the register: it follows what players are called, which they may ask to be forgotten",
        "club": "whom one plays for is a wish of the draw",
        "secret": "lets a captain in, and out again",
    },
    "Penalty": {"tournament": PLACE},
    "Payment": {"tournament": PLACE, "number": PLACE},
    "BoardSet": {"tournament": PLACE, "round_number": PLACE},
    "LogEntry": {"tournament": PLACE, "account": "its name is kept as the author"},
}
# Models that are not chained by themselves, and where what they say is kept from being changed unseen.
IN_REGISTER = "in the chain of the register: `chain.register`"
ELSEWHERE = {
    "Report": "in the chain of its table",
    "RegisterLink": "is the register's chain",
    "RegisterHead": "is where the register's chain ends",
    "Deal": "recounted: it counts its newest report",
    "Seat": "who sits there is chained with its table; tokens are recounted; a yes is taken back by any change",
    "FolderAnalysis": "follows from the cards, and is worked out anew",
    "FolderChange": "chained with its table",
    "SeatChange": "chained with its table",
    "FormerSeat": "chained with its table; tokens are recounted",
    "ChainLink": "is the chain",
    "DealSort": "what sums of deals are of; decides nothing",
    "DealSum": "follows from the reports, and is counted anew",
    "EveningResult": "follows from the results, and is counted anew",
    "KeptYear": "follows from the results, and is counted anew",
    "MergedPlayer": IN_REGISTER,
    "OldEvent": IN_REGISTER,
    "OldPlace": IN_REGISTER,
    "RatingState": "follows from the results, and is counted anew",
    "RatedEvening": "follows from the results, and is counted anew",
    "Rating": "follows from the results, and is counted anew",
    "KeptReport": "as it came, decided by nobody; taken in it is a report, and the log tells of each decision",
    "Flag": "a word to the desk: decides nothing",
    "RevokedSecret": "a dead link",
    "Photograph": "evidence beside the reports; the log tells of attaching and removing it",
    "PrintedList": "what a list for the door looked like: decides nothing",
    "PrintedSheet": "what a sheet for the pencil looked like: decides nothing",
    "PushSubscription": "a phone that is told: decides nothing",
    "PushMessage": "what it is told: decides nothing",
    "PushTally": "how many of these were sent: decides nothing",
    "SheetPicture": "what was read of a photograph; taken in it is reports, and the log tells of it",
    "ToldResult": "a print of what follows from the results, as feeds have told it",
    "ChangedRow": "what the journal is still to be told of",
    "JournalState": "how far the journal is",
    "ClubRules": "a club's own; what a tournament is played by is chained with it",
    "Season": IN_REGISTER,
    "Award": IN_REGISTER,
    "Application": "a wish, until its entry is chained; the log tells of each step",
    "Championship": IN_REGISTER,
    "Stage": IN_REGISTER,
}
# Texts that are codes: chained as they stand. All others are chained as prints.
CODES = {"rulebook", "rules_version", "three_factor", "text", "origin"}


def print_of(value: object) -> str:
    """A text, or what fills a line of the log, as a print: it shows a change and does not say what was there."""
    return _print(canonical(value))


def _print(said: str) -> str:
    return "#" + hashlib.sha256(said.encode()).hexdigest()[:PRINT_LETTERS]


@lru_cache(maxsize=8192)
def print_of_text(text: str) -> str:
    """The same of a text that comes again; of none, none."""
    return print_of(text) if text else ""


def _print_of_json(text: str | None) -> str:
    return _print(canonical_of(text))


class ChainedField(NamedTuple):
    """A field as it is chained, under which `name`.

    `of` gives its value of a model, `stored` is the column where rows are read, `said` says either; where a row has it
    otherwise than a model, `read` says what it has.
    """

    name: str
    of: Callable[[Any], Any]
    stored: Any
    said: Callable[[Any], Any] | None = None
    read: Callable[[Any], Any] | None = None

    @property
    def said_of_row(self) -> Callable[[Any], Any] | None:
        return self.read or self.said


@lru_cache(maxsize=64)
def chained_fields(model: type[models.Model]) -> tuple[ChainedField, ...]:
    """Those of a model of today, or of a migration's."""
    left_out = LEFT_OUT.get(model.__name__, {})
    own = (field for field in model._meta.concrete_fields if not field.primary_key)
    return tuple(_chained(field) for field in own if field.name not in left_out)


def _chained(field: models.Field[Any, Any]) -> ChainedField:
    name = field.name
    if name == "player":
        return ChainedField(name, attrgetter("player.name"), "player__name", print_of_text)
    if field.related_model is not None:
        # What it points to has a number that says what it is.
        return ChainedField(
            name, lambda thing: getattr(getattr(thing, name), "number", None), f"{name}__number"
        )
    if isinstance(field, models.CharField) and not field.choices and name not in CODES:
        return ChainedField(name, attrgetter(name), name, print_of_text)
    if name == "params":
        return ChainedField(name, lambda thing: canonical(thing.params), as_text(name), _print_of_json)
    if isinstance(field, models.DateTimeField):
        return ChainedField(name, attrgetter(name), AsStored(name), moment)
    said = _as_str if isinstance(field, (models.DateField, models.TimeField, models.UUIDField)) else None
    # Lists that nearly every row has empty, or the same as others: each is read once.
    stored, read = (as_text(name), json_of) if isinstance(field, models.JSONField) else (name, None)
    return ChainedField(name, attrgetter(name), stored, said, read)


def _as_str(value: object) -> str | None:
    return None if value is None else str(value)
