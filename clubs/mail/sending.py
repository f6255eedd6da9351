"""Send queued letters by SMTP, retry them, and delete old ones.

A letter is claimed before it is handed over, and its outcome is stored after: two processes never send it twice. A
process that ends while it hands a letter over, or loses the server's response, cannot know whether it was accepted: it
is sent once more with the same Message-ID, by which mail programs recognise it (RFC 5321, 4.5.3.2 and 6.1).
"""

from __future__ import annotations

import logging
import smtplib
import ssl
from contextlib import contextmanager, suppress
from datetime import timedelta
from email.utils import parseaddr
from typing import TYPE_CHECKING, Any, cast

from django.conf import settings
from django.core.mail.backends.smtp import EmailBackend
from django.core.mail.message import sanitize_address
from django.db import InterfaceError, OperationalError
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_noop

from clubs.letter_models import Letter, News
from clubs.mail.kinds import LetterObsolete, build_message, is_unsubscribed, kind_of, unsubscribed_topics
from clubs.mail.letters import enqueue_new_passwords
from clubs.mail.outbox import is_set_up
from core.delivery.http_client import cut_off_after
from core.delivery.outbox import Outbox

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from clubs.models import Player


logger = logging.getLogger(__name__)

# Between two tries; the last of them again and again.
PAUSES = (
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=15),
    timedelta(hours=1),
    timedelta(hours=3),
    timedelta(hours=6),
)
PATIENCE = 20.0  # timeout in seconds of each response of the mail server
WHOLE_LETTER = 90.0  # seconds for the message, however slowly the server responds
# The batch size of letters, queried with the rows that their texts need.
AT_ONCE = 50
NEEDED = ("club", "player", "account")
REFUSED = 500  # and above: for good

NO_ANSWER = gettext_noop("The mail server cannot be reached.")
NO_SIGN_IN = gettext_noop(
    "The mail server rejects the login: the user name or password in EMAIL_URL is wrong."
)
NOT_NOW = gettext_noop("The mail server could not accept it this time.")
NEVER = gettext_noop("The mail server refuses it permanently.")
TOO_LONG = gettext_noop("Given up: it would have arrived too late.")
STOPPED = gettext_noop("They have unsubscribed from these emails.")
UNKNOWN = gettext_noop("The email could not be created. The details are in the server’s log.")

# What a server that is away, slow, or no mail server at all makes of itself.
TROUBLE = (OSError, smtplib.SMTPException, ssl.SSLError)


class DeliveryDelayed(Exception):
    """A temporary failure: its text, and the server's response."""

    def __init__(self, error: str, answer: str = "") -> None:
        super().__init__(error)
        self.error, self.answer = error, answer


class DeliveryRefused(DeliveryDelayed):
    """A permanent failure."""


OUTBOX = Outbox(Letter, PAUSES, lost_after=timedelta(minutes=10))


def is_due(now: datetime) -> bool:
    """Whether a letter is due."""
    if not is_set_up():
        return False
    OUTBOX.release_lost(now)
    return OUTBOX.due(now).exists()


def send_due() -> int:
    """Send all due letters; returns how many. Ends when none is due, or the server does not respond."""
    sent = 0
    try:
        enqueue_new_passwords()
        with _connection() as server:
            while letters := _next():
                sent += sum(_send(letter, server) for letter in letters if OUTBOX.claim(letter))
    except DeliveryDelayed as trouble:
        _all_later(trouble, timezone.now())
    clear_old(timezone.now())
    return sent


@contextmanager
def _connection() -> Iterator[smtplib.SMTP]:
    """An authenticated connection to the mail server. Raises `DeliveryDelayed`."""
    told: Any = settings.MAIL_SERVER  # it is there: see `is_due`
    backend = EmailBackend(
        host=told.host,
        port=told.port,
        username=told.user,
        password=told.password,
        use_tls=told.starttls,
        use_ssl=told.tls,
        timeout=PATIENCE,
    )
    try:
        backend.open()
    except smtplib.SMTPAuthenticationError as refusal:
        raise DeliveryDelayed(NO_SIGN_IN, _error_text(refusal)) from refusal
    except TROUBLE as trouble:
        raise DeliveryDelayed(NO_ANSWER, _error_text(trouble)) from trouble
    try:
        yield cast("smtplib.SMTP", backend.connection)
    finally:
        with suppress(*TROUBLE):
            backend.close()


def _next() -> list[Letter]:
    """The next due letters, with what their texts need."""
    return list(OUTBOX.due(timezone.now()).select_related(*NEEDED).order_by("pk")[:AT_ONCE])


def _send(letter: Letter, server: smtplib.SMTP) -> bool:
    """Send a claimed letter and store the outcome. Raises `DeliveryDelayed` if the connection is lost."""
    try:
        _hand_over(_render_bytes(letter), letter.to, server)
    except LetterObsolete as late:
        _store_outcome(letter, Letter.State.GIVEN_UP, str(late))
    except DeliveryRefused as refusal:
        _store_outcome(letter, Letter.State.FAILED, refusal.error, refusal.answer)
    except DeliveryDelayed as trouble:
        _later(letter, trouble, timezone.now())
        _still_there(server, trouble)
    except (InterfaceError, OperationalError):
        raise  # the database is away for a moment: it is taken up again
    except Exception:
        logger.exception("Letter %s", letter)
        _store_outcome(letter, Letter.State.FAILED, UNKNOWN)
    else:
        _store_outcome(letter, Letter.State.SENT)
        return True
    return False


def _render_bytes(letter: Letter) -> bytes:
    """The message as bytes. Raises `LetterObsolete` if it is not to be sent."""
    if is_unsubscribed(letter.to, kind_of(letter.kind).topic):
        raise LetterObsolete(STOPPED)
    return bytes(build_message(letter).message().as_bytes(linesep="\r\n"))  # type: ignore[call-arg]


def _hand_over(letter: bytes, to: str, server: smtplib.SMTP) -> None:
    """Send a message. Raises `DeliveryDelayed`, or `DeliveryRefused` for this recipient or message."""
    with cut_off_after(WHOLE_LETTER, server):
        try:
            server.sendmail(parseaddr(settings.EMAIL_FROM)[1], [sanitize_address(to, "utf-8")], letter)
        except smtplib.SMTPRecipientsRefused as refusal:
            code, text = next(iter(refusal.recipients.values()))
            raise _refusal(code, text) from refusal
        except smtplib.SMTPDataError as refusal:
            raise _refusal(refusal.smtp_code, refusal.smtp_error) from refusal
        except TROUBLE as trouble:
            raise DeliveryDelayed(NOT_NOW, _error_text(trouble)) from trouble


def _refusal(code: int, text: bytes | str) -> DeliveryDelayed:
    said = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    return (
        (DeliveryRefused(NEVER, f"{code} {said}"))
        if code >= REFUSED
        else DeliveryDelayed(NOT_NOW, f"{code} {said}")
    )


def _still_there(server: smtplib.SMTP, trouble: DeliveryDelayed) -> None:
    """Raise the error if the server no longer responds, so that other letters do not each time out."""
    try:
        code, _text = server.rset()
    except TROUBLE:
        raise trouble from None
    if code >= REFUSED:
        raise trouble


def _store_outcome(letter: Letter, state: Letter.State, error: str = "", answer: str = "") -> None:
    at = timezone.now() if state == Letter.State.SENT else None
    OUTBOX.store(letter, state=state, error=error, answer=answer[:300], sent_at=at)


def _later(letter: Letter, trouble: DeliveryDelayed, now: datetime) -> None:
    """Schedule the next attempt with a growing pause, or give up."""
    again = now + OUTBOX.pause_after(letter.tries)
    if again > letter.until:
        _store_outcome(letter, Letter.State.GIVEN_UP, TOO_LONG, f"{trouble.error} {trouble.answer}")
        return
    values = {"next_try": again, "error": trouble.error, "answer": trouble.answer[:300]}
    OUTBOX.store(letter, state=Letter.State.WAITING, **values)


def _all_later(trouble: DeliveryDelayed, now: datetime) -> None:
    """Reschedule all due letters while the server does not respond, without trying each."""
    logger.warning("Mail is delayed: %s %s", trouble.error, trouble.answer)
    due = OUTBOX.due(now)
    for tries in list(due.values_list("tries", flat=True).distinct().order_by()):
        waiting = due.filter(tries=tries)
        again = now + OUTBOX.pause_after(tries + 1)
        said = {"tries": tries + 1, "error": trouble.error, "answer": trouble.answer[:300]}
        in_vain = waiting.filter(until__lt=again)
        in_vain.update(**said | {"state": Letter.State.GIVEN_UP, "error": TOO_LONG, "answer": trouble.error})
        waiting.update(**said, next_try=again)


def _error_text(trouble: BaseException) -> str:
    """The error text of the server or the system; neither contains the password."""
    if isinstance(trouble, smtplib.SMTPResponseException):
        text = trouble.smtp_error
        return f"{trouble.smtp_code} {text.decode('utf-8', 'replace') if isinstance(text, bytes) else text}"
    return str(trouble) or type(trouble).__name__


# Questions about a missing letter come within weeks.
KEPT = timedelta(days=180)


def clear_old(now: datetime) -> None:
    """Delete letters and news older than 180 days."""
    oldest = now - KEPT
    Letter.objects.exclude(state__in=Letter.UNDER_WAY).filter(posted_at__lt=oldest).delete()
    News.objects.filter(written_at__lt=oldest).delete()


def stored_letters(player: Player) -> dict[str, Any]:
    """A player's letters as stored, for a report on their personal data."""
    return {
        "language": player.language,
        "agreed_to": list(player.agreements.order_by("topic").values("topic", "agreed_at")),
        "stopped": unsubscribed_topics(player.email) if player.email else {},
        "posted": list(
            _letters_of_player(player)
            .order_by("pk")
            .values("kind", "to", "facts", "state", "posted_at", "sent_at", "answer")
        ),
    }


def forget_letters(player: Player) -> None:
    """Delete queued letters and anonymise sent ones. Unsubscriptions stay: see `Stop`."""
    theirs = _letters_of_player(player)
    theirs.filter(state__in=Letter.UNDER_WAY).delete()
    theirs.update(to="", facts={}, answer="", player=None)
    player.agreements.all().delete()


def _letters_of_player(player: Player) -> Any:
    """A player's letters, by player or address; letters to a shared address belong to the others too."""
    shared = type(player).objects.filter(email__iexact=player.email).exclude(pk=player.pk).exists()
    to_address = Q(to__iexact=player.email, player=None) if player.email and not shared else Q()
    return Letter.objects.filter(Q(player=player) | to_address) if to_address else player.posted.all()
