"""Seat plans for tournaments: plain numbers in, plain tuples out, no database.

    planner.plan(27, 4, seed=2024)                                    the event
    planner.plan_next(present, 1, seed=…, history=played, total=4)    the next round, for those present
    swiss.plan_by_standings(ranking, seed=…, history=played)          the next round, neighbours together
    swiss.plan_by_lot(present, 1, seed=…, history=played)             by lot alone
    swiss.plan_as_given(rounds, present)                              as the organiser enters it
    quality.quality(rounds, groups)                                   measures of a plan
    quality.swap_changes(rounds, 2, p)                                the price of every swap of a player

A draw is published with its seed: the same seed and input give the same plan on any machine.
"""
