"""A club's own rules: named sets of options and prices that its tournaments can begin with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from clubs.register_models import unions_with
from clubs.views.guards import MemberRequest, club_view
from core.forms import NameField, differences
from core.pdf.store import a_pdf, pdf_answer
from scoring import BadOption, UnknownRulebook, get_rulebook
from tournaments.lifecycle.rules_text import RuleSheet, rule_sheet
from tournaments.models import ClubRules
from tournaments.paper.notices import rules_pdf
from tournaments.web.confirming import Question, ask_first
from tournaments.web.guards import number_in
from tournaments.web.rules_form import RulesForm, filled_in, is_judged, own_values

if TYPE_CHECKING:
    from clubs.models import Club


# A club's own rules under a name.


class ClubRulesForm(RulesForm):
    """A new set of rules for `club`, or a change of `stored`. `seen` is the fingerprint of the version shown."""

    seen = forms.CharField(required=False, widget=forms.HiddenInput)
    name = NameField(
        label=gettext_lazy("Name"),
        max_length=80,
        help_text=gettext_lazy(
            "The name the club uses for these rules. It appears on sheets and in the hall."
        ),
    )
    field_order = ("seen", "name", "rulebook")

    def __init__(self, *args: Any, club: Club, stored: ClubRules | None = None, **fields: Any) -> None:
        super().__init__(*args, **fields)
        self.club = club
        self.stored = stored
        # The same under the same name: what the first of two clicks has stored.
        self.twin: ClubRules | None = None

    def clean_seen(self) -> str:
        seen: str = self.cleaned_data["seen"]
        if self.stored and seen != mark(self.stored):
            # The next try is for what is stored now.
            self.data = {**self.data.dict(), "seen": mark(self.stored)}  # type: ignore[attr-defined]
            raise ValidationError(
                _("Someone else has changed these rules since you opened the page. Save again to keep yours.")
            )
        return seen

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if self.stored and "seen" in self.errors:
            differences(self, self.cleaned_data, stored_values(self.stored))
        others = self.club.own_rules.filter(name__iexact=data["name"]) if "name" in data else ()
        for other in others:
            if not self.stored and not self.errors and vars(other).items() >= self.values().items():
                self.twin = other
            elif other != self.stored:
                self.name_is_taken()
        return data

    def name_is_taken(self) -> None:
        self.add_error("name", _("The club already has rules with this name."))

    def values(self) -> dict[str, Any]:
        return {"name": self.cleaned_data["name"], "rulebook": self.book.id, "options": self.options()}


def mark(rules: ClubRules) -> str:
    """Fingerprint of the stored version."""
    return rules.changed_at.isoformat()


def stored_values(rules: ClubRules) -> dict[str, Any]:
    """A stored set as the form's initial values."""
    return own_values(rules) | {"name": rules.name, "seen": mark(rules)}


@club_view(helper=True)
@require_safe
def club_rules(request: MemberRequest, club: Club) -> HttpResponse:
    """The club's sets, and those of its unions, which its tournaments may begin with too."""
    unions = (
        ClubRules.objects.filter(club__in=unions_with(club)).select_related("club").order_by("club", "name")
    )
    return _show(
        request, "list", club, own=[(rules, _sheet(rules)) for rules in club.own_rules.all()], unions=unions
    )


@club_view(helper=True)
@require_safe
def club_rules_set(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    rules = get_object_or_404(club.own_rules, pk=pk)
    return _show(request, "set", club, rules=rules, sheet=_sheet(rules))


@a_pdf
@club_view(helper=True)
@require_safe
def club_rules_pdf(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    rules = get_object_or_404(club.own_rules, pk=pk)
    sheet = _sheet(rules)
    if sheet is None:
        return redirect("club_rules_set", club.slug, pk)
    return pdf_answer(
        request,
        lambda: rules_pdf(sheet, printed_at=timezone.localtime()),
        club.name,
        rules.name,
        instead=reverse("club_rules_set", args=[club.slug, pk]),
    )


def _sheet(rules: ClubRules) -> RuleSheet | None:
    """The set in words; None where this version of Spadille no longer has such a rulebook or option."""
    try:
        return rule_sheet(get_rulebook(rules.rulebook, rules.options), rules.name)
    except (BadOption, UnknownRulebook):
        return None


@club_view()
def club_rules_new(request: MemberRequest, club: Club) -> HttpResponse:
    copied = _copied(club, request.GET.get("copy", ""))
    if request.method == "POST":
        form, judged = _form_as_sent(request, club)
        if judged and form.is_valid() and (rules := _save(form, form.twin or ClubRules(club=club))):
            messages.success(request, _("“%(name)s” has been saved.") % {"name": rules.name})
            return redirect("club_rules_set", club.slug, rules.pk)
    elif copied:
        initial = stored_values(copied) | {"name": _("Copy of %(name)s") % {"name": copied.name}}
        form = ClubRulesForm(club=club, rulebook=copied.rulebook, initial=initial)
    else:
        form = ClubRulesForm(club=club, rulebook="union")
    return _show(request, "form", club, form=form)


@club_view()
def club_rules_edit(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    rules = get_object_or_404(club.own_rules.select_for_update(), pk=pk)
    if request.method == "POST":
        form, judged = _form_as_sent(request, club, rules)
        if judged and form.is_valid() and _save(form, rules):
            messages.success(
                request, _("Saved. Tournaments that have already started keep the rules they started with.")
            )
            return redirect("club_rules_set", club.slug, rules.pk)
    else:
        form = ClubRulesForm(club=club, stored=rules, rulebook=rules.rulebook, initial=stored_values(rules))
    return _show(request, "form", club, form=form, rules=rules)


def _save(form: ClubRulesForm, rules: ClubRules) -> ClubRules | None:
    """Save the form's values; None with a form error if the name has been taken meanwhile."""
    for name, value in form.values().items():
        setattr(rules, name, value)
    try:
        with transaction.atomic():
            rules.save()
    except IntegrityError:
        form.name_is_taken()
        return None
    return rules


@club_view()
def club_rules_delete(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    """Confirm, then delete; a second request only learns that it is gone."""
    rules = club.own_rules.filter(pk=pk).first()
    if rules is None:
        return redirect("club_rules", club.slug)
    asked = Question(
        title=_("Delete “%(name)s”?") % {"name": rules.name},
        does=_("Tournaments that have already started keep the rules they started with."),
        button=_("Delete"),
        back=reverse("club_rules_set", args=[club.slug, pk]),
        step=lambda **_by: rules.delete(),
        message=_("“%(name)s” has been deleted.") % {"name": rules.name},
        leads_to=reverse("club_rules", args=[club.slug]),
    )
    around = {"base": "desk/club/rules_base.html", "club": club, "rules": rules}
    return ask_first(request, None, asked, **around, organises=request.organises)


def _form_as_sent(
    request: MemberRequest, club: Club, stored: ClubRules | None = None
) -> tuple[ClubRulesForm, bool]:
    """The submitted form, and whether to validate it: not when only another rulebook was chosen."""
    judged = is_judged(request.POST)
    data: dict[str, Any] = {"data": request.POST} if judged else {"initial": filled_in(request.POST, ())}
    return ClubRulesForm(club=club, stored=stored, rulebook=request.POST.get("rulebook", ""), **data), judged


def _copied(club: Club, asked: str) -> ClubRules | None:
    """The set of rules to start from, if the URL names one of the club or its union."""
    number = number_in(asked)
    if number is None:
        return None
    return ClubRules.objects.filter(pk=number, club__in=club.itself_and_unions()).first()


def _show(request: MemberRequest, page: str, club: Club, **context: Any) -> HttpResponse:
    form = context.get("form")
    context |= {"club": club, "organises": request.organises}
    context |= {"other_options": request.method == "POST" and form is not None and not form.is_bound}
    return render(request, f"desk/club/rules_{page}.html", context)


urlpatterns = [
    path("clubs/<slug:slug>/rules/", club_rules, name="club_rules"),
    path("clubs/<slug:slug>/rules/new/", club_rules_new, name="club_rules_new"),
    path("clubs/<slug:slug>/rules/<int:pk>/", club_rules_set, name="club_rules_set"),
    path("clubs/<slug:slug>/rules/<int:pk>/sheet.pdf", club_rules_pdf, name="club_rules_pdf"),
    path("clubs/<slug:slug>/rules/<int:pk>/edit/", club_rules_edit, name="club_rules_edit"),
    path("clubs/<slug:slug>/rules/<int:pk>/delete/", club_rules_delete, name="club_rules_delete"),
]
