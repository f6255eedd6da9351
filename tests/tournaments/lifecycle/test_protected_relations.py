"""Nothing that the desk deletes fails at a row that the database protects: it is deleted too, or named in words."""

from __future__ import annotations

from datetime import date
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import models
from django.urls import reverse
from django.utils import timezone

from clubs.models import Player
from core.errors import NotPossible
from tests.factories import decide_as_it_stands, first_round, make_player, make_tournament, table_of
from tests.pages import text
from tests.tournaments.seasons.test_season import make_teams
from tournaments.entries.merging import merge
from tournaments.entries.teams import dissolve
from tournaments.exports.verify.recount import differences
from tournaments.ledger.table_actions import raise_flag, settle_flag
from tournaments.lifecycle.drawing import discard_draw, draw
from tournaments.lifecycle.objections import Subject, make_objection
from tournaments.lifecycle.playing import take_start_back
from tournaments.lifecycle.rulings import cancel_penalty, penalise
from tournaments.models import Flag, Penalty, Photograph, SheetPicture, Table

# What no step deletes; whoever writes the first one takes the model out of this list and tests it below.
NEVER_DELETED = {"Club", "Tournament", "Entry", "Report", "DealSort", "PublishedList", "MemberCount"}
# Partners who were named are deleted with who named them: tests/tournaments/lifecycle/registration/test_together.py.
TESTED_ELSEWHERE = {"Application.lead"}


def protected():
    """Every relation that protects what it points to, as "Model.field"."""
    found = {}
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if field.remote_field and field.remote_field.on_delete is models.PROTECT:
                found[f"{model.__name__}.{field.name}"] = field
    return found


PROTECTED = protected()


def to(*targets):
    """The relations to these models, sorted, so that parallel test runs agree."""
    return sorted(name for name, field in PROTECTED.items() if field.related_model.__name__ in targets)


def make_row(model, there, **values):
    """A row of the model with its required columns filled in; it points to the rows `there`, by their model's name."""
    values = GIVEN.get(model.__name__, {}) | values
    for other in model._meta.concrete_fields:
        if other.name in values or (other.primary_key and other.get_internal_type() != "CharField"):
            continue
        if other.is_relation:
            name = other.related_model.__name__
            if not other.null or other.name in NEEDED.get(model.__name__, ()):
                values[other.name] = there.get(name) or make_row(other.related_model, there)
        elif other.choices:
            values[other.name] = other.choices[0][0]
        elif not (other.null or other.has_default() or (other.blank and other.empty_strings_allowed)):
            values[other.name] = FILLED[other.get_internal_type()]()
    return model.objects.create(**values)


FILLED = {
    "PositiveSmallIntegerField": lambda: 4,
    "PositiveIntegerField": lambda: 4,
    "PositiveBigIntegerField": lambda: 4,
    "IntegerField": lambda: 4,
    "SmallIntegerField": lambda: 4,
    "CharField": lambda: uuid4().hex[:8],
    "DateField": lambda: date(2026, 1, 1),
    "DateTimeField": timezone.now,
    "UUIDField": uuid4,
    "JSONField": dict,
    "BooleanField": lambda: False,
}
# Columns that may be empty, but not both of them.
NEEDED = {"Penalty": ("entry",)}
# Rows that the database refuses with the values above.
GIVEN = {
    "OldEvent": {"date": date(1999, 1, 1), "year": 1999},
    "Qualifier": {"answer": "yes"},
}


def test_every_protected_relation_points_to_something_that_stays_or_is_tested_here():
    tested = set(to("Round", "Table", "Match", "Team", "Player")) | TESTED_ELSEWHERE
    left = {name for name in PROTECTED if PROTECTED[name].related_model.__name__ not in NEVER_DELETED}
    assert left == tested


STEPS = {
    "draw again": lambda tournament, by: draw(tournament, seed=3, **by),
    "discard": lambda tournament, by: discard_draw(tournament, **by),
}


def is_done_or_refused_in_words(step):
    try:
        step()
    except NotPossible as refused:
        return str(refused)
    return "done"


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("relation", to("Round", "Table"))
def test_a_drawn_round_is_deleted_with_all_that_points_to_it_or_the_page_says_what_is_in_the_way(
    alice, club, by_alice, relation, step
):
    tournament = make_tournament(7, 2, account=alice, club=club, started=False)
    table = table_of(tournament, 3)
    field = PROTECTED[relation]
    late = make_player("Ulla Vest", club)
    entry = tournament.entries.model.objects.create(tournament=tournament, player=late, number=99)
    of = table if field.related_model is Table else table.round
    there = {"Table": table, "Round": table.round, "Entry": entry, "Tournament": tournament}
    row = make_row(field.model, there, **{field.name: of})
    decide_as_it_stands(tournament)
    said = is_done_or_refused_in_words(lambda: STEPS[step](tournament, by_alice))
    refused = relation.split(".")[0] in ("KeptReport", "Photograph", "Report", "Deal")
    assert (said == "done") is not refused, said
    assert type(row).objects.filter(pk=row.pk).exists() is (refused or relation == "Penalty.round")


@pytest.mark.parametrize("relation", to("Match", "Team"))
def test_a_team_and_its_matches_are_deleted_or_the_page_says_what_is_in_the_way(club, by_alice, relation):
    tournament = make_teams(club, by_alice, teams=4, drawn=False)
    team, other, *_more = tournament.teams.order_by("number")
    if PROTECTED[relation].related_model.__name__ == "Match" or relation.startswith("Match."):
        draw(tournament, seed=3, **by_alice)
    elif relation == "Penalty.team":
        penalise(team, tokens=-5, reason="late", round_=None, **by_alice)
    elif relation == "Objection.team":
        make_objection(tournament, team, Subject("standings"), words="nej", **by_alice)
    elif relation != "Entry.team":
        raise NotImplementedError(relation)
    assert other != team
    said = is_done_or_refused_in_words(lambda: dissolve(team, **by_alice))
    if relation == "Entry.team":
        assert said == "done"
    elif relation == "Objection.team":
        assert said == f"{team} has made an objection; withdraw the team instead."
    elif relation == "Penalty.team":
        assert said == f"There is a ruling on {team}; withdraw it instead."
    else:
        assert said == f"{team} has been drawn; discard the draw first."
        discard_draw(tournament, **by_alice)
        dissolve(team, **by_alice)


@pytest.mark.parametrize("relation", to("Player"))
def test_two_players_are_joined_whatever_points_to_the_one_that_goes(alice, club, by_alice, relation):
    kept, other = make_player("Anna Holm", club), make_player("Anna Holm")
    field = PROTECTED[relation]
    tournament = make_tournament(0, 1, account=alice, club=club)
    row = make_row(field.model, {"Tournament": tournament, "Club": club}, **{field.name: other})
    merge(kept, other, **by_alice)
    assert not Player.objects.filter(name="Anna Holm").exclude(pk=kept.pk).exists()
    assert type(row).objects.filter(player=kept).exists()


def test_a_call_settled_or_not_does_not_keep_a_round_from_being_drawn_again(
    as_alice, seven_running, by_alice
):
    table = table_of(seven_running, 4)
    settled = raise_flag(table, Flag.Kind.CALL, deal=None, words="cards are short", now=by_alice["now"])
    settle_flag(settled, **by_alice)
    raise_flag(table, Flag.Kind.CALL, deal=None, words="who deals?", now=by_alice["now"])
    number = table.number
    take_start_back(first_round(seven_running), **by_alice)
    page = reverse("desk_discard_draw", args=[seven_running.code])
    assert "The draw has been discarded." in text(as_alice.post(page, follow=True))
    assert not Flag.objects.exists()
    words = [str(line.params.get("words")) for line in seven_running.log.filter(text__contains="settled")]
    assert sorted(words) == ["cards are short", "who deals?"], number
    assert [str(one) for one in differences(seven_running)] == []


def test_a_ruling_for_a_round_stands_and_names_the_round_that_is_drawn_in_its_place(seven_running, by_alice):
    first = first_round(seven_running)
    entry = seven_running.entries.first()
    kept = penalise(entry, tokens=-5, reason="late", round_=first, **by_alice)
    gone = penalise(entry, tokens=-2, reason="slip", round_=first, **by_alice)
    cancel_penalty(gone, reason="mistake", **by_alice)
    take_start_back(first, **by_alice)
    drawn = draw(seven_running, seed=3, **by_alice)
    assert {ruling.round for ruling in Penalty.objects.all()} == {drawn[0]}
    assert [str(one) for one in differences(seven_running)] == []
    discard_draw(seven_running, **by_alice)
    kept.refresh_from_db()
    assert (kept.round, kept.tokens) == (None, -5)
    assert [str(one) for one in differences(seven_running)] == []


def test_a_photograph_is_named_and_once_removed_the_round_is_drawn_again(as_alice, seven_running, by_alice):
    table = table_of(seven_running, 3)
    picture = Photograph.objects.create(
        table=table, file="a.jpg", attached_by="", attached_at=by_alice["now"]
    )
    take_start_back(first_round(seven_running), **by_alice)
    page = reverse("desk_discard_draw", args=[seven_running.code])
    said = f"Table {table.number} of round 1 has a photograph of its slip."
    assert said in text(as_alice.post(page, follow=True))
    at_table = [seven_running.code, 1, table.number]
    assert "a.jpg" not in text(as_alice.get(reverse("desk_table", args=at_table)))
    as_alice.post(reverse("desk_remove_photograph", args=[*at_table, picture.pk]))
    assert "The draw has been discarded." in text(as_alice.post(page, follow=True))


def test_a_sheet_that_waits_to_be_read_stays_when_its_round_is_drawn_again(seven_running, by_alice):
    table = table_of(seven_running, 3)
    picture = SheetPicture.objects.create(
        tournament=seven_running, table=table, captains=table, file="b.jpg", sent_at=by_alice["now"]
    )
    take_start_back(first_round(seven_running), **by_alice)
    draw(seven_running, seed=3, **by_alice)
    picture.refresh_from_db()
    assert (picture.table, picture.captains) == (None, None)
