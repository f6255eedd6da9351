"""The manual as pages, for everyone: the target of each page's “?”."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from django.http import Http404
from django.shortcuts import render
from django.urls import path
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_safe
def manual(request: HttpRequest) -> HttpResponse:
    parts = [(part, [(name, chapter(name).title) for name in chapters]) for part, chapters in PARTS.items()]
    return render(request, "web/manual.html", {"parts": parts})


@require_safe
def manual_chapter(request: HttpRequest, chapter_name: str) -> HttpResponse:
    if not any(chapter_name in chapters for chapters in PARTS.values()):
        raise Http404
    return render(
        request,
        "web/manual_chapter.html",
        {"chapter": chapter(chapter_name), "is_captains": chapter_name == "captain"},
    )


urlpatterns = [
    path("manual/", manual, name="manual"),
    path("manual/<slug:chapter_name>/", manual_chapter, name="manual_chapter"),
]


# The manual: a chapter for each page of the program, in `docs/manual` (Danish in `docs/manual/da`), behind its “?”.

FOLDER = Path(__file__).parents[2] / "docs/manual"

# Every chapter, as they stand in the manual, with the names of the URLs whose pages it is about.
PARTS = {
    _("Before the evening"): {
        "desk": "desk desk_first desk_find club_sample_remove",
        "club": "clubs club club_new club_edit club_crest club_crest_remove club_unions",
        "members": "member_new member member_edit member_leave member_return member_erase club_erased import_upload"
        " import_columns import_dry_run member_same club_transfers club_register club_count"
        " club_dues club_dues_fees club_dues_new club_statement"
        " member_main club_register_person club_doubles club_double club_merge_undo"
        " club_erasures",
        "helpers": "club_roles role_new role_change role_remove role_password role_give_up official_give_up"
        " desk_officials"
        " club_season_officials club_championship_officials",
        "setup": "tournament_new club_tonight club_tonight_set_up desk_repeat tournament_setup desk_rules_version"
        " desk_halls",
        "own-rules": "club_rules club_rules_new club_rules_set club_rules_edit club_rules_delete",
    },
    _("The evening"): {
        "overview": "desk_tournament desk_call_off",
        "players": "desk_entries desk_add_members desk_add_guest desk_entry desk_withdraw desk_rename_guest",
        "entering": "desk_from_home desk_from_home_set_up desk_from_home_decline_all desk_application desk_invite"
        " desk_invite_member",
        "check-in": "desk_check_in desk_mark_all desk_door desk_list desk_list_taken",
        "draw": "desk_draw desk_draw_and_print desk_draw_explained desk_discard_draw desk_swap desk_apart"
        " desk_substitute desk_sit_late desk_mend",
        "print": "desk_print desk_print_ask",
        "tables": "desk_board desk_round desk_start_round desk_take_start_back desk_close_round"
        " desk_reopen_round desk_seat_late desk_get_up",
        "table": "desk_table desk_deal desk_ruling desk_take_back desk_slip desk_totals desk_folder desk_seats"
        " desk_seats_change desk_play_on desk_end_table desk_link desk_revoke_link desk_remove_photograph",
        "paper": "desk_paper desk_paper_table",
        "clock": "desk_clock",
        "late": "desk_late desk_codes desk_take_in_codes",
        "penalties": "desk_penalties desk_cancel_penalty desk_objections_made desk_objection_new desk_objection_decide"
        " desk_objection_withdraw",
        "finish": "desk_finish desk_objections desk_reopen",
        "money": "desk_money desk_money_list",
        "captain": "captain_code team_line_up team_start_match team_match_day team_result"
        " team_objections",
    },
    _("Teams, boards, seasons"): {
        "teams": "desk_teams desk_groups desk_all_meet desk_earlier_teams desk_team desk_withdraw_team desk_dissolve"
        " desk_team_entries desk_team_entries_set desk_team_entry_links desk_team_entry desk_team_entry_accept"
        " desk_team_entry_decline desk_team_entry_rule desk_team_entry_withdraw team_entries team_entry"
        " desk_team_entry_back desk_team_entry_dissolve"
        " club_team_tournaments club_team_entries club_team_entry",
        "matches": "desk_matches desk_round_mail desk_days desk_match desk_line_up desk_postpone desk_award"
        " desk_team_link desk_end_match desk_own_days desk_start_match desk_match_start_back desk_fixtures"
        " desk_fixture_wish desk_fixture_wish_remove",
        "boards": "desk_boards desk_boards_analyse desk_boards_anew desk_boards_column",
        "seasons": "club_hand_over club_year club_seasons club_season club_season_meetings club_season_new"
        " club_season_edit club_season_delete"
        " club_season_evenings club_season_award club_season_yearbook club_season_deals"
        " club_season_deals_choose",
        "points": "club_points club_points_edit club_points_publish hall_points hall_points_list",
        "web-site": "club_site",
        "old-results": "club_old club_old_new club_old_import club_old_columns club_old_store",
        "championships": "club_championships club_championship club_championship_new club_championship_edit"
        " club_championship_delete club_championship_groups club_championship_next"
        " club_championship_move_up club_championship_draw"
        " club_qualified club_qualified_edit club_qualified_answer club_qualified_enter"
        " club_qualified_ask qualified_answer",
    },
    _("In the hall"): {
        "hall": "home hall_club hall",
        "enter": "hall_enter hall_entry hall_code",
        "seats": "seats",
        "phone": "hall_phone",
        "standings": "standings desk_standings hall_players hall_team hall_cross_table hall_player hall_player_rating"
        " hall_player_achievements hall_rating hall_season hall_season_deals hall_championship"
        " hall_tournament_clubs hall_season_clubs hall_points_clubs",
        "sheets": "hall_tables hall_round hall_table hall_matches hall_boards hall_boards_round hall_folder"
        " hall_folder_play",
        "story": "hall_story hall_story_of",
        "share": "hall_share hall_story_share hall_player_share",
        "follow": "hall_follow hall_club_embed hall_season_embed hall_embed club_files",
        "cards": "hall_cards hall_card hall_card_share person_hands",
        "person": "person person_evenings person_met person_with",
        "history": "hall_history hall_records hall_clubs",
        "explorer": "hall_explorer hall_club_explorer hall_person_explorer",
        "projector": "projector desk_wall",
        "rules": "rules_index rules_sheet rules_text hall_rules hall_referee referee referee_home",
    },
    _("The machine"): {
        "hall-check": "hall_check phone_reaches",
        "letters": "club_letters club_letter club_letter_trial club_news mail_stop",
        "account": "my_account login password password_own role_answer account_login account_reauthenticate"
        " password_forgotten own_address own_sessions address_confirm mfa_reauthenticate"
        " mfa_reauthenticate_webauthn mfa_authenticate mfa_index mfa_activate_totp mfa_deactivate_totp"
        " mfa_view_recovery_codes mfa_generate_recovery_codes mfa_list_webauthn mfa_add_webauthn"
        " mfa_edit_webauthn mfa_remove_webauthn",
        "backup": "desk_backup desk_verify_all desk_count_anew",
        "machine": "desk_machine desk_machine_poster",
        "watching": "desk_status desk_letters desk_letter",
        "log": "desk_log desk_verify club_log",
        "long-work": "desk_jobs desk_job",
        "programs": "club_programs program_key_new webhook_new api_about",
        "look": "design",
    },
}  # fmt: skip
CHAPTER_OF = {
    name: chapter
    for chapters in PARTS.values()
    for chapter, names in chapters.items()
    for name in names.split()
}


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter's title, its text, and the language of both."""

    title: str
    html: SafeString
    language: str


def chapter(name: str) -> Chapter:
    """A chapter of PARTS in the reader's language, or in English where it has no other."""
    language = get_language() or "en"
    return _read(name, language if (FOLDER / language / f"{name}.md").exists() else "en")


@cache
def _read(name: str, language: str) -> Chapter:
    folder = FOLDER if language == "en" else FOLDER / language
    title, _line, text = (folder / f"{name}.md").read_text(encoding="utf-8").partition("\n")
    from markdown_it import MarkdownIt  # noqa: PLC0415 - large, and seldom needed: not while the program starts

    html = MarkdownIt("commonmark", {"html": False}).render(text)
    # The text is the program's own, and the reader lets no HTML in it through.
    return Chapter(title.removeprefix("# "), mark_safe(html), language)  # noqa: S308
