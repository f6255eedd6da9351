"""What a person's page tells of their years: figures, honours, games by contract, deals that stand out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from django.urls import reverse
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from scoring import UnknownRulebook, get_rulebook
from scoring.seats import Role
from tournaments.domain.outcomes import TOTALS_ONLY
from tournaments.domain.terms import (
    SUIT_SIGNS,
    contract_name,
    contract_names,
    loss_names,
    outcome_name,
    role_name,
    signed,
)
from tournaments.hall.years.rates import between, counted, percent
from tournaments.ledger.deal_sums import RULED
from tournaments.people.person import MEDALS
from tournaments.people.person_statistics import (
    DECLARED,
    DEFENDED,
    JOINED,
    LEAST_DEALS,
    PASSED,
    SAT_OUT,
    Rate,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from scoring.rulebook import Rulebook
    from tournaments.boards.luck import Estimate
    from tournaments.people.person import Evening, OverTheYears
    from tournaments.people.person_statistics import Contract, OwnDeal
    from tournaments.standings.statistics import Tally

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
    """Somebody's games of a contract beside everybody's at the home club; `even` is the share that pays for itself.

    `dots` are where one's own share, the club's and that one lie, in per cent; of few games one's own is not.
    """

    name: str
    contract: Contract
    even: float | None

    @property
    def shares(self) -> dict[str, float]:
        """What is known: one's own share, the club's, and the one that pays for itself."""
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
    def beside(self) -> str:
        """What one's own share is compared with, in words."""
        words = {"club": _("the club {share}"), "even": _("even at {share}")}
        return ", ".join(
            said.format(share=percent(self.shares[name]))
            for name, said in words.items()
            if name in self.shares
        )

    @property
    def said(self) -> str:
        """The plot in words."""
        won = _("won {share}").format(share=percent(self.shares["own"]))
        return ", ".join(filter(None, (won, self.beside)))


class Seat(NamedTuple):
    """How somebody has done in a seat, and how often they declared there."""

    name: str
    tally: Tally
    declares: Rate | None


class Notable(NamedTuple):
    """A deal, with its line in its table's sheet."""

    what: str
    tokens: int
    day: date
    sheet: str


def told(years: OverTheYears) -> dict[str, Any]:
    """What the page is drawn from, beside the evenings and the curve."""
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
            (title, notable(deal, books))
            for title, deal in (
                (_("Best deal"), portrait.best_deal),
                (_("Worst deal"), portrait.worst_deal if portrait.deals > 1 else None),
            )
            if deal
        ],
        "best": years.best,
        "worst": years.worst if len(years.evenings) > 1 else None,
        "has_few_deals": portrait.deals < LEAST_DEALS,
        "least_deals": LEAST_DEALS,
    }


def figures(years: OverTheYears) -> list[tuple[str, str, str]]:
    """The first figures of the page: what, how much, and what is to be said of it."""
    portrait, evenings = years.portrait, years.evenings
    found = [
        (_("Tokens"), signed(years.tokens), _tokens_of(years)),
        (_("Evenings"), str(len(evenings)), _("since %(year)s") % {"year": evenings[0].day.year}),
    ]
    won = Rate(portrait.declared.won, portrait.declared.deals)
    for title, rate in ((_("Declared"), portrait.bids), (_("Won of these"), won)):
        if rate.of:
            said = counted(rate) if rate.is_little else percent(rate.share or 0)
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


def _tokens_of(years: OverTheYears) -> str:
    """What the tokens are the sum of: the deals, as standings count them, and rulings."""
    count = years.dealt
    words = [ngettext("%(count)d deal", "%(count)d deals", count) % {"count": count}]
    if sat_out := years.portrait.deals - years.dealt:
        words.append(_("%(count)d sat out") % {"count": sat_out})
    if years.rulings:
        words.append(_("penalties %(tokens)s") % {"tokens": signed(years.rulings)})
    return ", ".join(words)


def _sure(rate: Rate) -> str:
    """What stands below a share: how sure it is, or that it is of too few."""
    if rate.is_little:
        return _("too few to say much")
    return format_html('{}, <span class="unbroken">{}</span>', counted(rate), between(rate))


def _seats(years: OverTheYears) -> list[Seat]:
    portrait = years.portrait
    order = {role: place for place, role in enumerate((*ROLES, *Role))}
    roles = sorted(portrait.roles.items(), key=lambda item: order[item[0]])
    return [Seat(capfirst(role_name(role)), tally, portrait.declares.get(role)) for role, tally in roles]


def notable(deal: OwnDeal, books: dict[int, str]) -> Notable:
    return Notable(
        deal_said(deal, books.get(deal.place.evening, "")), deal.tokens, deal.place.day, sheet_of(deal)
    )


def deal_said(deal: OwnDeal, rulebook: str) -> str:
    """What a deal was to a person: “Declared: Solo ♥, won”."""
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
    """Where a deal stands in its table's sheet in the hall."""
    place = deal.place
    return f"{reverse('hall_table', args=[place.code, place.round, place.table])}#line-{deal.number}"


def newest_first(evenings: Sequence[Evening], most: int) -> list[Evening]:
    return list(reversed(evenings[-most:]))
