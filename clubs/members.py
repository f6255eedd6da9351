"""The members of a club: join, change, leave, come back, export, sort; their table on pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import IO

import django_tables2 as tables
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from clubs.clubs import log_change
from clubs.mail.kinds import set_consent
from clubs.matching import Known
from clubs.models import Account, Club, Membership, Player
from clubs.names import folded, is_number, sorted_as, sought_words
from clubs.roles import clubs_seen_by
from core.errors import UserError
from core.tables.columns import CONTACT, DAY, NAME, NUMBER
from core.tables.files import Table, Value, write_tables
from core.text import clean_text

PRESENT, FORMER, ALL = "present", "former", "all"


@dataclass(frozen=True)
class Details:
    """Details of a member. No number is None, an unknown e-mail or phone "".

    Privacy, language and consent are None if the form did not contain them: they stay unchanged.
    """

    name: str
    number: int | None
    joined: date
    email: str = ""
    phone: str = ""
    birth_year: int | None = None
    has_objected: bool | None = None
    language: str | None = None
    topics: tuple[str, ...] | None = None


def details_of(membership: Membership) -> Details:
    player = membership.player
    return Details(
        name=player.name,
        number=membership.number,
        joined=membership.joined,
        email=player.email,
        phone=player.phone,
        birth_year=player.birth_year,
        has_objected=player.has_objected,
        language=player.language,
        topics=tuple(player.agreements.order_by("topic").values_list("topic", flat=True)),
    )


def memberships_of(club: Club, *, who: str, query: str, today: date) -> QuerySet[Membership]:
    """A club's memberships, searched by name or number: present, former, or all."""
    gone = Q(left__lte=today)
    shown = {PRESENT: ~gone | Q(left=None), FORMER: gone}.get(who, Q())
    memberships = Membership.objects.filter(shown, club=club).select_related("player", "club")
    return memberships.filter(search_filter(query)) if query else memberships


def all_memberships(clubs: QuerySet[Club], *, query: str) -> QuerySet[Membership]:
    """Memberships of several clubs, former ones too, searched by name or number."""
    of_clubs = Membership.objects.filter(club__in=clubs.order_by().values("pk"))
    return of_clubs.filter(search_filter(query)).select_related("player", "club")


def search_filter(query: str, clubs: Iterable[Club] = ()) -> Q:
    """The filter of memberships and entries for a search: a number, or words of the name, or of the club if in `clubs`.

    An empty query matches all.
    """
    called = {club.pk: folded(club.name) for club in clubs}
    named = Q()
    for word in sought_words(query):
        of_club = Q(club__in=[club for club, name in called.items() if word in name])
        named &= Q(player__sought__contains=word) | of_club
    return named | Q(number=int(query)) if is_number(query.strip()) else named


def describe(known: Known) -> str:
    """A person's name with what distinguishes them: "Anna Holm, no. 12, Stilling, left on 1 May 2020"."""
    if known.known_to_union and not known.may_be_added:
        return _("%(name)s, known to the union: ask for a transfer") % {"name": known.name}
    if known.known_to_union:
        return _("%(name)s, known to the union") % {"name": known.name}
    parts = [known.name]
    if known.number is not None:
        parts.append(_("no. %(number)s") % {"number": known.number})
    if known.club:
        parts.append(known.club)
    if known.left:
        parts.append(_("left on %(left)s") % {"left": date_format(known.left, "DATE_FORMAT")})
    else:
        parts.append(_("member since %(joined)s") % {"joined": date_format(known.joined, "DATE_FORMAT")})
    return ", ".join(parts)


def holder_of(club: Club, number: int | None, besides: Membership | None = None) -> Membership | None:
    """The present member with a number."""
    if number is None:
        return None
    holders = Membership.objects.filter(club=club, number=number, left=None).select_related("player")
    return next((holder for holder in holders if holder != besides), None)


@transaction.atomic
def add_member(
    club: Club, details: Details, player: Player | None = None, *, account: Account, now: datetime
) -> Membership:
    """Add a member: a new player or a known one.

    A former member of this club, or somebody of another club of `account`, keeps email, phone, language and consents
    that are not given anew; of others these become what is given, as a club unknown here wrote those stored. Year of
    birth and objection are kept.
    """
    if player is None:
        player = Player()
    else:
        seen = Q(club=club) | Q(club__in=clubs_seen_by(account))
        details = _with_known(details, player, is_seen=player.memberships.filter(seen).exists())
    _describe(player, details, now)
    membership = Membership.objects.create(
        club=club, player=player, number=details.number, joined=details.joined
    )
    log_change(club, account, gettext_noop("{member} is a member"), now=now, member=player)
    return membership


def _with_known(details: Details, player: Player, *, is_seen: bool) -> Details:
    details = replace(
        details,
        birth_year=details.birth_year or player.birth_year,
        has_objected=details.has_objected or player.has_objected,
    )
    if not is_seen:
        return details
    return replace(
        details,
        email=details.email or player.email,
        phone=details.phone or player.phone,
        language=details.language or None,
        topics=details.topics or None,
    )


@transaction.atomic
def change_member(membership: Membership, details: Details, *, account: Account, now: datetime) -> None:
    player = membership.player
    _describe(player, details, now)
    membership.number, membership.joined = details.number, details.joined
    membership.save(update_fields=["number", "joined"])
    log_change(
        membership.club, account, gettext_noop("Changed the details of {member}"), now=now, member=player
    )


def _describe(player: Player, details: Details, now: datetime) -> None:
    player.name, player.email, player.phone = details.name, details.email, details.phone
    player.birth_year = details.birth_year
    if details.has_objected is not None:
        player.has_objected = details.has_objected
    if details.language is not None:
        player.language = details.language
    player.save()
    if details.topics is not None:
        set_consent(player, details.topics, now=now)


@transaction.atomic
def end_membership(membership: Membership, left: date, *, account: Account, now: datetime) -> None:
    """End a membership from a day on. Raises UserError at `left`."""
    if left < membership.joined:
        joined = date_format(membership.joined, "DATE_FORMAT")
        text = _("They joined on %(joined)s and cannot leave before that date.") % {"joined": joined}
        raise UserError(text, "left")
    membership.left = left
    membership.save(update_fields=["left"])
    text = gettext_noop("{member} has left the club")
    log_change(membership.club, account, text, now=now, member=membership.player)


@transaction.atomic
def resume_membership(membership: Membership, *, account: Account, now: datetime) -> None:
    """Undo the end of a membership. Raises UserError if its number or place is taken."""
    if holder := holder_of(membership.club, membership.number, besides=membership):
        raise UserError(
            _("Number %(number)s now belongs to %(name)s. Give %(who)s another number first.")
            % {"number": membership.number, "name": holder.player, "who": membership.player}
        )
    others = Membership.objects.filter(club=membership.club, player=membership.player, left=None)
    if others.exclude(pk=membership.pk).exists():
        raise UserError(_("%(name)s has already rejoined.") % {"name": membership.player})
    membership.left = None
    membership.save(update_fields=["left"])
    text = gettext_noop("{member} is a member again")
    log_change(membership.club, account, text, now=now, member=membership.player)


AT_ONCE = 2000
MemberLine = Sequence[int | str | date | None]


def member_lines(memberships: QuerySet[Membership]) -> Iterator[MemberLine]:
    """The rows of the member export, in order, queried in batches."""
    lines = memberships.values_list(
        "number", "player__name", "player__email", "player__phone", "joined", "left", "player__birth_year"
    )
    yield from lines.iterator(AT_ONCE)


def export_members(file: IO[bytes], club: Club, lines: Iterable[MemberLine], kind: str) -> None:
    """Write the members into a file as "csv" or "xlsx", in batches."""
    headings = [_("Number"), _("Name"), _("Email"), _("Phone"), _("Joined"), _("Left"), _("Year of birth")]
    write_tables(file, kind, Table(headings, map(_row, lines), club.name))


def _row(line: MemberLine) -> list[Value]:
    return [(clean_text(value) or None) if isinstance(value, str) else value for value in line]


SORTED_AT_ONCE = 1000
# Names that no two alphabets sort otherwise: of plain letters, without the double a that is å to Danes.
SORTED_ALIKE = ~Q(name__regex="[^ -~]") & ~Q(name__icontains="aa")


def update_sort_keys() -> int:
    """Recompute the sort keys of all players; returns how many changed."""
    players = Player.objects.exclude(SORTED_ALIKE).only("name", "sorted_as")
    moved = [player for player in players.iterator() if player.sorted_as != sorted_as(player.name)]
    Player.objects.bulk_update(moved, ["sorted_as"], batch_size=SORTED_AT_ONCE)  # which computes it again
    return len(moved)


class MemberTable(tables.Table):
    number = tables.Column(gettext_lazy("No."), attrs=NUMBER)
    name = tables.Column(
        gettext_lazy("Name"),
        accessor="player__name",
        order_by=("player__sorted_as", "pk"),
        linkify=("member", {"slug": tables.A("club__slug"), "pk": tables.A("pk")}),
        attrs=NAME,
    )
    phone = tables.Column(gettext_lazy("Phone"), accessor="player__phone", default="", attrs=CONTACT)
    email = tables.Column(gettext_lazy("Email"), accessor="player__email", default="", attrs=CONTACT)
    joined = tables.DateColumn(verbose_name=gettext_lazy("Joined"), format="SHORT_DATE_FORMAT", attrs=DAY)
    left = tables.DateColumn(
        verbose_name=gettext_lazy("Left"), format="SHORT_DATE_FORMAT", default="", attrs=DAY
    )

    class Meta:
        model = Membership
        fields = ["number", "name", "phone", "email", "joined", "left"]
        order_by = "name"
        attrs = {"class": "members"}
