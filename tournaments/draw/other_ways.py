"""Other ways to seat a round than `planner`'s: by the standings, by lot alone, and as the organiser says.

All give a Plan with its quality, so that they can be told apart by what they cost. Seats are shared evenly in
each, but for those that the organiser says.
"""

from collections import Counter
from collections.abc import Sequence
from random import Random

from tournaments.draw.alike import seat_alike
from tournaments.draw.planner import Plan
from tournaments.draw.quality import quality
from tournaments.draw.seats import seat_players
from tournaments.draw.standings import tables_by_standings
from tournaments.draw.tables import (
    THREE_AND_FOUR,
    DrawError,
    Groups,
    Round,
    _,
    byes,
    checked_history,
    checked_players,
    numbered,
    table_sizes,
)
from tournaments.draw.wishes import Apart, kept_apart


def plan_by_standings(  # noqa: PLR0913 - the facts of an event, all but three with a default
    ranking: Sequence[int],
    *,
    seed: int,
    history: Sequence[Round],
    groups: Groups | None = None,
    seats: Sequence[int] = THREE_AND_FOUR,
    apart: Sequence[Apart] = (),
    even_chairs: bool = True,
    even_threes: bool = True,
) -> Plan:
    """Plan the next round for those in the ranking, the leader first: neighbours share tables ("Swiss").

    Nobody meets anybody twice as long as that can be had. `even_threes` as in `plan`, which comes before even
    that. `even_chairs` gives up some neighbourhood so that
    everybody can have each chair once in four rounds. Raises DrawError like `plan_next`.
    """
    checked_players(ranking, seats)
    played = checked_history(history, seats)
    rng = Random(seed)
    kept = kept_apart(ranking, groups, apart)
    found = tables_by_standings(
        numbered(played, ranking), kept, seats, rng, even_chairs=even_chairs, even_threes=even_threes
    )
    tables = tuple(tuple(ranking[number] for number in table) for table in found)
    new = _seated((tables,), played, seats, rng)
    return Plan(new, seed, quality([*played, *new], groups, seats=seats, apart=apart), continued=False)


def plan_by_lot(
    present: Sequence[int],
    rounds: int,
    *,
    seed: int,
    history: Sequence[Round] = (),
    groups: Groups | None = None,
    seats: Sequence[int] = THREE_AND_FOUR,
    apart: Sequence[Apart] = (),
) -> Plan:
    """Plan rounds by lot alone, whoever met before; byes go to those who have played most, then by lot.

    `groups` and `apart` are only what the result is judged by. Raises DrawError like `plan_next`.
    """
    players = checked_players(present, seats)
    if rounds < 1:
        raise DrawError("no_rounds", _("A draw needs at least one round."))
    event = list(checked_history(history, seats))
    rng = Random(seed)
    sizes = table_sizes(len(players), seats)
    for _round in range(rounds):
        played = Counter(p for tables in event for table in tables for p in table)
        by_rest = sorted(rng.sample(players, len(players)), key=lambda p: played[p])
        lot = rng.sample(by_rest[: sum(sizes)], sum(sizes))
        tables = tuple(tuple(lot.pop() for _seat in range(size)) for size in sizes)
        event += _seated((tables,), event, seats, rng)
    return Plan(
        tuple(event[len(history) :]), seed, quality(event, groups, seats=seats, apart=apart), continued=False
    )


def plan_as_given(
    given: Sequence[Round],
    present: Sequence[int],
    *,
    history: Sequence[Round] = (),
    groups: Groups | None = None,
    seats: Sequence[int] = THREE_AND_FOUR,
    apart: Sequence[Apart] = (),
) -> Plan:
    """Take the organiser's rounds as they are, tables in seat order; the seed is 0 and means nothing.

    Raises DrawError "not_present" and "not_given" where a round seats somebody else or leaves somebody out,
    "history" for a table of a wrong size or a player with two seats. Where tables have one size, as many as
    the planner would give a bye may be left out.
    """
    players = checked_players(present, seats)
    before = list(checked_history(history, seats))
    rounds = checked_history([*before, *given], seats)[len(before) :]
    for number, tables in enumerate(rounds, start=len(before) + 1):
        seated = {player for table in tables for player in table}
        for player in sorted(seated - set(players)):
            text = _("Round {round}: player {player} is not here.")
            raise DrawError("not_present", text, round=number, player=player)
        missing = sorted(set(players) - seated)
        if len(missing) > byes(len(players), seats):
            text = _("Round {round}: player {player} has no seat.")
            raise DrawError("not_given", text, round=number, player=missing[0])
    return Plan(rounds, 0, quality([*before, *rounds], groups, seats=seats, apart=apart), continued=False)


def _seated(
    rounds: tuple[Round, ...], played: Sequence[Round], seats: Sequence[int], rng: Random
) -> tuple[Round, ...]:
    """Return the rounds with everybody on a chair that they have had least often, as far as can be."""
    return seat_players(rounds, played, rng) if len(seats) > 1 else seat_alike(rounds, played, rng)
