"""A season's ladder from its evenings' standings, and what a club does with a season: make, change, award, remove.

A player is the same person on every evening. On an evening of pairs or teams a player's place is that of the pair or
team, the tokens are the player's own. Evenings that have begun count as they stand; what each of them is to the ladder
is kept (`results`), and the ladder is cached by the versions of the season and of all its evenings.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from django.core.cache import cache
from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.club_log import write_down
from clubs.models import Club
from clubs.names import shown_order
from tournaments.entries.shown_names import Of, shown_names
from tournaments.models import Award, Entry, Season, Tournament
from tournaments.seasons.ladder import Kind, Line, Result, Rule, ladder
from tournaments.seasons.results import Played, results_of
from tournaments.steps.refusals import NotPossible

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import date, datetime

    from clubs.models import Account


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
    found = season.evenings.not_called_off().exclude(state=Tournament.State.SETUP).order_by("date", "pk")
    begun = [_Begun(*row) for row in found.values_list(*_Begun._fields)]
    versions = [(evening.pk, evening.version) for evening in begun]
    key = f"season:{season.pk}:{season.version}:{hash(tuple(versions))}"
    kept: tuple[object, SeasonTable] | None = cache.get(key)
    if kept is None or kept[0] != versions:
        kept = versions, _count(season, begun)
        cache.set(key, kept, 3600)
    return kept[1]


class _Begun(NamedTuple):
    """What the ladder needs of an evening."""

    pk: int
    version: int
    code: str
    name: str
    date: date
    state: str
    host: int


def _count(season: Season, evenings: Sequence[_Begun]) -> SeasonTable:
    columns = {evening.pk: column for column, evening in enumerate(evenings)}
    results: dict[int, list[Result | None]] = defaultdict(lambda: [None] * len(evenings))
    newest: dict[int, Played] = {}
    members: set[int] = set()
    for one in results_of(list(columns)):
        results[one.player][columns[one.evening]] = one.result
        last = newest.setdefault(one.player, one)
        if columns[one.evening] > columns[last.evening]:
            newest[one.player] = one
        if one.club:
            members.add(one.player)
    if not season.with_guests:
        results = {player: line for player, line in results.items() if player in members}
    hosts = {evening.pk: evening.host for evening in evenings}
    names = shown_names(Of(one.player, one.club or hosts[one.evening], one.number) for one in newest.values())
    lines = ladder(
        dict(sorted(results.items(), key=lambda item: shown_order(names[item[0]]))), rule_of(season)
    )
    clubs = dict(Club.objects.filter(pk__in={one.club for one in newest.values()}).values_list("pk", "name"))
    codes = {evening.pk: evening.code for evening in evenings}
    return SeasonTable(
        tuple(
            Evening(one.code, one.name, one.date, one.state == Tournament.State.FINISHED) for one in evenings
        ),
        tuple(
            Placed(
                line.player,
                names[line.player],
                clubs.get(last.club, "") if last.club else "",
                codes[last.evening],
                last.number,
                line,
            )
            for line in lines
            for last in [newest[line.player]]
        ),
    )


def awards_of(season: Season, table: SeasonTable) -> list[tuple[Award, str]]:
    """The awards with the names of those who have them, as the hall may show them."""
    names = {row.player_id: row.name for row in table.rows}
    awards = list(season.awards.select_related("player"))
    others = Entry.objects.filter(
        tournament__season=season,
        player__in=[award.player_id for award in awards if award.player_id not in names],
    )
    names |= shown_names(
        {
            player: Of(player, club or host, number)
            for player, club, host, number in others.order_by("pk").values_list(
                "player", "club", "tournament__host", "number"
            )
        }.values()
    )
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
