"""A season's ladder from its evenings' standings, and what a club does with a season: make, change, award, remove.

A player is the same person on every evening. On an evening of pairs or teams a player's place is that of the pair or
team, the tokens are the player's own. Evenings that have begun count as they stand; the ladder is cached by the
versions of the season and of all its evenings.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from django.core.cache import cache
from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.club_log import write_down
from clubs.models import Club, Membership
from clubs.names import shown_order
from tournaments.models import Award, Entry, Season, Tournament
from tournaments.models.events import told_apart
from tournaments.seasons.ladder import Kind, Line, Result, Rule, ladder
from tournaments.standings.players import standings
from tournaments.standings.rows import Row
from tournaments.steps.refusals import NotPossible
from tournaments.teams.standings import team_standings

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import date, datetime

    from clubs.models import Account
    from tournaments.values.comparing import Amount


@dataclass(frozen=True, slots=True)
class Evening:
    """An evening as the ladder's column."""

    code: str
    name: str
    date: date
    is_finished: bool


@dataclass(frozen=True, slots=True)
class Placed:
    """A player in the ladder: the name as the hall may show it, and where their newest evening's page is."""

    player_id: int
    name: str
    club: str
    code: str
    number: int
    line: Line[int]


@dataclass(frozen=True, slots=True)
class SeasonTable:
    """The ladder with its columns; `rows` in order, those without a place last."""

    evenings: tuple[Evening, ...]
    rows: tuple[Placed, ...]

    @property
    def placed(self) -> list[Placed]:
        return [row for row in self.rows if row.line.rank]

    @property
    def behind(self) -> list[Placed]:
        """Those who have played too little for a place."""
        return [row for row in self.rows if not row.line.rank]

    @property
    def has_dropped(self) -> bool:
        return any(evening and not evening.counts for row in self.rows for evening in row.line.evenings)

    @property
    def in_parts(self) -> bool:
        """Whether a total is not in whole tokens: then all are shown with decimals."""
        return any(isinstance(row.line.total, Fraction) for row in self.rows)

    @property
    def provisional(self) -> bool:
        """Whether an evening is still being played."""
        return not all(evening.is_finished for evening in self.evenings)


def rule_of(season: Season) -> Rule:
    return Rule(
        Kind(season.rule),
        best_of=season.best_of,
        least_evenings=season.least_evenings,
        least_deals=season.least_deals,
        points=tuple(season.place_points),
        counts_withdrawn=season.counts_withdrawn,
        breaks_ties=season.breaks_ties,
    )


def season_table(season: Season) -> SeasonTable:
    """The ladder of a fresh `season`."""
    evenings = season.evenings.not_called_off().exclude(state=Tournament.State.SETUP)
    begun = list(evenings.select_related("host").order_by("date", "pk"))
    versions = [(evening.pk, evening.version) for evening in begun]
    key = f"season:{season.pk}:{season.version}:{hash(tuple(versions))}"
    kept: tuple[object, SeasonTable] | None = cache.get(key)
    if kept is None or kept[0] != versions:
        kept = versions, _count(season, begun)
        cache.set(key, kept, 3600)
    return kept[1]


def _count(season: Season, evenings: Sequence[Tournament]) -> SeasonTable:
    results: dict[int, list[Result | None]] = defaultdict(lambda: [None] * len(evenings))
    newest: dict[int, Entry] = {}
    members: set[int] = set()
    for column, evening in enumerate(evenings):
        entries = {
            entry.pk: entry
            for entry in evening.entries.select_related("player", "club", "tournament__host").order_by("pk")
        }
        places = places_of_teams(evening) if evening.in_teams else None
        rows = standings(evening).rows
        # An evening counts for a player, and a player for the places of others, from the first deal of theirs on:
        # before it, 0 tokens would stand above everybody who has lost some.
        waiting = [row.rank for row in rows if not row.deals]
        for row in rows:
            if not row.deals:
                continue
            entry = entries[row.entry_id]
            newest[entry.player_id] = entry
            members |= {entry.player_id} if entry.club_id else set()
            alone = row.rank - bisect_left(waiting, row.rank)
            place = alone if places is None else places.get(entry.number, 0)
            results[entry.player_id][column] = Result(
                _result(row), row.with_rulings, row.deals, place, row.withdrawn
            )
    if not season.with_guests:
        results = {player: line for player, line in results.items() if player in members}
    names = shown_names(newest.values())
    lines = ladder(
        dict(sorted(results.items(), key=lambda item: shown_order(names[item[0]]))), rule_of(season)
    )
    return SeasonTable(
        tuple(Evening(one.code, one.name, one.date, one.is_finished) for one in evenings),
        tuple(_placed(line, newest[line.player], names[line.player]) for line in lines),
    )


def _result(row: Row) -> Amount:
    """What an evening brings to a sum: averages are no tokens, and what was taken along was won on another day."""
    if row.comparison.kind == Tournament.Comparison.AVERAGE:
        return row.with_rulings
    return row.total - row.carried


def places_of_teams(evening: Tournament) -> dict[int, int]:
    """Player's number -> the place of their pair or team in its division.

    Who only played as a substitute has the place of the team they played the most deals for.
    """
    rows = team_standings(evening).rows
    ranks = {row.number: row.rank for row in rows}
    found: dict[int, tuple[int, int]] = {}
    for row in rows:
        for player in row.players:
            found[player.number] = max(found.get(player.number, (0, 0)), (player.deals, row.rank))
    substitutes = {number: rank for number, (_deals, rank) in found.items()}
    members = evening.entries.filter(team__number__in=ranks).values_list("number", "team__number")
    return substitutes | {number: ranks[team] for number, team in members}


def _placed(line: Line[int], entry: Entry, name: str) -> Placed:
    club = entry.club.name if entry.club else ""
    return Placed(line.player, name, club, entry.tournament.code, entry.number, line)


def shown_names(entries: Iterable[Entry]) -> dict[int, str]:
    """Player -> the name as their club shows it, by an entry of each; the member's number where it shows numbers."""
    found = list(entries)
    held = Membership.objects.filter(player__in=[entry.player_id for entry in found], number__isnull=False)
    numbers = {
        (player, club): number
        for player, club, number in held.values_list("player", "club", "number")
        if number is not None
    }
    names = {}
    for entry in found:
        club = entry.club or entry.tournament.host
        number = numbers.get((entry.player_id, club.pk), entry.number)
        names[entry.player_id] = entry.player.named(club.name_style, number), number
    times = Counter(name for name, _number in names.values())
    return {
        player: told_apart(name, number, has_namesake=times[name] > 1)
        for player, (name, number) in names.items()
    }


def awards_of(season: Season, table: SeasonTable) -> list[tuple[Award, str]]:
    """The awards with the names of those who have them, as the hall may show them."""
    names = {row.player_id: row.name for row in table.rows}
    awards = list(season.awards.select_related("player"))
    others = Entry.objects.filter(
        tournament__season=season,
        player__in=[award.player_id for award in awards if award.player_id not in names],
    )
    names |= shown_names(others.select_related("player", "club", "tournament__host"))
    return [(award, names.get(award.player_id) or _unseen(award, season.host)) for award in awards]


def _unseen(award: Award, host: Club) -> str:
    """Who has an award and never played in the season, as the host shows its players."""
    if host.name_style != Club.NameStyle.NUMBER:
        return award.player.short_name
    held = award.player.memberships.filter(club=host, number__isnull=False).first()
    return str(held.number) if held else "–"


# What a club does with its seasons


def seasons_for(hosts: Iterable[Club]) -> Q:
    """Seasons that a tournament of one of these hosts may belong to: the host's own, and its union's."""
    ids = {club.pk for club in hosts} | {club.union_id for club in hosts if club.union_id}
    return Q(host__in=ids)


def may_have(season: Season, host: Club) -> bool:
    """Whether a tournament of `host` may belong to the season."""
    return season.host_id in (host.pk, host.union_id)


def evenings_for(season: Season) -> list[Tournament]:
    """The tournaments that could be evenings of the season, and those that are; by date."""
    hosts = Club.objects.filter(Q(pk=season.host_id) | Q(union=season.host_id))
    in_none = Q(season=None) | Q(season__removed_at__isnull=False)
    within = in_none & Q(host__in=hosts, date__range=(season.starts, season.ends))
    found = Tournament.objects.not_called_off().filter(within | Q(season=season))
    return list(found.select_related("host").order_by("date", "pk"))


@transaction.atomic
def store(season: Season, values: Mapping[str, object], *, account: Account, now: datetime) -> Season:
    """Make a season, or change it."""
    for name, value in values.items():
        setattr(season, name, value)
    text = (
        gettext_noop("Changed the season “{season}”")
        if season.pk
        else gettext_noop("Made the season “{season}”")
    )
    season.version += 1
    season.save()
    write_down(season.host, account, text, now=now, season=season)
    return season


@transaction.atomic
def choose_evenings(
    season: Season,
    codes: Collection[str],
    *,
    seen: Collection[str] | None = None,
    account: Account,
    now: datetime,
) -> None:
    """Let exactly these tournaments, by their codes, be the evenings of the season. Raises NotPossible.

    `seen` are those that the page showed as its evenings: what somebody else has chosen or left out since stays.
    """
    could = {tournament.code: tournament for tournament in evenings_for(season)}
    if seen is not None:
        are = {code for code, tournament in could.items() if tournament.season_id == season.pk}
        codes = (are | (set(codes) - set(seen))) - (set(seen) - set(codes))
    if not set(codes) <= could.keys():
        raise NotPossible(
            _("One of these tournaments cannot be in this season any more. Look at the list again.")
        )
    for code, tournament in could.items():
        is_one = tournament.season_id == season.pk
        if (code in codes) != is_one:
            wanted = None if is_one else season
            Tournament.objects.filter(pk=tournament.pk).update(season=wanted, version=F("version") + 1)
    text = gettext_noop("Chose the evenings of “{season}”")
    write_down(season.host, account, text, now=now, season=season)
    announce(season)


@transaction.atomic
def give_award(
    season: Season, *, title: str, player: int, words: str, account: Account, now: datetime
) -> Award:
    """Give a title to a player of the season, by the primary key. Raises NotPossible for anybody else."""
    played = Entry.objects.filter(tournament__season=season, player=player)
    entry = played.select_related("player").first()
    if entry is None:
        raise NotPossible(_("Awards go to those who have played in the season."), "player")
    last = season.awards.count()
    award = Award.objects.create(
        season=season, title=title, player=entry.player, words=words, number=last + 1
    )
    text = gettext_noop("“{season}”: the award “{title}” goes to {player}")
    write_down(season.host, account, text, now=now, season=season, title=title, player=entry.player)
    announce(season)
    return award


@transaction.atomic
def take_award_back(award: Award, *, account: Account, now: datetime) -> None:
    text = gettext_noop("“{season}”: took back the award “{title}”")
    write_down(award.season.host, account, text, now=now, season=award.season, title=award.title)
    award.delete()
    announce(award.season)


def announce(season: Season) -> None:
    Season.objects.filter(pk=season.pk).update(version=F("version") + 1)
