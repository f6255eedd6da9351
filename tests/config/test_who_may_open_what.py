"""Every address of the program, and for whom it opens. A new one that nobody has decided about fails here."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Club, Role
from tests.every_address import addresses
from tests.factories import affiliate, make_account, make_club, make_tournament
from tests.tournaments.seasons.test_season import make_teams
from tournaments.domain.halls import stored_halls
from tournaments.models import Championship, Official, Season, Tournament

ADDRESSES = dict(addresses())

# Without signing in. Whoever has a captain's link has its table's; the hall is for everybody.
EVERYBODY = {
    *"health metrics set_language login logout password_own mail_stop".split(),
    *"account_login mfa_authenticate password_forgotten".split(),
    *"home hall_club hall_calendar hall_season hall_season_pdf hall_season_file".split(),
    *"hall_season_deals hall_season_deals_pdf".split(),
    *"hall_standings_file hall_championship hall_championship_pdf hall_rating hall_player_rating".split(),
    "hall_player_achievements",
    # Who has the link of an entry has their own page; the form says nothing of anybody.
    *"hall_enter hall_code hall_entry hall_evening_calendar".split(),
    # Leads on where there is an organiser, and asks for a code before: tests/tournaments/attacks/test_first_page.py.
    "desk_first",
    # What others take along, with names as the hall shows them.
    *"hall_feed hall_follow hall_poster hall_club_embed hall_season_embed hall_embed".split(),
    *"hall_rating_file hall_results_file hall_season_results".split(),
    # A phone that asks is told of what the hall shows to everybody.
    *"hall_phone hall_phone_ask hall_phone_stop hall_phone_told phone_worker phone_moved".split(),
    *"hall hall_version hall_events hall_time standings seats hall_tables hall_round hall_table".split(),
    *"hall_player projector".split(),
    *"hall_cards hall_card hall_card_share hall_card_picture hall_card_pdf person_hands".split(),
    *"hall_story hall_story_of hall_share hall_story_share hall_player_share hall_crest".split(),
    *"hall_picture hall_story_picture hall_player_picture hall_club_picture site_picture manifest".split(),
    "hall_player_pdf",
    "hall_printed_sheet",  # leads on to the table
    *"hall_history hall_records".split(),
    "hall_clubs",  # of a union
    *"hall_points hall_points_list hall_points_pdf hall_points_file".split(),
    *"hall_points_clubs hall_points_clubs_file hall_season_clubs hall_season_clubs_file".split(),
    *"hall_tournament_clubs hall_tournament_clubs_file".split(),
    *"person person_evenings person_met person_with person_picture".split(),
    *"hall_players hall_matches hall_cross_table hall_team hall_teams_pdf hall_teams_file team_line_up".split(),
    *"team_entries team_entry team_objections".split(),  # by a club's link
    "qualified_answer",  # by the link of a player who qualifies
    *"team_start_match team_match_day team_result team_match_pdf".split(),
    *"hall_explorer hall_explorer_file hall_club_explorer hall_club_explorer_file".split(),
    *"hall_person_explorer hall_person_explorer_file".split(),
    *"hall_boards hall_boards_round hall_folder hall_folder_play hall_comparison hall_duplicate".split(),
    *"hall_rules hall_rules_pdf rules_index rules_sheet rules_text rules_sheet_pdf".split(),
    *"hall_referee referee referee_home manual manual_chapter captain_guide phone_reaches".split(),
    *"captain_code captain_worker captain captain_state captain_events captain_reports captain_agree".split(),
    *"captain_flag captain_next captain_phone captain_first_dealer captain_folder".split(),
    *"captain_slip captain_slip_check".split(),
    *"captain_photograph captain_seats captain_seats_change".split(),
    *"captain_paper captain_paper_table captain_paper_check captain_paper_away captain_paper_again".split(),
    "captain_paper_pieces",
    # What other programs ask; what they may do takes a club's key: tests/tournaments/api.
    "api_about",
    *"api_archive api_schema api_nothing api_clubs api_club api_club_records api_club_rating api_club_seasons".split(),
    *"api_tournaments api_tournament api_tournament_rules api_tournament_version api_entries api_entry".split(),
    *"api_tournament_rounds api_tournament_round api_round_tables api_table api_tournament_standings".split(),
    *"api_tournament_teams api_persons api_person api_season api_season_deals".split(),
    *"api_all_rulebooks api_one_rulebook api_own_key".split(),
    *"api_club_points_lists api_points_list".split(),
    *"api_club_championships api_championship api_tournament_boards api_board_folder api_tournament_story".split(),
    *"api_games api_club_games api_person_games api_own_money api_own_payments".split(),
    *"api_own_statements api_own_counts api_own_qualified api_own_team_entries".split(),
    "api_own_objections",
    *"api_own_members api_own_entries api_enter_players api_check_in_player api_report_deals".split(),
}
# Who is signed in sees what is theirs there.
SIGNED_IN = {
    "my_account",
    "password",
    "clubs",
    "desk",
    "role_answer",
    "role_give_up",
    "official_give_up",
    "design",
}
# Whoever helps a club or more.
HELPERS_ANYWHERE = {"hall_check"}
# Long work is shown to whom what it is of is shown: tests/core/jobs.
SIGNED_IN |= {"desk_jobs", "desk_job", "desk_job_file"}
# Only what one may open is found: tests/tournaments/desk/club/test_find.py.
SIGNED_IN |= {"desk_find"}
# One's own account: tests/clubs/test_second_factor.py.
SIGNED_IN |= {"own_address", "own_sessions", "address_confirm", "account_reauthenticate"}
SIGNED_IN |= {name for name in ADDRESSES if name.startswith("mfa_")} - EVERYBODY
# Whoever organises somewhere; a new club only in a union of theirs.
# The page of a machine of Spadille's own, of which more is for its owner: tests/tournaments/desk/club/test_machine.py.
ORGANISERS_ANYWHERE = {"tournament_new", "desk_sample", "desk_machine"}
THE_CLUBS_ORGANISERS = {"desk_machine_poster"}
OWNERS_AND_UNIONS = {"club_new"}
# The program's owner alone: every club's data is in it.
OWNERS = {"desk_status", "desk_letters", "desk_letter", "desk_backup", "desk_verify_all", "desk_count_anew"}
# Helpers do what an evening needs; whatever is not named here is for organisers alone.
HELPERS = {
    *"club member club_rules club_rules_set club_rules_pdf".split(),
    "club_points",  # of a union
    *"club_seasons club_season club_season_meetings club_championships club_championship".split(),
    *"club_qualified club_qualified_pdf".split(),
    *"club_year club_year_pdf".split(),
    *"desk_tournament desk_add_members desk_add_guest desk_check_in desk_mark_present desk_mark_paid".split(),
    "desk_mark_all",
    *"desk_from_home desk_from_home_decline_all desk_application desk_invite desk_invite_member desk_door".split(),
    *"desk_list desk_list_taken desk_list_print".split(),
    *"desk_entries desk_entries_export desk_entry desk_withdraw desk_bring_back desk_rename_guest".split(),
    *"desk_teams desk_team desk_put_together desk_dissolve desk_withdraw_team desk_team_back".split(),
    *"desk_team_entries desk_team_entry desk_objections_made".split(),
    *"desk_wall desk_clock desk_clock_step desk_clock_lengthen".split(),
    *"desk_now desk_all_signed desk_settle_all desk_undo desk_standings".split(),
    *"desk_board desk_round desk_late desk_log desk_penalties desk_codes desk_take_in_codes".split(),
    "desk_agree_all",
    *"desk_table desk_first_dealer desk_agree desk_settle_flag desk_resume_table desk_take_in".split(),
    *"desk_set_all_aside desk_set_aside desk_wait_again desk_link desk_revoke_link desk_deal desk_take_back".split(),
    *"desk_folder desk_print desk_print_ask desk_press desk_slip desk_slip_check".split(),
    *"desk_paper desk_paper_table desk_paper_check desk_paper_again desk_paper_away desk_paper_pieces".split(),
    *"desk_boards desk_seats desk_seats_change desk_seat_late desk_get_up".split(),
    *"desk_play_on desk_substitute_back desk_take_start_back".split(),
    *"desk_matches desk_match desk_match_pdf desk_line_up desk_team_link".split(),
    *"desk_money desk_money_tick desk_money_print desk_money_file".split(),
    *"desk_draw desk_draw_and_print desk_draw_explained desk_discard_draw desk_swap desk_apart desk_let_meet".split(),
    *"desk_substitute desk_sit_late desk_mend desk_groups desk_all_meet".split(),
    *"desk_start_round desk_take_start_back desk_close_round desk_reopen_round desk_end_table".split(),
}
# Who helps in one hall alone does what its tables need, and nothing of the whole tournament.
IN_ONE_HALL = {
    *"desk_tournament desk_board desk_round desk_table desk_first_dealer desk_agree desk_agree_all".split(),
    *"desk_settle_flag desk_resume_table desk_take_in desk_set_all_aside desk_set_aside desk_wait_again".split(),
    *"desk_link desk_revoke_link desk_end_table desk_deal desk_take_back desk_slip desk_slip_check".split(),
    *"desk_seats desk_seats_change desk_get_up desk_play_on desk_substitute_back".split(),
    *"desk_print desk_print_ask desk_paper desk_paper_again desk_paper_away desk_paper_pieces".split(),
    *"desk_paper_table desk_paper_check".split(),
}
# What is at the desk of one tournament; and of one season, and one championship, without what ends it.
OF_A_TOURNAMENT = {name for name, address in ADDRESSES.items() if address.startswith("/desk/t/")}
OF_A_SEASON, OF_A_CHAMPIONSHIP = (
    {name for name, address in ADDRESSES.items() if address.startswith(f"/clubs/{{slug}}/{word}s/1/")}
    - {f"club_{word}_delete", f"club_{word}_put_back"}
    for word in ("season", "championship")
)
OF_A_CLUB = {name for name, address in ADDRESSES.items() if address.startswith(("/desk/t/", "/clubs/{slug}"))}


def test_every_address_is_decided_about():
    decided = (
        EVERYBODY
        | SIGNED_IN
        | HELPERS_ANYWHERE
        | ORGANISERS_ANYWHERE
        | OWNERS_AND_UNIONS
        | OWNERS
        | THE_CLUBS_ORGANISERS
    )
    assert ADDRESSES.keys() - OF_A_CLUB - decided == set(), "new addresses: for whom?"
    assert (decided | HELPERS) - ADDRESSES.keys() == set(), "these addresses are no more"
    assert not EVERYBODY & OF_A_CLUB


def browser_of(who: str, club: Club) -> Client:
    browser = Client()
    if who == "nobody":
        return browser
    union = make_club("Union")
    # By a number that no address of the test has: else the union is left on the way.
    affiliate(club, union, pk=7000)
    homes = {"helper": club, "organiser": club, "union": union, "neighbour": make_club("Viby")}
    homes["union's helper"] = union
    homes["hosting club"] = make_club("Odder", union)
    homes["hosting club's helper"] = homes["hosting club that organises"] = homes["hosting club"]
    kind = Role.Kind.HELPER if who.endswith(("helper", "helper of one hall")) else Role.Kind.ORGANISER
    account = make_account(who, homes.get(who), kind)
    if who in OFFICIALS:
        of = OFFICIALS[who](club)
        given = {of._meta.model_name: of, "account": account, "kind": kind}
        if who.endswith("one hall"):
            Tournament.objects.filter(pk=of.pk).update(halls=stored_halls([("Sal A", "", 1)]))
            given |= {"hall": "Sal A"}
        # By a number that no address of the test has: else it is given up on the way.
        Official.objects.create(pk=7000, **given, given_by="Alice", given_at=timezone.now())
    browser.force_login(account)
    return browser


def make_season(club: Club) -> Season:
    """A season of the number that addresses have, so that its pages are there."""
    days = {"starts": timezone.localdate(), "ends": timezone.localdate()}
    return Season.objects.create(pk=1, host=club, name="Season", **days)


def make_stages(club: Club) -> Championship:
    championship = Championship.objects.create(pk=1, host=club, name="Final", date=timezone.localdate())
    championship.stages.create(number=1, name="Groups")
    return championship


OFFICIALS = {
    "official": lambda club: club.tournaments.get(),
    "official helper": lambda club: club.tournaments.get(),
    "official helper of one hall": lambda club: club.tournaments.get(),
    "season's official": make_season,
    "season's official helper": make_season,
    "championship's official": make_stages,
    "championship's official helper": make_stages,
}


def opened(browser: Client, name: str, ids: dict[str, str]) -> str:
    """What a GET and a POST of a page come to: "sign in", "no", or "yes", whatever it says then."""
    address, came_to = ADDRESSES[name].format(**ids), set()
    for ask in (browser.get, browser.post):
        answer = ask(address)
        assert answer.status_code < 500, f"{name}: {answer.status_code}"
        if "Allow" in answer.headers:
            continue
        to_sign_in = answer.status_code == 302 and answer["Location"].startswith("/clubs/login/?next=")
        came_to.add("sign in" if to_sign_in else "no" if answer.status_code == 403 else "yes")
        if answer.streaming:
            list(answer.streaming_content)
    assert len(came_to) == 1, f"{name}: {came_to}"
    return came_to.pop()


@pytest.mark.slow
@pytest.mark.parametrize(
    "who",
    [
        "nobody",
        "stranger",
        "neighbour",
        "helper",
        "union's helper",
        "hosting club",
        "hosting club's helper",
        "hosting club that organises",
        *OFFICIALS,
        pytest.param("organiser", marks=pytest.mark.databases),  # every page is asked of both
        "union",
    ],
)
def test_an_address_opens_for_whom_it_is_and_for_nobody_else(club, alice, undrawn, who):
    tournament = make_tournament(4, account=alice)
    ids = {"code": tournament.code, "slug": club.slug, "secret": "nobody-knows"}
    browser = browser_of(who, club)
    if who.startswith("hosting club"):
        organises = {"held_by_organises": who.endswith("organises")}
        Tournament.objects.filter(pk=tournament.pk).update(
            held_by=Club.objects.get(name="Odder"), **organises
        )
    may = {
        "nobody": set(),
        "stranger": SIGNED_IN,
        "neighbour": SIGNED_IN | HELPERS_ANYWHERE | ORGANISERS_ANYWHERE,
        "helper": SIGNED_IN | HELPERS_ANYWHERE | HELPERS,
        # Of the club's members no more than an evening needs.
        "union's helper": (SIGNED_IN | HELPERS_ANYWHERE | HELPERS) - {"member"},
        # Who organises the club in whose hall it is played helps there; the host's members and seasons are not theirs.
        "hosting club": SIGNED_IN | HELPERS_ANYWHERE | ORGANISERS_ANYWHERE | (HELPERS & OF_A_TOURNAMENT),
        "hosting club's helper": SIGNED_IN | HELPERS_ANYWHERE | (HELPERS & OF_A_TOURNAMENT),
        "hosting club that organises": SIGNED_IN | HELPERS_ANYWHERE | ORGANISERS_ANYWHERE | OF_A_TOURNAMENT,
        # An official of one thing has no role: neither in the club nor in what else is its.
        "official": SIGNED_IN | OF_A_TOURNAMENT,
        "official helper": SIGNED_IN | (HELPERS & OF_A_TOURNAMENT),
        "official helper of one hall": SIGNED_IN | IN_ONE_HALL,
        "season's official": SIGNED_IN | OF_A_SEASON,
        "season's official helper": SIGNED_IN | (HELPERS & OF_A_SEASON),
        "championship's official": SIGNED_IN | OF_A_CHAMPIONSHIP,
        "championship's official helper": SIGNED_IN | (HELPERS & OF_A_CHAMPIONSHIP),
        "organiser": SIGNED_IN | HELPERS_ANYWHERE | ORGANISERS_ANYWHERE | THE_CLUBS_ORGANISERS | OF_A_CLUB,
        "union": SIGNED_IN
        | HELPERS_ANYWHERE
        | ORGANISERS_ANYWHERE
        | THE_CLUBS_ORGANISERS
        | OWNERS_AND_UNIONS
        | OF_A_CLUB,
    }[who]
    refusal = "sign in" if who == "nobody" else "no"
    expected = {name: "yes" if name in may else refusal for name in ADDRESSES.keys() - EVERYBODY}
    assert {name: opened(browser, name, ids) for name in expected} == expected


@pytest.mark.slow
def test_the_hall_opens_for_everybody(alice, undrawn):
    tournament = make_tournament(4, account=alice)
    ids = {"code": tournament.code, "slug": tournament.host.slug, "secret": "nobody-knows"}
    assert {opened(Client(), name, ids) for name in EVERYBODY} == {"yes"}


def test_no_button_works_without_the_forms_token(club, alice):
    """But those of the captain's page, and what stops letters, where the address itself is the credential and no cookie
    is read; of other programs, who send a key; of phones that are told, who are known by what they send; and the choice
    of a language, which is all that it changes.
    """
    tournament = make_tournament(4, account=alice)
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(alice)
    free = {name for name in EVERYBODY if name.startswith(("captain", "api_"))} | {
        "set_language",
        "mail_stop",
        "hall_phone_ask",
        "hall_phone_stop",
        "hall_phone_told",
        "phone_moved",
    }
    for name in ADDRESSES.keys() - free:
        ids = {"code": tournament.code, "slug": club.slug, "secret": "nobody-knows"}
        answer = browser.post(ADDRESSES[name].format(**ids))
        assert answer.status_code == 403, name
    assert reverse("captain_reports", args=["x"]) == "/c/x/reports"


@pytest.mark.slow
def test_a_buttons_address_opened_as_a_page_leads_to_the_page_it_belongs_to(club, alice, undrawn):
    """As where a form with a mistake in it is loaded anew, or another language is chosen there."""
    tournament = make_teams(club, {"account": alice, "now": timezone.now()}, teams=4)
    browser = browser_of("organiser", club)
    ids = {"code": tournament.code, "slug": club.slug, "secret": "nobody-knows"}
    led, not_there, looked_at = {}, set(), {}
    for name in OF_A_CLUB:
        answer = browser.get(ADDRESSES[name].format(**ids))
        if "Allow" in answer.headers:
            # Each page once, however many buttons lead to it: what the next one is to say is kept till then.
            assert (answer.status_code, "messages" in browser.cookies) == (302, True), name
            if answer["Location"] not in looked_at:
                page = looked_at[answer["Location"]] = browser.get(answer["Location"], follow=True)
                assert page.status_code in {200, 404}, name
                assert page.status_code == 404 or "was not saved" in page.content.decode(), name
            page = looked_at[answer["Location"]]
            led[name] = page.resolver_match.url_name
            not_there |= {led[name]} if page.status_code == 404 else set()
            browser.cookies.pop("messages", None)
    assert not led.keys() & set(led.values())
    assert {name: led[name] for name in ("desk_award", "desk_groups", "club_season_award")} == {
        "desk_award": "desk_match", "desk_groups": "desk_teams", "club_season_award": "club_season",
    }  # fmt: skip
    # There are none of them with this number in this test, and the club is no union.
    unknown = set(
        "club_season club_season_meetings club_season_deals club_championship club_points member club_double"
        " club_qualified desk_team_entry".split()
    )
    assert not_there <= unknown
