"""What is kept of results (ratings, what an evening is to its season) is never stale, whatever was changed.

After each step all that is shown of it is compared with the same counted from nothing, and with what `verify` says.
"""

from __future__ import annotations

from datetime import date
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import Q
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubs.models import Affiliation, Club, Player
from tests.evenings import make_evening, play_evening
from tests.factories import affiliate, make_club, make_player, player_name, report
from tests.tournaments.exports.test_transfer import forget
from tournaments.changes.log import write_down
from tournaments.changes.versions import announce
from tournaments.entries import personal_data
from tournaments.exports.tournament_file import export_tournament, import_tournament
from tournaments.exports.verify.derived import kept_differences
from tournaments.exports.verify.recount import differences
from tournaments.ledger import Author, Submission, record
from tournaments.lifecycle.ending import call_off, finish, reopen_tournament, take_up_again
from tournaments.lifecycle.playing import close_round, reopen_round
from tournaments.lifecycle.rulings import cancel_penalty, penalise
from tournaments.models import DealSum, Entry, EveningResult, Rating, Season, Table, Tournament
from tournaments.models.names import NAMELESS
from tournaments.seasons import ratings as rated
from tournaments.seasons.ladder_table import Asked, season_part, season_table
from tournaments.seasons.ratings import rating_list, ratings
from tournaments.seasons.results import count_what_is_lacking, forget_everything

TODAY = date(2026, 4, 2)


@pytest.fixture
def union(db):
    return make_club("Unionen")


@pytest.fixture
def season(union):
    return Season.objects.create(host=union, name="2026", starts=date(2026, 1, 1), ends=date(2026, 12, 31))


@pytest.fixture
def evenings(club, alice, union, season):
    """Three evenings of a club of a union, five tables for each of eight members, the oldest first."""
    affiliate(club, union)
    players = [make_player(player_name(index), club, index + 1) for index in range(8)]
    return [
        play_evening(
            make_evening(
                players,
                club,
                alice,
                rounds_planned=1 + (month < 3),
                date=date(2026, month, 1),
                season=season,
            ),
            alice,
            seed=month,
        )
        for month in (1, 2, 3)
    ]


def shown(club, season):
    """What pages show of what is kept, compared with the same counted from nothing."""
    found = _shown(club, season)
    assert list(kept_differences()) == []
    assert [text for one in Tournament.objects.all() for text in of_the_season(one)] == []
    cache.clear()
    forget_everything()
    assert _shown(club, season) == found
    return found


def of_the_season(tournament):
    return [found for found in differences(tournament) if found.place == f"{tournament.code} season"]


def _shown(club, season):
    club = Club.objects.get(pk=club.pk)
    season = Season.objects.get(pk=season.pk)
    ladder, part = season_table(season), season_part(season, Asked())
    assert [row.line for row in part.rows] == [row.line for row in ladder.rows]
    return {
        "rating": (ratings(club), rating_list(club, TODAY), rating_list(season.host, TODAY)),
        "ladder": [(row.player_id, row.name, row.line) for row in ladder.rows],
    }


def correct_first_deal(evening, result, account):
    """Reopen an evening that is over, correct its first deal, and close it again."""
    now = timezone.now()
    reason = {"reason": "set forkert", "account": account, "now": now}
    reopen_tournament(evening, **reason)
    round_ = reopen_round(evening.rounds.order_by("-number").first(), **reason)
    table = Table.objects.select_related("round__tournament").get(round=round_, number=1)
    current = table.dealt.get(number=1).current
    sent = Submission(uuid4(), 1, current.revision, result or {"all_passed": True}, reason="set forkert")
    (answer,) = record(table, [sent], Author("desk", account), now=now)
    assert answer.status == "accepted"
    close_round(round_, account=account, now=now, force_reason="alle enige")
    finish(evening, account=account, now=now)
    return current.result


@pytest.mark.slow
def test_nothing_kept_is_stale_after_any_step(alice, club, season, evenings):
    by = {"account": alice, "now": timezone.now()}
    oldest, second, newest = evenings
    first = shown(club, season)
    assert len(first["ladder"]) == 8
    kodille = {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "kodille"}

    # The oldest deal is corrected, and that is undone.
    was = correct_first_deal(oldest, kodille, alice)
    corrected = shown(club, season)
    assert corrected["rating"] != first["rating"]
    assert corrected["ladder"] != first["ladder"]
    correct_first_deal(oldest, was, alice)
    assert shown(club, season) == first

    # A ruling is about the ladder, not about the games.
    reopen_tournament(second, reason="straf", **by)
    without = shown(club, season)
    assert without["rating"] != first["rating"]
    assert without["ladder"] == first["ladder"]
    ruled = penalise(second.entries.get(number=1), tokens=-50, reason="for sent", round_=None, **by)
    assert shown(club, season)["ladder"] != first["ladder"]
    finish(second, **by)
    assert shown(club, season)["rating"] == first["rating"]
    reopen_tournament(second, reason="straf", **by)
    cancel_penalty(ruled, reason="det var i orden", **by)
    finish(second, **by)
    assert shown(club, season) == first

    # An evening is taken out, and put back.
    call_off(oldest, reason="talt to gange", **by)
    assert shown(club, season)["rating"][1] == []
    take_up_again(oldest, **by)
    assert shown(club, season) == first

    # It was on another day: what came before comes after.
    Tournament.objects.filter(pk=oldest.pk).update(date=date(2026, 4, 1))
    write_down(oldest, alice, "Set-up: the date is now {value}", now=by["now"], about=[oldest], value="1.4.")
    moved = shown(club, season)
    assert moved["rating"][0] != first["rating"][0]
    assert [line.results for *_who, line in moved["ladder"]] != [
        line.results for *_who, line in first["ladder"]
    ]

    # Two were one person.
    entry = newest.entries.get(number=1)
    Entry.objects.filter(pk=entry.pk).update(player=make_player("Anna Holm", club, 99))
    write_down(newest, alice, "Checked in", now=by["now"], about=[entry])
    assert len(shown(club, season)["ladder"]) == 9
    Entry.objects.filter(pk=entry.pk).update(player=entry.player)
    write_down(newest, alice, "Checked in", now=by["now"], about=[entry])
    assert shown(club, season) == moved

    # Who is erased has played all the same.
    personal_data.erase(Player.objects.get(name=player_name(3)), today=date(2026, 12, 1), **by)
    erased = shown(club, season)
    assert erased["rating"][0] == moved["rating"][0]
    assert len(erased["rating"][1]) == 7
    assert {name for _player, name, _line in erased["ladder"]} - {
        name for _player, name, _line in moved["ladder"]
    } == {NAMELESS}


def test_ratings_follow_who_is_in_a_union_and_shows_them(alice, club, season, evenings):
    first = shown(club, season)["rating"]
    changes = (
        lambda on: Club.objects.filter(pk=club.pk).update(shows_rating=on),
        lambda on: Affiliation.objects.update(left=None if on else timezone.localdate()),
    )
    for change in changes:
        change(False)
        assert shown(club, season)["rating"][2] == []
        change(True)
        assert shown(club, season)["rating"] == first


def test_evenings_taken_in_from_files_are_rated_by_their_dates(club, season, evenings):
    first = shown(club, season)
    files = [export_tournament(evening) for evening in evenings]
    forget(evenings[0])
    for text in (files[1], files[2], files[0]):
        import_tournament(text)
        again = shown(club, season)
    assert again == first


@pytest.mark.databases
def test_what_is_lacking_is_counted_once_some_evenings_at_a_time(
    capsys, django_assert_num_queries, monkeypatch, club, season, evenings
):
    first = shown(club, season)
    cache.clear()
    # In which union they are counted, who shows ratings, how far they are counted, what has changed, and they.
    with django_assert_num_queries(5):
        ratings(club)
    with CaptureQueriesContext(connection) as of_three:
        season_table(season)
    season.evenings.set(evenings[:1])
    cache.clear()
    with django_assert_num_queries(len(of_three)):
        season_table(season)
    season.evenings.set(evenings)
    announce(evenings[0].pk)
    announce(evenings[2].pk)
    count_what_is_lacking()
    assert not Tournament.objects.filter(Q(is_rated=False) | Q(results_kept=False)).exists()
    monkeypatch.setattr(rated, "AT_ONCE", 1)
    with CaptureQueriesContext(connection) as anew:
        call_command("count_anew")
    assert sum("INSERT INTO tournaments_rating (" in query["sql"] for query in anew) == len(evenings)
    assert (
        f"{Rating.objects.count()} rating(s), {EveningResult.objects.count()} evening"
        in capsys.readouterr().out
    )
    assert _shown(club, season) == first


def test_verify_names_what_is_kept_and_not_so(capsys, club, season, evenings):
    shown(club, season)
    newest = Rating.objects.order_by("-pk").first()
    Rating.objects.filter(pk=newest.pk).update(mu=newest.mu + 1)
    result = EveningResult.objects.order_by("pk").first()
    EveningResult.objects.filter(pk=result.pk).update(tokens=result.tokens + 1)
    assert len(list(kept_differences())) == 1
    assert len(of_the_season(result.tournament)) == 1
    with pytest.raises(CommandError, match="2 difference"):
        call_command("verify", "--all")
    assert "ratings: Unionen: kept is" in capsys.readouterr().err
    Rating.objects.filter(pk=newest.pk).update(mu=newest.mu, is_newest=False)
    assert [text for text in kept_differences() if "newest" in text]


def kept_rows():
    """Every row that is kept of results, as far as it is the same however it was counted."""
    return {
        "sums": set(DealSum.objects.values_list("tournament", "sort__said", "deals", "tokens")),
        "results": set(EveningResult.objects.values_list("entry", "place", "field", "tokens", "deals")),
    }


def test_counting_everything_again_takes_no_row_away(evenings, alice):
    tournament, now = evenings[0], timezone.now()
    count_what_is_lacking()
    reopen_tournament(tournament, reason="a slip", account=alice, now=now)
    reopen_round(tournament.rounds.get(number=2), reason="a slip", account=alice, now=now)
    table = Table.objects.select_related("round__tournament").filter(round__number=2).first()
    game = {"contract": "spade_solo", "declarer": 0, "trump": "S", "outcome": "won", "tout": "won"}
    for base, result in enumerate((game, {"all_passed": True}), start=1):
        answer = report(table, 1, result, base=base, author=Author("desk", alice), reason="a slip")
        assert answer.status == "accepted", answer
    count_what_is_lacking()
    before = kept_rows()
    call_command("count_anew")
    assert kept_rows() == before


def test_nothing_is_kept_of_an_evening_while_a_round_is_played(evenings, alice):
    tournament, now = evenings[0], timezone.now()
    count_what_is_lacking()
    assert tournament.results.count() == 8
    reopen_tournament(tournament, reason="a slip", account=alice, now=now)
    reopen_round(tournament.rounds.get(number=2), reason="a slip", account=alice, now=now)
    assert tournament.results.count() == 0
