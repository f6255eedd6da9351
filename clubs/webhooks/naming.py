"""Naming an address that is told, and letting go of it."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.club_log import write_down
from clubs.models import Event, Message, Webhook
from clubs.webhooks.reaching import NotThere, parts_of
from core.errors import Refusal
from core.log_messages import name_of

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from clubs.models import Account, Club

MOST = 10


@transaction.atomic
def name_webhook(
    club: Club, *, url: str, secret: str, events: Collection[str], account: Account, now: datetime
) -> Webhook:
    """Let an address be told from now on; without a secret it gets one. Raises Refusal."""
    try:
        parts_of(url)
    except NotThere as why:
        raise Refusal(_(str(why)), "url") from None
    if club.webhooks.count() >= MOST:
        raise Refusal(_("%(most)d addresses already receive events: remove one first.") % {"most": MOST})
    if club.webhooks.filter(url=url).exists():
        raise Refusal(_("This address already receives events."), "url")
    made = Webhook.objects.create(
        club=club,
        url=url,
        secret=secret or secrets.token_urlsafe(32),
        events=[event for event in Event.values if event in events],
        made_by=name_of(account),
        made_at=now,
    )
    write_down(club, account, gettext_noop("{address} now receives events"), now=now, address=url)
    return made


@transaction.atomic
def remove_webhook(webhook: Webhook, *, account: Account, now: datetime) -> None:
    """Tell it nothing any more; what waits for it is gone with it."""
    if Webhook.objects.filter(pk=webhook.pk).delete()[0]:
        text = gettext_noop("{address} no longer receives events")
        write_down(webhook.club, account, text, now=now, address=webhook.url)


@transaction.atomic
def tell_again(webhook: Webhook, *, account: Account, now: datetime) -> int:
    """Try once more what was given up; how many."""
    given_up = Message.objects.filter(webhook=webhook, state=Message.State.GIVEN_UP)
    again = given_up.update(state=Message.State.WAITING, tries=0, next_try=now, came_to="")
    if again:
        text = gettext_noop("Events that could not be delivered to {address} are sent again: {count}")
        write_down(webhook.club, account, text, now=now, address=webhook.url, count=again)
    return again
