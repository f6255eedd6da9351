"""Tables, rounds and how many of each: the words that the whole draw speaks in.

Players are plain integers. A table is a tuple of three or four of them in seat order, so that its first
player deals first. A round is a tuple of tables, the tables of four before the tables of three, and seats
everybody once.

Tables of three appear only where the number demands them: N players need as many tables of three as are
missing to the next multiple of four. Six players sit at 3 + 3, seven at 4 + 3, nine at 3 + 3 + 3; five
cannot be seated.
"""

from collections.abc import Hashable, Mapping, Sequence

Table = tuple[int, ...]
Round = tuple[Table, ...]
Groups = Sequence[Hashable | None] | Mapping[int, Hashable | None]

CHAIRS = 4
SMALL_TABLE = 3


def _(text: str) -> str:
    """Mark a text for translation; whoever shows it translates and fills it in."""
    return text


class DrawError(ValueError):
    """What was asked for cannot be drawn.

    `code` names the reason, `text` is an English template to be translated and filled with `params`.
    """

    def __init__(self, code: str, text: str, **params: object) -> None:
        super().__init__(text.format(**params))
        self.code = code
        self.text = text
        self.params = params


def table_sizes(players: int) -> tuple[int, ...]:
    """Return the sizes of a round's tables, fours before threes.

    Raises DrawError "too_few" below three players and "five" for five, which no tables of three and four can
    hold.
    """
    if players < SMALL_TABLE:
        raise DrawError(
            "too_few", _("A draw needs at least three players; there are {players}."), players=players
        )
    threes = -players % CHAIRS
    fours = (players - SMALL_TABLE * threes) // CHAIRS
    if fours < 0:
        raise DrawError("five", _("Five players cannot be seated at tables of three and four."))
    return (CHAIRS,) * fours + (SMALL_TABLE,) * threes


def group_of(groups: Groups | None, player: int) -> Hashable | None:
    """Return the player's club, or None for one who plays for nobody or is not listed."""
    if groups is None:
        return None
    if isinstance(groups, Mapping):
        return groups.get(player)
    return groups[player] if 0 <= player < len(groups) else None


def checked_history(history: Sequence[Sequence[Sequence[int]]]) -> tuple[Round, ...]:
    """Return played rounds as tuples.

    Raises DrawError "history" for a table that does not hold three or four, or a player who sits twice in a
    round.
    """
    rounds = tuple(tuple(tuple(table) for table in tables) for tables in history)
    for number, tables in enumerate(rounds, start=1):
        seated = [player for table in tables for player in table]
        if any(not SMALL_TABLE <= len(table) <= CHAIRS for table in tables) or len(set(seated)) < len(seated):
            text = _("Round {round} is no seating: every table needs three or four, every player one seat.")
            raise DrawError("history", text, round=number)
    return rounds
