"""The first page: where there is no organiser yet, it makes the account, the club, and signs in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
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
from clubs.sign_in import sign_in
from clubs.views.accounts import FirstPageForm, SignInForm
from core.machine import MachineDoesNotAnswerError, ask_machine, read_machine
from core.serving.addresses import hall_address
from tournaments.demo.play import make_sample
from tournaments.desk.club.machine import RegionForm, wifi_code
from tournaments.desk.setup.new import THREE_TABLES

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from core.machine import Machine

FORBIDDEN, TOO_MANY_REQUESTS = 403, 429


@sensitive_post_parameters("code", "password", "password_again")
@never_cache
def desk_first(request: HttpRequest) -> HttpResponse:
    if not first_page.is_awaited():
        return _too_late(request)
    machine = read_machine() if first_page.is_on_this_machine(request) else None
    if machine and "region" in request.POST:
        return _use_region(request, machine)
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
        return render(request, "desk/first_page.html", {"form": form, **_of_machine(machine)}, status=status)
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


def _of_machine(machine: Machine | None) -> dict[str, object]:
    """Further fields on the screen of a machine of Spadille's own: keyboard and time zone, and the code for others."""
    if machine is None:
        return {}
    return {
        "machine": machine,
        "region": RegionForm(machine=machine, prefix="region"),
        "wifi_code": wifi_code(machine.wifi),
        "code": settings.FIRST_PAGE_SECRET,
        "elsewhere": hall_address(),
    }


def _use_region(request: HttpRequest, machine: Machine) -> HttpResponse:
    """Have the machine use another keyboard and time zone before anything is typed."""
    form = RegionForm(request.POST, machine=machine, prefix="region")
    if form.is_valid():
        try:
            ask_machine("region", **form.cleaned_data)
        except MachineDoesNotAnswerError:
            messages.error(request, _("The computer does not answer. Wait a minute, and try again."))
        else:
            messages.success(request, _("The screen goes dark for a moment."))
    return redirect("desk_first")


def _too_late(request: HttpRequest) -> HttpResponse:
    """Sign in a user who submits the form twice; show everyone else that there is an organiser already.

    Passwords are checked and rate-limited as on the sign-in page.
    """
    if request.method != "POST" or request.user.is_authenticated:
        return redirect("desk")
    form = SignInForm(request, request.POST)
    if form.is_valid() and not form.get_user().password_is_temporary:
        return sign_in(request, form.get_user(), reverse("desk"))
    messages.warning(
        request,
        _(
            "Someone else has become the first organiser, so nothing you typed was saved. Ask "
            "them for an account. If you do not know who it is, stop Spadille at once."
        ),
    )
    return redirect("login")


urlpatterns = [path("desk/first/", desk_first, name="desk_first")]
