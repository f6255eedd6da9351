"""What has been corrected since the final standings were posted, as players are told of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q
from django.utils.translation import ngettext

from tournaments.models import Penalty, Report, Table

if TYPE_CHECKING:
    from tournaments.models import Tournament


def corrected_since_posted(tournament: Tournament) -> list[str]:
    """A sentence for each table with deals reported since, one for rulings; none where nothing was posted."""
    since = tournament.posted_at
    if since is None:
        return []
    touched = Table.objects.filter(round__tournament=tournament, last_report_at__gt=since)
    later = Report.objects.filter(table__in=touched.values("pk"), recorded_at__gt=since).order_by(
        "table__round__number", "table__number", "deal_number"
    )
    deals: dict[tuple[int, int], set[int]] = {}
    for round_, table, deal in later.values_list("table__round__number", "table__number", "deal_number"):
        deals.setdefault((round_, table), set()).add(deal)
    said = [_at_table(round_, table, sorted(numbers)) for (round_, table), numbers in deals.items()]
    ruled = Penalty.objects.filter(tournament=tournament)
    rulings = ruled.filter(Q(ruled_at__gt=since) | Q(cancelled_at__gt=since)).count()
    if rulings:
        text = ngettext("%(count)d ruling.", "%(count)d rulings.", rulings)
        said.append(text % {"count": rulings})
    return said


def _at_table(round_: int, table: int, deals: list[int]) -> str:
    text = ngettext(
        "Round %(round)d, table %(table)d: deal %(deals)s.",
        "Round %(round)d, table %(table)d: deals %(deals)s.",
        len(deals),
    )
    return text % {"round": round_, "table": table, "deals": ", ".join(map(str, deals))}
