"""The records of a club or a union, each with who holds it and where it was made."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.domain.terms import people
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
    return page_of(request, "records", asked, {"records": held, "first_said": holders_text(held)})


def holders_text(held: Sequence[Shown]) -> str:
    """A sentence on who holds most records, and since when; where nobody has two, on the newest. "" without any."""
    counts = Counter(one.at.who for one in held)
    most = max(counts.values(), default=0)
    first = [who for who, count in counts.items() if count == most]
    # What grows over many evenings has no day of its own.
    dated = [one for one in held if one.address and one.at.who in first]
    newest = max(dated, key=lambda one: one.at.day, default=None)
    words = {
        "names": people([who.name for who in first]),
        "count": most,
        "all": len(held),
        "day": date_format(newest.at.day, "DATE_FORMAT") if newest else "",
    }
    if most > 1 and len(first) > 1:
        return _("%(names)s hold %(count)d of the %(all)d records each.") % words
    if most > 1:
        said = (
            _("%(names)s holds %(count)d of the %(all)d records, the newest since %(day)s.")
            if newest
            else _("%(names)s holds %(count)d of the %(all)d records.")
        )
        return said % words
    if newest is None:
        return ""
    words |= {"name": newest.at.who.name, "record": newest.name, "amount": newest.amount}
    return _("Newest record: %(record)s, %(amount)s, by %(name)s on %(day)s.") % words


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
