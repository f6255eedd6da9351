"""Kinds of letters: name at the desk, template context, topic; consent to topics; render subject, text and HTML."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from email.headerregistry import Address
from email.utils import formatdate, parseaddr
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMultiAlternatives
from django.db.models import Q
from django.template import Context
from django.template.loader import get_template, select_template
from django.urls import reverse
from django.utils import translation
from django.utils.crypto import salted_hmac
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy as _

from clubs.models import Agreement, Player, Stop, Topic
from core.log_messages import KINDS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from datetime import datetime

    from django.utils.functional import _StrPromise as StrPromise

    from clubs.models import Letter


class LetterKind:
    """A kind of letter."""

    code = ""
    # What the desk calls it.
    name: str | StrPromise = ""
    # The topic that needs consent (`Topic`); "" for letters that need none.
    topic = ""
    # How long delivery is attempted; later the letter would be of no use.
    tried_for = timedelta(days=4)

    def template_context(self, letter: Letter) -> dict[str, Any]:
        """Template context besides the letter's facts, in its language. Secret links are created here, each time.

        Raises `LetterObsolete` if the letter is no longer true.
        """
        del letter
        return {}


class Trial(LetterKind):
    """A test letter that an organiser sends to their own address."""

    code = "trial"
    name = _("test email")


class LetterObsolete(Exception):
    """The letter is no longer true and is not sent; a text marked with gettext_noop."""


@cache
def kind_of(code: str) -> LetterKind:
    """The kind of a code. Raises KeyError if it no longer exists."""
    kind: LetterKind = import_string(settings.LETTER_KINDS[code])()
    return kind


MOST_LETTERS_OF_SUBJECT = 150


@dataclass(frozen=True)
class RenderedLetter:
    """Subject, text and HTML of a letter."""

    subject: str
    text: str
    html: str


def render_letter(letter: Letter) -> RenderedLetter:
    """Render a letter as it would be sent now. Raises `LetterObsolete`, or KeyError if its kind no longer exists."""
    kind = kind_of(letter.kind)
    with translation.override(letter.language):
        told = {
            **{name: _render_fact(value) for name, value in letter.facts.items()},
            "club": letter.club,
            "site": settings.PUBLIC_URL,
            "stop": stop_address(letter),
            "topic": kind.topic,
            "language": letter.language,
            **kind.template_context(letter),
        }
        head, _empty, text = _plain(f"mail/{letter.kind}.txt", told).partition("\n\n")
        subject = " ".join(head.removeprefix("Subject:").split())[:MOST_LETTERS_OF_SUBJECT]
        told |= {"subject": subject, "text": text.strip()}
        html = select_template([f"mail/{letter.kind}.html", "mail/letter.html"]).render(told)
        return RenderedLetter(
            told["subject"], f"{text.strip()}\n\n{_plain('mail/foot.txt', told).strip()}\n", html
        )


def build_message(letter: Letter) -> EmailMultiAlternatives:
    """The letter as a MIME message."""
    made = render_letter(letter)
    name, plain = parseaddr(settings.EMAIL_FROM)
    sent_by = " ".join((letter.club.name if letter.club else name).split())
    mail = EmailMultiAlternatives(
        subject=made.subject,
        body=made.text,
        from_email=str(Address(sent_by, addr_spec=plain)) if sent_by else plain,
        to=[letter.to],
        headers={
            "Message-ID": message_id(letter),
            "Date": formatdate(letter.posted_at.timestamp()),
            "List-Unsubscribe": f"<{stop_address(letter)}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
            "Content-Language": letter.language,
        },
    )
    mail.attach_alternative(made.html, "text/html")
    return mail


def message_id(letter: Letter) -> str:
    """The Message-ID of a letter: the same for each attempt, so that a duplicate is recognised."""
    domain = parseaddr(settings.EMAIL_FROM)[1].rpartition("@")[2]
    return f"<{letter.pk}.{salted_hmac('clubs.mail.message', str(letter.pk)).hexdigest()[:20]}@{domain}>"


def stop_address(letter: Letter) -> str:
    """The unsubscribe URL of a letter: for its topic, or for all that needs no consent."""
    told = unsubscribe_token(letter.to, kind_of(letter.kind).topic or EVERYTHING)
    return f"{settings.PUBLIC_URL}{reverse('mail_stop', args=[told])}"


def _plain(name: str, told: dict[str, Any]) -> str:
    """Render a text template, without HTML escaping."""
    return str(get_template(name).template.render(Context(told, autoescape=False)))  # type: ignore[attr-defined]


def _render_fact(value: Any) -> Any:
    """A fact as text in the letter's language: dates, times, and words that are translated."""
    if isinstance(value, list):
        return [_render_fact(held) for held in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        ((kind, told),) = value.items()
        if kind in KINDS and isinstance(told, str):
            return KINDS[kind](told)
    return {name: _render_fact(held) for name, held in value.items()}


# Consent to topics of e-mail, and unsubscriptions of addresses.
#
# An unsubscription overrides every consent: an organiser who ticks it again, or an import, does not undo it.

# The salt of unsubscribe links: they give no other access and do not contain the address.
SALT = "clubs.mail.stop"
EVERYTHING = ""
LENGTH = 32  # of an address's print: 128 bits


def address_digest(address: str) -> str:
    """The digest of an address, equal however it is written."""
    return sha256(address.strip().casefold().encode()).hexdigest()[:LENGTH]


def is_unsubscribed(address: str, topic: str) -> bool:
    return stops(address_digest(address), topic)


def stops(address_print: str, topic: str) -> bool:
    return Stop.objects.filter(address_print=address_print, topic__in={topic, EVERYTHING}).exists()


def unsubscribed_among(addresses: Iterable[str], topic: str) -> set[str]:
    """Those of these addresses that are unsubscribed from a topic."""
    prints = {address_digest(address): address for address in addresses}
    found = Stop.objects.filter(topic__in={topic, EVERYTHING}, address_print__in=prints)
    return {prints[held] for held in found.values_list("address_print", flat=True)}


def has_consent(player: Player, topic: str) -> bool:
    return not topic or player.agreements.filter(topic=topic).exists()


def players_with_consent(topic: str) -> Q:
    """Players who consent to a topic and have an address."""
    return Q(agreements__topic=topic) & ~Q(email="")


def set_consent(player: Player, topics: Collection[str], *, now: datetime) -> None:
    """Set the topics a player consents to, and no others."""
    player.agreements.exclude(topic__in=topics).delete()
    held = set(player.agreements.values_list("topic", flat=True))
    Agreement.objects.bulk_create(
        [Agreement(player=player, topic=topic, agreed_at=now) for topic in topics if topic not in held],
        ignore_conflicts=True,
    )


def add_consent(player: Player, topics: Collection[str], *, now: datetime) -> None:
    """Add topics to those a player consents to."""
    set_consent(player, {*topics, *player.agreements.values_list("topic", flat=True)}, now=now)


def unsubscribe_token(address: str, topic: str) -> str:
    """The token of an unsubscribe link for an address and a topic."""
    return signing.Signer(salt=SALT).sign(f"{address_digest(address)}{topic}")


def parse_unsubscribe_token(told: str) -> tuple[str, str] | None:
    """The address digest and the topic of a token; None if it is not ours, or truncated."""
    try:
        signed = signing.Signer(salt=SALT).unsign(told)
    except signing.BadSignature:
        return None
    return signed[:LENGTH], signed[LENGTH:]


def unsubscribe(address_print: str, topic: str, *, now: datetime) -> None:
    """Unsubscribe an address from a topic, or with EVERYTHING from all."""
    Stop.objects.get_or_create(address_print=address_print, topic=topic, defaults={"stopped_at": now})


def resubscribe(address_print: str) -> None:
    """Delete every unsubscription of an address."""
    Stop.objects.filter(address_print=address_print).delete()


def unsubscribed_topics(address: str) -> dict[str, datetime]:
    """The topics that an address is unsubscribed from, with the times."""
    held = Stop.objects.filter(address_print=address_digest(address)).values_list("topic", "stopped_at")
    found = dict(held)
    if EVERYTHING in found:
        return dict.fromkeys(Topic.values, found[EVERYTHING])
    return found
