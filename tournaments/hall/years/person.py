"""A person's page over the years, with achievements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext
from django.views.decorators.http import require_safe

from clubs.models import Player
from core.sql import prepared_query
from scoring import UnknownRulebook, get_rulebook
from scoring.seats import Role
from tournaments.domain.outcomes import TOTALS_ONLY
from tournaments.domain.terms import (
    SUIT_SIGNS,
    contract_name,
    contract_names,
    loss_names,
    outcome_name,
    percent,
    role_name,
    signed,
)
from tournaments.hall.about import render_page
from tournaments.hall.charts import MOST_NAMED, Mark, Scale
from tournaments.hall.live import HallRequest, find_tournament
from tournaments.hall.points import points_of
from tournaments.hall.rating import rating_curve
from tournaments.hall.years.explorer import between, rate_text
from tournaments.hall.years.links import led_on
from tournaments.hall.years.span_form import SpanForm
from tournaments.ledger.deal_sums import RULED
from tournaments.models import Entry, Tournament
from tournaments.people import visibility
from tournaments.people.achievements import achievements_of, earned_at, of_player
from tournaments.people.evening_cards import hands_of
from tournaments.people.old_results import old_titles
from tournaments.people.person import MEDALS, bring_up_to_date, evenings_of, over_the_years
from tournaments.people.person_statistics import (
    DECLARED,
    DEFENDED,
    JOINED,
    LEAST_DEALS,
    PASSED,
    SAT_OUT,
    Rate,
    deals_of,
    play_over_the_years,
)
from tournaments.seasons.ratings import rating_of

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse

    from scoring.rulebook import Rulebook
    from tournaments.boards.luck import Estimate
    from tournaments.people.person import Curve, Evening, OverTheYears
    from tournaments.people.person_statistics import Contract, OwnDeal
    from tournaments.standings.statistics import Tally


# A person's page: all their evenings, the curve, games by contract, honours; and the evenings in parts.

# Evenings on the person's own page, and on each page of all of them.
NEWEST, ON_A_PAGE = 8, 50


def find_person(pk: int) -> tuple[Player, visibility.OwnPage]:
    """A player with a public page; the 404 does not distinguish hidden from unknown."""
    player: Player = get_object_or_404(Player, pk=pk)
    page = visibility.page_of(player)
    if page is None:
        raise Http404
    return player, page


def span_of(request: HttpRequest, player: Player, *, kept: tuple[str, ...] = ()) -> SpanForm:
    """The form for a span of a person's evenings."""
    entries = visibility.own_entries(player)
    there = Tournament.objects.filter(pk__in=entries.values("tournament")).order_by()
    # The published site has no form, so its choices are not computed.
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
    return render_page(request, "hall/years/person.html", context, may_be_found=own.may_be_found)


@led_on
@require_safe
def person_evenings(request: HttpRequest, pk: int) -> HttpResponse:
    """All evenings, the newest first, in parts."""
    player, own = find_person(pk)
    span = span_of(request, player)
    context: dict[str, Any] = {"person": player, "name": own.name, "span_form": span}
    if span.is_valid():
        entries = visibility.with_names(visibility.entries(None, span.span)).filter(player=player)
        bring_up_to_date(Tournament.objects.filter(pk__in=entries.values("tournament")))
        played = Q(tournament__results_kept=False, tournament__state=Tournament.State.RUNNING)
        there = entries.filter(Q(result__isnull=False, tournament__results_kept=True) | played)
        keys = there.order_by("-tournament__date", "-tournament").values_list("pk", flat=True)
        page = Paginator(keys, ON_A_PAGE).get_page(request.GET.get("page"))
        shown_here = there.filter(pk__in=list(page))
        live = deals_of(shown_here.filter(played)).deals
        context |= {"page": page, "evenings": newest_first(evenings_of(shown_here, live), ON_A_PAGE)}
    return render_page(request, "hall/years/evenings.html", context, may_be_found=own.may_be_found)


def _about(player: Player) -> dict[str, Any]:
    """The person's name, club and rating."""
    newest = _newest_entry.first(player.pk)
    rated = rating_of(newest, timezone.localdate()) if newest else None
    return {
        "person": player,
        "newest": newest,
        "rated": rated,
        # Of one tournament a line says nothing.
        "rating_curve": rating_curve(rated.history) if rated and len(rated.history) > 1 else None,
        "points": points_of(player),
        "next": _next_evening(player),
    }


@prepared_query
def _newest_entry(player: int) -> QuerySet[Entry]:
    """The last evening that they played for a club."""
    found = visibility.with_names(visibility.entries()).filter(player=player).exclude(club=None)
    told = found.select_related("player", "club", "tournament__host")
    return told.order_by("-tournament__date", "-tournament")[:1]


def _next_evening(player: Player) -> Tournament | None:
    """The first evening to come that they have entered under their name."""
    coming = Q(tournament__state=Tournament.State.SETUP, tournament__date__gte=timezone.localdate())
    entered = Entry.objects.filter(coming, player=player).exclude(status=Entry.Status.WITHDRAWN)
    evenings = Tournament.objects.not_called_off().filter(
        pk__in=visibility.with_names(entered).values("tournament")
    )
    return evenings.order_by("date", "pk").first()


# Numbers of evenings that are worth a sentence.
MILESTONES = frozenset((10, 25, 50, 75)) | frozenset(range(100, 2000, 50))


def news_of(evenings: Sequence[Evening]) -> str:
    """A sentence about the last evening that is over, never to the person's discredit; "" before the first."""
    over = [one for one in evenings if one.place is not None]
    if not over:
        return ""
    last, count = over[-1], len(over)
    words = {
        "evening": last.name,
        "day": date_format(last.day, "DATE_FORMAT"),
        "tokens": signed(last.tokens),
        "count": count,
        "place": last.place,
        "of": last.of,
    }
    if last.is_won:
        said = _("Won %(evening)s on %(day)s with %(tokens)s.")
    elif count > 1 and last.tokens > max(0, *(one.tokens for one in over[:-1])):
        said = _("The best evening so far: %(tokens)s in %(evening)s on %(day)s.")
    elif last is evenings[0]:
        said = _("Played for the first time on %(day)s: %(evening)s.")
    elif count in MILESTONES:
        said = _("Evening no. %(count)d was %(evening)s on %(day)s.")
    elif last.medal:
        said = _("Finished in place %(place)s of %(of)s in %(evening)s on %(day)s.")
    else:
        said = _("Last played %(evening)s on %(day)s.")
    return said % words


def _years(player: Player, span: SpanForm, asked: str) -> dict[str, Any]:
    years = over_the_years(player, span.span)
    by = asked if asked in STEPS else EVENING if len(years.evenings) > 1 else DEAL
    if not years.evenings:
        return {"years": years}
    return {
        "years": years,
        "news": news_of(years.evenings) if span.span.is_all else "",
        # Of all years, since the others are judged by all of their deals too.
        "figures": figures(years)
        + same_cards_figure(play_over_the_years(player) if span.span.is_all else None),
        "curve": sums_curve(years.curve, by),
        "evenings": newest_first(years.evenings, NEWEST),
        # The hundredth deal is counted over all evenings, whatever the filter.
        "achievements": achievements_of(player, years.evenings, years.deals, timezone.localdate())
        if span.span.is_all
        else [],
        "old_titles": old_titles(player) if span.span.is_all else [],
        **(_hand(player) if span.span.is_all else {}),
        **page_context(years),
    }


def _hand(player: Player) -> dict[str, Any]:
    """The hand that the person is collecting; nothing before the first card."""
    hands = hands_of(player)
    return {"hand": hand, "has_hands": hands.count > 1} if (hand := hands.last) else {}


# What a player earned at an evening that is over: fetched by the page of the evening, since all evenings say it.


@require_safe
def hall_player_achievements(request: HallRequest, code: str, number: int) -> HttpResponse:
    """The player's achievements: a part of the player's page for htmx, else a page; empty if the player is hidden."""
    tournament = find_tournament(code)
    entries = Entry.objects.select_related("player", "club", "tournament__host")
    entry = get_object_or_404(entries, tournament=tournament, number=number)
    told = tournament.is_finished and visibility.own_entries(entry.player).filter(pk=entry.pk).exists()
    achieved = of_player(entry.player, timezone.localdate()) if told else []
    context = {
        "tournament": tournament,
        "entry": entry,
        "achievements": earned_at(achieved, tournament),
        "at_evening": True,
    }
    page = "hall/years/achievements.html#grid" if request.htmx else "hall/years/achievements.html"
    return render_page(request, page, context, may_be_found=visibility.may_be_found(entry.player))


# Content of a person's page: figures, awards, games by contract, notable deals.

# What deals were to a person, as pages call them.
KINDS = {
    DECLARED: gettext_noop("Declared"),
    DEFENDED: gettext_noop("Defended"),
    JOINED: gettext_noop("Joined a nolo"),
    SAT_OUT: gettext_noop("Sat out"),
    PASSED: gettext_noop("Passed by all"),
    RULED: gettext_noop("Decided by a ruling"),
    TOTALS_ONLY: gettext_noop("Totals only, without deals"),
}

ROLES = (Role.FH, Role.MH, Role.BH)


@dataclass(frozen=True, slots=True)
class ContractLine:
    """A person's games of a contract compared with those of the home club; `even` is the break-even share.

    `dots` are the positions of the person's, the club's and the break-even share, in per cent; without the
    person's for few games.
    """

    name: str
    contract: Contract
    even: float | None

    @property
    def shares(self) -> dict[str, float]:
        """The known shares: the person's, the club's, and the break-even one."""
        own, club = self.contract.won, self.contract.others_won
        shares = {
            "own": None if own.is_little else own.share,
            "club": None if club.is_little else club.share,
            "even": self.even,
        }
        return {name: share for name, share in shares.items() if share is not None}

    @property
    def dots(self) -> dict[str, float]:
        return {name: round(100 * share, 1) for name, share in self.shares.items()}

    @property
    def comparison(self) -> str:
        """The reference values for the person's share, as text."""
        words = {"club": _("the club {share}"), "even": _("break-even at {share}")}
        return ", ".join(
            said.format(share=percent(self.shares[name]))
            for name, said in words.items()
            if name in self.shares
        )

    @property
    def plot_text(self) -> str:
        """The plot in words."""
        won = _("won {share}").format(share=percent(self.shares["own"]))
        return ", ".join(filter(None, (won, self.comparison)))


class Seat(NamedTuple):
    """Results in a seat, and the share of deals declared there."""

    name: str
    tally: Tally
    declares: Rate | None


class Notable(NamedTuple):
    """A deal, with its line in its table's sheet."""

    what: str
    tokens: int
    day: date
    sheet: str


def page_context(years: OverTheYears) -> dict[str, Any]:
    """Template data of the page, except evenings and curve."""
    portrait = years.portrait
    names = contract_names(portrait.contracts)
    books = {one.tournament: one.rulebook for one in years.evenings}
    places = Counter(one.medal for one in years.evenings)
    usual = Counter(one.rulebook for one in years.evenings).most_common(1)[0][0]
    return {
        "medals": [(place, places[place]) for place in range(1, MEDALS + 1) if places[place]],
        "contracts": [
            ContractLine(names[name], contract, years.breaks_even.get(name))
            for name, contract in portrait.contracts.items()
        ],
        "kinds": [(_(KINDS[kind]), tally) for kind, tally in portrait.kinds.items()],
        "losses": loss_names(_book(usual)),
        "seats": _seats(years),
        "notable": [
            (_("Best deal"), notable(deal, books))
            for deal in [portrait.best_deal]
            if deal and deal.tokens > 0
        ],
        "best": years.best if years.best and years.best.tokens > 0 else None,
        "has_few_deals": portrait.deals < LEAST_DEALS,
        "least_deals": LEAST_DEALS,
    }


def figures(years: OverTheYears) -> list[tuple[str, str, str]]:
    """Main figures of the page: label, value, note."""
    portrait, evenings = years.portrait, years.evenings
    found = [
        (_("Tokens"), signed(years.tokens), _tokens_of(years)),
        (_("Evenings"), str(len(evenings)), _evenings_note(years)),
    ]
    won = Rate(portrait.declared.won, portrait.declared.deals)
    for title, rate in ((_("Declared"), portrait.bids), (_("Won of these"), won)):
        if rate.of:
            said = rate_text(rate) if rate.is_little else percent(rate.share or 0)
            found.append((title, said, _sure(rate)))
    return found


def same_cards_figure(found: Estimate | None) -> list[tuple[str, str, str]]:
    """The figure of play on the same cards: tokens a deal, and how sure; none where it is not known."""
    if found is None:
        return []
    note = _("give or take %(margin)s, in %(deals)d deals") % {
        "margin": number_format(round(found.margin, 2), decimal_pos=2),
        "deals": found.deals,
    }
    play = Fraction(round(100 * found.play), 100)
    return [(_("A deal on the same cards"), signed(play), note)]


def _evenings_note(years: OverTheYears) -> str:
    """Since when, and how many were won."""
    said = _("since %(year)s") % {"year": years.evenings[0].day.year}
    won = sum(one.is_won for one in years.evenings)
    if not won:
        return said
    of_them = _("%(count)d of them won") % {"count": won}
    return f"{said}, {of_them}"


def _tokens_of(years: OverTheYears) -> str:
    """The parts of the tokens: the deals, as standings count them, and rulings."""
    count = years.dealt
    words = [ngettext("%(count)d deal", "%(count)d deals", count) % {"count": count}]
    if sat_out := years.portrait.deals - years.dealt:
        words.append(_("%(count)d sat out") % {"count": sat_out})
    if years.rulings:
        words.append(_("penalties %(tokens)s") % {"tokens": signed(years.rulings)})
    return ", ".join(words)


def _sure(rate: Rate) -> str:
    """Note below a share: its confidence interval, or that the sample is too small."""
    if rate.is_little:
        return _("too few to say much")
    return format_html('{}, <span class="unbroken">{}</span>', rate_text(rate), between(rate))


def _seats(years: OverTheYears) -> list[Seat]:
    portrait = years.portrait
    order = {role: place for place, role in enumerate((*ROLES, *Role))}
    roles = sorted(portrait.roles.items(), key=lambda item: order[item[0]])
    return [Seat(capfirst(role_name(role)), tally, portrait.declares.get(role)) for role, tally in roles]


def notable(deal: OwnDeal, books: dict[int, str]) -> Notable:
    return Notable(
        person_deal_text(deal, books.get(deal.place.evening, "")), deal.tokens, deal.place.day, sheet_of(deal)
    )


def person_deal_text(deal: OwnDeal, rulebook: str) -> str:
    """The text of a deal for a person: “Declared: Solo ♥, won”."""
    sort, kind = deal.deal.sort, _(KINDS[deal.kind])
    if not sort.is_declared:
        return kind
    game = f"{contract_name(sort.contract)} {SUIT_SIGNS.get(sort.trump, '')}".strip()
    return f"{kind}: {game}, {outcome_name(_book(rulebook), sort.outcome)}"


@cache
def _book(rulebook: str) -> Rulebook:
    try:
        return get_rulebook(rulebook)
    except UnknownRulebook:
        return get_rulebook("union")


def sheet_of(deal: OwnDeal) -> str:
    """URL of a deal on its table's sheet in the hall."""
    place = deal.place
    return f"{reverse('hall_table', args=[place.code, place.round, place.table])}#line-{deal.number}"


def newest_first(evenings: Sequence[Evening], most: int) -> list[Evening]:
    return list(reversed(evenings[-most:]))


# The curve of a person's sum of tokens over the years: by deal, evening or month.

DEAL, EVENING, MONTH = "deal", "evening", "month"
STEPS = (DEAL, EVENING, MONTH)
# A line has at most so many points, its table so many rows, and so many years are divided by lines.
MOST_POINTS, MOST_ROWS, MOST_LINES = 500, 60, 12


class Row(NamedTuple):
    """A line of the table: until when, what it brought, and the sum then."""

    until: str
    tokens: int
    total: int


@dataclass(frozen=True, slots=True)
class SumsCurve:
    """Template context of the curve; positions are in per cent. `by` is the chosen one of the `steps`."""

    by: str
    steps: int
    path: str
    levels: list[Mark]
    years: list[Mark]
    ends: list[float]
    zero: float
    tip: tuple[float, float]
    highest: int
    lowest: int
    last: int
    rows: list[Row]


def sums_curve(curve: Curve, by: str) -> SumsCurve | None:
    """The curve by one of STEPS; None without data."""
    days, totals = STEPS_OF[by](curve)
    if not days:
        return None
    scale = Scale.over(len(days), min(totals), max(totals))
    begins = _begins(days)
    ends = [*(at for _year, at in begins[1:]), len(days)]
    middles = [
        Mark((scale.x(begin) + scale.x(end)) / 20, year)
        for (year, begin), end in zip(begins, ends, strict=True)
    ]
    return SumsCurve(
        by,
        len(days),
        path=scale.path(totals, -(-len(days) // MOST_POINTS)),
        levels=scale.levels(),
        years=middles[:: -(-len(middles) // MOST_NAMED)],
        ends=[scale.x(at) / 10 for _year, at in begins[1:]] if len(begins) <= MOST_LINES else [],
        zero=scale.y(0) / 10,
        tip=scale.point(len(days), totals[-1]),
        highest=max(totals),
        lowest=min(totals),
        last=totals[-1],
        rows=_rows(days, totals),
    )


def _begins(days: Sequence[date]) -> list[tuple[int, int]]:
    """Each year with the step before which it begins."""
    found: dict[int, int] = {}
    for at, day in enumerate(days):
        found.setdefault(day.year, at)
    return list(found.items())


def _by_deal(curve: Curve) -> tuple[list[date], list[int]]:
    return curve.days, curve.by_deal


def _by_evening(curve: Curve) -> tuple[list[date], list[int]]:
    return [day for day, _total in curve.by_evening], [0, *(total for _day, total in curve.by_evening)]


def _by_month(curve: Curve) -> tuple[list[date], list[int]]:
    months = curve.by_month
    return [date(one.year, one.month, 1) for one in months], [0, *(one.total for one in months)]


STEPS_OF: dict[str, Callable[[Curve], tuple[list[date], list[int]]]] = {
    DEAL: _by_deal,
    EVENING: _by_evening,
    MONTH: _by_month,
}


PERIODS: tuple[tuple[Callable[[date], Hashable], str], ...] = (
    (lambda day: day, "SHORT_DATE_FORMAT"),
    (lambda day: (day.year, day.month), "YEAR_MONTH_FORMAT"),
    (lambda day: day.year, "Y"),
)


def _rows(days: Sequence[date], totals: Sequence[int]) -> list[Row]:
    """Sums in a readable number of rows: by day, else by month, else by year."""
    parts = [(_ends(days, key), form) for key, form in PERIODS]
    ends, form = next((part for part in parts if len(part[0]) <= MOST_ROWS), parts[-1])
    sums = [totals[0], *(totals[at] for at in ends)]
    return [
        Row(date_format(days[at - 1], form), total - before, total)
        for at, before, total in zip(ends, sums, sums[1:], strict=False)
    ]


def _ends(days: Sequence[date], key: Callable[[date], Hashable]) -> list[int]:
    """The steps after which another day (or month, or year) begins."""
    found, at = [], 0
    for _key, same in groupby(days, key):
        at += sum(1 for _day in same)
        found.append(at)
    return found
