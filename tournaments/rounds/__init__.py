"""A tournament's life: draw, start, close, reopen, finish. One function a step, each all or nothing.

Every function takes the account that asks and the time, writes the log, and raises `NotPossible` with a
sentence for the organiser. Whoever comes second with the same wish is told so; nothing happens twice.
"""

from tournaments.rounds.byes import sit_in
from tournaments.rounds.drawing import (
    discard_draw,
    draw,
    fit_drawn_rounds,
    five_are_here,
    laid_out,
    rounds_drawn_at_once,
)
from tournaments.rounds.ending import (
    finish,
    finish_what_is_due,
    hear_objections,
    post,
    reopen_tournament,
    still_to_play,
    why_not_finish,
)
from tournaments.rounds.late import (
    came_late,
    get_up,
    has_chairs_for_late,
    sit_at_threes,
    sit_down_late,
    smallest_change,
    tables_waiting,
    why_no_chair,
    without_seat,
)
from tournaments.rounds.match_rulings import (
    award,
    end_match,
    play_with_its_round,
    postpone,
    resume_match,
    set_dates,
    take_award_back,
)
from tournaments.rounds.mending import can_mend, mend_tables
from tournaments.rounds.planning import draw_quality, prices_before, seats_drawn, shares_threes
from tournaments.rounds.playing import (
    close_round,
    missing_at,
    missing_in,
    reopen_round,
    start_round,
    take_start_back,
    why_start_stays,
)
from tournaments.rounds.rulings import cancel_penalty, penalise
from tournaments.rounds.substitutes import (
    first_deal_for,
    free_to_play,
    is_newest_there,
    play_on_for,
    take_substitute_back,
)
from tournaments.rounds.swapping import swap, swap_changes, take_seats
from tournaments.rounds.tables import end_table_early, resume_table, revoke_link
from tournaments.rounds.wishes import keep_apart, let_meet
from tournaments.teams.lineups import (
    captains_choice,
    free_for,
    line_up,
    line_ups_in_play,
    line_ups_to_come,
    new_team_link,
    seats_of,
    why_not,
)

__all__ = [
    "award",
    "came_late",
    "can_mend",
    "cancel_penalty",
    "captains_choice",
    "close_round",
    "discard_draw",
    "draw",
    "draw_quality",
    "end_match",
    "end_table_early",
    "finish",
    "finish_what_is_due",
    "first_deal_for",
    "fit_drawn_rounds",
    "five_are_here",
    "free_for",
    "free_to_play",
    "get_up",
    "has_chairs_for_late",
    "hear_objections",
    "is_newest_there",
    "keep_apart",
    "laid_out",
    "let_meet",
    "line_up",
    "line_ups_in_play",
    "line_ups_to_come",
    "mend_tables",
    "missing_at",
    "missing_in",
    "new_team_link",
    "penalise",
    "play_on_for",
    "play_with_its_round",
    "post",
    "postpone",
    "prices_before",
    "reopen_round",
    "reopen_tournament",
    "resume_match",
    "resume_table",
    "revoke_link",
    "rounds_drawn_at_once",
    "seats_drawn",
    "seats_of",
    "set_dates",
    "shares_threes",
    "sit_at_threes",
    "sit_down_late",
    "sit_in",
    "smallest_change",
    "start_round",
    "still_to_play",
    "swap",
    "swap_changes",
    "tables_waiting",
    "take_award_back",
    "take_seats",
    "take_start_back",
    "take_substitute_back",
    "why_no_chair",
    "why_not",
    "why_not_finish",
    "why_start_stays",
    "without_seat",
]
