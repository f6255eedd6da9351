"""Everybody's card of an evening: the place is its rank, the trumps that won most its suit; nine make a hand."""

from __future__ import annotations

import re
from datetime import date, timedelta
from io import BytesIO

import pytest
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from clubs.models import Club
from scoring import get_rulebook
from tests.evenings import make_evening, play_evening, play_round
from tests.factories import first_round, make_player, player_name
from tests.pages import texts_of
from tests.tournaments.people.test_achievements import held
from tests.tournaments.seasons.test_season import make_teams
from tournaments.domain.card_drawing import MATADORS, card_spoken, draw_card
from tournaments.domain.terms import signed
from tournaments.hall import cards as cards_page
from tournaments.lifecycle.ending import finish, reopen_tournament
from tournaments.models import EveningResult, Season, Seat, Tournament
from tournaments.models.names import NAMELESS
from tournaments.paper.boards import ON_PAPER
from tournaments.people.evening_cards import (
    Hands,
    _Evening,
    best_nines,
    bid_text,
    card_for,
    evening_cards,
    hands_of,
    shown_cards,
)
from tournaments.people.person_statistics import Declared, Played
from tournaments.seasons.results import Trumps, keep

DAY = date(2025, 1, 3)


@pytest.mark.parametrize(
    ("place", "suit", "card"),
    [
        # The first and the third have the black aces, whatever they won in.
        (1, "H", "SA"), (3, "D", "CA"),
        # Manille is the lowest card of its suit.
        (2, "S", "S2"), (2, "C", "C2"), (2, "H", "H7"), (2, "D", "D7"),
        (4, "S", "SK"), (5, "H", "HQ"), (6, "C", "CJ"),
        # Sixteen others share five ranks, from high to low.
        (7, "S", "S7"), (10, "C", "C7"), (11, "S", "S6"), (14, "S", "S5"), (17, "S", "S4"), (22, "S", "S3"),
        (7, "D", "D2"), (11, "H", "H3"), (22, "D", "D6"),
    ],
)  # fmt: skip
def test_the_place_is_the_rank_in_the_order_of_the_game(place, suit, card):
    assert card_for(place, 22, suit) == card


def test_everybody_of_the_rest_shares_the_five_ranks_alike():
    for field in range(7, 260):
        ranks = [card_for(place, field, "S")[1] for place in range(7, field + 1)]
        assert ranks == sorted(ranks, reverse=True)
        assert ranks[0] == "7"
        if field >= 11:
            counts = [ranks.count(rank) for rank in "76543"]
            assert max(counts) - min(counts) <= 1
    # Places that are shared: the one below may be beyond the field.
    assert card_for(9, 8, "H") == "H6"


def trumps(*deals):
    found = Trumps()
    for suit, won in deals:
        found.add(suit, won=won)
    return found.suit


def test_the_suit_is_that_of_the_games_won_else_of_most_deals_and_the_last_of_several():
    assert trumps(("H", False), ("H", False), ("C", True)) == "C"
    assert trumps(("H", False), ("H", False), ("C", False)) == "H"
    assert trumps(("H", True), ("C", True), ("D", False)) == "C"
    assert trumps(("C", True), ("H", True), ("C", True), ("H", False)) == "C"


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        ("SA CA SK SQ S7 HK H7 DJ C4", "5 trumps in spades with Spadille and Basta: the program would bid"),
        ("SK SQ SJ S7 S6 S5 HK DQ C3", "6 trumps in spades: the program would bid"),
        ("D6 D5 H6 C3 C4 S3 H5 C5 D3", "A hand to pass with."),
        # The same card may come again: nobody is dealt such a hand, but an evening is no deal.
        ("SA SA SA H7 HK HQ D5 D6 C3", "6 trumps in hearts with Spadille and Manille: the program would bid"),
    ],
)
def test_a_hand_says_its_trumps_and_what_the_program_would_bid(cards, said):
    assert bid_text(cards.split(), {}).startswith(said)


@pytest.mark.parametrize(
    ("deals", "said"), [(30, "In the club, 80 per cent of such games are won."), (29, "")]
)
def test_a_hand_says_how_often_the_club_wins_what_it_bids_once_it_has_played_enough(deals, said):
    hand = "SA CA SK SQ S7 HK H7 DJ C4".split()
    every = {
        row.id: Played(Declared(deals=deals, won=24), [0, 0, 0, 0]) for row in get_rulebook("union").contracts
    }
    assert bid_text(hand, every).partition(". ")[2] == said


@pytest.fixture
def people(club):
    return [make_player(player_name(index), club) for index in range(8)]


@pytest.fixture
def over(club, alice, people):
    return play_evening(make_evening(people, club, alice), alice)


def page(client, name, tournament, *more):
    return client.get(reverse(name, args=[tournament.code, *more]))


@pytest.mark.django_db
def test_everybody_gets_the_card_of_their_place(client, over):
    cards = evening_cards(over)
    places = dict(EveningResult.objects.filter(tournament=over).values_list("entry", "place"))
    assert {one.entry: one.place for one in cards} == places
    assert cards[0].card == "SA"
    assert all(one.card == card_for(one.place, 8, one.card[0]) for one in cards)
    assert [one.place for one in cards] == sorted(one.place for one in cards)
    html = page(client, "hall_cards", over).content.decode()
    for entry in over.entries.all():
        assert entry.shown_name in html
        assert reverse("hall_card", args=[over.code, entry.number]) in html


@pytest.mark.django_db
def test_a_card_says_what_was_won_and_no_loss(client, over):
    first, last = (evening_cards(over)[place] for place in (0, -1))
    assert first.tokens > 0 > last.tokens
    assert signed(first.tokens) in page(client, "hall_card", over, first.number).content.decode()
    for name, more in (("hall_card", [last.number]), ("hall_card_share", [last.number]), ("hall_cards", [])):
        html = page(client, name, over, *more).content.decode()
        assert f"place {last.place}" in html
        assert signed(last.tokens) not in html, name
    sheet = page(client, "hall_card_pdf", over, last.number)
    assert (
        signed(last.tokens)
        not in texts_of(b"".join(sheet.streaming_content) if sheet.streaming else sheet.content)[0]
    )


@pytest.mark.django_db
def test_of_many_cards_the_first_come_with_the_page(client, over, monkeypatch):
    monkeypatch.setattr(cards_page, "AT_FIRST", 3)
    html = page(client, "hall_cards", over).content.decode()
    assert html.count('<li><a href="/t/') == 3
    assert "All 8 cards" in html
    whole = client.get(reverse("hall_cards", args=[over.code]), {"all": ""}).content.decode()
    assert whole.count('<li><a href="/t/') == 8
    assert "All 8 cards" not in whole


@pytest.mark.django_db
def test_who_shares_a_place_shares_the_rank_and_who_hardly_played_gets_none(over):
    keep(over.pk)
    second, third, fourth = EveningResult.objects.filter(tournament=over).order_by("place", "pk")[1:4]
    EveningResult.objects.filter(pk__in=(second.pk, third.pk)).update(place=2)
    EveningResult.objects.filter(pk=fourth.pk).update(deals=1)
    cards = {one.entry: one for one in evening_cards(over)}
    assert [cards[one.entry_id].title for one in (second, third)] == ["Manille", "Manille"]
    assert fourth.entry_id not in cards
    assert len(cards) == 7


@pytest.mark.django_db
def test_in_teams_each_gets_the_card_of_the_teams_place(club, alice, by_alice):
    tournament = make_teams(club, by_alice, teams=4)
    play_round(first_round(tournament), alice)
    cards = evening_cards(Tournament.objects.get(pk=tournament.pk))
    teams = dict(tournament.entries.values_list("pk", "team__number"))
    places = {(teams[one.entry], one.place) for one in cards}
    assert len(cards) == 16
    assert len(places) == 4
    assert sum(one.card == "SA" for one in cards) % 4 == 0


@pytest.mark.django_db
def test_a_players_page_picture_and_paper(client, over):
    first = evening_cards(over)[0]
    name = over.entries.get(number=first.number).shown_name
    html = page(client, "hall_card", over, first.number).content.decode()
    assert f"<h1>{name} got Spadille</h1>" in html
    assert draw_card("SA", gold=True) in html
    assert "Provisional" not in html
    for other in ("hall_card_share", "hall_card_pdf", "hall_card_picture"):
        assert reverse(other, args=[over.code, first.number]) in html
        assert page(client, other, over, first.number).status_code == 200
    picture = Image.open(BytesIO(page(client, "hall_card_picture", over, first.number).content))
    assert picture.size == (1200, 630)
    assert page(client, "hall_card_pdf", over, first.number)["Content-Type"] == "application/pdf"
    assert page(client, "hall_card", over, 99).status_code == 404
    for leading, number in (("hall_player", first.number), ("standings", None), ("hall", None)):
        html = page(client, leading, over, *filter(None, [number])).content.decode()
        assert (
            reverse("hall_card" if number else "hall_cards", args=[over.code, *filter(None, [number])])
            in html
        )


@pytest.mark.django_db
def test_before_the_last_deal_there_is_none_and_until_it_is_final_it_is_provisional(
    client, club, alice, people
):
    tournament = make_evening(people, club, alice)
    assert shown_cards(tournament) == []
    assert "when the last deal has been reported" in page(client, "hall_cards", tournament).content.decode()
    assert page(client, "hall_card", tournament, 1).status_code == 404
    assert page(client, "hall_card_picture", tournament, 1).status_code == 404
    tournament = play_evening(tournament, alice, finished=False)
    assert len(shown_cards(tournament)) == 8
    assert "Provisional: the card" in page(client, "hall_card", tournament, 1).content.decode()


@pytest.mark.django_db
def test_a_corrected_final_changes_the_card_and_says_so(client, alice, over):
    last = evening_cards(over)[-1]
    html = page(client, "hall_card", over, last.number).content.decode()
    assert "corrected" not in html
    reopen_tournament(over, reason="A deal was wrong", account=alice, now=timezone.now())
    Seat.objects.filter(entry=last.entry).update(tokens=500)
    EveningResult.objects.filter(tournament=over).delete()
    Tournament.objects.filter(pk=over.pk).update(results_kept=False)
    finish(Tournament.objects.get(pk=over.pk), account=alice, now=timezone.now())
    html = page(client, "hall_card", over, last.number).content.decode()
    assert "got Spadille" in html
    assert "The final standings were corrected, and this card with them." in html


@pytest.mark.django_db
def test_a_club_gives_none_where_it_wants_none(as_alice, client, club, over):
    number = evening_cards(over)[0].number
    form = {"name": club.name, "name_style": "full", "shows_rating": "on", "statistics": "everywhere"}
    as_alice.post(reverse("club_edit", args=[club.slug]), form | {"gives_cards": "on"})
    assert page(client, "hall_cards", over).status_code == 200
    as_alice.post(reverse("club_edit", args=[club.slug]), form)
    assert not Club.objects.get(pk=club.pk).gives_cards
    for name in ("hall_card", "hall_card_share", "hall_card_pdf", "hall_card_picture"):
        assert page(client, name, over, number).status_code == 404
    assert page(client, "hall_cards", over).status_code == 404
    for name in ("hall", "standings"):
        assert "/cards/" not in page(client, name, over).content.decode()
    assert "/card/" not in page(client, "hall_player", over, number).content.decode()
    assert hands_of(over.entries.get(number=number).player).count == 0
    sheets = as_alice.get(reverse("desk_print", args=[over.code])).content.decode()
    assert "Cards of the evening" not in sheets


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("ends", "said"), [(date(2025, 1, 31), "won the season with"), (date(2999, 1, 1), "leads with")]
)
def test_a_seasons_page_has_everybodys_card_and_who_is_first(client, club, over, ends, said):
    season = Season.objects.create(host=club, name="Sæson", starts=date(2025, 1, 1), ends=ends)
    Tournament.objects.filter(pk=over.pk).update(season=season)
    html = client.get(season.get_absolute_url()).content.decode()
    shown = re.findall(r'class="took suit-\w" role="img" aria-label="([^"]+)"', html)
    assert sorted(shown) == sorted(card_spoken(one.card) for one in evening_cards(over))
    assert said in html
    sheet = reverse("hall_season_pdf", args=[season.pk])
    lines = re.findall("[♠♡♢♣][AKQJ2-7]", texts_of(client.get(sheet).content)[0])
    assert sorted(lines) == sorted(f"{ON_PAPER[one.card[0]]}{one.card[1]}" for one in evening_cards(over))
    Club.objects.filter(pk=club.pk).update(gives_cards=False)
    assert "took" not in client.get(season.get_absolute_url()).content.decode()
    assert not re.findall("[♠♡♢♣]", texts_of(client.get(sheet).content)[0])


@pytest.mark.django_db
def test_nine_evenings_are_a_hand(client, club, alice, people):
    anna, others = people[0], people[1:4]
    for week in range(11):
        held(club, alice, DAY + timedelta(7 * week), [{anna: 3} | dict.fromkeys(others, -1)], winner=anna)
    hands = hands_of(anna)
    assert (hands.count, hands.times(1)) == (2, 11)
    newest, first = hands.newest(2)
    assert [one.card for one in first.cards] == ["SA"] * 9
    assert [one.day for one in newest.cards] == [DAY + timedelta(70), DAY + timedelta(63)]
    assert newest.text == "2 cards, 7 to go."
    assert newest.bid == ""
    assert first.text == "Nine evenings make a hand, and this one is complete."
    assert first.bid.startswith("9 trumps in")
    own = client.get(reverse("person", args=[anna.pk])).content.decode()
    assert "2 cards, 7 to go." in own
    hands_page = reverse("person_hands", args=[anna.pk])
    assert hands_page in own
    html = client.get(hands_page).content.decode()
    assert html.index("Hand 2") < html.index("Hand 1")
    assert "Spadille 11 times in 11 evenings." in html


@pytest.mark.django_db
def test_whose_name_is_deleted_keeps_the_card_and_has_no_hand(client, over):
    first = evening_cards(over)[0]
    player = over.entries.get(number=first.number).player
    type(player).objects.filter(pk=player.pk).update(name=NAMELESS)
    html = page(client, "hall_card", over, first.number).content.decode()
    assert player.name not in html
    assert "nine-said" not in html
    assert client.get(reverse("person_hands", args=[player.pk])).status_code == 404


@pytest.mark.django_db
def test_the_best_hand_of_a_season_lies_on_its_page_and_the_clubs_once_it_is_over(
    client, club, alice, people
):
    (anna, bo), others = people[:2], people[2:4]
    ends = timezone.localdate() - timedelta(days=3)
    season = Season.objects.create(host=club, name="Sæson", starts=ends - timedelta(80), ends=ends)
    front = reverse("hall_club", args=[club.slug])
    for week in range(10):
        # Anna has nine cards, all of them Spadille but one; Bo has ten, of which his one Spadille is the best.
        first, there = (bo, [bo, *others]) if week == 4 else (anna, [anna, bo, *others])
        tokens = [{first: 3} | {one: -1 for one in there if one != first}]
        evening = held(club, alice, season.starts + timedelta(7 * week), tokens, winner=first)
        if week == 8:
            assert client.get(season.get_absolute_url()).context["best"] is None
        Tournament.objects.filter(pk=evening.pk).update(season=season)
    best = client.get(season.get_absolute_url()).context["best"]
    assert (best.name, [one.card for one in best.hand.cards]) == (anna.name, ["SA"] * 9)
    assert client.get(front).context["best"] == best
    for page_ in (season.get_absolute_url(), front):
        html = client.get(page_).content.decode()
        assert "The best hand of the season" in html
        assert bo.name not in html[html.index("best hand") : html.index("trumps in")]
    Season.objects.filter(pk=season.pk).update(ends=timezone.localdate())
    assert client.get(season.get_absolute_url()).context["best"] is None
    Season.objects.filter(pk=season.pk).update(ends=ends - timedelta(days=70), version=2)
    assert client.get(season.get_absolute_url()).context["best"] is not None
    assert "best" not in client.get(front).context
    anna.has_objected = True
    anna.save()
    found = client.get(season.get_absolute_url()).context["best"]
    assert found is None or found.name != anna.name
    type(anna).objects.filter(pk=anna.pk).update(name=NAMELESS, has_objected=False)
    Season.objects.filter(pk=season.pk).update(version=3)
    found = client.get(season.get_absolute_url()).context["best"]
    assert found is None or found.name != NAMELESS


@pytest.mark.parametrize(
    ("cards", "nine"),
    [
        (["SA"] * 8, []),
        (["S3", *["SA"] * 9], list(range(1, 10))),
        (["HK", "D6", "CA", "S2", "SA", "S3", "S4", "S5", "S6", "S7"], [0, 2, 3, 4, 5, 6, 7, 8, 9]),
    ],
)
def test_who_has_more_than_nine_cards_lays_the_best_nine(cards, nine):
    assert next(best_nines(dict(enumerate(cards))), []) == nine


def test_hands_are_cut_from_the_first_evening_on():
    evenings = [_Evening(n, n, 1, 4, n, "A", "E", DAY, "S", 1) for n in range(1, 20)]
    assert Hands(evenings).count == 3
    assert Hands(evenings[:9]).count == 1
    assert Hands([]).count == 0


def test_every_card_that_is_given_is_drawn():
    for place in range(1, 23):
        for suit in "SHDC":
            card = card_for(place, 22, suit)
            assert (card in MATADORS) == (place <= 3)
            assert "<use" in draw_card(card)
            assert "<use" not in draw_card(card, in_place=True)
