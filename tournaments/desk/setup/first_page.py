"""The first page: where there is no organiser yet, it makes the account, the club, and signs in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from clubs import first_page
from clubs.accounts import NotTheFirstError, create_first_organiser
from clubs.forms.accounts import FirstPageForm, SignInForm
from clubs.sign_in_steps import sign_in
from tournaments.demo.sample import make_sample
from tournaments.desk.setup.sample import THREE_TABLES

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

FORBIDDEN, TOO_MANY_REQUESTS = 403, 429


@sensitive_post_parameters("code", "password", "password_again")
@never_cache
def desk_first(request: HttpRequest) -> HttpResponse:
    if not first_page.is_awaited():
        return _too_late(request)
    form = FirstPageForm(request.POST if request.method == "POST" else None, request=request)
    if not form.is_valid():
        if not first_page.is_awaited():
            # While this was validated the first tap has made the account, and the user name is taken by it.
            return _too_late(request)
        status = 200
        if form.has_error("code", "wait"):
            status = TOO_MANY_REQUESTS
        elif form.has_error("code", "wrong"):
            status = FORBIDDEN
        return render(request, "desk/first_page.html", {"form": form}, status=status)
    told = form.cleaned_data
    try:
        account = create_first_organiser(
            told["username"], told["password"], told["club"], told["full_name"], get_language() or ""
        )
    except NotTheFirstError:
        return _too_late(request)
    to = reverse("desk")
    if told["sample"]:
        tournament = make_sample(account=account, now=timezone.now())
        to = reverse("desk_board", args=[tournament.code])
        messages.success(request, THREE_TABLES)
    return sign_in(request, account, to)


def _too_late(request: HttpRequest) -> HttpResponse:
    """Sign in whoever has just become the first and sends the form twice; tell all others that somebody is.

    Passwords are checked, counted and throttled as on the page for signing in.
    """
    if request.method != "POST" or request.user.is_authenticated:
        return redirect("desk")
    form = SignInForm(request, request.POST)
    if form.is_valid() and not form.get_user().password_is_temporary:
        return sign_in(request, form.get_user(), reverse("desk"))
    messages.warning(
        request,
        _(
            "Somebody else has become the first organiser, so nothing of yours was stored. Ask them for an account."
            " Is it nobody whom you know? Then stop Spadille at once."
        ),
    )
    return redirect("login")


urlpatterns = [path("desk/first/", desk_first, name="desk_first")]
