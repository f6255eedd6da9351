"""The steps, questions and choices of a game on a folder, in the reader's language."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.game import SANS, Act, Ask, Step
from scoring.game.play import kind_of_order
from scoring.referee import Trick, rule_on_trick
from scoring.referee.rulings import explain_problem
from scoring.seats import Role
from scoring.words import BONUS_NAMES
from tournaments.boards.folder_game import may_stop, write_move
from tournaments.boards.folders import opened_rounds
from tournaments.domain.card_drawing import card_spoken
from tournaments.domain.rule_text import Sentence, call_words, seat_words, sentence_of
from tournaments.domain.terms import SUIT_SIGNS, card_words, contract_name, suit_name
from tournaments.models import Table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoring.game import State
    from scoring.rulebook import Rulebook
    from tournaments.boards.folder_game import FolderGame, Refused
    from tournaments.models import Tournament


class Option(NamedTuple):
    """A button: its label, and the move that it sends."""

    label: str
    code: str


def player_name(rulebook: Rulebook, role: Role, you: Role | None) -> str:
    """The name of a player on the page: you, or the seat."""
    return _("you") if role is you else seat_words(role, rulebook)


def contract_line(state: State) -> str:
    """The contract and its trumps; "" before it is known."""
    if state.contract is None or state.ask is Ask.DEFINE:
        return ""
    sign = SUIT_SIGNS.get(state.trump or "", "")
    return f"{contract_name(state.contract.id)} {sign}".strip()


def step_text(step: Step) -> str:
    """The text of a step, without its player; cards as words, for screen readers."""
    if step.act in (Act.PASS, Act.BID, Act.SELF):
        return call_words(step)
    if step.act in (Act.EXCHANGE, Act.LAY_OFF):
        return _discard_text(step)
    return _STEP_TEXTS[step.act](str(step.value))


def _discard_text(step: Step) -> str:
    count = len(step.value or ())
    if step.act is Act.LAY_OFF:
        return ngettext("discards %(count)d card", "discards %(count)d cards", count) % {"count": count}
    if not count:
        return _("keeps all cards")
    return ngettext("exchanges %(count)d card", "exchanges %(count)d cards", count) % {"count": count}


_STEP_TEXTS: dict[Act, Callable[[str], str]] = {
    Act.PLAY: card_spoken,
    Act.DEFINE: lambda value: _("plays %(contract)s") % {"contract": contract_name(value)},
    Act.TRUMP: lambda value: (
        _("no trumps") if value == SANS else _("%(suit)s are trumps") % {"suit": suit_name(value)}
    ),
    Act.KING: lambda value: _("calls the %(card)s") % {"card": card_spoken(value)},
    Act.PROMISE: lambda value: _("promises %(bonus)s") % {"bonus": _(BONUS_NAMES[value])},
    Act.ANNOUNCE: lambda value: _("announces tout") if value == "tout" else _("announces the first five"),
    Act.OFFER: lambda _value: _("lets the next player exchange first"),
    Act.ACCEPT: lambda _value: _("accepts"),
    Act.JOIN: lambda _value: _("joins the nolo"),
    Act.ONE_MORE: lambda _value: _("draws an extra card"),
    Act.TAKE_OVER: lambda _value: _("takes over the game"),
    Act.NO: lambda _value: _("no"),
    Act.GIVE_UP: lambda _value: _("gives up"),
    Act.STOP: lambda _value: _("lays the cards face up: the outcome is clear"),
}


def news(game: FolderGame) -> list[str]:
    """Texts of the steps since the person's last move, including it: for the live region."""
    table, role = game.state.table, game.role
    rulebook = table.rulebook
    said: list[str] = []
    cards = number = 0
    for index, step in enumerate(game.state.steps):
        is_new = index >= game.since
        if is_new:
            player = player_name(rulebook, step.role, role)
            said.append(capfirst(_("%(player)s: %(done)s.") % {"player": player, "done": step_text(step)}))
        cards += step.act is Act.PLAY
        if number < len(game.state.tricks) and cards == len(game.state.tricks[number]):
            cards, number = 0, number + 1
            if is_new:
                said.append(took_text(rulebook, number, game.state.winners[number - 1], role))
    return said


def took_text(rulebook: Rulebook, number: int, winner: Role, you: Role | None) -> str:
    """The text of who took a trick."""
    if winner is you:
        return _("Trick %(number)d is yours.") % {"number": number}
    return _("Trick %(number)d goes to %(player)s.") % {
        "number": number,
        "player": seat_words(winner, rulebook),
    }


def question(game: FolderGame) -> str:
    """The instruction for the person's next step."""
    state = game.state
    if state.ask is not None:
        return _question_before_play(state, state.ask)
    if state.to_play is None:
        return _("Your call.")
    number = len(state.tricks) + 1
    if not state.trick:
        return _("You lead to trick %(number)d.") % {"number": number}
    return _("Your card to trick %(number)d.") % {"number": number}


def _question_before_play(state: State, ask: Ask) -> str:
    least, most = state.limits()
    if ask in (Ask.EXCHANGE, Ask.REPEAT, Ask.LAY_OFF):
        if least == most:
            text = ngettext("Choose %(most)d card to discard.", "Choose %(most)d cards to discard.", most)
        else:
            text = ngettext(
                "Choose the cards to exchange: %(least)d to %(most)d card.",
                "Choose the cards to exchange: %(least)d to %(most)d cards.",
                most,
            )
        return text % {"least": least, "most": most}
    return {
        Ask.DEFINE: _("What do you play?"),
        Ask.TRUMP: _("Which suit is trumps?"),
        Ask.KING: _("Which king do you call?"),
        Ask.PROMISE: _("Do you promise a bonus?"),
        Ask.OFFER: _("Do you let the next player exchange first?"),
        Ask.ANSWER: _("Do you exchange first?"),
        Ask.JOIN: _("Do you join the nolo?"),
        Ask.ONE_MORE: _("Do you draw one card more than you discard?"),
        Ask.TAKE_OVER: _("Do you take over the game?"),
        Ask.SURRENDER: _("The declarer gives up. Do you accept?"),
    }[ask]


def options(game: FolderGame) -> list[Option]:
    """The buttons of the person's turn, other than cards and the exchange."""
    state, rulebook = game.state, game.state.rulebook
    if state.ask in (Ask.EXCHANGE, Ask.REPEAT, Ask.LAY_OFF):
        return []
    if state.ask is not None:
        steps = list(state.legal_steps())
    elif state.to_play is None:
        steps = list(state.legal_calls())
    else:
        role = state.to_play
        beside = (
            Step(role, Act.ANNOUNCE, "tout"),
            Step(role, Act.ANNOUNCE, "first_five"),
            Step(role, Act.GIVE_UP),
        )
        steps = [step for step in beside if state.problem_of(step) is None]
        if may_stop(game):
            steps.append(Step(role, Act.STOP))
    return [Option(capfirst(_label(step, state.ask)), write_move(step, rulebook)) for step in steps]


def _label(step: Step, ask: Ask | None) -> str:
    if step.act is Act.NO and ask is Ask.SURRENDER:
        return _("Play on")
    label = _LABELS.get(step.act)
    return label(str(step.value)) if label else call_words(step)


def _yes(_value: str) -> str:
    return _("Yes")


_LABELS: dict[Act, Callable[[str], str]] = {
    Act.TRUMP: lambda value: _("no trumps") if value == SANS else f"{SUIT_SIGNS[value]} {suit_name(value)}",
    Act.DEFINE: contract_name,
    Act.KING: card_words,
    Act.PROMISE: lambda value: _(BONUS_NAMES[value]),
    Act.ANNOUNCE: lambda value: _("Announce tout") if value == "tout" else _("Announce the first five"),
    Act.GIVE_UP: lambda _value: _("Give up"),
    Act.STOP: lambda _value: _("Stop: the outcome is clear"),
    Act.NO: lambda _value: _("No"),
    **dict.fromkeys((Act.OFFER, Act.ACCEPT, Act.JOIN, Act.ONE_MORE, Act.TAKE_OVER), _yes),
}


def refusal_texts(game: FolderGame, refused: Refused) -> list[Sentence]:
    """Why the referee refuses a move: the sentences, with their paragraphs."""
    rulebook = game.state.rulebook
    reasons = list(_reasons_for_card(game.state, refused.step))
    return reasons or [sentence_of(explain_problem(refused.problem), rulebook)]


def _reasons_for_card(state: State, step: Step) -> Iterator[Sentence]:
    """The referee's sentences on a card of the hand that may not be played to this trick."""
    if step.act is not Act.PLAY or state.ask or step.role is not state.to_play:
        return
    played = tuple(card for _role, card in state.trick)
    trick = Trick(kind_of_order(state), state.trump, played, state.hands[step.role], len(state.playing))
    ruling = rule_on_trick(state.rulebook, trick)
    for choice in ruling.choices:
        if choice.value == step.value and choice.reason:
            yield sentence_of(choice.reason, state.rulebook)
            yield from (sentence_of(one, state.rulebook) for one in ruling.explanations[1:])


# Addresses where deals that were played from folders can be played again.

# Round, table and deal by their numbers, and the seat to take (None to choose) -> URL.
FindAddress = Callable[[int, int, int, "Role | None"], str]


def find_play_addresses(tournament: Tournament) -> FindAddress:
    """A function that returns where a deal is played again; "" for deals without a folder and in sealed rounds."""
    if not tournament.boards:
        return lambda _round, _table, _deal, _seat: ""
    tables = Table.objects.filter(round__in=opened_rounds(tournament))
    folders = {
        (round_, number): played
        for round_, number, played in tables.values_list("round__number", "number", "folders")
    }

    def address(round_: int, table: int, deal: int, seat: Role | None) -> str:
        played = folders.get((round_, table), [])
        if not 1 <= deal <= len(played):
            return ""
        page = reverse("hall_folder_play", args=[tournament.code, round_, played[deal - 1]])
        return f"{page}?seat={seat.value.lower()}" if seat else page

    return address
