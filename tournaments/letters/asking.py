"""Somebody has asked from home and waits for a yes: organisers who have an address are told, of many at once."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db.models import Count, Exists, Max, OuterRef, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from clubs.letter_models import OF_ORGANISERS
from clubs.mail.kinds import Kind, TooLate
from clubs.mail.outbox import language_for, post
from clubs.models import Account, Letter, Role
from tournaments.models import Application, Tournament

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

# Who come at once are told of together; and of who come later not before the last letter is so old.
SETTLED, PAUSE = timedelta(minutes=10), timedelta(hours=6)
NOBODY_WAITS = gettext_noop("No one is waiting for approval any more.")


class SomebodyAsks(Kind):
    """How many wait is counted when it is sent; names stand at the desk alone."""

    code = "entry_asks"
    name = _("someone is waiting for approval")
    topic = OF_ORGANISERS
    tried_for = timedelta(days=1)

    def said(self, letter: Letter) -> dict[str, Any]:
        tournament = Tournament.objects.select_related("host").filter(pk=letter.facts["tournament"]).first()
        count = _waiting(tournament).count() if tournament and tournament.from_home.is_on else 0
        if tournament is None or not count or tournament.is_called_off:
            raise TooLate(NOBODY_WAITS)
        at = reverse("desk_from_home", args=[tournament.code])
        return {"tournament": tournament, "count": count, "link": f"{settings.PUBLIC_URL}{at}"}


def _waiting(tournament: Tournament) -> QuerySet[Application]:
    """Who asked, and waits for the organiser: who named partners waits for these first."""
    of_them = Application.objects.filter(tournament=tournament, lead=None, state=Application.State.PENDING)
    silent = Application.objects.filter(lead=OuterRef("pk"), yes_at=None, state=Application.State.PENDING)
    return of_them.filter(~Exists(silent))


def post_asking(now: datetime) -> None:
    """Of each coming evening at which somebody waits for whom no organiser has been written to."""
    asked = Q(applications__state=Application.State.PENDING, applications__asked_at__lte=now - SETTLED)
    coming = Tournament.objects.not_called_off().filter(
        asked, state=Tournament.State.SETUP, date__gte=now.date()
    )
    for tournament in coming.select_related("host").distinct():
        if tournament.from_home.is_on:
            _tell(tournament, now)


def _tell(tournament: Tournament, now: datetime) -> None:
    found = _waiting(tournament).aggregate(count=Count("pk"), last=Max("number"))
    if not found["count"]:
        return
    roles = Role.objects.filter(club=tournament.host, kind=Role.Kind.ORGANISER)
    told = Letter.objects.filter(
        kind=SomebodyAsks.code, facts__tournament=tournament.pk, posted_at__gt=now - PAUSE
    )
    for account in Account.objects.filter(roles__in=roles, is_active=True).exclude(email="").distinct():
        if not told.filter(account=account).exists():
            post(
                SomebodyAsks.code,
                account.email,
                language=language_for(None, tournament.host),
                facts={"tournament": tournament.pk},
                club=tournament.host,
                member=account,
                # Whoever has been told of somebody is not told of them again, however long they wait.
                key=f"asks {tournament.pk} {account.pk} {found['last']}",
            )
