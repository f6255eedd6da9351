"""Checks of a report: each function applies one paragraph of the rules and adds the problems that it finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.cards import Kind, trump_order
from scoring.family_rules import Surrender
from scoring.outcomes import BY_NAME, TRICKS, Outcome, tout_tried
from scoring.problems import Problem, problem
from scoring.report_case import FAMILIES, Case, make_case, may_join
from scoring.results import MOST_TOKENS, PLAIN_FIELDS, DealResult
from scoring.rulebook import FIRST_FIVE, Trumps
from scoring.seats import PLAYING, Role

if TYPE_CHECKING:
    from scoring.rulebook import Rulebook


# The number of trumps in a red suit; a black suit has one fewer.
_MOST_TRUMPS = 12


def check_trump(case: Case) -> None:
    """Check the trump suit: present where the contract has one, in the pack, and allowed for the contract."""
    trump, contract = case.result.trump, case.contract
    if contract.trumps is Trumps.NONE:
        case.blame("trump_none", contract=contract.id)
    elif f"{trump}K" not in case.rulebook.pack.cards:
        case.blame("trump_not_in_pack", suit=trump)
    elif contract.trumps is Trumps.SPADES and trump != "S":
        case.blame("trump_must_be_spades", contract=contract.id, suit=trump)
    elif contract.asks_about_spades and trump == "S":
        case.blame("solo_in_spades")


def check_given_up(case: Case) -> None:
    """Check that the declarer could give up, in time, and that the report has no result of play as well."""
    result, contract = case.result, case.contract
    if not result.abandoned:
        return
    if not contract.may_be_abandoned:
        case.blame("abandoned_not_allowed", contract=contract.id)
    last = case.rulebook.play.give_up_before
    late = result.declarer_has_played and last == 1
    before = last if result.before_trick is None else result.before_trick
    if late or not 1 <= before <= last:
        case.blame("abandoned_too_late", trick=last)
    if result.foul or (case.gave_up and (result.joined or _was_played(result))):
        case.blame("abandoned_with_more")


def check_surrender(case: Case) -> None:
    """Check the opponents' answer to a surrender: accepted by all who must accept, or taken over by one of them."""
    result, contract = case.result, case.contract
    needs_both = case.counted_as.surrender is Surrender.ACCEPTED
    if needs_both and result.accepted_by and set(result.accepted_by) != set(case.defenders):
        case.blame("surrender_not_accepted", seats=case.defenders)
    has_answer = result.before_trick is not None or result.accepted_by or result.takeover
    if has_answer and not result.abandoned:
        case.blame("surrender_missing")
    if result.takeover is None:
        return
    if case.counted_as.surrender is not Surrender.TAKE_OVER:
        case.blame("takeover_not_here", contract=contract.id)
    elif result.takeover is result.declarer or result.takeover not in PLAYING[case.players]:
        case.blame("takeover_by_nobody", seat=result.takeover)


def check_turned(case: Case) -> None:
    """Check that a turned card is reported only where one is turned, and has the suit of the trumps."""
    turned, trump = case.result.turned, case.result.trump
    if turned is None:
        return
    if case.contract.trumps is not Trumps.TURNED:
        case.blame("turned_not_here", contract=case.contract.id)
    elif trump and turned[0] != trump:
        case.blame("turned_disagrees", suit=turned[0])


def check_pool(case: Case) -> None:
    """Check the tokens in the pool: required by rules with a pool, and at least the ante of this deal."""
    rules, pool = case.rulebook.pool, case.result.pool
    if rules is None:
        if pool is not None:
            case.blame("pool_not_here")
    elif pool is None:
        case.blame("pool_missing")
    elif not 0 <= pool <= MOST_TOKENS:
        case.blame("pool_range", most=MOST_TOKENS)
    elif pool < rules.each_deal(case.players):
        case.blame("pool_odd", ante=rules.each_deal(case.players))


def check_estuches(case: Case) -> None:
    """Check the number of estuches: required where they are priced, from 1 to the possible maximum."""
    house, count = case.rulebook.house, case.result.estuches
    if count is None:
        if house.counts_estuches and house.estuche_price:
            case.blame("estuches_missing")
    elif not house.estuche_price:
        case.blame("estuches_not_agreed")
    else:
        most = _most_estuches(case)
        if not 1 <= count <= most:
            case.blame("estuches_range", most=most)


def _most_estuches(case: Case) -> int:
    """The maximum of estuches: the number of trumps; one less in a contrabola, whose declarer holds one of them."""
    result = case.result
    trump = result.trump or (result.turned and result.turned[0])
    if not case.rulebook.house.estuches_by_suit:
        return _MOST_TRUMPS
    pack = case.rulebook.pack
    trumps = len(trump_order(Kind.TRUMP, trump, pack.ranking)) if trump else _MOST_TRUMPS
    return trumps - case.contract.avoids_tricks


def check_bonus_bids(case: Case) -> None:
    """Check bonus bids: each possible in the contract, and one at most unless the rules allow several."""
    bids, contract = case.result.bonus_bid, case.contract
    for bid in bids:
        if bid not in contract.bonus_bids:
            case.blame("bonus_not_here", bonus=bid, contract=contract.id)
    if len(bids) > 1 and not case.rulebook.house.several_bonus_bids:
        case.blame("bonus_only_one")


def check_partner(case: Case) -> None:
    """Check the declarer's partner: another player who plays, in contracts with a partner only."""
    partner, contract = case.result.partner, case.contract
    if not contract.with_partner:
        if partner is not None:
            case.blame("partner_not_here", contract=contract.id)
    elif partner is None:
        case.blame("partner_missing")
    elif partner not in case.defenders:
        case.blame("partner_by_nobody", seat=partner)


def check_winner_here(case: Case) -> None:
    """Check that the winner of a kodille is reported only by rules that pay this player."""
    if case.result.won_by and not case.rulebook.house.has_winners:
        case.blame("winner_not_here")


def check_foul(case: Case) -> None:
    """Check a fouled exchange: priced by the rules, by a player with cards, and without a result of play."""
    result = case.result
    if result.foul is None:
        return
    if not case.rulebook.house.fouls:
        case.blame("foul_not_priced")
    elif result.foul is not case.declarer and result.foul not in case.defenders:
        case.blame("foul_by_nobody", seat=result.foul)
    before_joining = result.foul is case.declarer and result.joined
    if before_joining or result.idle_abandoned or _was_played(result):
        case.blame("foul_with_more")


def check_nine_matadors(case: Case) -> None:
    """Check the note of nine matadors: agreed on by the club, in a trump contract, held by a player with cards."""
    holder, contract = case.result.nine_matadors, case.contract
    if holder is None:
        return
    if not (case.rulebook.house.nine_matadors and contract.kind is Kind.TRUMP):
        case.blame("matadors_not_agreed", contract=contract.id)
    elif holder is not case.declarer and holder not in case.defenders:
        case.blame("matadors_of_nobody", seat=holder)
    else:
        case.blame("rare_matadors")


def _was_played(result: DealResult) -> bool:
    """Whether a report has any field that only cards played to tricks can give."""
    return bool(
        result.tricks
        or result.played_out
        or result.tout
        or result.five_first
        or result.first_five_by
        or result.led_sixth
        or result.claimed_after
    )


def check_fourth_joins(case: Case) -> None:
    """Check that the fourth player is reported as having joined, where the contract requires it."""
    result, contract = case.result, case.contract
    must = Role.IDLE in may_join(contract, case.declarer, case.players)
    if must and Role.IDLE not in result.joined and not result.foul and not result.abandoned:
        case.blame("fourth_must_join", contract=contract.id, seat=Role.IDLE)


def check_joined(case: Case) -> None:
    """Check the players who joined a nolo: allowed to, and with their tricks reported."""
    result, contract = case.result, case.contract
    allowed = may_join(contract, case.declarer, case.players)
    for role in result.joined:
        if role is case.declarer:
            case.blame("joined_by_declarer", seat=role)
        elif role not in allowed:
            code = "joined_not_agreed" if allowed and role is not Role.IDLE else "joined_not_here"
            case.blame(code, contract=contract.id, seat=role)
        elif (
            role not in case.tricks and not result.foul and not (role is Role.IDLE and result.idle_abandoned)
        ):
            case.blame("joined_tricks_needed", seat=role)


def check_fourth_gave_up(case: Case) -> None:
    """Check that a fourth player who gave up had joined, and took no trick."""
    if not case.result.idle_abandoned:
        return
    if Role.IDLE not in case.result.joined:
        case.blame("idle_abandoned_not_joined")
    elif case.tricks.get(Role.IDLE):
        case.blame("idle_abandoned_with_tricks", seat=Role.IDLE)


def check_agreements(case: Case) -> None:
    """Check fields that need an option of the club: a repeated exchange, and a bid on aces."""
    result, house, contract = case.result, case.rulebook.house, case.contract
    if result.exchange_repeated and not (house.repeat_exchange and contract.may_repeat_exchange):
        case.blame("repeat_not_agreed", contract=contract.id)
    if result.aces and not (house.aces_bonus and contract.may_have_aces):
        case.blame("aces_not_agreed", contract=contract.id)


def check_tricks(case: Case) -> None:
    """Check the tricks by player, which add up to those of a deal; fill in a single missing count."""
    tricks, in_all = case.tricks, case.rulebook.house.tricks
    players = (case.declarer, *case.defenders)
    for role, count in tricks.items():
        if not 0 <= count <= in_all:
            case.blame("tricks_out_of_range", seat=role, tricks=count, most=in_all)
            return
        if count and role not in players:
            case.blame("tricks_of_nobody", seat=role)
    total = sum(tricks.values())
    missing = [role for role in players if role not in tricks]
    if total > in_all or (total < in_all and not missing and not case.stopped):
        case.blame("tricks_sum", sum=total, all=in_all)
        return
    if max(tricks.values()) >= in_all - 1 and not case.result.tout:
        case.blame("rare_tricks")
    if len(missing) == 1 and not case.stopped:
        tricks[missing[0]] = in_all - total


def check_claim(case: Case) -> None:
    """Check the number of tricks after which play stopped against the sum of the counts, if all are known."""
    claimed = case.result.claimed_after
    if claimed is None:
        return
    total = sum(case.tricks.values())
    if not 0 <= claimed <= case.rulebook.house.tricks or (_knows_all(case) and claimed != total):
        case.blame("claimed_after_disagrees", claimed=claimed, sum=total)


def check_first_five_by(case: Case) -> None:
    """Check that the player who won the first five tricks has at least five."""
    role, in_all = case.result.first_five_by, case.rulebook.house.tricks
    if role is None:
        return
    if not isinstance(role, Role):
        took = in_all - case.tricks.get(case.declarer, 0)
    else:
        took = case.tricks.get(role, in_all if role in (case.declarer, *case.defenders) else 0)
    if took < FIRST_FIVE:
        case.blame("first_five_by_disagrees", seat=role, tricks=took)


def check_tout(case: Case) -> None:
    """Set the case's tout, as reported or derived from the tricks, and check it."""
    result, took = case.result, case.tricks.get(case.declarer)
    house = case.rulebook.house
    if not house.has_tout:
        if result.tout:
            case.blame("tout_not_here")
        return
    case.tout = _tried(case, took, has_vole=house.has_vole)
    if case.tout:
        _judge_tout(case, case.tout, took, has_vole=house.has_vole)


def _judge_tout(case: Case, tout: str, took: int | None, *, has_vole: bool) -> None:
    """Add the problem of a tout that was tried, or the warning that a tout is rare."""
    result = case.result
    if not case.is_game:
        case.blame("tout_in_nolo", contract=case.contract.id)
    elif has_vole and tout == "failed" and case.contract.bids_beyond_five:
        case.blame("vole_not_failed", contract=case.contract.id)
    elif tout == "undecided":
        case.blame("tout_undecided")
    elif tout == "failed" and took == case.rulebook.house.tricks:
        case.blame("tout_was_won")
    elif has_vole and tout == "failed" and (case.opponents_won_first_five or not _may_have_first_five(case)):
        case.blame("vole_needs_first_five")
    elif tout == "won" and (took not in (None, case.rulebook.house.tricks) or _others_took(case)):
        case.blame("tout_needs_nine")
    elif tout == "won" and result.first_five_by not in (None, case.declarer):
        case.blame("tout_without_first_five", seat=result.first_five_by)
    else:
        case.blame("rare_tout")


def _tried(case: Case, took: int | None, *, has_vole: bool) -> str | None:
    """The tout by `tout_tried`: `won`, `failed`, `undecided` or None, as reported or derived from the tricks."""
    in_all = case.rulebook.house.tricks
    if case.contract.bids_beyond_five:
        return tout_tried(case.result, case.contract, took, led_sixth=False, in_all=in_all)
    reads_tricks = has_vole or case.rulebook.house.tricks_tell_first_five
    tries = case.result.led_sixth or (reads_tricks and _played_on(case))
    tried = tout_tried(case.result, case.contract, took, tries and _may_have_led_sixth(case), in_all)
    return "undecided" if tried == "failed" and not case.result.tout and _won_all_so_far(case) else tried


def _played_on(case: Case) -> bool:
    """Whether the declarer who won the first five tricks led to the sixth, in place of claiming the deal."""
    return case.first_five_by is case.declarer and (
        case.result.played_out is True or sum(case.tricks.values()) > FIRST_FIVE
    )


def _may_have_led_sixth(case: Case) -> bool:
    """Whether the report names no other player than the declarer as winner of the first five tricks."""
    return case.result.first_five_by in (None, case.declarer)


def _won_all_so_far(case: Case) -> bool:
    """Whether play stopped when the declarer had won all tricks so far, so that the try for the tout has no result."""
    return case.rulebook.house.tricks_tell_first_five and case.stopped and not _others_took(case)


def _may_have_first_five(case: Case) -> bool:
    """Whether the numbers of tricks allow that the declarer won the first five."""
    in_all = case.rulebook.house.tricks
    return case.tricks.get(case.declarer, in_all) >= FIRST_FIVE and _others_took(case) <= in_all - FIRST_FIVE


def check_five_first(case: Case) -> None:
    """Check the bonus for the first five tricks: agreed on, in a game, and consistent with the tricks."""
    result, took = case.result, case.tricks.get(case.declarer)
    bonus = result.five_first
    if bonus is None:
        return
    if not case.rulebook.house.first_five_bonus:
        case.blame("five_first_not_agreed")
    elif not case.is_game:
        case.blame("five_first_in_nolo", contract=case.contract.id)
    elif bonus == "won" and took is not None and took < FIRST_FIVE:
        case.blame("five_first_needs_five", tricks=took)
    elif not _agrees_with_play(case, bonus):
        case.blame("five_first_disagrees")


def _agrees_with_play(case: Case, bonus: str) -> bool:
    """Whether this result of the bonus for the first five tricks fits the other fields of the report."""
    by = case.result.first_five_by
    if by is None and case.rulebook.house.tricks_tell_first_five:
        by = case.first_five_by_tricks
    if bonus == "won":
        return by in (None, case.declarer) and _others_took(case) <= TRICKS - FIRST_FIVE
    return by is not case.declarer and case.tout != "won"


def check_outcome(case: Case) -> None:
    """Set the case's outcome from the report; an outcome that the report names must be one of the possible ones."""
    reported = case.result.outcome
    possible = FAMILIES[type(case.rulebook.house)].possible(case)
    if reported is None:
        if len(possible) == 1:
            (case.outcome,) = possible
        else:
            case.blame("tricks_undecided" if case.tricks else "outcome_missing")
    elif reported in possible:
        case.outcome = BY_NAME[reported]
    else:
        case.blame("outcome_disagrees", outcome=reported, possible=sorted(possible))


def check_price_known(case: Case) -> None:
    """Check that the tricks of a nolo priced by the trick are known, including those after play stopped."""
    lost = case.outcome is Outcome.KODILLE
    known = case.outcome is not Outcome.WASHOUT
    if known and case.left_open and (lost or case.result.joined):
        case.blame("tricks_to_come", contract=case.contract.id)
    elif lost and case.declarer not in case.tricks and not case.result.foul:
        case.blame("tricks_needed")


def _others_took(case: Case) -> int:
    """The sum of the defenders' known tricks."""
    return sum(case.tricks.get(role, 0) for role in case.defenders)


def _knows_all(case: Case) -> bool:
    """Whether the tricks of everyone who plays are known."""
    return case.declarer in case.tricks and all(role in case.tricks for role in case.defenders)


_WASHOUT = DealResult(all_passed=True)
_NOTHING_SPECIAL = DealResult()[PLAIN_FIELDS:]

# Run only if a field after PLAIN_FIELDS is set, which is rare: a report without them is settled faster.
_SPECIAL_CHECKS = (
    check_given_up,
    check_foul,
    check_joined,
    check_fourth_gave_up,
    check_agreements,
    check_claim,
    check_first_five_by,
    check_five_first,
    check_pool,
    check_estuches,
    check_turned,
    check_bonus_bids,
    check_surrender,
    check_partner,
    check_winner_here,
    check_nine_matadors,
)


def examine(result: DealResult, players: int, rulebook: Rulebook) -> tuple[Case | None, list[Problem]]:
    """The case of a report and all its problems, warnings included.

    The case is None for a wash-out, and where contract or declarer are wrong.
    """
    if result.all_passed:
        return None, _washout_problems(result, players, rulebook)
    case = make_case(result, players, rulebook)
    if isinstance(case, list):
        return None, case
    _check(case)
    if not case.problems or all(found.is_warning for found in case.problems):
        # An inconsistent report has no outcome; computing one would add misleading problems.
        check_outcome(case)
        if case.contract.extra_per_trick:
            check_price_known(case)
        if case.outcome is not Outcome.WASHOUT:
            FAMILIES[type(rulebook.house)].finish(case)
    return case, case.problems


def _check(case: Case) -> None:
    """Run all checks but those of the outcome; `_SPECIAL_CHECKS` only if the report or the rules need them."""
    result, contract = case.result, case.contract
    if contract.rare:
        case.blame("rare_contract", contract=contract.id)
    if result.trump:
        check_trump(case)
    if result.tricks:
        check_tricks(case)
    if contract.fourth_joins:
        check_fourth_joins(case)
    check_tout(case)
    if result[PLAIN_FIELDS:] != _NOTHING_SPECIAL or not case.rulebook.is_plain:
        for check in _SPECIAL_CHECKS:
            check(case)


def _washout_problems(result: DealResult, players: int, rulebook: Rulebook) -> list[Problem]:
    """The problems of a report that all passed: other fields than the pool, or rules by which all cannot pass."""
    found = []
    without_pool = result if rulebook.pool is None else result._replace(pool=None)
    if without_pool != _WASHOUT:
        found.append(problem("washout_with_more", rulebook.id))
    elif result.pool is not None and not 0 <= result.pool <= MOST_TOKENS:
        found.append(problem("pool_range", rulebook.id, most=MOST_TOKENS))
    if rulebook.house.forced_spadille:
        found.append(problem("washout_must_bid", rulebook.id))
    elif rulebook.forced:
        found.append(problem("washout_forced", rulebook.id, contract=rulebook.forced.id))
    elif not rulebook.may_be_passed_out(players):
        found.append(problem("washout_mort", rulebook.id))
    return found
