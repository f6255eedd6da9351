"""Desk pages of what clubs owe their union: fees, statements by a count, payments, reminders, the treasurer's file."""

from __future__ import annotations

import hashlib
import re
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet, Sum
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST

from clubs.views.guards import MemberRequest, club_view
from core.forms import SeenForm
from core.http.responses import file_response
from core.http.steps import handle_button, handle_form, take_step
from core.pdf.store import a_pdf, for_visitor, pdf_answer
from core.tables.files import CONTENT_TYPES, Table, table_file
from tournaments.desk.club.points import LinesField
from tournaments.domain.amounts import in_kroner
from tournaments.models import Statement, UnionFees
from tournaments.models.club import (
    MOST_DAYS,
    MOST_FEE,
    MOST_MEMBERS,
    MOST_STEPS,
    MOST_TEAMS,
    check_votes,
    usual_votes,
)
from tournaments.paper.money import statement_pdf
from tournaments.seasons import dues
from tournaments.web.fields import KronerField

if TYPE_CHECKING:
    from django.http import HttpResponse

    from clubs.models import Club, MemberCount

ON_A_PAGE = 100
# The key of a statement has no more.
MOST_DIGITS = 9


class VotesField(LinesField):
    """A line for each step of votes: “20: 2”, two votes from 20 members on."""

    def line(self, row: Any) -> str:
        members, votes = row
        return f"{members}: {votes}"

    def read(self, line: str) -> list[int]:
        found = re.fullmatch(r"\s*([0-9]{1,4})\s*:\s*([0-9]{1,4})\s*", line)
        if not found:
            raise ValidationError(_("Type a number of members, a colon and the votes, such as 20: 2."))
        return [int(found[1]), int(found[2])]

    def clean(self, value: object) -> list[list[int]]:
        steps: list[list[int]] = super().clean(value)
        try:
            check_votes(steps)
        except ValidationError:
            raise ValidationError(
                _("Members and votes must both rise from line to line; at most %(lines)d lines.")
                % {"lines": MOST_STEPS}
            ) from None
        return steps


class FeesForm(SeenForm, forms.Form):
    """The form of a union's fees and votes."""

    per_member = KronerField(label=gettext_lazy("Fee for each member, in kroner"), most=MOST_FEE)
    least = KronerField(
        label=gettext_lazy("Minimum fee per club, in kroner"), most=MOST_FEE,
        help_text=gettext_lazy("A club pays at least this."),
    )  # fmt: skip
    per_team = KronerField(label=gettext_lazy("Fee for each team, in kroner"), most=MOST_FEE)
    votes = VotesField(
        label=gettext_lazy("Votes at the general meeting"), required=False,
        help_text=gettext_lazy("One line per step: 20: 2 means two votes from 20 members up."),
    )  # fmt: skip
    days = forms.IntegerField(label=gettext_lazy("Days to pay"), min_value=1, max_value=MOST_DAYS)
    pay_to = forms.CharField(
        label=gettext_lazy("Pay to"), required=False, max_length=200,
        help_text=gettext_lazy("Such as an account number. It is on every statement."),
    )  # fmt: skip

    def __init__(self, *args: Any, fees: UnionFees | None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.is_stored = fees is not None
        self.initial = {
            name: getattr(fees, name) for name in ("per_member", "least", "per_team", "votes", "days", "pay_to")
        } if fees else {"votes": usual_votes(), "days": 30}  # fmt: skip

    @property
    def is_of_stored(self) -> bool:
        return self.is_stored


class NumbersForm(forms.Form):
    """The teams of each club, and the members of those that give no names."""

    def __init__(self, data: Any, *, charges: list[dues.Charge]) -> None:
        super().__init__(data)
        for one in charges:
            if one.members is None:
                self.fields[f"members-{one.club}"] = forms.IntegerField(
                    label=_("Members of %(club)s") % {"club": one.name},
                    required=False, min_value=0, max_value=MOST_MEMBERS,
                )  # fmt: skip
            self.fields[f"teams-{one.club}"] = forms.IntegerField(
                label=_("Teams of %(club)s") % {"club": one.name},
                initial=one.teams, min_value=0, max_value=MOST_TEAMS,
            )  # fmt: skip

    def numbers_by_club(self, of: str) -> dict[int, Any]:
        """The valid numbers of members or of teams, by the clubs' primary keys."""
        return {
            int(name.removeprefix(f"{of}-")): value
            for name, value in self.cleaned_data.items()
            if name.startswith(f"{of}-")
        }


def _union(club: Club) -> Club:
    """The club as a union: it has clubs, or has made statements. Raises Http404 for another."""
    if not club.clubs.exists() and not club.statements_made.exists():
        raise Http404
    return club


@club_view()
def club_dues(request: MemberRequest, club: Club) -> HttpResponse:
    """A union's statements with their payments; the statements to a club."""
    today = timezone.localdate()
    is_union = club.clubs.exists() or club.statements_made.exists()
    mine = club.statements_made if is_union else club.statements
    page = Paginator(mine.select_related("club", "union", "count"), ON_A_PAGE).get_page(
        request.GET.get("page")
    )
    is_open = mine.filter(state=Statement.State.OPEN)
    context = {
        "club": club,
        "is_union": is_union,
        "page": page,
        "rows": [(one, in_kroner(one.total)) for one in page],
        "open": in_kroner(is_open.aggregate(total=Sum("total"))["total"] or 0),
        "late": is_open.filter(due__lt=today).count(),
        "fees": dues.fees_of(club) if is_union else None,
        "counts": club.counts.all()[:ON_A_PAGE] if is_union else [],
    }
    return render(request, "desk/club/dues.html", context)


@club_view()
def club_dues_fees(request: MemberRequest, club: Club) -> HttpResponse:
    union = _union(club)
    form = FeesForm(request.POST or None, fees=UnionFees.objects.filter(union=union).first())
    done = handle_form(
        request, form, partial(dues.store_fees, union), _("Saved."), "club_dues", union.slug,
        arguments=lambda: {"values": form.cleaned_data},
    )  # fmt: skip
    return done or render(request, "desk/club/dues_fees.html", {"club": union, "form": form})


@club_view()
def club_dues_new(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    """Preview each club's fees by a count; numbers that the count lacks are typed here."""
    union = _union(club)
    count = get_object_or_404(union.counts.select_related("union"), pk=pk)
    fees = dues.fees_of(union)
    if fees is None:
        return redirect("club_dues_fees", union.slug)
    form = NumbersForm(request.POST or None, charges=dues.charges_of(count, fees))
    charges = _charges(count, fees, form)
    seen = _digest(charges)
    changed = request.method == "POST" and "look" not in request.POST and request.POST.get("seen") != seen
    if request.method == "POST" and "look" not in request.POST and form.is_valid() and not changed:
        step = partial(dues.make_statements, count, charges)
        if take_step(request, step, _said_made):
            return redirect("club_dues", union.slug)
    context = {
        "club": union,
        "count": count,
        "form": form,
        "rows": [_shown_charge(one, form) for one in charges],
        "total": in_kroner(sum(one.total for one in charges if one.members is not None)),
        "will_be": sum(one.members is not None for one in charges),
        "seen": seen,
        "changed": changed and form.is_valid(),
    }
    return render(request, "desk/club/dues_new.html", context)


def _charges(count: MemberCount, fees: dues.Fees, form: NumbersForm) -> list[dues.Charge]:
    if not form.is_bound:
        return dues.charges_of(count, fees)
    form.is_valid()
    return dues.charges_of(count, fees, form.numbers_by_club("members"), form.numbers_by_club("teams"))


def _digest(charges: list[dues.Charge]) -> str:
    return hashlib.sha256(repr(charges).encode()).hexdigest()


def _shown_charge(one: dues.Charge, form: NumbersForm) -> dict[str, Any]:
    name = f"members-{one.club}"
    return {
        "charge": one,
        "members": form[name] if name in form.fields else None,
        "teams": form[f"teams-{one.club}"],
        "for_members": in_kroner(one.for_members),
        "for_teams": in_kroner(one.for_teams),
        "total": in_kroner(one.total),
    }


def _said_made(posted: dues.Posted) -> str:
    made = len(posted.sent) + len(posted.unsent)
    text = ngettext("%(made)d statement has been made.", "%(made)d statements have been made.", made)
    return _with_unsent(text % {"made": made}, posted.unsent)


def _said_reminded(posted: dues.Posted) -> str:
    reminded = len(posted.sent)
    text = ngettext("%(clubs)d club has been reminded.", "%(clubs)d clubs have been reminded.", reminded)
    if not reminded and not posted.unsent:
        return _("There is nobody left to remind today.")
    return _with_unsent(text % {"clubs": reminded} if reminded else "", posted.unsent)


def _with_unsent(text: str, unsent: list[Statement]) -> str:
    """The text, and which clubs got no email."""
    if not unsent:
        return text
    names = ", ".join(one.club.name for one in unsent)
    missing = _(
        "No email went to %(clubs)s: no mail server is set up, or no organiser there can be written to."
    ) % {"clubs": names}
    return f"{text} {missing}".strip()


@require_POST
@club_view()
def club_dues_remind(request: MemberRequest, club: Club) -> HttpResponse:
    """Remind one club, or all whose day has passed."""
    found: QuerySet[Statement] = club.statements_made.all()
    if "statement" in request.POST:
        typed = request.POST["statement"]
        is_key = typed.isdecimal() and len(typed) <= MOST_DIGITS
        found = found.filter(pk=int(typed)) if is_key else found.none()
    else:
        found = found.filter(due__lt=timezone.localdate())
    return handle_button(request, partial(dues.remind, found), _said_reminded, "club_dues", club.slug)


@require_POST
@club_view()
def club_dues_paid(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    statement = get_object_or_404(club.statements_made.all(), pk=pk)
    paid = "paid" in request.POST
    step = partial(dues.tick_paid, statement, paid=paid)
    said = _("Marked as paid.") if paid else _("No longer marked as paid.")
    return handle_button(request, step, said, "club_dues", club.slug)


@club_view()
def club_dues_file(_request: MemberRequest, club: Club, kind: str) -> HttpResponse:
    """A union's statements for its treasurer."""
    union = _union(club)
    if kind not in CONTENT_TYPES:
        raise Http404
    headings = [
        _("Number"), _("Club"), _("Day of the count"), _("Members"), _("Fee for members"), _("Teams"),
        _("Fee for teams"), _("In all"), _("Votes"), _("Due"), _("State"), _("Paid on"), _("Reminders"),
    ]  # fmt: skip
    rows = [
        [
            one.number, one.club.name, one.count.day, one.members, Fraction(one.for_members, 100), one.teams,
            Fraction(one.for_teams, 100), Fraction(one.total, 100), one.votes, one.due,
            one.get_state_display(), one.paid_on, one.reminders,
        ]
        for one in union.statements_made.select_related("club", "count").order_by("number")
    ]  # fmt: skip
    data = table_file(kind, Table(headings, rows, _("Statements")))
    return file_response(data, CONTENT_TYPES[kind], union, _("Statements"), kind=kind, attached=True)


def _statement_of(club: Club, pk: int) -> Statement:
    """A statement that the club has made or got."""
    of_it = Statement.objects.filter(Q(union=club) | Q(club=club)).select_related("club", "union", "count")
    found: Statement = get_object_or_404(of_it, pk=pk)
    return found


@club_view()
def club_statement(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    """A statement, for organisers of the union and of the club."""
    statement = _statement_of(club, pk)
    context = {
        "club": club,
        "statement": statement,
        **{
            name: in_kroner(getattr(statement, name))
            for name in ("per_member", "for_members", "per_team", "for_teams", "total")
        },
    }
    return render(request, "desk/club/statement.html", context)


@a_pdf
@club_view()
def club_statement_pdf(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    statement = _statement_of(club, pk)
    return pdf_answer(
        request,
        lambda: statement_pdf(statement, **for_visitor(request)),
        statement.club,
        _("Statement %(number)s") % {"number": statement.number},
        instead=reverse("club_statement", args=[club.slug, pk]),
    )


urlpatterns = [
    path("clubs/<slug:slug>/dues/", club_dues, name="club_dues"),
    path("clubs/<slug:slug>/dues/fees/", club_dues_fees, name="club_dues_fees"),
    path("clubs/<slug:slug>/dues/new/<int:pk>/", club_dues_new, name="club_dues_new"),
    path("clubs/<slug:slug>/dues/remind/", club_dues_remind, name="club_dues_remind"),
    path("clubs/<slug:slug>/dues/<int:pk>/paid/", club_dues_paid, name="club_dues_paid"),
    path("clubs/<slug:slug>/dues/statements.<slug:kind>", club_dues_file, name="club_dues_file"),
    path("clubs/<slug:slug>/statements/<int:pk>/", club_statement, name="club_statement"),
    path(
        "clubs/<slug:slug>/statements/<int:pk>/statement.pdf", club_statement_pdf, name="club_statement_pdf"
    ),
]
