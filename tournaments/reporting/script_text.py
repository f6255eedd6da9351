"""The words of the captain's page, for its scripts: {places} are filled on the phone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, pgettext

from tournaments.domain.terms import said_by, suit_name

if TYPE_CHECKING:
    from scoring.rulebook import Rulebook


WAS_KODILLE = gettext_noop("{name} was kodille in {contract}")
SUITS = ("S", "H", "D", "C")


def page_words(rulebook: Rulebook, *, fixed: bool = True) -> dict[str, str]:
    """Every text that the page's scripts show, by name, in the active language and the rules' own words.

    What only some rules need is left out where others do not have it, once the rules are `fixed`.
    """
    return (
        _entry_words()
        | _said_words(rulebook)
        | _sheet_words()
        | _sending_words()
        | _code_words()
        | _table_words()
        | {f"trump_{suit}": suit_name(suit) for suit in SUITS}
        | (_pool_words() if rulebook.pool or not fixed else {})
        | (_words_without_dealer() if rulebook.dealer_sits_out or not fixed else {})
    )


def _pool_words() -> dict[str, str]:
    return {
        "choose_pool": _("How many tokens are in the pool?"),
        "pool_gap": _("{pool} in the pool? According to the previous deal it should be {follows}."),
        "pool_left": _("Left in the pool: {tokens}"),
    }


def _words_without_dealer() -> dict[str, str]:
    return {"dealer_sits_out": _("Deals and sits out: {name}")}


def _entry_words() -> dict[str, str]:
    return {
        "deal_of": _("Deal {deal} of {deals}"),
        "dealer": _("Dealer {name}"),
        "dealer_and_out": _("Dealer {name} · Sits out {out}"),
        "dealer_word": _("dealer"),
        "dealer_and_taken": _("Dealer {name} · {plays} plays {out}’s hand"),
        "all_passed": _("all passed"),
        "nobody_pays": _("Nobody pays"),
        "the_others": _("the others"),
        "each": _("{who} {tokens} each"),
        "own_and_each": _("{own} · {each} each"),
        "joins": _("{name} plays along, tricks:"),
        "may_join": _("{name}, if playing along, tricks:"),
        "choose_declarer": _("Who plays?"),
        "choose_declarer_first": _("First choose who plays: one of the names at the top."),
        "saved_at_once": _("saved at once"),
        "welcome": _("Table {table}, round {round}. Enjoy the game"),
        "is_saved": _("✓ Deal {deal} saved"),
        "is_kept": _("✓ Kept on this phone"),
        "is_not_kept": _("Deal {deal} is not saved"),
        "write_on_paper": _("Write it on paper."),
        "choose_contract": _("What is played?"),
        "choose_trump": _("Which trumps?"),
        "choose_joiners": _("How many tricks did those who joined take?"),
        "choose_counts": _("How many?"),
        "choose_partner": _("Who plays with the declarer?"),
        "partner": _("With whom?"),
        "took_over": _("{name} took over"),
        "trump_": _("none"),
        "tap_result": _("Tap the result: it is saved at once."),
        "left_out": _("Skipped: deal {deal}"),
        "left_out_many": _("{count} deals are missing"),
        "choose_result": _("How did it end?"),
        "save": _("Save"),
        "yes_save": _("Yes, save"),
        "no_change": _("No, change it"),
        "cancel": _("Cancel"),
        "leave_correction": _("Discard the correction of deal {deal}? It has not been saved."),
        "leave": _("Yes, discard it"),
        "stay": _("No, go on"),
        "undo": _("Undo deal {deal}"),
        "saved_here": _("Deal {deal} kept on this phone. {said}"),
        "undone": _("Deal {deal} has been undone. What you entered is still here."),
        "not_stored": _("This phone could not store the deal. Keep this page open until it is sent."),
    }


def _said_words(rulebook: Rulebook) -> dict[str, str]:
    """Spoken sentences; results without one use `said_other`."""
    return {
        "said_won": _("{name} won {contract}"),
        "said_bete": _("{name} was bête in {contract}"),
        "said_kodille": said_by(rulebook, WAS_KODILLE),
        "said_other": _("{name}: {contract}, {result}"),
        "said_all_passed": _("All passed, nobody pays"),
        "in_trump": _("{contract} in {trump}"),
    }


def _sheet_words() -> dict[str, str]:
    return {
        "deal": _("Deal {deal}"),
        "deal_folder": _("Deal {deal} · folder {folder}"),
        "folder": _("folder {folder}"),
        "result": _("Result"),
        "totals": _("Totals"),
        "sides": _("With partner"),
        "enter": _("Enter this deal"),
        "not_reported": _("not reported"),
        "taken_back": _("undone"),
        "marked": _("marked for later"),
        "left_out_line": _("left out"),
        "waits": _("waiting on this phone"),
        "corrected": _("corrected"),
        "out_word": pgettext("below a player's total", "out"),
        "to_come": _("Deals {from} to {to}: not played yet"),
        "to_deal": _("To deal {deal}"),
        "to_end": _("To the end"),
        "totals_zero": _("Total, sum 0 ✓"),
        "deals_left": _("Deals still to come"),
        "version": _("{time}, {who}"),
        "version_reason": _("Reason: {reason}"),
        "by_captain": _("captain"),
        "by_desk": _("desk"),
        "by_program": _("program"),
        "correcting": _("Correct deal {deal}"),
        "before": _("Before: {text}"),
        "totals_move": _("Totals: {moves}"),
        "totals_stay": _("The totals do not change."),
        "reason_missing": _("Say why, in a few words."),
        "two_phones": _("Two phones differed; agreed at the table."),
        "brought_back": _("Sent again by the phone after an older backup was restored."),
    }


def _sending_words() -> dict[str, str]:
    return {
        "badge": _("{saved} sent · {waiting} only here"),
        "badge_all": _("✓ {saved} sent"),
        "badge_here": _("{waiting} only here"),
        "badge_look": _("{count} to check"),
        "badge_offline": _("offline"),
        "place": _(
            "Deals at the desk: {saved}. Waiting on this phone: {waiting}; they are sent automatically."
        ),
        "place_store": _("This phone has little room for waiting deals; do not clear the browser’s data."),
        "place_memory": _(
            "This phone cannot store deals: do not close or reload this page while any are waiting."
        ),
        "badge_memory": _("do not close this page"),
        "badge_store": _("little room"),
        "offline": _("No connection. Carry on: deals are kept on this phone and sent automatically."),
        "closed": _("The round has been closed. Deals sent now are kept for the organiser to decide."),
        "revoked": _("This link has been replaced. Ask the organiser for the table’s new code."),
        "unknown": _("This link is no longer valid here. Ask the organiser for the table’s code."),
        "kept": _("Deal {deal} came too late and is kept for the organiser: {text}"),
        "kept_why": _("Deal {deal} does not count: {text}. {why}"),
        "changed_meanwhile": _("Deal {deal} was entered or changed elsewhere: check what counts now."),
        "choose_version": _("Choose above which of the two is right."),
        "conflict": _("Deal {deal}: another phone reported it differently"),
        "theirs": _("Other phone"),
        "at_desk": pgettext("where a deal is stored", "Desk"),
        "mine": _("This phone"),
        "plays": _("Declarer"),
        "contract": _("Contract"),
        "keep_theirs": _("Keep the other"),
        "mine_is_right": _("This phone is right"),
        "refused": _("Deal {deal} was not accepted: {why}"),
        "look": _("Check it"),
        "drop": _("Discard it"),
        "seen": _("Seen"),
        "code": _("Code for the desk"),
        "left_over": _("Deal {deal} is still on this phone: {text}. Tell the organiser."),
        "doubtful": _("Deal {deal}: {why}"),
        "right_so": _("It is right"),
        "correct": pgettext("change a deal", "Correct"),
    }


def _code_words() -> dict[str, str]:
    return {
        "code_help": _("Show this at the desk, where it is scanned or its letters are typed."),
        "code_of": _("Deals: {deals}"),
        "code_part": _("Code {part} of {parts}. Deals: {deals}"),
        "code_hide": _("Hide"),
    }


def _table_words() -> dict[str, str]:
    return {
        "not_here_yet": _("This part of the page has not loaded yet; it appears once there is a connection."),
        "table_waiting": _("The round has not started yet. This page starts by itself."),
        "agreed": _("{name}: agreed"),
        "agrees": _("{name} agrees"),
        "agree_waits": _("Some deals are still waiting on this phone. You can agree once they are sent."),
        "thanks": _("Thank you"),
        "all_agreed": _("Everyone has agreed: the sheet has gone to the desk."),
        "ended_early": _("The organiser has ended this table."),
        "call_about": _("What is it about?"),
        "one_tap": _("One tap and the organiser sees it."),
        "raise_hand": _("A call needs a connection. Without one, raise your hand."),
        "called": _("The organiser has been called"),
        "call_kept": _("The call is kept on this phone"),
        "mark": _("Mark for later"),
        "unmark": _("Undo the mark"),
        "unmarked": _("Deal {deal} is no longer marked."),
        "flag_waits_call": _("The call is waiting on this phone: {words}"),
        "flag_waits_later": _("Deal {deal} is marked for later; the mark is waiting on this phone."),
        "call_left_call": _("The organiser has not been called: {words}"),
        "call_left_later": _("The organiser has not been told that deal {deal} is marked for later."),
        "flag_open_call": _("The organiser has been called: {words}"),
        "flag_open_later": _("Deal {deal} is marked for later."),
        "not_sent": _("It could not be sent: no connection. Try again, or go and ask."),
        "first_dealer_set": _("{name} deals first."),
        "phone_name": _("{kind}, no. {number}"),
        "this_phone": _("This phone: {phone}."),
        "other_phone": _("Another phone ({phone}) is entering the deals at this table."),
        "take_over": _("Enter on this phone"),
    }
