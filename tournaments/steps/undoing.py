"""Taking back at once what one button has done to many: what came later stands, and is said."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from tournaments.steps.refusals import NotPossible

NAMED = 4  # so many of what stands are named


@dataclass(slots=True)
class Undone:
    """`count` things are as they were before; those that somebody has changed since then, by name, stand."""

    count: int = 0
    stands: list[str] = field(default_factory=list)

    @property
    def said(self) -> str:
        """Raises NotPossible where nothing was taken back."""
        names = ", ".join(self.stands[:NAMED]) + (" …" if len(self.stands) > NAMED else "")
        if not self.count:
            raise NotPossible(
                _("Nothing is taken back: what has been done since stands (%(names)s).") % {"names": names}
                if names
                else _("It has been taken back already.")
            )
        if names:
            return _("It is taken back, but for %(names)s: what has been done since stands.") % {
                "names": names
            }
        return _("It is taken back.")
