"""What an organiser does with letters that are posted: send one again, say that it came back, throw it away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Count
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.mail.agreeing import is_stopped
from clubs.mail.kinds import kind_of
from clubs.models import Letter
from core.errors import Refusal

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

    from clubs.models import Account, Club

SAID_BACK = gettext_noop("An organiser saw it bounce.")


def letters_of(club: Club | None) -> QuerySet[Letter]:
    """A club's letters; of no club are those of accounts, which the program's owner sees."""
    return Letter.objects.filter(club=club, is_hidden=False)


def in_vain(club: Club) -> int:
    """How many of a club's letters came back, or were given up, and are to be looked at."""
    return letters_of(club).filter(state__in=Letter.IN_VAIN).count()


def clubs_in_vain(clubs: QuerySet[Club]) -> list[dict[str, Any]]:
    """Of these clubs those whose letters came back or were given up: slug, name, and how many."""
    found = Letter.objects.filter(
        club__in=clubs.order_by().values("pk"), is_hidden=False, state__in=Letter.IN_VAIN
    )
    counted = found.values("club__slug", "club__name").annotate(letters=Count("pk"))
    return [dict(row) for row in counted.order_by("club__name")]


def send_again(letter: Letter, *, account: Account, now: datetime) -> None:
    """Try it once more from the beginning. Raises Refusal where it must not be sent."""
    del account
    if not letter.is_in_vain:
        raise Refusal(_("It is on its way, or has been sent."))
    kind = kind_of(letter.kind)
    if not letter.to or is_stopped(letter.to, kind.topic):
        raise Refusal(_("They have unsubscribed from these emails."))
    as_seen = Letter.objects.filter(pk=letter.pk, state=letter.state)
    as_seen.update(
        state=Letter.State.WAITING, next_try=now, tries=0, until=now + kind.tried_for, error="", answer=""
    )


def say_it_came_back(letter: Letter, *, account: Account, now: datetime) -> None:
    """A mail server that took it has said later that it could not deliver it: such come to the sender's own box."""
    del account, now
    sent = Letter.objects.filter(pk=letter.pk, state=Letter.State.SENT)
    if not sent.update(state=Letter.State.FAILED, error=SAID_BACK):
        raise Refusal(_("Only an email that was sent can bounce."))


def throw_away(letter: Letter, *, account: Account, now: datetime) -> None:
    """It is shown no more, and if it waits it is not sent."""
    del account, now
    waiting = Letter.objects.filter(pk=letter.pk, state=Letter.State.WAITING)
    waiting.update(state=Letter.State.GIVEN_UP)
    Letter.objects.filter(pk=letter.pk).exclude(state=Letter.State.SENDING).update(is_hidden=True)
