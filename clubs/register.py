"""The register: clubs in unions and what each gives, transfers of members, a union's people, numbers and counts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Exists, F, IntegerField, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from clubs.clubs import find_club, lock_club, log_change
from clubs.letter_models import OF_ORGANISERS
from clubs.mail.kinds import LetterKind, LetterObsolete
from clubs.mail.outbox import enqueue_letter, language_for
from clubs.members import holder_of, search_filter
from clubs.models import (
    Account,
    Affiliation,
    AffiliationOffer,
    Club,
    Gives,
    Letter,
    MainClub,
    MemberCount,
    Membership,
    MembershipQuerySet,
    Player,
    Role,
    Transfer,
    UnionNumber,
)
from clubs.names import is_number
from clubs.register_models import WITH_NAMES, clubs_in, is_affiliated, unions_with
from clubs.roles import Visitor
from core.errors import UserError
from core.log_messages import translatable
from core.sql import key_set

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
    latest = last_played([player.pk]).get((player.pk, origin.pk))
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


# Lists of values instead of negations, which Django turns into "has no such entry at all".
BEGUN, TAKES_PART = ("running", "finished"), ("entered", "present")


def last_played(players: Collection[int]) -> dict[tuple[int, int | None], date]:
    """The last day on which each player sat at a table, or is entered, by player and the club that it was for.

    A match has a day of its own, a round may have one, and what begins after midnight is played on the next day.
    """
    entered = Player.objects.filter(
        pk__in=key_set(players), entries__status__in=TAKES_PART, entries__tournament__state__in=BEGUN
    )
    rows = entered.order_by().values_list("pk", "entries__club").annotate(Max("entries__tournament__date"))
    found: dict[tuple[int, int | None], date] = {(player, club): day for player, club, day in rows}
    for seats in ("entries__seats", "entries__former_seats"):
        for player, club, day, started in _days_at_tables(players, seats):
            following = day + timedelta(days=1)
            last = following if started and timezone.localdate(started) == following else day
            found[player, club] = max(found.get((player, club), last), last)
    return found


def _days_at_tables(players: Collection[int], seats: str) -> QuerySet[Any, tuple[Any, ...]]:
    """By player, club and day, when they last sat down at a table there; what is only drawn is left out.

    A match with a day of its own is begun by itself, or with its first report.
    """
    match, round_ = f"{seats}__table__match__", f"{seats}__round__"
    together = Q(**{f"{match}day": None, f"{match}postponed_to": None, f"{round_}started_at__isnull": False})
    alone = Q(**{f"{match}started_at__isnull": False}) | Q(
        **{f"{seats}__table__last_report_at__isnull": False}
    )
    sat = Player.objects.filter(together | alone, pk__in=key_set(players), **{f"{seats}__isnull": False})
    days = (f"{match}postponed_to", f"{match}day", f"{round_}date", "entries__tournament__date")
    rows = sat.order_by().values_list("pk", "entries__club", Coalesce(*days))
    return rows.annotate(last_started=Max(Coalesce(f"{match}started_at", f"{round_}started_at")))


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
        latest = last_played([player.pk]).get((player.pk, transfer.origin_id))
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


# Clubs in unions: invite, accept, choose what the union gets, leave.


@transaction.atomic
def add_to_union(
    club: Club, union: Club, *, gives: str, account: Account | None, now: datetime
) -> Affiliation:
    """Let a club join a union today. Raises UserError where one of the two cannot."""
    _refuse(club, union)
    AffiliationOffer.objects.filter(club=club, union=union).delete()
    joined = timezone.localdate(now)
    # Who left and comes back on the same day has never been away.
    again = Affiliation.objects.filter(club=club, union=union, left=joined).order_by("-pk").first()
    made = again or Affiliation(club=club, union=union, joined=joined)
    made.left, made.gives = None, gives
    made.save()
    for one in (club, union):
        log_change(
            one, account, gettext_noop("{joined} joined the union {union}"), now=now, joined=club, union=union
        )
    return made


def _refuse(club: Club, union: Club) -> None:
    if club == union:
        raise UserError(_("A club cannot be its own union."), "club")
    if is_affiliated(club, union):
        raise UserError(_("%(club)s already belongs to %(union)s.") % {"club": club, "union": union}, "club")
    if club.clubs.exists():
        raise UserError(_("%(club)s is itself a union with clubs.") % {"club": club}, "club")
    if union.unions.exists():
        raise UserError(_("%(club)s itself belongs to a union.") % {"club": union}, "club")


@transaction.atomic
def invite_club(union: Club, name: str, *, account: Account, now: datetime) -> AffiliationOffer:
    """Invite the club of that name to join a union. Raises UserError at `club`."""
    club = find_club(name)
    if club is None:
        raise UserError(_("There is no club with this name here."), "club")
    _refuse(club, union)
    made, is_new = AffiliationOffer.objects.get_or_create(
        club=club, union=union, defaults={"offered_by": str(account), "offered_at": now}
    )
    if is_new:
        log_change(union, account, gettext_noop("Invited {invited} to join the union"), now=now, invited=club)
    return made


@transaction.atomic
def accept_invitation(offer: AffiliationOffer, gives: str, *, account: Account, now: datetime) -> None:
    """Join the union that has invited a club. Raises UserError where the club cannot."""
    add_to_union(offer.club, offer.union, gives=gives, account=account, now=now)


@transaction.atomic
def decline_invitation(offer: AffiliationOffer, *, account: Account, now: datetime) -> None:
    """Remove an invitation, for the club that declines or the union that withdraws it."""
    offer.delete()
    text = gettext_noop("The invitation of {invited} by {union} was declined or withdrawn")
    for club in (offer.club, offer.union):
        log_change(club, account, text, now=now, invited=offer.club, union=offer.union)


@transaction.atomic
def change_what_union_gets(affiliation: Affiliation, gives: str, *, account: Account, now: datetime) -> None:
    """Store the permissions that a club gives a union. Raises UserError where no other account organises the club."""
    if affiliation.gives == gives:
        return
    _keep_organiser(affiliation)
    affiliation.gives = gives
    affiliation.save(update_fields=["gives"])
    text = gettext_noop("{union} now gets: {given}")
    given = translatable(Gives(gives).label)
    log_change(affiliation.club, account, text, now=now, union=affiliation.union, given=given)


@transaction.atomic
def leave_union(affiliation: Affiliation, *, account: Account, now: datetime) -> None:
    """End a club's time in a union today. What it has played in the union's seasons still counts there."""
    _keep_organiser(affiliation)
    affiliation.left = timezone.localdate(now)
    affiliation.save(update_fields=["left"])
    text = gettext_noop("{left_club} left the union {union}")
    for club in (affiliation.club, affiliation.union):
        log_change(club, account, text, now=now, left_club=affiliation.club, union=affiliation.union)


def _keep_organiser(affiliation: Affiliation) -> None:
    """Raise UserError where only the union's organisers organise the club: it would have no organiser."""
    own = Role.objects.filter(club=affiliation.club, kind=Role.Kind.ORGANISER, account__is_active=True)
    if affiliation.gives == Gives.EVERYTHING and not own.exists():
        raise UserError(
            _("%(club)s needs an organiser of its own first: so far the union has organised it.")
            % {"club": affiliation.club}
        )


def invitations_to(account: Account) -> QuerySet[AffiliationOffer]:
    """The invitations of unions that wait for an answer of clubs which an account organises by its own role there."""
    roles = Role.objects.filter(account=account, kind=Role.Kind.ORGANISER).values("club")
    return AffiliationOffer.objects.filter(club__in=roles).select_related("club", "union")


def current_affiliations(club: Club) -> QuerySet[Affiliation]:
    """The unions that a club belongs to now, the one it joined first coming first."""
    return club.affiliations.filter(left=None).select_related("union")


def affiliated_clubs(union: Club) -> QuerySet[Affiliation]:
    """The clubs that belong to a union now, by name."""
    return union.affiliated.filter(left=None).select_related("club").order_by("club__name")


# People of a union on any day: their numbers, main clubs and stored counts.


def memberships_in(union: Club, day: date) -> MembershipQuerySet:
    """Memberships in force on a day, of the union's clubs of that day that give it names, and of the union itself."""
    clubs = Affiliation.objects.on(day).filter(union=union, gives__in=WITH_NAMES).order_by().values("club")
    return Membership.objects.on(day).filter(Q(club=union) | Q(club__in=clubs))


def main_memberships(union: Club, day: date) -> MembershipQuerySet:
    """One membership of each person of the union on a day: in the club chosen last, else in the one joined first.

    A choice counts while the membership lasts that it was made for.
    """
    older = Q(joined__lt=OuterRef("joined")) | Q(joined=OuterRef("joined"), pk__lt=OuterRef("pk"))
    before = memberships_in(union, day).filter(older, player=OuterRef("player")).order_by()
    lasts = memberships_in(union, day).filter(
        player=OuterRef("player"), club=OuterRef("club"), joined__lte=OuterRef("day")
    )
    of_player = MainClub.objects.filter(player=OuterRef("player"), day__lte=day)
    chosen = of_player.filter(Exists(lasts.order_by())).values("club")[:1]
    found = memberships_in(union, day).alias(chosen=Subquery(chosen))
    is_chosen = Q(chosen=F("club")) & ~Exists(before.filter(club=OuterRef("club")))
    # Nearly all are in one club, and nothing was chosen for them: that is looked at first.
    has_chosen = Exists(of_player.order_by())
    is_first = ~Exists(before)
    return found.filter(~has_chosen & is_first | has_chosen & (is_chosen | Q(chosen=None) & is_first))


def register_of(union: Club, day: date, query: str) -> MembershipQuerySet:
    """The union's people on a day with `union_number`, by name; found by words of the name, or by either number."""
    given = UnionNumber.objects.filter(union=union, player=OuterRef("player")).order_by().values("number")
    found = main_memberships(union, day).annotate(
        union_number=Subquery(given[:1], output_field=IntegerField())
    )
    if query:
        of_union = Q(union_number=int(query)) if is_number(query.strip()) else Q()
        found = found.filter(search_filter(query) | of_union if of_union else search_filter(query))
    return found.select_related("player", "club").order_by("player__sorted_as", "player_id")


@transaction.atomic
def give_numbers(union: Club, *, account: Account, now: datetime) -> int:
    """Give everybody of the union who has none the next free number, by name; returns to how many."""
    lock_club(union)
    people = main_memberships(union, timezone.localdate(now)).order_by("player__sorted_as", "player_id")
    has_one = UnionNumber.objects.filter(union=union, player=OuterRef("player"))
    players = list(people.filter(~Exists(has_one)).values_list("player", flat=True))
    last = union.numbers_given.aggregate(last=Max("number"))["last"] or 0
    UnionNumber.objects.bulk_create(
        UnionNumber(union=union, player_id=player, number=last + place)
        for place, player in enumerate(players, start=1)
    )
    if players:
        text = gettext_noop("Gave {people} people numbers in the union")
        log_change(union, account, text, now=now, people=len(players))
    return len(players)


@dataclass(frozen=True)
class ClubCount:
    """A club in a count: all its members, and those whose main club it is; None where it gives no names."""

    club: int
    name: str
    members: int | None
    main: int | None

    def as_json(self) -> dict[str, object]:
        return {"club": self.club, "name": self.name, "members": self.members, "main": self.main}


def count_members(union: Club, day: date) -> list[ClubCount]:
    """The clubs of a union on a day, by name, with their members of that day."""

    def by_club(found: MembershipQuerySet) -> dict[int, int]:
        return dict(found.order_by().values("club").annotate(many=Count("pk")).values_list("club", "many"))

    members, main = by_club(memberships_in(union, day)), by_club(main_memberships(union, day))
    clubs = Affiliation.objects.on(day).filter(union=union).order_by("club__name", "club_id")
    return [
        ClubCount(pk, name, members.get(pk, 0), main.get(pk, 0))
        if gives in WITH_NAMES
        else ClubCount(pk, name, None, None)
        for pk, name, gives in clubs.values_list("club", "club__name", "gives")
    ]


@transaction.atomic
def keep_count(union: Club, day: date, *, account: Account, now: datetime) -> MemberCount:
    """Count the members of a day and keep the result. Raises UserError for a day to come."""
    if day > timezone.localdate(now):
        raise UserError(_("This day is in the future."), "day")
    rows = [one.as_json() for one in count_members(union, day)]
    made = MemberCount.objects.create(union=union, day=day, rows=rows, made_by=str(account), made_at=now)
    text = gettext_noop("Counted the members of {counted}")
    log_change(union, account, text, now=now, counted=day)
    return made


def differences(count: MemberCount) -> Iterator[tuple[str, str, str]]:
    """The clubs whose member lists no longer give the counted figures: the club, its figures then, and now."""
    then = {row["club"]: row for row in count.rows}
    now = {one.club: one for one in count_members(count.union, count.day)}
    for club in then.keys() | now.keys():
        was, is_now = then.get(club), now.get(club)
        name = str(was["name"] if was else is_now and is_now.name)
        counted = _format_counts(was["members"], was["main"]) if was else _("not in the union")
        listed = _format_counts(is_now.members, is_now.main) if is_now else _("not in the union")
        if counted != listed:
            yield name, counted, listed


def _format_counts(members: int | None, main: int | None) -> str:
    return "–" if members is None else f"{members} ({main})"


def memberships_known_to(union: Club) -> QuerySet[Membership]:
    """All memberships, former ones too, of the clubs that give a union names now, and of the union itself."""
    clubs = clubs_in(union, gives__in=WITH_NAMES)
    return Membership.objects.filter(Q(club=union) | Q(club__in=clubs)).select_related("player", "club")


@transaction.atomic
def choose_main_club(
    player: Player, club: Club, day: date, *, desk: Club, account: Account, now: datetime
) -> MainClub:
    """Store that a person's main club is `club` from `day` on, as `desk` has decided; choosing twice is choosing once.

    Raises UserError at `club` where they are no member of it on that day.
    """
    list(Player.objects.select_for_update().filter(pk=player.pk).values_list("pk"))
    there = Membership.objects.on(day).filter(player=player)
    membership = there.filter(club=club).order_by("joined", "pk").first()
    if membership is None:
        text = _("%(name)s is not a member of %(club)s on %(day)s.")
        on = date_format(day, "DATE_FORMAT")
        raise UserError(text % {"name": player, "club": club, "day": on}, "club")
    newest = player.main_clubs.select_related("club").first()
    if newest and newest.club_id == club.pk and membership.joined <= newest.day <= day:
        return newest
    made = MainClub.objects.create(player=player, club=club, day=day, chosen_by=str(account), chosen_at=now)
    text = gettext_noop("The main club of {member} is {main_club} from {day}")
    for one in {desk, club}:
        log_change(one, account, text, now=now, member=player, main_club=club, day=day)
    # Clubs need not know which other clubs their members are in.
    text = gettext_noop("The main club of {member} is another club from {day}")
    for one in set(Club.objects.filter(memberships__in=there)) - {desk, club}:
        log_change(one, account, text, now=now, member=player, day=day)
    return made
