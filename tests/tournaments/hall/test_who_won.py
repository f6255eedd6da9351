"""From the last deal on every page begins with who won: provisional until the standings are final."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, override

from clubs.models import Club, Membership, Player
from tests.factories import (
    affiliate,
    first_round,
    first_table,
    make_club,
    make_player,
    make_tournament,
    play_out,
    report,
)
from tests.pages import words_at
from tournaments.hall.club import memory_of
from tournaments.lifecycle.ending import finish_what_is_due, post
from tournaments.lifecycle.money import Place, Podium, podiums, podiums_from_the_last_deal
from tournaments.lifecycle.playing import close_round
from tournaments.models import Entry, EveningResult, KeptYear, Tournament
from tournaments.models.names import NAMELESS
from tournaments.standings.players import won_in_words

DEALS = 4
TODAY = date(2026, 11, 28)
NAMES = ["Karen Marie Kjærgaard", "Kirsten Holm", "Lars Larsen", "Ole Vestergaardsen"]


def won_by(declarer: int) -> dict[str, object]:
    return {"contract": "solo", "declarer": declarer, "trump": "H", "outcome": "won"}


def tell(table, number, result=None):
    assert report(table, number, result).status == "accepted"


@pytest.fixture
def table(club):
    """Of four, with four deals, of which three are reported."""
    tournament = make_tournament(4, club=club, deals_per_round=DEALS)
    for entry, name in zip(tournament.entries.order_by("number"), NAMES, strict=True):
        Player.objects.filter(pk=entry.player_id).update(name=name)
    table = first_table(tournament)
    for number in range(1, DEALS):
        tell(table, number, won_by(1))
    return table


def fresh(table) -> Tournament:
    return Tournament.objects.get(pk=table.round.tournament_id)


def said(client, table, name="hall"):
    return words_at(client, reverse(name, args=[fresh(table).code]))


def posted(table, alice) -> Tournament:
    tell(table, DEALS)
    now = timezone.now()
    close_round(first_round(fresh(table)), account=alice, now=now, force_reason="late")
    return post(fresh(table), minutes=30, account=alice, now=now)


def winner(table) -> str:
    return podiums(fresh(table))[0].places[0].name


def test_nobody_has_won_while_a_deal_is_missing(table, client):
    assert podiums_from_the_last_deal(fresh(table)) == []
    assert " won " not in said(client, table).split("Standings", 1)[0]
    tell(table, DEALS)
    assert f"Play is over {winner(table)} won" in said(client, table)
    assert "Provisional : the organiser has yet to publish the final standings" in said(client, table)


@pytest.mark.parametrize(
    ("declarers", "told"),
    [((1, 1, 1, 2), ""), ((1, 2, 2, 2), "The lead changed hands once.")],
    ids=["never", "once"],
)
def test_who_won_stands_with_how_often_the_lead_changed_if_it_did(club, client, declarers, told):
    table = first_table(make_tournament(4, club=club, deals_per_round=DEALS))
    for number, declarer in enumerate(declarers, start=1):
        tell(table, number, won_by(declarer))
    page = said(client, table)
    assert page.count("The lead changed hands") == bool(told)
    assert told in page


def test_a_round_that_is_to_come_is_missing_too(club, client):
    tournament = make_tournament(4, rounds_planned=2, club=club)
    play_out(first_table(tournament))
    assert podiums_from_the_last_deal(Tournament.objects.get(pk=tournament.pk)) == []


def test_they_are_provisional_until_a_time_and_then_final(table, alice, client):
    tournament = posted(table, alice)
    page = said(client, table)
    assert f"Provisional until {tournament.objections_said} , then final unless someone objects" in page
    finish_what_is_due(timezone.now() + timedelta(minutes=31))
    page = said(client, table)
    assert f"Final standings {winner(table)} won" in page
    assert ("Final since" in page, "Provisional" in page) == (True, False)


@pytest.mark.parametrize(
    ("day", "told"), [(1, "Final since 23:05 All standings"), (2, "Final since 2 March 2026 All standings")]
)
def test_the_hour_that_they_were_final_stands_on_their_day_and_the_day_later(table, alice, client, day, told):
    posted(table, alice)
    finish_what_is_due(timezone.now() + timedelta(minutes=31))
    Tournament.objects.filter(pk=table.round.tournament_id).update(
        date=date(2026, 3, 1), finished_at=datetime(2026, 3, day, 22, 5, tzinfo=UTC)
    )
    assert told in said(client, table)


@pytest.mark.parametrize("page", ["hall_story", "projector", "home", "hall_club"])
def test_every_door_begins_with_who_won(page, table, alice, client, club):
    tournament = posted(table, alice)
    of = {"home": [], "hall_club": [club.slug]}
    main = words_at(client, reverse(page, args=of.get(page, [tournament.code])))
    assert f"{winner(table)} won" in main
    assert "False" not in main
    others = [place.name for place in podiums(fresh(table))[0].places[1:]]
    assert [name for name in others if main.index(name) < main.index(f"{winner(table)} won")] == []


def test_a_second_evening_whose_standings_are_posted_says_who_won(table, alice, client, club):
    """The front page and the club's page have the podium of the first alone."""
    posted(table, alice)
    first = make_tournament(0, club=club, drawn=False, name="Played still", state="running")
    for page in ("/", reverse("hall_club", args=[club.slug])):
        main = words_at(client, page)
        assert main.index(first.name) < main.index(f"{winner(table)} won")


def test_the_desk_does_too(table, alice, as_alice):
    tournament = posted(table, alice)
    for page in ("desk_tournament", "desk_finish"):
        assert f"{winner(table)} won" in words_at(as_alice, reverse(page, args=[tournament.code]))


def test_the_front_page_tells_of_an_evening_that_is_final_for_the_night(table, alice, client):
    tournament = posted(table, alice)
    finish_what_is_due(timezone.now() + timedelta(minutes=31))
    sentence = f"{winner(table)} won"
    Tournament.objects.filter(pk=tournament.pk).update(finished_at=timezone.now() - timedelta(hours=11))
    assert sentence in words_at(client, "/")
    Tournament.objects.filter(pk=tournament.pk).update(finished_at=timezone.now() - timedelta(hours=13))
    assert sentence not in words_at(client, "/")


def test_who_shares_the_first_place_shares_the_win():
    assert won_in_words([]) == ""
    assert won_in_words(["Anna"]) == "Anna won"
    assert won_in_words(["Anna", "Bo"]) == "Anna and Bo share the win"


@pytest.mark.parametrize(
    ("language", "unit"), [("en", "match points"), ("da", "matchpoint"), ("sv", "matchpoäng")]
)
def test_a_podium_names_the_unit_behind_the_number_in_small_letters(language, unit):
    with override(language):
        place = Place(1, False, "Anna / Bo", 1, "8", gettext("Match points"), "", "")
        html = render_to_string("_podium.html", {"podium": Podium("", "", [place])})
        assert f'8 <span class="unit">{unit}</span>' in html


def test_a_podium_says_how_far_ahead_the_winner_is_and_where_a_word_is_long(table):
    tell(table, DEALS)
    (podium,) = podiums(fresh(table))
    assert podium.ahead.endswith(f"ahead of {podium.places[1].name}.") or " and " in podium.ahead
    names = {place.name for place in podium.places}
    assert podium.has_long == ("Ole Vestergaardsen" in names)


def test_moments_show_nobody_up(table, alice, client):
    """The one game that was lost is neither the deal of the evening nor a moment."""
    tell(table, DEALS, {"contract": "solo", "declarer": 2, "trump": "H", "outcome": "bete"})
    close_round(first_round(fresh(table)), account=alice, now=timezone.now(), force_reason="late")
    told = client.get(reverse("hall_story", args=[fresh(table).code]))
    (best,) = [part["best"] for part in told.context if "best" in part][:1]
    assert best["at"].is_won
    assert [record.amount for record in told.context["records"] if record.amount.startswith("−")] == []


def evening(club, day, name, *, player="Svend Åge Sørensen"):
    """An evening of an earlier year that is told of by its winner alone."""
    made = Tournament.objects.create(host=club, name=name, date=day, state="finished", results_kept=True)
    number = Player.objects.count() + 1
    entry = Entry.objects.create(
        tournament=made, number=number, club=club, player=make_player(player, club, number)
    )
    EveningResult.objects.create(tournament=made, entry=entry, place=1, total=0, tokens=0, deals=4)
    return made


def test_a_clubs_page_remembers_who_won_on_this_day_else_in_this_week_else_a_fact(club):
    mine = Tournament.objects.filter(host=club)
    assert memory_of(club, mine, TODAY) is None
    evening(club, date(2026, 6, 6), "Sommerfest")
    assert memory_of(club, mine, TODAY) is None
    evening(club, date(2026, 5, 2), "Forårsfest")
    fact = memory_of(club, mine, TODAY)
    assert (fact.heading, fact.url) == ("Did you know", "")
    assert fact.said == f"{club} has played 2 evenings since 2026."
    evening(club, date(2025, 11, 26), "Ugens aften")
    assert memory_of(club, mine, TODAY).heading == "In this week"
    old = evening(club, date(2014, 11, 28), "Klubmesterskab")
    found = memory_of(club, mine, TODAY)
    assert (found.heading, found.url) == ("On this day", old.get_absolute_url())
    assert found.said.endswith(" won Klubmesterskab in 2014.")


def test_a_deleted_name_is_remembered_by_nobody(club):
    evening(club, date(2014, 11, 28), "Klubaften", player=NAMELESS)
    assert memory_of(club, Tournament.objects.filter(host=club), TODAY) is None


def test_a_union_remembers_no_winner_of_a_club_that_allows_no_statistics(club):
    union = make_club("Fyns Union")
    affiliate(club, union)
    evening(club, date(2014, 11, 28), "Klubaften")
    of_all = Tournament.objects.all()
    assert memory_of(union, of_all, TODAY) is not None
    for shown in (Club.Statistics.CLUB, Club.Statistics.NOWHERE):
        Club.objects.filter(pk=club.pk).update(statistics=shown)
        own = memory_of(Club.objects.get(pk=club.pk), of_all, TODAY)
        assert (memory_of(union, of_all, TODAY), own is None) == (None, shown == Club.Statistics.NOWHERE)


def test_who_wants_no_page_over_the_years_is_no_memory(club):
    evening(club, date(2014, 11, 28), "Klubaften")
    Player.objects.update(has_objected=True)
    assert memory_of(club, Tournament.objects.filter(host=club), TODAY) is None
    evening(club, date(2015, 11, 28), "Julefest", player="Bo Ås")
    assert memory_of(club, Tournament.objects.filter(host=club), TODAY).said == "Bo Ås won Julefest in 2015."


def test_a_clubs_page_says_which_evening_is_next_and_who_comes(club, client):
    today = timezone.localdate()
    coming = make_tournament(8, club=club, drawn=False, name="Juleaften", date=today + timedelta(days=12))
    page = words_at(client, reverse("hall_club", args=[club.slug]))
    assert "Next evening · in 12 days" in page
    assert "8 are coming" in page
    assert "and 2 more" in page
    assert client.get(reverse("hall_club", args=[club.slug])).context["next"]["tournament"] == coming


@pytest.mark.parametrize("players", [4, 12])
def test_a_clubs_page_takes_the_same_queries_however_many_played(
    players, club, alice, client, django_assert_max_num_queries
):
    tournament = make_tournament(players, club=club, deals_per_round=4)
    for table in first_round(tournament).tables.all():
        tell(table, 1, won_by(1))
    now = timezone.now()
    close_round(first_round(tournament), account=alice, now=now, force_reason="late")
    post(tournament, minutes=30, account=alice, now=now)
    # Who comes first after play stores what the pages of years and ratings read from then on.
    for most in (104, 38):
        with django_assert_max_num_queries(most):
            client.get(reverse("hall_club", args=[club.slug]))
    with django_assert_max_num_queries(18):
        client.get(reverse("hall", args=[tournament.code]))


def test_the_page_after_play_counts_the_clubs_years_no_more_than_they_are(
    club, alice, client, django_assert_max_num_queries
):
    """Of its queries 23 store the evening's results and places, which every other page reads from then on."""
    now = timezone.now()
    for days_ago in (30, 0):
        Membership.objects.update(number=None)
        day = timezone.localdate() - timedelta(days=days_ago)
        tournament = make_tournament(12, club=club, deals_per_round=4, date=day)
        for table in first_round(tournament).tables.all():
            tell(table, 1, won_by(1))
        close_round(first_round(tournament), account=alice, now=now, force_reason="late")
        post(tournament, minutes=days_ago and 30, account=alice, now=now)
        if days_ago:
            client.get(reverse("hall_records", args=[club.slug]))
    years = list(KeptYear.objects.values_list("year", "versions").order_by("year"))
    with django_assert_max_num_queries(50):
        client.get(reverse("hall", args=[tournament.code]))
    assert list(KeptYear.objects.values_list("year", "versions").order_by("year")) == years
