"""May this visitor do this? Asked once, before any desk view runs."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.views.decorators.cache import never_cache
from django_htmx.middleware import HtmxDetails

from clubs.models import Account
from clubs.roles import may_help, may_organise
from tournaments.models import Tournament

P = ParamSpec("P")


class DeskRequest(HttpRequest):
    """A request of somebody who is signed in."""

    user: Account
    htmx: HtmxDetails
    # Whether the visitor may do all that an organiser may, or only what a helper may.
    organises: bool


DeskView = Callable[Concatenate[DeskRequest, Tournament, P], HttpResponseBase]


def desk_view(*, helper: bool = False) -> Callable[[DeskView[P]], Callable[..., HttpResponseBase]]:
    """Turn `view(request, tournament, …)` into a view of a tournament's code for its host's organisers.

    With `helper`, helpers may too. A stranger is asked to sign in; an account without the role gets a 403.
    Browsers and proxies keep nothing: desk pages have names, fees and captains' links on them.
    """

    def guard(view: DeskView[P]) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        @never_cache
        @login_required
        def guarded(request: DeskRequest, code: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            try:
                tournament = Tournament.objects.select_related("host__union").get(code=code)
            except Tournament.DoesNotExist:
                raise Http404 from None
            request.organises = may_organise(request.user, tournament.host)
            if not request.organises and not (helper and may_help(request.user, tournament.host)):
                raise PermissionDenied
            return view(request, tournament, *args, **kwargs)

        return guarded

    return guard
