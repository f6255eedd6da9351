"""Accepting and refusing applications, and erasing their personal data."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.models import Letter
from core.errors import NotPossible
from core.text import clean_text
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down
from tournaments.entries.entering import GUEST_NAME_LENGTH, leave_from_home
from tournaments.entries.teams import dissolve
from tournaments.lifecycle.registration import mail
from tournaments.lifecycle.registration.links import make_link, refuse_when_over
from tournaments.lifecycle.registration.places import (
    GONE,
    State,
    again,
    entry_of,
    entry_of_player,
    give_places,
    head_of,
    move_up,
    next_number,
    next_turn,
    party_of,
    set_state,
    settle,
)
from tournaments.lifecycle.registration.requests import enter_again, say_yes, stand_by_this_alone, withdraw
from tournaments.models import Application, Tournament
from tournaments.models.names import NAMELESS

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

    from clubs.models import Account, Club, Player
    from tournaments.models.base import FromHome


# The organiser's decisions on applications: confirm, approve, move, decline, undo.


def _lock_application(application: Application) -> Application:
    application.tournament = locked(application.tournament)
    return again(application)


@transaction.atomic
def allow(tournament: Tournament, *, chosen: FromHome, account: Account, now: datetime) -> int:
    """Store what the organiser allows; how many have come in from the waiting list by that."""
    tournament = locked(tournament)
    if tournament.from_home == chosen:
        return 0
    tournament.entering = chosen.to_json()
    tournament.save(update_fields=["entering"])
    text = (
        gettext_noop("Entry from home: changed the settings, {places} places")
        if chosen.is_on
        else gettext_noop("Entry from home is closed")
    )
    write_down(
        tournament,
        account,
        text,
        now=now,
        about=[tournament],
        **({"places": chosen.places} if chosen.is_on else {}),
    )
    return len(move_up(tournament, now=now, account=account))


@transaction.atomic
def let_in(application: Application, *, account: Account, now: datetime) -> None:
    """Confirm and approve an application in the player's place."""
    application = _lock_application(application)
    if application.state in GONE:
        raise NotPossible(_("They have withdrawn or were declined. Restore them first."))
    refuse_when_over(application.tournament)
    if not application.is_known:
        raise NotPossible(_("First choose who “%(typed)s” is.") % {"typed": application.typed})
    head = head_of(application)
    if not head.let_in_at:
        head.let_in_at = now
        head.save(update_fields=["let_in_at"])
    if application.yes_at is None:
        say_yes(application, account=account, now=now)
    elif application.state == State.PENDING:
        settle(again(head), account=account, now=now)


@transaction.atomic
def say_who(
    application: Application,
    *,
    player: Player | None = None,
    club: Club | None = None,
    name: str = "",
    account: Account,
    now: datetime,
) -> None:
    """Identify an applicant whose input matched no member: as this member, or as a guest with this name."""
    application = _lock_application(application)
    if application.entry is not None or application.yes_at is not None:
        raise NotPossible(_("This person has already been identified."))
    name = clean_text(name)
    if player is None and not name:
        raise NotPossible(_("Choose a member, or type a guest’s name."), "name")
    if len(name) > GUEST_NAME_LENGTH:
        raise NotPossible(
            _("The name is longer than %(most)d characters.") % {"most": GUEST_NAME_LENGTH}, "name"
        )
    application.player, application.club = player, club
    application.name = "" if player else name
    application.save(update_fields=["player", "club", "name"])
    text = gettext_noop("“{typed}” is {player}")
    write_down(application.tournament, account, text, now=now, typed=application.typed, player=application)


@transaction.atomic
def decline(application: Application, *, account: Account, now: datetime) -> None:
    """Decline a party; a place that it had is withdrawn."""
    application = _lock_application(application)
    party = party_of(head_of(application))
    withdraw(application, all_of_them=True, account=account, state=State.DECLINED, now=now)
    mail.tell(party, "declined")


def unanswered(tournament: Tournament) -> QuerySet[Application]:
    """Applications that were never confirmed from their e-mail."""
    return tournament.applications.filter(state=State.ASKED, yes_at=None, lead=None)


def unproved_guests(tournament: Tournament) -> QuerySet[Application]:
    """Unconfirmed applications of guests that wait for the organiser."""
    return tournament.applications.filter(state=State.PENDING, yes_at=None, lead=None, player=None)


@transaction.atomic
def decline_unproved_guests(tournament: Tournament, *, up_to: int, account: Account, now: datetime) -> int:
    """Decline waiting unconfirmed guests, up to this number; returns how many. Sends no mail."""
    tournament = locked(tournament)
    declined = _decline(tournament, unproved_guests(tournament).filter(number__lte=up_to))
    if declined:
        text = gettext_noop("Declined {count} guests who had not confirmed who they are")
        write_down(tournament, account, text, now=now, count=declined)
    return declined


@transaction.atomic
def decline_unanswered(tournament: Tournament, *, up_to: int, account: Account, now: datetime) -> int:
    """Decline all who have not confirmed by mail, up to this number; returns how many. Sends no mail."""
    tournament = locked(tournament)
    declined = _decline(tournament, unanswered(tournament).filter(number__lte=up_to))
    if declined:
        text = gettext_noop("Declined {count} people who had not answered the email")
        write_down(tournament, account, text, now=now, count=declined)
    return declined


def _decline(tournament: Tournament, heads: QuerySet[Application]) -> int:
    """Decline parties, except members with a place by another application; returns how many."""
    keys = list(heads.values_list("pk", flat=True))
    party = tournament.applications.filter(Q(pk__in=keys) | Q(lead__in=keys)).exclude(state__in=GONE)
    return party.filter(yes_at=None, entry=None).update(state=State.DECLINED)


@transaction.atomic
def put_back(application: Application, *, account: Account, now: datetime) -> None:
    """Undo a withdrawal or a no: they have their turn as before, with those who went together with them."""
    application = _lock_application(application)
    head = head_of(application)
    if application.state not in GONE:
        return
    if head.state != application.state:
        enter_again(application, account=account, now=now)
        return
    for one in head.partners.filter(state=head.state).select_related("player", "lead"):
        one.tournament = head.tournament
        stand_by_this_alone(one)
        set_state([one], State.PENDING)
    enter_again(head, account=account, now=now)


@transaction.atomic
def give_place(application: Application, *, account: Account, now: datetime) -> None:
    """A place for who waits, before their turn and beyond the limit."""
    application = _lock_application(application)
    refuse_when_over(application.tournament)
    head = head_of(application)
    if head.state != State.WAITING:
        raise NotPossible(_("They are no longer on the waiting list."))
    party = party_of(head)
    give_places(party, account=account, now=now)
    mail.tell(party, "moved_up")


@transaction.atomic
def take_place_back(application: Application, *, account: Account, now: datetime) -> None:
    """Undo that: they wait for the organiser's yes again, and who waits longest comes in where there is room."""
    application = _lock_application(application)
    tournament = application.tournament
    refuse_when_over(tournament)
    head = head_of(application)
    party = party_of(head)
    entries = [entry for one in party if (entry := entry_of(one))]
    for team in {entry.team for entry in entries if entry.team}:
        dissolve(team, account=account, now=now)
    for entry in entries:
        leave_from_home(entry, account=account, now=now)
    Application.objects.filter(pk=head.pk).update(let_in_at=None)
    set_state(party, State.PENDING)
    mail.tell(party, "taken_back")
    move_up(tournament, account=account, now=now)


@transaction.atomic
def move(application: Application, *, to: str, account: Account, now: datetime) -> None:
    """Move an application to the `first` or the `last` place of the waiting list, or one place `up` or `down`."""
    application = _lock_application(application)
    head, tournament = head_of(application), application.tournament
    waiting = list(tournament.applications.filter(state=State.WAITING, lead=None).order_by("turn", "number"))
    if head not in waiting:
        raise NotPossible(_("They are no longer on the waiting list."))
    turns, at = [one.turn for one in waiting], waiting.index(head)
    waiting.remove(head)
    place = {"first": 0, "up": max(at - 1, 0), "down": at + 1, "last": len(waiting)}[to]
    waiting.insert(place, head)
    for one, turn in zip(waiting, turns, strict=True):
        one.turn = turn
    Application.objects.bulk_update(waiting, ["turn"])
    text = gettext_noop("{player} is now no. {place} on the waiting list")
    write_down(tournament, account, text, now=now, player=head, place=waiting.index(head) + 1)
    move_up(tournament, account=account, now=now)


@transaction.atomic
def hand_out(application: Application, *, account: Account, now: datetime) -> str:
    """A new link for them, to be handed over; the one before it leads nowhere any more. It is theirs who has it."""
    application = _lock_application(application)
    key = make_link(application)
    application.sent_at = None  # what the organiser hands over is good until entering closes
    application.link_proves = True
    application.save(update_fields=["salt", "key_hash", "sent_at", "link_proves"])
    text = gettext_noop("Created a new link for {player}")
    write_down(application.tournament, account, text, now=now, player=application)
    return key


@transaction.atomic
def invite(
    tournament: Tournament, player: Player, club: Club | None, *, account: Account, now: datetime
) -> tuple[Application, str]:
    """Make a link for a player who has not applied, entered or not."""
    tournament = locked(tournament)
    there = tournament.applications.filter(player=player).order_by("number").last()
    if there is None:
        there = Application(
            tournament=tournament,
            number=next_number(tournament),
            typed=player.name,
            player=player,
            club=club,
            language=settings.LANGUAGE_CODE,
            state=State.ASKED,
            let_in_at=now,
            asked_at=now,
        )
        if entry := entry_of_player(there):
            there.entry, there.state, there.yes_at = entry, State.ENTERED, now
            there.turn = next_turn(tournament)
        make_link(there)
        there.save(force_insert=True)
    there.tournament = tournament
    return there, hand_out(there, account=account, now=now)


# What people have typed to enter from home is forgotten when the evening is over, where it has become no entry.

# Retention after the evening's day, for questions about an application.
KEPT = timedelta(days=7)
KINDS = (mail.EntryLink.code, mail.EntryPartner.code, mail.EntryNews.code)


def forget_who_had_no_place(now: datetime) -> int:
    """Erase name, address and input of guests and unknown applicants who got no place; returns how many.

    Their letters are erased, too. Addresses are erased of everyone; that a member applied stays with the member.
    """
    over = Application.objects.filter(tournament__date__lt=timezone.localdate(now) - KEPT)
    strangers = over.filter(player=None, entry=None).exclude(typed=NAMELESS)
    forgotten = list(strangers.values_list("pk", flat=True))
    if forgotten:
        Letter.objects.filter(kind__in=KINDS, facts__application__in=forgotten).update(to="", answer="")
        strangers.update(typed=NAMELESS, name="", email="", team_name="")
    addressed, found_by_address = over.exclude(email=""), over.filter(typed__contains="@")
    if addressed.exists():  # checked every hour: reading alone, it blocks no writer
        addressed.update(email="")
    if found_by_address.exists():
        found_by_address.update(typed="")  # who was found by it is known
    return len(forgotten)
