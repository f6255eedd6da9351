"""A new tournament: empty, repeated, or a sample."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect
from django.urls import path, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST

from clubs.models import Membership, Role, RoleOffer, SampleClub
from clubs.roles import clubs_of, home_of
from clubs.views.guards import club_view, sign_in_required
from core.forms import DATE_FORMATS
from core.text import CODE_LETTERS
from tournaments.demo.play import make_sample, remove_sample, sample_of, why_not
from tournaments.desk.setup.setup import form_as_sent, say_warnings, show
from tournaments.desk.setup.setup_form import SetupForm, chosen_format, initial_values
from tournaments.lifecycle import creating
from tournaments.lifecycle.creating import (
    MOST_EVENINGS,
    chosen_as,
    holiday,
    how_many,
    make_all,
    next_easter,
    next_evening,
    repeated,
    rules_offered,
)
from tournaments.models import Tournament
from tournaments.models.events import free_code
from tournaments.seasons.next_season import has_teams_to_take
from tournaments.web.confirming import Question, ask_first
from tournaments.web.fields import day_field

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpResponse, QueryDict

    from clubs.models import Account, Club
    from clubs.views.guards import MemberRequest
    from tournaments.web.guards import DeskRequest


# What a club that is new to the program does first: three steps, each ticked when it is done.


@dataclass(frozen=True, slots=True)
class FirstSteps:
    """`club` is where the steps lead, None where there are none to take; `sample` is what there is to be removed."""

    club: Club | None
    sample: SampleClub | None
    members: bool = False
    helpers: bool = False
    evening: bool = False


def first_steps(account: Account) -> FirstSteps:
    """Setup steps of a new organiser, until an evening has begun or is set up for members; helpers are optional."""
    sample = sample_of(account)
    mine = clubs_of(account, organise=True).filter(sample=None)
    club = home_of(account) or mine.first()
    held = mine.order_by().values("pk")
    evenings = Tournament.objects.not_called_off().filter(host__in=held)
    if club is None or evenings.exclude(state=Tournament.State.SETUP).exists():
        return FirstSteps(None, sample)
    members = Membership.objects.filter(club__in=held, left=None).exists()
    evening = evenings.exists()
    helpers = (
        Role.objects.filter(club__in=held).exclude(account=account).exists()
        or RoleOffer.objects.filter(club__in=held).exists()
    )
    return FirstSteps(None if members and evening else club, sample, members, helpers, evening)


# Fields of a new evening that repeats, with the dates for confirmation.

EVERY = [
    ("", gettext_lazy("not repeated")),
    ("1", gettext_lazy("every week")),
    ("2", gettext_lazy("every second week")),
    ("3", gettext_lazy("every third week")),
    ("4", gettext_lazy("every fourth week")),
]
MOST_NAMED = 4  # skipped days that are listed by date


@dataclass(frozen=True, slots=True)
class Day:
    """A day of the series: what holiday it is, if one, and whether an evening is made then."""

    day: date
    holiday: str
    ticked: bool


class RepeatForm(forms.Form):
    """The form of a series: every n weeks until a day. `judged` validates, for creation rather than display."""

    repeat_every = forms.ChoiceField(label=gettext_lazy("Repeats"), choices=EVERY, required=False)
    repeat_until = day_field(gettext_lazy("Until"), required=False)

    def __init__(self, sent: QueryDict | None = None, *, judged: bool = False) -> None:
        super().__init__(sent)
        easter = date_format(next_easter(timezone.localdate()), "DATE_FORMAT")
        self.fields["repeat_until"].help_text = _("Until Easter would be %(day)s.") % {"day": easter}
        self.judged = judged
        self.days: list[Day] = []
        if sent is not None:
            self.full_clean()

    def clean(self) -> dict[str, Any]:
        every, until = self.cleaned_data.get("repeat_every"), self.cleaned_data.get("repeat_until")
        if not every or "repeat_until" in self.errors:
            return self.cleaned_data
        first = _read_day(self.data.get("date", ""))
        if until is None:
            if self.judged:
                self.add_error("repeat_until", _("Set the last date of the series."))
        elif first and until < first:
            self.add_error("repeat_until", _("This is before the first evening."))
        elif first:
            self._lay_out(first, int(every), until)
        return self.cleaned_data

    def _lay_out(self, first: date, weeks: int, until: date) -> None:
        count = how_many(first, weeks, until)
        if count > MOST_EVENINGS:  # before listing them: they could be all weeks since the year 1
            self.add_error(
                "repeat_until",
                _("These are %(count)d evenings; at most %(most)d can be created at once.")
                % {"count": count, "most": MOST_EVENINGS},
            )
            return
        days = repeated(first, weeks, until)
        sent: Any = self.data
        ticked = set(sent.getlist("repeat_day")) if self._has_seen(days) else None
        for day in days:
            is_holiday = holiday(day)
            self.days.append(
                Day(day, is_holiday, not is_holiday if ticked is None else day.isoformat() in ticked)
            )
        if self.judged and ticked is None:
            self.add_error(
                None, _("Check the dates below; the ticked ones are created when you press again.")
            )
        elif self.judged and not self.chosen:
            self.add_error(None, _("Tick at least one date."))

    def _has_seen(self, days: list[date]) -> bool:
        return bool(self.data.get("repeat_seen") == _mark(days))

    @property
    def mark(self) -> str:
        """A digest of the days shown: ticks of others are ignored."""
        return _mark([each.day for each in self.days])

    @property
    def chosen(self) -> list[date]:
        return [each.day for each in self.days if each.ticked]

    @property
    def repeats(self) -> bool:
        return bool(self.cleaned_data.get("repeat_every")) if self.is_bound else False

    @property
    def summary(self) -> str:
        """The series in a sentence: how often, until when, how many, and which days are left out."""
        if not self.days:
            return str(dict(EVERY)[""]) if not self.repeats else _("no end date given yet")
        weekday = date_format(self.days[0].day, "l")
        count = len(self.chosen)
        said = ngettext("%(count)d evening", "%(count)d evenings", count) % {"count": count}
        said = _("%(weekday)s, %(every)s until %(until)s: %(evenings)s") % {
            "weekday": weekday,
            "every": dict(EVERY)[self.cleaned_data["repeat_every"]],
            "until": date_format(self.cleaned_data["repeat_until"], "DATE_FORMAT"),
            "evenings": said,
        }
        left_out = [date_format(each.day, "MONTH_DAY_FORMAT") for each in self.days if not each.ticked]
        if 0 < len(left_out) <= MOST_NAMED:
            said = _("%(series)s, not %(days)s") % {"series": said, "days": ", ".join(left_out)}
        return said


def _mark(days: list[date]) -> str:
    return f"{days[0]}/{days[-1]}/{len(days)}" if days else ""


def _read_day(typed: str) -> date | None:
    try:
        return forms.DateField(input_formats=DATE_FORMATS).to_python(typed)
    except ValidationError:
        return None  # shown at its own field


# The page on which an evening is made, or all evenings of a series; from the usual settings, or as a copy.

# The newest so many are offered to be copied where a new one is set up; older ones are copied from the desk's list.
COPIES_OFFERED = 30
# On a club's first evening up to this many members are entered by default.
MEMBERS_ENTERED = 60


def _earlier(request: DeskRequest) -> Tournament | None:
    """The tournament to copy, if the URL names one."""
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
    """The newest tournaments to copy, and one more; their keys come out of an index alone."""
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
        initial = initial_values(earlier) | initial | kept | {"name": name, "date": day}
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
            raise PermissionDenied  # the code belongs to another user's tournament
        for tournament in made:
            if earlier and "copy_players" in request.POST:
                creating.copy_players(earlier, tournament, account=request.user, now=now)
            elif "enter_members" in request.POST:
                creating.enter_members(tournament, account=request.user, now=now)
    say_warnings(request, first)
    if len(days) == 1 and earlier and has_teams_to_take(earlier, first) and not first.teams.exists():
        return redirect(f"{reverse('desk_earlier_teams', args=[first.code])}?earlier={earlier.code}")
    if len(days) == 1:
        is_filled = first.entries.exists()  # then the next thing to be done is to see who comes
        return redirect("desk_check_in" if is_filled else "desk_tournament", first.code)
    messages.success(
        request, _("%(count)d evenings have been created with your settings.") % {"count": len(days)}
    )
    return redirect("desk")


urlpatterns = [path("desk/new/", tournament_new, name="tournament_new")]


# Trying the program with sample players, and removing them again.

THREE_TABLES = gettext_lazy(
    "Three tables are playing. Open one and scan its link with your own phone to be its "
    "captain. A button on the desk removes it all again."
)


@sign_in_required
@require_POST
def desk_sample(request: MemberRequest) -> HttpResponse:
    if not clubs_of(request.user, organise=True).exists():
        raise PermissionDenied
    tournament = make_sample(account=request.user, now=timezone.now())
    messages.success(request, THREE_TABLES)
    return redirect("desk_board", tournament.code)


@club_view()
def club_sample_remove(request: MemberRequest, club: Club) -> HttpResponse:
    sample = SampleClub.objects.filter(club=club, removed_at=None).first()
    if sample is None:
        raise Http404
    asked = Question(
        title=_("Remove the sample players"),
        does=_(
            "The sample club, its players and its evenings will disappear from every list. Nothing else is "
            "affected."
        ),
        button=_("Remove them now"),
        back=reverse("desk"),
        step=partial(remove_sample, sample),
        message=_("The sample players and everything they played have been removed."),
        leads_to=reverse("desk"),
        too_late=why_not(sample),
    )
    return ask_first(request, None, asked, club=club, base="clubs/base.html")


urlpatterns += [
    path("desk/sample/", desk_sample, name="desk_sample"),
    path("clubs/<slug:slug>/sample/remove/", club_sample_remove, name="club_sample_remove"),
]
