"""Kinds of letters: name at the desk, topic that needs consent, template context; render subject, text and HTML.

A kind is a class in `settings.LETTER_KINDS`, beside templates in `templates/mail`: `<code>.subject.txt` (one line),
`<code>.txt`, and where plain paragraphs are not enough `<code>.html`, which extends `mail/base.html`. A letter is
rendered when it is sent, in its reader's language; its HTML loads nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from email.headerregistry import Address
from email.utils import formatdate, parseaddr
from functools import cache
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template import Context
from django.template.loader import get_template, select_template
from django.urls import reverse
from django.utils import translation
from django.utils.crypto import salted_hmac
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy as _

from clubs.mail.consent import EVERYTHING, token
from core.log_messages import KINDS

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise

    from clubs.models import Letter


class Kind:
    """A kind of letter."""

    code = ""
    # What the desk calls it.
    name: str | StrPromise = ""
    # What one must have agreed to (`Topic`); "" for what was asked for, or must be known.
    topic = ""
    # How long it is tried; what is told then would come too late.
    tried_for = timedelta(days=4)

    def said(self, letter: Letter) -> dict[str, Any]:
        """What its words need besides its facts, in the letter's language. What is secret is made here, each time.

        Raises `TooLate` where what it tells is so no longer.
        """
        del letter
        return {}


class Trial(Kind):
    """What an organiser sends to an address of their own, to see that letters arrive."""

    code = "trial"
    name = _("test email")


class TooLate(Exception):  # noqa: N818 - says what happened
    """What the letter tells is no longer so: it is not sent. The text is a sentence marked with gettext_noop."""


@cache
def kind_of(code: str) -> Kind:
    """Raises KeyError where there is no such kind any more."""
    kind: Kind = import_string(settings.LETTER_KINDS[code])()
    return kind


MOST_LETTERS_OF_SUBJECT = 150


@dataclass(frozen=True)
class Words:
    """What somebody reads."""

    subject: str
    text: str
    html: str


def words(letter: Letter) -> Words:
    """A letter as it would be sent now. Raises `TooLate` where it would not, and KeyError where its kind is no more."""
    kind = kind_of(letter.kind)
    with translation.override(letter.language):
        told = {
            **{name: _said(value) for name, value in letter.facts.items()},
            "club": letter.club,
            "site": settings.PUBLIC_URL,
            "stop": stop_address(letter),
            "topic": kind.topic,
            "language": letter.language,
            **kind.said(letter),
        }
        subject = _plain(f"mail/{letter.kind}.subject.txt", told)
        text = _plain(f"mail/{letter.kind}.txt", told)
        told |= {"subject": " ".join(subject.split())[:MOST_LETTERS_OF_SUBJECT], "text": text.strip()}
        html = select_template([f"mail/{letter.kind}.html", "mail/letter.html"]).render(told)
        return Words(told["subject"], f"{text.strip()}\n\n{_plain('mail/foot.txt', told).strip()}\n", html)


def message(letter: Letter) -> EmailMultiAlternatives:
    """The letter as it goes to the mail server."""
    made = words(letter)
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
    """The same each time it is tried, so that whoever got it already can tell."""
    domain = parseaddr(settings.EMAIL_FROM)[1].rpartition("@")[2]
    return f"<{letter.pk}.{salted_hmac('clubs.mail.message', str(letter.pk)).hexdigest()[:20]}@{domain}>"


def stop_address(letter: Letter) -> str:
    """The address that stops letters like this one: of its topic, or of what needs no agreement all."""
    told = token(letter.to, kind_of(letter.kind).topic or EVERYTHING)
    return f"{settings.PUBLIC_URL}{reverse('mail_stop', args=[told])}"


def _plain(name: str, told: dict[str, Any]) -> str:
    """A template of text: nothing in it is written as HTML wants it."""
    return str(get_template(name).template.render(Context(told, autoescape=False)))  # type: ignore[attr-defined]


def _said(value: Any) -> Any:
    """A fact in the reader's words: days, moments and words that have a name in every language."""
    if isinstance(value, list):
        return [_said(held) for held in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        ((kind, told),) = value.items()
        if kind in KINDS and isinstance(told, str):
            return KINDS[kind](told)
    return {name: _said(held) for name, held in value.items()}
