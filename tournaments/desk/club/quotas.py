"""Desk pages of who qualifies for a stage of a championship: its quotas, answers, and entering everybody."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from django import forms
from django.shortcuts import get_object_or_404, redirect
from django.urls import path, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST, require_safe

from clubs.mail.outbox import is_set_up
from clubs.views.guards import MemberRequest, club_view
from core.forms import DayField, SeenForm, field_of
from core.http.steps import handle_button, handle_form, take_step
from core.pdf.store import a_pdf, for_visitor, pdf_answer
from tournaments.changes.permissions import kinds_of_championship
from tournaments.desk.club.championships import CHAMPIONSHIPS
from tournaments.models import PublishedList, Qualifier, Quota, Season, Stage, Tournament
from tournaments.models.quotas import MOST_QUALIFIERS, MOST_QUOTAS
from tournaments.paper.lists import qualified_pdf
from tournaments.seasons import qualified, quotas
from tournaments.seasons.quotas import QualifiedTable
from tournaments.web.fields import whole_number
from tournaments.web.guards import number_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.http import HttpResponse

    from clubs.models import Club
    from tournaments.models import Championship, Entry
    from tournaments.seasons.quotas import PlaceIn

HAND = Quota.Source.HAND.value
USUAL_PLACES = 8
USUAL_TIME = timedelta(days=10)


def _label(place_in: PlaceIn) -> str:
    if isinstance(place_in, Tournament):
        return f"{place_in.name} · {date_format(place_in.date)}"
    return quotas.source_name(place_in)


class QuotaForm(SeenForm, forms.Form):
    """A quota; without a source it is none."""

    source = forms.ChoiceField(label=gettext_lazy("Places from"), required=False)
    places = whole_number(gettext_lazy("How many"), 1, MOST_QUALIFIERS, USUAL_PLACES)
    each_club = forms.BooleanField(
        label=gettext_lazy("That many from each club"), required=False,
        help_text=gettext_lazy("Each club’s best ones qualify, however the others are placed."),
    )  # fmt: skip

    def __init__(
        self, *args: Any, sources: Mapping[str, PlaceIn], stored: Quota | None = None, **fields: Any
    ) -> None:
        super().__init__(*args, **fields)
        self.sources, self.stored = sources, stored
        named = [(code, _label(one)) for code, one in sources.items()]
        field_of(self, "source").choices = [
            ("", _("nothing")), *named, (HAND, _("the names below, by hand")),
        ]  # fmt: skip

    @property
    def is_of_stored(self) -> bool:
        return self.stored is not None

    @property
    def values(self) -> dict[str, Any]:
        """The fields of the quota that was chosen."""
        code = self.cleaned_data["source"]
        source = self.sources.get(code)
        is_hand = source is None
        return {
            "source": HAND if is_hand else KINDS[type(source)][0],
            "places": self.cleaned_data["places"],
            "each_club": self.cleaned_data["each_club"] and not is_hand,
            **({} if source is None else {KINDS[type(source)][1]: source}),
        }


# The kind of a source, and the field that has it.
KINDS: Mapping[type[Any], tuple[str, str]] = {
    Season: (Quota.Source.SEASON.value, "season"),
    PublishedList: (Quota.Source.LIST.value, "published"),
    Tournament: (Quota.Source.TOURNAMENT.value, "tournament"),
}


def _code(quota: Quota) -> str:
    """The form value of a quota's source."""
    if quota.tournament is not None:
        return str(quota.tournament.code)
    return HAND if quota.source == HAND else f"{quota.source}-{quota.season_id or quota.published_id}"


class NamesForm(SeenForm, forms.Form):
    """The form of players chosen by hand."""

    names = forms.CharField(
        label=gettext_lazy("Chosen by hand"), required=False,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false"}), max_length=8000,
        help_text=gettext_lazy(
            "One member per line, by name or by number in the union, the first one first. Those beyond the "
            "number of places are next in line."
        ),
    )  # fmt: skip
    is_of_stored = True

    def clean_names(self) -> list[str]:
        return [line.strip() for line in self.cleaned_data["names"].splitlines() if line.strip()]


def quota_forms(data: Mapping[str, Any] | None, table: QualifiedTable) -> tuple[list[QuotaForm], NamesForm]:
    """A form for each quota and some more, and that of the names."""
    sources = quotas.sources_for(table.stage.championship)
    # What is a source already stays one, whatever can be chosen today.
    sources |= {_code(one): source for one in table.quotas if (source := quotas.source_of(one)) is not None}
    given: list[Quota | None] = [*table.quotas, *[None] * MOST_QUOTAS]
    shown = given[: min(MOST_QUOTAS, len(table.quotas) + (1 if table.quotas else 3))]
    asked = [
        QuotaForm(
            data, prefix=f"quota-{number}", sources=sources, stored=quota,
            initial={"source": _code(quota), "places": quota.places, "each_club": quota.each_club} if quota else {},
        )
        for number, quota in enumerate(shown, start=1)
    ]  # fmt: skip
    chosen = [one.player.name for one in table.recorded.values() if one.by_hand]
    return asked, NamesForm(data, initial={"names": "\n".join(chosen)})


class AskForm(forms.Form):
    """The last day on which who qualifies can answer the letter."""

    until = DayField(label=gettext_lazy("They may answer until"))


def _chosen_quotas(asked: Sequence[QuotaForm], names: NamesForm) -> list[dict[str, Any]] | None:
    """The quotas that were chosen; None where something is to be put right, with the error at its field."""
    if not all([names.is_valid(), *(form.is_valid() for form in asked)]):
        return None
    wanted = [form for form in asked if form.cleaned_data["source"]]
    # The best of each club, and besides the best of all: one source may give both.
    seen: set[tuple[str, bool]] = set()
    for form in wanted:
        if (kind := (form.cleaned_data["source"], form.values["each_club"])) in seen:
            form.add_error("source", _("This is chosen above already."))
        seen.add(kind)
    chosen = names.cleaned_data["names"]
    by_hand = any(code == HAND for code, _each_club in seen)
    if by_hand and not chosen:
        names.add_error("names", _("Type who is chosen by hand."))
    if chosen and not by_hand:
        names.add_error("names", _("Choose above how many of these qualify."))
    if names.errors or any(form.errors for form in asked):
        return None
    return [form.values for form in wanted]


def _stage(club: Club, pk: int, number: int) -> Stage:
    championship: Championship = get_object_or_404(club.championships, pk=pk)
    stage: Stage = get_object_or_404(championship.stages.select_related("championship__host"), number=number)
    return stage


def _page(stage: Stage) -> tuple[str, str, int, int]:
    return ("club_qualified", stage.championship.host.slug, stage.championship_id, stage.number)


@club_view(helper=True, officials=kinds_of_championship)
@require_safe
def club_qualified(request: MemberRequest, club: Club, pk: int, number: int) -> HttpResponse:
    """The page of a stage's qualified players: the reasons, the next in line, and those who do not take part."""
    return _show(request, club, _stage(club, pk, number))


def _show(request: MemberRequest, club: Club, stage: Stage, ask: AskForm | None = None) -> HttpResponse:
    table = QualifiedTable(stage)
    until = quotas.open_until(stage, timezone.localdate())
    open_ones = qualified.where_to_enter(stage)
    return CHAMPIONSHIPS.show(
        request,
        "qualified",
        club,
        thing=stage.championship,
        championship=stage.championship,
        stage=stage,
        table=table,
        quotas=table.shown_quotas,
        count=len(table.going),
        left=sum(one.player not in table.here.entered for one in table.going),
        open_ones=open_ones,
        has_groups=stage.tournaments.not_called_off().exists(),
        has_mail=is_set_up(),
        ask=ask or AskForm(initial={"until": until or timezone.localdate() + USUAL_TIME}),
    )


@club_view(officials=kinds_of_championship)
@require_POST
def club_qualified_ask(request: MemberRequest, club: Club, pk: int, number: int) -> HttpResponse:
    """Send the letters that ask whether they take part."""
    stage, form = _stage(club, pk, number), AskForm(request.POST)
    done = handle_form(request, form, partial(quotas.ask_by_letter, stage), _letters_text, *_page(stage))
    return done or _show(request, club, stage, form)


def _letters_text(count: int) -> str:
    if not count:
        return _(
            "Nobody was asked: everyone has already answered or been asked, has no email address, or wants no emails."
        )
    text = ngettext("%(count)d email is on its way.", "%(count)d emails are on their way.", count)
    return text % {"count": count}


@club_view(officials=kinds_of_championship)
def club_qualified_edit(request: MemberRequest, club: Club, pk: int, number: int) -> HttpResponse:
    stage = _stage(club, pk, number)
    asked, names = quota_forms(request.POST or None, QualifiedTable(stage))
    typed = _chosen_quotas(asked, names) if request.method == "POST" else None
    if typed is not None:
        step = partial(quotas.store_quotas, stage, typed, names.cleaned_data["names"])
        if take_step(request, step, _("Saved."), names):
            return redirect(*_page(stage))
    return CHAMPIONSHIPS.show(
        request, "qualified_form", club, thing=stage.championship, stage=stage, forms=asked, names=names
    )


@club_view(officials=kinds_of_championship)
@require_POST
def club_qualified_answer(request: MemberRequest, club: Club, pk: int, number: int) -> HttpResponse:
    """Record whether a player takes part, or is placed before others of the same place."""
    stage = _stage(club, pk, number)
    player = number_in(request.POST.get("player", "")) or 0
    sent = request.POST.get("answer", "")
    if sent in ("first", "not-first"):
        step = partial(quotas.put_first, stage, player, first=sent == "first")
        return handle_button(request, step, _("Saved."), *_page(stage))
    answer = sent if sent in Qualifier.Answer.values else ""
    return handle_button(
        request, partial(quotas.record_answer, stage, player, answer), _("Saved."), *_page(stage)
    )


@club_view(officials=kinds_of_championship)
@require_POST
def club_qualified_enter(request: MemberRequest, club: Club, pk: int, number: int) -> HttpResponse:
    stage = _stage(club, pk, number)
    step = partial(
        qualified.enter_qualified,
        stage,
        into=request.POST.get("into", ""),
        only_yes="only_yes" in request.POST,
    )
    return handle_button(request, step, _said_entered, *_page(stage))


def _said_entered(made: list[Entry]) -> str:
    if not made:
        return _("Everybody who qualifies is entered already.")
    text = ngettext("%(count)d player has been entered.", "%(count)d players have been entered.", len(made))
    into = ", ".join(dict.fromkeys(one.tournament.name for one in made))
    return f"{text % {'count': len(made)}} ({into})"


@a_pdf
@club_view(helper=True, officials=kinds_of_championship)
@require_safe
def club_qualified_pdf(request: MemberRequest, club: Club, pk: int, number: int) -> HttpResponse:
    stage = _stage(club, pk, number)
    return pdf_answer(
        request,
        lambda: qualified_pdf(stage, QualifiedTable(stage), **for_visitor(request)),
        stage.championship.name,
        stage.name,
        instead=reverse("club_qualified", args=[club.slug, pk, number]),
    )


_ONE = "clubs/<slug:slug>/championships/<int:pk>/stages/<int:number>/qualified/"
urlpatterns = [
    path(_ONE, club_qualified, name="club_qualified"),
    path(f"{_ONE}edit/", club_qualified_edit, name="club_qualified_edit"),
    path(f"{_ONE}answer/", club_qualified_answer, name="club_qualified_answer"),
    path(f"{_ONE}ask/", club_qualified_ask, name="club_qualified_ask"),
    path(f"{_ONE}enter/", club_qualified_enter, name="club_qualified_enter"),
    path(f"{_ONE}qualified.pdf", club_qualified_pdf, name="club_qualified_pdf"),
]
