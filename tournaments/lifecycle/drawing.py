"""Drawing rounds and matches, storing draws, discarding them, and deleting rounds that have not started."""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Count, Model
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from clubs.models import Account
from core.errors import NotPossible
from core.sql import prepared_query
from tournaments.boards.folders import lay_out, make_boards
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down
from tournaments.domain.draw_text import refusal_in_words
from tournaments.domain.formats import Sides
from tournaments.domain.log_values import DREW, DREW_MATCHES, SEATED_BY_HAND
from tournaments.draw import tables as draw_tables
from tournaments.draw.chairs import chairs_of
from tournaments.draw.meetings import Matchday, next_meetings, rounds_to_meet
from tournaments.draw.tables import ONE_SITS_OUT, THREE_AND_FOUR, DrawError, seated_in_pairs
from tournaments.ledger.queries import is_ready, regulars, sizes_of_tables, teams_of
from tournaments.ledger.table_actions import settle_flag
from tournaments.lifecycle.fixtures import arranged
from tournaments.lifecycle.planning import Asked, ranking_of
from tournaments.lifecycle.webhook_events import Event, tell
from tournaments.models import (
    Entry,
    Flag,
    FolderChange,
    FormerSeat,
    KeptReport,
    Match,
    Penalty,
    Photograph,
    RevokedSecret,
    Round,
    Seat,
    SeatChange,
    SheetPicture,
    Table,
    Tournament,
)
from tournaments.models.events import free_codes
from tournaments.models.play import on_own_day
from tournaments.standings.team_ranking import side_of

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from tournaments.draw.tables import Table as Seated
    from tournaments.models import Team


# The draw: who sits where in the rounds that have not started.

EVEN_THREES = gettext_noop("Draw: share tables of three evenly, whatever the repeats")
FEWEST_REPEATS = gettext_noop("Draw: as few repeats as possible, rather than sharing tables of three evenly")


def as_it_stands(round_: Round) -> Round:
    """Refresh the round under the tournament's lock; raises NotPossible where its draw was discarded."""
    found = Round.objects.filter(pk=round_.pk).first()
    if found is None:
        raise NotPossible(_("The draw has changed in the meantime; check it again."))
    return found


def refuse_fixed_seats(round_: Round) -> None:
    """Raise NotPossible if players cannot swap seats: the round has started, or partners sit together."""
    if not round_.is_drawn:
        raise NotPossible(_("Round %(number)d has started.") % {"number": round_.number})
    if round_.tournament.in_teams:
        raise NotPossible(_("Partners sit together here; change the pair or team instead."))


def rounds_drawn_at_once(tournament: Tournament) -> int:
    """Number of rounds that the next draw seats: all that have not started, or one, depending on the mode."""
    left = tournament.rounds_planned - tournament.rounds.exclude(state=Round.State.DRAWN).count()
    one = {Tournament.DrawMode.BY_ROUND, Tournament.DrawMode.STANDINGS}
    return min(left, 1) if tournament.draw_mode in one else left


@transaction.atomic
def draw(  # noqa: PLR0913 - what a draw depends on
    tournament: Tournament,
    *,
    seed: int | None,
    account: Account,
    now: datetime,
    given: Sequence[draw_tables.Round] = (),
    one_sits_out: bool = False,
    even_threes: bool | None = None,
    dates: Sequence[date] = (),
) -> list[Round]:
    """Seat the players who are checked in: all rounds that have not started, or the next one only.

    `given` are the tables as entry numbers in seat order, where the organiser writes them down. `one_sits_out`: of five
    one sits out each round, in turn. `even_threes`: whether tables of three are shared evenly, whatever repeats that
    costs, from now on; None leaves it as it was chosen before.

    The seed is published: the same players, history and seed give the same seats to anyone. Entry numbers are
    what the planner sees, so the outcome does not hang on this database.
    """
    tournament = locked(tournament)
    if tournament.is_finished:
        raise NotPossible(_("The tournament is finished."))
    started = tournament.rounds.exclude(state=Round.State.DRAWN).count()
    wanted = rounds_drawn_at_once(tournament)
    if wanted < 1:
        raise NotPossible(_("All rounds have been started."))
    if tournament.in_teams:
        return _draw_matches(tournament, started, wanted, seed, dates=dates, account=account, now=now)
    _refuse_unready(tournament, wanted, given)
    entries = {entry.number: entry for entry in tournament.entries.playing().select_related("player")}
    if seed is None:
        seed = _seed_to_continue(tournament, started)
    _choose_threes(tournament, even_threes, account=account, now=now)
    sits_out = one_sits_out and five_are_here(tournament)
    seats = ONE_SITS_OUT if sits_out else sizes_of_tables(tournament)
    try:
        asked = _draw_parameters(tournament, sorted(entries), wanted, seed, given, seats)
        plan = asked.plan()
        tournament.draw_prices = asked.prices(plan)
    except DrawError as error:
        raise NotPossible(refusal_in_words(error), "tables") from error
    before = laid_out(tournament)
    rulings = drop_drawn(tournament, account=account, now=now)
    by_hand = tournament.draw_mode == Tournament.DrawMode.BY_HAND
    tournament.draw_seed = None if by_hand else seed
    tournament.save(update_fields=["draw_seed", "draw_prices"])
    rounds = [
        _seat(tournament, started + offset, tables, entries, plan.seed, asked.ranking)
        for offset, tables in enumerate(plan.rounds, start=1)
    ]
    rulings = keep_rulings(rulings, rounds)
    make_boards(rounds, account=account, now=now)
    write_down(
        tournament,
        account,
        SEATED_BY_HAND if by_hand else DREW,
        now=now,
        about=[tournament, *before, *laid_out(tournament), *rulings],
        rounds=len(rounds),
        players=len(entries),
        seed=plan.seed,
    )
    tell(tournament, Event.DRAW, rounds=rounds, now=now)
    return rounds


def _seed_to_continue(tournament: Tournament, started: int) -> int:
    """A random seed; for the next of rounds drawn one by one that of the others, so that they continue one plan."""
    continues = started and started == tournament.rounds.count()
    seed = tournament.draw_seed if continues else None
    return secrets.randbelow(10**6) if seed is None else seed


def _draw_parameters(
    tournament: Tournament,
    present: list[int],
    wanted: int,
    seed: int,
    given: Sequence[draw_tables.Round],
    seats: tuple[int, ...],
) -> Asked:
    by_standings = tournament.draw_mode == Tournament.DrawMode.STANDINGS
    has_played = by_standings and tournament.rounds.exclude(state=Round.State.DRAWN).exists()
    ranking = ranking_of(tournament, present) if has_played else []
    return Asked(tournament, present, wanted, seed, given, seats, ranking, tournament.even_threes)


def _choose_threes(
    tournament: Tournament, even_threes: bool | None, *, account: Account, now: datetime
) -> None:
    """Store how tables of three are shared from now on, where that is another choice than before."""
    if even_threes is None or even_threes == tournament.even_threes:
        return
    tournament.even_threes = even_threes
    tournament.save(update_fields=["even_threes"])
    text = EVEN_THREES if even_threes else FEWEST_REPEATS
    write_down(tournament, account, text, now=now, about=[tournament])


def five_are_here(tournament: Tournament) -> bool:
    """Whether five are to be seated where there are tables of three and four, which cannot hold them."""
    mixed = sizes_of_tables(tournament) == THREE_AND_FOUR
    return mixed and tournament.entries.playing().count() == 5  # five


def _refuse_unready(tournament: Tournament, wanted: int, given: Sequence[draw_tables.Round]) -> None:
    """Raise NotPossible where the chosen draw needs standings that are not final, or tables typed by the organiser."""
    running = tournament.rounds.filter(state=Round.State.RUNNING).first()
    if tournament.draw_mode == Tournament.DrawMode.STANDINGS and running:
        text = _("Round %(number)d is being played; close it first, so that the standings are known.")
        raise NotPossible(text % {"number": running.number})
    if tournament.draw_mode == Tournament.DrawMode.BY_HAND and not 1 <= len(given) <= wanted:
        text = ngettext(
            "Type in the tables of one round.", "Type in the tables of 1 to %(left)d rounds.", wanted
        )
        raise NotPossible(text % {"left": wanted}, "tables")


def _draw_matches(
    tournament: Tournament,
    started: int,
    wanted: int,
    seed: int | None,
    *,
    dates: Sequence[date] = (),
    account: Account,
    now: datetime,
) -> list[Round]:
    """Draw the matches of pairs or teams. A schedule that has begun is continued with its seed."""
    if seed is None and started:
        seed = tournament.draw_seed
    if seed is None:
        seed = secrets.randbelow(10**6)
    days = {round_.number: round_.date for round_ in tournament.rounds.all() if round_.date}
    days |= dict(enumerate(dates, start=started + 1))
    own = {} if dates else _own_days(tournament)
    before = laid_out(tournament)
    rulings = drop_drawn(tournament, account=account, now=now)
    rounds = draw_matches(tournament, started=started, rounds=wanted, seed=seed, dates=days)
    for round_ in rounds:
        round_.date = days.get(round_.number)
    Round.objects.bulk_update(rounds, ["date"])
    _keep_own_days(rounds, own)
    rulings = keep_rulings(rulings, rounds)
    tournament.draw_seed = seed
    tournament.save(update_fields=["draw_seed"])
    make_boards(rounds, account=account, now=now)
    write_down(
        tournament,
        account,
        DREW_MATCHES,
        now=now,
        about=[tournament, *before, *laid_out(tournament), *rulings],
        rounds=len(rounds),
        seed=seed,
    )
    tell(tournament, Event.DRAW, rounds=rounds, now=now)
    return rounds


OWN_DAY = ("day", "begins_at", "place", "postponed_to")


def _own_days(tournament: Tournament) -> dict[tuple[int, ...], tuple[Any, ...]]:
    """The days and places of matches that have their own, in drawn rounds, by round and teams."""
    drawn = Match.objects.filter(on_own_day(), round__tournament=tournament, round__state=Round.State.DRAWN)
    rows = drawn.values_list("round__number", "home", "away", *OWN_DAY)
    return {(number, home, away): when for number, home, away, *when in rows}


def _keep_own_days(rounds: Sequence[Round], own: dict[tuple[int, ...], tuple[Any, ...]]) -> None:
    """Let matches that are drawn as they were before keep their days."""
    kept = []
    for match in Match.objects.filter(round__in=rounds).select_related("round") if own else ():
        if when := own.get((match.round.number, match.home_id, match.away_id or 0)):
            for name, value in zip(OWN_DAY, when, strict=True):
                setattr(match, name, value)
            kept.append(match)
    Match.objects.bulk_update(kept, OWN_DAY)


def laid_out(tournament: Tournament) -> list[Model]:
    """All that a draw has made of rounds that have not started: they, their matches and their tables."""
    drawn = _drawn_rounds(tournament.pk)
    return [*drawn, *_drawn_matches(tournament.pk), *_drawn_tables(tournament.pk)] if drawn else []


@prepared_query
def _drawn_rounds(tournament: int) -> QuerySet[Round]:
    return Round.objects.filter(tournament=tournament, state=Round.State.DRAWN)


@prepared_query
def _drawn_matches(tournament: int) -> QuerySet[Match]:
    drawn = Match.objects.filter(round__tournament=tournament, round__state=Round.State.DRAWN)
    return drawn.select_related("round")


@prepared_query
def _drawn_tables(tournament: int) -> QuerySet[Table]:
    drawn = Table.objects.filter(round__tournament=tournament, round__state=Round.State.DRAWN)
    return drawn.select_related("round")


def fit_drawn_rounds(
    tournament: Tournament, *, anew: bool = False, account: Account, now: datetime
) -> list[Penalty]:
    """Adapt rounds that have not started to a changed set-up: number of deals, number of rounds.

    With `anew` all of them are deleted, to be drawn again. Returns the rulings that named a deleted round.
    """
    after = 0 if anew else tournament.rounds_planned
    rulings = drop_drawn(tournament, after=after, account=account, now=now)
    drawn = Table.objects.filter(round__tournament=tournament, round__state=Round.State.DRAWN)
    tables = list(drawn.annotate(seated=Count("seats")))
    for table in tables:
        table.deals = tournament.deals_for(table.seated)
    Table.objects.bulk_update(tables, ["deals"])
    for round_ in tournament.rounds.filter(state=Round.State.DRAWN).select_related("tournament"):
        lay_out(round_)
    return rulings


def _seat(
    tournament: Tournament,
    number: int,
    tables: draw_tables.Round,
    entries: dict[int, Entry],
    seed: int,
    ranking: Sequence[int],
) -> Round:
    over = sorted(entries.keys() - {player for seated in tables for player in seated})
    round_ = Round.objects.create(
        tournament=tournament, number=number, seed=seed, byes=over, ranking=list(ranking)
    )
    codes = free_codes(Table, len(tables))
    mixed = sizes_of_tables(tournament) == THREE_AND_FOUR
    chairs = chairs_of(tables, number - 1) if mixed else tables
    made = Table.objects.bulk_create(
        Table(
            round=round_,
            number=table_number,
            deals=tournament.deals_for(len(seated)),
            code=code,
            empty_chair=around.index(None) if None in around else None,
        )
        for table_number, (seated, around, code) in enumerate(
            zip(tables, chairs, codes, strict=True), start=1
        )
    )
    Seat.objects.bulk_create(
        Seat(table=table, round=round_, position=position, entry=entries[entry])
        for table, seated in zip(made, tables, strict=True)
        for position, entry in enumerate(seated)
    )
    return round_


@transaction.atomic
def discard_draw(tournament: Tournament, *, account: Account, now: datetime) -> None:
    """Throw away the seats of rounds that have not started; the seed in the log brings them back."""
    tournament = locked(tournament)
    if not tournament.rounds.filter(state=Round.State.DRAWN).exists():
        raise NotPossible(_("There is no drawn round to discard."))
    gone = laid_out(tournament)
    rulings = drop_drawn(tournament, account=account, now=now)
    tournament.draw_prices = {}
    tournament.save(update_fields=["draw_prices"])
    text = gettext_noop("Discarded the draw of the rounds not started")
    write_down(tournament, account, text, now=now, about=[*gone, *rulings])


# Deletes rounds that have not started, with every row that points to them, and names what must be removed first.


def drop_drawn(tournament: Tournament, *, after: int = 0, account: Account, now: datetime) -> list[Penalty]:
    """Delete the rounds after number `after` that have not started; return the rulings that named them.

    Raises NotPossible if a late report waits for a decision, or a table has a photograph: both are evidence that
    only a person may discard. Open calls are closed, so that the log has their text. A ruling remains in force
    without its round: `keep_rulings` links it to the round that replaces it.
    """
    drawn = tournament.rounds.filter(state=Round.State.DRAWN, number__gt=after)
    if not drawn.exists():
        return []
    _refuse_to_lose_evidence(drawn)
    for flag in Flag.objects.filter(table__round__in=drawn, settled_at=None).select_related("table__round"):
        settle_flag(flag, account, now=now)
    rulings = list(Penalty.objects.filter(round__in=drawn).select_related("round").order_by("pk"))
    Penalty.objects.filter(round__in=drawn).update(round=None)
    tables = Table.objects.filter(round__in=drawn)
    # A picture that waits to be read is deleted with its table by the database: it stays, as one that the desk sent.
    SheetPicture.objects.filter(table__in=tables).update(table=None)
    SheetPicture.objects.filter(captains__in=tables).update(captains=None)
    # A round whose start was taken back may have had calls, new links and other seats: the log has them.
    for model in (Flag, FolderChange, FormerSeat, KeptReport, RevokedSecret, SeatChange, Seat):
        model._default_manager.filter(table__in=tables).delete()
    tables.delete()
    Match.objects.filter(round__in=drawn).delete()
    drawn.delete()
    return rulings


def keep_rulings(rulings: Sequence[Penalty], rounds: Sequence[Round]) -> list[Penalty]:
    """Link rulings that named a deleted round to the new round of that number, or to none; return them."""
    new = {round_.number: round_ for round_ in rounds}
    for ruling in rulings:
        if ruling.round is not None:
            ruling.round = new.get(ruling.round.number)
    Penalty.objects.bulk_update(rulings, ["round"])
    return [*rulings]


def _refuse_to_lose_evidence(drawn: QuerySet[Round]) -> None:
    reported = Table.objects.filter(round__in=drawn, reports__isnull=False).select_related("round")
    if table := reported.order_by("round__number", "number").first():
        text = _("Deals have been reported in round %(number)d.")
        raise NotPossible(text % {"number": table.round.number})
    waiting = KeptReport.objects.filter(table__round__in=drawn, state=KeptReport.State.WAITING)
    if kept := waiting.select_related("table__round").order_by("table__round__number").first():
        text = _("A late report is waiting in round %(number)d; decide on it first.")
        raise NotPossible(text % {"number": kept.table.round.number})
    pictures = Photograph.objects.filter(table__round__in=drawn).select_related("table__round")
    if picture := pictures.order_by("table__round__number", "table__number").first():
        text = _(
            "Table %(table)d of round %(number)d has a photograph of its slip."
            " An organiser can remove it on the table’s page."
        )
        raise NotPossible(text % {"table": picture.table.number, "number": picture.table.round.number})


# The draw for pairs or teams: a round-robin schedule in each group, and the tables of the matches.
#
# All meet all in their group, as often as configured, and start over if more rounds are planned than the largest
# group needs. The format defines the number of tables of a match and the seats of each side: the home side has seats
# 0 and 2, N+S; at the second table it is reversed.


def draw_matches(
    tournament: Tournament, *, started: int, rounds: int, seed: int, dates: Mapping[int, date]
) -> list[Round]:
    """Seat the next rounds by matches; the caller has locked the tournament and dropped what was drawn.

    `started` rounds have been played; fewer than `rounds` are drawn where all have met. `dates` are those of rounds by
    number: wishes of the teams that name a day hang on them. Raises NotPossible.
    """
    teams = teams_of(tournament)
    days: Sequence[Matchday] = _matchdays(tournament, teams, started, seed)[:rounds]
    if not days:
        raise NotPossible(_("Everyone has met as often as planned; there is nothing left to draw."))
    of_days = [dates.get(number) for number in range(started + 1, started + len(days) + 1)]
    days = arranged(tournament, days, of_days, seed=seed)
    by_number = {team.number: team for team in teams}
    made = []
    for number, day in enumerate(days, start=started + 1):
        round_ = Round.objects.create(tournament=tournament, number=number, seed=seed)
        _store_matches(round_, day, by_number)
        made.append(round_)
    seat_matches(tournament, made)
    return made


def _matchdays(tournament: Tournament, teams: Sequence[Team], started: int, seed: int) -> list[Matchday]:
    """The matches of all rounds to come, the groups one after another; teams by number."""
    ready: dict[int, list[int]] = defaultdict(list)
    for team in teams:
        if is_ready(team):
            ready[team.division].append(team.number)
    alone = [numbers for numbers in ready.values() if len(numbers) == 1]
    if not ready or (alone and not started):
        error = DrawError("too_few_pairs", "At least two are needed to play against each other.")
        raise NotPossible(refusal_in_words(error), "tables")
    played = _started_matchdays(tournament, teams)
    left = tournament.rounds_planned - started
    byes = tournament.bye_teams
    most = max(rounds_to_meet(len(numbers), tournament.meetings, byes) for numbers in ready.values())
    again = -(-tournament.rounds_planned // most) if most else 1
    merged = [Matchday((), ()) for _round in range(left)]
    for division, numbers in sorted(ready.items()):
        if len(numbers) == 1:
            found: Sequence[Matchday] = ()
        else:
            found = _meetings(
                numbers,
                left,
                meetings=tournament.meetings * again,
                byes=byes,
                history=played[division][:started],
                seed=seed + division,
            )
        for index in range(left):
            day = found[index] if index < len(found) else Matchday((), tuple(numbers))
            merged[index] = Matchday(merged[index].matches + day.matches, merged[index].byes + day.byes)
    return [day for day in merged if day.matches]


def _meetings(numbers: Sequence[int], left: int, **how: Any) -> Sequence[Matchday]:
    try:
        return next_meetings(numbers, left, **how)
    except DrawError as error:
        raise NotPossible(refusal_in_words(error), "tables") from error


def _started_matchdays(tournament: Tournament, teams: Sequence[Team]) -> dict[int, list[Matchday]]:
    """The matches of each group's rounds that have started, by number."""
    division_of = {team.pk: team.division for team in teams}
    number_of = {team.pk: team.number for team in teams}
    started = tournament.rounds.exclude(state=Round.State.DRAWN).order_by("number")
    matches: dict[int, list[Match]] = defaultdict(list)
    for match in Match.objects.filter(round__in=started):
        matches[match.round_id].append(match)
    days: dict[int, list[Matchday]] = defaultdict(list)
    for division in set(division_of.values()):
        for round_ in started:
            mine = [match for match in matches[round_.pk] if division_of[match.home_id] == division]
            days[division].append(
                Matchday(
                    tuple(
                        (number_of[m.home_id], number_of[m.away_id]) for m in mine if m.away_id is not None
                    ),
                    tuple(number_of[match.home_id] for match in mine if match.is_bye),
                )
            )
    return days


def _store_matches(round_: Round, day: Matchday, teams: dict[int, Team]) -> None:
    """A row for each match, those with a bye behind the others."""
    meetings = [(teams[home], teams[away]) for home, away in day.matches]
    byes = [(teams[team], None) for team in day.byes]
    Match.objects.bulk_create(
        Match(round=round_, number=number, home=home, away=away)
        for number, (home, away) in enumerate([*meetings, *byes], start=1)
    )


def seat_matches(tournament: Tournament, rounds: Sequence[Round]) -> None:
    """The tables of each match in these rounds: one for pairs, two for teams of four.

    Everybody is on a chair of their side that they have had least often; the ways to split a team over two tables take
    turns.
    """
    had: dict[tuple[int, int], int] = defaultdict(int)
    seats = Seat.objects.filter(round__tournament=tournament).exclude(round__in=rounds)
    for position, entry in seats.values_list("position", "entry"):
        had[position, entry] += 1
    members = {team.pk: regulars(team)[: tournament.format_row.team_size] for team in teams_of(tournament)}
    entries = {entry.pk: entry for pair in members.values() for entry in pair}
    for round_ in rounds:
        matches = [match for match in round_.matches.order_by("number") if not match.is_bye]
        met, sides = [], []
        for match in matches:
            home, away = members[match.home_id], members[match.away_id or 0]
            for two in _sides(tournament, home, away, round_.number):
                met.append(match)
                sides.append(two)
        (tables,) = seated_in_pairs([sides], had)
        _store_tables(round_, list(zip(met, tables, strict=True)), entries)


def _sides(tournament: Tournament, home: Sequence[Entry], away: Sequence[Entry], number: int) -> list[Sides]:
    """The players at seats 0 and 2 and at 1 and 3 of each table of a match: the home side first, then turned."""
    ways = tournament.format_row.ways
    sides = []
    for table, (ours, theirs) in enumerate(ways[(number - 1) % len(ways)]):
        two = tuple(home[place].pk for place in ours), tuple(away[place].pk for place in theirs)
        sides.append(two[::-1] if side_of(0, at_second=table > 0) else two)
    return sides


def _store_tables(round_: Round, seated: list[tuple[Match, Seated]], entries: dict[int, Entry]) -> None:
    tournament = round_.tournament
    codes = free_codes(Table, len(seated))
    made = Table.objects.bulk_create(
        Table(round=round_, number=number, match=match, deals=tournament.deals_for(len(players)), code=code)
        for number, ((match, players), code) in enumerate(zip(seated, codes, strict=True), start=1)
    )
    Seat.objects.bulk_create(
        Seat(table=table, round=round_, position=position, entry=entries[entry])
        for table, (_match, players) in zip(made, seated, strict=True)
        for position, entry in enumerate(players)
    )
