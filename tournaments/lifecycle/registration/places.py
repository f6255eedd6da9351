"""Free places, the waiting list, and parties that enter together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.models import Player
from core.errors import NotPossible
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down
from tournaments.entries import entering
from tournaments.entries.entering import places_changed
from tournaments.entries.teams import Lineup, make_team
from tournaments.lifecycle.registration import mail
from tournaments.lifecycle.registration.links import why_over
from tournaments.models import Application, Entry, Tournament

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from clubs.models import Account


# Places: how many are left, who has one, and the waiting list, which moves up by itself in the order of turns.


def places_left(tournament: Tournament) -> int | None:
    """None where there is room for any number."""
    places = tournament.from_home.places
    if not places:
        return None
    return max(places - tournament.entries.exclude(status=Entry.Status.WITHDRAWN).count(), 0)


def settle(head: Application, *, now: datetime, account: Account | None = None) -> None:
    """Give a party what is available now: a place, its turn on the waiting list, or waiting for approval.

    The caller holds the tournament's lock. Raises NotPossible if all places are taken and there is no waiting
    list.
    """
    tournament, party = head.tournament, party_of(head)
    if not all(one.yes_at and one.is_known for one in party):
        set_state([one for one in party if one.state != State.ASKED], State.PENDING)
        return
    if head.turn is None:
        head.turn = next_turn(tournament)
        head.save(update_fields=["turn"])
    if not without_place(party):
        give_places(party, now=now, account=account)
        return
    if tournament.from_home.asks and not head.let_in_at:
        _tell_of(party, State.PENDING)
        return
    set_state(party, State.WAITING)
    moved = move_up(tournament, now=now, account=account, besides=head)
    if head.pk in moved:
        return
    if not tournament.from_home.waits and without_place(party):
        raise NotPossible(_("All places are taken."))
    write_down(
        tournament,
        account,
        gettext_noop("{player} is on the waiting list"),
        now=now,
        player=_names(party),
    )
    mail.tell(party, "waiting")


def _tell_of(party: Sequence[Application], state: str) -> None:
    set_state(party, state)
    mail.tell(party, "pending")


@transaction.atomic
def move_up(
    tournament: Tournament,
    *,
    now: datetime,
    account: Account | None = None,
    besides: Application | None = None,
) -> set[int]:
    """Give free places to the next on the waiting list and notify them; returns the keys of the applications.

    Strictly in order: a pair for which one place is not enough blocks those behind it. `besides` is not
    notified. Nothing moves automatically once seats are drawn.
    """
    tournament = locked(tournament)
    moved: set[int] = set()
    if not tournament.from_home.is_on or why_over(tournament):
        return moved
    left = places_left(tournament)
    waiting = tournament.applications.filter(state=State.WAITING, lead=None).order_by("turn", "number")
    for head in waiting.select_related("player", "club"):
        head.tournament = tournament
        party = party_of(head)
        needed = without_place(party)
        if left is not None and needed > left:
            break
        give_places(party, now=now, account=account)
        mail.tell(party, "place" if besides and besides.pk == head.pk else "moved_up")
        moved.add(head.pk)
        left = None if left is None else left - needed
    return moved


def give_places(party: Sequence[Application], *, now: datetime, account: Account | None) -> None:
    """Enter a party, and put it together as a pair or team where that is played; the caller holds the tournament."""
    tournament = party[0].tournament
    entries = [_entered(one, now=now, account=account) for one in party]
    for one, entry in zip(party, entries, strict=True):
        one.entry = entry
    Application.objects.bulk_update(party, ["entry"])
    set_state(party, State.ENTERED)
    divided = tournament.format_row.divided(entries)
    if divided is None or any(entry.team for entry in entries):
        return
    members, reserves = divided
    called = party[0].team_name
    name = "" if tournament.teams.filter(name=called).exists() else called
    lineup = Lineup(name=name, members=members, reserves=reserves)
    make_team(tournament, lineup, account=account, now=now)


def _entered(application: Application, *, now: datetime, account: Account | None) -> Entry:
    tournament = application.tournament
    if application.player is None:
        application.player = Player.objects.create(name=application.name, email=application.email)
        application.email = ""
        application.save(update_fields=["player", "email"])
    if entry := entry_of(application):
        return entry
    entry = entering.enter(tournament, application.player, club=application.club, account=account, now=now)
    if entry.status == Entry.Status.WITHDRAWN:
        entry.status = Entry.Status.ENTERED
        entry.save(update_fields=["status"])
        text = gettext_noop("{player} is entered again")
        write_down(tournament, account, text, now=now, about=[entry], player=entry)
    return entry


def _names(party: Sequence[Application]) -> str:
    return ", ".join(map(str, party))


def waits_before(head: Application) -> int:
    """The number of parties before this one on the waiting list."""
    return Application.objects.filter(
        tournament=head.tournament_id, state=State.WAITING, lead=None, turn__lt=head.turn or 0
    ).count()


def follow_entries(sender: object, tournament: Tournament, **_told: object) -> None:
    """Signal handler: when an entry withdraws or returns, the waiting list moves up in the same transaction."""
    del sender
    of_home = tournament.applications.exclude(entry=None)
    gone = Q(entry__status=Entry.Status.WITHDRAWN)
    of_home.filter(gone, state=State.ENTERED).update(state=State.WITHDRAWN)
    of_home.filter(~gone).exclude(state=State.ENTERED).update(state=State.ENTERED)
    move_up(tournament, now=timezone.now())


places_changed.connect(follow_entries, dispatch_uid="tournaments.lifecycle.registration")


# Parties: an applicant and the partners they named, or a single applicant.

State = Application.State
GONE = (State.WITHDRAWN, State.DECLINED)


def again(application: Application) -> Application:
    """Refresh the application; the caller holds the tournament's lock."""
    found = Application.objects.select_related("player", "club", "lead", "entry__player", "entry__club")
    stands = found.get(pk=application.pk)
    stands.tournament = application.tournament
    return stands


def head_of(application: Application) -> Application:
    """The application that the party began with."""
    if application.lead is None:
        return application
    application.lead.tournament = application.tournament
    return application.lead


def party_of(head: Application) -> list[Application]:
    """All current members of a party, the applicant first."""
    together = Application.objects.filter(Q(pk=head.pk) | Q(lead=head)).exclude(state__in=GONE)
    found = list(together.select_related("player", "club", "entry__player", "entry__club").order_by("number"))
    for one in found:
        one.tournament = head.tournament
    return sorted(found, key=lambda one: one.pk != head.pk)


def next_number(tournament: Tournament) -> int:
    """The caller holds the tournament."""
    return (tournament.applications.aggregate(last=Max("number"))["last"] or 0) + 1


def next_turn(tournament: Tournament) -> int:
    return (tournament.applications.aggregate(last=Max("turn"))["last"] or 0) + 1


def set_state(party: Sequence[Application], state: str) -> None:
    for one in party:
        one.state = state
    Application.objects.filter(pk__in=[one.pk for one in party]).update(state=state)


def without_place(party: Sequence[Application]) -> int:
    """The number of players in the party who still need a place: those with an entry have one."""
    return len(party) - sum(entry_of(one) is not None for one in party)


def entry_of(application: Application) -> Entry | None:
    """The entry by which an applicant has a place; None if it was withdrawn.

    None for unconfirmed applications, too: anyone who typed a number holds a link, but must not control the entry.
    """
    return entry_of_player(application) if application.yes_at else None


def entry_of_player(application: Application) -> Entry | None:
    """The player's entry, confirmed or not."""
    if application.player_id is None:
        return None
    there = Entry.objects.filter(tournament=application.tournament_id, player=application.player_id)
    return there.exclude(status=Entry.Status.WITHDRAWN).select_related("player", "club", "team").first()


def leave_party(application: Application) -> Application | None:
    """Separate a member from its party; returns the head of those who remain, if any."""
    head = head_of(application)
    rest = [one for one in party_of(head) if one.pk != application.pk]
    if application.lead_id is not None:
        application.lead = None
        application.save(update_fields=["lead"])
        return head
    if not rest:
        return None
    first, others = rest[0], rest[1:]
    first.lead, first.turn, first.let_in_at = None, application.turn, application.let_in_at
    first.team_name = application.team_name
    first.save(update_fields=["lead", "turn", "let_in_at", "team_name"])
    Application.objects.filter(pk__in=[one.pk for one in others]).update(lead=first)
    application.partners.exclude(pk__in=[one.pk for one in others]).update(lead=None)
    return first
