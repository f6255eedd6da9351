"""Texts about the quality of a draw, for organisers and for players who ask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.rulebooks import rulebooks
from tournaments.draw.tables import THREE_AND_FOUR, DrawError, byes, table_sizes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tournaments.draw.quality import Quality


@dataclass(frozen=True, slots=True)
class Said:
    """A figure of a draw's quality; `good` where it could not be better."""

    title: str
    value: str
    good: bool


def quality_in_words(
    quality: Quality,
    *,
    clubs: int,
    byes: bool = False,
    wishes: bool = False,
    prices: Mapping[str, Any] | None = None,
    even_threes: bool = True,
) -> list[Said]:
    """Quality figures of a draw for players of this number of clubs, each with the best possible value if known.

    `byes`: all tables have one size, so players may have a bye. `wishes`: some players do not want to share a
    table. `prices`: the costs of an even share of tables of three and of fewest repeats, if they differ;
    `even_threes` is which was chosen.
    """
    said = [_repeats(quality)]
    if clubs > 1:
        said.append(_club_mates(quality))
    if quality.clubs_meet:
        meet = quality.clubs_meet
        said.append(Said(_("Players from two clubs meet"), _range(meet), _is_even(meet)))
    if wishes:
        said.append(_wishes(quality))
    uneven = quality.seat_imbalance
    seats = ngettext(
        "%(count)d player has the same seat twice more often than another",
        "%(count)d players have the same seat twice more often than another",
        uneven,
    ) % {"count": uneven}
    said.append(Said(_("Seats"), seats if uneven else _("as even as possible for everyone"), not uneven))
    said.append(Said(_("Deals first"), _range(quality.first_deals), _is_even(quality.first_deals)))
    if quality.tables_of_three[1]:
        said.append(
            Said(_("Tables of three"), _range(quality.tables_of_three), _is_even(quality.tables_of_three))
        )
    if prices:
        said.append(_price_of_threes(prices, even=even_threes))
    if byes:
        said.append(Said(_("Rounds played"), _range(quality.rounds_played), _is_even(quality.rounds_played)))
    return said


def _repeats(quality: Quality) -> Said:
    title = _("Meet again")
    if not quality.repeats:
        return Said(title, _("no two players meet twice"), good=True)
    value = ngettext("%(repeats)d time in all", "%(repeats)d times in all", quality.repeats) % {
        "repeats": quality.repeats
    }
    value += ", " + _("nobody meets the same player more than %(most)d times") % {
        "most": quality.most_meetings
    }
    good = quality.repeats <= quality.bound
    if good:
        value += "; " + _("no fewer are possible with this many players and rounds")
    elif quality.bound:
        value += "; " + ngettext(
            "at least %(count)d cannot be avoided", "at least %(count)d cannot be avoided", quality.bound
        ) % {"count": quality.bound}
    return Said(title, value, good)


def _club_mates(quality: Quality) -> Said:
    rounds = []
    for number, (pairs, fewest) in enumerate(
        zip(quality.club_mates, quality.club_mates_bound, strict=True), start=1
    ):
        text = (
            _("round %(number)d: %(pairs)d")
            if pairs <= fewest
            else _("round %(number)d: %(pairs)d (possible: %(fewest)d)")
        )
        rounds.append(text % {"number": number, "pairs": pairs, "fewest": fewest})
    good = quality.club_mates <= quality.club_mates_bound
    return Said(_("Pairs of club-mates at a table"), ", ".join(rounds), good)


def _wishes(quality: Quality) -> Said:
    title = _("Not at the same table")
    broken = len(quality.wishes_broken)
    if not broken:
        return Said(title, _("every wish is met"), good=True)
    value = ngettext(
        "%(count)d time two players share a table anyway",
        "%(count)d times two players share a table anyway",
        broken,
    ) % {"count": broken}
    strictly = sum(strict for _round, _one, _other, strict in quality.wishes_broken)
    if strictly:
        value += ", " + _("%(count)d of them against a strict wish") % {"count": strictly}
    return Said(title, value, good=False)


def _is_even(spread: tuple[int, int]) -> bool:
    return spread[1] - spread[0] <= 1


def _range(spread: tuple[int, int]) -> str:
    fewest, most = spread
    if fewest == most:
        return ngettext("%(count)d time each", "%(count)d times each", most) % {"count": most}
    return _("%(fewest)d to %(most)d times each") % {"fewest": fewest, "most": most}


def tables_in_words(players: int, seats: Sequence[int] = THREE_AND_FOUR) -> str:
    """The number of tables for so many players, and who is left over, as text. Raises DrawError where none fit."""
    sizes = table_sizes(players, seats)
    parts = [_tables(size, sizes.count(size)) for size in sorted(set(sizes), reverse=True)]
    said = _(" and ").join(parts)
    over = byes(players, seats)
    if not over:
        return said
    sits_out = ngettext("%(n)d player sits out each round", "%(n)d players sit out each round", over)
    return f"{said}; {sits_out % {'n': over}}"


def threes_in_words(prices: Mapping[str, Any]) -> dict[str, str]:
    """Both ways to share tables of three as they are offered, with the price of each where they differ."""
    texts = {
        "even": _("Even: nobody sits at one again until everyone has had a turn"),
        "fewest": _("Fewest repeats: as few players as possible meet twice"),
    }
    for way, price in prices.items():
        texts[way] += f" ({price_in_words(price)})"
    return texts


def price_in_words(price: Mapping[str, Any]) -> str:
    """The price of a draw: "6 repeats; at a table of three 2 to 3 times each"."""
    repeats = ngettext("%(count)d repeat", "%(count)d repeats", price["repeats"]) % {
        "count": price["repeats"]
    }
    threes = _("at a table of three %(times)s") % {"times": _range(tuple(price["threes"]))}
    return f"{repeats}; {threes}"


def _price_of_threes(prices: Mapping[str, Any], *, even: bool) -> Said:
    """The cost of the chosen option, compared with the other."""
    other = _("an even share") if not even else _("the fewest repeats")
    chosen, instead = ("even", "fewest") if even else ("fewest", "even")
    value = _("%(price)s. With %(other)s instead: %(instead)s") % {
        "price": price_in_words(prices[chosen]),
        "other": other,
        "instead": price_in_words(prices[instead]),
    }
    title = _("Price of an even share of tables of three") if even else _("Price of the fewest repeats")
    return Said(title, value, good=False)


def tables_named(tables: Iterable[tuple[int, int]]) -> str:
    """Tables as round and number: "round 2, table 4; round 3, table 6"."""
    text = _("round %(round)d, table %(table)d")
    return "; ".join(text % {"round": round_, "table": number} for round_, number in tables)


def _tables(size: int, count: int) -> str:
    match size:
        case 2:
            text = ngettext("%(n)d table of two", "%(n)d tables of two", count)
        case 3:
            text = ngettext("%(n)d table of three", "%(n)d tables of three", count)
        case 4:
            text = ngettext("%(n)d table of four", "%(n)d tables of four", count)
        case _:
            text = ngettext("%(n)d table of five", "%(n)d tables of five", count)
    return text % {"n": count}


def ways_out(players: int, seats: Sequence[int], *, rules_frozen: bool) -> list[str]:
    """Suggestions where this number of players fits no tables of these sizes; none where it does."""
    try:
        table_sizes(players, seats)
    except DrawError as error:
        ways = _five_in_words() if error.code == "five" else [_more_in_words(min(seats) - players)]
    else:
        return []
    others = [_(rulebook.name) for rulebook in rulebooks() if players in rulebook.players]
    if others and not rules_frozen:
        said = {"players": players, "names": ", ".join(others)}
        ways.append(
            _("Other rules allow %(players)d at one table: %(names)s. Choose them in the set-up.") % said
        )
    return ways


def _five_in_words() -> list[str]:
    return [
        _("One of the five sits out each round, in turn: choose this below."),
        _("Or find a sixth, for example a guest: then there are two tables of three."),
        _("Or one goes home: then there is one table of four."),
    ]


def _more_in_words(missing: int) -> str:
    text = ngettext(
        "%(count)d more player is needed; a guest needs only a name.",
        "%(count)d more players are needed; guests need only a name.",
        missing,
    )
    return text % {"count": missing}


def refusal_in_words(error: DrawError) -> str:
    return _(error.text).format(**error.params)


def pairs_that_meet_again(quality: Quality, names: Mapping[int, str]) -> list[str]:
    """Every pair that shares a table more than once, by name, and how often."""
    return [
        _("%(one)s and %(other)s: %(times)d times") % {"one": names[p], "other": names[q], "times": times}
        for p, q, times in quality.repeated_pairs
    ]
