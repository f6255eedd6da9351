"""Parameters of a tournament's log messages in addition to those of `core.log_messages`: money and counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import ngettext_lazy

from core import log_messages
from tournaments.domain.amounts import to_type

if TYPE_CHECKING:
    from collections.abc import Iterable


KINDS: log_messages.Kinds = {
    **log_messages.KINDS,
    "kroner": lambda amounts: " + ".join(map(to_type, amounts)),
}

# Log messages of steps that count something, as stored.
SEATED_BY_HAND = "Seated {players} players by hand in {rounds} round(s)"
DREW = "Drew {rounds} round(s) for {players} players with seed {seed}"
DREW_MATCHES = "Drew the matches of {rounds} round(s) with seed {seed}"
SET_DAYS = "Set the days of {rounds} round(s)"
CAME_LATE = "{player} came late and is the fourth at a table of three in {rounds} round(s)"
TAKES_SEATS = "{newcomer} takes the seats of {gone} in {rounds} round(s)"
ALL_MEET = "All meet all in {rounds} round(s)"
SPLIT = "Split into {groups} group(s)"
SET_SETS = "Set-up: {value} set(s) of folders now"
SET_MEETINGS = "Set-up: everybody meets everybody {value} time(s) now"
SET_BYES = "Set-up: {value} team(s) have a bye each round on purpose now"
SET_PROMOTED = "Set-up: {value} team(s) of each division are promoted now"
SET_RELEGATED = "Set-up: {value} team(s) of each division are relegated now"
TOOK_IN_SHEET = "Round {round}, table {table}: saved {count} deals from a photograph of the sheet"
MADE_PAYMENTS = "Made the payment list: {count} payments"

COUNTED: log_messages.Counted = {
    TOOK_IN_SHEET: (
        "count",
        ngettext_lazy(
            "Round {round}, table {table}: saved {count} deal from a photograph of the sheet",
            "Round {round}, table {table}: saved {count} deals from a photograph of the sheet",
            "count",
        ),
    ),
    SEATED_BY_HAND: (
        "rounds",
        ngettext_lazy(
            "Seated {players} players by hand in {rounds} round",
            "Seated {players} players by hand in {rounds} rounds",
            "rounds",
        ),
    ),
    DREW: (
        "rounds",
        ngettext_lazy(
            "Drew {rounds} round for {players} players with seed {seed}",
            "Drew {rounds} rounds for {players} players with seed {seed}",
            "rounds",
        ),
    ),
    DREW_MATCHES: (
        "rounds",
        ngettext_lazy(
            "Drew the matches of {rounds} round with seed {seed}",
            "Drew the matches of {rounds} rounds with seed {seed}",
            "rounds",
        ),
    ),
    SET_DAYS: (
        "rounds",
        ngettext_lazy("Set the date of {rounds} round", "Set the dates of {rounds} rounds", "rounds"),
    ),
    CAME_LATE: (
        "rounds",
        ngettext_lazy(
            "{player} arrived late and is the fourth at a table of three in {rounds} round",
            "{player} arrived late and is the fourth at a table of three in {rounds} rounds",
            "rounds",
        ),
    ),
    TAKES_SEATS: (
        "rounds",
        ngettext_lazy(
            "{newcomer} takes the seat of {gone} in {rounds} round",
            "{newcomer} takes the seats of {gone} in {rounds} rounds",
            "rounds",
        ),
    ),
    ALL_MEET: (
        "rounds",
        ngettext_lazy("Full round robin in {rounds} round", "Full round robin in {rounds} rounds", "rounds"),
    ),
    SPLIT: ("groups", ngettext_lazy("All in {groups} group", "Split into {groups} groups", "groups")),
    SET_SETS: (
        "value",
        ngettext_lazy("Set-up: now {value} set of folders", "Set-up: now {value} sets of folders", "value"),
    ),
    SET_MEETINGS: (
        "value",
        ngettext_lazy(
            "Set-up: everyone now meets everyone {value} time",
            "Set-up: everyone now meets everyone {value} times",
            "value",
        ),
    ),
    SET_BYES: (
        "value",
        ngettext_lazy(
            "Set-up: {value} team now has a bye each round",
            "Set-up: {value} teams now have a bye each round",
            "value",
        ),
    ),
    SET_PROMOTED: (
        "value",
        ngettext_lazy(
            "Set-up: {value} team of each division is now promoted",
            "Set-up: {value} teams of each division are now promoted",
            "value",
        ),
    ),
    SET_RELEGATED: (
        "value",
        ngettext_lazy(
            "Set-up: {value} team of each division is now relegated",
            "Set-up: {value} teams of each division are now relegated",
            "value",
        ),
    ),
    MADE_PAYMENTS: (
        "count",
        ngettext_lazy(
            "Made the payment list: {count} payment", "Made the payment list: {count} payments", "count"
        ),
    ),
}


def kroner(amounts: Iterable[int]) -> dict[str, Any]:
    """Amounts in øre, as they are stored: `{"kroner": [195000]}`."""
    return {"kroner": list(amounts)}
