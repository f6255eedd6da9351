"""Sets of folders of a tournament: making them, their order at tables, and when they may be seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from core.errors import NotPossible, clean_reason
from core.log_messages import author_name
from scoring.cards import FULL_PACK, HAND
from scoring.rulebook import Rulebook
from tournaments.boards.dealing import Folder, Shortage, deal_folder, fingerprint, sequences, set_of
from tournaments.changes.locks import held_tables, locked
from tournaments.changes.log import write_down, write_down_at
from tournaments.ledger.queries import rulebook_of
from tournaments.models import BoardSet, FolderChange, Report, Round, Table, Tournament
from tournaments.models.ledger import make_seed
from tournaments.models.play import on_own_day

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from clubs.models import Account


# Boards at a tournament: the seed of each round, which folder each deal is played with, and what stays sealed.

PUBLISHED = gettext_noop("Boards of round {round} dealt, fingerprint {fingerprint}")
PRINTED = gettext_noop("Printed the folders of round {round}: anyone with the paper knows the cards")
COLUMN_SHOWN = gettext_noop("The standings show results on the same cards")
COLUMN_LEFT_OUT = gettext_noop("The standings no longer show results on the same cards")
# Tables at which three hands are dealt.
BOARD_TABLES = {3, 4}


def why_no_boards(rulebook: Rulebook) -> str:
    """The reason why these rules cannot be played with boards; "" if they can."""
    usual = sorted(rulebook.pack.cards) == sorted(FULL_PACK) and rulebook.pack.hand == HAND
    if not usual or not BOARD_TABLES.issuperset(rulebook.players):
        return _("Boards need three hands of nine cards and a talon of thirteen.")
    if rulebook.pool is not None:
        return _(
            "With a pool, a deal is worth what the pool holds, so results on the same cards "
            "cannot be compared."
        )
    return ""


def folder_size(tournament: Tournament) -> int:
    """The players of the tables that folders are made for: their seats are on the labels."""
    return max(rulebook_of(tournament).players)


def is_sealed(round_: Round) -> bool:
    """Whether cards and results are still secret: another table may have to play them."""
    if not round_.is_closed:
        return True
    waiting = round_.matches.filter(on_own_day(), ended_at=None, awarded_home=None)
    return waiting.exists()


def is_number_sealed(tournament: Tournament, round_number: int) -> bool:
    """Whether the boards of a round are sealed, also of one that is not drawn yet."""
    round_ = tournament.rounds.select_related("tournament").filter(number=round_number).first()
    return round_ is None or is_sealed(round_)


def folder_count(tournament: Tournament) -> int:
    """The number of folders in a set."""
    return max(tournament.deals_for(size) for size in rulebook_of(tournament).players)


def cards_of(board_set: BoardSet) -> list[Folder]:
    """All folders of a round, in order."""
    count = folder_count(board_set.tournament)
    return [deal_folder(board_set.seed, number) for number in range(1, count + 1)]


def deal_boards(
    tournament: Tournament, round_number: int, *, account: Account | None, now: datetime
) -> BoardSet:
    """The set of a round, dealt now if it has none yet; its fingerprint is published with that."""
    board_set, made = BoardSet.objects.get_or_create(
        tournament=tournament, round_number=round_number, defaults={"dealt_at": now}
    )
    if made:
        _publish(board_set, account, now)
    return board_set


def folders_are_printed(round_: Round) -> bool:
    """Whether a round's folders have been printed with their current cards, by the log."""
    dealt = round_.tournament.board_sets_dealt.filter(round_number=round_.number).first()
    if dealt is None:
        return False
    printed = round_.tournament.log.filter(text=PRINTED, params__round=round_.number, at__gte=dealt.dealt_at)
    return printed.exists()


def deal_drawn_rounds(tournament: Tournament, *, account: Account, now: datetime) -> None:
    """A set for each round that is drawn, where boards are played."""
    drawn = tournament.rounds.filter(state=Round.State.DRAWN) if tournament.boards else ()
    for round_ in drawn:
        deal_boards(tournament, round_.number, account=account, now=now)


@transaction.atomic
def redeal(
    tournament: Tournament, round_number: int, *, reason: str, account: Account, now: datetime
) -> BoardSet:
    """Deal other cards for a round that has not started, since some of them were seen."""
    tournament = locked(tournament)
    reason = clean_reason(reason)
    if not tournament.boards or not 1 <= round_number <= tournament.rounds_planned:
        raise NotPossible(_("This round is not played with boards."))
    if tournament.rounds.exclude(state=Round.State.DRAWN).filter(number=round_number).exists():
        raise NotPossible(_("Round %(number)d has started.") % {"number": round_number})
    board_set = deal_boards(tournament, round_number, account=account, now=now)
    board_set.seed, board_set.dealt_at = make_seed(), now
    board_set.save(update_fields=["seed", "dealt_at"])
    text = gettext_noop("Dealt the boards of round {round} again: {reason}")
    write_down(tournament, account, text, now=now, round=round_number, reason=reason)
    _publish(board_set, account, now)
    return board_set


def _publish(board_set: BoardSet, account: Account | None, now: datetime) -> None:
    write_down(
        board_set.tournament,
        account,
        PUBLISHED,
        now=now,
        round=board_set.round_number,
        about=[board_set],
        fingerprint=fingerprint(board_set.seed),
    )


def lay_out(round_: Round) -> None:
    """Assign a folder to each deal of a round that has not started; none without boards.

    Raises NotPossible where there are too few sets to go round.
    """
    tournament = round_.tournament
    tables = list(round_.tables.order_by("number"))
    deals = [table.deals for table in tables]
    orders: list[tuple[int, ...]] = [()] * len(tables)
    if tournament.boards:
        try:
            orders = sequences(deals, tournament.board_sets, folder_size(tournament))
        except Shortage as shortage:
            raise NotPossible(_too_few(shortage, len(tables)), "board_sets") from shortage
    for table, order in zip(tables, orders, strict=True):
        table.folders = list(order)
    Table.objects.bulk_update(tables, ["folders"])


def make_boards(rounds: Iterable[Round], *, account: Account | None, now: datetime) -> None:
    """Lay the folders out for rounds that are drawn, and deal their cards; nothing where cards are dealt by hand."""
    for round_ in rounds:
        if round_.tournament.boards:
            lay_out(round_)
            deal_boards(round_.tournament, round_.number, account=account, now=now)


def _too_few(shortage: Shortage, tables: int) -> str:
    if shortage.deals % shortage.size:
        return _(
            "Tables can share a set of folders only if the deals per round are divisible by "
            "%(size)d; %(deals)d is not."
        ) % {"size": shortage.size, "deals": shortage.deals}
    return _("%(tables)d tables with %(deals)d deals need at least %(needed)d sets of folders.") % {
        "tables": tables,
        "deals": shortage.deals,
        "needed": shortage.needed,
    }


@transaction.atomic
def play_other_folder(
    table: Table, deal: int, folder: int, *, reason: str, account: Account | None, now: datetime
) -> Table:
    """Record that a deal is played with another folder than planned; without an account by the captain.

    If that folder was planned for another deal of the table, the two are exchanged.
    """
    locked(table.round.tournament)
    table = held_tables().get(pk=table.pk)
    reason = clean_reason(reason)
    if not table.is_open:
        raise NotPossible(_("The round is not running."))
    if not table.folders:
        raise NotPossible(_("This round is not played with boards."))
    if not 1 <= deal <= table.deals:
        raise NotPossible(_("There is no deal %(deal)d at this table.") % {"deal": deal}, "deal")
    most = table.round.tables.aggregate(most=Max("deals"))["most"]
    if not 1 <= folder <= most:
        raise NotPossible(_("The folders are numbered from 1 to %(most)d.") % {"most": most}, "folder")
    was = table.folders[deal - 1]
    if folder == was:
        return table
    changes = {deal: (was, folder)}
    if folder in table.folders:
        changes[table.folders.index(folder) + 1] = (folder, was)
    for number, (_old, new) in changes.items():
        table.folders[number - 1] = new
    FolderChange.objects.bulk_create(
        FolderChange(
            table=table,
            deal_number=number,
            was=old,
            now=new,
            reason=reason,
            source=Report.Source.DESK if account else Report.Source.CAPTAIN,
            author=author_name(account),
            changed_at=now,
        )
        for number, (old, new) in changes.items()
    )
    table.version += 1
    table.save(update_fields=["folders", "version"])
    write_down_at(
        table,
        account,
        gettext_noop("Round {round}, table {table}: deal {deal} is played with folder {folder}: {reason}"),
        now=now,
        deal=deal,
        folder=folder,
        reason=reason,
    )
    return table


@transaction.atomic
def show_same_cards(tournament: Tournament, *, shown: bool, account: Account, now: datetime) -> Tournament:
    """Show the column of play on the same cards in the standings, or leave it out."""
    tournament = locked(tournament)
    if tournament.shows_same_cards != shown:
        tournament.shows_same_cards = shown
        tournament.save(update_fields=["shows_same_cards"])
        text = COLUMN_SHOWN if shown else COLUMN_LEFT_OUT
        write_down(tournament, account, text, now=now)
    return tournament


def opened_rounds(tournament: Tournament) -> list[Round]:
    """The rounds on boards that are over, by number; none where cards are dealt by hand."""
    rounds = tournament.rounds.select_related("tournament") if tournament.boards else ()
    return [round_ for round_ in rounds if not is_sealed(round_)]


def sealed_rounds(tournament: Tournament) -> set[int]:
    """Numbers of rounds whose deals are still secret; none if cards are dealt by hand."""
    rounds = tournament.rounds.select_related("tournament") if tournament.boards else ()
    return {round_.number for round_ in rounds if is_sealed(round_)}


# Starting folders of tables that share sets, and where they pass them on.


@dataclass(frozen=True, slots=True)
class Beginning:
    """A table's first folder set, and the table to which its folders go next (None: back to the shelf)."""

    table: int
    set: int
    first: int
    last: int
    next_table: int | None


def beginnings(round_: Round) -> list[Beginning]:
    """Starting folders of tables that share sets; empty if every table has a set.

    This is the movement as planned; a table's own order also reflects folders taken by mistake.
    """
    tournament = round_.tournament
    tables = sorted((table for table in round_.tables.all() if table.folders), key=lambda table: table.number)
    sets, size = tournament.board_sets, folder_size(tournament)
    if not 0 < sets < len(tables):
        return []
    try:
        orders = sequences([table.deals for table in tables], sets, size)
    except Shortage:
        return []
    shared = [set_of(place, len(tables), sets) for place in range(len(tables))]
    found = []
    for place, table in enumerate(tables):
        mates = [other for other, of in zip(tables, shared, strict=True) if of == shared[place]]
        before = mates[mates.index(table) - 1]
        found.append(
            Beginning(
                table.number,
                shared[place] + 1,
                orders[place][0],
                orders[place][0] + size - 1,
                before.number if before is not table else None,
            )
        )
    return found
