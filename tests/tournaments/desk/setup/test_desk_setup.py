"""Setting a tournament up on one page: what is stored, what is refused and where, which options a rulebook has."""

from __future__ import annotations

from datetime import date

import pytest
from django.urls import reverse

from scoring import get_rulebook
from tests.factories import make_club, make_tournament
from tests.pages import values_on
from tournaments.models import Tournament

NEW = "tournament_new"
RASLE = {
    "rasle-idle_settles": "True",
    "rasle-forced_spadille": "False",
    "rasle-kaske": "True",
    "rasle-mort": "False",
    "rasle-mort_nolo": "False",
    "rasle-grand": "False",
    "rasle-grand_rate": "2",
    "rasle-grand_kodille_extra": "1",
    "rasle-grand_tourne_holdings": "black_aces",
    "rasle-aces_bonus": "0",
    "rasle-nolo_defenders_exchange": "False",
    "rasle-repeat_exchange": "False",
    "rasle-joint_simple_nolo": "False",
    "rasle-first_five_bonus": "False",
    "rasle-one_four_four": "kodille",
    "rasle-declarer_foul": "bete",
    "rasle-defender_foul_covers_idle": "True",
}


def page(name, tournament):
    return reverse(name, args=[tournament.code])


# Making one


def test_one_page_makes_a_tournament(as_alice, typed, club):
    answer = as_alice.post(reverse(NEW), typed)
    tournament = Tournament.objects.get()
    assert answer.headers["Location"] == page("desk_tournament", tournament)
    assert (tournament.name, tournament.host, tournament.date, tournament.place) == (
        "Høstturnering",
        club,
        date(2026, 11, 21),
        "Kroen",
    )
    assert (tournament.stake, tournament.entry_fee) == (25, 5000)
    assert tournament.tie_breaks == ["best_round", "lot"]
    # What was not sent is as in the rulebook: a tournament has a value for every option.
    assert tournament.options == get_rulebook("union").options | {"forced_spadille": True}
    assert tournament.log.get().words == "Set up the tournament"


def test_the_page_as_it_comes_makes_a_tournament(as_alice, club):
    fresh = as_alice.get(reverse(NEW))
    answer = as_alice.post(reverse(NEW), values_on(fresh) | {"host": str(club.pk)})
    assert answer.status_code == 302
    assert Tournament.objects.get().tie_breaks == ["best_round", "games_won"]


def test_sending_twice_makes_one_tournament(as_alice, typed):
    first = as_alice.post(reverse(NEW), typed)
    second = as_alice.post(reverse(NEW), typed)
    assert Tournament.objects.count() == 1
    assert first.headers["Location"] == second.headers["Location"]


def test_the_code_of_somebody_elses_tournament_opens_nothing(as_alice, typed):
    other = make_club("Ørbæk")
    taken = make_tournament(0, club=other, code="ABCDEF")
    assert as_alice.post(reverse(NEW), typed).status_code == 403
    taken.refresh_from_db()
    assert taken.name == "Efterårsturnering"


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("name", "", "Fill this in."),
        ("name", "x" * 121, "At most 120 characters; this has 121."),
        ("date", "31-02-2026", "This is not a valid date. Write it like 31-12-2025."),
        ("date", "0026-11-21", "Check the year again."),
        ("rounds_planned", "0", "At least 1."),
        ("rounds_planned", "9", "At most 8."),
        ("deals_per_round", "81", "At most 80."),
        ("deals_per_round", "forty", "Type a whole number."),
        ("deals_at_three", "2", "At least 3."),
        ("stake", "a quarter", "Type kroner and øre, such as 0.25 or 12."),
        ("stake", "0,255", "Type kroner and øre, such as 0.25 or 12."),
        ("entry_fee", "-5", "Type kroner and øre, such as 0.25 or 12."),
        ("entry_fee", "1000000", "That is more than 100,000.00 kroner."),
        ("tie_break_3", "best_round", "This one is chosen twice."),
        ("rulebook", "union\x00", "Null characters are not allowed."),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_at_its_field_and_stays_typed(as_alice, typed, field, value, said):
    answer = as_alice.post(reverse(NEW), typed | {field: value})
    assert answer.status_code == 200
    assert not Tournament.objects.exists()
    if field != "rulebook":  # one that nobody has shows the first one's options instead
        form = answer.context["form"]
        assert form.errors[field] == [said]
        assert form[field].value() == value
        assert form["place"].value() == "Kroen"


# Rulebooks and their options


def test_another_rulebook_shows_its_options_and_loses_nothing_typed(as_alice, typed):
    asked = typed | {"rulebook": "rasle", "show_options": "1", "stake": "abc", "name": ""}
    form = as_alice.post(reverse(NEW), asked).context["form"]
    assert form.book.id == "rasle"
    assert not form.errors
    assert (form["stake"].value(), form["name"].value()) == ("abc", "")
    assert form["rasle-one_four_four"].value() == "kodille"
    assert ("union-forced_spadille", "True") in form.carried


def test_going_back_to_a_rulebook_finds_its_options_as_they_were_chosen(as_alice, typed):
    there = typed | {"rulebook": "rasle", "show_options": "1"}
    form = as_alice.post(reverse(NEW), there).context["form"]
    back = dict(form.carried) | {"rulebook": "union", "show_options": "1"}
    assert as_alice.post(reverse(NEW), back).context["form"]["union-forced_spadille"].value() == "True"


def test_saving_with_a_rulebook_whose_options_were_not_shown_shows_them_first(as_alice, typed):
    answer = as_alice.post(reverse(NEW), typed | {"rulebook": "rasle"})
    assert not Tournament.objects.exists()
    assert answer.context["other_options"]
    assert answer.context["form"].book.id == "rasle"


def test_only_the_chosen_rulebooks_options_are_stored(as_alice, typed):
    as_alice.post(reverse(NEW), typed | RASLE | {"rulebook": "rasle"})
    tournament = Tournament.objects.get()
    assert tournament.rulebook == "rasle"
    assert tournament.options["kaske"] is True
    assert tournament.options["grand_rate"] == 2
    assert set(tournament.options) == set(get_rulebook("rasle").options)


def test_an_option_out_of_its_range_is_said_at_the_option(as_alice, typed):
    answer = as_alice.post(reverse(NEW), typed | RASLE | {"rulebook": "rasle", "rasle-grand_rate": "11"})
    assert list(answer.context["form"].errors) == ["rasle-grand_rate"]
    answer = as_alice.post(reverse(NEW), typed | {"union-idle_settles": "perhaps"})
    assert list(answer.context["form"].errors) == ["union-idle_settles"]


def test_deals_that_do_not_go_round_are_allowed_and_pointed_out(as_alice, typed):
    odd = typed | {"deals_per_round": "42", "deals_at_three": "31"}
    answer = as_alice.post(reverse(NEW), odd, follow=True)
    said = [str(message) for message in answer.context["messages"]]
    assert [words.split(":")[0] for words in said] == [
        "42 deals cannot be divided by four",
        "31 deals at a table of three cannot be divided by three",
    ]
