"""Playing demo tournaments: people, strengths, deals, rehearsals, a sample tournament."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from random import Random
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.clubs import add_club, free_slug, lock_table
from clubs.models import Account, Club, Membership, Player, Role, SampleClub
from core.errors import NotPossible
from scoring.bots import next_step, play_round
from scoring.game import Act, Deal, Phase, Step
from scoring.game.steps import bid_of, known
from scoring.results import DealResult
from scoring.rulebook import Rulebook
from scoring.seats import ACTIVE, Seating, dealer_of
from scoring.settlement import IllegalResult, Settlement, settle
from tournaments.changes.log import write_down
from tournaments.entries import entering
from tournaments.entries.bulk import enter_all
from tournaments.ledger import Author, Submission, agree, record
from tournaments.ledger.queries import rulebook_of
from tournaments.ledger.seating import seating_at
from tournaments.lifecycle.drawing import draw
from tournaments.lifecycle.ending import call_off_sample
from tournaments.lifecycle.playing import close_round, start_round
from tournaments.models import Entry, Tournament
from tournaments.models.events import free_code

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from django.db.models import QuerySet

    from scoring.game import State
    from tournaments.models import Round, Table


# The people of the demo: three clubs of a union, and who plays in them.

UNION = ("Østjysk L'Hombre-Union", "oestjysk", "Aarhus")
CLUBS = (
    ("Skovby L'Hombreklub", "skovby", "Skovby"),
    ("Brædstrup Kortlaug", "braedstrup", "Brædstrup"),
    ("L'Hombreklubben Sømærke", "soemaerke", "Juelsminde"),
)
# Where the clubs play, by their short name in addresses.
POSITIONS = {
    "skovby": "56.15900, 9.95400",
    "braedstrup": "55.97000, 9.61200",
    "soemaerke": "55.70900, 10.01500",
}

FIRST_NAMES = """
    Anna Bent Carl Dorthe Erik Grethe Hans Inger Jens Karen Lars Mette Niels Orla Poul Ruth Svend Tove Ulla Viggo
    Aage Birthe Egon Else Frede Gerda Henning Jytte Kaj Lis Mogens Nanna Ove Preben Rigmor Søren Thyra Verner Åse
    Børge Ditte Ejnar Gudrun Helge Kirsten Knud Lilian Margit
""".split()
LAST_NAMES = """
    Andersen Bak Christensen Dahl Eriksen Frandsen Greve Holm Iversen Juhl Kjær Lund Møller Nørgaard Overgaard
    Pedersen Riis Skov Thomsen Vestergaard Winther Østergaard Aagaard Bjerre
""".split()


def members_of(clubs: list[Club], random: Random) -> list[tuple[Player, Club]]:
    last_names = random.sample(LAST_NAMES * 2, len(FIRST_NAMES))
    members = []
    for index, (first, last) in enumerate(zip(FIRST_NAMES, last_names, strict=True)):
        club = clubs[index % len(clubs)]
        player = Player.objects.create(name=f"{first} {last}")
        joined = date(random.randint(1985, 2025), random.randint(1, 12), random.randint(1, 28))
        Membership.objects.create(player=player, club=club, number=index // len(clubs) + 1, joined=joined)
        members.append((player, club))
    return members


def enter_demo_people(
    tournament: Tournament,
    members: list[tuple[Player, Club]],
    account: Account,
    now: datetime,
    *,
    here: bool = True,
) -> None:
    for player, club in members:
        entry = entering.enter(tournament, player, club=club, account=account, now=now)
        if here:
            entering.check_in(entry, present=True, account=account, now=now)
            entering.mark_paid(entry, paid=True, account=account, now=now)


# What is played in the demo: deals by bots, reported one by one, each at its own time.

DEAL_TAKES = timedelta(minutes=3, seconds=20)


def play_whole(round_: Round, account: Account, start: datetime, random: Random, takes: timedelta) -> None:
    """Play a round from its start to its close."""
    round_ = start_round(round_, account=account, now=start)
    for table in round_.tables.select_related("round__tournament"):
        play(table, table.deals, start, random)
        for seat in table.seats.all():
            agree(seat, now=start + takes)
    close_round(round_, account=account, now=start + takes)


def play(table: Table, deals: int, start: datetime, random: Random) -> None:
    """Report the first deals of a table, each at its own time."""
    rulebook = rulebook_of(table.round.tournament)
    strengths = strengths_at(table)
    seed = random.randrange(10**6)
    played = results(
        rulebook,
        len(strengths),
        deals,
        seed=seed,
        first_dealer=table.first_dealer,
        in_pairs=table.round.tournament.hands_taken_over,
        strengths=strengths,
    )
    report_all(table, played, start, random)


def strengths_at(table: Table) -> list[float]:
    """The strength of each player at a table, by position."""
    seats = table.seats.select_related("entry__player").order_by("position")
    return [strength_of(seat.entry.player.name) for seat in seats]


def report_all(table: Table, played: Iterable[dict[str, Any]], start: datetime, random: Random) -> None:
    moment = start
    for deal, result in enumerate(played, start=1):
        moment += DEAL_TAKES * random.uniform(0.7, 1.25)
        _report(table, deal, 0, result, "", moment, random)


def correct(table: Table, deal: int, random: Random, now: datetime) -> None:
    seating = seating_at(table, table.seats.count(), deal)
    result = {"contract": "solo", "declarer": seating.forehand, "trump": "H", "outcome": "won"}
    _report(table, deal, 1, result, "Forkert spilfører", now, random)


def _report(
    table: Table, deal: int, base: int, result: dict[str, object], reason: str, now: datetime, random: Random
) -> None:
    key = UUID(int=random.getrandbits(128), version=4)
    submission = Submission(key=key, deal=deal, base=base, result=result, made_at=now, reason=reason)
    answer = record(table, [submission], Author("captain"), now=now)[0]
    if answer.status != "accepted":
        raise RuntimeError(f"the rules refuse what was played by them: {result}: {answer}")


# Sample players for trying the program: a club of their own with a running evening, and its removal.
#
# The club is in no union, its players are not offered elsewhere, and its evenings count nowhere.

SEED = 1724
PLAYERS, DEALS, REPORTED = 12, 12, 5
SLOWEST = 1.25 * DEAL_TAKES  # so that nothing is reported later than now
NAMED = 3  # so many of those who keep a club from being removed are named


def sample_of(account: Account) -> SampleClub | None:
    """The account's sample club, if any."""
    mine = SampleClub.objects.filter(club__roles__account=account, removed_at=None)
    return mine.select_related("club").first()


@transaction.atomic
def make_sample(*, account: Account, now: datetime) -> Tournament:
    """A club of sample players with an evening whose first round is being played; asking twice is asking once."""
    Account.objects.select_for_update().get(pk=account.pk)  # who presses twice takes turns
    there = sample_of(account)
    if there and (evening := _evenings(there).filter(called_off_at=None).first()):
        return evening
    club = there.club if there else _club(account)
    players = Player.objects.filter(memberships__club=club, memberships__left=None)
    start = now - (REPORTED + 2) * SLOWEST
    tournament = Tournament.objects.create(
        code=free_code(Tournament), host=club, name=_("Sample evening"), date=timezone.localdate(now),
        rounds_planned=2, deals_per_round=DEALS, tie_breaks=["best_round", "games_won"],
    )  # fmt: skip
    write_down(tournament, account, gettext_noop("Set up the tournament"), now=start, about=[tournament])
    enter_all(tournament, [(player, club) for player in players], here=True, account=account, now=start)
    random = Random(SEED)
    draw(tournament, seed=random.randrange(10**6), account=account, now=start)
    round_ = start_round(tournament.rounds.get(number=1), account=account, now=start)
    for table in round_.tables.select_related("round__tournament"):
        deals = random.randint(REPORTED - 2, REPORTED)
        play(table, deals, now - deals * SLOWEST, random)
    return tournament


def _club(account: Account) -> Club:
    lock_table(Club)  # two who begin at once have names of their own
    plain = _("Sample club")
    taken = set(Club.objects.filter(name__startswith=plain).values_list("name", flat=True))
    name = next(
        name
        for name in (plain, *(f"{plain} {count}" for count in range(2, len(taken) + 3)))
        if name not in taken
    )
    club = add_club(Club(name=name, shows_rating=False))
    Role.objects.create(account=account, club=club, kind=Role.Kind.ORGANISER)
    names = zip(FIRST_NAMES, LAST_NAMES[::2], strict=False)
    players = [
        Player.objects.create(name=" ".join(name)) for name, _one in zip(names, range(PLAYERS), strict=False)
    ]
    joined = timezone.localdate() - timedelta(days=365)
    Membership.objects.bulk_create(
        Membership(player=player, club=club, number=number, joined=joined)
        for number, player in enumerate(players, start=1)
    )
    SampleClub.objects.create(club=club).players.set(players)
    return club


def _evenings(sample: SampleClub) -> QuerySet[Tournament]:
    return Tournament.objects.filter(host=sample.club).order_by("-pk")


def why_not(sample: SampleClub) -> str:
    """The reason why a sample club cannot be removed; "" if it can: real people are never removed with it."""
    made_up = sample.players.values("pk")
    here = Entry.objects.filter(tournament__host=sample.club, tournament__called_off_at=None)
    members = Membership.objects.filter(club=sample.club, left=None)
    playing = here.exclude(status=Entry.Status.WITHDRAWN)
    among = Q(pk__in=playing.values("player")) | Q(pk__in=members.values("player"))
    people = Player.objects.filter(among).exclude(pk__in=made_up)
    if names := _join_names(people):
        return _(
            "%(names)s are not sample players but are entered with them or are members of their "
            "club. Withdraw them there or end their membership; then the sample players can be "
            "removed."
        ) % {"names": names}
    elsewhere = Entry.objects.exclude(tournament__host=sample.club).exclude(status=Entry.Status.WITHDRAWN)
    of_others = Membership.objects.filter(left=None).exclude(club=sample.club)
    away = Q(pk__in=elsewhere.values("player")) | Q(pk__in=of_others.values("player"))
    mixed = Player.objects.filter(away, pk__in=made_up)
    if names := _join_names(mixed):
        return _(
            "%(names)s are sample players who are entered in another club’s evening or are "
            "members there. Withdraw them there first."
        ) % {"names": names}
    return ""


def _join_names(players: QuerySet[Player]) -> str:
    names = [str(player) for player in players[: NAMED + 1]]
    return ", ".join(names[:NAMED]) + (" …" if len(names) > NAMED else "")


@transaction.atomic
def remove_sample(sample: SampleClub, *, account: Account, now: datetime) -> None:
    """Let the sample club, its players and its evenings be nowhere any more. Raises NotPossible: see `why_not`."""
    sample = SampleClub.objects.select_for_update(of=("self",)).select_related("club").get(pk=sample.pk)
    if sample.removed_at:
        return
    if problem := why_not(sample):
        raise NotPossible(problem)
    for tournament in _evenings(sample).filter(called_off_at=None):
        call_off_sample(tournament, account=account, now=now)
    members = Membership.objects.filter(club=sample.club, left=None)
    members.update(left=timezone.localdate(now), number=None)
    Role.objects.filter(club=sample.club).delete()
    Club.objects.filter(pk=sample.club.pk).update(
        name=f"{sample.club.name} ({sample.pk}, {now:%Y-%m-%d})", slug=free_slug("removed")
    )
    sample.removed_at = now
    sample.save(update_fields=["removed_at"])


# Results for demonstrations and rehearsals: complete deals played by bots, reported as by a captain.


def results(
    rulebook: Rulebook,
    players: int,
    deals: int,
    *,
    seed: int,
    first_dealer: int = 0,
    in_pairs: bool = False,
    strengths: Sequence[float] = (),
) -> Iterator[dict[str, Any]]:
    """The results of so many deals at one table, seats as positions; the same seed gives the same results.

    `strengths` are those of the players, from 0 to 1; without them all play as well as bots can.
    """
    choose = playing(strengths, Random(f"{seed} slips")) if strengths else next_step
    dealt = play_round(
        rulebook, players, deals, seed, first_dealer=first_dealer, in_pairs=in_pairs, choose=choose
    )
    for played in dealt:
        seating = played.state.table.seating
        yield in_short(played.result, seating, rulebook).to_json(seating)


Cards = tuple[str, ...]


def results_on_boards(
    rulebook: Rulebook,
    players: int,
    folders: Iterable[tuple[tuple[Cards, Cards, Cards], Cards]],
    *,
    seed: int,
    in_pairs: bool = False,
    strengths: Sequence[float] = (),
) -> Iterator[dict[str, Any]]:
    """The results of these folders (hands and talon) in their order at one table whose position 0 deals first.

    Tables with other seeds play the same cards a little differently: without `strengths` all are of middling strength.
    """
    random = Random(seed)
    choose = playing(strengths or [MIDDLE] * players, random)
    for number, (hands, talon) in enumerate(folders, start=1):
        seating = rulebook.seating(players, dealer_of(number, players), in_pairs=in_pairs)
        state = Deal(rulebook, seating, dict(zip(ACTIVE, hands, strict=True)), talon).start()
        while not state.over:
            state = state.after(choose(state))
        yield in_short(state.result(), seating, rulebook).to_json(seating)


def in_short(result: DealResult, seating: Seating, rulebook: Rulebook) -> DealResult:
    """The result in the fewest words that settle it alike: won, bête or kodille, and tricks only where they count."""
    settled = settle(result, seating, rulebook)
    without_notes = result._replace(first_five_by=None, led_sixth=False, claimed_after=None)
    outcome = without_notes._replace(tricks=(), played_out=None, outcome=str(settled.outcome))
    for shorter in (outcome, without_notes):
        if (
            not result.all_passed
            and not result.abandoned
            and _settles_as(shorter, seating, rulebook, settled)
        ):
            return shorter
    return result


def _settles_as(result: DealResult, seating: Seating, rulebook: Rulebook, settled: Settlement) -> bool:
    try:
        return settle(result, seating, rulebook) == settled
    except IllegalResult:
        return False


# Players of different strength: bots that make mistakes, weak ones more often, so that the true order is known.
#
# A mistake in play is a random legal card; a mistake in the auction is a game bid on a hand that the bot would pass,
# or the reverse. So strength changes what a player declares, and how often they win.

# Probabilities of a mistake at strength 0; at strength 1 they are 0.
SLIPS_IN_PLAY, SLIPS_IN_CALLS = 0.25, 0.12
# Strengths lie around the middle, so far apart, and between these.
MIDDLE, APART = 0.5, 0.25
LEAST, MOST = 0.02, 0.98


def some_strength(random: Random) -> float:
    """A random strength from 0 to 1."""
    return within(random.gauss(MIDDLE, APART))


def within(strength: float) -> float:
    return min(max(strength, LEAST), MOST)


def strength_of(name: str) -> float:
    """The hidden strength of a person of the demo: always the same."""
    return some_strength(Random(f"strength of {name}"))


def playing(strengths: Sequence[float], random: Random) -> Callable[[State], Step]:
    """A player's choices in their turn, by the strengths of the players at each position."""

    def choose(state: State) -> Step:
        weakness = 1 - strengths[state.table.seating.positions[known(state.to_act)]]
        if state.phase is Phase.AUCTION:
            slips = random.random() < weakness * SLIPS_IN_CALLS
            return _other_call(state) if slips else next_step(state)
        cards = state.legal_cards()
        if cards and random.random() < weakness * SLIPS_IN_PLAY:
            return Step(known(state.to_act), Act.PLAY, random.choice(cards))
        return next_step(state)

    return choose


def _other_call(state: State) -> Step:
    """A pass instead of a bid; the lowest bid instead of a pass."""
    step, legal = next_step(state), state.legal_calls()
    if step.act is Act.PASS:
        bids = (call for call in legal if call.act is Act.BID and not bid_of(call.value)[1])
        return next(bids, step)
    return next((call for call in legal if call.act is Act.PASS), step)
