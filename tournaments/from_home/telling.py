"""Mail to who has asked for a place: the link, and each change that they did not make themselves.

A letter's words are made when it is sent, its link with them: what is posted is which application, and what happened.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy, gettext_noop

from clubs.mail.kinds import Kind, TooLate
from clubs.mail.outbox import is_set_up, post
from tournaments.from_home.links import address_of
from tournaments.from_home.opening import why_over
from tournaments.from_home.strangers import may_write_to_stranger
from tournaments.models import Application

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clubs.models import Letter

State = Application.State
NOBODY = "nobody@nowhere.invalid"
NEWS = {
    # What is told: in which state it is so still.
    "pending": State.PENDING,
    "waiting": State.WAITING,
    "place": State.ENTERED,
    "moved_up": State.ENTERED,
    "declined": State.DECLINED,
    "taken_back": State.PENDING,
    "partner_gone": None,
}


class OfAnApplication(Kind):
    """A letter about one application, by its key in the facts."""

    def said(self, letter: Letter) -> dict[str, Any]:
        found = Application.objects.select_related("tournament__host", "player", "lead__player", "club")
        application = found.filter(pk=letter.facts["application"]).first()
        if application is None or self.is_past(application, str(letter.facts.get("news", ""))):
            raise TooLate(gettext_noop("It has changed in the meantime."))
        return {
            "application": application,
            "tournament": application.tournament,
            "link": f"{settings.PUBLIC_URL}{address_of(application)}",
            "page": f"{settings.PUBLIC_URL}{application.tournament.get_absolute_url()}",
            "is_proved": application.player_id is not None or application.yes_at is not None,
            "by": _partner_named(application),
        }

    def is_past(self, application: Application, news: str) -> bool:
        """Whether what it tells is so no longer."""
        raise NotImplementedError


def _partner_named(application: Application) -> str:
    """Who has named them as a partner; "" where that is a guest's own word in a letter to whoever's address it is."""
    lead = application.lead
    return "" if lead is None or (lead.player is None and application.player is None) else str(lead)


class EntryLink(OfAnApplication):
    """Somebody has asked for a place with this address: the link with which they say yes."""

    code = "entry_link"
    name = gettext_lazy("link to enter from home")

    def is_past(self, application: Application, news: str) -> bool:
        del news
        return bool(why_over(application.tournament))


class EntryPartner(EntryLink):
    """Somebody has named them as a partner."""

    code = "entry_partner"
    name = gettext_lazy("question to a partner")

    def is_past(self, application: Application, news: str) -> bool:
        return super().is_past(application, news) or application.lead_id is None or not application.is_live


class EntryNews(OfAnApplication):
    """What became of it."""

    code = "entry_news"
    name = gettext_lazy("news of an entry from home")

    def is_past(self, application: Application, news: str) -> bool:
        return application.tournament.is_called_off or NEWS[news] not in {None, application.state}


def address(application: Application) -> str:
    """Where mail to them goes; "" where none is known."""
    return (application.player.email if application.player else application.email) or ""


def tell(party: Iterable[Application], news: str) -> None:
    """Tell those of a party who have said that it is them; inside the transaction of what happened."""
    for one in party:
        if one.yes_at and address(one):
            _post(one, EntryNews.code, news=news)


def send_link(application: Application, kind: str = EntryLink.code, *, in_earnest: bool = True) -> bool:
    """Whether a letter with the link is posted.

    Where no address is known, or not `in_earnest`, one is written all the same, and thrown away: how long the answer
    takes tells nobody who is a member. To an address that a guest has typed few are sent (see `strangers`).
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
    letter = post(
        kind,
        address(application) or NOBODY,
        language=application.language or settings.LANGUAGE_CODE,
        facts={"application": application.pk, "evening": application.tournament.code} | facts,
        club=application.tournament.host,
        member=application.player,
    )
    return letter is not None


__all__ = ["is_set_up", "send_link", "tell"]
