"""A person's page: all their evenings, the curve, games by contract, honours; and the evenings in parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.http import require_safe

from clubs.models import Player
from core.sql import prepared_query
from tournaments.hall.findable import shown
from tournaments.hall.years.led_on import led_on
from tournaments.hall.years.person_told import figures, newest_first, same_cards_figure, told
from tournaments.hall.years.span_form import SpanForm
from tournaments.hall.years.sums_curve import DEAL, EVENING, STEPS, sums_curve
from tournaments.models import Tournament
from tournaments.people import visibility
from tournaments.people.achievements import achievements_of
from tournaments.people.old_results import old_titles
from tournaments.people.person import bring_up_to_date, evenings_of, over_the_years
from tournaments.people.person_statistics import deals_of
from tournaments.people.same_cards import play_over_the_years
from tournaments.seasons.ratings import rating_of

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse

    from tournaments.models import Entry

# Evenings on the person's own page, and on each page of all of them.
NEWEST, ON_A_PAGE = 8, 50


def find_person(pk: int) -> tuple[Player, visibility.OwnPage]:
    """Somebody who has a page of their own; nobody else is told from who never was."""
    player: Player = get_object_or_404(Player, pk=pk)
    page = visibility.page_of(player)
    if page is None:
        raise Http404
    return player, page


def span_of(request: HttpRequest, player: Player, *, kept: tuple[str, ...] = ()) -> SpanForm:
    """The form for a span of a person's evenings."""
    entries = visibility.own_entries(player)
    there = Tournament.objects.filter(pk__in=entries.values("tournament")).order_by()
    # A site without a server has no form: what there is to choose from need not be asked.
    is_for_site = getattr(request, "is_for_site", False)
    return SpanForm(request.GET, there.none() if is_for_site else there, kept=kept)


@led_on
@require_safe
def person(request: HttpRequest, pk: int) -> HttpResponse:
    player, own = find_person(pk)
    span = span_of(request, player, kept=("curve",))
    context = _about(player) | {"name": own.name, "span_form": span}
    if span.is_valid():
        context |= _years(player, span, request.GET.get("curve", ""))
    return shown(request, "hall/years/person.html", context, may_be_found=own.may_be_found)


@led_on
@require_safe
def person_evenings(request: HttpRequest, pk: int) -> HttpResponse:
    """All evenings, the newest first, in parts."""
    player, own = find_person(pk)
    span = span_of(request, player)
    context: dict[str, Any] = {"person": player, "name": own.name, "span_form": span}
    if span.is_valid():
        entries = visibility.named(visibility.entries(None, span.span)).filter(player=player)
        bring_up_to_date(Tournament.objects.filter(pk__in=entries.values("tournament")))
        played = Q(tournament__results_kept=False, tournament__state=Tournament.State.RUNNING)
        there = entries.filter(Q(result__isnull=False, tournament__results_kept=True) | played)
        keys = there.order_by("-tournament__date", "-tournament").values_list("pk", flat=True)
        page = Paginator(keys, ON_A_PAGE).get_page(request.GET.get("page"))
        shown_here = there.filter(pk__in=list(page))
        live = deals_of(shown_here.filter(played)).deals
        context |= {"page": page, "evenings": newest_first(evenings_of(shown_here, live), ON_A_PAGE)}
    return shown(request, "hall/years/evenings.html", context, may_be_found=own.may_be_found)


def _about(player: Player) -> dict[str, Any]:
    """Who they are, the club they play for, and how they rate."""
    newest = _newest_entry.first(player.pk)
    rated = rating_of(newest, timezone.localdate()) if newest else None
    return {
        "person": player,
        "newest": newest,
        "rated": rated,
    }


@prepared_query
def _newest_entry(player: int) -> QuerySet[Entry]:
    """The last evening that they played for a club."""
    found = visibility.named(visibility.entries()).filter(player=player).exclude(club=None)
    told = found.select_related("player", "club", "tournament__host__union")
    return told.order_by("-tournament__date", "-tournament")[:1]


def _years(player: Player, span: SpanForm, asked: str) -> dict[str, Any]:
    years = over_the_years(player, span.span)
    by = asked if asked in STEPS else EVENING if len(years.evenings) > 1 else DEAL
    if not years.evenings:
        return {"years": years}
    return {
        "years": years,
        # Of all years, since the others are judged by all of their deals too.
        "figures": figures(years)
        + same_cards_figure(play_over_the_years(player) if span.span.is_all else None),
        "curve": sums_curve(years.curve, by),
        "evenings": newest_first(years.evenings, NEWEST),
        # A hundredth deal is that of all evenings, whichever are asked for.
        "achievements": achievements_of(player, years.evenings, years.deals, timezone.localdate())
        if span.span.is_all
        else [],
        "old_titles": old_titles(player) if span.span.is_all else [],
        **told(years),
    }
