"""Who qualifies for a stage by its quotas: sources, answers, entering everybody, the pages and the PDF."""

from __future__ import annotations

from datetime import date

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import ClubLogEntry
from core.errors import NotPossible, UserError
from tests.factories import (
    affiliate,
    decide_as_it_stands,
    make_account,
    make_championship,
    make_club,
    make_player,
    make_tournament,
)
from tests.pages import text
from tournaments.changes.register import register_differences
from tournaments.entries import entering
from tournaments.entries.merging import merge, undo_merge
from tournaments.entries.personal_data import erase, known_of
from tournaments.exports.verify.recount import differences
from tournaments.lifecycle.officials import give
from tournaments.models import Qualifier, Season, Stage, Tournament
from tournaments.seasons import qualified, quotas
from tournaments.seasons.quotas import QualifiedTable
from tournaments.standings.players import standings

DAY = date(2026, 9, 5)


def ranked(tournament):
    """The players of a tournament in the order of their places."""
    players = dict(tournament.entries.values_list("number", "player"))
    return [players[row.number] for row in sorted(standings(tournament).rows, key=lambda row: row.rank)]


def by(tournament, places, **more):
    return {"source": "tournament", "tournament": tournament, "places": places, **more}


HAND = {"source": "hand", "places": 1}


def going(stage):
    return [one.player for one in QualifiedTable(stage).going]


def page(name, stage):
    return reverse(name, args=[stage.championship.host.slug, stage.championship_id, stage.number])


def coming(club, code="MESTER", **fields):
    """A tournament that is being set up."""
    day = date(2026, 9, 12)
    made = Tournament.objects.create(host=club, name="Mesterskabet", date=day, code=code, **fields)
    decide_as_it_stands(made)
    return made


def test_the_best_of_a_tournament_qualify_and_the_next_moves_up_for_who_says_no(stage, played, by_alice):
    best = ranked(played)
    quotas.store_quotas(stage, [by(played, 3)], [], **by_alice)
    assert going(stage) == best[:3]
    quotas.record_answer(stage, best[1], "no", **by_alice)
    assert going(stage) == [best[0], best[2], best[3]]
    (shown,) = QualifiedTable(stage).shown_quotas
    assert shown.going[-1].why == "place 4 in “Efterår”"
    assert shown.going[-1].instead_of.endswith("who does not take part")
    quotas.record_answer(stage, best[1], "", **by_alice)
    assert going(stage) == best[:3]


def test_by_hand_comes_first_where_it_is_first_and_a_name_that_nobody_has_is_refused(stage, played, by_alice):
    best = ranked(played)
    name = played.entries.get(player=best[0]).player.name
    quotas.store_quotas(stage, [HAND, by(played, 2)], [name], **by_alice)
    assert going(stage) == best[:3]
    assert QualifiedTable(stage).shown_quotas[1].passed[0].reason == "qualifies by “Chosen by hand”"
    with pytest.raises(UserError, match="Nobody called “Nobody Here” is a member"):
        quotas.store_quotas(stage, [HAND], ["Nobody Here"], **by_alice)
    assert stage.quotas.count() == 2


def test_a_season_and_each_clubs_best(stage, played, club, by_alice):
    season = Season.objects.create(host=club, name="2026", starts=date(2026, 1, 1), ends=date(2026, 12, 31))
    Tournament.objects.filter(pk=played.pk).update(season=season)
    quotas.store_quotas(
        stage, [{"source": "season", "season": season, "places": 2, "each_club": True}], [], **by_alice
    )
    assert going(stage) == ranked(played)[:2]
    season.removed_at = timezone.now()
    season.save()
    (shown,) = QualifiedTable(stage).shown_quotas
    assert (shown.is_removed, going(stage)) == (True, [])
    assert [str(one) for one in register_differences()] == []


def test_entering_takes_one_step_and_twice_is_once(stage, played, club, by_alice):
    best = ranked(played)
    group = coming(club)
    quotas.store_quotas(stage, [by(played, 4)], [], **by_alice)
    quotas.record_answer(stage, best[0], "yes", **by_alice)
    with pytest.raises(NotPossible, match="Choose the tournament"):
        qualified.enter_qualified(stage, **by_alice)
    made = qualified.enter_qualified(stage, into="MESTER", only_yes=True, **by_alice)
    assert [entry.player_id for entry in made] == [best[0]]
    group.refresh_from_db()
    assert group.stage == stage
    assert [entry.player_id for entry in qualified.enter_qualified(stage, **by_alice)] == best[1:4]
    assert qualified.enter_qualified(stage, **by_alice) == []
    assert set(group.entries.values_list("club", flat=True)) == {club.pk}
    # Who withdraws there does not take part: the next is entered.
    entering.withdraw(group.entries.get(player=best[2]), reason="ill", **by_alice)
    assert [entry.player_id for entry in qualified.enter_qualified(stage, **by_alice)] == [best[4]]
    assert ClubLogEntry.objects.filter(text__startswith="Entered qualified players").count() == 3
    assert [str(one) for one in differences(group)] == []


def test_several_groups_are_filled_evenly_and_without_any_all_are_entered_in_one_to_be_drawn(
    stage, played, club, by_alice
):
    stage.groups = 2
    stage.save()
    quotas.store_quotas(stage, [by(played, 4)], [], **by_alice)
    one = coming(club)
    assert len(qualified.enter_qualified(stage, into="MESTER", **by_alice)) == 4
    one.refresh_from_db()
    assert one.stage is None
    groups = [coming(club, code, stage=stage) for code in ("GROUPA", "GROUPB")]
    assert len(qualified.enter_qualified(stage, **by_alice)) == 4
    assert [group.entries.count() for group in groups] == [2, 2]
    Tournament.objects.filter(stage=stage).update(state="running")
    quotas.record_answer(stage, ranked(played)[4], "no", **by_alice)
    with pytest.raises(NotPossible, match="the groups of the stage are drawn already"):
        qualified.enter_qualified(stage, **by_alice)


def test_a_tie_is_decided_before_anybody_is_entered(as_alice, stage, club, alice, by_alice):
    level = make_tournament(
        4, 1, account=alice, club=make_club("Viby")
    )  # nothing is played: all share the first place
    coming(club)
    players = ranked(level)
    quotas.store_quotas(stage, [by(level, 2)], [], **by_alice)
    (shown,) = QualifiedTable(stage).shown_quotas
    assert (going(stage), {one.player for one in shown.ties[0].people}) == ([], set(players))
    with pytest.raises(NotPossible, match="First decide the order"):
        qualified.enter_qualified(stage, into="MESTER", **by_alice)
    as_alice.post(page("club_qualified_answer", stage), {"player": players[2], "answer": "first"})
    assert going(stage) == [players[2]]
    as_alice.post(page("club_qualified_answer", stage), {"player": players[0], "answer": "first"})
    assert set(going(stage)) == {players[0], players[2]}
    as_alice.post(page("club_qualified_answer", stage), {"player": players[0], "answer": "not-first"})
    assert going(stage) == [players[2]]


def test_the_pages_say_why_and_the_pdf_is_made(as_alice, stage, played, club, by_alice):
    coming(club)
    sent = {
        "quota-1-source": played.code, "quota-1-places": 2, "quota-2-source": "hand", "quota-2-places": 1,
        "quota-3-source": "", "quota-3-places": 8, "names": "Nobody Here",
    }  # fmt: skip
    refused = as_alice.post(page("club_qualified_edit", stage), sent)
    assert refused.context["names"].errors == {"names": ["Nobody called “Nobody Here” is a member."]}
    assert "Nobody Here" in refused.content.decode()
    fourth = played.entries.get(player=ranked(played)[3]).player
    as_alice.post(page("club_qualified_edit", stage), sent | {"names": fourth.name})
    assert going(stage) == [*ranked(played)[:2], fourth.pk]
    said = text(as_alice.get(page("club_qualified", stage)))
    assert "place 1 in “Efterår”" in said
    assert "chosen by hand" in said
    as_alice.post(page("club_qualified_answer", stage), {"player": fourth.pk, "answer": "no"})
    assert "There is nobody for 1 of the places" in text(as_alice.get(page("club_qualified", stage)))
    done = as_alice.post(page("club_qualified_enter", stage), {"into": "MESTER"}, follow=True)
    assert "2 players have been entered." in text(done)
    assert as_alice.get(page("club_qualified_pdf", stage)).content.startswith(b"%PDF")


def test_a_clubs_own_evenings_are_no_place_for_who_qualifies(as_alice, stage, played, club, by_alice):
    """A union's final offers the union's tournaments; with several the organiser chooses one, and is told which."""
    viby = make_club("Viby")
    affiliate(viby, club)
    evening = coming(viby, "KLUBAF")
    quotas.store_quotas(stage, [by(played, 2)], [], **by_alice)
    assert qualified.where_to_enter(stage) == []
    with pytest.raises(NotPossible, match="Choose the tournament"):
        qualified.enter_qualified(stage, into=evening.code, **by_alice)
    assert not evening.entries.exists()
    coming(club), coming(club, "ANDEN")
    shown = as_alice.get(page("club_qualified", stage)).content.decode()
    assert ('<option value="">' in shown, 'value="KLUBAF"' in shown) == (True, False)
    refused = as_alice.post(page("club_qualified_enter", stage), {"into": ""}, follow=True)
    assert "Choose the tournament" in text(refused)
    done = as_alice.post(page("club_qualified_enter", stage), {"into": "ANDEN"}, follow=True)
    assert "2 players have been entered. (Mesterskabet)" in text(done)


def test_one_source_gives_each_clubs_best_and_the_best_of_all(as_alice, stage, played, by_alice):
    best = ranked(played)
    quotas.store_quotas(stage, [by(played, 1, each_club=True), by(played, 2)], [], **by_alice)
    both = list(stage.quotas.values_list("tournament", "places", "each_club"))
    assert going(stage) == best[:3]
    shown = as_alice.get(page("club_qualified_edit", stage)).context
    sent = {
        form.add_prefix(name): value
        for form in shown["forms"]
        for name, value in ({"source": "", "places": 8} | form.initial).items()
        if value is not False
    }
    as_alice.post(page("club_qualified_edit", stage), sent | {"names": ""})
    assert list(stage.quotas.values_list("tournament", "places", "each_club")) == both
    again = sent | {"names": "", "quota-3-source": played.code, "quota-3-each_club": "on"}
    refused = as_alice.post(page("club_qualified_edit", stage), again)
    assert [form.errors.get("source") for form in refused.context["forms"]] == [
        None,
        None,
        ["This is chosen above already."],
    ]


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"quota-1-source": "season-999"}, "source"),
        ({"quota-1-source": "hand", "quota-1-places": "0"}, "places"),
        ({"quota-1-source": "hand", "quota-2-source": "hand"}, "source"),
        ({"quota-1-source": "hand", "quota-2-source": "hand", "quota-2-each_club": "on"}, "source"),
    ],
)
def test_what_cannot_be_is_said_at_its_field(as_alice, stage, sent, field):
    usual = {f"quota-{number}-places": 8 for number in (1, 2, 3)} | {"names": ""}
    answer = as_alice.post(page("club_qualified_edit", stage), usual | sent)
    assert any(field in form.errors for form in answer.context["forms"])
    assert not stage.quotas.exists()


def test_nobody_but_the_organisers_decides(as_charlie, as_alice, stage, played, by_alice):
    quotas.store_quotas(stage, [by(played, 2)], [], **by_alice)
    for name in ("club_qualified", "club_qualified_edit"):
        assert as_charlie.get(page(name, stage)).status_code == 403
    for name in ("club_qualified_answer", "club_qualified_enter"):
        assert as_charlie.post(page(name, stage), {"player": 1, "answer": "no"}).status_code == 403
    # A player of another tournament is in no line here.
    other = make_player("Ulla Vest")
    as_alice.post(page("club_qualified_answer", stage), {"player": other.pk, "answer": "no"})
    assert not Qualifier.objects.exists()


def test_who_is_joined_keeps_the_answer_and_who_is_erased_is_passed_over(stage, played, club, by_alice):
    best = ranked(played)
    quotas.store_quotas(stage, [by(played, 2)], [], **by_alice)
    quotas.record_answer(stage, best[0], "no", **by_alice)
    gone = played.entries.get(player=best[0]).player
    kept = make_player("Ulla Vest", club)
    merged = merge(kept, gone, **by_alice)
    assert going(stage) == best[1:3]
    assert known_of(kept)["qualification"][0]["answer"] == "no"
    undo_merge(merged, **by_alice)
    assert Qualifier.objects.get().player_id == best[0]
    second = played.entries.get(player=best[1]).player
    erase(second, account=by_alice["account"], today=DAY, now=by_alice["now"])
    assert going(stage) == best[2:4]
    assert second.name not in str([person.name for person in QualifiedTable(stage).shown_quotas[0].going])


def test_a_unions_members_are_chosen_by_their_number_where_two_have_one_name(club, by_alice):
    union = make_club("Union")
    affiliate(club, union)
    make_player("Anna Holm", club, 1)
    second = make_player("Anna Holm", club, 2)
    stage = make_championship(union).stages.get(number=1)
    with pytest.raises(UserError, match="Several people are called “Anna Holm”"):
        quotas.store_quotas(stage, [HAND], ["Anna Holm"], **by_alice)
    union.numbers_given.create(player=second, number=17)
    quotas.store_quotas(stage, [HAND], ["17"], **by_alice)
    assert going(stage) == [second.pk]
    # The stored name is that of the one who was chosen.
    quotas.store_quotas(stage, [HAND], ["Anna Holm"], **by_alice)
    assert going(stage) == [second.pk]


def test_an_official_of_the_championship_enters_nobody_in_a_tournament_that_is_not_theirs(
    stage, played, club, by_alice
):
    otto = make_account("otto", make_club("Odder"))
    give(stage.championship, otto, "organiser", **by_alice)
    quotas.store_quotas(stage, [by(played, 3)], [], **by_alice)
    Stage.objects.filter(pk=stage.pk).update(groups=2)
    stage.refresh_from_db()
    theirs = coming(club)
    with pytest.raises(NotPossible, match="Only an organiser of “Mesterskabet” can take it in here"):
        qualified.enter_qualified(stage, into=theirs.code, account=otto, now=timezone.now())
    assert not theirs.entries.exists()
