"""Fees, prizes in money and in kind, and settling up."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import transaction
from django.db.models import ExpressionWrapper, F, Field, Max
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from core.errors import NotPossible
from core.log_messages import author_name
from tournaments.boards.folders import sealed_rounds
from tournaments.changes.chain_contents import PAYMENT
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down
from tournaments.changes.versions import announce
from tournaments.domain.amounts import in_kroner, signed_kroner
from tournaments.domain.formats import Ranked
from tournaments.domain.log_values import MADE_PAYMENTS, kroner
from tournaments.domain.prizes import prizes, prizes_by_place, things_won
from tournaments.domain.terms import people
from tournaments.ledger.queries import is_played_out, regulars, teams_of
from tournaments.lifecycle.payments import BOX, settle, settle_with_box
from tournaments.models import Payment
from tournaments.standings.players import standings
from tournaments.standings.team_text import places_by_total
from tournaments.standings.teams import team_standings
from tournaments.standings.tie_breaks import Row

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from clubs.models import Account
    from tournaments.lifecycle.payments import Transfers
    from tournaments.models import Tournament


# The money of a tournament: what the pool pays, what each player owes or gets, and the payment list, ticked off.
#
# A player's balance is their tokens after rulings times the stake, their prize, and the entry fee where they owe it.
# What balances lack to 0 the club's box gives or gets: prizes, fees, rulings and scores that do not add up to 0.


class Balance(NamedTuple):
    """A player's balance in øre, to be paid out (+) or owed (-), with its parts; the full name, for payments."""

    row: Row
    name: str
    by_tokens: int
    prize: int
    fee: int = 0  # never above 0: what is paid already is not in a balance

    @property
    def amount(self) -> int:
        return self.by_tokens + self.prize + self.fee

    @property
    def tokens_in_kroner(self) -> str:
        return signed_kroner(self.by_tokens)

    @property
    def prize_in_kroner(self) -> str:
        return signed_kroner(self.prize)

    @property
    def fee_in_kroner(self) -> str:
        return signed_kroner(self.fee)

    @property
    def in_kroner(self) -> str:
        return signed_kroner(self.amount)


@dataclass(frozen=True)
class Reckoning:
    """Balances by the current standings; the number of paid entry fees, and the fee.

    `by_place` are the prizes, also of vacant places.
    """

    balances: Sequence[Balance]
    fees_paid: int
    fee: int
    by_place: Sequence[int]

    @cached_property
    def fees_owed(self) -> int:
        """The number of unpaid entry fees."""
        return sum(balance.fee != 0 for balance in self.balances)

    @property
    def pool(self) -> int:
        """The entry fees, those that are owed with them: they are settled with everything else."""
        return (self.fees_paid + self.fees_owed) * self.fee

    @property
    def owed(self) -> int:
        """The part of the pool that is still to be paid."""
        return self.fees_owed * self.fee

    @cached_property
    def by_tokens(self) -> int:
        return sum(balance.by_tokens for balance in self.balances)

    @cached_property
    def prizes(self) -> int:
        return sum(balance.prize for balance in self.balances)

    @cached_property
    def fees(self) -> int:
        return sum(balance.fee for balance in self.balances)

    @cached_property
    def box(self) -> int:
        """The balance of the cash box after settlement, in øre; the entry fees paid are in it already."""
        return -sum(balance.amount for balance in self.balances)

    @property
    def in_the_box(self) -> int:
        """The tournament's contribution to the cash box: the fees paid before, and its balance."""
        return self.fees_paid * self.fee + self.box

    @cached_property
    def due(self) -> dict[int, int]:
        """All balances by number, the cash box's included: they add up to 0."""
        return {BOX: self.box} | {balance.row.number: balance.amount for balance in self.balances}


def reckon(tournament: Tournament) -> Reckoning:
    """The balances of a fresh `tournament`."""
    rows = standings(tournament, moved=False).rows
    # As the database has it, 0 or 1: then no row has to be looked through.
    is_paid = ExpressionWrapper(F("fee_paid"), Field())
    entered = list(tournament.entries.order_by().values_list("number", "player__name", is_paid))
    names = {number: name for number, name, _paid in entered}
    paid = {number for number, _name, paid in entered if paid}
    # Players who have withdrawn without paying do not owe the fee.
    owing = {row.number for row in rows if not row.withdrawn} - paid if tournament.entry_fee else set()
    fees = len(paid | owing) * tournament.entry_fee
    by_place = tournament.prize_amounts or prizes_by_place(fees, tournament.prize_shares)
    won = PRIZES[tournament.format_row.ranked](tournament, rows, by_place)
    balances = [
        Balance(
            row,
            names[row.number],
            by_tokens=row.with_rulings * tournament.stake,
            prize=won.get(row.number, 0),
            fee=-tournament.entry_fee if row.number in owing else 0,
        )
        for row in rows
    ]
    return Reckoning(balances, len(paid), tournament.entry_fee, by_place)


def _prizes_of_players(
    _tournament: Tournament, rows: Sequence[Row], by_place: Sequence[int]
) -> dict[int, int]:
    """Each player's prize; who share a place are in the order of their lots."""
    places = (
        [row.number for row in sorted(equals, key=lambda row: (-row.lot, row.number))]
        for _rank, equals in groupby(rows, key=lambda row: row.rank)
    )
    return prizes(by_place, places)


def _prizes_of_teams(tournament: Tournament, _rows: Sequence[Row], by_place: Sequence[int]) -> dict[int, int]:
    """Each player's part of what the pair or team has won: its members share, an odd øre to the first of them."""
    by_team = prizes_by_team(tournament, by_place)
    won: dict[int, int] = {}
    for team in teams_of(tournament):
        members = sorted(entry.number for entry in regulars(team))
        each, over = divmod(by_team.get(team.number, 0), len(members) or 1)
        won |= {number: each + (index < over) for index, number in enumerate(members)}
    return won


PRIZES = {Ranked.PLAYERS: _prizes_of_players, Ranked.TEAMS: _prizes_of_teams}


def prizes_by_team(tournament: Tournament, by_place: Sequence[int]) -> dict[int, int]:
    """Each pair's or team's prize; the same place in several groups is one place that is shared."""
    ranked = sorted(team_standings(tournament).rows, key=lambda row: (row.rank, row.number))
    places = [[row.number for row in equals] for _rank, equals in groupby(ranked, key=lambda row: row.rank)]
    return prizes(by_place, places)


@dataclass(frozen=True, slots=True)
class Listed:
    """A payment as sums need it: payer and payee by number, so many øre."""

    payer: int
    payee: int
    amount: int
    paid: bool


def list_payments(tournament: Tournament) -> list[Listed]:
    """The payment list, in its order, without names."""
    fields = ("payer__number", "payee__number", "amount", "paid_at")
    return [
        Listed(payer or BOX, payee or BOX, amount, paid_at is not None)
        for payer, payee, amount, paid_at in tournament.payments.values_list(*fields)
    ]


def on_the_list(payments: Sequence[Listed]) -> dict[int, int]:
    """The balance (+ or -) of each number by these payments."""
    sums: Counter[int] = Counter()
    for payment in payments:
        sums[payment.payer] -= payment.amount
        sums[payment.payee] += payment.amount
    return dict(sums)


def payment_list(tournament: Tournament) -> QuerySet[Payment]:
    """The payment list with names."""
    return tournament.payments.select_related("payer__player", "payee__player")


def still_due(due: Mapping[int, int], payments: Sequence[Listed]) -> dict[int, int]:
    """The remainders of balances after these payments; all 0 where they settle everything."""
    sums = on_the_list(payments)
    return {number: due.get(number, 0) - sums.get(number, 0) for number in due.keys() | sums.keys()}


def is_with_box(payments: Sequence[Listed]) -> bool:
    """Whether a list has everybody settle with the club's cashier: its open payments say, or all where none is open."""
    left = [payment for payment in payments if not payment.paid] or payments
    return all(BOX in (payment.payer, payment.payee) for payment in left)


NO_PRIZES = gettext_noop("There are no prizes")


def has_prizes(tournament: Tournament) -> bool:
    return bool(tournament.prize_shares or tournament.prize_amounts or tournament.prize_things)


def gives_none(tournament: Tournament) -> bool:
    """Whether an organiser has said that there are no prizes."""
    return not has_prizes(tournament) and tournament.log.filter(text=NO_PRIZES).exists()


@transaction.atomic
def set_prizes(
    tournament: Tournament,
    *,
    shares: Sequence[int],
    amounts: Sequence[int],
    things: Sequence[str] = (),
    account: Account,
    now: datetime,
) -> Tournament:
    """Set the prizes of the places: percentages of the entry fees, or amounts in øre, the other empty; and things.

    Nothing at all, where nothing was said before, means that there are no prizes.
    """
    tournament = locked(tournament)
    if not (has_prizes(tournament) or shares or amounts or things or gives_none(tournament)):
        write_down(tournament, account, NO_PRIZES, now=now, about=[tournament])
    if tournament.prize_things != list(things):
        tournament.prize_things = list(things)
        tournament.save(update_fields=["prize_things"])
        text = gettext_noop("Prizes other than money, by place, are now: {things}")
        said = ", ".join(thing or "–" for thing in things) or "–"
        write_down(tournament, account, text, now=now, about=[tournament], things=said)
    if (tournament.prize_shares, tournament.prize_amounts) != (list(shares), list(amounts)):
        tournament.prize_shares, tournament.prize_amounts = list(shares), list(amounts)
        tournament.save(update_fields=["prize_shares", "prize_amounts"])
        announce(tournament.pk)  # the final standings have the prizes
        if amounts:
            text = gettext_noop("The prizes by place are now {amounts} kroner")
            write_down(tournament, account, text, now=now, about=[tournament], amounts=kroner(amounts))
        else:
            text = gettext_noop("The prizes are now {shares} per cent of the entry fees")
            said = " + ".join(map(str, shares)) or "0"
            write_down(tournament, account, text, now=now, about=[tournament], shares=said)
    return tournament


@transaction.atomic
def make_list(tournament: Tournament, *, with_box: bool, account: Account, now: datetime) -> Transfers:
    """Make the payment list, or replace it: payments marked as paid stay and count.

    Everyone settles with the club's cashier, or players pay each other in few payments. Numbers are never reused,
    so that a number on an older paper cannot mean another payment.
    """
    tournament = locked(tournament)
    if not tournament.is_played:
        raise NotPossible(_("Finish the tournament first: its standings may still change."))
    last = _last_number(tournament)
    before = list_payments(tournament)
    due = still_due(reckon(tournament).due, [payment for payment in before if payment.paid])
    found = settle_with_box(due) if with_box else settle(due)
    entries = {entry.number: entry for entry in tournament.entries.all()}
    again = [Listed(one.payer, one.payee, one.amount, paid=False) for one in found.transfers]
    if again and again == [payment for payment in before if not payment.paid]:
        return found  # unchanged, under numbers that may be on paper
    replaced = list(tournament.payments.filter(paid_at=None))
    tournament.payments.filter(paid_at=None).delete()
    made = Payment.objects.bulk_create(
        Payment(
            tournament=tournament,
            number=number,
            payer=entries.get(transfer.payer),
            payee=entries.get(transfer.payee),
            amount=transfer.amount,
        )
        for number, transfer in enumerate(found.transfers, start=last + 1)
    )
    write_down(
        tournament, account, MADE_PAYMENTS, now=now, about=[*replaced, *made], count=len(found.transfers)
    )
    return found


def _last_number(tournament: Tournament) -> int:
    """The greatest number that a payment has had: those of lists that were replaced are in the chain alone."""
    made = tournament.log.filter(text=MADE_PAYMENTS).values("at")
    links = tournament.chain.filter(at__in=made).values_list("content", flat=True)
    found = {int(name.removeprefix(PAYMENT)) for link in links for name in link if name.startswith(PAYMENT)}
    there = tournament.payments.aggregate(last=Max("number"))["last"] or 0
    return max(found | {there})


@transaction.atomic
def tick(tournament: Tournament, number: int, *, paid: bool, account: Account, now: datetime) -> None:
    """Mark a payment as paid, or undo that; the log records both, with the account."""
    tournament = locked(tournament)
    payment = payment_list(tournament).filter(number=number).first()
    if payment is None:
        raise NotPossible(_("The payment list has been made again; check it once more."))
    if (payment.paid_at is not None) == paid:
        return
    payment.paid_at, payment.ticked_by = (now, author_name(account)) if paid else (None, "")
    payment.save(update_fields=["paid_at", "ticked_by"])
    write_down(
        tournament,
        account,
        _log_text(payment, paid=paid),
        now=now,
        about=[payment],
        number=number,
        amount=payment.amount,
        **{name: who for name, who in (("payer", payment.payer), ("payee", payment.payee)) if who},
    )


def _log_text(payment: Payment, *, paid: bool) -> str:
    if not paid:
        return gettext_noop("Payment {number} of {amount} øre was unticked")
    if payment.payer is None:
        return gettext_noop("Payment {number}: the club’s cash box has paid {payee} {amount} øre")
    if payment.payee is None:
        return gettext_noop("Payment {number}: {payer} has paid the club’s cash box {amount} øre")
    return gettext_noop("Payment {number}: {payer} has paid {payee} {amount} øre")


# Prizes that are no money: a challenge cup, a bottle of wine; who has won each.


def prizes_in_kind(tournament: Tournament) -> list[tuple[str, Sequence[tuple[int, str]]]]:
    """Each such prize with the numbers and names of who holds its place, in the order of the places.

    Who share a place share what it wins; the same place in several divisions is one place that is shared.
    """
    if not tournament.prize_things:
        return []
    groups, _total = places_by_total(tournament)
    ranked = sorted((row.rank, row.number, row.name) for group in groups for row in group.rows if row.played)
    places = [
        [(number, name) for _rank, number, name in equals]
        for _rank, equals in groupby(ranked, key=lambda row: row[0])
    ]
    return things_won(tournament.prize_things, places)


def in_kind_by_number(tournament: Tournament) -> dict[int, str]:
    """Prizes in kind, by the number of the player, pair or team."""
    won: dict[int, list[str]] = {}
    for thing, holders in prizes_in_kind(tournament):
        for number, _name in holders:
            won.setdefault(number, []).append(thing)
    return {number: ", ".join(things) for number, things in won.items()}


def prizes_in_kind_text(tournament: Tournament) -> list[str]:
    """A line for each: "Challenge cup: Anna Holm"."""
    return [
        f"{thing}: {', '.join(name for _number, name in holders)}"
        for thing, holders in prizes_in_kind(tournament)
    ]


# The first three as a podium shows them, with what they have won.

# Places on a podium, and the maximum number of players on it when the last place is shared.
PLACES, ROOM = 3, 6
# A longer word has no room in a third of a phone's width.
LONG_WORD = 11
BETWEEN_WORDS = re.compile(r"[\s/-]+")


@dataclass(frozen=True, slots=True)
class Place:
    """A place on the podium: `total` is the compared value, in the `unit` of pairs and teams.

    `prize` is in kroner, `thing` a prize in kind, `url` the page in the hall; each "" for none.
    """

    rank: int
    shared: bool
    name: str
    number: int
    total: str
    unit: str
    prize: str
    thing: str
    url: str = ""

    @property
    def rank_text(self) -> str:
        return f"{self.rank}{'=' if self.shared else ''}"


@dataclass(frozen=True, slots=True)
class Podium:
    """The first of a division; without a name where there is one division, or everybody plays for themselves.

    `won` is the sentence a page begins with, `ahead` by how much; "" where that is not counted in tokens.
    """

    name: str
    won: str
    places: Sequence[Place]
    ahead: str = ""

    @property
    def prizes(self) -> list[Place]:
        """The places with a prize."""
        return [place for place in self.places if place.prize or place.thing]

    @property
    def has_many(self) -> bool:
        """Whether more stand on it than there are steps: then they stand below each other."""
        return len(self.places) > PLACES

    @property
    def has_long(self) -> bool:
        """Whether a name has a word for which a step is too narrow on a phone."""
        words = (word for place in self.places for word in BETWEEN_WORDS.split(place.name))
        return any(len(word) > LONG_WORD for word in words)


def podiums(tournament: Tournament) -> list[Podium]:
    """A podium for each division, the first on top; none before anything is played."""
    groups, total = places_by_total(tournament)
    in_teams = tournament.in_teams
    page = "hall_team" if in_teams else "hall_player"
    by_tokens = not in_teams and standings(tournament).comparison.kind == "sum"
    won, things = _prizes(tournament), in_kind_by_number(tournament)
    found = []
    for group in groups:
        first = [row for row in group.rows if row.rank <= PLACES and row.played][:ROOM]
        places = [
            Place(
                row.rank,
                row.shared,
                row.name,
                row.number,
                total.cell_text(row),
                str(total.heading) if in_teams else "",
                in_kroner(won[row.number]) if won.get(row.number) else "",
                things.get(row.number, ""),
                reverse(page, args=[tournament.code, row.number]),
            )
            for row in first
        ]
        if places:
            found.append(Podium(group.name, group.won, places, _ahead(group.rows) if by_tokens else ""))
    return found


def podiums_from_the_last_deal(tournament: Tournament) -> list[Podium]:
    """The podiums for pages: none while a deal is missing, or a round's results are sealed."""
    if not is_played_out(tournament) or (not tournament.is_played and sealed_rounds(tournament)):
        return []
    return podiums(tournament)


def _ahead(rows: Sequence[Any]) -> str:
    """The winner's lead over the second; "" if the first place is shared, or there is no second."""
    second = [row for row in rows if row.rank == 2]  # the second
    if not second or not isinstance(gap := second[0].gap, int):
        return ""
    names = people([row.name for row in second])
    if not gap:
        return _("Ahead of %(names)s on the tie-break.") % {"names": names}
    said = ngettext("%(gap)d token ahead of %(names)s.", "%(gap)d tokens ahead of %(names)s.", gap)
    return said % {"gap": gap, "names": names}


def _prizes(tournament: Tournament) -> Mapping[int, int]:
    """Each prize in øre, by the number of the player, pair or team."""
    if not (tournament.prize_shares or tournament.prize_amounts):
        return {}
    reckoning = reckon(tournament)
    if tournament.in_teams:
        return prizes_by_team(tournament, reckoning.by_place)
    return {balance.row.number: balance.prize for balance in reckoning.balances}
