"""E-mails about the teams that clubs enter: the link, and what the union's desk has decided."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from clubs.letter_models import OF_ORGANISERS, Topic
from clubs.mail.kinds import LetterKind, LetterObsolete
from clubs.mail.outbox import Addressed, enqueue_letter, enqueue_letters, is_set_up, language_for
from clubs.register.transfers import enqueue_for_organisers
from core.errors import NotPossible
from tournaments.models import TeamEntry, TeamEntryLink

if TYPE_CHECKING:
    from datetime import datetime

    from clubs.models import Account, Letter
    from tournaments.models import TeamEntryRuling

CHANGED = gettext_noop("It has changed in the meantime.")


class TeamEntryNews(LetterKind):
    """Tells a club's organisers that a team of theirs was accepted, declined or changed by a ruling."""

    code = "team_entry"
    name = gettext_lazy("news about a team’s entry")
    topic = OF_ORGANISERS

    def template_context(self, letter: Letter) -> dict[str, Any]:
        what = letter.facts["what"]
        found = TeamEntry.objects.select_related("tournament__host", "club", "team")
        entry = found.filter(pk=letter.facts["entry"]).first()
        if entry is None or (what in ("accepted", "declined") and entry.state != what):
            raise LetterObsolete(CHANGED)
        ruling = entry.rulings.filter(pk=letter.facts["ruling"]).first()
        return {
            "what": what,
            "entry": entry,
            "tournament": entry.tournament,
            "union": entry.tournament.host,
            "ruling": ruling,
            "line_up": entry.players.select_related("player"),
        }


class TeamCaptainNews(TeamEntryNews):
    """The same letter for the team's captain, if they want letters about their evenings."""

    code = "team_captain"
    name = gettext_lazy("news about a team’s entry, to its captain")
    topic = Topic.EVENING.value


class TeamEntryInvitation(LetterKind):
    """Sends a club the link by which it enters teams, at an address that the union's organiser has typed."""

    code = "team_link"
    name = gettext_lazy("link to enter teams")

    def template_context(self, letter: Letter) -> dict[str, Any]:
        links = TeamEntryLink.objects.select_related("tournament__host", "club")
        link = links.filter(pk=letter.facts["link"]).first()
        until = link.tournament.teams_until if link else None
        if link is None or until is None:
            raise LetterObsolete(CHANGED)
        return {
            "tournament": link.tournament,
            "union": link.tournament.host,
            "entering": link.club,
            "until": date_format(localtime(until), "DATETIME_FORMAT"),
            "link": f"{settings.PUBLIC_URL}{reverse('team_entries', args=[link.secret])}",
        }


def post_about_entry(what: str, entry: TeamEntry, ruling: TeamEntryRuling | None = None) -> None:
    """Queue letters to the organisers of the club and to the team's captain."""
    facts = {"entry": entry.pk, "what": what, "ruling": ruling.pk if ruling else 0}
    key = f"team entry {entry.pk} {what} {entry.changed_at.timestamp()}"
    enqueue_for_organisers(TeamEntryNews.code, entry.club, facts, key=f"{key} account")
    captains = entry.players.filter(is_captain=True, player__agreements__topic=Topic.EVENING)
    letters = [
        Addressed(one.player, f"{key} player {one.player_id}", facts)
        for one in captains.select_related("player")
    ]
    enqueue_letters(TeamCaptainNews.code, letters, club=entry.club)


def send_link(link: TeamEntryLink, *, to: str, account: Account, now: datetime) -> None:
    """Queue a letter with a club's link. Raises NotPossible at `to` where no mail is sent."""
    del account
    if not is_set_up():
        raise NotPossible(_("No mail server is set up: copy the link instead."), "to")
    enqueue_letter(
        TeamEntryInvitation.code,
        to,
        language=language_for(None, link.club),
        facts={"link": link.pk},
        club=link.tournament.host,
        # Pressed twice within a minute it is sent once.
        key=f"team link {link.pk} {link.secret[:8]} {to} {now:%Y%m%d%H%M}",
    )
