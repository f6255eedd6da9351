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
from clubs.mail.consent import has_agreed, is_stopped, stopped_among
from clubs.mail.kinds import kind_of
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
    return value if value is None or isinstance(value, float) else to_stored(value)


SAID_BACK = gettext_noop("An organiser saw it bounce.")


def letters_of(club: Club | None) -> QuerySet[Letter]:
    """A club's letters; of no club are those of accounts, which the program's owner sees."""
    return Letter.objects.filter(club=club, is_hidden=False)


def in_vain(club: Club) -> int:
    """How many of a club's letters came back, or were given up, and are to be looked at."""
    return letters_of(club).filter(state__in=Letter.IN_VAIN).count()


def clubs_in_vain(clubs: QuerySet[Club]) -> list[dict[str, Any]]:
    """Of these clubs those whose letters came back or were given up: slug, name, and how many."""
    found = Letter.objects.filter(
        club__in=clubs.order_by().values("pk"), is_hidden=False, state__in=Letter.IN_VAIN
    )
    counted = found.values("club__slug", "club__name").annotate(letters=Count("pk"))
    return [dict(row) for row in counted.order_by("club__name")]


def send_again(letter: Letter, *, account: Account, now: datetime) -> None:
    """Try it once more from the beginning. Raises UserError where it must not be sent."""
    del account
    if not letter.is_in_vain:
        raise UserError(_("It is on its way, or has been sent."))
    kind = kind_of(letter.kind)
    if not letter.to or is_stopped(letter.to, kind.topic):
        raise UserError(_("They have unsubscribed from these emails."))
    as_seen = Letter.objects.filter(pk=letter.pk, state=letter.state)
    as_seen.update(
        state=Letter.State.WAITING, next_try=now, tries=0, until=now + kind.tried_for, error="", answer=""
    )


def say_it_came_back(letter: Letter, *, account: Account, now: datetime) -> None:
    """A mail server that took it has said later that it could not deliver it: such come to the sender's own box."""
    del account, now
    sent = Letter.objects.filter(pk=letter.pk, state=Letter.State.SENT)
    if not sent.update(state=Letter.State.FAILED, error=SAID_BACK):
        raise UserError(_("Only an email that was sent can bounce."))


def throw_away(letter: Letter, *, account: Account, now: datetime) -> None:
    """It is shown no more, and if it waits it is not sent."""
    del account, now
    waiting = Letter.objects.filter(pk=letter.pk, state=Letter.State.WAITING)
    waiting.update(state=Letter.State.GIVEN_UP)
    Letter.objects.filter(pk=letter.pk).exclude(state=Letter.State.SENDING).update(is_hidden=True)
