"""What can be a letter: what the desk calls it, what has to be agreed to, and what its words need.

A kind is a class in `settings.LETTER_KINDS`, beside templates in `templates/mail`: `<code>.subject.txt` (one line),
`<code>.txt`, and where plain paragraphs are not enough `<code>.html`, which extends `mail/base.html`.
"""

from __future__ import annotations

from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy as _

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
