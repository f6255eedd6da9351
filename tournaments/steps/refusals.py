"""What a person asked for and cannot have, in words for that person."""

from django.utils.translation import gettext as _

from clubs.refusals import Refusal

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
        raise NotPossible(_("Say it in at most %(most)d letters.") % {"most": REASON_LENGTH}, "reason")
    return reason
