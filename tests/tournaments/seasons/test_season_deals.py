"""The booklet of a season's deals: chosen, dropped, commented, shown as a page and a PDF in three languages."""

from __future__ import annotations

import re
from datetime import date
from io import BytesIO

import pytest
from django.urls import reverse
from django.utils import timezone
from pypdf import PdfReader

from core.jobs.models import Job
from core.jobs.queue import run_now
from scoring.cards import FULL_PACK
from tests.evenings import play_season_with_folders
from tests.factories import first_round
from tests.pages import texts_of, words, words_at
from tournaments.exports.site.addresses import Chosen, Fate, Page, file_of, page_at
from tournaments.exports.site.fingerprints import MadeOf
from tournaments.exports.site.pages import read
from tournaments.lifecycle.playing import reopen_round
from tournaments.models import Season, SeasonDeal
from tournaments.seasons.deals import choose_deals, shown_deals

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(club, alice):
    return play_season_with_folders(club, alice)


@pytest.fixture
def evening(season):
    return season.evenings.get()


@pytest.fixture
def chosen(season):
    choose_deals(season)
    return season


def desk(season):
    return reverse("club_season_deals", args=[season.host.slug, season.pk])


def page(season):
    return reverse("hall_season_deals", args=[season.pk])


def form_of(season, **changes):
    data = {}
    for row in season.deals.all():
        data |= {f"deal-{row.pk}-shown": "1", f"deal-{row.pk}-comment": row.comment}
        if row.is_dropped:
            data[f"deal-{row.pk}-is_dropped"] = "on"
    return data | changes


def test_the_program_chooses_with_a_reason_and_a_line(chosen):
    rows = list(chosen.deals.all())
    assert 1 <= len(rows) <= 4
    assert [row.place for row in rows] == list(range(1, len(rows) + 1))
    assert {row.reason for row in rows} <= set(SeasonDeal.Reason.values)
    with_line = [row for row in rows if row.line]
    assert with_line
    for row in with_line:
        assert len(row.line["cards"]) == 9 * len(row.line["hands"])


def test_the_desk_has_them_chosen_by_a_job(season, as_alice):
    assert "Choose the deals" in words_at(as_alice, desk(season))
    address = reverse("club_season_deals_choose", args=[season.host.slug, season.pk])
    assert as_alice.get(address).status_code == 302
    assert not Job.objects.filter(kind="deals").exists()
    asked = as_alice.post(address)
    job = Job.objects.get(kind="deals")
    assert asked["Location"] == reverse("desk_job", args=[job.pk])
    assert as_alice.post(address)["Location"] == asked["Location"]  # a double tap is one job
    assert run_now(job).state == Job.State.DONE
    said = words_at(as_alice, reverse("desk_job", args=[job.pk]))
    assert f"{season.deals.count()} deal" in said
    assert "Choose again" in words_at(as_alice, desk(season))


def test_the_page_has_cards_results_reason_and_line(chosen, client):
    said = words_at(client, page(chosen))
    for deal in shown_deals(chosen):
        assert f"Folder {deal.folder.number}, round 1" in said
    assert "A line of best play" in said
    assert "Talon" in said
    assert "Deals of the season" in words_at(client, reverse("hall_season", args=[chosen.pk]))


def test_a_name_stands_only_where_tokens_were_gained(chosen, client):
    """The page and its booklet are read by everybody, long after the evening: nobody is shown up."""
    deals = client.get(page(chosen)).context["deals"]
    cells = [cell for deal in deals for line in deal["lines"] for cell in line.cells if cell]
    assert {bool(cell.name) for cell in cells if cell.tokens.startswith("+")} == {True}
    assert {cell.name for cell in cells if not cell.tokens.startswith("+")} == {""}
    first = shown_deals(chosen)[0]
    answer = client.get(reverse("hall_season_deals_pdf", args=[chosen.pk]))
    rows = texts_of(b"".join(answer.streaming_content) if answer.streaming else answer.content)[0]
    for line in first.lines:
        declarer = next(place for place in line.places if place.position == line.report.declarer)
        assert (line.names[declarer.position] in rows) == (declarer.tokens > 0)


def test_the_editor_drops_and_comments(chosen, as_alice, client):
    first, *others = chosen.deals.all()
    kept = others[0] if others else first
    comment = "Read the discards."
    changed = {f"deal-{first.pk}-is_dropped": "on", f"deal-{kept.pk}-comment": comment}
    for _twice in range(2):
        assert as_alice.post(desk(chosen), form_of(chosen, **changed)).status_code == 302
    first.refresh_from_db()
    assert first.is_dropped
    said = words_at(client, page(chosen))
    assert comment in said
    assert f"Folder {first.folder}, round 1" not in said
    choose_deals(chosen)
    first.refresh_from_db()
    kept.refresh_from_db()
    assert (first.is_dropped, kept.comment) == (True, comment)


def test_a_comment_that_is_too_long_is_refused_at_its_field(chosen, as_alice):
    row = chosen.deals.first()
    answer = as_alice.post(desk(chosen), form_of(chosen, **{f"deal-{row.pk}-comment": "x" * 501}))
    assert answer.status_code == 200
    (error,) = (error for form in answer.context["forms"] for error in form.errors.get("comment", ()))
    assert "500" in error
    assert error in words(answer.content.decode())
    row.refresh_from_db()
    assert row.comment == ""


def test_a_comment_of_many_lines_is_refused_and_one_that_fills_its_page_fits(chosen, as_alice, client):
    row = chosen.deals.first()
    name = f"deal-{row.pk}-comment"
    answer = as_alice.post(desk(chosen), form_of(chosen, **{name: "x\r\n" * 8 + "x"}))
    assert "Write at most 8 lines." in words(answer.content.decode())
    longest = "\n".join(["w" * 61] * 8)
    assert as_alice.post(desk(chosen), form_of(chosen, **{name: longest})).status_code == 302
    answer = client.get(reverse("hall_season_deals_pdf", args=[chosen.pk]))
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    assert len(PdfReader(BytesIO(body)).pages) == 2 * len(shown_deals(chosen))


def test_a_deal_that_the_page_did_not_show_is_not_changed(chosen, as_alice):
    row = chosen.deals.first()
    SeasonDeal.objects.filter(pk=row.pk).update(comment="written meanwhile")
    as_alice.post(desk(chosen), {})
    row.refresh_from_db()
    assert row.comment == "written meanwhile"


def test_others_may_not(chosen, as_charlie, client):
    for visitor in (client, as_charlie):
        assert visitor.get(desk(chosen)).status_code in (302, 403)
        visitor.post(desk(chosen), form_of(chosen, **{f"deal-{chosen.deals.first().pk}-is_dropped": "on"}))
        visitor.post(reverse("club_season_deals_choose", args=[chosen.host.slug, chosen.pk]))
    assert not chosen.deals.filter(is_dropped=True).exists()
    assert not Job.objects.filter(kind="deals").exists()


@pytest.mark.parametrize(
    ("language", "heading"),
    [
        ("en", "A line of best play"),
        ("da", "Bedste spil, kort for"),
        ("sv", "Bästa spel, kort för"),
    ],
)
def test_the_booklet_is_a_pdf_in_three_languages(chosen, client, language, heading):
    client.cookies["django_language"] = language
    answer = client.get(
        reverse("hall_season_deals_pdf", args=[chosen.pk]), headers={"Accept-Language": language}
    )
    assert answer["Content-Type"] == "application/pdf"
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    said = " ".join(" ".join(texts_of(body)).split())
    assert heading in said


def test_folded_it_has_half_as_many_sides(chosen, client):
    count = 2 * len(shown_deals(chosen))
    sides = {}
    for query in ("", "?folded"):
        answer = client.get(reverse("hall_season_deals_pdf", args=[chosen.pk]) + query)
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        sides[query] = len(PdfReader(BytesIO(body)).pages)
    assert sides == {"": count, "?folded": 2 * -(-count // 4)}


def test_nothing_is_shown_of_a_round_that_is_opened_again(chosen, evening, alice, client, as_alice):
    reopen_round(first_round(evening), reason="a slip was found", account=alice, now=timezone.now())
    assert shown_deals(chosen) == []
    assert client.get(page(chosen)).status_code == 404
    assert client.get(reverse("hall_season_deals_pdf", args=[chosen.pk])).status_code == 404
    assert "Folder" not in words_at(as_alice, desk(chosen))
    assert all(row.about == {} and row.line == {} for row in chosen.deals.all())


def test_the_api_has_cards_results_reason_and_line(chosen, evening, alice, client):
    address = f"/api/v1/seasons/{chosen.pk}/deals"
    shown = shown_deals(chosen)
    items = client.get(address).json()["items"]
    assert [(one["round"], one["folder"], one["reason"]) for one in items] == [
        (1, deal.folder.number, deal.row.reason) for deal in shown
    ]
    for one, deal in zip(items, shown, strict=True):
        assert one["tournament"] == evening.code
        cards = [card for hand in one["hands"] for card in hand["cards"]] + one["talon"]
        assert sorted(cards) == sorted(FULL_PACK)
        assert [line["table"] for line in one["items"]] == [line.table for line in deal.lines]
        assert (one["line"] is None) == (not deal.row.line)
    line = next(one["line"] for one in items if one["line"])
    assert len(line["cards"]) == 27
    assert {role for role, _card in line["cards"]} == {hand["role"] for hand in line["hands"]}
    reopen_round(first_round(evening), reason="a slip was found", account=alice, now=timezone.now())
    assert client.get(address).json() == {"items": []}


def test_the_published_site_has_the_page_and_the_booklets(chosen, evening, alice):
    in_site = Chosen("usual", has_address=False, units={f"season/{chosen.pk}"})
    season = Page(reverse("hall_season", args=[chosen.pk]))
    assert f'href="{page(chosen)}"' in read(season, "").body.decode()
    said = read(Page(page(chosen)), "").body.decode()
    booklets = [
        page_at(link, Page(page(chosen))) for link in re.findall(r'href="([^"]*deals\.pdf[^"]*)"', said)
    ]
    assert [file_of(booklet) for booklet in booklets] == [
        f"season/{chosen.pk}/deals.pdf",
        f"season/{chosen.pk}/deals-folded.pdf",
    ]
    assert {in_site.fate(booklet) for booklet in booklets} == {Fate.LEADS}
    assert all(read(booklet, "").body.startswith(b"%PDF") for booklet in booklets)
    reopen_round(first_round(evening), reason="a slip was found", account=alice, now=timezone.now())
    assert read(Page(page(chosen)), "") is None
    assert page(chosen) not in read(season, "").body.decode()


def test_a_comment_makes_the_published_page_anew(chosen):
    before, unit = MadeOf(timezone.localdate()).prints(), f"season/{chosen.pk}"
    chosen.deals.filter(pk=chosen.deals.first().pk).update(comment="Read the discards.")
    assert MadeOf(timezone.localdate()).prints()[unit] != before[unit]


def test_a_season_without_folders_says_so(club, as_alice, client):
    plain = Season.objects.create(host=club, name="Plain", starts=date(2026, 1, 1), ends=date(2026, 6, 1))
    assert "No evening of this season was played with folders." in words_at(as_alice, desk(plain))
    assert choose_deals(plain) == 0
    assert client.get(page(plain)).status_code == 404
    assert "Deals of the season" not in words_at(client, reverse("hall_season", args=[plain.pk]))
