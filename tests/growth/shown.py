"""What every page shows: how many rows of what, in a world of some size, and which tournament it is asked about.

A page may cost more by what it shows, and by nothing else. A new address fails until it stands here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple
from uuid import UUID

from tests.growth.world import EACH, Size


class Shown(NamedTuple):
    """How many rows these pages show of a world of this size; `about` is the kind of tournament they are asked of."""

    rows: Callable[[Size], int]
    about: str
    names: list[str]


# At most so many are listed, of however many there are: members to enter, evenings to begin a new one with.
LISTED, OFFERED = 201, 31
# So much is listed of what is due in a club.
DUE = 25


def _nothing(_size: Size) -> int:
    return 0


PAGES = [
    # One thing, which is as large in every world; and buttons, which do one thing.
    Shown(_nothing, "evening", """
        health desk_first desk_letters desk_letter set_language
        my_account login logout password password_own role_answer role_give_up
        account_login account_reauthenticate password_forgotten own_address own_sessions address_confirm
        mfa_reauthenticate mfa_reauthenticate_webauthn mfa_authenticate mfa_index mfa_activate_totp mfa_deactivate_totp
        mfa_view_recovery_codes mfa_generate_recovery_codes mfa_list_webauthn mfa_add_webauthn mfa_edit_webauthn
        mfa_remove_webauthn
        mail_stop club_letter club_letter_trial club_news
        club_new club_edit club_crest club_crest_remove hall_crest hall_printed_sheet
        member_new member member_edit member_leave member_return import_upload import_columns role_new role_change
        role_remove role_password role_offer_take_back club_championship_delete club_championship_put_back
        club_transfers transfer_answer transfer_withdraw
        club_count member_main club_register_person club_double club_double_apart club_merge_undo
        club_erasures club_erasure_keep
        club_unions union_gets union_leave union_accept union_decline
        club_championship_new club_championship_edit club_championship_move_up club_rules_new club_rules_set
        club_rules_pdf club_rules_edit club_rules_delete club_season_delete club_season_put_back
        club_season_no_award club_points_edit club_dues_fees club_dues club_dues_new club_dues_remind
        club_dues_paid club_dues_file club_statement club_statement_pdf
        club_team_tournaments
        api_club_points_lists
        club_old_columns
        club_old_new club_old_import club_old_store club_old_delete club_old_put_back club_season_yearbook
        club_season_deals club_season_deals_choose hall_season_deals hall_season_deals_pdf
        api_season_deals club_site
        api_about api_archive api_schema api_nothing api_own_key
        api_own_members api_own_entries api_own_money api_own_payments
        api_own_statements api_own_counts api_own_qualified api_own_team_entries api_own_objections
        api_enter_players api_check_in_player api_report_deals
        club_news_hide hall_poster
        club_programs program_key_new program_key_end webhook_new webhook_remove webhook_again
        api_tournament_rules api_tournament_version api_all_rulebooks api_one_rulebook api_club
        hall_events captain_events desk_machine_poster
        hall_version hall_time hall_rules hall_rules_pdf hall_referee rules_index rules_sheet rules_text rules_sheet_pdf
        hall_championship api_championship hall_championship_pdf hall_club_picture site_picture manifest
        design manual manual_chapter captain_guide hall_check phone_reaches
        phone_worker phone_moved hall_phone hall_phone_ask hall_phone_stop hall_phone_told
        captain_code captain_worker captain_reports captain_agree captain_flag captain_phone
        captain_first_dealer captain_photograph captain_seats captain_seats_change
        captain_paper_pieces captain_paper_away captain_paper_again desk_paper_pieces desk_paper_away
        desk_sample club_tonight
        club_sample_remove desk_backup desk_take_up_again desk_add_guest desk_mark_present
        desk_bring_back desk_draw_and_print desk_discard_draw desk_swap desk_let_meet desk_sit_late desk_mend
        desk_take_start_back desk_finish desk_objections
        desk_objections_made desk_objection_new desk_objection_decide desk_objection_withdraw
        desk_clock_step desk_clock_lengthen desk_wall desk_first_dealer
        desk_agree_all desk_agree
        desk_resume_table desk_set_all_aside desk_take_in desk_wait_again desk_end_table
        desk_revoke_link desk_link desk_cancel_penalty desk_attach_photograph desk_photograph
        desk_find
         desk_job desk_job_file desk_verify desk_verify_all desk_count_anew desk_substitute_back desk_get_up
    """.split()),
    Shown(_nothing, "over", "desk_reopen_round desk_reopen".split()),
    # Entering from home; who asks is listed, one who asks is shown, how many are here is counted.
    Shown(_nothing, "coming", """
        hall_enter hall_code hall_entry hall_evening_calendar desk_invite desk_invite_member desk_application
        desk_from_home_set_up desk_from_home_decline_all
    """.split()),
    Shown(lambda size: size.players, "coming", """
        desk_from_home desk_door desk_list desk_list_taken desk_list_print
    """.split()),
    Shown(_nothing, "boards", """
        captain_folder desk_folder desk_boards desk_boards_analyse desk_boards_anew desk_boards_column
    """.split()),
    Shown(_nothing, "teams", """
        desk_put_together desk_team_link desk_with_its_round desk_end_match desk_resume_match desk_take_award_back
        desk_dissolve desk_team_back desk_team_entry_accept desk_team_entry_decline desk_team_entry_withdraw
        desk_team_entry_back desk_team_entry_dissolve
        desk_team_entry_links
    """.split()),
    # A line is written, whose place in the log is counted.
    Shown(lambda size: size.lines // 64, "evening", """
        desk_mark_paid desk_set_aside desk_settle_flag desk_rules_version official_give_up
    """.split()),
    # From their evenings to what was photographed there, by indexes: some forty steps of the database each.
    # Each picture that was set aside is asked whose it is.
    Shown(lambda size: size.evenings // 12 + size.erased, "evening", ["member_erase"]),
    # Tables with photographs; and each picture that was set aside, or could not be read, is asked whose it is.
    Shown(lambda size: size.erased + size.things, "evening", ["club_erased"]),
    # A table with its deals, and what waits there to be looked at.
    Shown(lambda size: size.deals + 2 * size.things, "evening", ["desk_table"]),
    Shown(lambda size: size.deals + size.things, "evening", """
        hall_table api_table captain captain_state captain_slip captain_slip_check desk_totals desk_deal desk_ruling
        desk_take_back desk_seats desk_seats_change desk_slip desk_slip_check desk_play_on desk_remove_photograph
        desk_paper_table desk_paper_check captain_paper captain_paper_table captain_paper_check
    """.split()),
    Shown(lambda size: size.dealt, "boards", ["hall_boards_round"]),
    Shown(lambda size: 2 * size.dealt, "boards", """
        hall_boards api_tournament_boards hall_comparison hall_duplicate
    """.split()),
    Shown(lambda size: size.deals, "boards", ["desk_boards_folders"]),
    Shown(lambda size: size.players + size.tables, "boards", ["hall_folder", "api_board_folder"]),
    # The choice of a seat; what a game shows is checked in tests/tournaments/boards.
    Shown(_nothing, "boards", ["hall_folder_play"]),
    # All tables of a round, with how far each is.
    Shown(lambda size: size.tables + size.dealt, "evening", """
        hall hall_tables hall_round desk_now api_round_tables desk_all_signed desk_settle_all
        desk_board desk_round desk_clock desk_close_round desk_start_round
        desk_seat_late desk_codes desk_take_in_codes desk_paper desk_paper_again
    """.split()),
    Shown(lambda size: size.tables, "evening", """
        desk_print desk_print_ask api_tournament_rounds api_tournament_round
    """.split()),
    # All players of a tournament, with what they have played.
    Shown(lambda size: size.players + size.dealt, "evening", """
        standings captain_next hall_standings_file hall_tournament_clubs hall_tournament_clubs_file
        api_tournament api_tournament_standings api_entries api_entry
        hall_story hall_story_of api_tournament_story hall_share
        hall_story_share hall_player_share hall_picture hall_story_picture hall_player_picture
        seats projector hall_player hall_player_pdf hall_cards desk_press desk_entries desk_entries_export desk_check_in
        desk_tournament desk_standings desk_draw desk_draw_explained desk_substitute desk_apart desk_penalties
        desk_money desk_halls desk_entry desk_withdraw desk_rename_guest tournament_setup desk_call_off
    """.split()),
    Shown(lambda size: size.players, "over", """
        desk_money_tick desk_money_print desk_money_list desk_money_file
    """.split()),
    Shown(lambda size: size.players, "coming", ["desk_mark_all", "desk_undo"]),
    # Whoever played is entered for the next evening; own rules of the club and its unions are offered.
    Shown(lambda size: size.players + 2 * size.things, "evening", ["desk_repeat"]),
    # Teams, whom they have met, and with whom they play.
    Shown(lambda size: size.players + 8 * size.matches, "teams", """
        hall_players api_tournament_teams hall_matches hall_cross_table hall_teams_pdf hall_teams_file hall_team
        team_line_up
        desk_teams desk_groups desk_all_meet desk_team desk_withdraw_team desk_matches desk_days desk_match
        desk_line_up desk_postpone desk_award desk_own_days
        desk_fixtures desk_fixture_wish desk_fixture_wish_remove
        desk_earlier_teams team_result team_match_pdf desk_match_pdf
        team_objections desk_round_mail
        team_entries club_team_entries desk_team_entries desk_team_entries_set desk_team_entry desk_team_entry_rule
        team_start_match team_match_day desk_start_match desk_match_start_back
    """.split()),
    # A team's players are chosen from the members of its club, who are put in order.
    Shown(lambda size: size.members // 10, "teams", ["team_entry", "club_team_entry"]),
    # Lists of a club's.
    Shown(lambda size: size.members, "evening", "club members_export member_same".split()),
    Shown(lambda size: size.clubs, "evening", "referee referee_home api_clubs".split()),
    Shown(lambda size: size.things, "evening", """
         club_old club_old_file api_club_seasons api_club_championships club_rules club_seasons
         club_championships desk_jobs
    """.split()),
    Shown(lambda size: 2 * size.things, "evening", "desk_late club_roles".split()),
    # The officials, and the colleagues to choose from.
    Shown(lambda size: 3 * size.things, "evening", """
        desk_officials club_season_officials club_championship_officials
    """.split()),
    # Fifty people a page, of all members of the union's clubs, who are put in order; numbers are given to all of them.
    Shown(lambda size: size.clubs * size.members // 10, "evening", ["club_register", "club_register_count"]),
    Shown(lambda size: size.clubs * size.members, "evening", ["club_register_number"]),
    # All members of the union's clubs are compared.
    Shown(lambda size: size.clubs * size.members, "evening", ["club_doubles"]),
    # Fifty letters a page, however many there are.
    Shown(lambda size: min(size.lines, 50), "evening", ["club_letters"]),
    # Letters of half a year are counted by an index.
    Shown(lambda size: size.lines // 45, "evening", ["desk_status", "metrics"]),
    # Who is like somebody of the list, in any club.
    Shown(lambda size: size.clubs, "evening", "import_dry_run club_tonight_set_up".split()),
    # The posters of the clubs that one organises.
    Shown(lambda size: size.clubs, "evening", ["desk_machine"]),
    # How many members each club has is counted; so many of those who could be entered are listed.
    Shown(lambda size: size.clubs * size.members // 20, "evening", ["clubs"]),
    Shown(lambda size: min(size.clubs * size.members, LISTED), "evening", ["desk_add_members"]),
    Shown(lambda size: 2 * min(size.clubs * size.evenings, OFFERED), "evening", ["tournament_new"]),
    Shown(lambda size: 2 * min(size.evenings, OFFERED), "evening", ["club_season_new", "club_season_edit"]),
    # Seasons and championships that are still to end, and evenings to come.
    Shown(lambda size: 2 * min(size.things, DUE), "evening", ["club_hand_over"]),
    # And on paper the officials, each of a tournament, a season and a championship.
    Shown(lambda size: 2 * min(size.things, DUE) + 3 * size.things, "evening", ["club_hand_over_pdf"]),
    Shown(lambda size: size.lines, "evening", "desk_log club_log".split()),
    Shown(lambda size: size.lines + size.evenings * 4 , "evening", ["club_log_file"]),
    # Evenings of a club, and what they were played by; each that is over names its first three.
    # And of the one that is played, who leads.
    Shown(lambda size: 3 * size.evenings + size.players + size.dealt, "evening", "home hall_club".split()),
    # A feed tells how a season stands as well; a club in another site's page names the evening that comes.
    Shown(lambda size: 3 * size.evenings + size.played, "evening", ["hall_feed"]),
    Shown(lambda size: size.players + size.dealt + size.evenings, "evening", "hall_club_embed hall_embed".split()),
    Shown(lambda size: size.evenings, "evening", """
        hall_follow club_files hall_calendar desk club_championship club_championship_groups club_championship_next
         club_season_evenings
    """.split()),
    Shown(lambda size: min(size.clubs * size.evenings, 100), "evening", ["api_tournaments"]),
    Shown(lambda size: 2 * size.evenings, "evening", ["club_championship_draw", "club_qualified_edit"]),
    # Every evening of a club's year, and who is entered where there are two on one day.
    Shown(lambda size: 2 * size.evenings + size.players, "evening", ["club_year", "club_year_pdf"]),
    # The ladder of a season, whose first ones qualify.
    Shown(lambda size: size.played + size.evenings, "evening", """
        club_qualified club_qualified_answer club_qualified_ask qualified_answer club_qualified_enter club_qualified_pdf
    """.split()),
    Shown(lambda size: size.played, "evening", """
        hall_season hall_season_file hall_season_clubs hall_season_clubs_file
        hall_season_results hall_results_file hall_season_embed
        api_season club_season club_season_meetings club_season_award member_data
    """.split()),
    Shown(lambda size: 2 * size.played, "evening", ["hall_season_pdf"]),
    # A person's deals, and whom they sat with: the club's regulars, at every evening and at those that are asked for.
    Shown(lambda size: 4 * size.evenings + 6 * size.deals, "evening", """
        person api_person person_evenings person_met person_with person_picture person_hands
    """.split()),
    Shown(lambda size: size.members, "evening", ["hall_rating", "hall_rating_file", "club_file", "api_club_rating"]),
    # Members who have no page are passed over; the clubs of the others are those of all their evenings.
    Shown(lambda size: size.members + size.played, "evening", ["api_persons"]),
    # Sums of the deals of each evening; a person's deals one by one.
    # What is kept of each person and year; the newest evenings with their winners.
    Shown(lambda size: size.played, "evening", "hall_history hall_records api_club_records".split()),
    Shown(lambda size: size.clubs * size.played, "evening", ["hall_clubs"]),
    # Three results of each regular of every club, and of those of the tournaments that are asked for.
    Shown(lambda size: 3 * (EACH * size.clubs + 2 * size.players), "evening", """
        hall_points hall_points_list hall_points_file hall_points_pdf api_points_list
        hall_points_clubs hall_points_clubs_file
    """.split()),
    # What is kept of every evening's places is read.
    Shown(lambda size: size.clubs * size.played, "evening", "club_points club_points_publish".split()),
    Shown(lambda size: size.played, "evening", """
        api_games api_club_games api_person_games
        hall_explorer hall_explorer_file hall_club_explorer hall_club_explorer_file
        hall_person_explorer hall_person_explorer_file
    """.split()),
    Shown(lambda size: size.evenings, "evening", ["hall_player_rating"]),
    Shown(lambda size: size.played, "over", ["hall_player_achievements"]),
    # Everybody's, and the hand of one person.
    Shown(lambda size: size.players + size.dealt + size.played, "over", """
        hall_card hall_card_share hall_card_picture hall_card_pdf
    """.split()),
]  # fmt: skip

# What a phone sends to these addresses.
SENT: dict[str, Callable[[Size], dict[str, Any]]] = {
    "captain_reports": lambda size: {
        "reports": [{"key": str(UUID(int=7)), "deal": size.deals, "base": 0, "result": {"all_passed": True}}]
    },
    "captain_agree": lambda _size: {"position": 0, "agreed": False},
    "captain_flag": lambda _size: {"kind": "call", "deal": None, "words": ""},
    "hall_phone_stop": lambda _size: {"endpoint": "https://push.example.org/x"},
    "hall_phone_told": lambda _size: {"endpoint": "https://push.example.org/x"},
    "captain_phone": lambda _size: {"phone": "a-phone"},
    "captain_first_dealer": lambda _size: {"position": 1},
}
# Asked by the program's owner, and with the token of who watches.
OWNERS = "metrics desk_status desk_letters desk_letter desk_backup desk_verify_all desk_count_anew".split()
TOKEN = "a-token"
# These refuse: the one role of the union, another dealer of a deal that is played.
REFUSED = {
    "hall_crest": 404,
    "api_nothing": 404,
    # No season here has deals chosen for its booklet.
    "hall_season_deals": 404,
    "hall_season_deals_pdf": 404,
    "hall_entry": 404,  # its address is its credential
    # Without a key: what is shown with one is looked at in tests/tournaments/api.
    **dict.fromkeys(
        "api_own_key api_own_members api_own_entries api_own_money api_own_payments api_enter_players"
        " api_own_statements api_own_counts api_own_qualified api_own_team_entries api_own_objections"
        " api_check_in_player api_report_deals".split(),
        401,
    ),
    **dict.fromkeys("program_key_end webhook_remove webhook_again club_news_hide".split(), 404),
    "role_give_up": 404,
    # No union has invited this club, nobody asks for its members.
    **dict.fromkeys("union_accept union_decline transfer_answer transfer_withdraw club_count".split(), 404),
    # Nobody here was joined with somebody, and these numbers are one person's.
    **dict.fromkeys("club_double club_double_apart club_merge_undo club_erasure_keep".split(), 404),
    # Of a union, and of a statement that is there: tests/tournaments/seasons/test_dues.py.
    "club_register_person": 404,  # of a union
    **dict.fromkeys("club_dues_fees club_dues_file club_dues_new club_dues_paid".split(), 404),
    **dict.fromkeys("club_statement club_statement_pdf".split(), 404),
    "club_sample_remove": 404,
    **dict.fromkeys("desk_objection_decide desk_objection_withdraw".split(), 404),  # nobody here objects
    "desk_fixture_wish_remove": 404,  # no team here has a wish for the season plan
    "phone_reaches": 404,
    "captain_first_dealer": 409,
    "hall_phone": 404,  # without https
    # The server tells them; what they cost is looked at in tests/bench.
    **dict.fromkeys("hall_events captain_events".split(), 204),
    # On no machine of Spadille's own: what is shown of one is looked at in tests/tournaments/desk.
    **dict.fromkeys("desk_machine desk_machine_poster".split(), 404),
    "hall_phone_ask": 400,  # what a phone says of itself is looked at in tests/tournaments/changes/push
    "phone_moved": 400,
    "mail_stop": 404,
    "desk_letter": 404,  # each letter here is a club's
    # Nobody here has a second factor, nor a letter that asks for an address.
    "address_confirm": 404,
    "mfa_deactivate_totp": 404,
    "mfa_edit_webauthn": 404,
    "mfa_remove_webauthn": 404,
    "mfa_view_recovery_codes": 404,
}

# Lists that one chooses from, and why they may be longer: everything else that there may be many of is sought.
LISTS = {
    "desk_fixtures": "the teams",
    "desk_fixture_wish": "the teams",
    "team_objections": "the rounds of one tournament",
    "hall_clubs": "the clubs of a union",
    "hall_follow": "the newest twelve seasons",
    "desk_add_members": "the clubs of a union",
    "desk_officials": "who has a role in the club, or in the clubs of a union",
    "club_season_officials": "the same",
    "club_championship_officials": "the same",
    "desk_print": "the tables of a round, any of which can be printed alone",
    "tournament_setup": "the seasons of a club, one or two a year",
    "tournament_new": "the newest thirty tournaments",
    "club_season_new": "the newest thirty evenings",
    "club_season_edit": "the newest thirty evenings",
    "club_qualified_edit": "the newest thirty tournaments",
    "club_log": "the newest hundred tournaments",
    "referee": "rulebooks, and what clubs have of their own",
    "referee_home": "the same",
}

# Rows that are read or inserted in batches of this size, a query each.
BATCHES = {"club_log_file": 500, "club_register_number": 300, "club_doubles": 2000}

# Function calls that a row may cost where it is more than elsewhere: rows of PDFs, and rows that hold a small page.
DEAR_ROWS = {
    "club_rules": 6000,  # what a club's rules of its own change
    "desk_boards_folders": 6000,  # a table's folders with their cards
    "desk_late": 2200,  # a late report beside what is stored, with the choices
    "desk_list_print": 6000,
    "desk_print": 2200,
}

# Not right yet, and why it may still stand out.
LATER: dict[str, str] = {}
