"""The deals of a season's booklet in the reader's words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.seats import Role
from tournaments.domain.terms import SUIT_SIGNS, card_words, contract_name, outcome_name, seat_name
from tournaments.models import SeasonDeal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoring.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class TrickText:
    """A trick of the line: its number, and who played which card, the leader first."""

    number: int
    cards: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class LineText:
    """A line of best play: the contract, what it comes to, the tricks."""

    contract: str
    result: str
    tricks: list[TrickText]


def reason_text(rulebook: Rulebook, row: SeasonDeal, signs: Mapping[str, str] | None = None) -> str:
    """Why the deal was chosen, in a sentence."""
    about = row.about
    if row.reason == SeasonDeal.Reason.SPREAD:
        text = ngettext(
            "In one seat the tables are %(spread)d token apart.",
            "In one seat the tables are %(spread)d tokens apart.",
            about["spread"],
        )
        return text % {"spread": about["spread"]}
    named = {"contract": _contract(row, signs), "seat": seat_name(rulebook, Role(about["role"]))}
    if row.reason == SeasonDeal.Reason.UNFOUND:
        odds = {"made": about["made"], "solved": about["solved"]}
        text = _(
            "No table played %(contract)s by %(seat)s, which is made in %(made)d of %(solved)d exchanges."
        )
        return text % (named | odds)
    tables = {"made": about["made"], "beaten": about["beaten"]}
    text = _("%(contract)s by %(seat)s: tables that made it %(made)d, tables that beat it %(beaten)d.")
    return text % (named | tables)


def line_text(rulebook: Rulebook, row: SeasonDeal, signs: Mapping[str, str] | None = None) -> LineText | None:
    """The line of best play; None where there is none."""
    cards = row.line.get("cards")
    if not cards:
        return None
    size = len(row.line["hands"])
    tricks = [
        TrickText(
            number // size + 1,
            [
                (seat_name(rulebook, Role(role)), _card(card, signs))
                for role, card in cards[number : number + size]
            ],
        )
        for number in range(0, len(cards), size)
    ]
    won = ngettext("%(count)d trick", "%(count)d tricks", row.line["tricks"]) % {"count": row.line["tricks"]}
    named = {"contract": _contract(row, signs), "seat": seat_name(rulebook, Role(row.about["role"]))}
    return LineText(
        _("%(contract)s by %(seat)s") % named,
        f"{outcome_name(rulebook, row.line['outcome'])}, {won}",
        tricks,
    )


def _contract(row: SeasonDeal, signs: Mapping[str, str] | None) -> str:
    sign = SUIT_SIGNS.get(row.about["trump"], "")
    return f"{contract_name(row.about['contract'])} {(signs or {}).get(sign, sign)}".strip()


def _card(card: str, signs: Mapping[str, str] | None) -> str:
    words = card_words(card)
    for sign, other in (signs or {}).items():
        words = words.replace(sign, other)
    return words
