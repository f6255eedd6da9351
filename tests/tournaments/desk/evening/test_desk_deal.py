"""A deal at the desk: typed from paper, corrected, taken back, and what its form offers."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.factories import first_round, first_table, make_tournament, report
from tournaments.ledger import Author
from tournaments.lifecycle.playing import close_round
from tournaments.models import Report

GAME = {"contract": "simple_game", "declarer": 1, "trump": "H", "outcome": "won"}


@pytest.fixture
def union_table(club):
    return first_table(make_tournament(4, club=club, rulebook="union"))


def url(table, name="desk_table", *more):
    return reverse(name, args=[table.round.tournament.code, table.round.number, table.number, *more])


def typed(**fields):
    return {"base": 0, "key": str(uuid4()), "reason": ""} | fields


def current(table, deal):
    return table.dealt.select_related("current").get(number=deal).current


def test_a_deal_from_paper_is_typed_in_fields_and_the_next_one_is_offered(as_alice, union_table):
    answer = as_alice.post(
        url(union_table, "desk_deal", 1),
        typed(contract="simple_game", declarer="1", trump="H", outcome="won"),
    )
    assert answer.headers["Location"] == url(union_table, "desk_deal", 2)
    saved = current(union_table, 1)
    assert (saved.result, saved.source, saved.author, saved.revision) == (GAME, "desk", "Alice", 1)


@pytest.mark.parametrize(
    ("line", "result"),
    [
        ("B game h won", GAME),
        ("1 B spil h vundet", GAME),
        ("1. b game h won", GAME),
        ("- pass", {"all_passed": True}),
    ],
)
def test_a_deal_is_typed_in_one_line_with_or_without_its_number(as_alice, union_table, line, result):
    as_alice.post(url(union_table, "desk_deal", 1), typed(line=line))
    assert current(union_table, 1).result == result


def test_a_typed_line_goes_before_the_fields(as_alice, union_table):
    as_alice.post(url(union_table, "desk_deal", 1), typed(line="B game h won", contract="all_passed"))
    assert current(union_table, 1).result == GAME


@pytest.mark.parametrize(
    ("fields", "at", "message"),
    [
        ({}, "contract", "Say which contract was played, or that all passed."),
        ({"contract": "solo"}, "declarer", "Say who was declarer."),
        ({"contract": "solo", "declarer": "2", "outcome": "won"}, "declarer", "Choose one of these"),
        (
            {"contract": "pure_nolo", "declarer": "1", "trump": "H", "outcome": "won"},
            "trump",
            "no trump suit",
        ),
        ({"contract": "solo", "declarer": "1"}, "outcome", "Say how the deal ended"),
        ({"contract": "solo", "declarer": "1", "tricks_1": "12"}, "tricks_1", "At most 9"),
        (
            {"contract": "solo", "declarer": "1", "tricks_1": "5", "tricks_0": "3", "tricks_3": "3"},
            "tricks_1",
            "add up to 11",
        ),
        ({"contract": "whist"}, "contract", "Choose one of these"),
        ({"line": "Z game h won"}, "line", "is not a seat at this table"),
        ({"line": "17 B game h won"}, "line", "This line is for deal 17"),
        ({"line": "C game h won"}, "line", "sits out this deal"),
    ],
)
def test_what_the_rules_forbid_is_said_at_its_field_and_what_was_typed_stays(
    as_alice, union_table, fields, at, message
):
    answer = as_alice.post(url(union_table, "desk_deal", 1), typed(**fields))
    assert answer.status_code == 200
    assert [message in error for error in answer.context["form"].errors[at]] == [True]
    for name, value in fields.items():
        assert answer.context["form"][name].value() == value
    assert Report.objects.count() == 0


def test_checking_shows_the_effect_and_saves_nothing(as_alice, union_table):
    report(union_table, 1, GAME)
    sent = typed(base=1, contract="simple_game", declarer="1", trump="H", outcome="bete", check="1")
    answer = as_alice.post(url(union_table, "desk_deal", 1), sent)
    effect = answer.context["effect"]
    assert [(seat.before, seat.after, seat.change) for seat in effect.seats] == [
        (-1, 1, 2),
        (2, -2, -4),
        (0, 0, 0),
        (-1, 1, 2),
    ]
    assert Report.objects.count() == 1


def test_a_correction_needs_a_reason_and_keeps_the_old_version(as_alice, union_table):
    report(union_table, 1, GAME)
    sent = typed(base=1, contract="simple_game", declarer="1", trump="H", outcome="bete")
    answer = as_alice.post(url(union_table, "desk_deal", 1), sent)
    assert answer.context["form"].errors["reason"] == ["Say why the deal is corrected, in a few words."]
    assert Report.objects.count() == 1

    answer = as_alice.post(url(union_table, "desk_deal", 1), sent | {"reason": "misheard"})
    assert answer.headers["Location"] == url(union_table)
    assert [(old.revision, old.outcome, old.reason) for old in union_table.reports.order_by("revision")] == [
        (1, "won", ""),
        (2, "bete", "misheard"),
    ]
    page = as_alice.get(url(union_table)).content.decode()
    assert "<s>" in page
    assert "misheard" in page


def test_saving_twice_is_saving_once(as_alice, union_table):
    sent = typed(contract="all_passed")
    for _press in range(2):
        assert as_alice.post(url(union_table, "desk_deal", 1), sent).status_code == 302
    assert Report.objects.count() == 1


def test_a_deal_changed_while_it_was_typed_shows_both_and_can_then_be_saved(as_alice, union_table):
    report(union_table, 1, GAME)
    report(union_table, 1, {**GAME, "outcome": "kodille"}, base=1, reason="agreed")
    sent = typed(
        base=1, contract="simple_game", declarer="1", trump="H", outcome="bete", reason="paper says so"
    )
    answer = as_alice.post(url(union_table, "desk_deal", 1), sent)
    page = answer.content.decode()
    assert "This deal was changed while you were typing." in page
    assert "agreed" in page
    assert answer.context["form"]["base"].value() == "2"
    assert answer.context["form"]["outcome"].value() == "bete"

    as_alice.post(url(union_table, "desk_deal", 1), sent | {"base": 2})
    assert (current(union_table, 1).revision, current(union_table, 1).outcome) == (3, "bete")


def test_a_form_left_open_until_the_round_closed_keeps_what_was_typed(as_alice, union_table, alice):
    page = url(union_table, "desk_deal", 1)
    close_round(
        first_round(union_table.round.tournament), account=alice, now=timezone.now(), force_reason="late"
    )
    answer = as_alice.post(page, typed(contract="all_passed"))
    assert answer.status_code == 200
    assert "The round is not running" in answer.content.decode()
    assert answer.context["form"]["contract"].value() == "all_passed"


@pytest.mark.parametrize("field", ["base", "key"])
@pytest.mark.parametrize("value", ["", "x", "-1", "99999999999999999999"])
def test_a_form_with_nonsense_in_its_hidden_fields_is_shown_again(as_alice, union_table, field, value):
    answer = as_alice.post(url(union_table, "desk_deal", 1), typed(contract="all_passed") | {field: value})
    assert answer.status_code == 200
    assert Report.objects.count() == 0


def test_a_stored_deal_stands_in_the_fields_to_be_corrected(as_alice, club):
    table = first_table(make_tournament(4, club=club, rulebook="rasle"))
    report(
        table,
        1,
        {"contract": "simple_nolo", "declarer": 1, "tricks": {"1": 2, "2": 3}, "joined": [2]},
    )
    assert current(table, 1).outcome == "kodille"
    form = as_alice.get(url(table, "desk_deal", 1)).context["form"]
    assert {
        name: form[name].value() for name in ("contract", "declarer", "tricks_1", "tricks_2", "joined")
    } == {
        "contract": "simple_nolo",
        "declarer": 1,
        "tricks_1": 2,
        "tricks_2": 3,
        "joined": ["2"],
    }
    assert form.has_rare


def test_taking_a_deal_back_needs_a_reason_and_leaves_its_versions(as_alice, union_table):
    report(union_table, 1, GAME)
    page = url(union_table, "desk_take_back", 1)
    sent = {"base": 1, "key": str(uuid4()), "reason": ""}
    assert as_alice.post(page, sent).context["form"].errors["reason"] == ["Say why, in a few words."]
    after = as_alice.post(page, sent | {"reason": "dealt again"}, follow=True)
    assert [str(message) for message in after.context["messages"]] == ["Deal 1 has been undone."]
    assert current(union_table, 1).result is None
    assert [seat.tokens for seat in union_table.seats.all()] == [0, 0, 0, 0]


def test_a_captains_correction_is_seen_with_its_reason(as_alice, union_table):
    report(union_table, 1, GAME)
    report(
        union_table,
        1,
        {**GAME, "outcome": "bete"},
        base=1,
        reason="<b>typed wrong</b>",
        author=Author("captain"),
    )
    page = as_alice.get(url(union_table, "desk_deal", 1)).content.decode()
    assert "&lt;b&gt;typed wrong&lt;/b&gt;" in page


def choices(form, field):
    return [value for value, _words in form.fields[field].choices]


def test_only_what_the_rulebook_knows_is_offered(as_alice, club, union_table):
    form = as_alice.get(url(union_table, "desk_deal", 1)).context["form"]
    assert choices(form, "declarer") == ["", "0", "1", "3"]
    assert [field.name for field in form.rare] == ["tout", "abandoned"]


def test_the_player_who_sits_out_is_offered_where_the_rules_let_him_play(as_alice, club):
    options = {"mort": True, "mort_nolo": True, "first_five_bonus": True}
    table = first_table(make_tournament(4, club=club, rulebook="rasle", options=options))
    form = as_alice.get(url(table, "desk_deal", 1)).context["form"]
    assert choices(form, "declarer") == ["", "0", "1", "2", "3"]
    assert "all_passed" not in choices(form, "contract")
    assert [field.name for field in form.rare] == [
        "tout",
        "five_first",
        "foul",
        "joined",
        "abandoned",
        "idle_abandoned",
    ]


def test_typing_begins_at_the_first_field_that_is_wrong(as_alice, union_table):
    report(union_table, 1, GAME)
    form = as_alice.get(url(union_table, "desk_deal", 1)).context["form"]
    assert "autofocus" in str(form["line"])
    sent = typed(base=1, contract="all_passed")
    form = as_alice.post(url(union_table, "desk_deal", 1), sent).context["form"]
    assert "autofocus" in str(form["reason"])
    assert "autofocus" not in str(form["line"])
