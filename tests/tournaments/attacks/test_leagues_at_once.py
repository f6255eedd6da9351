"""Clubs, captains and players who press at the same moment: each step counts once, and who comes second is told."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from clubs.letter_models import Topic
from clubs.mail.kinds import set_consent
from clubs.models import Affiliation, Letter, Membership, Player, Transfer
from clubs.register import answer_transfer, request_transfer
from core.errors import UserError
from tests.evenings import make_evening, play_evening
from tests.factories import make_account, make_championship, make_club, make_player, make_tournament
from tests.tournaments.attacks.test_two_at_once import at_once
from tests.tournaments.lifecycle.test_home_matches import TODAY, a_match, league
from tournaments.entries.teams import database_clock
from tournaments.exports.verify.recount import differences
from tournaments.lifecycle.home_matches import propose_days
from tournaments.lifecycle.team_entries import (
    EnteredTeam,
    accept_entry,
    dissolve_by_ruling,
    enter_team,
    set_deadline,
    withdraw_by_ruling,
)
from tournaments.models import Entry, Match, Postponement, Qualifier, QualifierQuestion, TeamEntry, Tournament
from tournaments.models.leagues import ProposedDay
from tournaments.seasons import qualified, quotas
from tournaments.seasons.qualified import answer_by_link
from tournaments.seasons.quotas import QualifiedTable

__all__ = ["league"]
pytestmark = pytest.mark.django_db(transaction=True)


def wrong(tournament):
    return [str(one) for one in differences(Tournament.objects.get(pk=tournament.pk))]


# Teams that clubs enter.


@pytest.fixture
def union():
    return make_club("Union")


@pytest.fixture
def by_ulla(union):
    return {"account": make_account("ulla", union), "now": timezone.now()}


@pytest.fixture
def cup(union, by_ulla):
    made = make_tournament(
        0, club=union, account=by_ulla["account"], drawn=False, format="teams", deals_per_round=4
    )
    set_deadline(made, teams_until=database_clock() + timedelta(days=1), most_of_club=0, **by_ulla)
    return Tournament.objects.get(pk=made.pk)


def entering(cup, club, members, name="Hold 1"):
    team = EnteredTeam(name, "", members[0], members[:4])
    return partial(enter_team, cup, club, team, account=None, now=timezone.now())


def members_of(club):
    return [make_player(f"{club} {number}", club, number) for number in range(1, 6)]


def said(answers):
    return sorted(str(one) for one in answers)


def test_two_phones_of_a_club_enter_one_team_at_once_and_it_is_entered_once(cup, union):
    club = make_club("Viby", union)
    members = members_of(club)
    first, second = at_once(*[entering(cup, club, members)] * 2)
    assert first == second
    assert (TeamEntry.objects.count(), first.players.count()) == (1, 4)


def test_two_clubs_that_take_one_name_or_one_player_at_once_are_told(cup, union):
    viby, odder = make_club("Viby", union), make_club("Odder", union)
    members = {club: members_of(club) for club in (viby, odder)}
    answers = at_once(*[entering(cup, club, members[club]) for club in (viby, odder)])
    assert "Another one is already called Hold 1." in said(answers)
    assert TeamEntry.objects.count() == 1
    shared = members[viby][4]
    Membership.objects.create(player=shared, club=odder, joined=TODAY())
    answers = at_once(*[entering(cup, club, [shared, *make_more(club)], str(club)) for club in (viby, odder)])
    assert len([one for one in said(answers) if "is already in the line-up of" in one]) == 1
    assert wrong(cup) == []


def make_more(club, count=3):
    return [make_player(f"{club} {number}", club, number) for number in range(11, 11 + count)]


def test_a_team_that_comes_as_the_deadline_is_moved_is_in_or_told_that_it_has_passed(cup, union, by_ulla):
    club = make_club("Viby", union)
    over = database_clock() - timedelta(seconds=2)
    close = partial(set_deadline, cup, teams_until=over, most_of_club=0, **by_ulla)
    entered, *_others, closed = at_once(entering(cup, club, members_of(club)), close)
    assert closed is None
    assert TeamEntry.objects.count() == int(isinstance(entered, TeamEntry))
    assert isinstance(entered, TeamEntry) or str(entered).startswith("The deadline was")
    late = at_once(entering(cup, club, make_more(club, 4), "Hold 2"))
    assert said(late)[0].startswith("The deadline was")
    assert wrong(cup) == []


def test_two_phones_a_second_after_the_deadline_are_both_told_that_it_has_passed(cup, union, by_ulla):
    clubs = [make_club(name, union) for name in ("Viby", "Odder")]
    members = [members_of(club) for club in clubs]
    over = database_clock() - timedelta(seconds=1)
    set_deadline(cup, teams_until=over, most_of_club=0, **by_ulla)
    phones = [entering(cup, club, own, str(club)) for club, own in zip(clubs, members, strict=True)]
    assert [one.startswith("The deadline was") for one in said(at_once(*phones))] == [True, True]
    assert not TeamEntry.objects.exists()


def test_a_team_that_two_accept_and_two_rule_on_at_once_is_made_and_withdrawn_once(cup, union, by_ulla):
    club = make_club("Viby", union)
    entry = entering(cup, club, members_of(club))()
    teams = at_once(*[partial(accept_entry, entry, division=1, **by_ulla)] * 3)
    assert len(set(teams)) == cup.teams.count() == 1
    at_once(*[partial(withdraw_by_ruling, entry, reason="sygdom", **by_ulla)] * 2)
    assert list(entry.rulings.values_list("what", flat=True)) == ["withdrawn"]
    answers = at_once(*[partial(dissolve_by_ruling, entry, reason="fejl", **by_ulla)] * 2)
    assert list(entry.rulings.values_list("what", flat=True)) == ["withdrawn", "dissolved"], answers
    assert wrong(cup) == []


# Captains.


def test_of_two_captains_who_propose_days_at_once_one_is_shown_the_others(league):
    match = a_match(league, 2)
    answers = at_once(
        *[
            partial(
                propose_days,
                Match.objects.select_related("round__tournament", "home", "away").get(pk=match.pk),
                team,
                [ProposedDay(TODAY() + timedelta(days=ahead), None)],
                reason="sygdom",
                now=timezone.now(),
            )
            for team, ahead in ((match.home, 9), (match.away, 10))
        ]
    )
    assert Postponement.objects.count() == 1
    assert len([one for one in answers if isinstance(one, Postponement)]) == 1
    assert "has proposed other days in the meantime" in " ".join(said(answers))
    assert wrong(league) == []


# Transfers.


def answered(transfer, yes, account):
    def answer():
        try:
            return answer_transfer(transfer, yes=yes, account=account, now=timezone.now()).state
        except UserError as refusal:
            return str(refusal)

    return answer


@pytest.mark.parametrize("second", [True, False])
def test_a_transfer_that_is_answered_twice_at_once_is_answered_once(second):
    union = make_club("Union")
    viby, odder = make_club("Viby", union), make_club("Odder", union)
    player, vera, otto, ulla = (
        make_player("Anna", viby, 1),
        *(make_account(name, club) for name, club in (("vera", viby), ("otto", odder), ("ulla", union))),
    )
    transfer = request_transfer(
        player.memberships.get(), odder, day=TODAY(), number=None, account=otto, now=timezone.now()
    )
    answers = at_once(answered(transfer, True, vera), answered(transfer, second, ulla))
    assert "This transfer has already been answered or withdrawn." in answers
    transfer.refresh_from_db()
    moved = transfer.state == Transfer.State.DONE
    assert (transfer.state in answers, player.memberships.filter(club=odder).count()) == (True, int(moved))
    assert player.memberships.filter(left=None).count() == 1
    assert Affiliation.objects.filter(union=union, left=None).count() == 2


# Who qualifies.


@pytest.fixture
def stage():
    """Two places for a tournament's eight players, who all want letters; and who asks."""
    club = make_club("Stilling")
    alice = make_account("alice", club)
    players = [make_player(f"Spiller {number}", club, number) for number in range(1, 9)]
    played = play_evening(make_evening(players, club, alice, date=TODAY(), tie_breaks=["lot"]), alice, seed=5)
    for player in players:
        Player.objects.filter(pk=player.pk).update(email=f"p{player.pk}@example.dk")
        set_consent(player, [Topic.EVENING.value], now=timezone.now())
    stage = make_championship(club).stages.get(number=1)
    stage.groups = 1
    stage.save()
    by = {"account": alice, "now": timezone.now()}
    quotas.store_quotas(stage, [{"source": "tournament", "tournament": played, "places": 2}], [], **by)
    return stage, by


def going(stage):
    return [one.player for one in QualifiedTable(stage).going]


def test_letters_that_two_send_at_once_are_sent_once(stage, post_office):
    stage, by = stage
    until = TODAY() + timedelta(days=5)
    answers = at_once(*[partial(quotas.ask_by_letter, stage, until, **by)] * 3)
    assert sorted(answers) == [0, 0, 2]
    assert (Letter.objects.count(), QualifierQuestion.objects.count()) == (2, 2)


def test_a_place_that_is_confirmed_and_given_up_at_once_has_one_answer(stage, post_office):
    stage, by = stage
    quotas.ask_by_letter(stage, TODAY() + timedelta(days=5), **by)
    first, second = going(stage)
    question = QualifierQuestion.objects.select_related("stage__championship__host").get(player=first)
    taps = [partial(answer_by_link, question, answer, now=timezone.now()) for answer in ("yes", "no", "yes")]
    at_once(*taps, partial(quotas.record_answer, stage, second, "no", **by))
    answers = dict(Qualifier.objects.values_list("player", "answer"))
    assert answers.pop(second) == "no"
    assert len(answers) == 1
    assert len(going(stage)) == 2
    # Everybody who has a place now, and each who gave one up, was asked once.
    asked = set(Letter.objects.values_list("player", flat=True))
    assert asked == {first, second, *going(stage)}
    assert Letter.objects.count() == len(asked)


def test_who_qualifies_is_entered_once_by_two_who_press_at_once(stage):
    stage, by = stage
    host, day = stage.championship.host, stage.championship.date
    made = make_tournament(0, club=host, account=by["account"], drawn=False, code="MESTER", date=day)
    answers = at_once(*[partial(qualified.enter_qualified, stage, into="MESTER", **by)] * 2)
    assert sorted(len(one) for one in answers) == [0, 2]
    assert Entry.objects.filter(tournament=made).count() == 2
