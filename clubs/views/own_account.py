"""One's own account, besides signing in: an address, a forgotten password, and where one is signed in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from clubs.browsers import browser_named
from clubs.forms.accounts import ForgottenForm, OwnAddressForm
from clubs.mail.of_accounts import ask_for_new_password, ask_whether_it_is_theirs, confirmed
from clubs.mail.posting import is_set_up
from clubs.sign_in_steps import password_again
from clubs.views.guards import MemberRequest, signed_in
from core.throttle import by_address, by_name, count_try, has_tried_enough

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

TOO_MANY_REQUESTS = 429
NO_SUCH = 404
MOST_ASKED = 5  # a minute, for one name or from one address
MOST_SESSIONS = 50


@never_cache
def password_forgotten(request: HttpRequest) -> HttpResponse:
    """A letter with a link, to whose user name or address is typed; whether there is such an account is not said."""
    form = ForgottenForm(request.POST if request.method == "POST" else None)
    context = {"form": form, "is_set_up": is_set_up(), "sent": False}
    if not (is_set_up() and form.is_valid()):
        return render(request, "clubs/forgotten.html", context)
    asked = form.cleaned_data["asked"].strip()
    counted = by_name("forgotten", asked), by_address("forgotten-from", request.META.get("REMOTE_ADDR", ""))
    if has_tried_enough(*counted, most=MOST_ASKED):
        form.add_error(None, _("Too many requests. Wait a minute and try again."))
        return render(request, "clubs/forgotten.html", context, status=TOO_MANY_REQUESTS)
    count_try(*counted)
    ask_for_new_password(asked)
    return render(request, "clubs/forgotten.html", context | {"sent": True})


@never_cache
@require_POST
@signed_in
@password_again
def own_address(request: MemberRequest) -> HttpResponse:
    """Another address: it is asked there whether it is theirs. None at all is stored at once."""
    form, account = OwnAddressForm(request.POST), request.user
    guesser = by_name("address", account.username)
    if not form.is_valid():
        messages.error(request, str(form.errors["email"][0]))
    elif not (address := form.cleaned_data["email"]):
        account.email = ""
        account.save(update_fields=["email"])
        messages.success(request, _("Your account no longer has an email address."))
    elif has_tried_enough(guesser, most=MOST_ASKED):
        messages.warning(request, _("Too many requests. Wait a minute and try again."))
    elif ask_whether_it_is_theirs(account, address):
        count_try(guesser)
        text = _("An email is on its way to %(address)s. Open the link in it to confirm the address.")
        messages.success(request, text % {"address": address})
    else:
        messages.warning(request, _("Emails cannot be sent to this address."))
    return redirect("my_account")


@never_cache
@signed_in
def address_confirm(request: MemberRequest, token: str) -> HttpResponse:
    """What the link in that letter opens: a button, since programs look through mail and open what they find."""
    account = request.user
    if not (address := confirmed(token, account)):
        return render(request, "clubs/address_confirm.html", {"address": ""}, status=NO_SUCH)
    if request.method != "POST":
        return render(request, "clubs/address_confirm.html", {"address": address})
    account.email = address
    account.save(update_fields=["email"])
    messages.success(request, _("Emails to you now go to %(address)s.") % {"address": address})
    return redirect("my_account")


@never_cache
@signed_in
def own_sessions(request: MemberRequest) -> HttpResponse:
    """Where one is signed in. A POST ends one of these, or all but this one."""
    if not UserSession.objects.filter(session_key=request.session.session_key).exists():
        UserSession.objects.create_from_request(request)  # signed in before sessions were listed
    if request.method == "POST":
        return _end(request)
    mine = UserSession.objects.filter(user=request.user).order_by("-created_at")[:MOST_SESSIONS]
    shown = [
        (held, browser_named(held.user_agent), held.session_key == request.session.session_key)
        for held in mine
        if not held.purge()
    ]
    return render(request, "clubs/sessions.html", {"sessions": shown})


def _end(request: MemberRequest) -> HttpResponse:
    others = UserSession.objects.filter(user=request.user).exclude(session_key=request.session.session_key)
    one = request.POST.get("session", "")
    for held in others if "all" in request.POST else others.filter(pk=one if one.isdecimal() else 0):
        held.end()
    messages.success(request, _("Ended: whoever was signed in there must sign in again."))
    return redirect("own_sessions")


urlpatterns = [
    path("my-account/address/", own_address, name="own_address"),
    path("my-account/address/<token>/", address_confirm, name="address_confirm"),
    path("my-account/sessions/", own_sessions, name="own_sessions"),
    path("password/forgotten/", password_forgotten, name="password_forgotten"),
]
