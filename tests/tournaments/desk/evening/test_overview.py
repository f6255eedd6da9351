"""A tournament's overview at the desk: the next step of its evening, who may see it, what it costs."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Role
from core.jobs.models import Job
from tests.factories import first_round, first_table, make_account, make_player, make_tournament, play_out
from tournaments.entries import entering
from tournaments.ledger.table_actions import raise_flag
from tournaments.lifecycle.drawing import draw
from tournaments.lifecycle.ending import finish
from tournaments.lifecycle.money import podiums
from tournaments.lifecycle.playing import close_round, end_table_early, start_round
from tournaments.models import Flag, Table, Tournament
from tournaments.paper.printing import of_round

NEW = "tournament_new"


def page(name, tournament):
    return reverse(name, args=[tournament.code])


def test_a_helper_sees_the_overview_but_sets_nothing_up(club):
    tournament = make_tournament(4, club=club)
    helper = Client()
    helper.force_login(make_account("helga", club, Role.Kind.HELPER))
    assert helper.get(page("desk_tournament", tournament)).status_code == 200
    assert helper.get(page("tournament_setup", tournament)).status_code == 403
    assert helper.get(reverse(NEW)).status_code == 403


def next_step(client, tournament):
    return client.get(page("desk_tournament", tournament)).context["steps"].next


def test_the_next_step_leads_through_the_evening(as_alice, alice, club):
    by = {"account": alice, "now": timezone.now()}
    tournament = make_tournament(0, club=club, deals_per_round=4)
    assert next_step(as_alice, tournament).button == "Enter players"

    for name in ("Anna Holm", "Bo Krogh", "Carl Dam", "Dora Friis"):
        entering.enter(tournament, make_player(name, club), club=club, **by)
    assert next_step(as_alice, tournament).button == "Check players in"

    for entry in tournament.entries.exclude(number=4):
        entering.check_in(entry, present=True, **by)
    step = next_step(as_alice, tournament)
    assert (step.said, step.other.button) == ("3 of 4 are here", "Draw the tables")

    late = entering.check_in(tournament.entries.get(number=4), present=True, **by)
    assert next_step(as_alice, tournament).button == "Draw the tables"

    draw(tournament, seed=1, **by)
    assert next_step(as_alice, tournament).button == "Start round 1"

    entering.withdraw(late, reason="went home", **by)
    assert next_step(as_alice, tournament).button == "Draw again"

    draw(tournament, seed=1, **by)
    start_round(first_round(tournament), **by)
    step = next_step(as_alice, tournament)
    assert (step.said, step.button) == ("running: 0 of 1 tables done", "Follow the tables")

    end_table_early(first_round(tournament).tables.get(), reason="power cut", **by)
    assert next_step(as_alice, tournament).button == "Close round 1"

    close_round(first_round(tournament), force_reason="power cut", **by)
    assert next_step(as_alice, tournament).button == "Finish the tournament"

    finish(tournament, **by)
    assert next_step(as_alice, tournament).button == "See the standings"
    overview = as_alice.get(page("desk_tournament", tournament)).content.decode()
    assert "Next:" not in overview
    assert ">next<" not in overview


@pytest.mark.slow
@pytest.mark.parametrize("players", [4, 40])
def test_the_overview_asks_the_database_as_often_for_many_players(
    as_alice, club, players, django_assert_max_num_queries
):
    tournament = make_tournament(players, 2, club=club)
    with django_assert_max_num_queries(30):  # with the standings, which are counted once a change
        as_alice.get(page("desk_tournament", tournament))


def test_the_overview_gives_the_halls_address_as_a_qr_code(as_alice, club, settings):
    settings.PUBLIC_URL = "http://hall.example"
    tournament = make_tournament(4, club=club)
    answer = as_alice.get(page("desk_tournament", tournament))
    assert answer.context["hall"].address == f"http://hall.example/t/{tournament.code}/"
    assert b'<svg viewBox="0 0' in answer.content
    assert b"style=" not in answer.content


def next_thing(browser, tournament):
    """The overview's one sentence, and the text of the filled buttons in its body."""
    text = browser.get(page("desk_tournament", tournament)).content.decode()
    sentence = re.search(r'<h1 id="next">([^<]*)</h1>', text)[1]
    return sentence, re.findall(r'<(?:a class="button primary"|button class="primary")[^>]*>([^<]*)<', text)


def test_the_overview_says_one_sentence_and_has_one_button(as_alice, as_helper, alice, club):
    by = {"account": alice, "now": timezone.now()}
    tournament = make_tournament(8, club=club, drawn=False, deals_per_round=4)
    for _ in range(2):
        assert next_thing(as_helper, tournament) == ("Draw the tables.", ["Draw and print"])
    draw(tournament, seed=1, **by)
    said = ("Print the sheets for round 1.", ["Print everything"])
    assert next_thing(as_alice, tournament) == said
    thing = of_round(first_round(tournament))
    when = {"asked_at": by["now"], "ended_at": by["now"], "language": "en", "key": "k"}
    Job.objects.create(kind="sheets", thing=thing, asked_by=alice, state=Job.State.DONE, **when)
    said = ("Put the sheets on the 2 tables and start round 1.", ["Start round 1"])
    assert next_thing(as_alice, tournament) == said
    start_round(first_round(tournament), **by)
    assert next_thing(as_alice, tournament) == ("Round 1 is being played.", ["Follow the tables"])
    table = first_table(tournament)
    raise_flag(table, Flag.Kind.CALL, deal=None, words="The cards are wrong", now=timezone.now())
    assert next_thing(as_helper, tournament) == (
        "Table 1 is calling: The cards are wrong",
        ["Open table 1"],
    )
    Flag.objects.update(settled_at=timezone.now())
    for each in Table.objects.all():
        play_out(each)
    close_round(first_round(tournament), force_reason="late", **by)
    winner = podiums(Tournament.objects.get())[0].won
    said = f"{winner}. Publish the final standings."
    assert next_thing(as_alice, tournament) == (said, ["Finish the tournament"])
    assert next_thing(as_helper, tournament) == (said, [])
    finish(tournament, **by)
    said = f"{winner}. Print the final standings."
    assert next_thing(as_alice, tournament) == (said, ["Finish the evening"])
    assert next_thing(as_helper, tournament) == (f"{winner}.", ["See the standings"])


def test_the_line_of_steps_tells_each_in_two_words(as_alice, club):
    tournament = make_tournament(8, club=club, started=False, deals_per_round=4)
    text = as_alice.get(page("desk_tournament", tournament)).content.decode()
    line = text[text.index('<ol class="track"') : text.index("</ol>")]
    briefs = [" ".join(brief.split()) for brief in re.findall(r"<small>([^<]*)", line)]
    assert briefs == [
        "1 round of 4 deals",
        "8 entered",
        "8 of 8 are here",
        "1 round drawn",
        "the sheets",
        "drawn",
        "prizes, money",
    ]
    assert line.count('class="did"') == 4
    assert line.count('aria-current="step"') == 1


def steps_done(browser, tournament):
    """The titles of the line's steps that have their tick, and of the one that is taken now."""
    text = browser.get(page("desk_tournament", tournament)).content.decode()
    line = text[text.index('<ol class="track"') : text.index("</ol>")]
    titles = {css: re.findall(rf'class="{css}"[^>]*>\s*<[^>]*>([^<]*)', line) for css in ("did", "now")}
    return titles["did"], titles["now"]


def test_the_line_does_not_contradict_the_sentence(as_alice, as_helper, alice, club):
    by = {"account": alice, "now": timezone.now()}
    tournament = make_tournament(8, club=club, started=False, deals_per_round=4)
    before = ["Set up", "Players", "Check-in", "Draw"]
    assert steps_done(as_alice, tournament) == (before, ["Round 1"])
    start_round(first_round(tournament), **by)  # without a sheet: nothing is left to print
    assert steps_done(as_alice, tournament) == ([*before, "Print"], ["Round 1"])
    for each in Table.objects.all():
        play_out(each)
    close_round(first_round(tournament), force_reason="late", **by)
    finish(tournament, **by)
    assert "Print the final standings." in next_thing(as_alice, tournament)[0]
    assert steps_done(as_alice, tournament) == ([*before, "Print", "Round 1"], ["Finish"])
    assert steps_done(as_helper, tournament) == ([*before, "Print", "Round 1", "Finish"], [])


def test_more_than_three_rounds_are_one_step_of_the_line(as_alice, club):
    tournament = make_tournament(8, 4, club=club, deals_per_round=4)
    text = as_alice.get(page("desk_tournament", tournament)).content.decode()
    line = text[text.index('<ol class="track"') : text.index("</ol>")]
    assert "Round 1" not in line
    assert "0 of 4 closed" in line
    assert re.search(r'aria-current="step">\s*<a href="[^"]*/round/1/">Rounds<', line)
