"""Who has won, when all is over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.domain.terms import people

if TYPE_CHECKING:
    from collections.abc import Sequence


def winners_in_words(names: Sequence[str]) -> str:
    """The winner, or those who share the first place; empty where nobody has it."""
    if not names:
        return ""
    return ngettext("Winner: %(names)s", "Winners: %(names)s", len(names)) % {"names": ", ".join(names)}


def won_in_words(names: Sequence[str]) -> str:
    """The same as a sentence, as a page that begins with it says it."""
    if not names:
        return ""
    if len(names) == 1:
        return _("%(name)s won") % {"name": names[0]}
    return _("%(names)s share the win") % {"names": people(names)}
