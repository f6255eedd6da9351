"""Pages of one person's results against, and with, others."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.core.paginator import Paginator
from django.http import Http404
from django.views.decorators.http import require_safe

from clubs.models import Player
from clubs.names import matches_search
from tournaments.hall.about import render_page
from tournaments.hall.years.links import led_on
from tournaments.hall.years.person import find_person, person_deal_text, sheet_of, span_of
from tournaments.people import visibility
from tournaments.people.head_to_head import head_to_head, met
from tournaments.people.person_statistics import LEAST_DEALS, Rate

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from django.http import HttpRequest, HttpResponse

    from tournaments.people.head_to_head import HeadToHead, Met


# People on a page; evenings and deals of two.
ON_A_PAGE, EVENINGS, DEALS = 50, 12, 40
MOST, NAME = "most", "name"


class MetLine(NamedTuple):
    """Another player met: `difference` in tokens per deal; None for too few deals."""

    name: str
    met: Met

    @property
    def difference(self) -> float | None:
        return None if self.met.deals < LEAST_DEALS else difference(self.met)


def difference(line: Met) -> float:
    return (line.tokens - line.others_tokens) / line.deals if line.deals else 0.0


@led_on
@require_safe
def person_met(request: HttpRequest, pk: int) -> HttpResponse:
    """Everyone met, most often first or by name, with a search."""
    player, own = find_person(pk)
    span = span_of(request, player, kept=("order", "name"))
    sought = request.GET.get("name", "").strip()[:100]
    by_name = request.GET.get("order") == NAME
    context = {
        "person": player,
        "name": own.name,
        "span_form": span,
        "sought": sought,
        "by_name": by_name,
        "least": LEAST_DEALS,
    }
    if span.is_valid():
        found = _in_order(met(player, span.span), sought, by_name=by_name)
        page = Paginator(found, ON_A_PAGE).get_page(request.GET.get("page"))
        names = visibility.names_of([line.player for line in page])
        lines = [MetLine(names[line.player], line) for line in page if line.player in names]
        context |= {"page": page, "lines": lines}
    # Others stand here, who may not want to be found by it.
    return render_page(request, "hall/years/met.html", context, may_be_found=False)


def _in_order(found: Sequence[Met], sought: str, *, by_name: bool) -> list[Met]:
    if not (sought or by_name):
        return list(found)
    lines = {line.player: line for line in found}
    if sought:
        # By the names shown here: a search must not reveal the rest of an abbreviated name.
        names = visibility.names_of(lines)
        lines = {pk: line for pk, line in lines.items() if pk in names and matches_search(sought, names[pk])}
    if not by_name:
        return list(lines.values())
    people = Player.objects.filter(pk__in=lines).order_by("sorted_as", "pk")
    return [lines[pk] for pk in people.values_list("pk", flat=True)]


class DealOfTwo(NamedTuple):
    """A deal that both played, from the first's chair."""

    day: date
    round: int
    number: int
    sheet: str
    what: str
    tokens: int
    others_tokens: int


@led_on
@require_safe
def person_with(request: HttpRequest, pk: int, other: int) -> HttpResponse:
    """The head-to-head page of two people."""
    if pk == other:
        raise Http404
    (one, own), (another, others) = find_person(pk), find_person(other)
    span = span_of(request, one)
    context = {
        "person": one,
        "other": another,
        "name": own.name,
        "other_name": others.name,
        "span_form": span,
    }
    if span.is_valid():
        context |= _two(head_to_head(one, another, span.span), request.GET.get("page"))
    may_be_found = own.may_be_found and others.may_be_found
    return render_page(request, "hall/years/head_to_head.html", context, may_be_found=may_be_found)


def _two(found: HeadToHead, asked: str | None) -> dict[str, object]:
    books = {mine.tournament: mine.rulebook for mine, _theirs in found.evenings}
    page = Paginator(range(len(found.deals) - 1, -1, -1), DEALS).get_page(asked)
    return {
        "found": found,
        "difference": difference(found.met),
        "is_little": found.met.deals < LEAST_DEALS,
        "least": LEAST_DEALS,
        "equal": found.equal,
        "evenings": list(reversed(found.evenings[-EVENINGS:])),
        "games": [(line, Rate(line.won, line.deals)) for line in (found.met.against, found.met.under)],
        "page": page,
        "deals": [_deal(found, at, books) for at in page],
    }


def _deal(found: HeadToHead, at: int, books: dict[int, str]) -> DealOfTwo:
    deal = found.deals[at]
    return DealOfTwo(
        deal.place.day,
        deal.place.round,
        deal.number,
        sheet_of(deal),
        person_deal_text(deal, books.get(deal.place.evening, "")),
        deal.tokens,
        deal.deal.tokens[found.chairs[at]],
    )
