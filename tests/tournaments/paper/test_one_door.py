"""Every PDF comes through one door: named alike, and without it a page that the browser prints."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest
from django.urls import reverse
from django.utils.text import slugify

from core.pdf import files as pdf_files
from core.pdf.files import NO_PANGO, NO_ROOM, CannotMake
from tests.factories import make_tournament
from tournaments.models import ClubRules, Season


@pytest.fixture
def evening(alice, club):
    tournament = make_tournament(account=alice, club=club)
    tournament.entry_fee = 5000
    tournament.boards = True
    tournament.save()
    tournament.entries.update(fee_paid=True)
    return tournament


@pytest.fixture
def files(evening, club):
    """The address of each file, with how it is asked for, and the page that says where there is none."""
    rules = ClubRules.objects.create(club=club, name="Vores regler", rulebook="union")
    season = Season.objects.create(host=club, name="Vinter", starts=evening.date, ends=evening.date)
    code = evening.code
    return {
        "fee": (
            "get",
            f"{reverse('desk_money_print', args=[code, 'fees'])}?player=1",
            reverse("desk_money", args=[code]),
        ),
        "club rules": (
            "get",
            reverse("club_rules_pdf", args=[club.slug, rules.pk]),
            reverse("club_rules_set", args=[club.slug, rules.pk]),
        ),
        "rulebook": (
            "get",
            reverse("rules_sheet_pdf", args=["rasle"]),
            reverse("rules_sheet", args=["rasle"]),
        ),
        "rules": ("get", reverse("hall_rules_pdf", args=[code]), reverse("hall_rules", args=[code])),
        "ladder": (
            "get",
            reverse("hall_season_pdf", args=[season.pk]),
            reverse("hall_season", args=[season.pk]),
        ),
        "evening": (
            "get",
            reverse("hall_player_pdf", args=[code, 1]),
            reverse("hall_player", args=[code, 1]),
        ),
        "folders": (
            "post",
            reverse("desk_boards_folders", args=[code, 1]),
            reverse("desk_boards", args=[code]),
        ),
    }


ALL = ["fee", "club rules", "rulebook", "rules", "ladder", "evening", "folders"]


@pytest.mark.parametrize("which", ALL)
def test_a_machine_that_can_make_none_gives_a_page_that_the_browser_prints(
    as_alice, files, evening, monkeypatch, which
):
    def without_pango():
        raise CannotMake(NO_PANGO)

    monkeypatch.setattr(pdf_files, "_pdfs", without_pango)
    how, address, _page = files[which]
    answer = getattr(as_alice, how)(address)
    html = answer.content.decode()
    assert html.count('<section class="page ') >= 1
    assert "print it from here (Ctrl-P" in html
    assert "@page { size: 210mm 297mm" in html
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert answer.headers["Content-Disposition"].rstrip('"').endswith(".html")
    assert answer.headers["Content-Security-Policy"].startswith(
        "default-src 'none'; style-src 'unsafe-inline'"
    )
    assert "<script" not in html


@pytest.mark.parametrize("which", ALL)
def test_why_a_file_cannot_be_made_is_said_on_the_page_that_it_was_asked_from(
    as_alice, files, monkeypatch, which
):
    def full():
        raise CannotMake(NO_ROOM)

    monkeypatch.setattr(pdf_files, "_engine", full)
    how, address, page = files[which]
    answer = getattr(as_alice, how)(address, follow=True)
    assert [where for where, _status in answer.redirect_chain] == [page]
    assert "Is the disk full?" in answer.content.decode()


@pytest.mark.parametrize("which", ALL)
def test_each_has_a_name_that_tells_it_apart(as_alice, files, evening, club, which):
    how, address, _page = files[which]
    answer = getattr(as_alice, how)(address)
    assert answer.content.startswith(b"%PDF")
    event, host = slugify(evening.name, allow_unicode=True), slugify(club.name, allow_unicode=True)
    names = {
        "fee": f"{event}-receipts-for-entry-fees.pdf",
        "club rules": f"{host}-vores-regler.pdf",
        "rulebook": "rules-rasle.pdf",
        "rules": f"rules-{evening.code.lower()}.pdf",
        "ladder": f"{host}-vinter.pdf",
        "evening": f"{event}-{slugify(evening.entries.get(number=1).shown_name)}.pdf",
        "folders": f"{event}-round-1-folders.pdf",
    }
    told = unquote(answer.headers["Content-Disposition"]).strip('"')
    assert told.startswith("inline;")
    assert re.split(r"[\"']", told)[-1] == names[which]
