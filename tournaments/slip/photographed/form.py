"""What is sent: photographs of sheets; and a read table's page with what was answered on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.slip.form import SlipForm
from tournaments.slip.grid import TypedLine
from tournaments.slip.photographed.checking import Answered

if TYPE_CHECKING:
    from django.http import QueryDict

# As many pictures as are taken out of one form; a script sends each by itself.
MOST_AT_ONCE = 30


class ReadForm(SlipForm):
    """`key` is the page's, `seen` the revisions of the deals, as of a slip; the reason is that of the paper."""

    def answered(self, sent: QueryDict, deals: int) -> Answered:
        return Answered(
            typed={
                deal: TypedLine(sent.get(f"line-{deal}", ""), sent.get(f"paper-{deal}", ""), seen)
                for deal, seen in enumerate(self.revisions(deals), start=1)
                if f"line-{deal}" in sent
            },
            shown={deal: sent.get(f"shown-{deal}", "") for deal in range(1, deals + 1)},
            right=frozenset(deal for deal in range(1, deals + 1) if f"right-{deal}" in sent),
            which={deal: sent.get(f"which-{deal}", "") for deal in range(1, deals + 1)},
            looked=frozenset(deal for deal in range(1, deals + 1) if f"looked-{deal}" in sent),
        )


def pictures_of(sent: QueryDict) -> list[str]:
    """The pictures that were on the page, as they were read then: see `picture_key`."""
    return [word for word in sent.get("pictures", "").split(",") if word]
