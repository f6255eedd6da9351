"""A club's history and records in the hall, and a union's over its clubs."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest
from django.utils import timezone

from clubs.models import Club, Player
from tests.evenings import make_evening, play_evening
from tests.factories import affiliate, make_club, make_player, make_tournament
from tests.pages import text, words
from tournaments.changes.versions import announce
from tournaments.exports.verify.derived import kept_differences
from tournaments.hall.club import games_text
from tournaments.hall.years.club_history import Famous, Shown, Won, holders_text, winners_text
from tournaments.hall.years.links import AtEvening, Named
from tournaments.models import Award, Championship, EveningResult, KeptYear, Season, Stage, Tournament
from tournaments.people import club_years
from tournaments.people.club_years import Year, count, together
from tournaments.people.history import history
from tournaments.people.span import Span
from tournaments.standings.statistics import Declared

pytestmark = pytest.mark.databases

OLD, NEW = date(2024, 3, 1), timezone.localdate() - timedelta(days=30)


@pytest.fixture
def people(club):
    return [make_player(name, club, number) for number, name in enumerate(("Anna", "Bo", "Carl", "Dora"), 1)]


@pytest.fixture
def evenings(club, alice, people):
    """Two evenings of a season that is over, in two years."""
    season = Season.objects.create(
        host=club, name="Sæson 2024", starts=date(2024, 1, 1), ends=date(2025, 12, 31)
    )
    return [
        play_evening(
            make_evening(people, club, alice, date=day, season=season, name=f"Aften {seed}"), alice, seed=seed
        )
        for seed, day in enumerate((OLD, NEW), start=1)
    ]


def told_by(answer):
    return words(text(answer))


def first_of(evening):
    return [row.entry.player.name for row in evening.results.filter(place=1)]


def test_a_clubs_history_tells_who_has_won_who_came_and_who_are_champions(client, club, evenings, people):
    Award.objects.create(season=Season.objects.get(), title="Jokum", player=people[2])
    told = told_by(client.get(f"/club/{club.slug}/history/"))
    for evening in evenings:
        assert evening.name in told
        assert all(name in told for name in first_of(evening))
    assert "Jokum: Carl" in told
    assert [(row.year, row.evenings, row.people, row.each) for row in history(club).attendance()] == [
        (2024, 1, 4, 4.0),
        (NEW.year, 1, 4, 4.0),
    ]
    of_a_year = told_by(client.get(f"/club/{club.slug}/history/?year=2024"))
    assert "Aften 1" in of_a_year
    assert "Aften 2" not in of_a_year
    assert "in progress" not in told + of_a_year
    Tournament.objects.filter(pk=evenings[1].pk).update(state="running")
    unfinished = told_by(client.get(f"/club/{club.slug}/history/?year={NEW.year}"))
    assert "Evenings 1 1 in progress" in unfinished  # it is counted, and has no winner yet


def test_a_championship_has_its_champion_when_every_stage_is_played(client, club, evenings):
    cup = Championship.objects.create(host=club, name="Pokalen", date=OLD)
    groups, final = (
        Stage.objects.create(championship=cup, number=number, name=name)
        for number, name in enumerate(("Grupper", "Finale"), start=1)
    )

    def champions():
        return [held.name for held in client.get(f"/club/{club.slug}/history/").context["champions"]]

    Tournament.objects.filter(pk=evenings[0].pk).update(stage=groups)
    assert champions() == ["Sæson 2024"]  # the final has not been made
    Tournament.objects.filter(pk=evenings[1].pk).update(stage=final, state=Tournament.State.RUNNING)
    assert champions() == ["Sæson 2024"]  # nor played
    Tournament.objects.filter(pk=evenings[1].pk).update(state=Tournament.State.FINISHED)
    assert champions() == ["Sæson 2024", "Pokalen"]


def test_the_hall_of_fame_counts_the_evenings_whose_tokens_it_shows(client, club, evenings):
    Tournament.objects.filter(pk=evenings[1].pk).update(state=Tournament.State.RUNNING)
    (line,) = client.get(f"/club/{club.slug}/history/").context["fame"]
    own = EveningResult.objects.filter(entry__player__name=line.who.name)
    assert (line.evenings, line.tokens) == (2, sum(own.values_list("tokens", flat=True)))


def test_a_shared_place_of_the_hall_of_fame_is_shown_once(client, club, evenings):
    answer = client.get(f"/club/{club.slug}/history/")
    text, ranks = answer.content.decode(), [line.rank for line in answer.context["fame"]]
    table = text[text.index('<table class="fame"') :]
    assert table[: table.index("</table>")].count('class="place') == len(set(ranks))


def test_each_record_leads_to_the_evening_or_the_deal_that_made_it(client, club, evenings):
    answer = client.get(f"/club/{club.slug}/records/")
    held = {one.name: one for one in answer.context["records"]}
    assert held["Most tokens in a deal"].is_deal
    for one in held.values():
        if one.address:
            assert client.get(one.address).status_code == 200
    anchor = held["Most tokens in a deal"].address.partition("#")[2]
    sheet = client.get(held["Most tokens in a deal"].address).content.decode()
    assert f'id="{anchor}"' in sheet
    assert held["Most evenings"].amount == "2 evenings"
    assert held["Most evenings"].others == 3


def record(name, who, day, amount="+9", address="/t/ABCDEF/player/1/"):
    return Shown(name, amount, AtEvening(Named(who), "Aften", "ABCDEF", day, address), address, False, 0)


FIRST, SECOND = date(2024, 3, 1), date(2025, 4, 2)


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ([], ""),
        (
            [record("Most tokens in an evening", "Anna", FIRST), record("Highest tout", "Bo", SECOND, "+4")],
            "Newest record: Highest tout, +4, by Bo on 2 April 2025.",
        ),
        (
            [
                record("Highest tout", "Anna", SECOND),
                record("Most solos", "Bo", FIRST),
                record("Run", "Anna", FIRST),
            ],
            "Anna holds 2 of the 3 records, the newest since 2 April 2025.",
        ),
        (
            [record("Run", "Anna", SECOND, address=""), record("Most evenings", "Anna", SECOND, address="")],
            "Anna holds 2 of the 2 records.",
        ),
        (
            [
                record(kind, who, FIRST)
                for kind, who in zip("ABCDE", ("Anna", "Bo", "Bo", "Anna", "Carl"), strict=True)
            ],
            "Anna and Bo hold 2 of the 5 records each.",
        ),
        ([record("Most evenings", "Anna", FIRST, address="")], ""),
    ],
)
def test_the_records_begin_with_who_holds_most_of_them_and_since_when(held, said):
    assert holders_text(held) == said


def famous(*lines):
    return [Famous(rank, Named(name, ""), wins, 9, 0) for rank, name, wins in lines]


NEWEST = Won(NEW, "Aften 9", "", "", [(Named("Dora", ""), 7)])


@pytest.mark.parametrize(
    ("fame", "newest", "said"),
    [
        ([], None, ""),
        (famous((1, "Anna", 3), (2, "Bo", 2)), NEWEST, "Anna has won most evenings: 3."),
        (famous((1, "Anna", 3), (1, "Bo", 3)), None, "Anna and Bo have won most evenings: 3 each."),
        (famous((1, "Anna", 1)), NEWEST, "Dora won the newest evening, Aften 9."),
        (famous(*[(1, name, 2) for name in "ABCD"]), NEWEST, "Dora won the newest evening, Aften 9."),
        (famous((1, "Anna", 1)), None, ""),
        ([], NEWEST._replace(first=[]), ""),
    ],
)
def test_the_history_begins_with_who_has_won_most_evenings_or_the_newest(fame, newest, said):
    assert winners_text(fame, newest) == said


def test_the_records_of_a_club_begin_with_a_sentence_and_its_page_has_one_fact_of_each_page(
    client, club, evenings
):
    page = client.get(f"/club/{club.slug}/records/")
    assert page.context["first_said"]
    assert page.context["first_said"] in text(page)
    most = EveningResult.objects.order_by("-tokens", "tournament__date", "entry").first()
    facts = client.get(f"/club/{club.slug}/").context["facts"]
    assert facts.records == (
        f"Most tokens in an evening: {most.entry.shown_name}, +{most.tokens} in {most.tournament.date.year}"
    )
    assert facts.games == ""  # too few games to say how often they are won


def test_a_clubs_page_has_no_fact_of_its_years_where_many_evenings_would_have_to_be_counted_for_it(
    client, club, evenings, monkeypatch
):
    monkeypatch.setattr("tournaments.people.club_years.FEW", 0)
    assert client.get(f"/club/{club.slug}/").context["facts"].records == ""
    client.get(f"/club/{club.slug}/records/")  # which counts them
    assert client.get(f"/club/{club.slug}/").context["facts"].records


def test_how_often_the_contract_played_most_is_won_is_a_fact_of_many_games_alone():
    year = Year(2024, contracts={"solo": Declared(21, 0, 15, 4, 2), "game": Declared(19, 0, 19, 0, 0)})
    assert games_text([year]) == "Solo: 71 % of 21 games won"
    assert games_text([replace(year, contracts={"solo": Declared(19, 0, 15, 2, 2)})]) == ""


def test_what_is_kept_of_years_is_what_counting_gives_and_follows_every_change(
    client, club, evenings, people
):
    kept = history(club)
    counted = count(club, Span())
    assert [year.own for year in count(club, Span(year=2024))] == [counted[0].own]
    assert [(y.best, y.hosts, y.contracts) for y in kept.years] == [
        (y.best, y.hosts, y.contracts) for y in counted
    ]
    assert KeptYear.objects.filter(around=club).count() == 3  # each year, and all together
    people[0].has_objected = True
    people[0].save()
    assert people[0].pk in kept.own
    after = history(club)
    assert people[0].pk not in after.own
    assert after.years[0].people == 4
    # Another day: another year.
    evenings[1].date = date(2023, 1, 1)
    evenings[1].version += 1
    evenings[1].save()
    assert [year.year for year in history(club).years] == [2023, 2024]


def test_parts_of_many_evenings_are_kept_too_and_verified(client, club, evenings, monkeypatch):
    """By rules, format, host, season, and in a year of it; of few evenings they are counted each time."""
    parts = (
        Span(rulebook="union"),
        Span(format="individual", club=club.pk),
        Span(season=Season.objects.get().pk),
    )
    for span in parts:
        history(club, span)
    assert not KeptYear.objects.exists()
    monkeypatch.setattr(club_years, "FEW", 0)
    for span in parts:
        for asked in (span, replace(span, year=2024)):
            for _time in range(2):  # counted, then read
                told, counted = history(club, asked), count(club, asked)
                assert [(y.best, y.hosts, y.contracts, y.people) for y in told.years] == [
                    (y.best, y.hosts, y.contracts, y.people) for y in counted
                ]
                assert told.own == together(year.own for year in counted)
    assert KeptYear.objects.exclude(part="").count() == KeptYear.objects.count() == 9
    assert list(kept_differences()) == []
    row = KeptYear.objects.get(part="rulebook=union", year=2024)
    row.said["people"] += 1
    row.save()
    assert len(list(kept_differences())) == 1
    Tournament.objects.filter(pk=evenings[0].pk).update(called_off_at=timezone.now())
    assert [year.year for year in history(club, Span(rulebook="union")).years] == [NEW.year]
    # Some days are not kept, and a club's pages do not go by them.
    page = client.get(f"/club/{club.slug}/history/?first=2024-01-01")
    assert "This page covers whole years" in text(page)
    assert page.context["there"] is False


def test_verify_names_the_years_that_are_kept_otherwise(club, evenings, monkeypatch):
    history(club)
    assert list(kept_differences()) == []
    year, whole = KeptYear.objects.filter(year__in=(2024, 0)).order_by("-year")
    year.said["people"] += 1
    year.save()
    whole.own[0][1] += 1
    whole.save()
    assert list(kept_differences()) == [
        "Stilling: 2024 kept for its history otherwise than the results give",
        "Stilling: all years kept for its history otherwise than the results give",
    ]
    # One of which an evening changes while it is counted is no difference; nor is one that waits to be counted anew.
    KeptYear.objects.all().delete()
    history(club)

    def after_a_step(around, span):
        announce(evenings[0].pk)
        return count(around, span)

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(club_years, "count", after_a_step)
        assert list(kept_differences()) == []
    history(club)
    assert list(kept_differences()) == []
    KeptYear.objects.update(versions=0)
    assert list(kept_differences()) == []


def test_a_union_has_the_history_of_its_clubs_and_compares_them(client, club, evenings, alice):
    union = make_club("Unionen")
    affiliate(club, union)
    assert "Aften 2" in told_by(client.get("/club/unionen/history/"))
    compared = client.get("/club/unionen/clubs/")
    (row,) = compared.context["rows"]
    assert (row.club, row.evenings, row.people, row.more) == (club, 2, 4, None)
    assert "too few" in told_by(compared)
    assert [one.club for one in client.get(f"/club/{club.slug}/clubs/").context["rows"]] == [club]
    club.statistics = Club.Statistics.CLUB
    club.save()
    assert client.get("/club/unionen/clubs/").context["rows"] == []
    assert "Aften 2" not in told_by(client.get("/club/unionen/history/"))
    assert "Aften 2" in told_by(client.get(f"/club/{club.slug}/history/"))


def test_nothing_is_told_where_a_club_wants_none_and_search_engines_are_asked_in_only_where_it_is_open(
    client, club, evenings
):
    pages = [f"/club/{club.slug}/{page}/" for page in ("history", "records")]
    assert [client.get(page).headers.get("X-Robots-Tag") for page in pages] == ["noindex"] * 2
    club.is_findable = True
    club.save()
    assert [client.get(page).headers.get("X-Robots-Tag") for page in pages] == [None] * 2
    assert client.get(f"{pages[0]}?year=2024").headers["X-Robots-Tag"] == "noindex"
    club.statistics = Club.Statistics.NOWHERE
    club.save()
    assert [client.get(page).status_code for page in pages] == [404] * 2
    assert "history" not in client.get(f"/club/{club.slug}/").content.decode()


def test_a_club_without_an_evening_has_a_history_to_come(client, club):
    assert "Once an evening has been played, its winner appears here" in told_by(
        client.get(f"/club/{club.slug}/history/")
    )
    assert "Once an evening has been played, its records appear here" in told_by(
        client.get(f"/club/{club.slug}/records/")
    )
    assert client.get(f"/club/{club.slug}/history/?year=none").context["there"] is False


def test_a_milestone_to_come_is_told_with_the_day_of_the_next_evening(client, club, alice, people):
    for day in range(1, 10):
        play_evening(make_evening(people, club, alice, date=date(2025, 3, day)), alice)
    coming = make_tournament(0, club=club, account=alice, drawn=False, date=date(2099, 3, 3))
    answer = client.get(f"/club/{club.slug}/history/")
    assert {(one.who.name, one.what, one.number) for one in answer.context["milestones"]} == {
        (player.name, "evening", 10) for player in Player.objects.filter(pk__in=[one.pk for one in people])
    }
    assert "Tuesday 3. March" in told_by(answer)
    assert coming == answer.context["next_evening"]
