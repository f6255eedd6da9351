"""Reports as they arrive: read from JSON, or refused as no report at all."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from core.errors import REASON_LENGTH
from core.text import tidy
from tournaments.domain.terms import reason_code

LARGEST_NUMBER = 32_767  # what the database's small integers hold


class UnreadableSubmission(Exception):  # noqa: N818 - says what it is
    """Something that is not a report of the protocol. `key` is set where at least that could be read."""

    def __init__(self, field: str, text: str, key: UUID | None = None) -> None:
        super().__init__(text)
        self.field = field
        self.text = text
        self.key = key


@dataclass(frozen=True, slots=True)
class Submission:
    """One report as sent: `base` is the revision of the deal that the sender saw, 0 if none.

    `result` is a JSON object as in a `score` case with seats as positions; None takes the deal back.
    """

    key: UUID
    deal: int
    base: int
    result: dict[str, Any] | None
    made_at: datetime | None = None
    reason: str = ""
    # Whether the phone asked if what is rare about it is right, and was told yes.
    asked: bool = False
    # How many changes of dealer and seats the sender had seen (`Table.turns`); None where it does not say.
    turns: int | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "key": str(self.key),
            "deal": self.deal,
            "base": self.base,
            "result": self.result,
            "made_at": self.made_at.isoformat() if self.made_at else None,
            "reason": self.reason,
            "asked": self.asked,
        } | ({} if self.turns is None else {"turns": self.turns})


def read_submission(item: object) -> Submission:
    """Read one report of the protocol; `UnreadableSubmission` says what is wrong with it and where."""
    if not isinstance(item, dict):
        raise UnreadableSubmission("reports", _("A report must be an object."))
    try:
        key = UUID(item["key"])
    except (KeyError, ValueError, TypeError, AttributeError):
        raise UnreadableSubmission("key", _("A report needs a key (a UUID).")) from None
    return Submission(
        key=key,
        deal=_read_number(item, "deal", key),
        base=_read_number(item, "base", key),
        result=_read_result(item, key),
        made_at=_read_time(item.get("made_at")),
        reason=_read_reason(item.get("reason"), key),
        asked=item.get("asked") is True,
        turns=None if item.get("turns") is None else _read_number(item, "turns", key),
    )


def _read_number(item: dict[str, Any], field: str, key: UUID) -> int:
    value = item.get(field)
    if type(value) is not int or not 0 <= value <= LARGEST_NUMBER:
        raise UnreadableSubmission(field, _("“%(field)s” must be a whole number.") % {"field": field}, key)
    return value


def _read_result(item: dict[str, Any], key: UUID) -> dict[str, Any] | None:
    if "result" not in item:
        raise UnreadableSubmission("result", _("The result is missing."), key)
    result = item["result"]
    if result is not None and not isinstance(result, dict):
        raise UnreadableSubmission("result", _("The result must be an object."), key)
    return result


def _read_reason(value: object, key: UUID) -> str:
    if value is None:
        return ""
    if not isinstance(value, str) or len(value) > REASON_LENGTH:
        raise UnreadableSubmission(
            "reason", _("Say the reason in at most %(most)d letters.") % {"most": REASON_LENGTH}, key
        )
    if not is_storable(value):
        raise UnreadableSubmission("reason", _("The reason has characters that cannot be stored."), key)
    return reason_code(tidy(value))


def is_storable(text: str) -> bool:
    """Whether every database can hold `text`: no NUL, no half of a surrogate pair."""
    return "\x00" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)


def _read_time(value: object) -> datetime | None:
    """The phone's clock, if it makes sense: a wrong clock is no reason to refuse a deal."""
    try:
        moment = parse_datetime(value) if isinstance(value, str) else None
        return moment.astimezone(UTC) if moment and moment.tzinfo else None
    except (ValueError, OverflowError):
        return None
