"""Posting a letter: a row beside what it tells, in the same transaction; it is sent when that has become so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, validate_email
from django.utils import timezone
from django.utils.translation import gettext_noop

from clubs.letters import MOST_LETTERS_OF_ADDRESS
from clubs.mail.agreeing import has_agreed, is_stopped, stopped_among
from clubs.mail.kinds import kind_of
from clubs.models import Account, Letter, Player
from core.log_messages import stored

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from clubs.models import Club

NO_ADDRESS = gettext_noop("This is not an email address.")


def is_set_up() -> bool:
    """Whether there is a mail server, so that letters are sent at all."""
    return settings.MAIL_SERVER is not None


def post(  # noqa: PLR0913 - what stands on any letter
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
    """Post a letter to an address; call it inside the transaction of what it tells.

    `facts` are codes and values, never finished words: numbers, names as they are, days and moments (said in the
    letter's language), lists and tables of these. `member` is whose address it is, a player or an account. Of a `key`
    one letter is posted, ever: who posts it again gets that one. `until` is when it would come too late.
    None where no mail is set up, where there is no address, where a player has not agreed to what needs it, and where
    whoever reads the mail there has stopped it.
    """
    sort, to = kind_of(kind), to.strip()
    player = member if isinstance(member, Player) else None
    if (
        not is_set_up()
        or not to
        or (player and not has_agreed(player, sort.topic))
        or is_stopped(to, sort.topic)
    ):
        return None
    now = timezone.now()
    letter = {
        "kind": kind,
        "to": to[:MOST_LETTERS_OF_ADDRESS],
        "language": language,
        "facts": kept(facts),
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
    """A letter to somebody, by its key, and what it tells them."""

    player: Player
    key: str
    facts: Mapping[str, object]


def post_to_all(
    kind: str,
    letters: Iterable[Addressed],
    *,
    club: Club,
    after: datetime | None = None,
    until: datetime | None = None,
) -> int:
    """Post letters to players who have agreed to them; how many of them are new.

    They are sent `after` a moment, so that what is taken back at once is not told, and `until` another.
    """
    sort, now = kind_of(kind), timezone.now()
    by_key = {letter.key: letter for letter in letters if letter.player.email}
    if not is_set_up() or not by_key:
        return 0
    stopped = stopped_among([letter.player.email for letter in by_key.values()], sort.topic)
    known = set(Letter.objects.filter(key__in=by_key).values_list("key", flat=True))
    rows = [
        Letter(
            kind=kind,
            to=letter.player.email,
            language=language_for(letter.player, club),
            facts=kept(letter.facts),
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
    """In which language somebody is written to: their own, their club's, or the program's first."""
    return (player and player.language) or (club and club.language) or settings.FIRST_LANGUAGE


def kept(value: Any) -> Any:
    """What the database keeps of a letter's facts, however deep they lie in lists and tables."""
    if isinstance(value, dict):
        return {str(name): kept(held) for name, held in value.items()}
    if isinstance(value, (list, tuple)):
        return [kept(held) for held in value]
    return value if value is None or isinstance(value, float) else stored(value)
