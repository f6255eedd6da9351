"""The draw: who sits where in the rounds that have not started."""

import secrets
from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Count, Model
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from clubs.models import Account
from core.errors import NotPossible
from tournaments.boards.folders import lay_out, make_boards
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down
from tournaments.domain.draw_text import refusal_in_words
from tournaments.domain.log_values import DREW, DREW_MATCHES, SEATED_BY_HAND
from tournaments.draw import tables as draw_tables
from tournaments.draw.chairs import chairs_of
from tournaments.draw.tables import ONE_SITS_OUT, THREE_AND_FOUR, DrawError
from tournaments.ledger.queries import sizes_of_tables
from tournaments.models import Entry, Match, Penalty, Round, Seat, Table, Tournament
from tournaments.models.events import free_codes
from tournaments.rounds.dropping import drop_drawn, keep_rulings
from tournaments.rounds.planning import Asked, ranking_of
from tournaments.rounds.telling import Event, tell
from tournaments.teams.matches import draw_matches

EVEN_THREES = gettext_noop("Draw: share tables of three evenly, whatever the repeats")
FEWEST_REPEATS = gettext_noop("Draw: as few repeats as possible, rather than sharing tables of three evenly")


def as_it_stands(round_: Round) -> Round:
    """The round, read again by who has the tournament locked; raises NotPossible where its draw was discarded."""
    found = Round.objects.filter(pk=round_.pk).first()
    if found is None:
        raise NotPossible(_("The draw has changed in the meantime; check it again."))
    return found


def refuse_fixed_seats(round_: Round) -> None:
    """Raise NotPossible where nobody can take another seat: the round has started, or partners sit together."""
    if not round_.is_drawn:
        raise NotPossible(_("Round %(number)d has started.") % {"number": round_.number})
    if round_.tournament.in_teams:
        raise NotPossible(_("Partners sit together here; change the pair or team instead."))


def rounds_drawn_at_once(tournament: Tournament) -> int:
    """How many rounds the next draw seats: all that have not started, or one where the mode says so."""
    left = tournament.rounds_planned - tournament.rounds.exclude(state=Round.State.DRAWN).count()
    one = {Tournament.DrawMode.BY_ROUND, Tournament.DrawMode.STANDINGS}
    return min(left, 1) if tournament.draw_mode in one else left


@transaction.atomic
def draw(
    tournament: Tournament,
    *,
    seed: int | None,
    account: Account,
    now: datetime,
    given: Sequence[draw_tables.Round] = (),
    one_sits_out: bool = False,
    even_threes: bool | None = None,
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
        return _draw_matches(tournament, started, wanted, seed, account=account, now=now)
    _refuse_unready(tournament, wanted, given)
    entries = {entry.number: entry for entry in tournament.entries.playing().select_related("player")}
    if seed is None:
        # Rounds drawn one by one with one seed continue one plan.
        continues = started and started == tournament.rounds.count()
        seed = tournament.draw_seed if continues else None
    if seed is None:
        seed = secrets.randbelow(10**6)
    _choose_threes(tournament, even_threes, account=account, now=now)
    seats = sizes_of_tables(tournament)
    if one_sits_out and five_are_here(tournament):
        seats = ONE_SITS_OUT
    try:
        asked = _asked(tournament, sorted(entries), wanted, seed, given, seats)
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


def _asked(
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
    return mixed and tournament.entries.playing().count() == 5  # noqa: PLR2004 - five


def _refuse_unready(tournament: Tournament, wanted: int, given: Sequence[draw_tables.Round]) -> None:
    """Raise NotPossible where the way of drawing waits for standings, or for tables written down."""
    running = tournament.rounds.filter(state=Round.State.RUNNING).first()
    if tournament.draw_mode == Tournament.DrawMode.STANDINGS and running:
        text = _("Round %(number)d is running; close it first, so that the standings are known.")
        raise NotPossible(text % {"number": running.number})
    if tournament.draw_mode == Tournament.DrawMode.BY_HAND and not 1 <= len(given) <= wanted:
        text = ngettext(
            "Write down the tables of one round.", "Write down the tables of 1 to %(left)d rounds.", wanted
        )
        raise NotPossible(text % {"left": wanted}, "tables")


def _draw_matches(
    tournament: Tournament, started: int, wanted: int, seed: int | None, *, account: Account, now: datetime
) -> list[Round]:
    """Draw whom pairs or teams meet. A schedule that has begun goes on by its seed."""
    if seed is None and started:
        seed = tournament.draw_seed
    if seed is None:
        seed = secrets.randbelow(10**6)
    days = dict(tournament.rounds.exclude(date=None).values_list("number", "date"))
    before = laid_out(tournament)
    rulings = drop_drawn(tournament, account=account, now=now)
    rounds = draw_matches(tournament, started=started, rounds=wanted, seed=seed)
    for round_ in rounds:
        round_.date = days.get(round_.number)
    Round.objects.bulk_update(rounds, ["date"])
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


def laid_out(tournament: Tournament) -> list[Model]:
    """All that a draw has made of rounds that have not started: they, their matches and their tables."""
    drawn = tournament.rounds.filter(state=Round.State.DRAWN)
    matches = Match.objects.filter(round__in=drawn).select_related("round")
    return [*drawn, *matches, *Table.objects.filter(round__in=drawn).select_related("round")]


def fit_drawn_rounds(
    tournament: Tournament, *, anew: bool = False, account: Account, now: datetime
) -> list[Penalty]:
    """Let rounds that have not started follow a changed set-up: their deals, and how many there are.

    Where they are to be drawn `anew`, none is left. Return the rulings that named a deleted round.
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
