"""The page of a read table, at the desk and with the captain's link: its lines, what is asked, and the button."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from django.contrib import messages
from django.http import JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.errors import NotPossible
from tournaments.ledger.scoresheet import score_sheet
from tournaments.models import SheetPicture
from tournaments.slip.legend import legend_of
from tournaments.slip.photographed.checking import BLOCK, Check
from tournaments.slip.photographed.form import ReadForm, pictures_of
from tournaments.slip.photographed.merging import Pictures, to_be_taken
from tournaments.slip.photographed.shown import row_of
from tournaments.slip.photographed.taking import take_in
from tournaments.slip.photographed.trust import ENOUGH, sheets_right
from tournaments.web.undoing import undo_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

    from clubs.models import Account
    from tournaments.models import Table


class ReadPage:
    """A table's pictures: read from what was kept, answered, taken in, shown."""

    def __init__(
        self,
        request: HttpRequest,
        table: Table,
        account: Account | None,
        pieces_at: Callable[[SheetPicture], str],
    ) -> None:
        """Without an account it is the captain's; `pieces_at` is where a picture's lines are shown."""
        self.request = request
        self.account = account
        self.pieces_at = pieces_at
        self.right = sheets_right(table.round.tournament.host)
        self.form = ReadForm(request.POST) if request.method == "POST" else ReadForm(initial={"key": uuid4()})
        self._look(table)

    def _look(self, table: Table) -> None:
        self.sheet = score_sheet(table)
        self.found = Pictures(table, list(to_be_taken(table)), self.sheet)
        sent, deals = self.request.POST, table.deals
        answered = self.form.answered(sent, deals) if self.request.method == "POST" else None
        self.check = Check(self.sheet, self.found.lines(), answered, trusted=self.trusted)

    @property
    def trusted(self) -> bool:
        return self.right == ENOUGH

    def is_empty(self) -> bool:
        """Whether nothing is to be taken in; asked anew once it was tried, since somebody may have been sooner."""
        return not self.found.read

    def checked(self) -> JsonResponse:
        """Every line in words, with nothing stored."""
        return JsonResponse({"lines": [line.to_json() for line in self.check.grid]})

    def take(self) -> bool:
        """Take the table in; False where the page is to be shown again."""
        table = self.sheet.table
        if not self.form.is_valid():
            messages.error(self.request, _("This page is out of date. Reload it."))
            return False
        now = timezone.now()
        try:
            taken = take_in(
                table,
                self.form.answered(self.request.POST, table.deals),
                pictures=pictures_of(self.request.POST),
                key=self.form.cleaned_data["key"],
                account=self.account,
                now=now,
                trusted=self.trusted,
            )
        except NotPossible as refusal:
            messages.warning(self.request, refusal.message)
            self._look(table)
            return False
        if not taken.done:
            self._look(table)
            messages.warning(self.request, _("Nothing has been saved yet: check what is marked."))
            return False
        said = ngettext("%(count)d deal has been saved.", "%(count)d deals have been saved.", taken.count)
        back = undo_of(table.round.tournament, "sheet")(now) if self.account and taken.count else ""
        messages.success(self.request, said % {"count": taken.count}, extra_tags=back)
        return True

    def show(self, template: str, **more: Any) -> HttpResponse:
        table = self.sheet.table
        asked = [row_of(self.sheet, one, self.pieces_at) for one in self.check.asked]
        blocks = [
            (block, [row_of(self.sheet, one, self.pieces_at) for one in block.lines])
            for block in self.check.blocks
        ]
        first = next((one for one in self.check.asked if one.problem), None) or next(
            iter(self.check.asked), None
        )
        deals = {one.deal for one in self.found.lines()}
        context = {
            "tournament": table.round.tournament,
            "round": table.round,
            "table": table,
            "sheet": self.sheet,
            "form": self.form,
            "found": self.found,
            "asked": asked,
            "blocks": blocks,
            "left": len(asked),
            "lines": len(deals),
            "missing": sorted({line.number for line in self.sheet.lines if not line.reported} - deals),
            "first": first.merged.deal if first else 0,
            "pictures": [read.picture for read in self.found.read],
            "picture_keys": ",".join(self.found.keys),
            "seen": self._seen(),
            "trusted": self.trusted,
            "enough": ENOUGH,
            "right_so_far": self.right,
            "block_of": BLOCK,
            "legend": legend_of(self.sheet.rulebook, self.sheet.players),
        }
        return render(self.request, template, context | more)

    def _seen(self) -> str:
        """The revision of each deal that the page shows: where paper and report differ, both stand there."""
        return ",".join(str(line.revision) for line in self.sheet.lines)
