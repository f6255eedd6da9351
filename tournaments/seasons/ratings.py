"""Stored ratings of players, updated evening by evening, and the rating list."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from hashlib import sha256
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from django.db import transaction
from django.db.models import Max, Min, Q
from django.utils import timezone

from clubs.models import Club
from clubs.names import shown_order
from clubs.register_models import first_unions
from tournaments.changes.versions import print_of_versions
from tournaments.models import Entry, RatedEvening, Rating, RatingState, Tournament
from tournaments.models.names import NAMELESS, Of, shown_names
from tournaments.seasons.rating import MODEL, Game, Known, games_of, move_on

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.db.models import QuerySet


# Stored ratings: continued from the last evening, or recomputed from the day of an older one that changed.
#
# Any change of a tournament marks it as not rated (`changes.versions.announce`). A request for ratings first checks
# such evenings: if its games differ from those rated (or it was cancelled, reopened or moved), or other clubs take
# part now, ratings are recomputed from that day, some days per transaction, so that reports are not blocked for
# longer; what a process leaves undone the next one continues.

# Evenings rated in one transaction: a tenth of a second or two.
AT_ONCE = 100


def around(club: Club) -> Club:
    """Whose results are put together: those of the union that a club joined first, or the club's own in no union."""
    return club.unions.first() or club


def hosts_of(whole: Club) -> list[int]:
    """The clubs of a union (or the club) that show ratings, by primary key: their evenings count.

    An evening is rated once: a club of several unions counts in that which it joined first.
    """
    first = first_unions().filter(union=whole).values("club")
    hosts = Club.objects.filter(Q(pk=whole.pk) | Q(pk__in=first), shows_rating=True)
    return sorted(hosts.values_list("pk", flat=True))


def counting(hosts: Iterable[int]) -> QuerySet[Tournament]:
    """The evenings of these clubs that are rated."""
    finished = Tournament.objects.not_called_off().filter(state=Tournament.State.FINISHED)
    return finished.filter(host__in=hosts)


def bring_up_to_date(whole: Club) -> None:
    """Rate all that has been finished or changed since it was done last."""
    hosts = hosts_of(whole)
    while not _is_up_to_date(whole, hosts):
        with transaction.atomic():
            RatingState.objects.get_or_create(club=whole, defaults={"model": MODEL})
            state = RatingState.objects.select_for_update().get(club=whole)
            _take_back_other_model(state)
            _take_back_other_hosts(state, hosts)
            _look_again(state)
            if state.anew_from:
                _count_on(state, state.anew_from)
            state.save()


def version_of(whole: Club) -> tuple[int, ...]:
    """Version that changes with any rating or any name in them; ratings must be up to date.

    The versions of the evenings change with every change of a name.
    """
    state = RatingState.objects.get(club=whole)
    # As they were rated they lie side by side: half the work of finding each host's among all tournaments.
    rated = RatedEvening.objects.filter(whole=whole)
    versions = rated.aggregate(all=print_of_versions("tournament__"))["all"]
    return (state.pk, state.version, int(versions))


def to_bring_up_to_date() -> list[Club]:
    """The unions, and clubs without one, of which something is to be rated; clubs that changed their union aside."""
    waiting = _unrated().filter(state=Tournament.State.FINISHED, called_off_at=None).order_by()
    hosts = Club.objects.filter(pk__in=waiting.values("host")).values_list("pk", flat=True)
    union_of = dict(first_unions().values_list("club", "union"))
    wholes = {union_of.get(host, host) for host in hosts}
    to_count = RatingState.objects.exclude(anew_from=None, model=MODEL)
    wholes |= set(to_count.values_list("club", flat=True))
    return list(Club.objects.filter(pk__in=wholes))


def unsettled_from(state: RatingState) -> date | None:
    """The day from which on ratings wait to be counted; None where all are."""
    if state.model != MODEL or state.hosts != hosts_of(state.club):
        return date.min
    waiting = _to_look_at(state).aggregate(now=Min("date"), before=Min("rated__date"))
    return min((day for day in (state.anew_from, *waiting.values()) if day), default=None)


def known_in(row: Rating) -> Known:
    return Known(row.mu, row.sigma, row.tables, row.date)


def _is_up_to_date(whole: Club, hosts: Sequence[int]) -> bool:
    state = RatingState.objects.filter(club=whole).first()
    if state is None or state.anew_from or state.hosts != hosts or state.model != MODEL:
        return False
    return not _to_look_at(state).exists()


def _unrated() -> QuerySet[Tournament]:
    return Tournament.objects.filter(is_rated=False)


def _to_look_at(state: RatingState) -> QuerySet[Tournament]:
    """Evenings that were finished or changed: those that count, and those that did."""
    counts = Q(host__in=state.hosts, state=Tournament.State.FINISHED, called_off_at=None)
    return _unrated().filter(counts | Q(rated__whole=state.club_id))


def _anew_from(state: RatingState, days: Iterable[date | None]) -> None:
    """Mark ratings as outdated from the earliest of these days."""
    state.anew_from = min((day for day in (state.anew_from, *days) if day), default=None)


def _take_back_other_model(state: RatingState) -> None:
    """Mark ratings of another model as outdated from the first evening on."""
    if state.model != MODEL:
        state.model, state.anew_from = MODEL, date.min


def _take_back_other_hosts(state: RatingState, hosts: list[int]) -> None:
    """Where clubs joined or left the union, or show ratings no more or again, count from their first evening on."""
    gone, came = set(state.hosts) - set(hosts), set(hosts) - set(state.hosts)
    state.hosts = hosts
    if gone:
        theirs = Rating.objects.filter(whole=state.club_id, entry__tournament__host__in=gone)
        _anew_from(state, [theirs.aggregate(first=Min("date"))["first"]])
        RatedEvening.objects.filter(whole=state.club_id, tournament__host__in=gone).delete()
    if came:
        _anew_from(state, [counting(came).aggregate(first=Min("date"))["first"]])


def _look_again(state: RatingState) -> None:
    """Find out from which day on what has changed meanwhile changes a rating."""
    found = sorted(_to_look_at(state).values_list("pk", flat=True))
    # Locked while they are compared, in the common lock order.
    held = list(Tournament.objects.select_for_update().filter(pk__in=found).order_by("pk").only("code"))
    now = dict(counting(state.hosts).filter(pk__in=found).order_by().values_list("pk", "date"))
    rated = RatedEvening.objects.filter(tournament__in=found, whole=state.club_id).in_bulk(
        field_name="tournament_id"
    )
    prints = prints_of([one.code for one in held if one.pk in rated])
    for one in held:
        day, before = now.get(one.pk), rated.get(one.pk)
        if before is None:
            _anew_from(state, [day])
        elif (day, prints.get(one.code, NO_GAMES)) != (before.date, before.games):
            _anew_from(state, [day, before.date])
            before.delete()
    Tournament.objects.filter(pk__in=found).update(is_rated=True)


def print_of(games: Iterable[Game]) -> str:
    return sha256(repr([(game.players, game.tokens, game.deals) for game in games]).encode()).hexdigest()


NO_GAMES = print_of([])


def prints_of(codes: Sequence[str]) -> dict[str, str]:
    """By its code, a print of what each of these evenings is for ratings; none where nothing was played."""
    return {code: print_of(games) for code, games in groupby(games_of(codes), key=lambda game: game.event)}


def _count_on(state: RatingState, start: date) -> None:
    """Rate the evenings of some days from `start` on."""
    state.version += 1
    _forget_from(state, start)
    evenings = counting(state.hosts).filter(date__gte=start).order_by("date", "code")
    days = list(evenings.values_list("date", flat=True)[:AT_ONCE])
    state.anew_from = days[-1] + timedelta(days=1) if len(days) == AT_ONCE else None
    if days:
        by_code = {one.code: one for one in evenings.filter(date__lte=days[-1]).only("code", "date")}
        _rate(state, by_code)


def _forget_from(state: RatingState, start: date) -> None:
    """What was counted from a day on is gone; who was in it has again the rating before as the newest."""
    gone = Rating.objects.filter(whole=state.club_id, date__gte=start)
    players = list(gone.filter(is_newest=True).values_list("player", flat=True))
    gone._raw_delete(gone.db)  # nothing hangs on them, and there may be very many
    left = Rating.objects.filter(whole=state.club_id, player__in=players)
    last = left.order_by().values("player").annotate(last=Max("pk")).values("last")
    Rating.objects.filter(pk__in=list(last.values_list("last", flat=True))).update(is_newest=True)


def _rate(state: RatingState, evenings: dict[str, Tournament]) -> None:
    """Rate evenings, by their codes in their order, and keep what is known after each."""
    games = list(games_of(list(evenings)))
    before = Rating.objects.filter(
        whole=state.club_id, is_newest=True, player__in={player for game in games for player in game.players}
    )
    known = {row.player_id: known_in(row) for row in before}
    entries = Entry.objects.filter(tournament__code__in=evenings).values_list(
        "tournament__code", "player", "pk"
    )
    entry_of = {(code, player): pk for code, player, pk in entries.order_by()}
    newest: dict[int, Rating] = {}
    rows = []
    for code, played in move_on(known, games):
        for player, now in played.items():
            newest[player] = Rating(
                whole_id=state.club_id,
                player_id=player,
                entry_id=entry_of[code, player],
                date=evenings[code].date,
                mu=now.mu,
                sigma=now.sigma,
                tables=now.tables,
            )
            rows.append(newest[player])
    for row in newest.values():
        row.is_newest = True
    before.update(is_newest=False)
    Rating.objects.bulk_create(rows, batch_size=1000)
    _keep_prints(state, evenings, games)


def _keep_prints(state: RatingState, evenings: dict[str, Tournament], games: Iterable[Game]) -> None:
    prints = {code: print_of(played) for code, played in groupby(games, key=lambda game: game.event)}
    RatedEvening.objects.filter(tournament__in=evenings.values()).delete()
    RatedEvening.objects.bulk_create(
        RatedEvening(tournament=one, whole_id=state.club_id, date=one.date, games=prints.get(code, NO_GAMES))
        for code, one in evenings.items()
    )


# Ratings in the hall: a club's list, and a player's rating with the tournaments behind it.

# Minimum number of tables for a place in the list.
LEAST_TABLES = 5
# Players away for longer are listed below the others, without a place.
AWAY = timedelta(days=365)


@dataclass(frozen=True, slots=True)
class Listed:
    """A player in a club's list; `code` and `number` are of the newest entry, whose page has the curve.

    What is known of them is that of today. Who has been away for long has place 0. `player` and
    `club_id` are primary keys; `by_number` is whether their club shows them so.
    """

    name: str
    club: str
    code: str
    number: int
    rated: Known
    place: int = 0
    player: int = 0
    by_number: bool = False
    club_id: int = 0


class Point(NamedTuple):
    """A player's rating after a tournament, and how sure it was."""

    day: date
    points: int
    give_or_take: int


@dataclass(frozen=True, slots=True)
class Rated:
    """A player's rating as it is known today, and after each tournament."""

    now: Known
    history: Sequence[Point]
    is_away: bool


class _Newest(NamedTuple):
    """A player's newest evening for a club that shows ratings."""

    player: int
    club: int
    number: int
    code: str


def ratings(club: Club) -> dict[int, Known]:
    """Player -> rating, by all finished tournaments of the union (or the club) whose hosts show ratings."""
    return {player: Known(*known) for player, *known in _now(club).values_list("player", *KNOWN)}


KNOWN = ("mu", "sigma", "tables", "date")
NEWEST = ("player", "entry__club", "entry__number", "entry__tournament__code")


def is_away(known: Known, today: date) -> bool:
    """Whether a player has been away for too long to have a place."""
    return known.day is not None and today - known.day > AWAY


def rating_list(club: Club, today: date) -> list[Listed]:
    """The club's players (a union's: of all its clubs) with a meaningful rating, the highest first.

    Players who have been away for long come last. Erased players, guests, and players of clubs that show no
    ratings are left out.
    """
    enough = _now(club).filter(tables__gte=LEAST_TABLES).exclude(player__name=NAMELESS)
    shows = Q(entry__club__shows_rating=True)
    as_guests = enough.filter(Q(entry__club=None) | Q(entry__club__shows_rating=False))
    # Who was a guest lately is listed by the last evening that was none.
    whole = around(club)
    before = Rating.objects.filter(shows, whole=whole, player__in=as_guests.values("player"))
    last = before.order_by().values("player").annotate(last=Max("pk")).values("last")
    of_club = Q(entry__club=club) if whole != club else Q()
    rows = [
        _Newest(*row)
        for found in (enough.filter(shows), Rating.objects.filter(pk__in=last))
        for row in found.filter(of_club).values_list(*NEWEST)
    ]
    # A union lists nearly all of them: to name each in the question takes longer than to answer it.
    listed = Q(player__in=[row.player for row in rows]) if of_club else Q()
    known = {player: Known(*now) for player, *now in enough.filter(listed).values_list("player", *KNOWN)}
    return _placed(rows, known, today)


def _placed(rows: Sequence[_Newest], known: dict[int, Known], today: date) -> list[Listed]:
    told = Club.objects.filter(pk__in={row.club for row in rows})
    clubs = {pk: (name, style) for pk, name, style in told.values_list("pk", "name", "name_style")}
    names = shown_names(Of(row.player, row.club, row.number) for row in rows)
    points = {player: now.points for player, now in known.items()}
    away = {player: is_away(now, today) for player, now in known.items()}
    ordered = sorted(
        rows, key=lambda row: (away[row.player], -points[row.player], shown_order(names[row.player]))
    )
    listed: list[Listed] = []
    for count, row in enumerate(ordered, start=1):
        equal = count > 1 and points[ordered[count - 2].player] == points[row.player]
        place = 0 if away[row.player] else listed[-1].place if equal else count
        now = known[row.player].on(today)
        club, style = clubs[row.club]
        name, by_number = names[row.player], style == Club.NameStyle.NUMBER
        listed.append(Listed(name, club, row.code, row.number, now, place, row.player, by_number, row.club))
    return listed


def rating_of(entry: Entry, today: date | None = None) -> Rated | None:
    """The rating of who plays under this entry; None for guests, and where the host or the player's club shows none."""
    host = entry.tournament.host
    shows = host.shows_rating and entry.club is not None and entry.club.shows_rating
    if not shows or entry.player.name == NAMELESS:
        return None
    bring_up_to_date(around(host))
    rows = Rating.objects.filter(whole=around(host), player=entry.player_id).order_by("pk")
    kept = [Known(*known) for known in rows.values_list(*KNOWN)]
    if not kept:
        return None
    today = today or timezone.localdate()
    history = [Point(known.day, known.points, known.give_or_take) for known in kept if known.day]
    return Rated(kept[-1].on(today), history, is_away(kept[-1], today))


def _now(club: Club) -> QuerySet[Rating]:
    """Everybody's rating as it is now."""
    whole = around(club)
    bring_up_to_date(whole)
    return Rating.objects.filter(whole=whole, is_newest=True)
