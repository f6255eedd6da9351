"""Applications from home, for the organiser."""

from __future__ import annotations

from datetime import time
from functools import partial
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import Count
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from core.errors import NotPossible
from core.forms import NameField, SeenForm
from core.http.steps import handle_button, handle_form, posted_data, take_step
from core.serving.addresses import base_url
from tournaments.desk.people.forms import chosen_candidates, found_candidates, with_ticks
from tournaments.entries.entering import GUEST_NAME_LENGTH
from tournaments.lifecycle.registration import decisions, links, mail, places
from tournaments.lifecycle.registration.links import why_closed, why_over
from tournaments.models import Application
from tournaments.models.base import MOST_DAYS, MOST_PLACES, FromHome, read_from_home
from tournaments.web.confirming import Question, ask_first
from tournaments.web.guards import DeskRequest, desk_view, find_entry, number_in, square

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.models import QuerySet
    from django.http import HttpResponse

    from tournaments.models import Tournament


# Entering from home at the desk: applications, waiting list, withdrawals, settings.

ON_A_PAGE = 100
MOST_FOUND = 12
State = Application.State
# Lists by their URL parameter, with their order.
LISTS = {
    "asks": (gettext_lazy("Waiting for you"), (State.PENDING,), ("turn", "number")),
    "waiting": (gettext_lazy("Waiting list"), (State.WAITING,), ("turn", "number")),
    "entered": (gettext_lazy("Have a place"), (State.ENTERED,), ("turn", "number")),
    "unanswered": (gettext_lazy("Have not answered the email"), (State.ASKED,), ("-number",)),
    "gone": (gettext_lazy("Withdrawn or declined"), (State.WITHDRAWN, State.DECLINED), ("-number",)),
}


@desk_view(helper=True)
@require_safe
def desk_from_home(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Applications, one list at a time; those that wait for the organiser first."""
    chosen = request.GET.get("list", "")
    chosen = chosen if chosen in LISTS else "asks"
    counts = dict(tournament.applications.order_by().values_list("state").annotate(count=Count("pk")))
    _name, states, order = LISTS[chosen]
    found = tournament.applications.filter(state__in=states).order_by(*order)
    page = Paginator(_with_party(found), ON_A_PAGE).get_page(request.GET.get("page"))
    for one in page:
        one.tournament = tournament
    context = {
        "tournament": tournament,
        "lists": [
            (key, name, sum(counts.get(state, 0) for state in of), key == chosen)
            for key, (name, of, _order) in LISTS.items()
        ],
        "chosen": chosen,
        "page": page,
        "declines_guests": chosen == "asks" and decisions.unproved_guests(tournament).count() > 1,
        "left": places.places_left(tournament),
        "closed": why_closed(tournament, timezone.now()),
        "has_mail": mail.is_set_up(),
        "address": base_url(request) + reverse("hall_enter", args=[tournament.code]),
    }
    return render(request, "desk/people/from_home.html", context)


@desk_view(helper=True)
def desk_from_home_decline_all(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Confirm, then decline all unconfirmed applications of a list; later ones stay.

    Among those that wait for the organiser (`?list=asks`) only guests: members without an e-mail address wait
    there, too.
    """
    of_guests = request.GET.get("list") == "asks"
    unproved = decisions.unproved_guests(tournament) if of_guests else decisions.unanswered(tournament)
    count = unproved.count()
    newest = unproved.order_by("-number").values_list("number", flat=True).first() or 0
    up_to = number_in(request.POST.get("up_to", "")) or newest
    back = f"{reverse('desk_from_home', args=[tournament.code])}?list={'asks' if of_guests else 'unanswered'}"

    def success_message(count: int) -> str:
        return ngettext("%(count)d was declined.", "%(count)d were declined.", count) % {"count": count}

    nobody = _("No guests are waiting.") if of_guests else _("There are no unanswered emails.")
    asked = Question(
        title=_("Decline all waiting guests?") if of_guests else _("Decline all who have not answered?"),
        does=(_guests_wait if of_guests else _leave_unanswered)(count),
        notes=lambda: [_("No emails will be sent. You can restore each of them.")],
        button=_("Decline all"),
        back=back,
        step=partial(
            decisions.decline_unproved_guests if of_guests else decisions.decline_unanswered,
            tournament,
            up_to=up_to,
        ),
        message=success_message,
        leads_to=back,
        sees={"up_to": str(up_to)},
        too_late="" if count else nobody,
    )
    return ask_first(request, tournament, asked)


def _guests_wait(count: int) -> str:
    text = ngettext(
        "%(count)d guest is waiting for your approval without having confirmed who they are. "
        "Members stay in the list.",
        "%(count)d guests are waiting for your approval without having confirmed who they "
        "are. Members stay in the list.",
        count,
    )
    return text % {"count": count}


def _leave_unanswered(count: int) -> str:
    text = ngettext(
        "%(count)d person has asked for a place but has not opened the link in the email.",
        "%(count)d people have asked for a place but have not opened the link in the email.",
        count,
    )
    return text % {"count": count}


def _with_party(found: QuerySet[Application]) -> QuerySet[Application]:
    return found.select_related("player", "club", "lead__player", "entry")


@desk_view()
def desk_from_home_set_up(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    form = FromHomeForm(posted_data(request), initial=tournament.from_home.to_json())
    step = partial(decisions.allow, tournament)

    def success_message(moved: int) -> str:
        came = ngettext("%(count)d got a place.", "%(count)d got a place.", moved) % {"count": moved}
        saved = _("Saved.")
        return f"{saved} {came}" if moved else saved

    here = "desk_from_home", tournament.code
    if done := handle_form(request, form, step, success_message, *here, arguments=form.chosen):
        return done
    context = {"tournament": tournament, "form": form, "has_mail": mail.is_set_up()}
    return render(request, "desk/people/from_home_set_up.html", context)


# Actions of an application's buttons, with their messages.
STEPS: dict[str, tuple[Callable[..., object], Any]] = {
    "in": (decisions.let_in, gettext_lazy("%(name)s has been let in.")),
    "decline": (decisions.decline, gettext_lazy("%(name)s has been declined.")),
    "back": (decisions.put_back, gettext_lazy("%(name)s is back.")),
    "place": (decisions.give_place, gettext_lazy("%(name)s has a place.")),
    "take": (
        decisions.take_place_back,
        gettext_lazy("%(name)s no longer has a place and is waiting for you."),
    ),
    **{
        to: (partial(decisions.move, to=to), gettext_lazy("The waiting list has been reordered."))
        for to in ("first", "up", "down", "last")
    },
}


def _find(tournament: Tournament, number: int) -> Application:
    found = get_object_or_404(_with_party(tournament.applications.all()), number=number)
    found.tournament = tournament
    return found


@desk_view(helper=True)
def desk_application(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    """An application with all its data, and the possible actions."""
    application = _find(tournament, number)
    do = request.POST.get("do", "")
    if do in STEPS:
        step, said = STEPS[do]
        back = redirect(request.POST["back"]) if _leads_back(request, tournament) else None
        done = handle_button(
            request,
            partial(step, application),
            str(said) % {"name": application},
            "desk_application",
            tournament.code,
            number,
        )
        return back or done
    if do == "link":
        return _handed_out(request, application)
    if do == "who" and _names_text(request, application):
        return redirect("desk_application", tournament.code, number)
    return _show(request, application)


def _leads_back(request: DeskRequest, tournament: Tournament) -> bool:
    """Whether it was pressed in the list, which is shown again then."""
    return request.POST.get("back", "").startswith(reverse("desk_from_home", args=[tournament.code]))


def _names_text(request: DeskRequest, application: Application) -> bool:
    sent = [request.POST.get("member", "")]
    chosen = chosen_candidates(application.tournament, request.user, sent, today=timezone.localdate())
    member = chosen[0] if chosen else None
    form = WhoForm(request.POST)
    if not form.is_valid():
        return False
    who = {"player": member.player, "club": member.club} if member else {"name": form.cleaned_data["name"]}
    step = partial(decisions.say_who, application)
    return take_step(request, step, _("The person is now identified."), form, who, stays=True)


def _handed_out(request: DeskRequest, application: Application) -> HttpResponse:
    try:
        key = decisions.hand_out(application, account=request.user, now=timezone.now())
    except NotPossible as refusal:
        messages.warning(request, refusal.message)
        return _show(request, application)
    return _show(request, application, key=key)


def _show(request: DeskRequest, application: Application, key: str = "") -> HttpResponse:
    tournament, query = application.tournament, request.GET.get("q", "").strip()
    head = places.head_of(application)
    unknown = not application.is_known
    context: dict[str, Any] = {
        "tournament": tournament,
        "application": application,
        "head": head,
        "party": places.party_of(head),
        "entry": places.entry_of(application),
        "over": why_over(tournament),
        "has_mail": mail.is_set_up(),
        "q": query,
        "found": with_ticks(
            found_candidates(tournament, query, "", request.user, most=MOST_FOUND, today=timezone.localdate())
            if unknown and query
            else []
        ),
    }
    if key:
        address = base_url(request) + reverse("hall_entry", args=[tournament.code, key])
        context |= {"address": address, "square": square(address), "code": links.format_key(key)}
    return render(request, "desk/people/application.html", context)


@desk_view(helper=True)
def desk_invite(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    """A link for a player who is entered at the desk: with it they check in, and withdraw."""
    entry = find_entry(tournament, number)
    if request.method != "POST":
        return redirect("desk_entry", tournament.code, number)
    now = timezone.now()
    application, key = decisions.invite(tournament, entry.player, entry.club, account=request.user, now=now)
    return _show(request, application, key=key)


@desk_view(helper=True)
def desk_invite_member(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """A link for a member who cannot get it by mail: handed over, it enters them."""
    today, query = timezone.localdate(), request.GET.get("q", "").strip()
    if sent := request.POST.get("member"):
        for member in chosen_candidates(tournament, request.user, [sent], today=today):
            application, key = decisions.invite(
                tournament, member.player, member.club, account=request.user, now=timezone.now()
            )
            return _show(request, application, key=key)
        messages.warning(request, _("They are already entered, or are no longer a member."))
    found = (
        found_candidates(tournament, query, "", request.user, most=MOST_FOUND, today=today) if query else []
    )
    context = {"tournament": tournament, "q": query, "found": with_ticks(found)}
    return render(request, "desk/people/invite_member.html", context)


urlpatterns = [
    path("desk/t/<str:code>/from-home/", desk_from_home, name="desk_from_home"),
    path("desk/t/<str:code>/from-home/set-up/", desk_from_home_set_up, name="desk_from_home_set_up"),
    path(
        "desk/t/<str:code>/from-home/decline/", desk_from_home_decline_all, name="desk_from_home_decline_all"
    ),
    path("desk/t/<str:code>/from-home/code/", desk_invite_member, name="desk_invite_member"),
    path("desk/t/<str:code>/from-home/<int:number>/", desk_application, name="desk_application"),
    path("desk/t/<str:code>/entries/<int:number>/link/", desk_invite, name="desk_invite"),
]


# What an organiser allows of entering from home.

HOURS = ["%H:%M", "%H.%M", "%H", "%H:%M:%S"]


def _days(label: Any, *, required: bool, help_text: Any = "") -> forms.IntegerField:
    return forms.IntegerField(
        label=label, min_value=0, max_value=MOST_DAYS, required=required, help_text=help_text
    )


def _hour(label: Any) -> forms.TimeField:
    return forms.TimeField(
        label=label,
        input_formats=HOURS,
        widget=forms.TimeInput({"type": "time"}, format="%H:%M"),
        error_messages={"invalid": gettext_lazy("Type a time like 19:00.")},
    )


def _tick(label: Any, help_text: Any = "") -> forms.BooleanField:
    return forms.BooleanField(label=label, required=False, help_text=help_text)


class FromHomeForm(SeenForm, forms.Form):
    is_on = _tick(gettext_lazy("People can enter from home"))
    opens_days = _days(
        gettext_lazy("Entry opens this many days before the evening"),
        required=False,
        help_text=gettext_lazy("Leave it empty to open it now."),
    )
    opens_hour = _hour(gettext_lazy("Opens at"))
    closes_days = _days(gettext_lazy("Entry closes this many days before the evening"), required=True)
    closes_hour = _hour(gettext_lazy("Closes at"))
    places = forms.IntegerField(
        label=gettext_lazy("Number of players"),
        min_value=0,
        max_value=MOST_PLACES,
        help_text=gettext_lazy("0 for no limit. Players you enter at the desk take a place too."),
    )
    waits = _tick(
        gettext_lazy("A waiting list when all places are taken"),
        gettext_lazy("It moves up automatically when someone withdraws, until the seats are drawn."),
    )
    guests = _tick(gettext_lazy("Guests who are not on any member list can enter"))
    asks = _tick(gettext_lazy("I approve each entry before it gets a place"))
    own_check_in = _tick(
        gettext_lazy("On the day, people can check in on their own page"),
        gettext_lazy("Otherwise they show their code at the desk or the door."),
    )

    def clean(self) -> dict[str, Any]:
        if not self.errors:
            try:
                read_from_home(self._settings().to_json())
            except ValueError:
                text = _("Entry would close before it opens.")
                self.add_error("closes_days", ValidationError(text))
        return self.cleaned_data

    def chosen(self) -> dict[str, FromHome]:
        return {"chosen": self._settings()}

    def _settings(self) -> FromHome:
        said = {name: self.cleaned_data[name] for name in self.fields}
        hours = {name: value.strftime("%H:%M") for name, value in said.items() if isinstance(value, time)}
        return FromHome(**said | hours)


class WhoForm(forms.Form):
    """A guest's name, for an application that matched no member."""

    name = NameField(label=gettext_lazy("Guest’s name"), max_length=GUEST_NAME_LENGTH, required=False)
