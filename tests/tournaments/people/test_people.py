"""People over the years, by exact numbers: two evenings of four people, each deal written down."""

from __future__ import annotations

from datetime import date

import pytest
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.db.models import F
from django.utils import timezone

from clubs.models import Club, Player
from scoring.seats import Role
from tests.evenings import make_evening
from tests.factories import affiliate, make_club, make_player, report
from tournaments.entries import personal_data
from tournaments.exports.verify.recount import differences
from tournaments.ledger import Author
from tournaments.lifecycle.ending import finish, reopen_tournament
from tournaments.lifecycle.playing import close_round, reopen_round, start_round
from tournaments.models import DealSum, EveningResult, Penalty, Table
from tournaments.people import person_statistics, visibility
from tournaments.people.explorer import Question, ask
from tournaments.people.head_to_head import head_to_head, met
from tournaments.people.history import attendance, fallen, hall_of_fame, milestones, records, winners
from tournaments.people.person import over_the_years
from tournaments.people.person_statistics import Rate, Runs, breaks_even
from tournaments.people.span import Span, read
from tournaments.seasons.results import forget_everything

pytestmark = pytest.mark.databases

PASSED = {"all_passed": True}


def game(declarer, outcome, contract="simple_game", trump="H", **more):
    return {"contract": contract, "declarer": declarer, "trump": trump, "outcome": outcome} | more


@pytest.fixture
def people(club):
    return [make_player(name, club, number) for number, name in enumerate(("Anna", "Bo", "Carl", "Dora"), 1)]


@pytest.fixture
def evening(alice, club, people):
    """Play four deals on a day; who sits at A to D is told by what is returned."""

    def play(day, *results, finished=True):
        tournament = make_evening(people, club, alice, date=day)
        now = timezone.now()
        round_ = tournament.rounds.get()
        start_round(round_, account=alice, now=now)
        table = Table.objects.select_related("round__tournament").get(round=round_)
        for deal, result in enumerate(results, start=1):
            answer = report(table, deal, result, author=Author("desk", alice))
            assert answer.status == "accepted", answer.problems
        if finished:
            round_.refresh_from_db()
            close_round(round_, account=alice, now=now, force_reason="enige")
            finish(tournament, account=alice, now=now)
        return tournament

    return play


def at(tournament):
    """Who sits at A to D."""
    seats = tournament.rounds.get().seats.select_related("entry__player").order_by("position")
    return [seat.entry.player for seat in seats]


# A deals the first: B is forehand, C sits out, D is middlehand; then it goes around.
FIRST = (
    game(1, "won"),  # B forehand: +2, A and D -1, C sits out
    game(0, "kodille"),  # B deals, D sits out: A pays 2 to each of B and C
    game(3, "won", "solo", "S"),  # C deals, D is forehand, A sits out
    PASSED,
)
SECOND = (game(1, "bete"), game(2, "won", tout="won"), game(3, "won"), game(0, "won"))


def test_a_persons_years_in_numbers(evening):
    one, other = evening(date(2025, 3, 1), *FIRST), evening(date(2026, 3, 1), *SECOND)
    a, b, _c, d = at(one)
    assert at(other) == at(one)
    years = over_the_years(a)
    assert [(e.day.year, e.place, e.of, e.tokens) for e in years.evenings] == [
        (2025, 4, 4, -5),
        (2026, 3, 4, 1),
    ]
    assert (years.best, years.wins) == (years.evenings[1], 0)
    assert years.curve.by_deal == [0, -1, -5, -5, -5, -4, -6, -6, -4]
    assert [(month.year, month.evenings, month.tokens, month.total) for month in years.curve.by_month] == [
        (2025, 1, -5, -5),
        (2026, 1, 1, -4),
    ]
    portrait = years.portrait
    assert (portrait.deals, portrait.declared.deals, portrait.declared.won, portrait.declared.kodille) == (
        8,
        2,
        1,
        1,
    )
    assert portrait.declares[Role.MH] == Rate(1, 2)
    assert portrait.kinds["washed_out"].deals == 1
    # Who sits out cannot pass: what is declared of adds up to the deals that were dealt to the person.
    sat_out = over_the_years(b).portrait
    assert "washed_out" not in sat_out.kinds
    for each, evenings in ((portrait, years), (sat_out, over_the_years(b))):
        assert each.kinds["sat_out"].deals == each.roles[Role.IDLE].deals
        assert each.bids.of == sum(rate.of for rate in each.declares.values()) == evenings.dealt
    assert portrait.runs == Runs(won=1, without_bet=1)
    assert portrait.tokens == sum(e.tokens for e in years.evenings) == years.curve.by_deal[-1]
    assert over_the_years(a, Span(year=2025)).portrait.declared.deals == 1
    assert over_the_years(b, Span(last=date(2025, 12, 31))).portrait.first_bid.won == 1
    # Everybody's simple games: four won, one bet, one kodille.
    contract = portrait.contracts["simple_game"]
    assert (contract.others.deals, contract.others.won, contract.others.bete, contract.others.kodille) == (
        6,
        4,
        1,
        1,
    )
    assert d.pk in {line.player for line in met(a)}
    # Wrong sums that were counted anew: no evening's version tells it, and what was made of the wrong ones is let go.
    cache.clear()
    DealSum.objects.filter(sort__contract="simple_game", sort__outcome="won").update(deals=F("deals") * 2)
    assert over_the_years(a).portrait.contracts["simple_game"].others.won == 8
    forget_everything()
    assert over_the_years(a).portrait.contracts["simple_game"].others.won == 4


def test_nobody_has_a_place_before_the_evening_is_over(evening, alice):
    one = evening(date(2025, 3, 1), *SECOND, finished=False)
    d = at(one)[3]
    close_round(one.rounds.get(), account=alice, now=timezone.now(), force_reason="enige")
    years = over_the_years(d)
    assert one.results.exists()  # they are stored between rounds, too
    assert [(e.place, e.of, e.is_won, e.medal) for e in years.evenings] == [(None, None, False, None)]
    assert years.wins == 0
    one.refresh_from_db()
    finish(one, account=alice, now=timezone.now())
    assert [e.of for e in over_the_years(d).evenings] == [4]


def test_two_head_to_head(evening):
    one, _other = evening(date(2025, 3, 1), *FIRST), evening(date(2026, 3, 1), *SECOND)
    a, b, _c, _d = at(one)
    found = head_to_head(a, b)
    assert (found.met.deals, len(found.evenings), found.ahead + found.behind) == (8, 2, 2)
    # B's games with A among the defenders: one won (A dealt), one bet.
    assert (found.met.under.deals, found.met.under.won, found.met.under.bete) == (2, 1, 1)
    # A's two, at the second of which B sat out.
    assert (found.met.against.deals, found.met.against.kodille) == (1, 1)
    mirrored = head_to_head(b, a)
    assert (mirrored.met.tokens, mirrored.met.others_tokens) == (found.met.others_tokens, found.met.tokens)
    assert (mirrored.ahead, mirrored.behind) == (found.behind, found.ahead)


def test_any_question_of_games(evening, club):
    one, _other = evening(date(2025, 3, 1), *FIRST), evening(date(2026, 3, 1), *SECOND)
    answer = ask(Question(), club)
    assert [(row.key, row.games.deals, row.games.won) for row in answer.rows] == [
        (("simple_game",), 6, 4),
        (("solo",), 1, 1),
    ]
    assert answer.whole.rate == Rate(5, 7)
    by_seat = ask(Question(contract="simple_game", by=("year", "seat"), outcome="kodille"), club)
    assert [(row.key, row.rate) for row in by_seat.rows] == [
        (("2025", "FH"), Rate(0, 1)),
        (("2025", "MH"), Rate(1, 1)),
        (("2026", "FH"), Rate(0, 4)),
    ]
    a = at(one)[0]
    own = ask(Question(by=("outcome",)), None, a)
    assert [(row.key, row.games.deals) for row in own.rows] == [(("won",), 1), (("kodille",), 1)]
    # The share of each outcome is that of all games.
    assert [row.rate for row in own.rows] == [Rate(1, 2), Rate(1, 2)]
    assert ask(Question(span=Span(rulebook="rasle")), club).rows == []


@pytest.mark.parametrize("few", [0, 1, 9], ids=["all gone through", "the others taken away", "looked up"])
def test_sums_are_the_same_however_they_are_added_up(evening, club, monkeypatch, few):
    for year in (2024, 2025, 2026):
        evening(date(year, 3, 1), *(SECOND if year == 2025 else FIRST))
    monkeypatch.setattr(person_statistics, "FEW_EVENINGS", few)
    span = Span(first=date(2025, 1, 1))
    answer = ask(Question(by=("contract", "year"), span=span), club)
    assert [(row.key, row.games.deals, row.games.tokens) for row in answer.rows] == [
        (("simple_game", "2025"), 4, 6),  # -2, +4 with tout, +2, +2
        (("simple_game", "2026"), 2, -2),
        (("solo", "2026"), 1, 6),
    ]


def test_a_span_that_cannot_be_read_is_told_by_field():
    with pytest.raises(ValidationError) as told:
        read({"year": "12345", "first": "i går"})
    assert set(told.value.message_dict) == {"year", "first"}
    assert read({}) == Span()
    assert Span().is_all


def test_a_clubs_records_and_which_of_them_fall(evening, club, people):
    one = evening(date(2025, 3, 1), *FIRST)
    held = {record.kind: (record.value, Player.objects.get(pk=record.player)) for record in records(club)}
    _a, b, _c, d = at(one)
    # D's solo; nobody has had more tokens of a deal.
    assert held["deal"][1] == held["solos"][1] == d
    assert (held["solos"][0], held["evenings"][0], held["run"]) == (1, 1, (1, b))
    assert "tout" not in held
    second = evening(date(2026, 3, 1), *SECOND, finished=False)
    assert [fall.kind for fall in fallen(second)] == ["tout"]
    (fall,) = fallen(second)
    assert (fall.value, fall.before) == (4, 0)
    assert fallen(one) == []  # the first evening breaks none
    assert [(year.year, year.evenings, year.people) for year in attendance(club)] == [(2025, 1, 4)]
    assert [fame.wins for fame in hall_of_fame(club)] == [1] * len(winners(club))
    near = milestones(club, [people[0].pk], 200)
    assert [(one.what, one.number) for one in near] == [("deal", 100)]


def test_a_correction_of_an_old_deal_changes_everything_at_once(evening, alice, club):
    one = evening(date(2025, 3, 1), *FIRST)
    d = at(one)[3]
    assert {record.kind for record in records(club)} >= {"solos"}
    assert ask(Question("solo"), club).whole.games.deals == 1
    now = {"account": alice, "now": timezone.now()}
    reopen_tournament(one, reason="fejl", **now)
    reopen_round(one.rounds.get(), reason="fejl", **now)
    table = Table.objects.select_related("round__tournament").get(round__tournament=one)
    assert (
        report(table, 3, game(3, "won"), base=1, reason="fejl", author=Author("desk", alice)).status
        == "accepted"
    )
    assert ask(Question("solo"), club).rows == []
    assert "solo" not in over_the_years(d).portrait.contracts
    close_round(one.rounds.get(), force_reason="enige", **now)
    assert "solos" not in {record.kind for record in records(club)}


def test_who_is_told_of_and_where(evening, alice, club, people):
    one = evening(date(2025, 3, 1), *FIRST)
    a = at(one)[0]

    def seen():
        union = Club.objects.get(name="Unionen")
        club.refresh_from_db()
        places = (club, union, None)
        return [
            [bool(over_the_years(a, around=place).evenings) for place in places],
            [ask(Question(), place).whole.games.deals for place in places],
            [any(record.player == a.pk for record in records(place)) or None for place in places[:2]],
        ]

    affiliate(club, make_club("Unionen"))
    everywhere = seen()
    assert everywhere[:2] == [[True, True, True], [3, 3, 3]]
    assert visibility.has_page(a)
    assert not visibility.may_be_found(a)
    club.statistics = Club.Statistics.CLUB
    club.save()
    assert seen()[:2] == [[True, False, False], [3, 0, 0]]
    assert not visibility.has_page(a)
    club.statistics = Club.Statistics.NOWHERE
    club.save()
    assert seen()[:2] == [[False, False, False], [0, 0, 0]]
    club.statistics, club.is_findable = Club.Statistics.EVERYWHERE, True
    club.save()
    assert visibility.may_be_found(a)
    assert visibility.name_of(a) == a.name
    # A number is nobody's page; the games are still counted.
    club.name_style = Club.NameStyle.NUMBER
    club.save()
    assert seen()[:2] == [[False, False, False], [3, 3, 3]]
    assert visibility.with_page([player.pk for player in people]) == set()
    club.name_style = Club.NameStyle.FULL
    club.save()
    Player.objects.filter(pk=a.pk).update(has_objected=True)
    assert seen()[:2] == [[False, False, False], [3, 3, 3]]
    assert all(line.player != a.pk for line in met(at(one)[1]))
    Player.objects.filter(pk=a.pk).update(has_objected=False)
    personal_data.erase(a, account=alice, today=date(2026, 11, 22), now=timezone.now())
    a.refresh_from_db()
    assert seen()[:2] == [[False, False, False], [3, 3, 3]]
    assert not visibility.may_be_found(a)


def test_verify_names_a_record_that_the_reports_do_not_give(evening):
    one = evening(date(2025, 3, 1), *FIRST)
    over_the_years(at(one)[0])  # whoever asks has it counted
    one.refresh_from_db()
    assert list(differences(one)) == []
    EveningResult.objects.filter(tournament=one, place=1).update(solos=9)
    (told,) = differences(one)
    assert told.place == f"{one.code} records"


def test_the_share_that_must_be_won_for_a_game_to_pay():
    # Won it brings 2, lost it costs 4: two of three must be won.
    assert breaks_even(20, 10, -20, 5) == pytest.approx(2 / 3)
    assert breaks_even(20, 10, 0, 0) is None
    assert breaks_even(0, 0, -4, 1) is None


def placed(tournament, *places):
    """Give those at A to D a place in a division, as among so many pairs or teams."""
    for player, (place, division, field) in zip(at(tournament), places, strict=True):
        EveningResult.objects.filter(tournament=tournament, entry__player=player).update(
            place=place, division=division, field=field
        )


def test_the_first_of_a_lower_division_has_won_no_evening(evening, club):
    tournament = evening(date(2025, 3, 1), *FIRST)
    over_the_years(at(tournament)[0])
    placed(tournament, (1, 1, 4), (1, 2, 4), (3, 1, 4), (4, 1, 4))
    first, first_below, third, last = (over_the_years(player) for player in at(tournament))
    assert [years.wins for years in (first, first_below, third, last)] == [1, 0, 0, 0]
    assert [years.evenings[0].of for years in (first, first_below, third, last)] == [4, 4, 4, 4]
    assert [years.evenings[0].medal for years in (first, first_below, third, last)] == [1, None, 3, None]
    assert [one.player for one in winners(club)] == [at(tournament)[0].pk]


def test_the_last_of_three_gets_no_medal(evening):
    tournament = evening(date(2025, 3, 1), *FIRST)
    over_the_years(at(tournament)[0])
    placed(tournament, (3, 1, 3), (2, 1, 3), (1, 1, 3), (1, 1, 3))
    assert [over_the_years(player).evenings[0].medal for player in at(tournament)] == [None, 2, 1, 1]


def test_places_of_two_divisions_are_not_compared(evening):
    tournament = evening(date(2025, 3, 1), *FIRST)
    a, b, c, _d = at(tournament)
    over_the_years(a)
    placed(tournament, (5, 1, 6), (1, 2, 6), (4, 1, 6), (5, 1, 6))
    for other, compared in ((b, (0, 0, 0)), (c, (0, 1, 0)), (_d, (0, 0, 1))):
        found = head_to_head(a, other)
        assert (found.ahead, found.behind, found.equal) == compared


def test_a_penalty_is_in_every_sum_of_a_person_and_shown_by_itself(evening, alice):
    tournament = evening(date(2025, 3, 1), *FIRST, finished=False)
    a = at(tournament)[0]
    entry = tournament.entries.get(player=a)
    Penalty.objects.create(
        tournament=tournament,
        entry=entry,
        tokens=-1,
        reason="sent",
        ruled_by="alice",
        ruled_at=timezone.now(),
    )
    round_ = tournament.rounds.get()
    close_round(round_, account=alice, now=timezone.now(), force_reason="enige")
    finish(tournament, account=alice, now=timezone.now())
    years = over_the_years(a)
    assert (years.tokens, years.rulings, years.curve.by_evening[-1][1]) == (-6, -1, -6)
    assert (years.dealt, years.portrait.deals) == (3, 4)


def test_deals_sat_out_are_not_counted_while_an_evening_is_played_either(evening):
    tournament = evening(date(2025, 3, 1), *FIRST, finished=False)
    running = over_the_years(at(tournament)[0]).evenings[0]
    assert (running.place, running.deals, running.tokens) == (None, 3, -5)
