"""An evening in one step: pasted names become members and tonight's entries, or the last evening is repeated."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop
from django.views.decorators.http import require_POST

from clubs.clubs import log_change
from clubs.lists.choice import ListTable, guess, is_plain
from clubs.lists.models import UploadedList
from clubs.member_import import confirm, dry_run, store_chosen_rows
from clubs.member_rows import FIELDS, as_file, as_members
from clubs.models import Club, MemberImport, Membership
from clubs.roles import clubs_of, may_organise
from clubs.views.guards import MemberRequest, club_view
from core.tables.file_formats import UnreadableFileError
from core.text import CODE_LETTERS
from tournaments.desk.setup.setup import Folds
from tournaments.desk.setup.setup_form import SetupForm, chosen_format, initial_values
from tournaments.entries.bulk import enter_all
from tournaments.lifecycle import creating
from tournaments.lifecycle.creating import chosen_as, next_evening, rules_offered
from tournaments.models import Tournament
from tournaments.models.events import free_code
from tournaments.web.guards import DeskRequest, desk_view

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpResponse

    from clubs.member_import import DryRun
    from clubs.models import Account


class NamesForm(forms.Form):
    """The form of tonight's players, typed or pasted as names."""

    names = forms.CharField(
        label=gettext_lazy("Who is playing tonight?"),
        max_length=100_000,
        widget=forms.Textarea({"rows": 8, "autocomplete": "off", "spellcheck": "false"}),
        help_text=gettext_lazy("One name per line, or rows copied from a spreadsheet."),
    )


@club_view(one_transaction=False)
def club_tonight(request: MemberRequest, club: Club) -> HttpResponse:
    """Parse the pasted names; without questions about them, redirect to the evening's set-up."""
    form = NamesForm(request.POST or None)
    if form.is_valid():
        try:
            return redirect(*_put_by(request, club, form.cleaned_data["names"]))
        except UnreadableFileError as problem:
            form.add_error("names", problem.message)
    return render(request, "desk/setup/tonight.html", {"club": club, "form": form})


def _put_by(request: MemberRequest, club: Club, names: str) -> tuple[Any, ...]:
    """Keep the list, and return where it is gone on with. Raises UnreadableFileError."""
    now, today = timezone.now(), timezone.localdate()
    data, put_above = as_file(names)
    table = ListTable.read(data, FIELDS, put_above=put_above)
    choice = guess(table, {})
    about = {"joined": today.isoformat()}
    given = UploadedList.put_by(
        table, _("Typed names"), now=now, about=about, club=club, account=request.user
    )
    file = as_members(table, choice)
    if file.doubts or not (put_above or is_plain(table, choice, {})):
        return "import_columns", club.slug, given.pk
    kept = store_chosen_rows(club, request.user, _("Typed names"), file, joined=today, now=now, given=given)
    run = dry_run(kept)
    if _has_questions(run):
        messages.info(request, _("Import the members first; then set up the evening."))
        return "import_dry_run", club.slug, kept.pk
    return "club_tonight_set_up", club.slug, kept.pk


def _has_questions(run: DryRun) -> bool:
    """Whether a row is doubtful or refused, so that it has to be looked at."""
    return bool(run.plan.questions or run.plan.refused)


@club_view()
def club_tonight_set_up(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    """Preview the evening in one sentence; the POST imports the members, sets it up and enters them, once."""
    kept = get_object_or_404(MemberImport, pk=pk, club=club, account=request.user)
    code = request.POST.get("code", "")
    if made := _made_before(club, code):
        return redirect("desk_check_in", made.code)
    if kept.applied_at is not None:
        messages.info(request, _("This list has already been imported or discarded."))
        return redirect("desk")
    run = dry_run(kept)
    if _has_questions(run):
        return redirect("import_dry_run", club.slug, kept.pk)
    form = usual_form(request.user, club)
    if request.method == "POST" and form.is_valid():
        seen = request.POST.get("seen", "")
        if made := _make(request.user, kept, seen, _usable(code), form.values(), timezone.now()):
            return redirect("desk_check_in", made.code)
        messages.warning(request, _("The members have changed since you saw this. Check it again."))
        return redirect("club_tonight_set_up", club.slug, kept.pk)
    names = [row.name for row in run.file.iterate_rows(timezone.localdate())]
    context = {
        "club": club,
        "names": names,
        "seen": run.fingerprint,
        "code": free_code(Tournament),
        "rounds": form["rounds_planned"].value(),
        "played": Folds(form).played,
        "form": form,
        "kept": kept,
    }
    return render(request, "desk/setup/tonight.html", context)


def _usable(code: str) -> str:
    return code if re.fullmatch(f"[{CODE_LETTERS}]{{6}}", code) else free_code(Tournament)


def _made_before(club: Club, code: str) -> Tournament | None:
    return Tournament.objects.filter(code=code, host=club).first() if code else None


@transaction.atomic
def _make(
    account: Account, kept: MemberImport, seen: str, code: str, values: dict[str, Any], now: datetime
) -> Tournament | None:
    """Import the list and enter its people in a new evening; None where it would do something else than was seen."""
    club, today = kept.club, timezone.localdate(now)
    names = {row.name for row in dry_run(kept).file.iterate_rows(today)}
    if not confirm(kept, {}, seen, now).is_done:
        return None
    log_change(club, account, gettext_noop("Imported the member list {file}"), now=now, file=kept.file_name)
    tournament = creating.create(code, values, account=account, now=now)
    members = Membership.objects.on(today).filter(club=club, player__name__in=names)
    players = [(member.player, club) for member in members.select_related("player")]
    enter_all(tournament, players, account=account, now=now)
    return tournament


def usual_form(account: Account, club: Club, earlier: Tournament | None = None) -> SetupForm:
    """The set-up as its page begins, as if it had been sent untouched: the usual settings, or those of an evening."""
    hosts = clubs_of(account, organise=True)
    own, today = rules_offered(hosts), timezone.localdate()
    initial: dict[str, Any] = {"date": today, "host": club}
    if earlier is not None:
        name, day = next_evening(earlier, today)
        initial = initial_values(earlier) | initial | {"name": name, "date": day}
    how: dict[str, Any] = {
        "hosts": hosts,
        "rulebook": chosen_as(earlier, own) if earlier else "union",
        "own": own,
        "frozen": False,
        "format": chosen_format(initial),
    }
    return SetupForm(data=_as_sent(SetupForm(**how, initial=initial)), **how)


def _as_sent(form: SetupForm) -> QueryDict:
    """The data that a browser would submit for an untouched form."""
    sent = QueryDict(mutable=True)
    for bound in form:
        value = bound.field.prepare_value(bound.value())
        if isinstance(bound.field, forms.BooleanField):
            value = "on" if value else None
        else:
            value = bound.field.widget.format_value(value)
        if value is not None:
            sent.setlist(
                bound.html_name, [str(one) for one in (value if isinstance(value, list) else [value])]
            )
    sent["rulebook"] = form.chosen
    return sent


@desk_view()
@require_POST
def desk_repeat(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Set up the next evening as this one, with its players. Twice is once."""
    code = request.POST.get("code", "")
    if made := _made_before(tournament.host, code):
        return redirect("desk_check_in", made.code)
    if not may_organise(request.user, tournament.host):  # an official has this evening alone
        said = _("Ask an organiser of %(club)s to set up the next evening.")
        messages.warning(request, said % {"club": tournament.host})
        return redirect("desk_finish", tournament.code)
    form = usual_form(request.user, tournament.host, tournament)
    if not form.is_valid():
        return redirect(f"{reverse('tournament_new')}?copy={tournament.code}")
    now = timezone.now()
    with transaction.atomic():
        kept = {name: getattr(tournament, name) for name in creating.KEPT}
        made = creating.create(_usable(code), form.values() | kept, account=request.user, now=now)
        creating.copy_players(tournament, made, account=request.user, now=now)
    return redirect("desk_check_in", made.code)


urlpatterns = [
    path("clubs/<slug:slug>/tonight/", club_tonight, name="club_tonight"),
    path("clubs/<slug:slug>/tonight/<int:pk>/", club_tonight_set_up, name="club_tonight_set_up"),
    path("desk/t/<str:code>/repeat/", desk_repeat, name="desk_repeat"),
]
