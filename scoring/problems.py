"""Problems of a report: code, field, text, and the paragraph of the rules that is broken.

All rules texts (`scoring/rules/`) use the same numbers for their paragraphs, so a problem has one paragraph.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from scoring.words import _


class Problem(NamedTuple):
    """A problem of a report, or a warning about what is legal but rare. `text` is English with `{params}`."""

    code: str
    field: str
    paragraph: str
    text: str
    params: dict[str, Any]
    is_warning: bool = False


class _Row(NamedTuple):
    field: str
    paragraph: str
    text: str
    is_warning: bool = False


REPORT_PROBLEMS = {
    # all passed
    "washout_must_bid": _Row(
        "all_passed", "4.1", _("Under these rules someone must bid: a deal cannot be passed out.")
    ),
    "washout_mort": _Row("all_passed", "3.6", _("After three passes the fourth player plays mort.")),
    "washout_forced": _Row("all_passed", "4.1", _("When all pass, {contract} must be played.")),
    "washout_with_more": _Row("all_passed", "4.1", _("If all passed, there is nothing else to report.")),
    # contract and declarer
    "contract_missing": _Row("contract", "3.1", _("Say which contract was played, or that all passed.")),
    "contract_unknown": _Row("contract", "3.1", _("These rules have no contract called “{contract}”.")),
    "contract_not_agreed": _Row("contract", "3.5", _("{contract} is not played by this tournament’s rules.")),
    "contract_needs_four": _Row("contract", "3.6", _("{contract} needs four players at the table.")),
    "declarer_missing": _Row("declarer", "3.2", _("Say who was declarer.")),
    "declarer_sits_out": _Row("declarer", "3.2", _("{seat} sits out this deal and cannot be declarer.")),
    "declarer_not_fourth": _Row(
        "declarer", "3.6", _("{contract} is played by the player who otherwise sits out, not by {seat}.")
    ),
    "declarer_not_forehand": _Row("declarer", "3.2", _("Only eldest plays {contract}, not {seat}.")),
    "declarer_not_last": _Row(
        "declarer",
        "3.1",
        _("Only the last player, when the others have passed, plays {contract}, not {seat}."),
    ),
    # trump
    "trump_none": _Row("trump", "3.3", _("There is no trump suit in {contract}.")),
    "trump_not_in_pack": _Row("trump", "1.4", _("There are no {suit} in the pack.")),
    "trump_must_be_spades": _Row("trump", "3.3", _("{contract} is played in spades, not in {suit}.")),
    "solo_in_spades": _Row(
        "trump",
        "3.4",
        _("A solo in spades: was it declared as a spade solo? That has another price."),
        is_warning=True,
    ),
    # tricks and outcome
    "tricks_out_of_range": _Row(
        "tricks", "5.1", _("A player takes from 0 to {most} tricks; {seat} cannot have {tricks}.")
    ),
    "tricks_sum": _Row("tricks", "5.1", _("The tricks add up to {sum}; there are {all}.")),
    "tricks_of_nobody": _Row("tricks", "5.1", _("{seat} sits out this deal and takes no tricks.")),
    "tricks_undecided": _Row(
        "tricks",
        "5.2",
        _("These tricks do not decide the deal yet: say whether it was won, bête or kodille."),
    ),
    "tricks_needed": _Row("tricks", "6.3", _("Say how many tricks the declarer took: each one costs.")),
    "tricks_to_come": _Row(
        "tricks",
        "5.4",
        _("Every trick in {contract} costs, so it is played to the end: give all the tricks."),
    ),
    "outcome_missing": _Row("outcome", "5.2", _("Say how the deal ended: won, bête or kodille.")),
    "outcome_disagrees": _Row(
        "outcome",
        "5.2",
        _("The outcome is given as {outcome}, but what else is reported makes it {possible}."),
    ),
    "claimed_after_disagrees": _Row(
        "claimed_after", "5.2", _("Play stopped after {claimed} tricks, but the tricks add up to {sum}.")
    ),
    "first_five_by_disagrees": _Row(
        "first_five_by", "5.7", _("{seat} cannot have won the first five tricks with {tricks} in all.")
    ),
    "winner_missing": _Row("won_by", "5.3", _("Say who won the kodille, or how many tricks each took.")),
    "winner_disagrees": _Row("won_by", "5.3", _("The kodille was won by {seats}.")),
    "winner_not_here": _Row(
        "won_by", "5.3", _("There is no kodille here for which a single opponent is paid.")
    ),
    "partner_missing": _Row("partner", "3.2", _("Say who held the king that was called.")),
    "partner_not_here": _Row("partner", "3.2", _("The declarer has no partner in {contract}.")),
    "partner_by_nobody": _Row("partner", "3.2", _("{seat} cannot be the declarer’s partner.")),
    # tout and first five
    "tout_not_here": _Row("tout", "5.6", _("There is no tout to announce by these rules.")),
    "vole_needs_first_five": _Row(
        "tout", "5.6", _("The vole is tried by a declarer who won the first five tricks.")
    ),
    "vole_not_failed": _Row(
        "tout", "5.6", _("A player who bid {contract} must play on and cannot miss the vole.")
    ),
    "bonus_not_here": _Row("bonus_bid", "5.8", _("{bonus} cannot be bid in {contract}.")),
    "bonus_only_one": _Row(
        "bonus_bid", "5.8", _("By this tournament’s rules there is one bonus bid at most.")
    ),
    "bonus_open": _Row(
        "tricks",
        "5.8",
        _("The remaining tricks decide a bonus: play on, or give the final tricks."),
    ),
    "bonus_undecided": _Row(
        "tricks",
        "5.8",
        _("{bonus} was bid but, as reported, not made. Is that right?"),
        is_warning=True,
    ),
    "tout_in_nolo": _Row("tout", "5.6", _("There is no tout in {contract}.")),
    "tout_needs_nine": _Row("tout", "5.6", _("A tout is won only with all the tricks.")),
    "tout_was_won": _Row("tout", "5.6", _("With all tricks the tout is won, not failed.")),
    "tout_without_first_five": _Row(
        "tout", "5.6", _("The tout cannot be won: {seat} won the first five tricks.")
    ),
    "tout_undecided": _Row(
        "tout", "5.6", _("Leading to the sixth trick is a try for tout: say whether it was won.")
    ),
    "five_first_not_agreed": _Row(
        "five_first", "5.7", _("There is no bonus for the first five tricks by this tournament’s rules.")
    ),
    "five_first_in_nolo": _Row(
        "five_first", "5.7", _("Nobody declares the first five tricks in {contract}.")
    ),
    "five_first_needs_five": _Row(
        "five_first", "5.7", _("The first five tricks are not won with {tricks} in all.")
    ),
    "five_first_disagrees": _Row(
        "five_first", "5.7", _("The report on the first five tricks contradicts itself.")
    ),
    # giving up and fouls
    "abandoned_not_allowed": _Row("abandoned", "4.5", _("{contract} cannot be given up.")),
    "abandoned_too_late": _Row(
        "abandoned",
        "4.5",
        _("A hand can only be given up before the declarer plays a card to trick {trick}."),
    ),
    "abandoned_with_more": _Row(
        "abandoned", "4.5", _("A hand that is given up is not played: leave out tricks, tout and foul.")
    ),
    "surrender_missing": _Row(
        "abandoned",
        "4.5",
        _("Someone accepted a surrender or took over the hand: also say that the hand was given up."),
    ),
    "surrender_not_accepted": _Row(
        "accepted_by", "4.5", _("The hand is given up only if all opponents accept: {seats}.")
    ),
    "takeover_not_here": _Row("takeover", "4.5", _("{contract} cannot be taken over.")),
    "takeover_by_nobody": _Row("takeover", "4.5", _("{seat} is not an opponent and cannot take over.")),
    "foul_not_priced": _Row(
        "foul", "4.4", _("These rules set no price for a fouled exchange: the organiser decides.")
    ),
    "foul_by_nobody": _Row("foul", "4.4", _("{seat} sits out this deal and does not exchange cards.")),
    "foul_with_more": _Row(
        "foul",
        "4.4",
        _(
            "A fouled exchange ends the deal: leave out tricks and tout, and, if the declarer "
            "fouled, who joined."
        ),
    ),
    # joined nolo
    "joined_not_here": _Row("joined", "7.1", _("Nobody can join {contract} under this tournament’s rules.")),
    "joined_by_declarer": _Row("joined", "7.1", _("{seat} is the declarer and cannot join too.")),
    "joined_not_agreed": _Row(
        "joined",
        "7.4",
        _("Under this tournament’s rules only the fourth player may join; {seat} is a defender."),
    ),
    "fourth_must_join": _Row("joined", "7.1", _("In {contract} the fourth player, {seat}, must join.")),
    "joined_tricks_needed": _Row("tricks", "7.2", _("Say how many tricks {seat} took after joining in.")),
    "idle_abandoned_not_joined": _Row(
        "idle_abandoned", "7.3", _("Only a fourth player who joined a nolo can give up that hand.")
    ),
    "idle_abandoned_with_tricks": _Row(
        "idle_abandoned", "7.3", _("{seat} gave up before play and takes no tricks.")
    ),
    # other agreements
    "repeat_not_agreed": _Row(
        "exchange_repeated",
        "4.6",
        _("The exchange is not repeated in {contract} under this tournament’s rules."),
    ),
    "aces_not_agreed": _Row(
        "aces", "3.8", _("Three or four aces earn nothing in {contract} under this tournament’s rules.")
    ),
    # pool, estuches and the card turned
    "pool_missing": _Row(
        "pool", "6.5", _("Say how many tokens were in the pool, including this deal’s ante.")
    ),
    "pool_range": _Row("pool", "6.5", _("A pool has from 0 to {most} tokens.")),
    "pool_not_here": _Row("pool", "6.5", _("These rules have no pool.")),
    "pool_odd": _Row(
        "pool", "6.5", _("The ante alone is {ante}. Was there less in the pool?"), is_warning=True
    ),
    "estuches_missing": _Row(
        "estuches", "6.6", _("Say how many top trumps in sequence the declarer held or lacked.")
    ),
    "estuches_range": _Row("estuches", "6.6", _("There can be 1 to {most} estuches.")),
    "estuches_not_agreed": _Row(
        "estuches", "6.6", _("Estuches are not counted under this tournament’s rules.")
    ),
    "turned_not_here": _Row("turned", "3.3", _("No card is turned up in {contract}.")),
    "turned_disagrees": _Row("turned", "3.3", _("The card turned up makes {suit} trumps.")),
    "matadors_not_agreed": _Row(
        "nine_matadors",
        "6.6",
        _("Nine matadors are not recorded in {contract} under this tournament’s rules."),
    ),
    "matadors_of_nobody": _Row("nine_matadors", "6.6", _("{seat} holds no cards in this deal.")),
    # exchange counts
    "exchange_count": _Row(
        "declarer", "4.3", _("The declarer exchanges from {least} to {most} cards here, not {taken}.")
    ),
    "exchange_by_defenders": _Row("defenders", "4.3", _("The defenders do not exchange cards here.")),
    "exchange_talon": _Row(
        "defenders", "4.3", _("{taken} cards cannot be exchanged: {left} are left in the talon.")
    ),
    # warnings, which the captain confirms
    "rare_contract": _Row("contract", "3.1", _("{contract} is rare. Is that right?"), is_warning=True),
    "rare_tout": _Row("tout", "5.6", _("A tout is rare. Is that right?"), is_warning=True),
    "rare_matadors": _Row(
        "nine_matadors", "6.6", _("Nine matadors are rare. Is that right?"), is_warning=True
    ),
    "rare_tricks": _Row(
        "tricks", "5.1", _("Such numbers of tricks are rare. Are they right?"), is_warning=True
    ),
}


def problem(code: str, rulebook: str, **params: Any) -> Problem:
    """The problem of this code, with the paragraph of this rulebook."""
    row = REPORT_PROBLEMS[code]
    return Problem(code, row.field, f"{rulebook} §{row.paragraph}", row.text, params, row.is_warning)
