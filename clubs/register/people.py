"""People of a union on any day: their numbers, main clubs and stored counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime

from django.db import transaction
from django.db.models import Count, Exists, F, IntegerField, Max, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.clubs import lock_club, log_change
from clubs.members import search_filter
from clubs.models import (
    Account,
    Affiliation,
    Club,
    MainClub,
    MemberCount,
    Membership,
    MembershipQuerySet,
    Player,
    UnionNumber,
)
from clubs.names import is_number
from clubs.register_models import WITH_NAMES, clubs_in
from core.errors import UserError


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
