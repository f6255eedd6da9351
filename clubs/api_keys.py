"""API keys of a club: create, show once, authenticate, revoke."""

from __future__ import annotations

import secrets
from datetime import timedelta
from hashlib import sha256
from hmac import compare_digest
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.clubs import log_change
from clubs.models import ProgramKey, Scope
from core.errors import UserError
from core.log_messages import author_name
from core.text import clean_text

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from clubs.models import Account, Club

# A prefix by which people and secret scanners recognise a leaked API key.
BEGINS = "spadille_"
SHOWN = len(BEGINS) + 3
MOST_KEYS = 50
LONGEST = 100
MINUTE = timedelta(minutes=1)


@transaction.atomic
def make_key(
    club: Club, *, name: str, scopes: Collection[str], account: Account, now: datetime
) -> tuple[ProgramKey, str]:
    """A new key and its secret, which is shown once and not stored."""
    name = clean_text(name)
    if club.keys.filter(ended_at=None).count() >= MOST_KEYS:
        raise UserError(_("The club already has %(most)d keys: revoke one first.") % {"most": MOST_KEYS})
    if club.keys.filter(ended_at=None, name__iexact=name).exists():
        raise UserError(_("A key with this name already exists."), "name")
    words = BEGINS + secrets.token_urlsafe(32)
    made = ProgramKey.objects.create(
        club=club,
        name=name,
        digest=_digest(words),
        begins=words[:SHOWN],
        scopes=[scope for scope in Scope.values if scope in scopes],
        made_by=author_name(account),
        made_at=now,
    )
    log_change(club, account, gettext_noop("Created the key “{key}” for a program"), now=now, key=name)
    return made, words


@transaction.atomic
def revoke_key(key: ProgramKey, *, account: Account, now: datetime) -> None:
    """Revoke a key; a second call does nothing."""
    if ProgramKey.objects.filter(pk=key.pk, ended_at=None).update(ended_at=now):
        log_change(key.club, account, gettext_noop("Revoked the key “{key}”"), now=now, key=key.name)


def authenticate_key(words: str, now: datetime) -> ProgramKey | None:
    """The key with this secret; None if it is unknown or revoked."""
    if not words.isascii() or len(words) > LONGEST:
        return None
    digest = _digest(words)
    found = ProgramKey.objects.select_related("club").filter(digest=digest, ended_at=None).first()
    if found is None or not compare_digest(found.digest, digest):
        return None
    before = Q(used_at=None) | Q(used_at__lt=now - MINUTE)
    ProgramKey.objects.filter(before, pk=found.pk).update(used_at=now)
    return found


def _digest(words: str) -> str:
    return sha256(words.encode()).hexdigest()
