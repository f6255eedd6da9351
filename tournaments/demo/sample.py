"""Sample players to try the program with: a club of their own with an evening in play, and how it goes again.

The club is in no union: its players can be entered nowhere else by a tick, and its evenings count nowhere.
"""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.clubs import add_club, free_slug, hold_all
from clubs.models import Account, Club, Membership, Player, Role, SampleClub
from core.errors import NotPossible
from tournaments.changes.log import write_down
from tournaments.demo.people import FIRST_NAMES, LAST_NAMES
from tournaments.demo.playing import DEAL_TAKES, play
from tournaments.entries.bulk import enter_all
from tournaments.lifecycle.drawing import draw
from tournaments.lifecycle.ending import call_off_sample
from tournaments.lifecycle.playing import start_round
from tournaments.models import Entry, Tournament
from tournaments.models.events import free_code

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet


SEED = 1724
PLAYERS, DEALS, REPORTED = 12, 12, 5
SLOWEST = 1.25 * DEAL_TAKES  # so that nothing is reported later than now
NAMED = 3  # so many of those who keep a club from being removed are named


def sample_of(account: Account) -> SampleClub | None:
    """The sample club that somebody tries the program with, if they have one."""
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
    hold_all(Club)  # two who begin at once have names of their own
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
    """What keeps a sample club from being removed, in words; "" if nothing does: people are never removed with it."""
    made_up = sample.players.values("pk")
    here = Entry.objects.filter(tournament__host=sample.club, tournament__called_off_at=None)
    members = Membership.objects.filter(club=sample.club, left=None)
    playing = here.exclude(status=Entry.Status.WITHDRAWN)
    among = Q(pk__in=playing.values("player")) | Q(pk__in=members.values("player"))
    people = Player.objects.filter(among).exclude(pk__in=made_up)
    if names := _named(people):
        return _(
            "%(names)s are not sample players but are entered with them or are members of their "
            "club. Withdraw them there or end their membership; then the sample players can be "
            "removed."
        ) % {"names": names}
    elsewhere = Entry.objects.exclude(tournament__host=sample.club).exclude(status=Entry.Status.WITHDRAWN)
    of_others = Membership.objects.filter(left=None).exclude(club=sample.club)
    away = Q(pk__in=elsewhere.values("player")) | Q(pk__in=of_others.values("player"))
    mixed = Player.objects.filter(away, pk__in=made_up)
    if names := _named(mixed):
        return _(
            "%(names)s are sample players who are entered in another club’s evening or are "
            "members there. Withdraw them there first."
        ) % {"names": names}
    return ""


def _named(players: QuerySet[Player]) -> str:
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
