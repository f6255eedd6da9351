"""Which phone enters the deals at a table: one, until another takes over. Nobody is kept from reporting."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from tournaments.models import Table

# A phone says every minute that it is there; after three it has gone, and the next one enters without asking.
GONE_AFTER = timedelta(minutes=3)


def phone_that_enters(table: Table, now: datetime) -> str:
    """The phone's name for itself; empty if none has been heard of lately."""
    seen = table.phone_seen_at
    return table.phone if seen is not None and now - seen < GONE_AFTER else ""


@transaction.atomic
def hold_table(table: Table, phone: str, *, take: bool, now: datetime) -> str:
    """Let `phone` enter the deals if no other does, or if it takes over; returns the phone that enters."""
    table = Table.objects.select_for_update(of=("self",)).get(pk=table.pk)
    holder = phone_that_enters(table, now)
    if holder not in ("", phone) and not take:
        return holder
    if table.phone != phone:
        table.version += 1  # the other phone is told with its next question
    table.phone = phone
    table.phone_seen_at = now
    table.save(update_fields=["phone", "phone_seen_at", "version"])
    return phone
