"""Filter of evenings: by season, year, days, rulebook, format or host."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import date
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.db.models import Q

from tournaments.domain.formats import FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any
FIRST_YEAR, LAST_YEAR = 1900, 2999


@dataclass(frozen=True, slots=True)
class Span:
    """None, or "", means all. `season` and `club` (the host) are primary keys; both days are included.

    `evenings` restricts to tournaments by primary key; it has no URL parameter.
    """

    season: int | None = None
    year: int | None = None
    rulebook: str = ""
    format: str = ""
    club: int | None = None
    first: date | None = None
    last: date | None = None
    evenings: frozenset[int] | None = None

    def as_q(self, to: str = "") -> Q:
        """The filter as Q; `to` is the lookup prefix of the tournament."""
        asked: dict[str, Any] = {
            "season": self.season,
            "date__gte": self.first,
            "date__lte": self.last,
            "rulebook": self.rulebook or None,
            "format": self.format or None,
            "host": self.club,
            "pk__in": self.evenings,
        }
        if self.year is not None:
            asked["date__range"] = date(self.year, 1, 1), date(self.year, 12, 31)
        return Q(**{f"{to}{field}": value for field, value in asked.items() if value is not None})

    @property
    def is_all(self) -> bool:
        return self == Span()

    def as_query(self) -> dict[str, str]:
        """The query string from which `read` restores the span."""
        return {
            name: str(value)
            for name, value in asdict(self).items()
            if name in READERS and value not in (None, "")
        }


def read(said: Mapping[str, str]) -> Span:
    """Parse the filter from URL parameters. Raises ValidationError, by field."""
    found: dict[str, Any] = {}
    wrong = {}
    for name, reader in READERS.items():
        text = said.get(name, "").strip()
        if text:
            try:
                found[name] = reader(text)
            except (ValueError, OverflowError):
                wrong[name] = f"{name}: {text[:40]}"
    if wrong:
        raise ValidationError(wrong)
    return Span(**found)


def _number(text: str) -> int:
    number = int(text)
    if not 0 < number < 2**31:
        raise ValueError
    return number


def _year(text: str) -> int:
    number = int(text)
    if not FIRST_YEAR <= number <= LAST_YEAR:
        raise ValueError
    return number


def _format(text: str) -> str:
    if text not in FORMATS:
        raise ValueError
    return text


READERS: dict[str, Callable[[str], object]] = {
    "season": _number,
    "year": _year,
    "rulebook": str,
    "format": _format,
    "club": _number,
    "first": date.fromisoformat,
    "last": date.fromisoformat,
}
