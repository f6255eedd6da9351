"""Queue a letter in the transaction of what it reports; send it again, mark it as returned, discard it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, validate_email
from django.db.models import Count
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.letter_models import MOST_LETTERS_OF_ADDRESS
from clubs.mail.kinds import has_consent, is_unsubscribed, kind_of, unsubscribed_among
from clubs.models import Account, Letter, Player
from core.errors import UserError
from core.log_messages import to_stored

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from django.db.models import QuerySet

    from clubs.models import Account, Club


NO_ADDRESS = gettext_noop("This is not an email address.")


def is_set_up() -> bool:
    """Whether a mail server is configured."""
    return settings.MAIL_SERVER is not None


def enqueue_letter(  # noqa: PLR0913 - the fields of any letter
    kind: str,
    to: str,
    *,
    language: str,
    facts: Mapping[str, object],
    club: Club | None = None,
    member: Player | Account | None = None,
    key: str = "",
    until: datetime | None = None,
) -> Letter | None:
    """Queue a letter; call it inside the transaction of what the letter reports.

    `facts` are codes and values, never finished text: numbers, names, dates and times (formatted in the letter's
    language), lists and dicts of these. `member` owns the address: a player or an account. With a `key` only one letter
    is ever queued: a second call returns it. After `until` it is not sent. Returns None if no mail server is
    configured, there is no address, consent is missing, or the address is unsubscribed.
    """
    sort, to = kind_of(kind), to.strip()
    player = member if isinstance(member, Player) else None
    if (
        not is_set_up()
        or not to
        or (player and not has_consent(player, sort.topic))
        or is_unsubscribed(to, sort.topic)
    ):
        return None
    now = timezone.now()
    letter = {
        "kind": kind,
        "to": to[:MOST_LETTERS_OF_ADDRESS],
        "language": language,
        "facts": to_stored_fact(facts),
        "club": club,
        "player": player,
        "account": member if isinstance(member, Account) else None,
        "posted_at": now,
        "next_try": now,
        "until": until or now + sort.tried_for,
    }
    try:
        validate_email(to)
        MaxLengthValidator(MOST_LETTERS_OF_ADDRESS)(to)
    except ValidationError:
        letter |= {"state": Letter.State.FAILED, "error": NO_ADDRESS}
    if not key:
        return Letter.objects.create(**letter)
    return Letter.objects.get_or_create(key=key, defaults=letter)[0]


@dataclass(frozen=True)
class Addressed:
    """A letter to one player: its key and its facts."""

    player: Player
    key: str
    facts: Mapping[str, object]


def enqueue_letters(
    kind: str,
    letters: Iterable[Addressed],
    *,
    club: Club,
    after: datetime | None = None,
    until: datetime | None = None,
) -> int:
    """Queue letters to players who consent; returns how many are new.

    They are sent `after` a time, so that what is undone at once is not reported, and not later than `until`.
    """
    sort, now = kind_of(kind), timezone.now()
    by_key = {letter.key: letter for letter in letters if letter.player.email}
    if not is_set_up() or not by_key:
        return 0
    stopped = unsubscribed_among([letter.player.email for letter in by_key.values()], sort.topic)
    known = set(Letter.objects.filter(key__in=by_key).values_list("key", flat=True))
    rows = [
        Letter(
            kind=kind,
            to=letter.player.email,
            language=language_for(letter.player, club),
            facts=to_stored_fact(letter.facts),
            club=club,
            player=letter.player,
            key=key,
            posted_at=now,
            next_try=after or now,
            until=until or now + sort.tried_for,
        )
        for key, letter in by_key.items()
        if key not in known and letter.player.email not in stopped
    ]
    Letter.objects.bulk_create(rows, ignore_conflicts=True, batch_size=500)
    return len(rows)


def language_for(player: Player | None, club: Club | None) -> str:
    """The language for a recipient: their own, their club's, or the default."""
    return (player and player.language) or (club and club.language) or settings.FIRST_LANGUAGE


def to_stored_fact(value: Any) -> Any:
    """The JSON value of a fact, at any depth of lists and dicts."""
    if isinstance(value, dict):
        return {str(name): to_stored_fact(held) for name, held in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_stored_fact(held) for held in value]
    return value if value is None or isinstance(value, float) else to_stored(value)


SAID_BACK = gettext_noop("An organiser saw it bounce.")


def letters_of(club: Club | None) -> QuerySet[Letter]:
    """The letters of a club; with None those of accounts, which the owner of the program sees."""
    return Letter.objects.filter(club=club, is_hidden=False)


def count_failed(club: Club) -> int:
    """The number of a club's letters that were returned or given up and not looked at."""
    return letters_of(club).filter(state__in=Letter.IN_VAIN).count()


def clubs_with_failures(clubs: QuerySet[Club]) -> list[dict[str, Any]]:
    """Those of these clubs with failed letters: slug, name and number."""
    found = Letter.objects.filter(
        club__in=clubs.order_by().values("pk"), is_hidden=False, state__in=Letter.IN_VAIN
    )
    counted = found.values("club__slug", "club__name").annotate(letters=Count("pk"))
    return [dict(row) for row in counted.order_by("club__name")]


def resend_letter(letter: Letter, *, account: Account, now: datetime) -> None:
    """Queue a letter again, with a full set of attempts. Raises UserError if it must not be sent."""
    del account
    if not letter.is_in_vain:
        raise UserError(_("It is on its way, or has been sent."))
    kind = kind_of(letter.kind)
    if not letter.to or is_unsubscribed(letter.to, kind.topic):
        raise UserError(_("They have unsubscribed from these emails."))
    as_seen = Letter.objects.filter(pk=letter.pk, state=letter.state)
    as_seen.update(
        state=Letter.State.WAITING, next_try=now, tries=0, until=now + kind.tried_for, error="", answer=""
    )


def mark_returned(letter: Letter, *, account: Account, now: datetime) -> None:
    """Mark a sent letter as returned: bounce messages reach the sender's mailbox, not the program."""
    del account, now
    sent = Letter.objects.filter(pk=letter.pk, state=Letter.State.SENT)
    if not sent.update(state=Letter.State.FAILED, error=SAID_BACK):
        raise UserError(_("Only an email that was sent can bounce."))


def discard_letter(letter: Letter, *, account: Account, now: datetime) -> None:
    """Hide a letter; if it is queued it is not sent."""
    del account, now
    waiting = Letter.objects.filter(pk=letter.pk, state=Letter.State.WAITING)
    waiting.update(state=Letter.State.GIVEN_UP)
    Letter.objects.filter(pk=letter.pk).exclude(state=Letter.State.SENDING).update(is_hidden=True)
