"""The records of a club or a union, each with who holds it and where it was made."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.hall.years.club_pages import asked_of, page_of
from tournaments.hall.years.links import AtEvening, at_evenings
from tournaments.models import Entry
from tournaments.people.club_years import DEAL, TOUT
from tournaments.people.history import EVENINGS, NAMES, RUN, Record, record_value_text
from tournaments.people.person_statistics import OwnDeal, deals_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest, HttpResponse


class Shown(NamedTuple):
    """A record: what it is, how much, who at which evening, and the URL of what made it.

    `others` is how many hold it too; of what was done over many evenings there is no URL.
    """

    name: str
    amount: str
    at: AtEvening
    address: str
    is_deal: bool
    others: int


@require_safe
def hall_records(request: HttpRequest, slug: str) -> HttpResponse:
    asked = asked_of(request, slug)
    held = records_shown(asked.history.records()) if asked.history else []
    return page_of(request, "records", asked, {"records": held})


def records_shown(found: Sequence[Record]) -> list[Shown]:
    at = at_evenings([one.entry for one in found])
    deals = _deals([one for one in found if one.kind in (DEAL, TOUT)])
    return [
        Shown(
            _(NAMES[one.kind]),
            record_value_text(one.kind, one.value),
            at[one.entry],
            deals.get(one) or ("" if one.kind in (RUN, EVENINGS) else at[one.entry].address),
            one in deals,
            one.shared_by - 1,
        )
        for one in found
    ]


def _deals(found: Sequence[Record]) -> dict[Record, str]:
    """The sheet of the deal that made each of these records."""
    entries = Entry.objects.filter(pk__in={one.entry for one in found})
    addresses = {}
    for one in found:
        for deal in deals_of(entries.filter(pk=one.entry)).deals:
            if deal.tokens == one.value and (one.kind == DEAL or _is_tout(deal)):
                addresses[one] = _sheet(deal)
                break
    return addresses


def _is_tout(deal: OwnDeal) -> bool:
    return deal.deal.sort.tout == "won" and deal.deal.declarer == deal.position


def _sheet(deal: OwnDeal) -> str:
    at = deal.place
    return f"{reverse('hall_table', args=[at.code, at.round, at.table])}#line-{deal.number}"
