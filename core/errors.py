"""Errors with a message for the user, translated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

if TYPE_CHECKING:
    pass


class UserError(Exception):
    """An error for the user: `message` is translated; `field` names the form control that it concerns.

    `core.http.steps` shows the message at that field, or as a message on the page.
    """

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.field = field


REASON_LENGTH = 200


class NotPossible(UserError):
    """A step of a tournament that is not possible now."""


class NoRoom(NotPossible):
    """Too many requests of this kind wait for an organiser: retry later."""


def clean_reason(reason: str) -> str:
    """The reason with single blanks. Raises NotPossible if it is empty or too long."""
    reason = " ".join(reason.split())
    if not reason:
        raise NotPossible(_("Say why, in a few words."), "reason")
    if len(reason) > REASON_LENGTH:
        raise NotPossible(_("Use at most %(most)d characters.") % {"most": REASON_LENGTH}, "reason")
    return reason


class JobError(Exception):
    """A job failed for a reason the user can understand: a text marked with gettext_noop, translated when shown."""


class BackupError(Exception):
    """A backup failed or cannot be restored; the message is English, for the command line."""
