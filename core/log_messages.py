"""A line of a log: who did what and when, stored as data and rendered in the reader's language.

What is stored is an English sentence with {placeholders} and what fills them: numbers, names and reasons as they are;
what is written in one way or another by the reader's language by its kind, as `{"day": "2026-11-22"}`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext, override

from core.former_texts import current_text, translate_stored

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise

Kinds = Mapping[str, Callable[[Any], str]]

# The formatter of each kind of value.
KINDS: Kinds = {
    "day": lambda day: date_format(date.fromisoformat(day), "DATE_FORMAT"),
    "moment": lambda moment: date_format(localtime(datetime.fromisoformat(moment)), "DATETIME_FORMAT"),
    "word": translate_stored,
}

# Sentences that count something, by what is stored of them: what is counted, and one and several of it.
Counted = Mapping[str, tuple[str, "StrPromise"]]

_BELOW_0 = re.compile(r"-\d+")


class LogLine(models.Model):
    """`account` is None for actions at the server itself, and where the account is not on this machine."""

    kinds: ClassVar[Kinds] = KINDS
    counted: ClassVar[Counted] = {}

    at = models.DateTimeField()
    # The name stays readable where the account is gone.
    author = models.CharField(max_length=150, blank=True)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    # An English sentence with {placeholders}, translated when shown, and what fills them.
    text = models.CharField(max_length=200)
    params = models.JSONField(default=dict, blank=True)

    class Meta:
        abstract = True
        ordering = ["-pk"]

    def __str__(self) -> str:
        with override(None):
            return self.words

    @property
    def words(self) -> str:
        """The sentence in the user's language."""
        said = {name: self._format_value(value) for name, value in self.params.items()}
        text = current_text(self.text)
        counts, sentence = self.counted.get(text, ("", ""))
        if isinstance(self.params.get(counts), int):
            return sentence.format(**said)
        return gettext(text).format(**said)

    def _format_value(self, value: Any) -> Any:
        if isinstance(value, dict) and len(value) == 1:
            ((kind, told),) = value.items()
            if kind in self.kinds:
                return self.kinds[kind](told)
        if _BELOW_0.fullmatch(str(value)):
            return str(value).replace("-", "\N{MINUS SIGN}")
        return value


def log_fields(
    account: models.Model | None, text: str, params: Mapping[str, object], now: datetime
) -> dict[str, Any]:
    """Field values of a log line with this text, marked with gettext_noop.

    An API key, or an account that is gone, is stored by name only.
    """
    return {
        "at": now,
        "account": account if isinstance(account, AbstractUser) else None,
        "author": author_name(account),
        "text": text,
        "params": {name: to_stored(value) for name, value in params.items()},
    }


def to_stored(value: object) -> Any:
    """The value as the database stores it in JSON."""
    if isinstance(value, datetime):
        return {"moment": value.astimezone(UTC).isoformat()}
    if isinstance(value, date):
        return {"day": value.isoformat()}
    return value if isinstance(value, (int, dict)) else str(value)


def translatable(name: StrPromise | str) -> dict[str, Any]:
    """A value that is translated when shown: a name that exists in every language."""
    with override(None):
        return {"word": str(name)}


def author_name(account: models.Model | None) -> str:
    return str(account)[:150] if account else ""
