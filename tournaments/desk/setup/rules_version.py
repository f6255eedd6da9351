"""A tournament is moved to another version of its rules; what every deal would come to is shown before."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _

from core.http.steps import take_step
from tournaments.domain.terms import patch_name
from tournaments.ledger.queries import names_at
from tournaments.ledger.scoresheet import result_sentence
from tournaments.ledger.seating import Names, names_then
from tournaments.lifecycle.rules_versions import RulesOutlook, move_rules, versions_offered
from tournaments.models import Report
from tournaments.web.guards import DeskRequest, desk_view

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.http import HttpResponse

    from scoring.rulebook import Rulebook
    from tournaments.ledger.resettling import DealAnew
    from tournaments.models import Tournament

# Nobody reads more on one page; the places and totals below are of all.
MOST_DEALS = 100
READ_FROM_TRICKS = ("tout_won", "tout_failed", "vole", "primeras", "contraprimeras")


@dataclass(frozen=True, slots=True)
class DealSaid:
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
        # Shown anew with what came meanwhile; where it has been moved already there is nothing to show.
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
        "impossible": deals_said(outlook, outlook.impossible),
        "deals": deals_said(outlook, outlook.deals[:MOST_DEALS]),
        "more": max(len(outlook.deals) - MOST_DEALS, 0),
    }
    return render(request, "desk/setup/rules_version.html", context)


def deals_said(outlook: RulesOutlook, deals: Iterable[DealAnew]) -> list[DealSaid]:
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
            DealSaid(
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
    """A report with what is paid beside its result, which the rules may have read from the tricks alone."""
    sentence = result_sentence(rulebook, report, names)
    paid = dict.fromkeys(part["code"] for part in report.parts)
    told = [patch_name(rulebook, code) for code in paid if code in READ_FROM_TRICKS]
    return ", ".join([sentence, *(name for name in told if name not in sentence)])


urlpatterns = [
    path("desk/t/<str:code>/rules-version/<str:version>/", desk_rules_version, name="desk_rules_version")
]
