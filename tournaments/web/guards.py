"""Decorators of views: who may open what, transaction and lock; and the round, table or player that a URL names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec

import segno
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import resolve_url
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from clubs.models import Account
from clubs.views.guards import sign_in_required
from core.errors import NotPossible
from core.serving.addresses import base_url
from core.sql import prepared_query
from tournaments.changes.locks import hold
from tournaments.changes.permissions import hall_to_help_in, may_help_at, may_organise_tournament
from tournaments.models import Entry, Round, Table, Tournament

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from tournaments.domain.halls import Hall


# Permission checks that run before any desk view.

P = ParamSpec("P")


class DeskRequest(HttpRequest):
    """A request of a signed-in user."""

    user: Account
    htmx: HtmxDetails
    # Whether the visitor may do all that an organiser may, or only what a helper may.
    organises: bool
    # The only hall whose tables the visitor may see; None for all of them.
    hall: Hall | None


DeskView = Callable[Concatenate[DeskRequest, Tournament, P], HttpResponseBase]


def desk_view(
    *, helper: bool = False, in_hall: bool = False, called_off: bool = False, one_transaction: bool = True
) -> Callable[[DeskView[P]], Callable[..., HttpResponseBase]]:
    """Decorator: load the tournament by its code, for organisers of its host.

    Its officials are admitted by their kind. With `helper`, helpers are, too, and members of staff of the hosting club;
    with `in_hall` also those who help in one hall alone, `request.hall`: at a table of that hall, and where there is no
    table the view shows them no other.
    Anonymous users are sent to sign in; accounts without the role get a 403. A cancelled tournament is read-only
    unless `called_off`. A POST runs in `one_transaction` that locks the tournament, so that the state compared by the
    form cannot change before the action; long actions, and those of one table, compare by themselves. Responses are
    not stored by browsers and proxies: desk pages have names, fees and captains' links.
    """

    def guard(view: DeskView[P]) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        @never_cache
        @sign_in_required
        def guarded(request: DeskRequest, code: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            tournament = _by_code.or_404(code)
            request.organises = may_organise_tournament(request.user, tournament)
            request.hall = None
            if not request.organises and not (helper and may_help_at(request.user, tournament)):
                request.hall = hall_to_help_in(request.user, tournament) if in_hall else None
                if request.hall is None or not _is_in(request.hall, kwargs):
                    raise PermissionDenied
            if request.method != "POST":
                return view(request, tournament, *args, **kwargs)
            with one_by_one(tournament) if one_transaction else nullcontext(tournament) as stands:
                if stands.is_called_off and not called_off:
                    return _taken_up_first(request, stands)
                return view(request, stands, *args, **kwargs)

        return guarded

    return guard


def _is_in(hall: Hall, arguments: Mapping[str, Any]) -> bool:
    """Whether the arguments of a URL are not those of a table in another hall."""
    return "round_number" not in arguments or hall.has(arguments["number"])


@contextmanager
def one_by_one(tournament: Tournament) -> Iterator[Tournament]:
    """The tournament re-read and locked: concurrent changes are finished, or wait."""
    with transaction.atomic():
        hold(tournament.pk)
        (stands,) = _by_key(tournament.pk)
        yield stands


@prepared_query
def _by_code(code: str) -> QuerySet[Tournament]:
    return Tournament.objects.select_related("host", "held_by").filter(code=code)


@prepared_query
def _by_key(key: int) -> QuerySet[Tournament]:
    return Tournament.objects.select_related("host", "held_by").filter(pk=key)


def _taken_up_first(request: DeskRequest, tournament: Tournament) -> HttpResponseBase:
    messages.warning(request, _("The tournament is called off. Reinstate it first."))
    overview = resolve_url("desk_tournament", tournament.code)
    return HttpResponseClientRedirect(overview) if request.htmx else HttpResponseRedirect(overview)


# URL prefixes of a tournament at the desk, from its root to one deal.

DESK = "desk/t/<str:code>/"
ROUND = f"{DESK}round/<int:number>/"
TABLE = f"{DESK}round/<int:round_number>/table/<int:number>/"
DEAL = f"{TABLE}deal/<int:deal>/"


# The round, table, player or language that a URL names, numbers in what was sent, and the hall's URL for others.

LONGEST_NUMBER = 15  # digits: the primary keys and versions of any database are shorter


def number_in(text: str) -> int | None:
    """Parse a whole number; None if it is invalid or out of the range of numbers here."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER else None


def as_shown(request: HttpRequest, name: str) -> int | None:
    """Parse a version number that a page submits, by which changes since its rendering are detected.

    None where the page has none: it is of before an upgrade. Raises NotPossible for what no page ever had.
    """
    told = request.POST.get(name)
    number = None if told is None else number_in(told)
    if told is not None and number is None:
        raise NotPossible(_("Something has changed in the meantime. This is how it is now."))
    return number


def language_asked(request: HttpRequest) -> str:
    """The language requested by the URL, as `?l=en`; "" if unsupported."""
    asked = request.GET.get("l", "")
    return asked if asked in dict(settings.LANGUAGES) else ""


def only_with(tournament: Tournament, pages: str) -> None:
    """Raises Http404 where the tournament's format has no such pages."""
    if pages not in tournament.format_row.pages:
        raise Http404


def find_round(tournament: Tournament, number: int) -> Round:
    """Raises Http404 for a round that the tournament has not."""
    return _rounds.or_404(tournament.pk, number)


def find_table(tournament: Tournament, round_number: int, number: int) -> Table:
    """A table with its round and tournament; raises Http404 where there is none."""
    return _tables.or_404(tournament.pk, round_number, number)


def find_entry(tournament: Tournament, number: int) -> Entry:
    """The entry with this number; raises Http404 if there is none."""
    return _entries.or_404(tournament.pk, number)


@prepared_query
def _rounds(tournament: int, number: int) -> QuerySet[Round]:
    rounds = Round.objects.select_related("tournament__host")
    return rounds.filter(tournament=tournament, number=number)


@prepared_query
def _tables(tournament: int, round_number: int, number: int) -> QuerySet[Table]:
    tables = Table.objects.select_related("round__tournament__host")
    return tables.filter(round__tournament=tournament, round__number=round_number, number=number)


@prepared_query
def _entries(tournament: int, number: int) -> QuerySet[Entry]:
    entries = Entry.objects.select_related("player", "club", "tournament__host")
    return entries.filter(tournament=tournament, number=number)


@dataclass(frozen=True, slots=True)
class HallLink:
    """A URL and its QR code as inline SVG."""

    address: str
    svg: SafeString


@lru_cache(maxsize=64)
def square(address: str) -> SafeString:
    """A URL as a QR code, in inline SVG.

    Cached: rendering it takes a sixth of the time of the overview.
    """
    code = segno.make(address, error="m")
    svg = code.svg_inline(scale=5, border=2, omitsize=True, svgclass="qr", lineclass=None)
    return mark_safe(svg)  # noqa: S308 - made of squares by us


def hall_link(request: HttpRequest, tournament: Tournament) -> HallLink:
    address = base_url(request) + tournament.get_absolute_url()
    return HallLink(address, square(address))
