"""What captains' phones send, read with care: anything can arrive, nothing may end in an error page."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from core.http.responses import NotTheProtocol
from tournaments.ledger import Submission, UnreadableSubmission, read_submission
from tournaments.ledger.submissions import is_storable
from tournaments.models import Flag

LARGEST_BODY = 256 * 1024
MOST_REPORTS = 100
LARGEST_REPORT = 4096  # bytes of JSON without blanks; a report with the longest reason has half as many
DEEPEST = 8  # levels of lists and objects in a report; the protocol needs four


@dataclass(frozen=True, slots=True)
class Unread:
    """A report whose key can be read and the rest cannot: it is refused by itself, the others are settled."""

    key: str
    field: str
    message: str


def read_reports(body: dict[str, Any]) -> list[Submission | Unread]:
    """The reports of a request in their order; raises `NotTheProtocol` where one has no usable key."""
    items = body.get("reports")
    if not isinstance(items, list):
        raise NotTheProtocol(_("“reports” must be a list."))
    if len(items) > MOST_REPORTS:
        raise NotTheProtocol(_("At most %(most)d reports fit in one request.") % {"most": MOST_REPORTS})
    return [_read_report(item) for item in items]


def _read_report(item: object) -> Submission | Unread:
    try:
        submission = read_submission(item)
    except UnreadableSubmission as error:
        if error.key is None:
            raise NotTheProtocol(error.text) from None
        return Unread(str(error.key), error.field, error.text)
    if problem := _unstorable(item):
        return Unread(str(submission.key), "result", problem)
    return submission


def _unstorable(item: object) -> str:
    """Why no database could hold it as JSON (half surrogate pairs, NUL, infinite numbers, depth), or should; ""."""
    problem = _("The result contains characters or numbers that cannot be stored.")
    if not _is_shallow(item, DEEPEST):
        return problem
    try:
        text = json.dumps(item, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        size = len(text.encode())
    except ValueError:
        return problem
    if "\\u0000" in text:
        return problem
    return _("This is more than a report can hold.") if size > LARGEST_REPORT else ""


def _is_shallow(item: object, levels: int) -> bool:
    if not isinstance(item, (dict, list)):
        return True
    inside = item.values() if isinstance(item, dict) else item
    return levels > 0 and all(_is_shallow(one, levels - 1) for one in inside)


def read_position(body: dict[str, Any], players: int) -> int:
    """A seat's position; raises `NotTheProtocol`."""
    position = body.get("position")
    if type(position) is not int or not 0 <= position < players:
        raise NotTheProtocol(_("“position” must be a seat at this table."))
    return position


@dataclass(frozen=True, slots=True)
class Call:
    """What is asked of the desk; `settled` takes it back: a mark by its deal, a call by its words."""

    kind: str
    deal: int | None
    words: str
    key: UUID | None
    settled: bool


def read_call(body: dict[str, Any]) -> Call:
    """Raises `NotTheProtocol`."""
    kind, deal, words = body.get("kind"), body.get("deal"), body.get("words", "")
    key, settled = body.get("key"), body.get("settled", False)
    try:
        read_key = None if key is None else UUID(key)
    except (ValueError, TypeError, AttributeError):
        raise NotTheProtocol(_("“key” must be a UUID.")) from None
    if not isinstance(kind, str) or not isinstance(words, str) or not is_storable(words):
        raise NotTheProtocol(_("A call to the desk has a kind, a deal or none, and words."))
    if (deal is not None and type(deal) is not int) or (
        settled and kind not in (Flag.Kind.LATER, Flag.Kind.CALL)
    ):
        raise NotTheProtocol(_("A call to the desk has a kind, a deal or none, and words."))
    return Call(kind, deal, words, read_key, settled=settled is True)
