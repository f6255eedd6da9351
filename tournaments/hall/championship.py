"""A championship in the hall: every stage with its groups, and who goes on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.pdf.store import a_pdf, for_visitor, pdf_answer
from tournaments.domain.terms import signed, unsigned
from tournaments.models import Championship
from tournaments.paper.season import championship_pdf
from tournaments.seasons.stages import StageTable, Way, tables_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest

    from tournaments.domain.comparison import Amount
    from tournaments.seasons.stages import Group, Party


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a group.

    `way` is how the party goes on, or why it does not ("withdrew", "declined"); `line_below` whether it is the last to
    do so by the place.
    """

    party: Party
    amounts: Sequence[str]
    way: str
    line_below: bool

    @property
    def goes_on(self) -> bool:
        return self.way in {Way.GROUP, Way.NEXT, "moved up"}


def find_championship(pk: int) -> Championship:
    championship: Championship = get_object_or_404(Championship.objects.select_related("host"), pk=pk)
    return championship


@require_safe
def hall_championship(request: HttpRequest, pk: int) -> HttpResponse:
    championship = find_championship(pk)
    context = {"championship": championship, "stages": shown_stages(championship)}
    return render(request, "hall/championship.html", context)


@a_pdf
@require_safe
def hall_championship_pdf(request: HttpRequest, pk: int) -> HttpResponse:
    championship = find_championship(pk)
    return pdf_answer(
        request,
        lambda: championship_pdf(championship, shown_stages(championship), **for_visitor(request)),
        championship.host,
        championship.name,
        instead=championship.get_absolute_url(),
    )


def shown_stages(championship: Championship) -> list[tuple[StageTable, list[tuple[Group, list[Line]]]]]:
    """Every stage with its groups, each with its lines."""
    found = []
    for table in tables_of(championship):
        heads = [_("Match points"), _("Tokens")] if table.of_teams else [_("Total")]
        along = any(any(party.carried) for group in table.groups for party in group.parties)
        table.heads = [*heads, _("Carried over")] if along else heads  # type: ignore[attr-defined]
        found.append((table, [(group, _lines(table, group, along=along)) for group in table.groups]))
    return found


def _lines(table: StageTable, group: Group, *, along: bool) -> list[Line]:
    by_place = [
        place
        for place, party in enumerate(group.parties)
        if party.key in table.going and table.going[party.key].way is Way.GROUP
    ]
    last = by_place[-1] if by_place else None
    return [
        Line(
            party,
            [*_amounts(party.score), *([_along(party)] if along else [])],
            _way(table, party),
            place == last,
        )
        for place, party in enumerate(group.parties)
    ]


def _way(table: StageTable, party: Party) -> str:
    """How the party goes on, or why it does not; "" for those who had no claim to."""
    if not table.entered.get(party.key, True):
        return "withdrew"
    if party.key in table.going:
        return str(table.going[party.key].way)
    if party.key in table.declined:
        return "declined"
    return "moved up" if party.key in table.entered else ""


def _amounts(score: Sequence[Amount]) -> list[str]:
    """A player's total; a team's match points, which have no sign, and its tokens."""
    if len(score) == 1:
        return [signed(score[0])]
    points, tokens = score
    return [unsigned(points), signed(tokens)]


def _along(party: Party) -> str:
    """What was taken along; a team's tokens in brackets."""
    points, *tokens = _amounts(party.carried)
    return " ".join([points, *(f"({amount})" for amount in tokens)])
