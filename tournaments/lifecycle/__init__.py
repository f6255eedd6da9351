"""A tournament's life: create, register, draw, play, change seats, rule, finish, mail, pay.

Functions that change a tournament take the account and the time, run in one transaction, write the log, and raise
`NotPossible` with a sentence for the organiser. A step that was already taken is refused, so nothing happens twice.
"""
