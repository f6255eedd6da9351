"""The set-up of a tournament, and its halls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from clubs.accounts import offers_to
from clubs.mail.outbox import clubs_with_failures
from clubs.models import Club
from clubs.register import invitations_to, transfers_to_answer
from clubs.roles import clubs_of
from clubs.views.guards import sign_in_required
from core.errors import NotPossible
from core.forms import NameField, differences, field_of
from core.http.steps import add_to_form, posted_data
from core.journal import status
from scoring.versions import is_newer
from tournaments.changes.permissions import officials_with_rights, tournaments_of
from tournaments.desk.club.machine import machine_context
from tournaments.desk.evening.navigation import now_of
from tournaments.desk.evening.next_step import Overview
from tournaments.desk.setup.setup_form import SetupForm, chosen_format, format_was_shown, initial_values
from tournaments.domain.amounts import in_kroner
from tournaments.domain.formats import FORMATS, POINTS
from tournaments.domain.halls import LONGEST_NAME, LONGEST_PLACE, MOST_HALLS, MOST_TABLES, stored_halls
from tournaments.lifecycle import creating
from tournaments.lifecycle.creating import chosen_as, next_evening, rules_offered, unlike_their_name
from tournaments.lifecycle.halls import MovesTables, lacking_places, mark_of, set_halls
from tournaments.lifecycle.money import podiums_from_the_last_deal, reckon
from tournaments.lifecycle.rules_text import doubtful_deals, rules_in_words
from tournaments.lifecycle.rules_versions import versions_offered
from tournaments.models import Entry, Season, Tournament
from tournaments.models.events import free_code
from tournaments.seasons.dues import statements_to
from tournaments.seasons.results import tell_firsts
from tournaments.seasons.season import progress_of, seasons_for
from tournaments.standings.columns import On
from tournaments.standings.team_text import LEADING, places_now
from tournaments.standings.tie_breaks import TIE_BREAKS, tie_break_text, tie_breaks_text
from tournaments.web.guards import DESK, DeskRequest, desk_view, hall_link
from tournaments.web.live_parts import render_live
from tournaments.web.rules_form import filled_in, is_judged, submitted_values

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date

    from django.db.models import QuerySet
    from django.http import HttpResponse, QueryDict

    from clubs.models import Account
    from tournaments.models import ClubRules
    from tournaments.seasons.season import SeasonProgress


# The desk before the evening: an organiser's tournaments, and the page on which one is set up.

FINISHED_SHOWN, ON_A_PAGE, SEASONS_SHOWN = 10, 100, 3


@sign_in_required
@require_safe
def desk(request: DeskRequest) -> HttpResponse:
    """An organiser's front page: their tournaments by state, and their clubs."""
    mine = _tournaments_of(request.user)
    finished, called_off = (
        mine.filter(called_off_at=None, state=Tournament.State.FINISHED),
        mine.exclude(called_off_at=None),
    )
    shows_all = "all" in request.GET
    page = Paginator(finished, ON_A_PAGE if shows_all else FINISHED_SHOWN).get_page(request.GET.get("page"))
    mine = mine.filter(called_off_at=None)
    running = list(mine.filter(state=Tournament.State.RUNNING).select_related("host__sample"))
    coming = list(mine.filter(state=Tournament.State.SETUP).order_by("date", "pk"))
    over, tonight = list(page), _tonight(running, coming)
    tell_firsts(over)
    may_set_up = clubs_of(request.user, organise=True).exists()
    return render(
        request,
        "desk/setup/desk.html",
        {
            "seasons": _seasons_now(request.user),
            "tonight": tonight,
            # Tonight has a panel of its own.
            "running": [one for one in running if one != tonight],
            "coming": [one for one in coming if one != tonight],
            "finished": over,
            "page": page if shows_all else None,
            "called_off": called_off if shows_all else called_off[:FINISHED_SHOWN],
            "more": not shows_all and (page.has_next() or called_off[FINISHED_SHOWN:].exists()),
            "again": _again(request.user, running, coming),
            "clubs": clubs_of(request.user),
            "offers": offers_to(request.user).filter(declined_at=None),
            "transfers": transfers_to_answer(request.user),
            "invitations": invitations_to(request.user),
            "official_of": officials_with_rights(request.user),
            "statements": [(one, in_kroner(one.total)) for one in statements_to(request.user)],
            "backup": status.storage_status(timezone.now()),
            "may_set_up": may_set_up,
            # The form of a new tournament offers the newest to copy; older ones are copied from the list of all.
            "may_copy": may_set_up and shows_all,
            "letters_in_vain": clubs_with_failures(clubs_of(request.user, organise=True)),
            **machine_context(),
        },
    )


def _seasons_now(account: Account) -> list[tuple[Season, SeasonProgress, bool]]:
    """The running seasons of the clubs in which an account has a role, then of their unions; whether it is a club's."""
    today = timezone.localdate()
    own = list(Club.objects.filter(roles__account=account, sample=None).distinct())
    running = Season.objects.filter(seasons_for(own), starts__lte=today, ends__gte=today)
    found = [
        (season, season.host in own) for season in running.select_related("host").order_by("-starts", "-pk")
    ]
    found.sort(key=lambda one: not one[1])
    return [(season, progress_of(season, today), is_own) for season, is_own in found[:SEASONS_SHOWN]]


def _tonight(running: list[Tournament], coming: list[Tournament]) -> Tournament | None:
    """The evening that the desk is opened for: one that is played, else today's, else that of sample players."""
    own = [tournament for tournament in running if not hasattr(tournament.host, "sample")]
    today = [tournament for tournament in coming if tournament.date == timezone.localdate()]
    return next(iter([*own, *today, *running]), None)


def _again(
    account: Account, running: list[Tournament], coming: list[Tournament]
) -> tuple[Tournament, tuple[str, date], str] | None:
    """The newest evening that is over, what the next would be called, its day, and a code for it.

    None where an evening is under way already, or being set up.
    """
    if running or coming:
        return None
    home = clubs_of(account, organise=True).filter(sample=None).order_by().values("pk")
    over = Tournament.objects.filter(host__in=home, called_off_at=None, state=Tournament.State.FINISHED)
    last = over.select_related("host").order_by("-date", "-pk").first()
    return (last, next_evening(last, timezone.localdate()), free_code(Tournament)) if last else None


def _tournaments_of(account: Account) -> QuerySet[Tournament]:
    """The tournaments that an account may open, the newest first, each with its number of players."""
    # Counted for those that are shown: joined, all entries of all tournaments would be gone through.
    entered = Entry.objects.filter(tournament=OuterRef("pk")).exclude(status=Entry.Status.WITHDRAWN)
    counted = entered.order_by().values("tournament").annotate(players=Count("pk")).values("players")
    mine = tournaments_of(account).select_related("host")
    return mine.annotate(players=Coalesce(Subquery(counted), 0)).order_by("-date", "-pk")


@desk_view(helper=True, in_hall=True)
@require_safe
def desk_tournament(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """The page of a tournament: the next step, the steps of the evening, the leaders, the last log lines.

    Who helps in one hall alone is shown the tables of that hall.
    """
    if request.hall:
        return redirect("desk_board", tournament.code)
    now = now_of(request, tournament)
    steps = now.steps
    won = podiums_from_the_last_deal(tournament) if steps.have_begun else []
    # Before the fees, which need the standings without changes of place.
    leaders = places_now(tournament, On.FRONT_PAGE) if steps.have_begun else {}
    return render_live(
        request,
        "setup/tournament",
        {
            "tournament": tournament,
            "steps": steps,
            "overview": Overview(now, won[0].won if len(won) == 1 else ""),
            "hall": hall_link(request, tournament),
            "latest": tournament.log.all()[:5],
            "money": _money(tournament) if tournament.entry_fee else {},
            **leaders,
            "podiums": won,
            "most": f":{LEADING}",
        },
    )


def _money(tournament: Tournament) -> dict[str, object]:
    """The sum of the entry fees: the pool as on the money page."""
    reckoning = reckon(tournament)
    entered = tournament.entries.exclude(status=Entry.Status.WITHDRAWN, fee_paid=False).count()
    return {
        "paid": reckoning.fees_paid,
        "all": entered,
        "fee": in_kroner(tournament.entry_fee),
        "kroner": in_kroner(reckoning.pool),
        "owed": in_kroner(reckoning.owed) if reckoning.owed else "",
    }


def form_as_sent(
    request: DeskRequest, *, hosts: QuerySet[Club], tournament: Tournament | None = None
) -> tuple[SetupForm, bool]:
    """The submitted form, and whether to validate it: not when only another rulebook or format was chosen."""
    own, sent = rules_offered(hosts), request.POST
    frozen = tournament is not None and tournament.rules_frozen
    judged = frozen or (is_judged(sent) and format_was_shown(sent))
    data: dict[str, Any] = {"data": sent} if judged else {"initial": _not_judged(sent, own)}
    form = SetupForm(
        hosts=hosts,
        rulebook=sent.get("rulebook", ""),
        own=own,
        frozen=frozen,
        format=tournament.format if frozen and tournament else chosen_format(sent),
        tournament=tournament,
        **data,
    )
    return form, judged


def _not_judged(sent: QueryDict, own: Iterable[ClubRules]) -> dict[str, Any]:
    """The submitted values without validation, with the usual number of rounds for a newly chosen format."""
    values = filled_in(sent, own)
    if not format_was_shown(sent):
        values.pop("rounds_planned", None)
    return values


def show(request: DeskRequest, form: SetupForm, **context: Any) -> HttpResponse:
    other_options = request.method == "POST" and not form.is_bound and "changed_meanwhile" not in context
    context |= {
        "form": form,
        "folds": Folds(form, open_all=other_options),
        "other_options": other_options,
        "tie_breaks": tie_breaks_text(form.book, TIE_BREAKS),
    }
    if tournament := context.get("tournament"):
        context["versions"] = [
            (version, is_newer(version, tournament.rules_version)) for version in versions_offered(tournament)
        ]
    return render(request, "desk/setup/setup.html", context)


def say_warnings(request: DeskRequest, tournament: Tournament) -> None:
    for warning in [*doubtful_deals(tournament), *unlike_their_name(tournament)]:
        messages.warning(request, warning)


@desk_view()
def tournament_setup(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    hosts = clubs_of(request.user, organise=True)
    if not hosts.filter(
        pk=tournament.host_id
    ).exists():  # who has no role in the host takes nothing away from it
        hosts = Club.objects.filter(pk=tournament.host_id)
    frozen = tournament.rules_frozen
    throws_away = False
    if request.method == "POST":
        form, judged = form_as_sent(request, hosts=hosts, tournament=tournament)
        if judged and form.is_valid():
            try:
                tournament = creating.change(
                    tournament,
                    form.values(),
                    seen=form.cleaned_data["seen"],
                    account=request.user,
                    now=timezone.now(),
                    throw_away="throw_away" in request.POST,
                )
            except creating.ChangedMeanwhile as refusal:
                return _show_both(request, form, refusal, hosts)
            except NotPossible as refusal:
                throws_away = isinstance(refusal, creating.ThrowsSeatsAway)
                add_to_form(form, refusal)
            else:
                messages.success(request, _("Saved."))
                say_warnings(request, tournament)
                return redirect("tournament_setup", tournament.code)
    else:
        own = rules_offered(hosts)
        initial = initial_values(tournament) | {"seen": creating.mark(tournament)}
        form = SetupForm(
            hosts=hosts,
            rulebook=chosen_as(tournament, own),
            own=own,
            frozen=frozen,
            format=tournament.format,
            tournament=tournament,
            initial=initial,
        )
    rules = rules_in_words(tournament) if frozen else None
    return show(request, form, tournament=tournament, rules=rules, throws_away=throws_away)


def _show_both(
    request: DeskRequest, sent: SetupForm, refusal: creating.ChangedMeanwhile, hosts: QuerySet[Club]
) -> HttpResponse:
    """The submitted form, with the other organiser's value at each field that differs."""
    now = refusal.tournament
    form = SetupForm(
        hosts=hosts,
        rulebook=sent.chosen,
        own=sent.own.values(),
        frozen=now.rules_frozen,
        format=now.format if now.rules_frozen else sent.chosen_format,
        tournament=now,
        initial=submitted_values(request.POST) | {"seen": creating.mark(now)},
    )
    differences(form, sent.cleaned_data, initial_values(now))
    last = now.log.filter(text__in=creating.CHANGES.values()).first()
    return show(
        request,
        form,
        tournament=now,
        rules=rules_in_words(now) if now.rules_frozen else None,
        changed_meanwhile=refusal.message,
        changed_by=last.author if last else "",
        changed_at=date_format(timezone.localtime(last.at), "TIME_FORMAT") if last else "",
    )


# What a set-up comes to, in a sentence: the page folds the questions behind it, and it follows what is chosen.

# Fields shown for every evening; all others are folded.
IN_SIGHT = ("name", "host", "date", "begins_at", "place", "held_by", "entry_fee", "rounds_planned", "stake")
COUNTS = (
    "season",
    "comparison",
    "three_factor",
    "least_share",
    "tie_break_",
    "points_",
    "by_average",
    "promoted",
    "relegated",
    "up_limit",
)


class Folds:
    """The two sentences of a form, and which of the folds behind them must be open: where something is to be seen."""

    def __init__(self, form: SetupForm, *, open_all: bool = False) -> None:
        self.played, self.counts = " · ".join(_play_summary(form)), " · ".join(_counts(form))
        wrong = {field.name for field in form if field.errors or hasattr(field, "stored_now")}
        wrong -= set(IN_SIGHT)
        self.counts_open = open_all or any(name.startswith(COUNTS) for name in wrong)
        self.played_open = open_all or any(not name.startswith(COUNTS) for name in wrong)


def _play_summary(form: SetupForm) -> Iterator[str]:
    if "format" in form.fields:
        yield str(FORMATS[form.chosen_format].name)
    if "rulebook" in form.fields:
        yield _value(form, "rules_name") or _(form.book.name)
    if changed := sum(_is_changed(field) for field in (*form.option_fields, *form.price_fields)):
        said = ngettext("%(count)d rule of your own", "%(count)d rules of your own", changed)
        yield said % {"count": changed}
    if deals := _value(form, "deals_per_round") or _value(form, "deals_at_three"):
        yield _("%(deals)s deals per round") % {"deals": deals}
    if "deals_per_round" in form.fields and (deals := _value(form, "deals_at_three")):
        yield _("%(deals)s at a table of three") % {"deals": deals}
    if _value(form, "boards") in ("True", "on"):
        yield _("duplicate boards")
    if mode := _choice(form, "draw_mode"):
        yield _("drawn: %(mode)s") % {"mode": mode}


def _is_changed(field: Any) -> bool:
    """Whether an option is not as the rulebook has it; what is left empty is."""
    value = field.value()
    return value not in (None, "") and str(value) != str(field.field.initial)


def _counts(form: SetupForm) -> Iterator[str]:
    if POINTS[0] in form.fields:
        points = "–".join(_value(form, name) for name in POINTS)
        yield _("match points %(points)s") % {"points": points}
    elif by := _choice(form, "comparison"):
        yield by
    codes = [_value(form, field.name) for field in form.tie_break_fields]
    if names := [str(tie_break_text(form.book, code).name) for code in codes if _is_offered(form, code)]:
        yield _("when level: %(tie_breaks)s") % {"tie_breaks": ", ".join(names)}
    if season := _choice(form, "season"):
        yield _("in the season %(season)s") % {"season": season}


def _is_offered(form: SetupForm, code: str) -> bool:
    return bool(code) and code in dict(field_of(form, "tie_break_1").choices)


def _value(form: SetupForm, name: str) -> str:
    value = form[name].value() if name in form.fields else None
    return "" if value is None else str(value)


def _choice(form: SetupForm, name: str) -> str:
    """Label of a field's selected choice; "" if the field is absent or empty."""
    if name not in form.fields:
        return ""
    value = getattr(form[name].value(), "pk", None) or _value(form, name)
    choices = field_of(form, name).choices
    return next((str(label) for code, label in choices if code and str(code) == str(value)), "")


# The page where the halls of a tournament are set up.

EMPTY_LINES = 2


class HallForm(forms.Form):
    """A hall; a line without a name is none."""

    name = NameField(label=gettext_lazy("Name"), max_length=LONGEST_NAME, required=False)
    place = NameField(label=gettext_lazy("Place or address"), max_length=LONGEST_PLACE, required=False)
    tables = forms.IntegerField(
        label=gettext_lazy("Tables"),
        min_value=1,
        max_value=MOST_TABLES,
        required=False,
    )

    def clean(self) -> dict[str, Any]:
        name, place, tables = (self.cleaned_data.get(field) for field in ("name", "place", "tables"))
        if name and not self.errors and not tables:
            self.add_error("tables", _("How many tables does this hall have?"))
        if not name and (place or tables) and "name" not in self.errors:
            self.add_error("name", _("Type the name of the hall, or empty the line."))
        return self.cleaned_data


class HallFormSet(forms.BaseFormSet):
    def clean(self) -> None:
        names = [form.cleaned_data.get("name", "").casefold() for form in self.forms if form.is_valid()]
        names = [name for name in names if name]
        if len(set(names)) < len(names):
            raise ValidationError(_("Two halls have the same name."))

    def halls(self) -> list[dict[str, Any]]:
        said = [form.cleaned_data for form in self.forms]
        return stored_halls((one["name"], one["place"], one["tables"]) for one in said if one.get("name"))


HallForms = forms.formset_factory(
    HallForm, formset=HallFormSet, extra=EMPTY_LINES, max_num=MOST_HALLS, validate_max=True
)


@desk_view()
def desk_halls(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """The halls with the numbers of their tables."""
    sent = posted_data(request)
    # Without initial values when bound: a line equal to what is stored by now would count as left empty.
    lines: Any = HallForms(sent, initial=None if sent else tournament.halls, prefix="hall")
    refused: NotPossible | None = None
    if sent is not None and lines.is_valid():
        try:
            set_halls(
                tournament,
                halls=lines.halls(),
                seen=sent.get("seen", ""),
                moves="moves" in sent,
                account=request.user,
                now=timezone.now(),
            )
        except NotPossible as error:
            refused = error
        else:
            messages.success(request, _("Saved."))
            return redirect("desk_halls", tournament.code)
    context = {
        "tournament": tournament,
        "lines": lines,
        "seen": mark_of(tournament),
        "refused": refused,
        "asks_to_move": isinstance(refused, MovesTables),
        "lacking": lacking_places(tournament),
    }
    return render(request, "desk/setup/halls.html", context)


urlpatterns = [
    path("desk/", desk, name="desk"),
    path("desk/t/<str:code>/", desk_tournament, name="desk_tournament"),
    path("desk/t/<str:code>/setup/", tournament_setup, name="tournament_setup"),
    path(f"{DESK}halls/", desk_halls, name="desk_halls"),
]
