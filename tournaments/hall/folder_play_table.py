"""The table, the hand and the result of a game on a folder, as its page shows them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from scoring.cards import SUITS, Kind, suit_order, trump_order
from scoring.game import Act, Ask
from scoring.game.play import order_of_cards
from scoring.seats import Role, from_the_right_of
from scoring.settlement import settle_at_table
from tournaments.boards.results import SEATS
from tournaments.boards.text import in_tenths, line_texts
from tournaments.domain.card_drawing import card_spoken, draw_card
from tournaments.domain.formats import SEAT_LETTERS
from tournaments.domain.terms import card_words, outcome_name, signed
from tournaments.hall.folder_play_text import player_name, step_text
from tournaments.ledger.scoresheet import result_texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.utils.safestring import SafeString

    from scoring.cards import Cards
    from scoring.game import State
    from scoring.game.steps import Trick
    from scoring.rulebook import Rulebook
    from tournaments.boards.folder_game import FolderGame, Review, Slip
    from tournaments.boards.results import Line

# Where the other players sit as the person sees them, in order of play counter-clockwise.
_PLACES = {
    1: ("top",),
    2: ("right", "left"),
    3: ("right", "top", "left"),
    4: ("right", "right", "left", "left"),
}


class CardShown(NamedTuple):
    """A card: its code, drawing and spoken name; `place` is where its player sits, `won` whether it won the trick."""

    code: str
    drawing: SafeString
    spoken: str
    allowed: bool = True
    place: str = ""
    player: str = ""
    won: bool = False


@dataclass(frozen=True, slots=True)
class SeatShown:
    """A player at the table: where, who, what was called last, and how many tricks were won."""

    place: str
    name: str
    letter: str
    is_you: bool
    deals: bool
    declares: bool
    turn: bool
    call: str
    held: int
    tricks: int


def places_around(state: State, you: Role) -> dict[Role, str]:
    """The places of all players, as this role sees them."""
    seating = state.table.seating
    around = from_the_right_of(you, seating.players, dealer_out=seating.dealer_out)
    others = [role for role in around if role in (state.playing or state.hands)]
    places = _PLACES[len(others)]
    if state.rulebook.direction == "clockwise":
        places = places[::-1]
    return {you: "me"} | dict(zip(others, places, strict=True))


def seats_shown(state: State, you: Role) -> list[SeatShown]:
    """The players as this role sees them; the person's own place is there even if the deal is played without it."""
    seating = state.table.seating
    declarers = {state.declarer, *state.joined} if state.contract else set()
    return [
        SeatShown(
            place,
            capfirst(player_name(state.rulebook, role, you)),
            SEAT_LETTERS[seating.positions[role]],
            role is you,
            seating.positions[role] == seating.dealer,
            role in declarers,
            role is state.to_act,
            _last_call(state, role),
            len(state.hands.get(role, ())),
            state.winners.count(role),
        )
        for role, place in places_around(state, you).items()
    ]


def _last_call(state: State, role: Role) -> str:
    """A player's last call before the first card; "" once cards are played."""
    if state.playing:
        return ""
    steps = [step for step in state.steps if step.role is role]
    return capfirst(step_text(steps[-1])) if steps else ""


def calls_so_far(state: State, you: Role | None) -> list[tuple[str, str]]:
    """Every step before the first card: the player, and what was done."""
    rulebook = state.rulebook
    return [
        (capfirst(player_name(rulebook, step.role, you)), step_text(step))
        for step in state.steps
        if step.act is not Act.PLAY
    ]


def hand_shown(state: State, cards: Iterable[str], *, legal: Cards | None = None) -> list[CardShown]:
    """Cards in the order in which players hold them: trumps first, then by suits; `legal` are those allowed now."""
    return [
        CardShown(card, _render_card(state, card), card_spoken(card), legal is None or card in legal)
        for card in sorted_hand(state, cards)
    ]


def sorted_hand(state: State, cards: Iterable[str]) -> list[str]:
    """Cards with the trumps first, then by suits, each from high to low."""
    if state.contract is not None and state.ask is not Ask.DEFINE:
        order = order_of_cards(state)
        return sorted(
            cards,
            key=lambda card: (
                order.suit[card] in SUITS,
                SUITS.index(card[0]) if order.suit[card] in SUITS else 0,
                -order.strength[card],
            ),
        )
    ranking = state.rulebook.pack.ranking
    black_aces = trump_order(Kind.GRAND, None, ranking)
    by_suit = [
        card
        for suit in SUITS
        for card in (
            *(ace for ace in black_aces if ace[0] == suit),
            *suit_order(suit, Kind.GRAND, None, ranking),
        )
    ]
    return sorted(cards, key=by_suit.index)


def _render_card(state: State, card: str) -> SafeString:
    gold = state.contract is not None and card in order_of_cards(state).matadors
    return draw_card(card, gold=gold)


def trick_shown(state: State, you: Role, trick: Trick, winner: Role | None = None) -> list[CardShown]:
    """The cards of a trick where their players sit."""
    places = places_around(state, you)
    return [
        CardShown(
            card,
            _render_card(state, card),
            card_spoken(card),
            place=places[role],
            player=capfirst(player_name(state.rulebook, role, you)),
            won=role is winner,
        )
        for role, card in trick
    ]


class TrickCell(NamedTuple):
    """A card in a list of tricks: its text and suit, whether it led, whether it won."""

    text: str
    suit: str
    led: bool
    won: bool


@dataclass(frozen=True, slots=True)
class TrickList:
    """Tricks in rows: the players' names, and each trick's number with its cards by player."""

    heads: list[str]
    rows: list[tuple[int, list[TrickCell | None]]]


def trick_list(
    rulebook: Rulebook, playing: Sequence[Role], tricks: Iterable[tuple[Trick, Role]], you: Role | None
) -> TrickList:
    """A list of tricks with their winners."""
    rows: list[tuple[int, list[TrickCell | None]]] = []
    for number, (trick, winner) in enumerate(tricks, start=1):
        cards = dict(trick)
        rows.append(
            (
                number,
                [
                    TrickCell(
                        card_words(cards[role]), cards[role][0].lower(), role is trick[0][0], role is winner
                    )
                    if role in cards
                    else None
                    for role in playing
                ],
            )
        )
    return TrickList([capfirst(player_name(rulebook, role, you)) for role in playing], rows)


class ResultRow(NamedTuple):
    """A table's result with the folder: contract, declarer, and tokens in the person's seat."""

    table: int | None
    contract: str
    declarer: str
    result: str
    name: str
    tokens: int
    signed: str
    is_you: bool


@dataclass(frozen=True, slots=True)
class Ending:
    """Outcome in words, tokens of all seats, and the tables' results in the person's seat."""

    contract: str
    declarer: str
    result: str
    tokens: list[tuple[str, str, bool]]
    own: str
    rows: list[ResultRow]
    mean: str


def ending(game: FolderGame, lines: Sequence[Line]) -> Ending:
    """The result of a finished game, with those of the tables."""
    state, you = game.state, game.role
    rulebook = state.rulebook
    result = state.result()
    seating = state.table.seating.declared_by(result.declarer)
    settled = settle_at_table(result, seating, rulebook)
    names = [capfirst(player_name(rulebook, role, you)) for role in seating.roles]
    said = result_texts(rulebook, result.to_json(seating), settled.outcome, names)
    contract = f"{said['contract']} {said['trump']}".strip()
    what = ", ".join(text for text in (said["result"], said["remark"]) if text)
    declarer = names[seating.positions[result.declarer]] if result.declarer else ""
    own = settled.tokens[seating.positions[you]] if you is not None else None
    rows = _rows_of_tables(rulebook, lines, you)
    if own is not None:
        rows.append(ResultRow(None, contract, declarer, what, _("You"), own, signed(own), is_you=True))
    others = [row.tokens for row in rows if not row.is_you and row.name]
    return Ending(
        contract,
        declarer,
        what,
        [
            (names[place], signed(settled.tokens[place]), role is you)
            for role, place in sorted(seating.positions.items(), key=lambda seat: SEATS.index(seat[0]))
        ],
        "" if own is None else signed(own),
        sorted(rows, key=lambda row: (-row.tokens, not row.is_you, row.table or 0)),
        in_tenths(Fraction(sum(others), len(others))) if others and you is not None else "",
    )


def _rows_of_tables(rulebook: Rulebook, lines: Sequence[Line], you: Role | None) -> list[ResultRow]:
    """The tables' results; with a seat, the tokens of those who sat there."""
    rows = []
    for line in lines:
        place = line.place_of(you) if you is not None else None
        cell = line_texts(rulebook, line, ())
        declarer = line.report.declarer
        rows.append(
            ResultRow(
                line.table,
                f"{cell.contract} {cell.trump}".strip(),
                "" if declarer is None else line.names[declarer],
                ", ".join(text for text in (cell.result, cell.remark) if text),
                line.names[place.position] if place else "",
                place.tokens if place else 0,
                signed(place.tokens) if place else "",
                is_you=False,
            )
        )
    return rows


@dataclass(frozen=True, slots=True)
class ReviewShown:
    """Best play in words: its result, its tricks, and the person's cards that changed the outcome."""

    text: str
    tricks: TrickList | None
    slips: list[str]
    is_whole: bool


def review_shown(game: FolderGame, found: Review) -> ReviewShown | None:
    """The solver's answer in words; None where there was nothing to solve."""
    solution, opening = found.solution, game.opening
    if solution is None or opening is None or opening.declarer is None:
        return None
    rulebook = opening.rulebook
    named = {
        "player": capfirst(player_name(rulebook, opening.declarer, game.role)),
        "outcome": outcome_name(rulebook, solution.outcome.value),
        "tricks": solution.tricks,
    }
    if solution.exact:
        text = _(
            "After this exchange, with all cards known and best play by everybody: %(outcome)s. The "
            "declarer’s tricks: %(tricks)d."
        )
    else:
        text = _("There was not enough time to find the best play. The declarer gets at least: %(outcome)s.")
    slips = [_slip_text(rulebook, slip) for slip in found.slips]
    lines = trick_list(rulebook, opening.playing, found.tricks, game.role) if found.tricks else None
    return ReviewShown(text % named, lines, slips, found.is_whole)


def _slip_text(rulebook: Rulebook, slip: Slip) -> str:
    return _("Trick %(trick)d: %(card)s turned “%(before)s” into “%(after)s”; %(better)s would not have.") % {
        "trick": slip.trick,
        "card": card_words(slip.card),
        "better": card_words(slip.better),
        "before": outcome_name(rulebook, slip.before.value),
        "after": outcome_name(rulebook, slip.after.value),
    }
