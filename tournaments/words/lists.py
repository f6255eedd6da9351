"""Lists of names in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_NAMED = 4  # who share something and are named


def people(names: Sequence[str]) -> str:
    """All of them; of very many the first, and how many more."""
    if len(names) <= MOST_NAMED + 1:
        return listed(names)
    others = _("%(count)d others") % {"count": len(names) - MOST_NAMED}
    return listed([*names[:MOST_NAMED], others])


def listed(words: Sequence[str]) -> str:
    """A list as it is said: Anna, Bo and Carl."""
    if len(words) < 2:  # noqa: PLR2004 - nothing to put between
        return "".join(words)
    return _("%(first)s and %(last)s") % {"first": ", ".join(words[:-1]), "last": words[-1]}
