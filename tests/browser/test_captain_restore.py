"""An older backup put in the place of what was there: the open page sends again what it knows was stored."""

from __future__ import annotations

import pytest
from django.db.models import F
from playwright.sync_api import expect

from tests.browser.phone import badge, captain
from tests.factories import report
from tournaments.backups import VERSIONS_APART
from tournaments.models import Deal, Report, Table
from tournaments.recount import differences

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NOLO = {"contract": "pure_nolo", "declarer": 1, "outcome": "won"}


def set_back(table: Table, reports: int) -> None:
    """As a restored backup leaves a table: with its first reports, the players' tokens after them, another version."""
    gone = table.reports.filter(sequence__gt=reports)
    for position in range(4):
        lost = sum(row.tokens[position] for row in gone if row.tokens)
        table.seats.filter(position=position).update(tokens=F("tokens") - lost)
    Deal.objects.filter(table=table, current__in=gone).delete()
    gone.delete()
    last = table.reports.latest("sequence")
    version = F("version") + VERSIONS_APART
    Table.objects.filter(pk=table.pk).update(reports_count=reports, last_hash=last.hash, version=version)


def test_what_a_restored_backup_misses_is_sent_again(open_page, table):
    for deal in (1, 2, 3):
        assert report(table, deal, NOLO | {"declarer": deal % 4}).status == "accepted"
    page = captain(open_page, table)
    expect(badge(page)).to_have_text("3 saved · 0 waiting")
    set_back(Table.objects.get(pk=table.pk), 1)
    with page.expect_response(
        lambda answer: answer.url.endswith("/reports") and '"deal":3' in answer.request.post_data
    ):
        pass
    expect(badge(page)).to_have_text("3 saved · 0 waiting")
    told = Report.objects.order_by("sequence").values_list("deal_number", "reason")
    again = "Sent again by the phone: an older backup was restored."
    assert list(told) == [(1, ""), (2, again), (3, again)]
    assert list(differences(table.round.tournament)) == []
