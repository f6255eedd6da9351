"""A union's statement to a club as a PDF."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from core.pdf.fonts import plain
from core.pdf.page import Page
from core.pdf.store import kept_file
from tournaments.domain.amounts import in_kroner

if TYPE_CHECKING:
    from datetime import datetime

    from tournaments.models import Statement

STYLES = """
.statement table { border-collapse: collapse; width: 100%; margin: 8mm 0; font-size: 11pt; }
.statement :is(td, th) { text-align: left; border-bottom: .12mm solid #000; padding: 2mm 1.2mm 2mm 0; }
.statement th { border-bottom-width: .3mm; font-size: 9pt; }
.statement .amount { text-align: right; white-space: nowrap; padding-right: 0; }
.statement > p { margin: 0 0 2.5mm; font-size: 11pt; overflow-wrap: anywhere; }
.statement .total td { font-weight: bold; border-bottom-width: .42mm; }
"""


def statement_pdf(statement: Statement, *, printed_at: datetime, asker: str = "") -> bytes:
    """The PDF of a statement. Raises CannotMake."""
    occasion = {
        "host": plain(statement.union.name),
        "tournament": plain(statement.club.name),
        "printed_at": printed_at,
    }
    page = Page(
        "paper/_statement.html",
        name=_("Statement"),
        css="ranking statement",
        styles=STYLES,
        context={
            "occasion": occasion,
            "statement": statement,
            "for_members": in_kroner(statement.for_members),
            "per_member": in_kroner(statement.per_member),
            "for_teams": in_kroner(statement.for_teams),
            "per_team": in_kroner(statement.per_team),
            "total": in_kroner(statement.total),
            "pay_to": plain(statement.pay_to),
        },
    )
    return kept_file([page], _("Statement"), printed_at=printed_at, asker=asker)
