"""May this visitor do this? Asked once, before any view of a club runs."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.cache import never_cache

from clubs.clubs import hold
from clubs.models import Account, Club
from clubs.roles import may_help, may_organise

P = ParamSpec("P")


class MemberRequest(HttpRequest):
    """A request of somebody who is signed in. `organises`: whether they organise the club in question."""

    user: Account
    organises: bool


ClubView = Callable[Concatenate[MemberRequest, Club, P], HttpResponse]


def club_view(
    *, helper: bool = False, one_transaction: bool = True
) -> Callable[[ClubView[P]], Callable[..., HttpResponse]]:
    """Turn `view(request, club, …)` into a view of a club's slug for its organisers; with `helper`, helpers'.

    A stranger is asked to sign in; an account without the role gets a 403. Browsers and proxies keep nothing.
    A POST is `one_transaction`: what the view finds out still holds when it writes.
    """

    def guard(view: ClubView[P]) -> Callable[..., HttpResponse]:
        @wraps(view)
        @never_cache
        @login_required
        def guarded(request: MemberRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            club = get_object_or_404(Club.objects.select_related("union"), slug=slug)
            request.organises = may_organise(request.user, club)
            if not (request.organises or (helper and may_help(request.user, club))):
                raise PermissionDenied
            if request.method != "POST" or not one_transaction:
                return view(request, club, *args, **kwargs)
            with transaction.atomic():
                hold(club)
                return view(request, club, *args, **kwargs)

        return guarded

    return guard
