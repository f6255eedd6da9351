"""Playing a folder of a closed round against the program, move by move.

The server is stateless: the URL has the seat, the moves so far (`m`), and the next one (`x`, with cards in `c`),
which the engine validates from the deal on. So double taps and “Back” are harmless. The published site shows a
game played by the program alone.
"""

from __future__ import annotations

from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.serving.addresses import site_address
from core.throttle import MINUTE, by_address, count_request, is_over_rate
from scoring.game import Ask
from scoring.game.steps import known
from scoring.seats import BY_CODE
from tournaments.boards.analysis import analyses_of, analysis_text
from tournaments.boards.folder_game import (
    FolderGame,
    UnreadableMovesError,
    deal_of_folder,
    play,
    read_moves,
    review,
    seats_to_play,
    write_moves,
)
from tournaments.boards.folders import is_sealed
from tournaments.boards.results import lines_of
from tournaments.boards.text import folder_texts
from tournaments.domain.formats import SEAT_LETTERS
from tournaments.domain.rule_text import seat_words
from tournaments.domain.terms import card_words
from tournaments.hall.folder_play_table import (
    calls_so_far,
    ending,
    hand_shown,
    review_shown,
    seats_shown,
    trick_list,
    trick_shown,
)
from tournaments.hall.folder_play_text import (
    contract_line,
    news,
    options,
    player_name,
    question,
    refusal_texts,
)
from tournaments.hall.tables import find_with_boards, opened_folders
from tournaments.ledger.queries import rulebook_of
from tournaments.web.guards import find_round

if TYPE_CHECKING:
    from django.http import QueryDict

    from scoring.game import Deal, State, Step
    from scoring.seats import Role
    from tournaments.boards.dealing import Folder
    from tournaments.hall.live import HallRequest
    from tournaments.models import Round

# How often a minute one address may make a move, and request the solver: a hall with forty who play, each a move
# in three seconds and a deal in a minute.
MOVES, REVIEWS = 900, 60
TOO_MANY, GONE = 429, 410
BEST = "best"
IS_BUSY = {"compared": True, "is_busy": True}
PATIENCE = 2  # seconds that a request waits for the solver
SOLVING = BoundedSemaphore()
DISCARDING = frozenset((Ask.EXCHANGE, Ask.REPEAT, Ask.LAY_OFF))
# Moves whose cards are chosen with the fields `c`.
WITH_CARDS = {"exchange", "lay_off"}


class Wish(NamedTuple):
    """Parsed URL: seat, moves, and whether they were valid."""

    role: Role
    moves: tuple[Step, ...]
    is_readable: bool


@require_safe
def hall_folder_play(request: HallRequest, code: str, number: int, folder: int) -> HttpResponse:
    """The table as the person in a seat sees it, up to their next turn; without a seat, the choice of one."""
    tournament = find_with_boards(code)
    round_ = find_round(tournament, number)
    if is_sealed(round_):
        # A script cannot distinguish a redirect from a lost network; on 410 it loads the page instead.
        return HttpResponse(status=GONE) if request.htmx else redirect("hall_boards", tournament.code)
    folders = opened_folders(round_)
    if not 1 <= folder <= len(folders):
        raise Http404
    deal = deal_of_folder(rulebook_of(tournament), folders[folder - 1], in_pairs=tournament.hands_taken_over)
    context = _frame(round_, folder, len(folders))
    cards = folders[folder - 1]
    if site_address(request):
        game = play(deal, None)
        return _answer(request, context | _ending_context(game, round_, cards) | _compared(game))
    return _answer(request, context | _page_context(request, deal, round_, cards))


def _page_context(request: HallRequest, deal: Deal, round_: Round, folder: Folder) -> dict[str, Any]:
    """Template context for a URL: the choice of a seat, the next turn, or the end."""
    wish = read_wish(request.GET, deal)
    if wish is None:
        return _start(deal)
    if not _may_ask(request, "play", MOVES):
        return {"too_often": True}
    game = play(deal, wish.role, wish.moves)
    context = _addresses(request.path, game) | {"is_readable": wish.is_readable}
    if not game.is_over:
        return context | _turn(game)
    if BEST not in request.GET:
        return context | _ending_context(game, round_, folder)
    compared = _compared(game) if _may_ask(request, "play-best", REVIEWS) else IS_BUSY
    return context | ({"state": BEST} if request.htmx else _ending_context(game, round_, folder)) | compared


def _may_ask(request: HallRequest, what: str, most: int) -> bool:
    """Count a request, unless its address has made so many in this minute."""
    asker = by_address(what, request.META.get("REMOTE_ADDR", ""))
    if is_over_rate(asker, most=most):
        return False
    count_request(asker)
    return True


def read_wish(given: QueryDict, deal: Deal) -> Wish | None:
    """Parse a URL; None without a seat that can be played. Of moves that cannot be read none is played."""
    role = BY_CODE.get(given.get("seat", "").upper())
    if role is None or role not in seats_to_play(deal.rulebook):
        return None
    text, new = given.get("m", ""), given.get("x", "")
    if new in WITH_CARDS:
        new = "-".join([new, *given.getlist("c")[: len(deal.rulebook.pack.cards)]])
    try:
        return Wish(
            role, read_moves(".".join(filter(None, (text, new))), role, deal.rulebook), is_readable=True
        )
    except UnreadableMovesError:
        return Wish(role, (), is_readable=False)


def _answer(request: HallRequest, context: dict[str, Any]) -> HttpResponse:
    template = "hall/folder_play.html#play" if request.htmx else "hall/folder_play.html"
    status = TOO_MANY if context.get("too_often") else 200
    answer = render(request, template, context, status=status)
    if status == TOO_MANY:
        answer.headers["Retry-After"] = str(MINUTE)
    patch_cache_control(answer, private=True, no_store=True)
    patch_vary_headers(answer, ["HX-Request", "Accept-Language", "Cookie"])
    return answer


def _frame(round_: Round, folder: int, folders: int) -> dict[str, Any]:
    """The common context of all states of the page."""
    return {
        "tournament": round_.tournament,
        "round": round_,
        "number": folder,
        "after": folder + 1 if folder < folders else 0,
        "rulebook_name": _(rulebook_of(round_.tournament).name),
    }


def _start(deal: Deal) -> dict[str, Any]:
    """The choice of a seat."""
    seating, rulebook = deal.seating, deal.rulebook
    seats = [
        {
            "code": role.value.lower(),
            "name": capfirst(seat_words(role, rulebook)),
            "letter": SEAT_LETTERS[seating.positions[role]],
            "deals": seating.positions[role] == seating.dealer,
        }
        for role in seats_to_play(rulebook)
    ]
    return {"state": "start", "seats": seats}


def _addresses(path: str, game: FolderGame) -> dict[str, Any]:
    """URL parameters of the game, and URLs of the previous move and of a new start."""
    role, rulebook = game.role, game.state.rulebook
    seat = role.value.lower() if role else ""
    given = {"seat": seat, "m": write_moves(game.moves, rulebook)}
    here = {
        "best": f"{path}?{urlencode(given | {BEST: 1})}" if game.is_over else "",
        "seat": seat,
        "moves": write_moves(game.moves, rulebook),
        "seat_name": capfirst(seat_words(role, rulebook)) if role else "",
        "again": f"{path}?{urlencode({'seat': seat})}",
        "take_back": "",
    }
    if game.moves:
        before = {"seat": seat, "m": write_moves(game.moves[:-1], rulebook)}
        here["take_back"] = f"{path}?{urlencode(before)}"
    return here


def _turn(game: FolderGame) -> dict[str, Any]:
    """The table in the person's turn."""
    state, you = game.state, known(game.role)
    view = state.view(you)
    refusal = refusal_texts(game, game.refused) if game.refused else []
    asked = question(game)
    last = (state.tricks[-1], state.winners[-1]) if state.tricks else None
    plays = state.to_play is you and not state.ask
    return {
        "state": "turn",
        "seats": seats_shown(state, you),
        "contract": contract_line(state),
        "declarer": _declarer(state, you),
        "turned": [card_words(card) for card in view.face_up],
        "open_hand": hand_shown(state, view.open_hand) if you is not state.declarer else [],
        "talon": view.talon,
        "question": asked,
        "trick": trick_shown(state, you, state.trick),
        "in_play": bool(state.playing),
        "last_trick": trick_shown(state, you, *last) if last else [],
        "last_number": len(state.tricks),
        "hand": hand_shown(state, view.hand, legal=state.legal_cards() if plays else None),
        "mode": "play" if plays else "exchange" if state.ask in DISCARDING else "look",
        "discard": "lay_off" if state.ask is Ask.LAY_OFF else "exchange",
        "limits": state.limits(),
        "options": options(game),
        "calls": calls_so_far(state, you),
        "refusal": refusal,
        "said": " ".join([*([] if refusal else news(game)), asked]),
    }


def _declarer(state: State, you: Role) -> str:
    if state.declarer is None or not contract_line(state):
        return ""
    return player_name(state.rulebook, state.declarer, you)


def _ending_context(game: FolderGame, round_: Round, folder: Folder) -> dict[str, Any]:
    """The result, with the tables' results and best play."""
    state = game.state
    rulebook = state.rulebook
    lines = lines_of([round_], folder=folder.number)
    found = analyses_of(round_).get(folder.number)
    end = ending(game, lines)
    played = list(zip(state.tricks, state.winners, strict=True))
    outcome = ": ".join(filter(None, (end.contract, end.result)))
    return {
        "state": "end",
        "end": end,
        "folder": folder_texts(folder, rulebook),
        "tricks": trick_list(rulebook, state.playing, played, game.role) if played else None,
        "makeable": analysis_text(rulebook, folder.number, found, lines).best if found is not None else "",
        "calls": calls_so_far(state, game.role),
        "said": " ".join([*news(game), _("The deal is over."), outcome, end.own]),
    }


def _compared(game: FolderGame) -> dict[str, Any]:
    """Best play for comparison; one analysis at a time per process, so that other pages are still served."""
    if not SOLVING.acquire(timeout=PATIENCE):
        return IS_BUSY
    try:
        return {"compared": True, "review": review_shown(game, review(game))}
    finally:
        SOLVING.release()
