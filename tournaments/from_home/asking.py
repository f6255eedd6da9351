"""Somebody asks for a place on the page of the evening, by who they say they are. Nobody learns there who is a member.

Where there is mail, who is known is sent a link, and nothing else happens; without it, or where no address is known,
the wish waits for the organiser. Whatever was typed, the same is asked of the database, the same is stored or thrown
away again, and the same is answered.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from core.errors import NoRoom, NotPossible
from tournaments.changes.locks import locked
from tournaments.from_home import telling
from tournaments.from_home.links import make_link
from tournaments.from_home.members import Meant, meant_by
from tournaments.from_home.opening import why_closed
from tournaments.from_home.parties import GONE, State, next_number
from tournaments.from_home.places import places_left
from tournaments.models import Application

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from tournaments.models import Tournament

# So many wishes of guests may wait that nobody has proved to be theirs: guests alone are refused then, until some are
# decided. Of one member the newest few are kept, where nothing is mailed and each has a link of its own.
MOST_UNPROVED_GUESTS, MOST_UNPROVED_OF_MEMBER = 300, 5
# Whoever asks again for the same person has the same link sent again: not sooner, and not more often.
PAUSE, MOST_SENT = timedelta(minutes=5), 6
UNPROVED = Q(yes_at=None, lead=None, state__in=[State.PENDING, State.ASKED])
# What was typed is nobody's: so many of them the organiser may still look through.
GUESS = Q(player=None, name="")
GUESSES_KEPT = 100


@dataclass(frozen=True)
class Wish:
    """What was typed: a member's number or e-mail address, or a guest's name and address; partners likewise."""

    who: str = ""
    guest: str = ""
    email: str = ""
    partners: Sequence[str] = ()
    team_name: str = ""

    @property
    def typed(self) -> str:
        return self.guest or self.who


@transaction.atomic
def ask(tournament: Tournament, wish: Wish, *, now: datetime) -> str:
    """The key of a link for who asked, where there is no mail that takes it to them; else "".

    Raises NotPossible where entering is closed or all places are taken, NoRoom where too many wishes wait unproved.
    """
    tournament = locked(tournament)
    _refuse(tournament, wish, now)
    meant = [] if wish.guest else meant_by(tournament, wish.who, today=timezone.localdate(now))
    if telling.is_set_up():
        for one in meant or (None,):
            _send(_stored(tournament, wish, one, now)[0], now)
        key = ""
    else:
        # Which of them it is, where several share an address, the organiser knows.
        key = _stored(tournament, wish, meant[0] if len(meant) == 1 else None, now)[1]
    _forget_old_guesses(tournament)
    if not telling.is_set_up():
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
    """The link by mail, to whoever it is; of who is known by nobody, or by no address, as much is done for nothing."""
    is_soon = application.sent_at is not None and application.sent_at + PAUSE > now
    # A guest's address is whatever was typed: it is not written to under one name after the other.
    of_address = Application.objects.filter(
        tournament=application.tournament, email__iexact=application.email or "-"
    ).count()
    is_sent = not is_soon and max(application.sent_count, of_address - 1) < MOST_SENT
    if is_sent:
        application.sent_at, application.sent_count = now, application.sent_count + 1
    if not telling.address(application) and application.is_known and application.state == State.ASKED:
        application.state = State.PENDING  # the organiser ticks
    telling.send_link(application, in_earnest=is_sent)
    application.save(update_fields=["sent_at", "sent_count", "state"])


def _stored(
    tournament: Tournament, wish: Wish, meant: Meant | None, now: datetime
) -> tuple[Application, str]:
    """The application of whom is meant, with the key of its link where that is new.

    Where a mail takes the link to them it is the one they have; else a new one, or who asks would hold another's.
    """
    mailed = telling.is_set_up()
    there = _there_already(tournament, wish, meant)
    new = Application(
        tournament=tournament,
        number=next_number(tournament),
        typed=wish.typed,
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
    """What the same person has asked for before: what they have said yes to, else the newest."""
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
    """Who would play with them, as it was typed last; they are asked when who named them has said yes."""
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
    """Whoever types a member's number again and again adds no more wishes, and keeps the member out by none."""
    for player in [one.player.pk for one in meant] or [0]:
        unproved = tournament.applications.filter(UNPROVED, player=player).order_by("-number")
        old = list(unproved.values_list("pk", flat=True)[MOST_UNPROVED_OF_MEMBER:])
        Application.objects.filter(lead__in=old).delete()
        Application.objects.filter(pk__in=old).delete()


def _forget_old_guesses(tournament: Tournament) -> None:
    """Whoever tries numbers fills nothing."""
    guesses = tournament.applications.filter(UNPROVED & GUESS).order_by("-number")
    old = list(guesses.values_list("pk", flat=True)[GUESSES_KEPT:])
    Application.objects.filter(lead__in=old).delete()
    Application.objects.filter(pk__in=old).delete()
