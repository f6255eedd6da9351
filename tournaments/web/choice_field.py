"""A field in which one searches for a person or club and chooses from what is offered."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar, cast

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Model, Q
from django.forms.utils import flatatt
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.names import MOST_SEARCHED, matches_search
from core.text import clean_text
from tournaments.entries.entering import entries_found
from tournaments.web.guards import number_in

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from django.db.models import QuerySet
    from django.http import HttpRequest
    from django.utils.functional import _StrPromise as StrPromise
    from django.utils.safestring import SafeString

    from tournaments.models import Entry, Team, Tournament


# A choice field for many objects: up to a hundred in a list, otherwise by a search with results to tick.
#
# The search is submitted with the form and returns its results; with scripts they appear while typing. An object is
# chosen by a tick, never by the search alone, so that a typing error chooses no one.

# So many are listed; of more, so many of those who are found.
MOST_LISTED, MOST_FOUND = 100, 12
LONGEST_SEARCH = 100


class Sent(NamedTuple):
    """The submitted values: the chosen key (None for none), the query, and the query of the results shown."""

    key: str | None
    query: str = ""
    shown_for: str = ""

    @property
    def seeks(self) -> bool:
        """Whether something else is typed by now than what was chosen from."""
        return bool(self.query) and self.query != self.shown_for

    def __str__(self) -> str:
        return self.key or ""


def _sent(data: Mapping[str, Any], name: str) -> Sent:
    query = clean_text(str(data.get(f"{name}-q", ""))[:LONGEST_SEARCH])
    return Sent(data.get(name), query, data.get(f"{name}-for", ""))


class SoughtWidget(forms.Widget):
    """A list, or a search with its results; the field sets the choices."""

    field: SoughtField

    def value_from_datadict(self, data: Mapping[str, Any], _files: Any, name: str) -> Sent:
        return _sent(data, name)

    def value_omitted_from_data(self, data: Mapping[str, Any], _files: Any, name: str) -> bool:
        return name not in data and f"{name}-q" not in data

    def use_required_attribute(self, _initial: Any) -> bool:
        return not self.field.is_long

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:  # noqa: ARG002 - it brings its templates
        sent = value if isinstance(value, Sent) else Sent(str(value) if value not in (None, "") else None)
        context: dict[str, Any] = {"name": name, "attrs": flatatt(attrs or {}), "page": self.field.page}
        if self.field.is_long:
            context |= {"sent": sent, "label": self.field.label} | self.field.hits(sent)
            return render_to_string("web/sought.html", context)
        context |= {"empty": self.field.empty, "groups": self.field.grouped_choices(), "chosen": str(sent)}
        return render_to_string("web/listed.html", context)


class Hit(NamedTuple):
    key: str
    label: str
    is_chosen: bool


class SoughtField(forms.Field):
    """A field for one of the `offered` objects; its cleaned value is the object, or None. Initially the one by its key.

    `page` is the address that shows the form, where that which it is sent to does not; `empty` is what no choice is
    called, "" where a list begins with its first line.
    """

    widget = SoughtWidget
    default_error_messages = {
        "required": gettext_lazy("Choose a player."),
        "invalid_choice": gettext_lazy("Choose a player of this tournament."),
    }

    def __init__(self, *, empty: StrPromise | str = "", **fields: Any) -> None:
        super().__init__(**fields)
        self.empty = empty

    def offer(self, offered: Offered[Any], page: str = "?") -> None:
        self.offered, self.page = offered, page
        self._first = offered.first(MOST_LISTED + 1)
        self.widget.field = self

    @property
    def is_long(self) -> bool:
        return len(self._first) > MOST_LISTED

    def grouped_choices(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """All choices, grouped by heading."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for one in self._first:
            groups.setdefault(self.offered.group(one), []).append(
                (self.offered.key(one), self.offered.label(one))
            )
        return list(groups.items())

    def hits(self, sent: Sent) -> dict[str, Any]:
        """The choices: none if optional, the stored or ticked one, and the search results."""
        found = self.offered.search(sent.query, MOST_FOUND + 1) if sent.query else []
        ticked = sent.key
        if sent.seeks:
            ticked = self.offered.key(found[0]) if len(found) == 1 else None
        known = [self.offered.get(str(key)) for key in (self.initial, ticked) if key not in (None, "")]
        listed = {self.offered.key(one): one for one in [*known, *found[:MOST_FOUND]] if one is not None}
        return {
            "hits": [Hit(key, self.offered.label(one), key == ticked) for key, one in listed.items()],
            "nobody": "" if self.required else self.empty,
            "nobody_is_chosen": not ticked and not sent.query,
            "more": len(found) > MOST_FOUND,
            "most": MOST_FOUND,
            "none": bool(sent.query) and not found,
        }

    def clean(self, sent: Any) -> Any:
        if sent.seeks or (sent.query and sent.key is None):
            raise ValidationError(self._who(self.offered.search(sent.query, 2)), code="sought")
        if not sent.key:
            if self.required:
                raise ValidationError(self.error_messages["required"], code="required")
            return None
        one = self.offered.get(sent.key)
        if one is None:
            raise ValidationError(self.error_messages["invalid_choice"], code="invalid_choice")
        return one

    def _who(self, found: Sequence[Any]) -> str:
        if not found:
            return _("Nothing found. Type a number, or part of the name.")
        if len(found) == 1:
            return _("This is what was found. Send the form again if it is right.")
        return _("More than one match: choose the one you mean.")

    def has_changed(self, initial: Any, data: Any) -> bool:
        return str("" if initial is None else initial) != str(data)

    def in_words(self, key: Any) -> str:
        """Label of the choice with this key."""
        one = self.offered.get(str(key)) if key not in (None, "") else None
        return self.offered.label(one) if one is not None else str(self.empty or _("nothing"))


def offer(form: forms.BaseForm, offered: Mapping[str, Offered[Any]], page: str = "?") -> None:
    """Set the choices of the form's fields of this kind, by their names."""
    for name, those in offered.items():
        cast("SoughtField", form.fields[name]).offer(those, page)


def is_sought(form: forms.BaseForm) -> bool:
    """Whether the form was submitted with a search without a choice yet."""
    return any(form.has_error(name, "sought") for name in form.fields)


def found_alone(request: HttpRequest, *asked: forms.BaseForm) -> HttpResponse | None:
    """The results of a field's search as a fragment, if the request is for these alone."""
    name = request.GET.get("seek", "")
    if request.method != "GET" or not name or "HX-Request" not in request.headers:
        return None
    for form in asked:
        for bound in form:
            if isinstance(bound.field, SoughtField) and bound.html_name == name:
                sent = _sent(request.GET, name)
                context = {"name": name, "sent": sent, "label": bound.label, **bound.field.hits(sent)}
                return HttpResponse(render_to_string("web/sought.html#hits", context))
    return None


# What a form offers to choose from, one by one by a key that is sent: a list at hand, or rows of the database.

T = TypeVar("T")
Row = TypeVar("Row", bound=Model)


class Offered(Protocol[T]):
    """The choices, of any number: they are never all loaded."""

    def first(self, most: int) -> Sequence[T]: ...

    def search(self, query: str, most: int) -> Sequence[T]:
        """The search results, in their order."""

    def get(self, key: str) -> T | None: ...

    def key(self, one: T) -> str: ...

    def label(self, one: T) -> str: ...

    def group(self, one: T) -> str:
        """The group heading of a choice; "" for none."""


class AtHand(Generic[T]):
    """Choices that are loaded already; a search also matches `number`, by default the key."""

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

    def search(self, query: str, most: int) -> Sequence[T]:
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
        # Several fields of a form may offer the same rows.
        self._first: dict[int, Sequence[Row]] = {}

    def first(self, most: int) -> Sequence[Row]:
        if most not in self._first:
            self._first[most] = list(self._rows[:most])
        return self._first[most]

    def search(self, query: str, most: int) -> Sequence[Row]:
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
    """All entered players as choices, by name."""
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
