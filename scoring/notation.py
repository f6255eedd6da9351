"""Reports in the notation of slips: one line for a deal, read and written.

    >>> from scoring.notation import read_line, write_line
    >>> deal, result = read_line("17 B solo h won")
    >>> deal, result.contract, result.declarer.value, result.trump, result.outcome
    (17, 'solo', 'FH', 'H', 'won')
    >>> write_line(deal, result)
    '17 B solo h won'

A line begins with the deal's number, which determines the dealer. Then come `-` and `pass`, or the declarer's seat
(`A` to `E`, in order of play) and the contract; then in any order the trump, the outcome, the tricks (the declarer's
first, the others in order of play; or the declarer's only), and other fields:

    >>> for line in (
    ...     "5 A nolo 2",
    ...     "6 - pass",
    ...     "9 B tourné s won tout",
    ...     "3 D game h gave up",
    ...     "4 A game c foul B",
    ...     "2 A game d 5-3-1 tout failed",
    ...     "8 A nolo 0 join B 3",
    ...     "8 A entrada s kodille pool 15 estuches 2 won by B",
    ...     "9 A play h crocodile lunch bid tout",
    ... ):
    ...     assert write_line(*read_line(line)) == line

The phrases of all languages in `slips/` and the usual abbreviations are accepted:

    >>> write_line(*read_line("17 b SOLO SPAR kruk"))
    '17 B spade solo kodille'

    >>> read_line("17 B solo x won")
    Traceback (most recent call last):
        ...
    scoring.notation.UnreadableLine: “x” at column 11 is not understood.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from scoring import vocabulary
from scoring.results import MOST_TOKENS, DealResult, UnreadableResult, in_order
from scoring.seats import Role, Seating, dealer_of, order_around
from scoring.vocabulary import fold
from scoring.words import _

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from scoring.rulebook import Rulebook


# The names of the seats on slips, by position.
LETTERS = "ABCDE"


def phrases_of(result: DealResult, seating: Seating, rulebook: Rulebook | None) -> list[str]:
    """The phrases of a report's line. Raises ValueError without a known contract and declarer."""
    if result == DealResult(all_passed=True, pool=result.pool):
        pool = [] if result.pool is None else [vocabulary.COUNTS["pool"][0], str(result.pool)]
        return ["-", vocabulary.PASSED[0], *pool]
    if result.all_passed or result.declarer is None or result.contract not in vocabulary.CONTRACTS:
        raise ValueError("only a wash-out, or a contract that there is with its declarer, can be written")
    seating = seating.declared_by(result.declarer)
    words = [_letter(result.declarer, seating), vocabulary.CONTRACTS[result.contract][0]]
    if result.trump:
        words.append(vocabulary.SUITS[result.trump][0])
    if result.outcome:
        outcome = vocabulary.OUTCOMES[result.outcome][0]
        words.append(rulebook.in_own_words(outcome) if rulebook else outcome)
    words += _written_tricks(result, seating)
    return [*words, *_written_rest(result, seating), *_written_joined(result, seating)]


def _written_rest(result: DealResult, seating: Seating) -> list[str]:
    """The phrases of all fields but contract, trump, outcome, tricks and joined."""
    words = [
        phrases[0] for (field, value), phrases in vocabulary.FLAGS.items() if getattr(result, field) == value
    ]
    words += [vocabulary.BIDS[bid][0] for bid in result.bonus_bid]
    for field, phrases in vocabulary.SEATS.items():
        role = getattr(result, field)
        if isinstance(role, Role):
            words += [phrases[0], _letter(role, seating)]
    for field, phrases in vocabulary.COUNTS.items():
        if (count := getattr(result, field)) is not None:
            words += [phrases[0], str(count)]
    if result.turned:
        words += [vocabulary.TURNED[0], result.turned]
    for field, phrases in vocabulary.SEAT_LISTS.items():
        if roles := getattr(result, field):
            words += [phrases[0], "".join(_letter(role, seating) for role in roles)]
    return words


def _written_joined(result: DealResult, seating: Seating) -> list[str]:
    """The phrases of players who joined a nolo, each with the tricks."""
    words: list[str] = []
    tricks = dict(result.tricks)
    for role in result.joined:
        words += [vocabulary.JOINED[0], _letter(role, seating)]
        if role in tricks and role is not result.declarer:
            words.append(str(tricks[role]))
    return words


def _letter(role: Role, seating: Seating) -> str:
    if role not in seating.positions:
        raise ValueError("there is no such seat at this table")
    return LETTERS[seating.positions[role]]


def _written_tricks(result: DealResult, seating: Seating) -> list[str]:
    """The tricks as `5-3-1`, with `x` for unknown counts, or as `5` for the declarer's only.

    Players who joined are left out: `_written_joined` has their tricks.
    """
    counted = seats_counted(result, seating, with_fourth=True)
    tricks = {role: count for role, count in result.tricks if role in counted}
    if not tricks:
        return []
    if list(tricks) == [result.declarer]:
        return [str(count) for count in tricks.values()]
    fourth = Role.IDLE in (result.declarer, *tricks)
    return [
        "-".join(str(tricks.get(role, "x")) for role in seats_counted(result, seating, with_fourth=fourth))
    ]


def seats_counted(result: DealResult, seating: Seating, *, with_fourth: bool) -> list[Role]:
    """The roles whose tricks are in a row of counts: the declarer, then in order of play all who did not join."""
    order = order_around(seating.players, dealer_out=seating.dealer_out)
    start = order.index(result.declarer) if result.declarer else 0
    return [
        role
        for role in (*order[start:], *order[:start])
        if role is result.declarer or (role not in result.joined and (with_fourth or role is not Role.IDLE))
    ]


_WORD = re.compile(r"[^\s,;]+")
_TRICKS = re.compile(r"[0-9]{1,2}|(?:[0-9]{1,2}|x)(?:-(?:[0-9]{1,2}|x))+", re.IGNORECASE)
_LONGEST_PHRASE = 3
_LAST_DEAL = 9999
_CARD = re.compile(r"[SHDC][A2-7JQK]", re.IGNORECASE)
_LONGEST_WORD = 40
_SEAT_LISTS = {fold(phrase) for phrases in vocabulary.SEAT_LISTS.values() for phrase in phrases}


class UnreadableLine(UnreadableResult):
    """A line that cannot be parsed; `word` is the one concerned, `column` its place, counted from 1."""

    def __init__(self, text: str, word: _Word, **params: Any) -> None:
        self.word = word.text[:_LONGEST_WORD]
        super().__init__("line", text, word=self.word, column=word.column, **params)
        self.column = word.column


class _Word(NamedTuple):
    """A word of a line, with its column, counted from 1."""

    text: str
    column: int


def read_line(
    line: str,
    players: int = 4,
    first_dealer: int = 0,
    rulebook: Rulebook | None = None,
    *,
    in_pairs: bool = False,
) -> tuple[int, DealResult]:
    """Parse a line: the deal's number and its report. Raises UnreadableLine.

    `first_dealer` is the position that dealt deal 1, `in_pairs` as in Seating. A phrase of several contracts means the
    one that the rulebook has.
    """
    reader = _Reader(line, rulebook)
    deal = reader.number(_("“{word}” at column {column} is not a deal number."), 1, _LAST_DEAL)
    dealer_out = rulebook is not None and rulebook.dealer_sits_out
    dealer = dealer_of(deal, players, first_dealer)
    return deal, reader.result(Seating(players, dealer, in_pairs, dealer_out=dealer_out))


def read_words(line: str, seating: Seating, rulebook: Rulebook | None = None) -> DealResult:
    """Parse a line without the deal's number. Raises UnreadableLine."""
    return _Reader(line, rulebook).result(seating)


def write_line(
    deal: int,
    result: DealResult,
    players: int = 4,
    first_dealer: int = 0,
    *,
    in_pairs: bool = False,
    dealer_out: bool = False,
) -> str:
    """The line that `read_line` reads back. Raises ValueError without a known contract and declarer."""
    seating = Seating(players, dealer_of(deal, players, first_dealer), in_pairs, dealer_out=dealer_out)
    return f"{deal} {write_words(result, seating)}"


def write_words(
    result: DealResult,
    seating: Seating,
    rulebook: Rulebook | None = None,
    instead: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Write a line without the deal's number, with the wording of a rulebook if one is given.

    `instead` maps phrases to those of another language (`vocabulary.WRITTEN`). Raises ValueError as `write_line`.
    """
    phrases = phrases_of(result, seating, rulebook)
    return " ".join(instead.get(phrase, phrase) for phrase in phrases)


class _Reader:
    """A parser of one line, which consumes its words from left to right."""

    def __init__(self, line: str, rulebook: Rulebook | None = None) -> None:
        self.known: Container[str] = rulebook.known_contracts if rulebook else ()
        self.words = [_Word(found.group(), found.start() + 1) for found in _WORD.finditer(line)]
        self.end = _Word("", len(line) + 1)
        self.fields: dict[str, Any] = {}
        self.counts: _Word | None = None
        self.joined: dict[Role, int | None] = {}

    @property
    def next(self) -> _Word:
        """The next word, which is not consumed; an empty one at the end of the line."""
        return self.words[0] if self.words else self.end

    def take(self) -> _Word:
        """Consume the next word. Raises UnreadableLine at the end of the line."""
        if not self.words:
            raise UnreadableLine(_("The line ends too early, at column {column}."), self.end)
        return self.words.pop(0)

    def number(self, text: str, least: int, most: int) -> int:
        """Consume a number in these limits. Raises UnreadableLine with the text."""
        word = self.take()
        digits = word.text.rstrip(".:")
        if digits.isascii() and digits.isdigit() and len(digits) <= len(str(most)):
            number = int(digits)
            if least <= number <= most:
                return number
        raise UnreadableLine(text, word)

    def seat(self, seating: Seating) -> Role:
        """Consume the letter of a seat."""
        text = _("“{word}” at column {column} is not a seat at this table.")
        word = self.take()
        position = LETTERS.find(word.text.upper()) if len(word.text) == 1 else -1
        if not 0 <= position < seating.players:
            raise UnreadableLine(text, word)
        return seating.role_of(position)

    def seats(self, seating: Seating) -> tuple[Role, ...]:
        """Consume the letters of one or more seats, written as one word."""
        word = self.take()
        positions = [LETTERS.find(letter) for letter in word.text.upper()]
        if len(set(positions)) < len(positions) or not all(0 <= at < seating.players for at in positions):
            raise UnreadableLine(_("“{word}” at column {column} are not seats at this table."), word)
        return tuple(in_order(dict.fromkeys(map(seating.role_of, positions))))

    def card(self) -> str:
        """Consume a card."""
        word = self.take()
        if not _CARD.fullmatch(word.text):
            raise UnreadableLine(_("“{word}” at column {column} is not a card."), word)
        return word.text.upper()

    def bid(self, bid: str, word: _Word) -> None:
        """Add a bonus bid to the fields."""
        bids = self.fields.get("bonus_bid", ())
        if bid in bids:
            raise _repeated(word)
        self.fields["bonus_bid"] = tuple(name for name in vocabulary.BIDS if name in (*bids, bid))

    def phrase(self, phrases: Mapping[str, Any]) -> Any:
        """Consume the longest phrase of a table that comes next, and return its meaning; None if there is none.

        The end of a phrase is not taken from one that names seats: “tout won by B” is “tout” and “won by B”.
        """
        for length in range(min(_LONGEST_PHRASE, len(self.words)), 0, -1):
            meant = phrases.get(self.folded_words(0, length))
            of_the_next = length > 1 and self.folded_words(length - 1, length + 1) in _SEAT_LISTS
            if meant is not None and not of_the_next:
                del self.words[:length]
                return meant
        return None

    def folded_words(self, first: int, stop: int) -> str:
        """The words in this range, normalised as a phrase; they are not consumed."""
        return fold(" ".join(word.text for word in self.words[first:stop]))

    def put(self, field: str, value: object, word: _Word) -> None:
        """Set a field. Raises UnreadableLine if the line has it twice."""
        if field in self.fields:
            raise _repeated(word)
        self.fields[field] = value

    def result(self, seating: Seating) -> DealResult:
        """Parse the rest of the line, which follows the deal's number."""
        if self.next.text in ("-", "\N{EN DASH}"):
            self.words.pop(0)
        if self.phrase(vocabulary.PASSED_MEANT):
            if self.phrase(vocabulary.POOL_MEANT):
                self.fields["pool"] = self.number(
                    _("“{word}” at column {column} is not a number."), 0, MOST_TOKENS
                )
            if self.words:
                raise UnreadableLine(_("“{word}” at column {column} is not needed: all passed."), self.next)
            return DealResult(all_passed=True, **self.fields)
        self.fields["declarer"] = declarer = self.seat(seating)
        seating = seating.declared_by(declarer)
        contracts = self.phrase(vocabulary.CONTRACTS_MEANT)
        if contracts is None:
            raise UnreadableLine(_("“{word}” at column {column} is not a contract."), self.take())
        self.fields["contract"] = next((row for row in contracts if row in self.known), contracts[0])
        while self.words:
            self.item(seating)
        joined = in_order(self.joined)
        result = DealResult(**self.fields, joined=tuple(joined))
        return result._replace(tricks=self.tricks(result, seating))

    def item(self, seating: Seating) -> None:
        """Parse one item after the contract: a row of tricks, or a field with its value."""
        word = self.next
        if _TRICKS.fullmatch(word.text):
            if self.counts:
                raise _repeated(word)
            self.counts = self.words.pop(0)
            return
        item = self.phrase(vocabulary.ITEMS_MEANT)
        if item is None:
            raise UnreadableLine(_("“{word}” at column {column} is not understood."), word)
        field, value = item
        if field == "joined":
            self.join(seating)
        elif field in vocabulary.SEATS and value is None:
            self.put(field, self.seat(seating), word)
        elif field in vocabulary.COUNTS:
            most = MOST_TOKENS if field == "pool" else 99
            self.put(field, self.number(_("“{word}” at column {column} is not a number."), 0, most), word)
        elif field in vocabulary.SEAT_LISTS:
            self.put(field, self.seats(seating), word)
        elif field == "turned":
            self.put(field, self.card(), word)
        elif field == "bonus_bid":
            self.bid(value, word)
        else:
            self.put(field, value, word)

    def join(self, seating: Seating) -> None:
        """Parse a seat that joined, with its tricks if given; the fourth player may have given up instead."""
        word = self.next
        role = self.seat(seating)
        if role in self.joined:
            raise _repeated(word)
        self.joined[role] = None
        if self.next.text.isascii() and self.next.text.isdigit():
            self.joined[role] = self.number(
                _("“{word}” at column {column} is not a number of tricks."), 0, 99
            )
        elif role is Role.IDLE and self.phrase(vocabulary.GAVE_UP_MEANT):
            self.put("idle_abandoned", True, word)

    def tricks(self, result: DealResult, seating: Seating) -> tuple[tuple[Role, int], ...]:
        """The tricks of all roles, from the row of counts and from those who joined."""
        known = {role: count for role, count in self.joined.items() if count is not None}
        if self.counts:
            counts = self.counts.text.split("-")
            roles = seats_counted(result, seating, with_fourth=result.declarer is Role.IDLE)
            if len(counts) == len(roles) + 1:
                roles = seats_counted(result, seating, with_fourth=True)
            if len(counts) == 1 and result.declarer:
                roles = [result.declarer]
            if len(counts) != len(roles):
                text = _(
                    "“{word}” at column {column} must be one number, or {count} starting with the declarer."
                )
                raise UnreadableLine(text, self.counts, count=len(roles))
            known |= {role: int(count) for role, count in zip(roles, counts, strict=True) if count.isdigit()}
        return tuple((role, known[role]) for role in in_order(known))


def _repeated(word: _Word) -> UnreadableLine:
    """The error of an item that the line has already."""
    return UnreadableLine(_("“{word}” at column {column} repeats what was already given."), word)
