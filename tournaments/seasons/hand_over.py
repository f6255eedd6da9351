"""Hand a club over to its next organiser: what is due when, who may do what, and the notes that were typed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Q
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.clubs import log_change
from clubs.models import Transfer
from clubs.register.transfers import SILENCE
from tournaments.domain.amounts import in_kroner
from tournaments.models import Championship, HandOver, Official, Season, Statement, Tournament
from tournaments.models.club import NOTES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date, datetime

    from clubs.models import Account, Club


@dataclass(frozen=True, order=True)
class Due:
    """A due date with its text."""

    day: date
    text: str


def due_in(club: Club, now: datetime) -> list[Due]:
    """Due dates of a club from today on, by day: evenings, ends of seasons, statements to pay, transfers to answer.

    A statement or a transfer stays in the list when its day has passed.
    """
    today = timezone.localdate(now)
    return sorted([*_evenings(club, today), *_seasons(club, today), *_to_settle(club)])


def _evenings(club: Club, today: date) -> Iterator[Due]:
    coming = Tournament.objects.not_called_off().filter(
        host=club, state=Tournament.State.SETUP, date__gte=today
    )
    for one in coming.order_by("date", "pk"):
        at = time_format(one.begins_at, "TIME_FORMAT") if one.begins_at else ""
        yield Due(one.date, ", ".join(filter(None, (one.name, at, one.place))))


def _seasons(club: Club, today: date) -> Iterator[Due]:
    for season in Season.objects.filter(host=club, ends__gte=today):
        yield Due(season.ends, _("“%(season)s” ends") % {"season": season})
    for championship in Championship.objects.filter(host=club, date__gte=today):
        yield Due(championship.date, str(championship))


def _to_settle(club: Club) -> Iterator[Due]:
    for one in club.statements.filter(state=Statement.State.OPEN).select_related("union"):
        text = _("Pay statement %(number)s from %(union)s: %(total)s kr.")
        yield Due(one.due, text % {"number": one.number, "union": one.union, "total": in_kroner(one.total)})
    for transfer in Transfer.objects.filter(origin=club, state=Transfer.State.ASKED).select_related("club"):
        until = timezone.localdate(transfer.asked_at + SILENCE)
        yield Due(until, _("Answer %(club)s, which asks for a transfer") % {"club": transfer.club})


def officials_of(club: Club, now: datetime) -> list[str]:
    """The officials of the club's tournaments, seasons and championships who have rights now, by name, with these."""
    hosts = Q(tournament__host=club) | Q(season__host=club) | Q(championship__host=club)
    held = Official.objects.filter(hosts, account__is_active=True)
    found = held.select_related("account", "tournament", "season", "championship")
    return [
        f"{one.account} ({one.role_text}, {one.subject})"
        for one in found.order_by("account__username", "pk")
        if one.is_in_force(now)
    ]


def notes_of(club: Club) -> dict[str, str]:
    """The club's notes, each empty where nothing was typed."""
    found = HandOver.objects.filter(club=club).first()
    return {name: getattr(found, name) if found else "" for name in NOTES}


def store_notes(club: Club, notes: Mapping[str, str], *, account: Account, now: datetime) -> HandOver:
    """Replace the notes of a club."""
    made, _is_new = HandOver.objects.update_or_create(
        club=club, defaults={**notes, "changed_by": str(account), "changed_at": now}
    )
    log_change(club, account, gettext_noop("Changed the notes for the next organiser"), now=now)
    return made
