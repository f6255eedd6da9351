"""Messages to applicants, and limits for mail to unproved addresses."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy, gettext_noop

from clubs.mail.kinds import LetterKind, LetterObsolete
from clubs.mail.outbox import enqueue_letter, is_set_up
from clubs.models import Letter
from tournaments.lifecycle.registration.links import address_of, why_over
from tournaments.models import Application

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from tournaments.models import Tournament


# Mail to applicants: the link, and each change that they did not make themselves.
#
# The outbox stores the application and the event; text and link are rendered when the letter is sent.

State = Application.State
NOBODY = "nobody@nowhere.invalid"
NEWS = {
    # Event -> the state in which the letter is still true.
    "pending": State.PENDING,
    "waiting": State.WAITING,
    "place": State.ENTERED,
    "moved_up": State.ENTERED,
    "declined": State.DECLINED,
    "taken_back": State.PENDING,
    "partner_gone": None,
}


class OfAnApplication(LetterKind):
    """A letter about one application, by its key in the facts."""

    def template_context(self, letter: Letter) -> dict[str, Any]:
        found = Application.objects.select_related("tournament__host", "player", "lead__player", "club")
        application = found.filter(pk=letter.facts["application"]).first()
        if application is None or self.is_past(application, str(letter.facts.get("news", ""))):
            raise LetterObsolete(gettext_noop("It has changed in the meantime."))
        return {
            "application": application,
            "tournament": application.tournament,
            "link": f"{settings.PUBLIC_URL}{address_of(application)}",
            "page": f"{settings.PUBLIC_URL}{application.tournament.get_absolute_url()}",
            "is_proved": application.player_id is not None or application.yes_at is not None,
            "by": _partner_named(application),
        }

    def is_past(self, application: Application, news: str) -> bool:
        """Whether the letter is no longer true."""
        raise NotImplementedError


def _partner_named(application: Application) -> str:
    """The name of the applicant who entered them as a partner.

    "" if that is an unconfirmed guest, whose text must not reach a stranger's address.
    """
    lead = application.lead
    return "" if lead is None or (lead.player is None and application.player is None) else str(lead)


class EntryLink(OfAnApplication):
    """Confirmation link for an application made with this address."""

    code = "entry_link"
    name = gettext_lazy("link to enter from home")

    def is_past(self, application: Application, news: str) -> bool:
        del news
        return bool(why_over(application.tournament))


class EntryPartner(EntryLink):
    """Confirmation link for a player who was named as a partner."""

    code = "entry_partner"
    name = gettext_lazy("question for a partner")

    def is_past(self, application: Application, news: str) -> bool:
        return super().is_past(application, news) or application.lead_id is None or not application.is_live


class EntryNews(OfAnApplication):
    """The letter about the outcome of an application."""

    code = "entry_news"
    name = gettext_lazy("news about an entry from home")

    def is_past(self, application: Application, news: str) -> bool:
        return application.tournament.is_called_off or NEWS[news] not in {None, application.state}


def address(application: Application) -> str:
    """The address for mail to an applicant; "" if unknown."""
    return (application.player.email if application.player else application.email) or ""


def tell(party: Iterable[Application], news: str) -> None:
    """Notify the confirmed members of a party, in the transaction of the event."""
    for one in party:
        if one.yes_at and address(one):
            _post(one, EntryNews.code, news=news)


def send_link(application: Application, kind: str = EntryLink.code, *, in_earnest: bool = True) -> bool:
    """Queue a letter with the link; returns whether one was queued.

    Without a known address, or not `in_earnest`, a letter is rendered and discarded, so that the response time
    does not reveal who is a member. Letters to addresses typed by guests are limited (see `strangers`).
    """
    to = address(application)
    is_allowed = may_write_to_stranger(application.tournament, to or NOBODY, timezone.now())
    is_allowed = is_allowed or application.player_id is not None
    with transaction.atomic():
        is_posted = _post(application, kind) and bool(to) and in_earnest and is_allowed
        if not is_posted:
            transaction.set_rollback(True)
    return is_posted


def _post(application: Application, kind: str, **facts: object) -> bool:
    letter = enqueue_letter(
        kind,
        address(application) or NOBODY,
        language=application.language or settings.LANGUAGE_CODE,
        facts={"application": application.pk, "evening": application.tournament.code} | facts,
        club=application.tournament.host,
        member=application.player,
    )
    return letter is not None


__all__ = ["is_set_up", "send_link", "tell"]


# Rate limits for letters to unconfirmed addresses, such as those that guests type on a public page.
#
# Typing another person's address makes the club's mail server write to a stranger. So such letters are limited per
# tournament, per domain and in total in an hour, and to some hundred per tournament. An application over the limit is
# stored without a letter: the organiser sees it, and approves it or hands out a code.

AN_HOUR = timedelta(hours=1)
# Letters to unproved addresses: for a tournament in an hour and in all, to a domain in an hour, by this program in one.
OF_TOURNAMENT_AN_HOUR, OF_TOURNAMENT, TO_DOMAIN_AN_HOUR, AN_HOUR_IN_ALL = 20, 100, 12, 60
KINDS = ("entry_link", "entry_partner")
# Letters of the name of a guest who enters from home: as long as names are, too short for a message.
LONGEST_GUEST_NAME = 50
# An address of the web or of mail, or what mail programs make one of: a scheme, "www.", an @, letters.letters, a path.
_ADDRESS = re.compile(r"://|@|\bwww\b|\w\.\w{2,}|[/\\<>]", re.IGNORECASE)


def has_address(name: str) -> bool:
    """Whether there is an address of the web or of mail in a name, or what a mail program takes for one."""
    return bool(_ADDRESS.search(name))


def may_write_to_stranger(tournament: Tournament, address: str, now: datetime) -> bool:
    """Whether one more letter to an unproved address is within the limits; the caller holds the tournament."""
    posted = Letter.objects.filter(kind__in=KINDS, player=None)
    newest = posted.filter(posted_at__gt=now - AN_HOUR)
    of_tournament = posted.filter(club=tournament.host_id, facts__evening=tournament.code)
    domain = address.rpartition("@")[2]
    # All counters are always queried: the response time reveals nothing about the address.
    counts = (
        (newest, AN_HOUR_IN_ALL),
        (newest.filter(to__iendswith=f"@{domain}"), TO_DOMAIN_AN_HOUR),
        (of_tournament.filter(posted_at__gt=now - AN_HOUR), OF_TOURNAMENT_AN_HOUR),
        (of_tournament, OF_TOURNAMENT),
    )
    within = [letters.count() < most for letters, most in counts]
    return all(within)
