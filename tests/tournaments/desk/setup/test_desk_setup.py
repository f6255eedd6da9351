"""Setting a tournament up on one page: what is stored, what is refused and where, what two organisers see."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Role
from scoring import get_rulebook
from tests.factories import first_round, make_account, make_club, make_player, make_tournament, play_out
from tournaments import rounds
from tournaments.entries import entering
from tournaments.models import Round, Season, Table, Tournament
from tournaments.setup import making
from tournaments.setup.next_evening import next_evening
from tournaments.values.amounts import in_kroner, read_kroner

NEW = "tournament_new"
TYPED = {
    "code": "ABCDEF",
    "name": "Høstturnering",
    "date": "2026-11-21",
    "place": "Kroen",
    "rounds_planned": "3",
    "deals_per_round": "40",
    "deals_at_three": "30",
    "draw_mode": "whole",
    "stake": "0,25",
    "entry_fee": "50",
    "rulebook": "union",
    "tie_break_1": "best_round",
    "tie_break_2": "",
    "tie_break_3": "lot",
    "tie_break_4": "",
    "union-idle_settles": "False",
    "union-forced_spadille": "True",
}
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


@pytest.fixture
def typed(club):
    return TYPED | {"host": str(club.pk)}


def page(name, tournament):
    return reverse(name, args=[tournament.code])


def values_on(page_):
    """What a set-up page's fields hold, as a browser would send it back."""
    form = page_.context["form"]
    fields = {field.html_name: field.value() for field in form}
    return {name: "" if value is None else str(value) for name, value in fields.items()}


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
    assert tournament.log.get().words == "Set the tournament up"


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
        ("name", "", "This field is required."),
        ("name", "x" * 121, "Ensure this value has at most 120 characters (it has 121)."),
        ("date", "31-02-2026", "Enter a valid date."),
        ("date", "0026-11-21", "Look at the year once more."),
        ("rounds_planned", "0", "At least 1."),
        ("rounds_planned", "9", "At most 8."),
        ("deals_per_round", "81", "At most 80."),
        ("deals_per_round", "forty", "Type a whole number."),
        ("deals_at_three", "2", "At least 3."),
        ("stake", "a quarter", "Type kroner and øre like 0,25 or 12."),
        ("stake", "0,255", "Type kroner and øre like 0,25 or 12."),
        ("entry_fee", "-5", "Type kroner and øre like 0,25 or 12."),
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


@pytest.mark.parametrize(
    ("written", "amount"),
    [
        ("0,25", 25), ("0.25", 25), ("12", 1200), (",5", 50), ("12,50 kr.", 1250), ("3 kr", 300), ("", 0),
        ("1.950,00", 195000), ("1,950.00", 195000), ("1.950", 195000), ("1 950,5", 195050), ("1.234.567", 123456700),
        ("300,-", 30000),
    ],
)  # fmt: skip
def test_kroner_are_read_as_people_write_them(written, amount):
    assert read_kroner(written) == amount


@pytest.mark.parametrize(
    "written",
    ["1.950.00", "1,950,00", "0.255", "1.00.000", "1,2,3", "-1", "ten", "1e3", "٣,x", "0,255", "99999999"],
)
def test_what_is_no_amount_is_refused(written):
    with pytest.raises(ValueError, match=r".*"):
        read_kroner(written)


def test_an_amount_is_shown_in_the_readers_way():
    from django.utils.translation import override

    with override("da"):
        assert in_kroner(1250) == "12,50"
        assert in_kroner(195000) == "1.950,00"
    with override("en"):
        assert in_kroner(1250) == "12.50"


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
        "42 deals do not go into four",
        "31 deals at a table of three do not go into three",
    ]


# Copying an earlier one


@pytest.fixture
def earlier(club):
    old = make_tournament(
        5, club=club, started=False, drawn=False, date=date(2025, 11, 22), place="Kroen", stake=50,
        rulebook="rasle", options={"kaske": True}, tie_breaks=["lot"], rounds_planned=2,
    )  # fmt: skip
    account, now = make_account("anders", club), timezone.now()
    entering.withdraw(old.entries.get(number=2), reason="ill", account=account, now=now)
    return old


def test_a_copy_has_everything_but_the_date(as_alice, earlier):
    form = as_alice.get(reverse(NEW), {"copy": earlier.code}).context["form"]
    assert form["date"].value() == next_evening(earlier, timezone.localdate())[1] >= timezone.localdate()
    assert (form["place"].value(), form["stake"].value(), form["rounds_planned"].value()) == (
        "Kroen",
        "0.50",
        2,
    )
    assert form.book.id == "rasle"
    assert form["rasle-kaske"].value() is True
    assert [field.value() for field in form.tie_break_fields] == ["lot", "", "", ""]


def test_of_twenty_years_the_seasons_about_the_evening_are_offered_and_the_one_it_is_in(
    as_alice, club, alice
):
    for year in (2006, 2015, 2016, 2017, 2026):
        Season.objects.create(host=club, name=str(year), starts=date(year, 1, 1), ends=date(year, 12, 31))

    def offered(tournament):
        page = as_alice.get(reverse("tournament_setup", args=[tournament.code]))
        return [season.name for season in page.context["form"].fields["season"].queryset]

    evening = make_tournament(4, club=club, account=alice, date=date(2016, 2, 1))
    assert [name for name in offered(evening) if int(name) < 2020] == ["2016", "2015"]
    Tournament.objects.filter(pk=evening.pk).update(season=Season.objects.get(name="2006"))
    assert [name for name in offered(evening) if int(name) < 2020] == ["2016", "2015", "2006"]


def test_a_season_is_chosen_only_where_the_evening_that_is_copied_was_in_it(as_alice, earlier, club):
    season = Season.objects.create(host=club, name="S", starts=date(2020, 1, 1), ends=date(2099, 1, 1))
    assert as_alice.get(reverse(NEW)).context["form"]["season"].value() is None
    Tournament.objects.filter(pk=earlier.pk).update(season=season)
    form = as_alice.get(reverse(NEW), {"copy": earlier.code}).context["form"]
    assert form["season"].value() == season.pk


def test_the_players_are_copied_if_asked_for_and_only_once(as_alice, earlier, typed):
    url = f"{reverse(NEW)}?copy={earlier.code}"
    as_alice.post(url, typed | {"copy_players": "on"})
    as_alice.post(url, typed | {"copy_players": "on"})
    copy = Tournament.objects.get(code="ABCDEF")
    kept = earlier.entries.exclude(number=2)
    assert list(copy.entries.values_list("player", flat=True)) == list(kept.values_list("player", flat=True))
    assert set(copy.entries.values_list("status", "number")) == {("entered", n) for n in (1, 2, 3, 4)}


def test_without_asking_no_player_is_copied(as_alice, earlier, typed):
    as_alice.post(f"{reverse(NEW)}?copy={earlier.code}", typed)
    assert not Tournament.objects.get(code="ABCDEF").entries.exists()


def test_a_copy_keeps_how_the_pool_is_shared_the_clock_and_what_the_wall_shows(as_alice, earlier, typed):
    kept = {
        "prize_shares": [60, 40],
        "prize_amounts": [30000],
        "round_minutes": 90,
        "projector": {"shows": ["tables"], "seconds": 20, "on_paper": True},
    }
    Tournament.objects.filter(pk=earlier.pk).update(**kept)
    as_alice.post(f"{reverse(NEW)}?copy={earlier.code}", typed)
    copied = Tournament.objects.get(code="ABCDEF")
    assert {name: getattr(copied, name) for name in kept} == kept


def test_somebody_elses_tournament_cannot_be_copied(as_alice):
    other = make_tournament(0, club=make_club("Ørbæk"))
    assert as_alice.get(reverse(NEW), {"copy": other.code}).status_code == 404


# Changing one


@pytest.fixture
def tournament(as_alice, typed):
    as_alice.post(reverse(NEW), typed)
    return Tournament.objects.get()


def test_a_change_is_stored_and_written_down(as_alice, tournament):
    url = page("tournament_setup", tournament)
    sent = values_on(as_alice.get(url)) | {"rounds_planned": "5", "place": "Skolen", "stake": "1"}
    assert as_alice.post(url, sent).headers["Location"] == url
    tournament.refresh_from_db()
    assert (tournament.rounds_planned, tournament.place, tournament.stake) == (5, "Skolen", 100)
    assert {line.words for line in tournament.log.all()} == {
        "Set the tournament up",
        "Set-up: the venue is now Skolen",
        "Set-up: 5 rounds now",
        "Set-up: the stake is now 100 øre",
    }


def test_saving_unchanged_writes_nothing_down(as_alice, tournament):
    url = page("tournament_setup", tournament)
    as_alice.post(url, values_on(as_alice.get(url)))
    assert tournament.log.count() == 1


def test_the_second_of_two_organisers_sees_both_versions(as_alice, tournament, club):
    url = page("tournament_setup", tournament)
    mine = values_on(as_alice.get(url)) | {"place": "Skolen", "rounds_planned": "4"}
    make_account("anders", club)
    anders = Client()
    anders.force_login(club.roles.get(account__username="anders").account)
    anders.post(url, values_on(anders.get(url)) | {"place": "Hallen", "stake": "1,00"})

    answer = as_alice.post(url, mine)
    assert answer.status_code == 200
    assert answer.context["changed_by"] == "Anders"
    form = answer.context["form"]
    differing = {
        field.name: (field.value(), field.stored_now) for field in form if hasattr(field, "stored_now")
    }
    assert differing == {
        "place": ("Skolen", "Hallen"),
        "rounds_planned": ("4", "3"),
        "stake": ("0.25", "1.00"),
    }
    tournament.refresh_from_db()
    assert tournament.place == "Hallen"

    as_alice.post(url, values_on(answer))
    tournament.refresh_from_db()
    assert (tournament.place, tournament.rounds_planned, tournament.stake) == ("Skolen", 4, 25)


def test_checking_players_in_does_not_get_in_the_way_of_the_set_up(as_alice, alice, tournament, club):
    url = page("tournament_setup", tournament)
    mine = values_on(as_alice.get(url)) | {"place": "Skolen"}
    entering.enter(tournament, make_player("Bo Krogh", club), club=club, account=alice, now=timezone.now())
    assert as_alice.post(url, mine).status_code == 302


def test_drawn_rounds_follow_the_deals_and_the_number_of_rounds(as_alice, club):
    tournament = make_tournament(7, 3, club=club, started=False)
    url = page("tournament_setup", tournament)
    changed = {"rounds_planned": "2", "deals_per_round": "20", "deals_at_three": "15"}
    sent = values_on(as_alice.get(url)) | changed
    page_ = as_alice.post(url, sent)
    assert page_.context["form"].errors["rounds_planned"] == [
        "Round 3 is drawn: its seats would be thrown away. Tick below that they may be."
    ]
    assert 'name="throw_away"' in page_.content.decode()
    assert tournament.rounds.count() == 3
    as_alice.post(url, sent | {"throw_away": "on"})
    assert list(tournament.rounds.values_list("number", flat=True)) == [1, 2]
    assert sorted(Table.objects.values_list("deals", flat=True)) == [15, 15, 20, 20]


# Frozen rules


def test_a_started_tournaments_rules_are_shown_and_not_taken(as_alice, club):
    tournament = make_tournament(4, 2, club=club)
    url = page("tournament_setup", tournament)
    shown = as_alice.get(url)
    assert [rule.value for rule in shown.context["rules"]][:3] == [
        "Danish union, tournament rules",
        "40",
        "30",
    ]
    sent = values_on(shown)
    assert {"rulebook", "stake", "deals_per_round", "host", "tie_break_1"}.isdisjoint(sent)
    as_alice.post(url, sent | {"deals_per_round": "8", "rulebook": "rasle", "name": "Afslutning"})
    tournament.refresh_from_db()
    assert (tournament.name, tournament.deals_per_round, tournament.rulebook) == ("Afslutning", 40, "union")


def test_a_page_opened_before_the_start_is_told_of_it(as_alice, alice, club):
    tournament = make_tournament(4, club=club, started=False)
    url = page("tournament_setup", tournament)
    mine = values_on(as_alice.get(url)) | {"stake": "5"}
    rounds.start_round(first_round(tournament), account=alice, now=timezone.now())
    answer = as_alice.post(url, mine)
    assert answer.context["changed_meanwhile"]
    assert answer.context["rules"]
    tournament.refresh_from_db()
    assert tournament.stake == 0


def test_frozen_rules_are_not_changed_by_any_way(alice, club):
    tournament = make_tournament(4, club=club)
    with pytest.raises(making.NotPossible):
        making.change(
            tournament, {"stake": 100}, seen=making.mark(tournament), account=alice, now=timezone.now()
        )


def test_started_rounds_cannot_be_planned_away(as_alice, alice, club):
    tournament = make_tournament(4, 2, club=club, deals_per_round=4)
    play_out(first_round(tournament).tables.get(), agreed=True)
    rounds.close_round(first_round(tournament), account=alice, now=timezone.now())
    rounds.start_round(Round.objects.get(number=2), account=alice, now=timezone.now())
    url = page("tournament_setup", tournament)
    answer = as_alice.post(url, values_on(as_alice.get(url)) | {"rounds_planned": "1"})
    assert answer.context["form"].errors == {"rounds_planned": ["2 rounds have been started already."]}


def test_a_finished_tournament_is_not_changed(as_alice, club):
    tournament = make_tournament(4, club=club)
    Tournament.objects.update(state="finished")
    url = page("tournament_setup", tournament)
    answer = as_alice.post(url, values_on(as_alice.get(url)) | {"name": "Anden"})
    assert answer.context["form"].non_field_errors() == ["The tournament is finished."]


# The desk and the overview


def test_the_desk_lists_my_clubs_tournaments_by_state(as_alice, club):
    make_tournament(4, club=club, name="Runs")
    make_tournament(0, club=club, name="Comes")
    make_tournament(0, club=club, name="Is over", state="finished")
    make_tournament(0, club=make_club("Ørbæk"), name="Theirs")
    context = as_alice.get(reverse("desk")).context
    assert [tournament.name for tournament in context["running"]] == ["Runs"]
    assert [tournament.name for tournament in context["coming"]] == ["Comes"]
    assert [tournament.name for tournament in context["finished"]] == ["Is over"]


def test_a_stranger_finds_nothing_at_the_desk(as_charlie, client, club):
    tournament = make_tournament(4, club=club)
    for url in (
        reverse("desk"),
        reverse(NEW),
        page("desk_tournament", tournament),
        page("tournament_setup", tournament),
    ):
        assert client.get(url).headers["Location"].startswith(reverse("login"))
    assert b"Efter" not in as_charlie.get(reverse("desk")).content
    for url in (reverse(NEW), page("desk_tournament", tournament), page("tournament_setup", tournament)):
        assert as_charlie.get(url).status_code == 403
        assert as_charlie.post(url, {"name": "Mine now"}).status_code in (403, 405)


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

    rounds.draw(tournament, seed=1, **by)
    assert next_step(as_alice, tournament).button == "Start round 1"

    entering.withdraw(late, reason="went home", **by)
    assert next_step(as_alice, tournament).button == "Draw again"

    rounds.draw(tournament, seed=1, **by)
    rounds.start_round(first_round(tournament), **by)
    step = next_step(as_alice, tournament)
    assert (step.said, step.button) == ("running: 0 of 1 tables are done", "Watch the tables")

    rounds.end_table_early(first_round(tournament).tables.get(), reason="power cut", **by)
    assert next_step(as_alice, tournament).button == "Close round 1"

    rounds.close_round(first_round(tournament), force_reason="power cut", **by)
    assert next_step(as_alice, tournament).button == "Finish the tournament"

    rounds.finish(tournament, **by)
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
    with django_assert_max_num_queries(22):
        as_alice.get(page("desk_tournament", tournament))


def test_the_overview_gives_the_halls_address_as_a_qr_code(as_alice, club, settings):
    settings.PUBLIC_URL = "http://hall.example"
    tournament = make_tournament(4, club=club)
    answer = as_alice.get(page("desk_tournament", tournament))
    assert answer.context["hall"].address == f"http://hall.example/t/{tournament.code}/"
    assert b'<svg viewBox="0 0' in answer.content
    assert b"style=" not in answer.content
