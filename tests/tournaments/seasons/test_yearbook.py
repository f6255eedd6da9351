"""A season's yearbook: what it tells, of whom, in what room, and how it is made and found again."""

from __future__ import annotations

from datetime import date

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import Club
from core.errors import JobError
from core.jobs.models import Job
from core.jobs.queue import do_here, end
from core.pdf.fonts import ems
from tests.factories import player_name
from tests.pages import texts_of
from tests.tournaments.seasons.test_seasons import url
from tournaments.changes.versions import announce
from tournaments.lifecycle.ending import reopen_tournament
from tournaments.lifecycle.playing import reopen_round
from tournaments.models import Award
from tournaments.paper import yearbook
from tournaments.paper import yearbook_data as yearbook_told_module
from tournaments.paper.yearbook import COLUMNS, LINES, ROOM, WIDTH, of_season, yearbook_pages
from tournaments.paper.yearbook_data import Result, YearbookEvening, yearbook_contents


def told_of(season):
    season.host.refresh_from_db()
    return yearbook_contents(season)


def parts(told):
    """The pages' names with how many there are of each, in their order."""
    names = [page.name for page in yearbook_pages(told, timezone.localtime())]
    return {name: names.count(name) for name in names}


def test_it_tells_the_ladder_records_games_people_and_every_evening(season, evening, players):
    Award.objects.create(season=season, title="Jokum", player=players[0])
    told = told_of(season)
    assert [row.name for row in told.table.rows] == [one.name for one in told.evenings[0].results]
    assert sum(one.tokens for one in told.evenings[0].results) == 0
    assert (told.people, told.deals, len(told.portraits)) == (4, 4, 4)
    assert [(award.title, name) for award, name in told.awards] == [("Jokum", player_name(0))]
    assert {one.record.kind for one in told.records} >= {"evening", "round", "evenings"}
    assert sum(games.deals for games in told.contracts.values()) == sum(
        one.portrait.declared.deals for one in told.portraits
    )
    assert [one.sums[-1] for one in told.portraits] == [one.portrait.tokens for one in told.portraits]
    assert list(parts(told)) == [
        "Yearbook", "Ladder", "Records and games", "Attendance", "Most frequent players", "All evenings",
    ]  # fmt: skip


def test_a_season_without_evenings_has_a_first_page_alone(season):
    assert parts(told_of(season)) == {"Yearbook": 1}


def test_nobody_is_portrayed_who_may_not_be(season, evening, players, club):
    players[0].has_objected = True
    players[0].save()
    told = told_of(season)
    assert player_name(0) not in {one.name for one in told.portraits}
    assert player_name(0) not in {name for name, _times in told.faithful}
    assert player_name(0) not in {one.name for one in told.records}
    assert player_name(0) in {one.name for one in told.evenings[0].results}  # as on the season's page
    Club.objects.filter(pk=club.pk).update(name_style=Club.NameStyle.NUMBER)
    told = told_of(season)
    assert (told.portraits, told.faithful) == ([], [])
    assert {one.name for one in told.evenings[0].results} == {"1", "2", "3", "4"}
    Club.objects.filter(pk=club.pk).update(statistics=Club.Statistics.NOWHERE)
    told = told_of(season)
    assert (told.records, told.contracts, told.deals) == ([], {}, 0)
    assert list(parts(told)) == ["Yearbook", "Ladder", "Attendance", "All evenings"]


def test_a_long_season_flows_over_its_columns(season, evening):
    told = told_of(season)
    results = [Result(place, f"Ærkebiskop Birgitte {place}", -place) for place in range(1, 41)]
    many = [YearbookEvening(date(2026, 9, 3), "Klubaften", True, results)] * 100
    pages = [
        page
        for page in yearbook_pages(
            told.__class__(**fields_of(told) | {"evenings": many}), timezone.localtime()
        )
        if page.name == "All evenings"
    ]
    columns = [column for page in pages for column in page.context["columns"]]
    assert len(pages) == -(-len(columns) // COLUMNS)
    assert all(len(column) <= LINES for column in columns)
    assert not any(column[0][0] == "" or column[-1][1] for column in columns)
    lines = [text for column in columns for text, is_head in column if text and not is_head]
    # Nobody is left out, and nobody's tokens are parted from the name.
    assert sum(text.count("Ærkebiskop") for text in lines) == 100 * 40
    assert not any(text[0] in "+−0·" and text[1:2] != " " for text in lines)


def test_many_awards_have_pages_of_their_own_and_names_their_room(season, evening, players):
    words, name = ("Tak for alt. " * 16)[:200], "Ærkebiskop" * 11
    Award.objects.bulk_create(
        Award(season=season, title=("Pokal " * 14)[:80], player=players[0], words=words)
        for _award in range(20)
    )
    told = told_of(season)
    evenings = [YearbookEvening(date(2026, 9, 3), name, False, [Result(1, f"{name} {name}", 10_000)])]
    pages = yearbook_pages(told.__class__(**fields_of(told) | {"evenings": evenings}), timezone.localtime())
    alone = [page.context["honours"] for page in pages if page.name == "Champions and awards"]
    assert [len(part) for part in alone] == [14, 6]
    assert all(sum(one.height for one in part) <= ROOM for part in alone)
    assert {one.words for part in alone for one in part} == {words}
    lines = [text for column in pages[-1].context["columns"] for text, _is_head in column]
    assert all(ems(text) <= WIDTH + 0.01 for text in lines)
    assert [text for text in lines if text][-1].endswith("… +10000")


def fields_of(told):
    return {name: getattr(told, name) for name in told.__dataclass_fields__}


@pytest.mark.parametrize(("most", "step"), [(0, 1), (5, 1), (6, 2), (10, 2), (11, 5), (26, 10), (2400, 500)])
def test_levels_are_round_numbers(most, step):
    assert yearbook._step(most) == step


@pytest.mark.slow
@pytest.mark.databases
def test_an_organiser_has_it_made_and_finds_it_again(
    as_alice, as_charlie, season, evening, players, django_capture_on_commit_callbacks
):
    ask, page = url("club_season_yearbook", season), url("club_season", season)
    assert as_charlie.post(ask).status_code == 403
    ways = {as_alice.post(ask)["Location"] for _click in range(2)}
    job = Job.objects.get()
    assert ways == {reverse("desk_job", args=[job.pk])}
    assert as_charlie.get(ways.pop()).status_code == 302  # leads away: there is none for them
    job = do_here(job)
    assert (job.state, job.total) == ("done", 6)
    file = as_alice.get(reverse("desk_job_file", args=[job.pk]))
    pages = texts_of(b"".join(file.streaming_content))
    text = " ".join(" ".join(pages).split())
    assert len(pages) == job.total
    assert text.count("Yearbook") >= 1
    assert player_name(0) in text
    assert reverse("desk_job_file", args=[job.pk]) in as_alice.get(page).content.decode()
    assert as_alice.post(ask)["Location"] == reverse("desk_job", args=[job.pk])
    # Whoever objects afterwards is in none that is handed out after that.
    with django_capture_on_commit_callbacks(execute=True):
        players[0].has_objected = True
        players[0].save()
    assert reverse("desk_job_file", args=[job.pk]) not in as_alice.get(page).content.decode()
    assert as_alice.get(reverse("desk_job_file", args=[job.pk])).status_code == 302
    assert "Create it again." in as_alice.get(reverse("desk_job", args=[job.pk])).content.decode()
    assert not job.path.exists()
    as_alice.post(ask)
    assert Job.objects.count() == 2


@pytest.mark.parametrize(
    ("state", "after"),
    [("waiting", "failed"), ("running", "failed"), ("done", "failed"), ("stopped", "stopped")],
)
def test_none_is_made_of_what_was_read_before(season, evening, players, alice, state, after):
    """Asked for, at work, or done, when a club shows its people otherwise; who works at it finds that it is no more."""
    job = Job.objects.create(
        kind="yearbook", thing=of_season(season), key="k", language="en", asked_by=alice,
        asked_at=timezone.now(), state=state, worker="w",
    )  # fmt: skip
    season.host.name_style = Club.NameStyle.NUMBER
    season.host.save()
    assert Job.objects.get().state == after
    assert not end(job, Job.State.DONE)


def test_an_evening_that_is_being_played_is_left_out_of_all_of_it(season, evening, alice):
    whole = told_of(season)
    assert whole.left_out == []
    round_ = evening.rounds.get()
    reopen = {"reason": "fejl", "account": alice, "now": timezone.now()}
    if evening.is_finished:
        reopen_tournament(evening, **reopen)
    reopen_round(round_, **reopen)
    told = told_of(season)
    assert told.left_out == [evening.name]
    assert (told.people, told.deals, told.evenings, told.records, told.portraits) == (0, 0, [], [], [])
    assert told.contracts == {}
    cover = yearbook_pages(told, timezone.localtime())[0]
    assert any(evening.name in said for said in cover.context["said"])


def test_it_is_gathered_again_where_something_has_changed_meanwhile(season, evening, monkeypatch):
    gather, times = yearbook_told_module._collect, []

    def slowly(*asked):
        times.append(1)
        if len(times) <= changes:
            announce(evening.pk)
        return gather(*asked)

    monkeypatch.setattr(yearbook_told_module, "_collect", slowly)
    changes = 2
    assert told_of(season).people == 4
    assert len(times) == 3
    changes = 99
    with pytest.raises(JobError, match="The season’s evenings kept changing while they were counted"):
        told_of(season)
