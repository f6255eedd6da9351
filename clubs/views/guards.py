"""Guards of club views: check the role once, before the view runs."""

from collections.abc import Callable, Collection
from functools import wraps
from typing import Concatenate, ParamSpec, cast
from urllib.parse import urlsplit

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django_htmx.http import HttpResponseClientRedirect

from clubs.clubs import lock_club
from clubs.models import Account, Club, Role
from clubs.roles import may_help, may_organise
from clubs.sign_in import lacks_second_factor
from core.sql import prepared_query

P = ParamSpec("P")


class MemberRequest(HttpRequest):
    """A request of a signed-in user. `organises`: whether they organise the club, or the one thing of a page."""

    user: Account
    organises: bool
    # Whether they organise the whole club by a role.
    has_role: bool


View = Callable[..., HttpResponseBase]


def sign_in_required(view: View) -> View:
    """Redirect a stranger to sign in. A form sent after the session ended returns to the page of the form."""

    @wraps(view)
    def wrapper(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        if request.user.is_authenticated and lacks_second_factor(request.user):
            said = _("You organise for a union, so set up a second factor first: an app or a passkey.")
            messages.warning(request, said)
            return redirect("mfa_index")
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        by_htmx = request.headers.get("HX-Request") == "true"
        if request.method in ("GET", "HEAD") and not by_htmx:
            return redirect_to_login(request.get_full_path())
        # The response to a page's own script is not shown to the user.
        if by_htmx or request.headers.get("Sec-Fetch-Mode", "navigate") == "navigate":
            said = _("You were signed out, so nothing was saved. Sign in and your entries are there again.")
            messages.warning(request, said)
        to_sign_in = redirect_to_login(referring_page(request, request.get_full_path()))
        return HttpResponseClientRedirect(to_sign_in.url) if by_htmx else to_sign_in

    return wrapper


def referring_page(request: HttpRequest, otherwise: str) -> str:
    """The page of ours that a form was sent from; `otherwise` if the browser does not say."""
    told = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(told, {request.get_host()}):
        return otherwise
    page = urlsplit(told)
    return f"{page.path}?{page.query}" if page.query else page.path


ClubView = Callable[Concatenate[MemberRequest, Club, P], HttpResponseBase]


@prepared_query
def _by_slug(slug: str) -> QuerySet[Club]:
    return Club.objects.filter(slug=slug)


@prepared_query
def _by_key(key: int) -> QuerySet[Club]:
    return Club.objects.filter(pk=key)


def club_view(
    *,
    helper: bool = False,
    one_transaction: bool = True,
    officials: Callable[[Account, int], Collection[str]] | None = None,
) -> Callable[[ClubView[P]], View]:
    """Turn `view(request, club, …)` into a view by the club's slug, for organisers, or with `helper` for helpers.

    A page of one thing of the club, which its `pk` names, has `officials`: what an account may do for that alone.
    A stranger is redirected to sign in; an account without the role gets a 403. Responses are not cached. A POST is
    `one_transaction`: what the view checks still holds when it writes.
    """

    def guard(view: ClubView[P]) -> View:
        @wraps(view)
        @never_cache
        @sign_in_required
        def guarded(request: MemberRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            club = _by_slug.or_404(slug)
            request.organises = request.has_role = may_organise(request.user, club)
            kinds: Collection[str] = ()
            if officials and not request.organises:
                kinds = officials(request.user, cast("dict[str, int]", kwargs)["pk"])
                request.organises = Role.Kind.ORGANISER in kinds
            if not (request.organises or (helper and (kinds or may_help(request.user, club)))):
                raise PermissionDenied
            if request.method != "POST" or not one_transaction:
                return view(request, club, *args, **kwargs)
            with transaction.atomic():
                lock_club(club)
                (stands,) = _by_key(club.pk)
                return view(request, stands, *args, **kwargs)

        return guarded

    return guard
