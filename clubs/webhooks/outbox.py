"""What addresses are to be told, put down in the transaction of what it tells of: both are there, or neither."""

from __future__ import annotations

import json
from datetime import UTC
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from django.db.models import Q

from clubs.models import Message, Webhook

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from clubs.models import Club, Event


def moment_text(moment: datetime) -> str:
    """A moment as the API writes it: ISO 8601 in UTC, 2026-11-28T18:30:00.123456Z."""
    return moment.astimezone(UTC).isoformat().removesuffix("+00:00") + "Z"


def put_out(club: Club, event: Event, about: Mapping[str, Any], *, now: datetime) -> None:
    """Tell the addresses that the club has named for this, and its union."""
    around = Q(club=club) | Q(club=club.union_id) if club.union_id else Q(club=club)
    club_ref = {"id": club.pk, "slug": club.slug, "name": club.name}
    told = [webhook for webhook in Webhook.objects.filter(around) if event.value in webhook.events]
    Message.objects.bulk_create(
        Message(
            webhook=webhook,
            event=event.value,
            body=json.dumps(
                {
                    "id": str(uuid4()),
                    "event": event.value,
                    "at": moment_text(now),
                    "club": club.slug,
                    "club_ref": club_ref,
                    **about,
                },
                ensure_ascii=False,
                sort_keys=True,
            ),
            made_at=now,
            next_try=now,
        )
        for webhook in told
    )
