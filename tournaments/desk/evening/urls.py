"""The desk while play goes on: its addresses."""

from django.urls import path

from tournaments.desk.evening import (
    board,
    clock,
    codes,
    deal,
    finishing,
    late,
    links,
    log,
    now,
    penalties,
    rounds,
    table,
)
from tournaments.web.paths import DEAL, DESK, ROUND, TABLE

urlpatterns = [
    *finishing.urlpatterns,
    path(f"{DESK}now/", now.desk_now, name="desk_now"),
    *clock.urlpatterns,
    path(f"{DESK}board/", board.desk_board, name="desk_board"),
    path(ROUND, board.desk_board, name="desk_round"),
    path(f"{ROUND}start/", rounds.desk_start_round, name="desk_start_round"),
    path(f"{ROUND}start/back/", rounds.desk_take_start_back, name="desk_take_start_back"),
    path(f"{ROUND}close/", rounds.desk_close_round, name="desk_close_round"),
    path(f"{ROUND}reopen/", rounds.desk_reopen_round, name="desk_reopen_round"),
    path(TABLE, table.desk_table, name="desk_table"),
    path(f"{TABLE}first-dealer/", table.desk_first_dealer, name="desk_first_dealer"),
    path(f"{TABLE}agree/", table.desk_agree_all, name="desk_agree_all"),
    path(f"{TABLE}agree/<int:position>/", table.desk_agree, name="desk_agree"),
    path(f"{TABLE}flag/<int:flag>/settle/", table.desk_settle_flag, name="desk_settle_flag"),
    path(f"{TABLE}resume/", table.desk_resume_table, name="desk_resume_table"),
    path(f"{TABLE}late/set-aside/", table.desk_set_all_aside, name="desk_set_all_aside"),
    path(f"{TABLE}late/<int:kept>/take-in/", table.desk_take_in, name="desk_take_in"),
    path(f"{TABLE}late/<int:kept>/set-aside/", table.desk_set_aside, name="desk_set_aside"),
    path(f"{TABLE}late/<int:kept>/wait-again/", table.desk_wait_again, name="desk_wait_again"),
    path(f"{TABLE}end/", links.desk_end_table, name="desk_end_table"),
    path(f"{TABLE}link/", links.desk_link, name="desk_link"),
    path(f"{TABLE}link/replace/", links.desk_revoke_link, name="desk_revoke_link"),
    path(f"{TABLE}totals/", deal.desk_totals, name="desk_totals"),
    path(DEAL, deal.desk_deal, name="desk_deal"),
    path(f"{DEAL}ruling/", deal.desk_ruling, name="desk_ruling"),
    path(f"{DEAL}take-back/", deal.desk_take_back, name="desk_take_back"),
    path(f"{DESK}late/", late.desk_late, name="desk_late"),
    path(f"{DESK}code/", codes.desk_codes, name="desk_codes"),
    path(f"{DESK}code/take-in/", codes.desk_take_in_codes, name="desk_take_in_codes"),
    path(f"{DESK}penalties/", penalties.desk_penalties, name="desk_penalties"),
    path(
        f"{DESK}penalties/<int:penalty>/cancel/",
        penalties.desk_cancel_penalty,
        name="desk_cancel_penalty",
    ),
    path(f"{DESK}log/", log.desk_log, name="desk_log"),
    path(f"{DESK}log/verify/", log.desk_verify, name="desk_verify"),
]
