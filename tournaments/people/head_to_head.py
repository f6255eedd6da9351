"""One player's results against, and in partnership with, others."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scoring.seats import Role
from tournaments.models import Entry
from tournaments.people import visibility
from tournaments.people.person import Evening, evenings_of
from tournaments.people.person_statistics import OwnDeal, deals_of, tables_of
from tournaments.standings.statistics import Declared

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import QuerySet

    from clubs.models import Club, Player
    from tournaments.ledger.seating import Sat
    from tournaments.people.span import Span


@dataclass(slots=True)
class Met:
    """Another player met at the table: number of tables and deals, and the tokens of each.

    `partner_deals` counts those in one pair or team. `against`: the player's games with the other as a defender,
    `under`: the other's games with the player as a defender.
    """

    player: int
    tables: set[int] = field(default_factory=set)
    deals: int = 0
    tokens: int = 0
    others_tokens: int = 0
    partner_deals: int = 0
    against: Declared = field(default_factory=Declared)
    under: Declared = field(default_factory=Declared)


def met(player: Player, span: Span | None = None, around: Club | None = None) -> list[Met]:
    """All people with whom a person has shared a deal, the most frequent first; without those who are nowhere named."""
    entries = visibility.with_names(visibility.entries(around, span))
    at = deals_of(entries.filter(player=player))
    who_is = _who(at.sittings.all)
    found: dict[int, Met] = {}
    for one in at.deals:
        sat = [who_is[entry] for entry in at.sittings.entries_in_deal(one.table, one.number)]
        own_team = sat[one.position][1]
        for position, (other, team) in enumerate(sat):
            if position != one.position and other:
                line = found.setdefault(other, Met(other))
                _count(line, one, position, in_one_team=team is not None and team == own_team)
    named = set(entries.filter(player__in=found).values_list("player", flat=True).distinct())
    return sorted(
        (line for line in found.values() if line.player in named), key=lambda line: (-line.deals, line.player)
    )


def _who(sittings: Iterable[Sat]) -> dict[int, tuple[int, int | None]]:
    """The player of each entry, and their pair or team."""
    entries = Entry.objects.filter(pk__in={sat.entry for sat in sittings})
    return {pk: (player, team) for pk, player, team in entries.values_list("pk", "player", "team")}


def _count(line: Met, one: OwnDeal, position: int, *, in_one_team: bool) -> None:
    deal, theirs = one.deal, one.deal.tokens[position]
    line.tables.add(one.table)
    line.tokens += one.tokens
    line.others_tokens += theirs
    if deal.is_totals_only:
        return
    line.deals += 1
    line.partner_deals += in_one_team
    if in_one_team or not deal.sort.is_declared:
        return
    # Who sits out defends nothing.
    if deal.declarer == one.position and deal.roles[position] is not Role.IDLE:
        line.against.add(one.tokens)
        line.against.count(deal.sort.outcome)
    elif deal.declarer == position and one.role is not Role.IDLE:
        line.under.add(theirs)
        line.under.count(deal.sort.outcome)


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """Two people: what each won at their common tables (`met` of the first), and the evenings at which both played.

    `evenings` are pairs, of the first and of the other; `ahead`, `behind` and `equal` how often the first was placed
    better, worse and equally, in the same division. `deals` are those that they shared, in their order, from the
    first's chair; `chairs` the other's positions.
    """

    met: Met
    evenings: list[tuple[Evening, Evening]]
    ahead: int
    behind: int
    equal: int
    deals: list[OwnDeal]
    chairs: list[int]


def head_to_head(
    one: Player, other: Player, span: Span | None = None, around: Club | None = None
) -> HeadToHead:
    entries = visibility.with_names(visibility.entries(around, span))
    own, theirs = entries.filter(player=one), entries.filter(player=other)
    both = set(own.values_list("tournament", flat=True)) & set(theirs.values_list("tournament", flat=True))
    own, theirs = own.filter(tournament__in=both), theirs.filter(tournament__in=both)
    their_entries = set(theirs.values_list("pk", flat=True))
    at = deals_of(own, tables_of(own) & tables_of(theirs))
    who_is = _who(at.sittings.all)
    line = Met(other.pk)
    shared: list[OwnDeal] = []
    chairs: list[int] = []
    for deal in at.deals:
        sat = at.sittings.entries_in_deal(deal.table, deal.number)
        for position, entry in enumerate(sat):
            if entry in their_entries:
                team, own_team = who_is[entry][1], who_is[sat[deal.position]][1]
                _count(line, deal, position, in_one_team=team is not None and team == own_team)
                shared.append(deal)
                chairs.append(position)
    pairs = _both(own, theirs)
    # Places of two divisions say nothing about each other.
    placed = [
        (mine.place, his.place)
        for mine, his in pairs
        if mine.place and his.place and mine.division == his.division
    ]
    return HeadToHead(
        line,
        pairs,
        sum(mine < his for mine, his in placed),
        sum(mine > his for mine, his in placed),
        sum(mine == his for mine, his in placed),
        shared,
        chairs,
    )


def _both(own: QuerySet[Entry], theirs: QuerySet[Entry]) -> list[tuple[Evening, Evening]]:
    mine, his = ({one.tournament: one for one in evenings_of(side, ())} for side in (own, theirs))
    return [(one, his[tournament]) for tournament, one in mine.items() if tournament in his]
