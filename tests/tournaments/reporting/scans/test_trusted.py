"""When a club's sheets are trusted, and the reader's numbers are fitted on what was answered."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command

from tests.factories import make_club, report
from tests.tournaments.reporting.scans.sheets import NOW, PASS, SOLO, answers, page_of, picture_of, send
from tournaments.models import SheetPicture
from tournaments.reporting.reader.weights import shipped
from tournaments.reporting.scans import fitting
from tournaments.reporting.scans.merging import ENOUGH, sheets_right


def test_sheets_are_trusted_once_fifty_in_a_row_had_no_wrong_line(table, alice):
    club = table.round.tournament.host
    made = [
        SheetPicture(
            tournament=table.round.tournament, table=table, file=f"{number}.jpg", sent_at=NOW, state="read",
            sheet=[table.round.tournament.code, 1, number, 1, "0", 1], taken_at=NOW + timedelta(seconds=number),
            wrong=int(number == 5), answers={"results": {"1": {"contract": "solo"}}},
            reading={"lines": [{"deal": 1, "certain": True}]},
        )
        for number in range(ENOUGH + 6)
    ]  # fmt: skip
    SheetPicture.objects.bulk_create(made)
    assert sheets_right(club) == ENOUGH
    SheetPicture.objects.filter(file=f"{ENOUGH}.jpg").update(wrong=1)
    assert sheets_right(club) == 5
    assert sheets_right(make_club("Viby")) == 0
    # Of which nobody can say is neither; the same page photographed twice counts once.
    newest = SheetPicture.objects.filter(file__in=[f"{ENOUGH + 5}.jpg", f"{ENOUGH + 4}.jpg"])
    newest.update(sheet=["X", 1, 1, 1, "0", 1])
    SheetPicture.objects.filter(file=f"{ENOUGH + 3}.jpg").update(wrong=None)
    assert sheets_right(club) == 3
    # A deal that was read for certain and is corrected later ends the row.
    report(table, 1, {"all_passed": True})
    changed = {"contract": "solo", "declarer": 1, "trump": "S", "outcome": "won"}
    report(table, 1, changed, base=1, reason="read wrongly", now=NOW + timedelta(minutes=2))
    assert sheets_right(club) == 0


def test_what_people_answered_says_which_boxes_were_meant(as_alice, table, tmp_path):
    """An answer is a result; which boxes report it is found by the sheet's own. What cannot be known is left out."""
    no_trump = ({key: SOLO[key] for key in ("declarer", "contract", "result")}, {"trump": "S"})
    picture_of(table, [SOLO, no_trump, PASS, {}])
    send(as_alice, table, answers(page_of(as_alice, table), **{"line-2": "B solo d won"}))
    picture = SheetPicture.objects.get()
    picture.path.parent.mkdir(exist_ok=True)
    picture.path.write_bytes(b"a picture")
    known = fitting.Known(picture)
    assert known.meant() == [SOLO, SOLO | {"trump": "D"}, PASS, {}]
    picture.answers["unsure"] = [1]
    assert fitting.Known(picture).meant()[0] is None
    call_command("fit_reading", "--export", str(tmp_path / "out"))
    (told,) = (tmp_path / "out").glob("*.json")
    assert json.loads(told.read_text())["meant"][1] == SOLO | {"trump": "D"}
    with pytest.raises(CommandError, match="Only 1 sheets"):
        call_command("fit_reading")


def test_new_numbers_are_kept_only_where_they_read_better(monkeypatch, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    assert fitting.own_weights() is None
    start = shipped()
    monkeypatch.setattr(fitting, "_fitted", lambda _sheets, _tell: start)
    measures = []
    monkeypatch.setattr(fitting, "measured", lambda _sheets, _weights: measures.pop(0))
    better, worse = fitting.Measured(30, 28, 0), fitting.Measured(30, 29, 1)
    none = fitting.Measured()
    for before, after, kept in ((better, worse, False), (none, none, False), (better, better, True)):
        measures += [before, after]
        assert fitting.fit([None] * 20).kept is kept
    assert fitting.own_weights().sheets == 20
    for broken in (
        b"another version",
        start.to_bytes()[:-200],
        replace(start, spread=start.spread[:1]).to_bytes(),
        replace(start, spread=start.spread * 0).to_bytes(),
        replace(start, paper=float("nan")).to_bytes(),
    ):
        fitting.weights_file().write_bytes(broken)
        fitting._weights.cache_clear()
        assert fitting.own_weights() is None
