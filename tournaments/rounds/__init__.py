"""A tournament's life: draw, start, close, reopen, finish. One function a step, each all or nothing.

Every function takes the account that asks and the time, writes the log, and raises `NotPossible` with a
sentence for the organiser. Whoever comes second with the same wish is told so; nothing happens twice.
"""

from tournaments.rounds.byes import sit_in, sit_in_cost
from tournaments.rounds.drawing import (
    discard_draw,
    draw,
    draw_quality,
    fit_drawn_rounds,
    laid_out,
    rounds_drawn_at_once,
    seats_drawn,
    swap,
    swap_changes,
    swap_cost,
    take_seats,
)
from tournaments.rounds.ending import finish, reopen_tournament, still_to_play, why_not_finish
from tournaments.rounds.late import has_chairs_for_late, sit_at_threes
from tournaments.rounds.lineups import (
    free_for,
    line_up,
    line_ups_in_play,
    line_ups_to_come,
    new_team_link,
    seats_of,
    why_not,
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
from tournaments.rounds.playing import close_round, missing_at, missing_in, reopen_round, start_round
from tournaments.rounds.rulings import cancel_penalty, penalise
from tournaments.rounds.tables import end_table_early, resume_table, revoke_link
from tournaments.rounds.wishes import keep_apart, let_meet

__all__ = [
    "award",
    "cancel_penalty",
    "close_round",
    "discard_draw",
    "draw",
    "draw_quality",
    "end_match",
    "end_table_early",
    "finish",
    "fit_drawn_rounds",
    "free_for",
    "has_chairs_for_late",
    "keep_apart",
    "laid_out",
    "let_meet",
    "line_up",
    "line_ups_in_play",
    "line_ups_to_come",
    "missing_at",
    "missing_in",
    "new_team_link",
    "penalise",
    "play_with_its_round",
    "postpone",
    "reopen_round",
    "reopen_tournament",
    "resume_match",
    "resume_table",
    "revoke_link",
    "rounds_drawn_at_once",
    "seats_drawn",
    "seats_of",
    "set_dates",
    "sit_at_threes",
    "sit_in",
    "sit_in_cost",
    "start_round",
    "still_to_play",
    "swap",
    "swap_changes",
    "swap_cost",
    "take_award_back",
    "take_seats",
    "why_not",
    "why_not_finish",
]
