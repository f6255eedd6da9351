"""The page on which an evening is made, or all evenings of a series; from the usual settings, or as a copy."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.shortcuts import get_object_or_404, redirect
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import Membership
from clubs.roles import clubs_of, home_of
from clubs.views.guards import sign_in_required
from core.text import CODE_LETTERS
from tournaments.desk.setup.formats_form import chosen_format
from tournaments.desk.setup.repeat_form import RepeatForm
from tournaments.desk.setup.setup import form_as_sent, say_warnings, show
from tournaments.desk.setup.setup_form import SetupForm, stored
from tournaments.lifecycle import creating
from tournaments.lifecycle.creating import chosen_as, make_all, next_evening, rules_offered
from tournaments.models import Tournament
from tournaments.models.events import free_code

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpResponse

    from clubs.models import Account, Club
    from tournaments.web.guards import DeskRequest

# The newest so many are offered to be copied where a new one is set up; older ones are copied from the desk's list.
COPIES_OFFERED = 30
# Where a club has its first evening, so many members are entered unless somebody takes the tick away.
MEMBERS_ENTERED = 60


def _earlier(request: DeskRequest) -> Tournament | None:
    """The tournament to copy, where one is asked for."""
    code = request.GET.get("copy")
    if not code:
        return None
    return get_object_or_404(Tournament, code=code, host__in=clubs_of(request.user))


@sign_in_required
def tournament_new(request: DeskRequest) -> HttpResponse:
    hosts = clubs_of(request.user, organise=True)
    if not hosts.exists():
        raise PermissionDenied
    earlier = _earlier(request)
    code = request.POST.get("code", "")
    if not re.fullmatch(f"[{CODE_LETTERS}]{{6}}", code):
        code = free_code(Tournament)
    if request.method == "POST":
        form, judged = form_as_sent(request, hosts=hosts)
        repeat = RepeatForm(request.POST, judged=judged)
        if judged and form.is_valid() and repeat.is_valid():
            return _create(request, code, form, repeat, earlier)
    else:
        form, repeat = _form_to_begin_with(request, hosts, earlier), RepeatForm()
    newest = _newest(request.user)
    return show(
        request,
        form,
        code=code,
        repeat=repeat,
        earlier=earlier,
        copyable=newest[:COPIES_OFFERED],
        more_to_copy=len(newest) > COPIES_OFFERED,
        members_offered=request.method == "GET" and not newest and _are_few(request.user),
    )


def _are_few(account: Account) -> bool:
    """Whether a club has members, and no more than an evening's list holds: then all are entered in its first."""
    home = home_of(account)
    if home is None:
        return False
    found = Membership.objects.on(timezone.localdate()).filter(club=home)[: MEMBERS_ENTERED + 1].count()
    return 0 < found <= MEMBERS_ENTERED


def _newest(account: Account) -> list[Tournament]:
    """Those that can be copied, and one more; their keys come out of an index alone, of however many evenings."""
    theirs = Tournament.objects.filter(host__in=clubs_of(account).order_by().values("pk"))
    keys = theirs.order_by("-date", "-pk").values_list("pk", flat=True)[: COPIES_OFFERED + 1]
    found = Tournament.objects.filter(pk__in=list(keys)).select_related("host")
    return list(found.only("code", "name", "date", "host__name").order_by("-date", "-pk"))


def _form_to_begin_with(request: DeskRequest, hosts: QuerySet[Club], earlier: Tournament | None) -> SetupForm:
    own, today = rules_offered(hosts), timezone.localdate()
    initial: dict[str, Any] = {"date": today, "host": home_of(request.user)}
    if earlier:
        kept = {"host": earlier.host} if hosts.filter(pk=earlier.host_id).exists() else {}
        name, day = next_evening(earlier, today)
        initial = stored(earlier) | initial | kept | {"name": name, "date": day}
    return SetupForm(
        hosts=hosts,
        rulebook=chosen_as(earlier, own) if earlier else "union",
        own=own,
        frozen=False,
        format=chosen_format(initial),
        initial=initial,
    )


def _create(
    request: DeskRequest, code: str, form: SetupForm, repeat: RepeatForm, earlier: Tournament | None
) -> HttpResponse:
    now = timezone.now()
    days = repeat.chosen or [form.cleaned_data["date"]]
    with transaction.atomic():
        kept = {name: getattr(earlier, name) for name in creating.KEPT} if earlier else {}
        made = make_all(code, form.values() | kept, days, account=request.user, now=now)
        first = made[0] if made else Tournament.objects.get(code=code)
        if not clubs_of(request.user, organise=True).filter(pk=first.host_id).exists():
            raise PermissionDenied  # a code that somebody else's tournament has
        for tournament in made:
            if earlier and "copy_players" in request.POST:
                creating.copy_players(earlier, tournament, account=request.user, now=now)
            elif "enter_members" in request.POST:
                creating.enter_members(tournament, account=request.user, now=now)
    say_warnings(request, first)
    if len(days) == 1:
        is_filled = first.entries.exists()  # then the next thing to be done is to see who comes
        return redirect("desk_check_in" if is_filled else "desk_tournament", first.code)
    messages.success(
        request, _("%(count)d evenings have been created with your settings.") % {"count": len(days)}
    )
    return redirect("desk")


urlpatterns = [path("desk/new/", tournament_new, name="tournament_new")]
