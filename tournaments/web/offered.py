"""What a form offers to choose from, one by one by a key that is sent: a list at hand, or rows of the database."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from django.db.models import Model, Q

from clubs.names import MOST_SEARCHED, matches_search
from tournaments.entries.entering import entries_found
from tournaments.web.finding import number_in

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from django.db.models import QuerySet

    from tournaments.models import Entry, Team, Tournament

T = TypeVar("T")
Row = TypeVar("Row", bound=Model)


class Offered(Protocol[T]):
    """What may be chosen, however many there are: nobody reads all of it."""

    def first(self, most: int) -> Sequence[T]: ...

    def found(self, query: str, most: int) -> Sequence[T]:
        """Those that a search finds, in their order."""

    def get(self, key: str) -> T | None: ...

    def key(self, one: T) -> str: ...

    def label(self, one: T) -> str: ...

    def group(self, one: T) -> str:
        """The heading that it stands under; "" for none."""


class AtHand(Generic[T]):
    """What the page has read anyway; a search finds it by `number`, which is its key unless said otherwise."""

    def __init__(
        self,
        those: Sequence[T],
        *,
        key: Callable[[T], int],
        label: Callable[[T], str],
        group: Callable[[T], str] = lambda _one: "",
        number: Callable[[T], int] | None = None,
    ) -> None:
        self._those = {str(key(one)): one for one in those}
        self._key, self._number = key, number or key
        self.label, self.group = label, group

    def first(self, most: int) -> Sequence[T]:
        return list(self._those.values())[:most]

    def found(self, query: str, most: int) -> Sequence[T]:
        wanted = number_in(query)
        if wanted is not None:
            return [one for one in self._those.values() if self._number(one) == wanted][:most]
        return list(
            islice((one for one in self._those.values() if matches_search(query, self.label(one))), most)
        )

    def get(self, key: str) -> T | None:
        return self._those.get(key)

    def key(self, one: T) -> str:
        return str(self._key(one))


class InTable(Generic[Row]):
    """Rows by one of their fields; `search` is what a query finds of them."""

    def __init__(
        self,
        rows: QuerySet[Row],
        by: str,
        label: Callable[[Row], str],
        search: Callable[[str], QuerySet[Row]],
    ) -> None:
        self._rows, self._by, self.label, self._search = rows, by, label, search

    def first(self, most: int) -> Sequence[Row]:
        return list(self._rows[:most])

    def found(self, query: str, most: int) -> Sequence[Row]:
        return list(self._rows.filter(pk__in=self._search(query).values("pk"))[:most])

    def get(self, key: str) -> Row | None:
        number = number_in(key)
        return None if number is None else self._rows.filter(**{self._by: number}).first()

    def key(self, one: Row) -> str:
        return str(getattr(one, self._by))

    def group(self, _one: Row) -> str:
        return ""


def name_and_number(entry: Entry) -> str:
    return f"{entry.player.name} ({entry.number})"


def players_of(tournament: Tournament, *, by: str = "number") -> InTable[Entry]:
    """Everybody who is entered, by name."""
    by_name = tournament.entries.select_related("player").order_by("player__sorted_as", "number")
    return InTable(by_name, by, name_and_number, lambda query: entries_found(tournament, query))


def teams_of(tournament: Tournament) -> InTable[Team]:
    """Every pair or team, by number."""
    teams = tournament.teams.order_by("number")

    def search(query: str) -> QuerySet[Team]:
        number = number_in(query)
        if number is not None:
            return teams.filter(number=number)
        words = [Q(name__icontains=word) for word in query[:MOST_SEARCHED].split()]
        return teams.filter(*words)

    return InTable(teams, "pk", str, search)
