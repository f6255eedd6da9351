"""Errors with a message for the user, translated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

if TYPE_CHECKING:
    pass


class Refusal(Exception):  # noqa: N818 - it reads as what it says
    """A step that cannot be taken now. `message` is translated; `field` names the control of a form that it concerns.

    `core.http.steps` shows it where it belongs.
    """

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.field = field


REASON_LENGTH = 200


class NotPossible(Refusal):
    """A step of a tournament that cannot be taken now."""


class NoRoom(NotPossible):
    """So much waits for the organiser that no more of it is taken now; it may be asked again later."""


def needed_reason(reason: str) -> str:
    """The reason as it is stored; refused where there is none, or a novel."""
    reason = " ".join(reason.split())
    if not reason:
        raise NotPossible(_("Say why, in a few words."), "reason")
    if len(reason) > REASON_LENGTH:
        raise NotPossible(_("Use at most %(most)d characters.") % {"most": REASON_LENGTH}, "reason")
    return reason


class CannotDo(Exception):  # noqa: N818 - says what happened
    """The work cannot be done; the text is a sentence marked with gettext_noop, which is stored and said when shown."""


class BackupError(Exception):
    """Why there is no backup, or why one cannot be restored; in English, for the command line."""
