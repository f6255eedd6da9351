"""The desk while play goes on: its addresses."""

from django.urls import path

from tournaments.views import (
    desk_board,
    desk_codes,
    desk_deal,
    desk_late,
    desk_links,
    desk_log,
    desk_penalties,
    desk_rounds,
    desk_table,
)
from tournaments.views.paths import DEAL, DESK, ROUND, TABLE

urlpatterns = [
    path(f"{DESK}board/", desk_board.desk_board, name="desk_board"),
    path(ROUND, desk_board.desk_board, name="desk_round"),
    path(f"{ROUND}start/", desk_rounds.desk_start_round, name="desk_start_round"),
    path(f"{ROUND}start/back/", desk_rounds.desk_take_start_back, name="desk_take_start_back"),
    path(f"{ROUND}close/", desk_rounds.desk_close_round, name="desk_close_round"),
    path(f"{ROUND}reopen/", desk_rounds.desk_reopen_round, name="desk_reopen_round"),
    path(f"{DESK}finish/", desk_rounds.desk_finish, name="desk_finish"),
    path(f"{DESK}reopen/", desk_rounds.desk_reopen, name="desk_reopen"),
    path(TABLE, desk_table.desk_table, name="desk_table"),
    path(f"{TABLE}first-dealer/", desk_table.desk_first_dealer, name="desk_first_dealer"),
    path(f"{TABLE}agree/", desk_table.desk_agree_all, name="desk_agree_all"),
    path(f"{TABLE}agree/<int:position>/", desk_table.desk_agree, name="desk_agree"),
    path(f"{TABLE}flag/<int:flag>/settle/", desk_table.desk_settle_flag, name="desk_settle_flag"),
    path(f"{TABLE}resume/", desk_table.desk_resume_table, name="desk_resume_table"),
    path(f"{TABLE}late/set-aside/", desk_table.desk_set_all_aside, name="desk_set_all_aside"),
    path(f"{TABLE}late/<int:kept>/take-in/", desk_table.desk_take_in, name="desk_take_in"),
    path(f"{TABLE}late/<int:kept>/set-aside/", desk_table.desk_set_aside, name="desk_set_aside"),
    path(f"{TABLE}late/<int:kept>/wait-again/", desk_table.desk_wait_again, name="desk_wait_again"),
    path(f"{TABLE}end/", desk_links.desk_end_table, name="desk_end_table"),
    path(f"{TABLE}link/", desk_links.desk_link, name="desk_link"),
    path(f"{TABLE}link/replace/", desk_links.desk_revoke_link, name="desk_revoke_link"),
    path(f"{TABLE}totals/", desk_deal.desk_totals, name="desk_totals"),
    path(DEAL, desk_deal.desk_deal, name="desk_deal"),
    path(f"{DEAL}ruling/", desk_deal.desk_ruling, name="desk_ruling"),
    path(f"{DEAL}take-back/", desk_deal.desk_take_back, name="desk_take_back"),
    path(f"{DESK}late/", desk_late.desk_late, name="desk_late"),
    path(f"{DESK}code/", desk_codes.desk_codes, name="desk_codes"),
    path(f"{DESK}code/take-in/", desk_codes.desk_take_in_codes, name="desk_take_in_codes"),
    path(f"{DESK}penalties/", desk_penalties.desk_penalties, name="desk_penalties"),
    path(
        f"{DESK}penalties/<int:penalty>/cancel/",
        desk_penalties.desk_cancel_penalty,
        name="desk_cancel_penalty",
    ),
    path(f"{DESK}log/", desk_log.desk_log, name="desk_log"),
]
