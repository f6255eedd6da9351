"""Decorators of views: who may open what, transaction and lock, tournament by code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import resolve_url
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from clubs.models import Account
from clubs.roles import may_help, may_organise
from clubs.views.guards import sign_in_required
from core.sql import prepared_query
from tournaments.changes.locks import hold
from tournaments.models import Tournament

if TYPE_CHECKING:
    from django.db.models import QuerySet


# May this visitor do this? Asked once, before any desk view runs.

P = ParamSpec("P")


class DeskRequest(HttpRequest):
    """A request of somebody who is signed in."""

    user: Account
    htmx: HtmxDetails
    # Whether the visitor may do all that an organiser may, or only what a helper may.
    organises: bool


DeskView = Callable[Concatenate[DeskRequest, Tournament, P], HttpResponseBase]


def desk_view(
    *, helper: bool = False, called_off: bool = False, one_transaction: bool = True
) -> Callable[[DeskView[P]], Callable[..., HttpResponseBase]]:
    """Turn `view(request, tournament, …)` into a view of a tournament's code for its host's organisers.

    With `helper`, helpers may too, and who works for the club that holds it. A stranger is asked to sign in; an account
    without the role gets a 403. What is called off can be looked at, and is changed only with `called_off`.
    A POST is `one_transaction` that holds the tournament: what the page was typed on, as the form compares it, still
    stands when the step is taken. Not so where it would take long, or is of one table: such a step compares by itself.
    Browsers and proxies keep nothing: desk pages have names, fees and captains' links on them.
    """

    def guard(view: DeskView[P]) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        @never_cache
        @sign_in_required
        def guarded(request: DeskRequest, code: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            tournament = _by_code.or_404(code)
            request.organises = may_organise(request.user, tournament.host)
            if not request.organises and not (
                helper and may_help(request.user, tournament.host, tournament.held_by)
            ):
                raise PermissionDenied
            if request.method != "POST":
                return view(request, tournament, *args, **kwargs)
            with one_by_one(tournament) if one_transaction else nullcontext(tournament) as stands:
                if stands.is_called_off and not called_off:
                    return _taken_up_first(request, stands)
                return view(request, stands, *args, **kwargs)

        return guarded

    return guard


@contextmanager
def one_by_one(tournament: Tournament) -> Iterator[Tournament]:
    """The tournament as it stands, held: whoever else changes it has done so, or waits until this is done."""
    with transaction.atomic():
        hold(tournament.pk)
        (stands,) = _by_key(tournament.pk)
        yield stands


@prepared_query
def _by_code(code: str) -> QuerySet[Tournament]:
    return Tournament.objects.select_related("host__union", "held_by").filter(code=code)


@prepared_query
def _by_key(key: int) -> QuerySet[Tournament]:
    return Tournament.objects.select_related("host__union", "held_by").filter(pk=key)


def _taken_up_first(request: DeskRequest, tournament: Tournament) -> HttpResponseBase:
    messages.warning(request, _("The tournament is called off. Reinstate it first."))
    overview = resolve_url("desk_tournament", tournament.code)
    return HttpResponseClientRedirect(overview) if request.htmx else HttpResponseRedirect(overview)


# What the addresses of a tournament at the desk begin with, from the whole of it down to one deal.

DESK = "desk/t/<str:code>/"
ROUND = f"{DESK}round/<int:number>/"
TABLE = f"{DESK}round/<int:round_number>/table/<int:number>/"
DEAL = f"{TABLE}deal/<int:deal>/"
