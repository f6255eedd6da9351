"""Moving to another version of the rules, and calling a tournament off."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from core.http.steps import handle_button, posted_data, take_step
from tournaments.desk.evening.forms import CallOffForm
from tournaments.domain.terms import patch_name
from tournaments.ledger.queries import names_at
from tournaments.ledger.scoresheet import result_sentence
from tournaments.ledger.seating import Names, names_then
from tournaments.lifecycle.ending import call_off, take_up_again, why_not
from tournaments.lifecycle.rules_versions import RulesOutlook, move_rules, versions_offered
from tournaments.models import Report
from tournaments.web.confirming import Question, ask_first
from tournaments.web.guards import DeskRequest, desk_view

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.http import HttpResponse

    from scoring.rulebook import Rulebook
    from tournaments.lifecycle.rules_versions import DealAnew
    from tournaments.models import Tournament


# A tournament is moved to another version of its rules; what every deal would come to is shown before.

# Maximum of deals listed; places and totals below cover all.
MOST_DEALS = 100
READ_FROM_TRICKS = ("tout_won", "tout_failed", "vole", "primeras", "contraprimeras")


@dataclass(frozen=True, slots=True)
class ResettledDeal:
    """A deal as it counts and as it would, with (name, tokens, tokens then) where these change; or why it cannot be."""

    round: int
    table: int
    deal: int
    was: str
    then: str
    tokens: Sequence[tuple[str, int, int]]
    problems: Sequence[str]


@desk_view()
def desk_rules_version(request: DeskRequest, tournament: Tournament, version: str) -> HttpResponse:
    """Show what would follow, and move where that is confirmed."""
    if request.method == "POST":
        step = partial(move_rules, tournament, version, seen=request.POST.get("seen", ""))
        said = _("The tournament is now played by version %(version)s of the rules.") % {"version": version}
        if take_step(request, step, said, stays=True):
            return redirect("tournament_setup", tournament.code)
        # Shown again with what changed meanwhile; if it has been moved already, there is nothing to show.
        return redirect("desk_rules_version", tournament.code, version)
    if version not in versions_offered(tournament):
        if version != tournament.rules_version:
            messages.info(request, _("There is no other version of the rules this tournament can move to."))
        return redirect("tournament_setup", tournament.code)
    outlook = RulesOutlook(tournament, version)
    context = {
        "tournament": tournament,
        "outlook": outlook,
        "changes": [_(change.text) for change in outlook.changes],
        "impossible": resettled_deals(outlook, outlook.impossible),
        "deals": resettled_deals(outlook, outlook.deals[:MOST_DEALS]),
        "more": max(len(outlook.deals) - MOST_DEALS, 0),
    }
    return render(request, "desk/setup/rules_version.html", context)


def resettled_deals(outlook: RulesOutlook, deals: Iterable[DealAnew]) -> list[ResettledDeal]:
    """The deals in words, by round, table and number."""
    names: dict[int, Names] = {}
    said = []
    for one in deals:
        table = one.table
        if table.pk not in names:
            names[table.pk] = Names(table, names_at(table))
        at_table = names_then(names[table.pk], one.deal)
        then = Report(
            result=one.report.result,
            outcome=one.judged.outcome if one.judged else "",
            declarer=one.report.declarer,
            parts=list(one.judged.parts) if one.judged else [],
        )
        said.append(
            ResettledDeal(
                table.round.number,
                table.number,
                one.deal,
                _read_aloud(outlook.rulebook, one.report, at_table),
                _read_aloud(outlook.rulebook, then, at_table) if one.judged else "",
                [
                    (name, before, after)
                    for name, (before, after) in zip(at_table, one.tokens, strict=True)
                    if before != after
                ],
                [problem.message for problem in one.problems],
            )
        )
    return said


def _read_aloud(rulebook: Rulebook, report: Report, names: Sequence[str]) -> str:
    """A report in words with its payments, which the rules may have computed from the tricks alone."""
    sentence = result_sentence(rulebook, report, names)
    paid = dict.fromkeys(part["code"] for part in report.parts)
    told = [patch_name(rulebook, code) for code in paid if code in READ_FROM_TRICKS]
    return ", ".join([sentence, *(name for name in told if name not in sentence)])


urlpatterns = [
    path("desk/t/<str:code>/rules-version/<str:version>/", desk_rules_version, name="desk_rules_version")
]


# A tournament is called off at the desk, and taken up again.


@desk_view(called_off=True)
def desk_call_off(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    overview = reverse("desk_tournament", args=[tournament.code])
    if tournament.is_finished and not tournament.is_called_off:
        messages.info(request, _("The tournament has finished. Reopen it first, giving a reason."))
        return redirect(overview)
    called_off = _("The tournament has already been called off.") if tournament.is_called_off else ""
    asked = Question(
        title=_("Call the tournament off"),
        does=_(
            "It will no longer appear in lists or count anywhere; its own page in the hall, calendars and "
            "feeds will say that it is called off, and why. Nothing is deleted, and you can reinstate it."
        ),
        button=_("Call it off now"),
        back=overview,
        notes=partial(_notes, tournament),
        step=partial(call_off, tournament),
        message=_(
            "The tournament has been called off. You can reinstate it here, or at the bottom of the desk."
        ),
        leads_to=overview,
        form=CallOffForm(posted_data(request)),
        too_late=called_off or why_not(tournament),
    )
    return ask_first(request, tournament, asked)


def _notes(tournament: Tournament) -> list[str]:
    paid = tournament.entries.filter(fee_paid=True).count() if tournament.entry_fee else 0
    if not paid:
        return []
    text = ngettext(
        "%(count)d entry fee is ticked as paid: refund it.",
        "%(count)d entry fees are ticked as paid: refund them.",
        paid,
    )
    return [text % {"count": paid}]


@desk_view(called_off=True)
@require_POST
def desk_take_up_again(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    said = _("“%(name)s” has been reinstated.") % {"name": tournament}
    return handle_button(
        request, partial(take_up_again, tournament), said, "desk_tournament", tournament.code
    )


urlpatterns += [
    path("desk/t/<str:code>/call-off/", desk_call_off, name="desk_call_off"),
    path("desk/t/<str:code>/take-up-again/", desk_take_up_again, name="desk_take_up_again"),
]
