"""Whatever is changed behind the program's back of what a chain covers, or a recount gives, shows: field by field."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from uuid import UUID

import pytest
from django.apps import apps
from django.db import IntegrityError, models, transaction
from django.utils import timezone

from tests.factories import (
    decide_as_it_stands,
    first_round,
    first_table,
    make_club,
    make_player,
    make_tournament,
    report,
    tampering,
)
from tournaments.changes.chain import chain_differences
from tournaments.changes.chain_contents import FROM_TOURNAMENT, chained_fields
from tournaments.entries import entering
from tournaments.exports.verify.recount import differences
from tournaments.ledger.deal_sums import sum_up
from tournaments.ledger.report_chain import STORED, ReportRow, report_hash, stored_hash
from tournaments.lifecycle.rulings import penalise
from tournaments.models import (
    BoardSet,
    ChainLink,
    DealSort,
    EveningResult,
    FixtureWish,
    FolderChange,
    FormerSeat,
    Match,
    MatchConfirmation,
    Objection,
    Payment,
    Postponement,
    Report,
    SeatChange,
    Team,
    TeamEntry,
    TeamEntryPlayer,
    TeamEntryRuling,
    Tournament,
)
from tournaments.seasons.results import FEATS, keep

pytestmark = pytest.mark.databases

SOLO = {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"}

# What is not in a thing's own content, and yet told by the chain …
IN_CHAIN = {
    "Tournament": ("code", "chain_count", "chain_head", "chain_seal"),
    "Round": ("number",),
    "Table": ("number",),
    "Match": ("round", "number"),
    "Entry": ("number",),
    "Team": ("number",),
    "Payment": ("number",),
    "BoardSet": ("round_number",),
    "TeamEntry": ("number",),
    "Objection": ("number",),
    "Seat": ("table", "position", "entry"),
    "FormerSeat": ("table", "position", "entry", "through"),
    "SeatChange": ("table", "change", "reason"),
    "FolderChange": ("table", "deal_number", "was", "now"),
    **{
        model.__name__: tuple(field.name for field in model._meta.concrete_fields if not field.primary_key)
        for model in (FixtureWish, MatchConfirmation, Postponement, TeamEntryPlayer, TeamEntryRuling)
    },
    "ChainLink": tuple(field.name for field in ChainLink._meta.concrete_fields if not field.primary_key),
}
# … or by a recount.
RECOUNTED = {
    "Table": ("last_hash", "reports_count", "seal"),
    "Seat": ("tokens",),
    "FormerSeat": ("tokens",),
    "Deal": ("table", "number", "current"),
    "Report": ("table", "sequence", "deal_number", "contract", "declarer", "previous_hash", "hash"),
    "DealSum": ("year", "sort", "deals", "tokens"),
}
KEPT = ("place", "total", "divided_by", "tokens", "deals", "withdrawn", *FEATS)
# What the database itself refuses to be changed so, in this evening.
REFUSED = {
    "Tournament": {"objections_until"},
    "Penalty": {"match_points", "team"},
    "Objection": {"entry"},
}
# What is hashed of a report: all that it says, but for what is counted from that.
NOT_HASHED = {"id", "table", "contract", "declarer", "hash"}
HASHED = [field.name for field in Report._meta.concrete_fields if field.name not in NOT_HASHED]


@pytest.fixture
def evening(club, alice):
    """A short one with a row of everything, beside a tournament that has none of it."""
    one, now = make_tournament(8, club=club, account=alice, deals_per_round=4), timezone.now()
    for table in first_round(one).tables.select_related("round__tournament"):
        report(table, 1, SOLO)
    table, entries = first_table(one), list(one.entries.order_by("number"))
    entering.enter(one, make_player("Spare"), club=None, account=None, now=now)
    penalise(entries[0], tokens=-5, reason="late", round_=None, account=alice, now=now)
    home, away, third, _spare = (
        Team.objects.create(tournament=one, number=n, name=f"Hold {n}") for n in (1, 2, 3, 4)
    )
    match = Match.objects.create(round=table.round, number=1, home=home, away=away)
    FixtureWish.objects.create(tournament=one, team=home, other=third)
    MatchConfirmation.objects.create(match=match, team=home, home_tokens=4, away_tokens=-4, confirmed_at=now)
    Postponement.objects.create(match=match, team=away, days=[["2026-12-01", ""]], reason="sne", asked_at=now)
    Match.objects.create(round=table.round, number=2, home=third)
    Objection.objects.create(
        tournament=one, number=1, team=home, about="match", words="ikke sådan", made_at=now, answer="jo",
        decided_by="x",
    )  # fmt: skip
    times = {"entered_at": now, "changed_at": now}
    entered = TeamEntry.objects.create(tournament=one, number=1, club=club, name="Hold", team=home, **times)
    TeamEntry.objects.create(tournament=one, number=2, club=club, name="Hold B", **times)
    TeamEntryPlayer.objects.create(team_entry=entered, player=entries[0].player, place=1)
    TeamEntryRuling.objects.create(
        team_entry=entered, what="changed", reason="syg", ruled_by="x", ruled_at=now
    )
    Payment.objects.create(tournament=one, number=1, payer=entries[0], amount=500)
    BoardSet.objects.create(tournament=one, round_number=1, dealt_at=now)
    SeatChange.objects.create(table=table, sequence=1, change={"deal": 3, "dealer": 0}, changed_at=now)
    FormerSeat.objects.create(table=table, round=table.round, position=0, entry=entries[4], through=0)
    FolderChange.objects.create(table=table, deal_number=1, was=1, now=2, changed_at=now)
    decide_as_it_stands(one)
    sum_up([one.pk])
    keep(one.pk)
    DealSort.objects.create(said="another", contract="nolo", players=4)
    make_tournament(4, club=make_club("Klub"), started=False)
    return Tournament.objects.get(pk=one.pk)


NOT_EMPTY = {
    models.DateTimeField: timezone.now(),
    models.DateField: date(2026, 1, 1),
    models.TimeField: time(19),
    models.JSONField: {},
}
CHANGED = {
    bool: lambda now: [not now],
    int: lambda now: [now + 1, now + 50, now + 3, now - 1],
    str: lambda now: [f"{now[:-1]}{'B' if now.endswith('A') else 'A'}"],
    datetime: lambda now: [now + timedelta(microseconds=1)],
    date: lambda now: [now + timedelta(days=1)],
    time: lambda now: [now.replace(minute=(now.minute + 1) % 60)],
    UUID: lambda now: [UUID(int=now.int ^ 1)],
    list: lambda now: [[*now, 99]],
    dict: lambda now: [now | {"another": 1}],
}


def others(row, field):
    """Values of this field that are not the row's; of some the database may have none."""
    now = getattr(row, field.attname)
    if isinstance(field, models.ForeignKey):
        rows = field.related_model._default_manager.exclude(pk=now)
        return [
            *rows.order_by("-pk").values_list("pk", flat=True)[:3],
            *[None] * (field.null and now is not None),
        ]
    if field.choices:
        return [code for code, _name in field.flatchoices if code != now]
    if now is None:
        return [NOT_EMPTY.get(type(field), 1)]
    return CHANGED[type(now)](now)


def row_of(evening, name):
    return (
        evening
        if name == "Tournament"
        else apps.get_model("tournaments", name)._default_manager.order_by("pk")[0]
    )


def change(row, name):
    """Write another value into a field; False where the database itself refuses each."""
    for value in others(row, row._meta.get_field(name)):
        with suppress(IntegrityError), transaction.atomic():
            type(row)._base_manager.filter(pk=row.pk).update(**{name: value})
            return True
    return False


def told(evening, found=differences):
    return {str(one) for one in found(Tournament.objects.get(pk=evening.pk))}


def unseen_of(evening, fields, found):
    """Of these fields by model those that are changed one by one and not told of, and those that cannot be changed."""
    before, unseen, refused = told(evening, found), set(), set()
    for name, field in ((name, field) for name, own in fields.items() for field in own):
        with transaction.atomic():
            if not change(row_of(evening, name), field):
                refused.add(f"{name}.{field}")
            elif not told(evening, found) - before:
                unseen.add(f"{name}.{field}")
            transaction.set_rollback(True)
    return unseen, refused


def test_whatever_is_changed_of_a_thing_that_is_chained_is_named(evening):
    for kind in ("Tournament", *FROM_TOURNAMENT):
        row = row_of(evening, kind)
        with tampering(), transaction.atomic():
            # First what says how the thing stands: a constraint may bind what else there is to it.
            chained = {field.name for field in chained_fields(type(row))}
            fields = sorted(chained, key=lambda name: (row._meta.get_field(name).null, name))
            refused = {field for field in fields if not change(row, field)}
            text = "\n".join(told(evening, chain_differences))
            words = {field: field.replace("_", " ") for field in fields}
            unnamed = {field for field in fields if not re.search(rf"['\"](its )?{words[field]} is ", text)}
            assert (kind, unnamed, refused) == (kind, *[REFUSED.get(kind, set())] * 2)
            transaction.set_rollback(True)


def test_whatever_else_is_changed_shows(evening):
    with tampering():
        in_chain = unseen_of(evening, IN_CHAIN, chain_differences)
        recounted = unseen_of(evening, RECOUNTED, differences)
    assert in_chain == (
        set(),
        {
            *("Seat.position", "Seat.table", "ChainLink.tournament", "FixtureWish.day"),
        },
    )
    assert recounted == (set(), {"Deal.current"})


def test_whatever_a_report_says_is_in_its_hash_as_it_is_stored(evening):
    del evening
    report, hashes = Report.objects.order_by("pk")[0], []
    with tampering():
        for field in ("", *HASHED):
            with transaction.atomic():
                assert not field or change(report, field)
                row = ReportRow._make(Report.objects.values_list(*STORED).get(pk=report.pk))
                hashes.append(stored_hash(row, "here"))
                transaction.set_rollback(True)
    assert hashes[0] == report_hash(report, "here")
    assert len(set(hashes)) == len(HASHED) + 1


def test_whatever_is_kept_of_results_shows(evening):
    kept = EveningResult.objects.order_by("pk")
    before = told(evening)
    for first in range(0, len(KEPT), len(kept)):
        some = list(zip(kept, KEPT[first:], strict=False))
        with transaction.atomic():
            assert all(change(row, field) for row, field in some)
            assert len(told(evening) - before) == len(some)
            transaction.set_rollback(True)
