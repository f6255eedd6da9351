"""Transfers: a club requests another club's member; that club or a union of both answers; silence is a yes."""

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from datetime import date, datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from clubs.clubs import log_change
from clubs.letter_models import OF_ORGANISERS
from clubs.mail.kinds import LetterKind, LetterObsolete
from clubs.mail.outbox import enqueue_letter, language_for
from clubs.members import holder_of
from clubs.models import (
    Account,
    Affiliation,
    Club,
    Gives,
    Letter,
    MainClub,
    Membership,
    Player,
    Role,
    Transfer,
)
from clubs.register_models import WITH_NAMES, clubs_in, unions_with
from clubs.roles import Visitor
from core.errors import UserError

# So long without an answer is a yes.
SILENCE = timedelta(days=14)
ORGANISER = Role.Kind.ORGANISER
ANSWERED = gettext_noop("It was answered or withdrawn before it was sent.")


@transaction.atomic
def request_transfer(
    membership: Membership, club: Club, *, day: date, number: int | None, account: Account, now: datetime
) -> Transfer:
    """Ask for a member of another club. Raises UserError where that cannot be."""
    player, origin = membership.player, membership.club
    # Two who ask at once: the second waits here, and is refused below.
    list(type(player).objects.select_for_update().filter(pk=player.pk).values_list("pk"))
    if Transfer.objects.filter(player=player, state=Transfer.State.ASKED).exists():
        raise UserError(_("A transfer of this person is already waiting for an answer."), "who")
    latest = _last_played(membership)
    if day < membership.joined or (latest and day <= latest):
        # The message reveals nothing more about their games.
        raise UserError(
            _("They joined or played for their present club after this day. Choose a later one."), "joined"
        )
    made = Transfer.objects.create(
        player=player,
        origin=origin,
        club=club,
        day=day,
        number=number,
        asked_by=str(account),
        asked_at=now,
    )
    text = gettext_noop("Asked for the transfer of a member already known to the union")
    log_change(club, account, text, now=now)
    text = gettext_noop("{club_asking} asks for the transfer of {member}")
    log_change(origin, account, text, now=now, club_asking=club, member=player)
    _write_to(made, _clubs_that_may_answer(made))
    return made


def _last_played(membership: Membership) -> date | None:
    """The last day on which a member sat at a table, or is entered, for the club."""
    entries = membership.player.entries.filter(club=membership.club).exclude(status="withdrawn")
    latest: date | None = entries.exclude(tournament__state="setup").aggregate(
        latest=Max("tournament__date")
    )["latest"]
    return latest


def transfers_to_answer(visitor: Visitor) -> QuerySet[Transfer]:
    """The open transfers that a visitor may answer: from clubs they organise, or between two clubs of their union."""
    found = Transfer.objects.filter(state=Transfer.State.ASKED).select_related("player", "origin", "club")
    return found.filter(
        _answered_by(Role.objects.filter(account_id=visitor.pk or 0, kind=ORGANISER).values("club"))
    )


def _answered_by(clubs: Any) -> Q:
    """Filter of transfers that organisers of these clubs answer: of the old club, or of a union of both clubs."""
    theirs = Affiliation.objects.filter(club=OuterRef("origin"), left=None, union__in=clubs)
    given = theirs.filter(gives=Gives.EVERYTHING)
    also = {"union__affiliated__club": OuterRef("club"), "union__affiliated__left": None}
    shared = theirs.exclude(gives=Gives.NOTHING).filter(**also)
    return Q(origin__in=clubs) | Q(Exists(given)) | Q(Exists(shared))


def transfers_of(club: Club) -> QuerySet[Transfer]:
    """The transfers from and to a club, of a union also those between its clubs; the newest first."""
    of_it = (
        Q(origin=club)
        | Q(club=club)
        | Q(origin__in=clubs_in(club, gives__in=WITH_NAMES), club__in=clubs_in(club))
    )
    return Transfer.objects.filter(of_it).select_related("player", "origin", "club")


@transaction.atomic
def answer_transfer(transfer: Transfer, *, yes: bool, account: Account, now: datetime) -> Transfer:
    """Transfer the member, or refuse. Raises UserError where it has been answered meanwhile."""
    held = _lock_transfer(transfer)
    if yes:
        _move(held, str(account), account, now)
    else:
        _close(held, Transfer.State.REFUSED, str(account), now)
        text = gettext_noop("Refused the transfer of {member} to {new_club}")
        log_change(held.origin, account, text, now=now, member=held.player, new_club=held.club)
    _write_to(held, [held.club_id])
    return held


@transaction.atomic
def withdraw_transfer(transfer: Transfer, *, account: Account, now: datetime) -> None:
    """Take a request back. Raises UserError where it has been answered meanwhile."""
    held = _lock_transfer(transfer)
    _close(held, Transfer.State.WITHDRAWN, str(account), now)
    text = gettext_noop("{club_asking} has withdrawn its request for the transfer of {member}")
    log_change(held.origin, account, text, now=now, club_asking=held.club, member=held.player)


def answer_by_silence(now: datetime) -> None:
    """Carry out transfers left unanswered for two weeks, each in its own transaction."""
    due = Transfer.objects.filter(state=Transfer.State.ASKED, asked_at__lte=now - SILENCE)
    for transfer in due.select_related("player", "origin", "club").order_by("pk"):
        with suppress(UserError), transaction.atomic():
            held = _lock_transfer(transfer)
            _move(held, "", None, now)
            # The old club has not agreed: what it wrote down of them is not passed on.
            if not held.player.memberships.filter(left=None).exclude(club=held.club).exists():
                Player.objects.filter(pk=held.player_id).update(email="", phone="")
            _write_to(held, [held.club_id, held.origin_id])


def _lock_transfer(transfer: Transfer) -> Transfer:
    """The transfer, locked; raises UserError where it is no longer open."""
    rows = Transfer.objects.select_for_update(of=("self",)).select_related("player", "origin", "club")
    held = rows.filter(pk=transfer.pk, state=Transfer.State.ASKED).first()
    if held is None:
        raise UserError(_("This transfer has already been answered or withdrawn."))
    return held


def _close(transfer: Transfer, state: str, by: str, now: datetime) -> None:
    transfer.state, transfer.answered_by, transfer.answered_at = state, by, now
    transfer.save(update_fields=["state", "day", "answered_by", "answered_at"])


def _move(transfer: Transfer, by: str, account: Account | None, now: datetime) -> None:
    """End the old membership and begin the new one, on the requested day or after the last game."""
    player, club = transfer.player, transfer.club
    if old := player.memberships.filter(club=transfer.origin, left=None).first():
        latest = _last_played(old)
        if latest and latest >= transfer.day:
            transfer.day = latest + timedelta(days=1)
        old.left = max(transfer.day, old.joined)
        old.save(update_fields=["left"])
    if not player.memberships.filter(club=club, left=None).exists():
        number = None if holder_of(club, transfer.number) else transfer.number
        Membership.objects.create(player=player, club=club, number=number, joined=transfer.day)
    _close(transfer, Transfer.State.DONE, by, now)
    _log_move(player, transfer.origin, club, account, now)


@transaction.atomic
def record_moves(
    moves: Iterable[tuple[int, Club, date, int | None]], *, account: Account, now: datetime
) -> None:
    """Store the moves of a union's list as transfers: membership that ends, new club, day, number in the new club.

    The new memberships are the caller's to store.
    """
    by_key = {key: (club, day, number) for key, club, day, number in moves}
    for old in Membership.objects.filter(pk__in=by_key).select_related("player", "club").order_by("pk"):
        club, day, number = by_key[old.pk]
        Membership.objects.filter(pk=old.pk).update(left=day)
        Transfer.objects.create(
            player=old.player, origin=old.club, club=club, day=day, number=number, state=Transfer.State.DONE,
            asked_by=str(account), asked_at=now, answered_by=str(account), answered_at=now,
        )  # fmt: skip
        # A person who stays in a third club would otherwise get that one as their main club.
        if Membership.objects.filter(player=old.player, left=None).exclude(pk=old.pk).exists():
            MainClub.objects.create(
                player=old.player, club=club, day=day, chosen_by=str(account), chosen_at=now
            )
        _log_move(old.player, old.club, club, account, now)


def _log_move(player: Player, origin: Club, club: Club, account: Account | None, now: datetime) -> None:
    text = gettext_noop("{member} moved from {old_club} to {new_club}")
    for one in (origin, club):
        log_change(one, account, text, now=now, member=player, old_club=origin, new_club=club)


# Letters to organisers: names are shown at the desk alone.


class TransferNews(LetterKind):
    """Notifies organisers of a transfer to answer, or of the answer to their own request."""

    code = "transfer"
    name = gettext_lazy("transfer of a member")
    topic = OF_ORGANISERS

    def template_context(self, letter: Letter) -> dict[str, Any]:
        transfer = (
            Transfer.objects.select_related("origin", "club").filter(pk=letter.facts["transfer"]).first()
        )
        if transfer is None or transfer.state != letter.facts["state"]:
            raise LetterObsolete(ANSWERED)
        at = reverse("desk")
        until = timezone.localtime(transfer.asked_at + SILENCE)
        return {
            "transfer": transfer,
            "until": date_format(until, "DATE_FORMAT"),
            "day": date_format(transfer.day, "DATE_FORMAT"),
            "link": f"{settings.PUBLIC_URL}{at}",
        }


def _write_to(transfer: Transfer, clubs: Collection[int]) -> None:
    """Queue a letter to each organiser of these clubs, in the list of letters of their own club."""
    theirs = Role.objects.filter(club__in=clubs, kind=ORGANISER, account__in=organisers_of(clubs))
    for role in theirs.select_related("account", "club").order_by("pk"):
        enqueue_letter(
            TransferNews.code,
            role.account.email,
            language=language_for(None, role.club),
            facts={"transfer": transfer.pk, "state": transfer.state},
            club=role.club,
            member=role.account,
            key=f"transfer {transfer.pk} {transfer.state} {role.account_id}",
        )


def _clubs_that_may_answer(transfer: Transfer) -> list[int]:
    """The old club, and the unions of both clubs."""
    shared = Affiliation.objects.filter(club=transfer.club, left=None, union__in=unions_with(transfer.origin))
    return [transfer.origin_id, *shared.values_list("union", flat=True)]


def enqueue_for_organisers(
    kind: str, club: Club, facts: Mapping[str, object], *, key: str
) -> list[Letter | None]:
    """Queue a letter to each organiser of a club; each is stored once under the `key` with their account's.

    It is in the list of letters of the club itself: nobody else sees the addresses of its organisers.
    """
    return [
        enqueue_letter(
            kind,
            account.email,
            language=language_for(None, club),
            facts=facts,
            club=club,
            member=account,
            key=f"{key} {account.pk}",
        )
        for account in organisers_of([club.pk])
    ]


def organisers_of(clubs: Collection[int]) -> QuerySet[Account]:
    """Active organisers of these clubs who have an email address."""
    roles = Role.objects.filter(club__in=clubs, kind=ORGANISER).values("account")
    return Account.objects.filter(pk__in=roles, is_active=True).exclude(email="").order_by("pk")
