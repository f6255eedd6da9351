"""Taking back at once what one button has done to many: what came later stands, and is said."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from core.errors import NotPossible

NAMED = 4  # so many of what stands are named


@dataclass(slots=True)
class Undone:
    """`count` things are as they were before; those that somebody has changed since then, by name, stand.

    Where the tournament is `finished` meanwhile, some of them for that alone.
    """

    count: int = 0
    stands: list[str] = field(default_factory=list)
    finished: bool = False

    @property
    def said(self) -> str:
        """Raises NotPossible where nothing was taken back."""
        names = ", ".join(self.stands[:NAMED]) + (" …" if len(self.stands) > NAMED else "")
        if not self.count and not names:
            raise NotPossible(_("It has been taken back already."))
        if not names:
            return _("It is taken back.")
        if not self.count:
            nothing = (
                _(
                    "Nothing is taken back: the tournament is finished, and what has been done since stands"
                    " (%(names)s)."
                )
                if self.finished
                else _("Nothing is taken back: what has been done since stands (%(names)s).")
            )
            raise NotPossible(nothing % {"names": names})
        but_for = (
            _(
                "It is taken back, but for %(names)s: the tournament is finished, and what has been done since"
                " stands."
            )
            if self.finished
            else _("It is taken back, but for %(names)s: what has been done since stands.")
        )
        return but_for % {"names": names}
