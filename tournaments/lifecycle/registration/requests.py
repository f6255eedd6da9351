"""Applications: making one, answering it by link, and the members of a party."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import get_language, gettext_noop
from django.utils.translation import gettext as _

from clubs.models import Club, Membership, Player
from clubs.names import is_number
from core.errors import NoRoom, NotPossible
from core.text import clean_text
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down
from tournaments.entries.entering import check_in, clubs_near, leave_from_home
from tournaments.entries.teams import Lineup, change_team, dissolve
from tournaments.lifecycle.registration import mail
from tournaments.lifecycle.registration.links import make_link, refuse_when_over, why_closed
from tournaments.lifecycle.registration.mail import LONGEST_GUEST_NAME, has_address
from tournaments.lifecycle.registration.places import (
    GONE,
    State,
    again,
    entry_of,
    entry_of_player,
    head_of,
    leave_party,
    move_up,
    next_number,
    party_of,
    places_left,
    set_state,
    settle,
)
from tournaments.models import Application, Team

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime

    from clubs.models import Account
    from tournaments.models import Entry, Tournament


# What people do with their own link: say yes, say no, withdraw, enter again. The organiser does the same for them.

# Validity of the confirmation link in a mail; later a new one must be requested.
LASTS = timedelta(hours=48)


@transaction.atomic
def say_yes(
    application: Application, *, now: datetime, name: str = "", account: Account | None = None
) -> Application:
    """Confirm an application. Idempotent.

    Raises NotPossible at `name` for a guest without a name, if they already play with others, and, except for the
    organiser (`account`), if entering is closed or the link has expired.
    """
    application.tournament = locked(application.tournament)
    application = again(application)
    if application.yes_at and application.is_live:
        return application
    if application.state in GONE:
        raise NotPossible(_("You have withdrawn. Enter again below."))
    if account is None:
        _refuse_when_closed(application, now)
        if not application.link_proves:
            raise NotPossible(_("The organiser can accept for you or give you a code."))
    if not application.is_known:
        application.name = _guests_name(name)
    stand_by_this_alone(application)
    application.yes_at = now
    application.state = State.PENDING
    application.save(update_fields=["yes_at", "state", "name"])
    text, told = gettext_noop("{player} asks for a place"), {"player": application}
    if application.lead:
        text, told = gettext_noop("{player} plays with {other}"), told | {"other": application.lead}
    write_down(application.tournament, account, text, now=now, about=(), **told)
    head = head_of(application)
    if application.lead is None:
        _ask_partners(application, now)
    settle(head, now=now, account=account)
    return again(application)


def _refuse_when_closed(application: Application, now: datetime) -> None:
    if problem := why_closed(application.tournament, now):
        raise NotPossible(problem)
    if application.lead is None and application.sent_at and application.sent_at + LASTS < now:
        raise NotPossible(_("This link was valid for two days. Request another on the evening’s page."))


def _guests_name(typed: str) -> str:
    name = clean_text(typed)
    if not name:
        raise NotPossible(_("Type your name."), "name")
    if len(name) > LONGEST_GUEST_NAME:
        raise NotPossible(
            _("The name is longer than %(most)d characters.") % {"most": LONGEST_GUEST_NAME}, "name"
        )
    if has_address(name):
        raise NotPossible(_("A name cannot contain a web or email address."), "name")
    return name


def stand_by_this_alone(application: Application) -> None:
    """Merge the player's other applications into this one. Raises NotPossible if others depend on them."""
    entry = entry_of_player(application)
    if entry and entry.team and len(party_of(head_of(application))) > 1:
        raise NotPossible(_("You already play in %(team)s. Withdraw there first.") % {"team": entry.team})
    if application.player is None:
        return
    others = Application.objects.filter(
        tournament=application.tournament, player=application.player, yes_at__isnull=False
    ).exclude(state__in=GONE)
    for other in others.exclude(pk=application.pk).select_related("lead"):
        other.tournament = application.tournament
        if len(party_of(head_of(other))) > 1:
            raise NotPossible(_("You have already accepted others. Withdraw there first."))
        Application.objects.filter(pk=other.pk).update(state=State.WITHDRAWN, entry=None)
    # Other applications with their number or name were never confirmed.
    unproved = Application.objects.filter(
        tournament=application.tournament, player=application.player, yes_at=None, lead=None
    )
    unproved.exclude(state__in=GONE).exclude(pk=application.pk).update(state=State.WITHDRAWN)


def _ask_partners(application: Application, now: datetime) -> None:
    for partner in party_of(application)[1:]:
        if not partner.sent_at and mail.send_link(partner, mail.EntryPartner.code):
            partner.sent_at, partner.sent_count = now, partner.sent_count + 1
            partner.save(update_fields=["sent_at", "sent_count"])


@transaction.atomic
def withdraw(
    application: Application,
    *,
    now: datetime,
    all_of_them: bool = False,
    account: Account | None = None,
    state: str = State.WITHDRAWN,
) -> Application:
    """Give up the place, or the wish for one; of a pair or team alone, or `all_of_them`. Who waits longest comes in.

    Raises NotPossible once seats are drawn.
    """
    tournament = application.tournament = locked(application.tournament)
    application = again(application)
    refuse_when_over(tournament)
    if application.state in GONE:
        return application
    all_of_them = all_of_them and (account is not None or application.yes_at is not None)
    party = party_of(head_of(application))
    going = party if all_of_them else [application]
    rest = None if all_of_them else leave_party(application)
    entries = [entry for one in going if (entry := entry_of(one))]
    for team in {entry.team for entry in entries if entry.team}:
        _without(team, {entry.pk for entry in entries}, now=now, account=account)
    for entry in entries:
        leave_from_home(entry, account=account, now=now)
    set_state(going, state)
    for one in going:
        if entry_of(one) is None and one.entry is None:
            _write_down(one, state, now=now, account=account)
    if rest is not None:
        rest.tournament = tournament
        mail.tell(party_of(rest), "partner_gone")
        if rest.state == State.PENDING:
            settle(rest, now=now, account=account)
    move_up(tournament, now=now, account=account)
    return again(application)


def _write_down(application: Application, state: str, *, now: datetime, account: Account | None) -> None:
    text = (
        gettext_noop("{player} was declined")
        if state == State.DECLINED
        else gettext_noop("{player} has withdrawn the request for a place")
    )
    write_down(application.tournament, account, text, now=now, player=application)


def _without(team: Team, gone: set[int], *, now: datetime, account: Account | None) -> None:
    """A pair that has lost a member is dissolved; a team continues with the others."""
    rest = [entry for entry in team.members.select_related("player", "club") if entry.pk not in gone]
    regular = [entry for entry in rest if not entry.reserve]
    if len(regular) < 2:  # a single player
        dissolve(team, account=account, now=now)
        return
    lineup = Lineup(
        name=team.name,
        club=team.club,
        division=team.division,
        members=regular,
        reserves=[entry for entry in rest if entry.reserve],
    )
    change_team(team, lineup, account=account, now=now)


@transaction.atomic
def enter_again(application: Application, *, now: datetime, account: Account | None = None) -> Application:
    """Apply again after withdrawing, at the end of the queue; the organiser restores the former place.

    Raises NotPossible if the organiser has declined, and if entering is closed.
    """
    application.tournament = locked(application.tournament)
    application = again(application)
    if application.state not in GONE:
        return application
    if account is None:
        if application.state == State.DECLINED:
            raise NotPossible(_("The organiser has declined. Please contact them."))
        if problem := why_closed(application.tournament, now):
            raise NotPossible(problem)
        application.turn = application.let_in_at = None
    else:
        refuse_when_over(application.tournament)
        application.let_in_at = now
    if application.lead is not None and application.lead.state in GONE:
        application.lead = None
    stand_by_this_alone(application)
    if account is not None or application.link_proves:
        application.yes_at = application.yes_at or now
    application.state = State.PENDING
    application.save(update_fields=["turn", "let_in_at", "lead", "yes_at", "state"])
    text = gettext_noop("{player} asks for a place again")
    write_down(application.tournament, account, text, now=now, player=application)
    settle(head_of(application), now=now, account=account)
    return again(application)


# Checking in by one's own link: at the desk or the door, and by oneself where that is allowed.


def why_not_here(application: Application, now: datetime) -> str:
    """The reason why a player cannot check in on their own page; "" if they can."""
    tournament = application.tournament
    if not tournament.from_home.own_check_in:
        return _("Check in at the desk: show your QR code there.")
    if tournament.date != timezone.localdate(now):
        return _("You can only check in on the day.")
    if tournament.is_called_off or tournament.is_finished:
        return _("The tournament is no longer taking place.")
    return ""


@transaction.atomic
def arrive(
    application: Application, *, account: Account | None, now: datetime, by_themselves: bool = False
) -> Entry:
    """Check in the application's players. Raises NotPossible without a place, and where own check-in is not allowed."""
    if by_themselves and (problem := why_not_here(application, now)):
        raise NotPossible(problem)
    entry = entry_of(application)
    if entry is None:
        raise NotPossible(_("%(name)s has no place: see entries from home.") % {"name": application})
    return check_in(entry, present=True, account=account, now=now)


# Finds the member by number or e-mail address, among those whom the host's desk could enter.

MOST_AT_AN_ADDRESS = 4  # of a family, say
LARGEST_NUMBER = 2**31 - 1


class Meant(NamedTuple):
    """A member, and the club that they would play for."""

    player: Player
    club: Club


def meant_by(tournament: Tournament, typed: str, *, today: date) -> list[Meant]:
    """The members meant: one for a number, all who share an address, none otherwise.

    Numbers are the host's. The queries are the same whatever is found.
    """
    clubs = clubs_near(tournament.host)
    members = Membership.objects.on(today).select_related("player", "club")
    if is_number(typed):
        number = int(typed)
        found = members.filter(club=tournament.host, number=number if number <= LARGEST_NUMBER else -1)
    else:
        found = members.filter(club__in=clubs).alias(address=Lower("player__email"))
        found = found.filter(address=typed.lower() or "-")  # type: ignore[misc] # an alias
    first: dict[int, Meant] = {}
    for held in sorted(found[: 2 * MOST_AT_AN_ADDRESS], key=lambda held: held.club_id != tournament.host_id):
        first.setdefault(held.player_id, Meant(held.player, held.club))
    return list(first.values())[:MOST_AT_AN_ADDRESS]


# Applications on an evening's public page. The responses do not reveal who is a member.
#
# With mail, a known member is sent a link and nothing else happens; without mail, or without a known address, the
# application waits for the organiser. Queries, stored rows and the response are the same for any input.

# Limits of unconfirmed applications: of guests, who are refused until some are decided; of one member, where without
# mail each has a link of its own, and the newest remain.
MOST_UNPROVED_GUESTS, MOST_UNPROVED_OF_MEMBER = 300, 5
# The link is sent again for a repeated application, with this minimum interval and at most so often.
PAUSE, MOST_SENT = timedelta(minutes=5), 6
UNPROVED = Q(yes_at=None, lead=None, state__in=[State.PENDING, State.ASKED])
# Applications that match no member: limited to what an organiser can look through.
GUESS = Q(player=None, name="")
GUESSES_KEPT = 100


@dataclass(frozen=True)
class Wish:
    """The typed application: a member's number or e-mail address, or a guest's name and address; partners likewise."""

    who: str = ""
    guest: str = ""
    email: str = ""
    partners: Sequence[str] = ()
    team_name: str = ""

    @property
    def typed_name(self) -> str:
        return self.guest or self.who


@transaction.atomic
def ask(tournament: Tournament, wish: Wish, *, now: datetime) -> str:
    """Store an application; returns the key of its link if it is not sent by mail, else "".

    Raises NotPossible if entering is closed or all places are taken, NoRoom if too many unconfirmed applications
    wait.
    """
    tournament = locked(tournament)
    _refuse(tournament, wish, now)
    meant = [] if wish.guest else meant_by(tournament, wish.who, today=timezone.localdate(now))
    if mail.is_set_up():
        for one in meant or (None,):
            _send(_get_or_create(tournament, wish, one, now)[0], now)
        key = ""
    else:
        # Which of them it is, where several share an address, the organiser knows.
        key = _get_or_create(tournament, wish, meant[0] if len(meant) == 1 else None, now)[1]
    _forget_old_guesses(tournament)
    if not mail.is_set_up():
        _forget_older_of(tournament, meant)
    return key


def _refuse(tournament: Tournament, wish: Wish, now: datetime) -> None:
    if problem := why_closed(tournament, now):
        raise NotPossible(problem)
    if places_left(tournament) == 0 and not tournament.from_home.waits:
        raise NotPossible(_("All places are taken."))
    if wish.guest and not tournament.from_home.guests:
        raise NotPossible(_("Only members can enter this evening from home."), "guest")
    unproved_guests = tournament.applications.filter(UNPROVED & ~GUESS, player=None)
    if wish.guest and unproved_guests.count() >= MOST_UNPROVED_GUESTS:
        raise NoRoom(
            _("A lot of people are waiting for the organiser. Try again later, or contact the organiser.")
        )


def _send(application: Application, now: datetime) -> None:
    """Send the link by mail; for unknown applicants or addresses the same work is done in vain."""
    is_soon = application.sent_at is not None and application.sent_at + PAUSE > now
    # A guest's address is whatever was typed: it is not written to under one name after the other.
    of_address = Application.objects.filter(
        tournament=application.tournament, email__iexact=application.email or "-"
    ).count()
    is_sent = not is_soon and max(application.sent_count, of_address - 1) < MOST_SENT
    if is_sent:
        application.sent_at, application.sent_count = now, application.sent_count + 1
    if not mail.address(application) and application.is_known and application.state == State.ASKED:
        application.state = State.PENDING  # the organiser ticks
    mail.send_link(application, in_earnest=is_sent)
    application.save(update_fields=["sent_at", "sent_count", "state"])


def _get_or_create(
    tournament: Tournament, wish: Wish, meant: Meant | None, now: datetime
) -> tuple[Application, str]:
    """The application of the member meant, with the key of its link if that is new.

    If the link is mailed it is the existing one; else a new one, or the visitor would get another person's link.
    """
    mailed = mail.is_set_up()
    there = _there_already(tournament, wish, meant)
    new = Application(
        tournament=tournament,
        number=next_number(tournament),
        typed=wish.typed_name,
        player=meant.player if meant else None,
        club=meant.club if meant else None,
        name=wish.guest,
        email=wish.email if wish.guest else "",
        state=State.ASKED if mailed else State.PENDING,
        link_proves=mailed,
        asked_at=now,
    )
    key = make_link(new)
    is_new = there is None or not mailed
    with transaction.atomic():  # as much is written for who is there already
        new.save(force_insert=True)
        if not is_new:
            transaction.set_rollback(True)
    application = new if is_new or there is None else there
    if not application.link_proves and mailed:
        make_link(application)
        application.link_proves = True
    application.asked_at, application.language = now, get_language() or ""
    is_open = application.yes_at is None and application.lead_id is None
    if is_open:
        application.team_name = wish.team_name
    application.save(update_fields=["asked_at", "language", "team_name", "salt", "key_hash", "link_proves"])
    if is_open:
        _name_partners(application, wish, now)
    return application, key


def _there_already(tournament: Tournament, wish: Wish, meant: Meant | None) -> Application | None:
    """The player's previous application: the confirmed one, else the newest."""
    of_them = tournament.applications.select_related("player", "club", "lead")
    if meant:
        of_them = of_them.filter(player=meant.player)
    elif wish.guest:
        of_them = of_them.filter(player=None, name=wish.guest, email__iexact=wish.email)
    else:
        of_them = of_them.filter(player=None, typed=wish.who)
    found = sorted(of_them, key=lambda one: (one.state not in GONE, one.yes_at is not None, one.number))
    if found:
        found[-1].tournament = tournament
    return found[-1] if found else None


def _name_partners(application: Application, wish: Wish, now: datetime) -> None:
    """Store the partners as typed last; they get a letter after the applicant has confirmed."""
    tournament = application.tournament
    application.partners.all().delete()
    for typed in wish.partners:
        found = meant_by(tournament, typed, today=timezone.localdate(now))
        meant = found[0] if len(found) == 1 else None
        guest = "@" in typed and not found and tournament.from_home.guests
        partner = Application(
            tournament=tournament,
            number=next_number(tournament),
            typed=typed,
            player=meant.player if meant else None,
            club=meant.club if meant else None,
            email=typed if guest else "",
            language=application.language,
            state=State.PENDING,
            lead=application,
            asked_at=now,
        )
        make_link(partner)
        partner.save(force_insert=True)


def _forget_older_of(tournament: Tournament, meant: Sequence[Meant]) -> None:
    """Delete older unconfirmed applications of a member.

    Typing a number repeatedly adds no more, and blocks no one.
    """
    for player in [one.player.pk for one in meant] or [0]:
        unproved = tournament.applications.filter(UNPROVED, player=player).order_by("-number")
        old = list(unproved.values_list("pk", flat=True)[MOST_UNPROVED_OF_MEMBER:])
        Application.objects.filter(lead__in=old).delete()
        Application.objects.filter(pk__in=old).delete()


def _forget_old_guesses(tournament: Tournament) -> None:
    """Limit stored guesses, so that trying numbers does not fill the table."""
    guesses = tournament.applications.filter(UNPROVED & GUESS).order_by("-number")
    old = list(guesses.values_list("pk", flat=True)[GUESSES_KEPT:])
    Application.objects.filter(lead__in=old).delete()
    Application.objects.filter(pk__in=old).delete()
