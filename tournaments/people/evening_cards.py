"""The playing card that everybody takes home from an evening, and the hands that nine evenings make.

The place decides the rank: the first gets Spadille, the second Manille, the third Basta, then king, queen and jack; the
others share the cards from seven down, in five equal groups, in the order of the game. The suit is the trump in which
one won the most games, else the one that was trumps most often. It is stored with the evening's other results, and a
correction changes the card.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

from django.core.cache import cache
from django.db.models import Max, OuterRef, Subquery
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring import get_rulebook
from scoring.bots.bidding import opening_bid
from scoring.cards import BASTA, SPADILLE, SUITS, Kind, trump_order
from tournaments.boards.folders import sealed_rounds
from tournaments.domain.card_drawing import card_spoken
from tournaments.domain.terms import contract_name, people, suit_name
from tournaments.ledger.queries import is_played_out
from tournaments.models import Entry, EveningResult, Tournament
from tournaments.people import visibility
from tournaments.people.person import bring_up_to_date
from tournaments.people.person_statistics import games_at
from tournaments.seasons.ladder_table import begun, season_table
from tournaments.seasons.results import feats_of, results_of, suit_or_usual

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from django.db.models import QuerySet

    from clubs.models import Player
    from tournaments.models import Season
    from tournaments.people.person_statistics import Played
    from tournaments.seasons.ladder_table import Begun, Placed


RED = frozenset("HD")
# The ranks of the fourth, fifth and sixth; then those that the rest of the field shares, from high to low.
COURT = "KQJ"
BLACK_RANKS, RED_RANKS = "76543", "23456"
SECOND, THIRD, SIXTH = 2, 3, 6
EVENINGS_A_HAND = 9
# A hand is bid at a table of the most common size, by the union's rules.
RULEBOOK, PLAYERS = "union", 4
# Games of a contract from which on their share of games won says something.
LEAST_GAMES = 30


def card_for(place: int, field: int, suit: str) -> str:
    """The card of a place among so many, as `SK`; `suit` is that of all but the first and the third."""
    if place == 1:
        return SPADILLE
    if place == SECOND:
        return suit + ("7" if suit in RED else "2")
    if place == THIRD:
        return BASTA
    if place <= SIXTH:
        return suit + COURT[place - THIRD - 1]
    ranks = RED_RANKS if suit in RED else BLACK_RANKS
    group = (place - SIXTH - 1) * len(ranks) // max(field - SIXTH, 1)
    return suit + ranks[min(group, len(ranks) - 1)]


def earns_card(deals: int, most: int) -> bool:
    """Whether so many deals are half of the most that a player was dealt at the evening."""
    return 2 * deals >= most


def title_of(place: int) -> str:
    """The titles of the cards of the first three; "" for all others."""
    return {1: _("Spadille"), SECOND: _("Manille"), THIRD: _("Basta")}.get(place, "")


class EveningCard(NamedTuple):
    """A player's card of an evening, with the result that it was given for."""

    card: str
    place: int
    field: int
    entry: int
    number: int
    tokens: int = 0

    @property
    def label(self) -> str:
        """The card's title, or its name."""
        return self.title or card_spoken(self.card)

    @property
    def title(self) -> str:
        return title_of(self.place)


# An evening's cards.


def evening_cards(tournament: Tournament) -> list[EveningCard]:
    """All players' cards by place, then number, from the current results; none where the club gives no cards.

    Who played fewer than half of the deals that others played gets none, nor does a player of a pair or team without
    a place.
    """
    if not tournament.host.gives_cards or tournament.is_called_off:
        return []
    results = [one for one in results_of([tournament.pk]) if one.result.rank]
    most = max((one.result.deals for one in results), default=0)
    given = [one for one in results if earns_card(one.result.deals, most)]
    # While the last round is open, nothing of the evening is stored.
    feats = {} if all(one.suit for one in given) else feats_of(tournament)
    cards = [
        EveningCard(
            card_for(
                one.result.rank,
                one.result.field,
                one.suit or suit_or_usual(feats[one.entry].suit, one.number),
            ),
            one.result.rank,
            one.result.field,
            one.entry,
            one.number,
            one.result.tokens,
        )
        for one in given
    ]
    return sorted(cards, key=lambda one: (one.place, one.number))


def shown_cards(tournament: Tournament) -> list[EveningCard]:
    """The cards for pages: none while a deal is missing, or a round's results are sealed."""
    if not is_played_out(tournament) or (not tournament.is_played and sealed_rounds(tournament)):
        return []
    return evening_cards(tournament)


REOPENED = "Reopened the tournament: {reason}"


def was_corrected(tournament: Tournament) -> bool:
    """Whether final standings were reopened and are final again."""
    return tournament.is_finished and tournament.log.filter(text=REOPENED).exists()


# A person's hands.


class HandCard(NamedTuple):
    """A card in a person's hand, and its evening."""

    given: EveningCard
    tournament: int
    code: str
    name: str
    day: date

    @property
    def card(self) -> str:
        return self.given.card


@dataclass(frozen=True, slots=True)
class Hand:
    """Up to nine cards, the newest first; `nth` counts a person's hands from 1.

    `games` are those of the club of its newest evening, by contract; a hand that is not complete may lack them.
    """

    nth: int
    cards: Sequence[HandCard]
    games: Mapping[str, Played] = field(default_factory=dict)

    @property
    def missing(self) -> int:
        return EVENINGS_A_HAND - len(self.cards)

    @property
    def places(self) -> range:
        """The places of the cards to come."""
        return range(self.missing)

    @property
    def text(self) -> str:
        """The state of the hand, in a sentence."""
        if self.missing:
            count = len(self.cards)
            cards = ngettext("%(count)d card", "%(count)d cards", count) % {"count": count}
            more = ngettext("%(count)d to go", "%(count)d to go", self.missing) % {"count": self.missing}
            return _("%(cards)s, %(more)s.") % {"cards": cards, "more": more}
        return _("Nine evenings make a hand, and this one is complete.")

    @property
    def bid(self) -> str:
        """The bid of the program with a complete hand, and its trumps."""
        return "" if self.missing else bid_text([one.card for one in self.cards], self.games)


def bid_text(cards: Iterable[str], games: Mapping[str, Played]) -> str:
    """The trumps of a hand of nine, what a bot opens with, and how often a club that has played enough wins that."""
    hand = tuple(cards)
    plan = opening_bid(hand, get_rulebook(RULEBOOK), PLAYERS)
    if plan is None:
        return _("A hand to pass with.")
    words = {"contract": contract_name(plan.contract.id), "trumps": ""}
    if plan.contract.is_game:
        words["trumps"] = _trumps_text(hand, plan.trump)
        said = _("%(trumps)s: the program would bid %(contract)s.") % words
    else:
        said = _("Low cards: the program would bid %(contract)s.") % words
    played = games[plan.contract.id].declared if plan.contract.id in games else None
    if played is None or played.deals < LEAST_GAMES:
        return said
    share = round(100 * played.won / played.deals)
    won = _("In the club, %(share)d per cent of such games are won.") % {"share": share}
    return f"{said} {won}"


def _trumps_text(hand: Sequence[str], trump: str | None) -> str:
    """The text of a hand's trumps: their number in the suit bid, or the longest, and which of the first three."""
    orders = {suit: trump_order(Kind.TRUMP, suit) for suit in ([trump] if trump else SUITS)}
    suit = max(orders, key=lambda suit: sum(card in orders[suit] for card in hand))
    count = sum(card in orders[suit] for card in hand)
    words = {"count": count, "suit": suit_name(suit)}
    trumps = ngettext("%(count)d trump in %(suit)s", "%(count)d trumps in %(suit)s", count) % words
    names = [title_of(place) for place, card in enumerate(orders[suit][:THIRD], start=1) if card in hand]
    return (
        _("%(trumps)s with %(matadors)s") % {"trumps": trumps, "matadors": people(names)} if names else trumps
    )


class _Evening(NamedTuple):
    """An evening at which somebody got a card; `suit` as it is stored."""

    entry: int
    number: int
    place: int
    field: int
    tournament: int
    code: str
    name: str
    day: date
    suit: str
    host: int


TOLD = (
    "pk", "number", "result__place", "result__field", "tournament", "tournament__code", "tournament__name",
    "tournament__date", "result__suit", "tournament__host", "result__deals",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Hands:
    """A person's hands: how many evenings gave a card, and how many of them Spadille, Manille or Basta."""

    evenings: Sequence[_Evening]

    @property
    def count(self) -> int:
        """The number of hands, the last of which may not be complete."""
        return -(-len(self.evenings) // EVENINGS_A_HAND)

    @property
    def last(self) -> Hand | None:
        """The hand that is being collected; None before the first card."""
        return next(iter(self.newest()), None)

    def times(self, place: int) -> int:
        return sum(one.place == place for one in self.evenings)

    def newest(self, most: int = 1, before: int = 0) -> list[Hand]:
        """So many hands, the newest first, without the `before` newest ones."""
        nths = range(self.count - before, max(self.count - before - most, 0), -1)
        parts = {nth: self.evenings[(nth - 1) * EVENINGS_A_HAND : nth * EVENINGS_A_HAND] for nth in nths}
        # Most hands are of one club, whose games are read once.
        complete = [part for part in parts.values() if len(part) == EVENINGS_A_HAND]
        games = {host: _games_of_club(host) for host in {part[-1].host for part in complete}}
        return [
            Hand(nth, [_hand_card(one) for one in reversed(part)], games.get(part[-1].host, {}))
            for nth, part in parts.items()
        ]


def _games_of_club(host: int) -> Mapping[str, Played]:
    """The games at a club's evenings, by contract."""
    return games_at(visibility.evenings().filter(host=host, rulebook=RULEBOOK))


def _hand_card(one: _Evening) -> HandCard:
    card = card_for(one.place, one.field, suit_or_usual(one.suit, one.number))
    given = EveningCard(card, one.place, one.field, one.entry, one.number)
    return HandCard(given, one.tournament, one.code, one.name, one.day)


def hands_of(player: Player) -> Hands:
    """The cards of a person's own page: of evenings that are over, in the order of days."""
    entries = visibility.own_entries(player).filter(
        tournament__state=Tournament.State.FINISHED, tournament__host__gives_cards=True
    )
    bring_up_to_date(Tournament.objects.filter(pk__in=entries.values("tournament")))
    rows = _with_most_deals(entries.filter(result__place__gt=0)).order_by("tournament__date", "tournament")
    return Hands(
        [_Evening(*told) for *told, deals, most in rows.values_list(*TOLD, "most") if earns_card(deals, most)]
    )


def _with_most_deals(entries: QuerySet[Entry]) -> QuerySet[Entry]:
    """Annotate the most deals of a player with a place at the same evening, as `most`."""
    beside = EveningResult.objects.filter(tournament=OuterRef("tournament"), place__gt=0).order_by()
    most = beside.values("tournament").annotate(most=Max("deals")).values("most")
    return entries.annotate(most=Subquery(most))


# The best hand of a season that is over.


@dataclass(frozen=True, slots=True)
class BestHand:
    """The nine cards of a season that the program bids highest, whose they are, and the player's newest page."""

    name: str
    code: str
    number: int
    hand: Hand


def best_hand_of(season: Season) -> BestHand | None:
    """The best hand of a season; None where nobody has nine cards on which the program would bid a game.

    Of more than nine cards the best nine are taken. Hands of low cards are left out: nobody is shown for their places.
    """
    evenings = begun(season)
    versions = [(evening.pk, evening.version, evening.host__gives_cards) for evening in evenings]
    key = f"best-hand:{season.pk}:{season.version}:{hash(tuple(versions))}"
    cached: tuple[object, BestHand | None] | None = cache.get(key)
    if cached is None or cached[0] != versions:
        cached = versions, _best_hand(season, evenings)
        cache.set(key, cached, HAND_LIFETIME)
    return cached[1]


# Cache lifetime of a season's best hand: a day.
HAND_LIFETIME = 24 * 3600
# How long after the season it is on the club's page, too.
HAND_LIES = timedelta(days=60)


def _best_hand(season: Season, evenings: Sequence[Begun]) -> BestHand | None:
    table = season_table(season, evenings)
    most = dict(enumerate(evening.most_deals for evening in table.evenings))
    best: tuple[tuple[int, float], Placed, list[int]] | None = None
    hidden = visibility.hidden()
    for row in table.rows:
        if row.player_id in hidden:
            continue
        cards = cards_in_season(row, most)
        for columns in best_nines(cards):
            plan = opening_bid(tuple(cards[column] for column in columns), get_rulebook(RULEBOOK), PLAYERS)
            if plan is None or not plan.contract.is_game:
                continue
            worth = plan.contract.price, plan.chance
            if best is None or worth > best[0]:
                best = worth, row, columns
    if best is None:
        return None
    _worth, row, columns = best
    return BestHand(row.name, row.code, row.number, _hand_in_season(season, evenings, row, columns))


def cards_in_season(row: Placed, most_deals: Mapping[int, int]) -> dict[int, str]:
    """A player's cards of a season, by column of its ladder; `most_deals` are 0 where an evening gives no cards."""
    return {
        column: card_for(result.rank, result.field, row.suits[column])
        for column, result in row.line.results.items()
        if (most := most_deals[column]) and result.rank and earns_card(result.deals, most)
    }


def best_nines(cards: Mapping[int, str]) -> Iterator[list[int]]:
    """For each suit as trumps the columns of the nine best cards, in the order of the season; none of fewer."""
    if len(cards) < EVENINGS_A_HAND:
        return
    for suit in SUITS:
        trumps = trump_order(Kind.TRUMP, suit)
        order = {card: place for place, card in enumerate((*trumps, *(s + r for r in COURT for s in SUITS)))}
        best = sorted(cards, key=lambda column: order.get(cards[column], len(order)))
        yield sorted(best[:EVENINGS_A_HAND])


def _hand_in_season(season: Season, evenings: Sequence[Begun], row: Placed, columns: Sequence[int]) -> Hand:
    entries = Entry.objects.filter(tournament__season=season, player=row.player_id)
    own = {evening: (pk, number) for evening, pk, number in entries.values_list("tournament", "pk", "number")}
    cards = []
    for column in reversed(columns):
        evening, result = evenings[column], row.line.results[column]
        card = card_for(result.rank, result.field, row.suits[column])
        given = EveningCard(card, result.rank, result.field, *own[evening.pk], result.tokens)
        cards.append(HandCard(given, evening.pk, evening.code, evening.name, evening.date))
    return Hand(1, cards, _games_of_club(season.host_id))
