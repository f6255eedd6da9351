"""Forms of entries, and the candidates that they offer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.core.signing import Signer
from django.db.models import Exists, OuterRef, Q, Subquery
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.members import search_filter
from clubs.models import Club, Membership, Player
from clubs.names import folded, letters_of
from clubs.register_models import unions_with
from clubs.roles import Visitor, clubs_seen_by, is_union, may_organise
from core.forms import NameField, SeenForm
from tournaments.entries.entering import GUEST_NAME_LENGTH, clubs_near
from tournaments.web.guards import number_in

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from clubs.models import MembershipQuerySet
    from tournaments.models import Tournament


# Who may be entered by a tick: the members of the host, of its union, and of that union's clubs.

# So many members are put in order; more have theirs by an index.
MOST_SORTED = 1000


def candidates(tournament: Tournament, *, today: date) -> MembershipQuerySet:
    """Members who are not entered yet, by name; a player in several clubs is listed once, the host first."""
    host, clubs = tournament.host, clubs_near(tournament.host)
    keys = [club.pk for club in clubs]
    unions = list(Club.objects.filter(is_union(), pk__in=keys).values_list("pk", flat=True))
    members = Membership.objects.on(today).filter(club__in=clubs)
    # A club means more than its union; the host, where it is a club, most of all.
    others = members.filter(player=OuterRef("player"))
    other_club = others.exclude(club__in=unions)
    better = other_club.filter(Q(club=host) | Q(pk__gt=OuterRef("pk")))
    best = (
        Q(club=host.pk if host.pk not in unions else None)
        | (~Q(club__in=unions) & ~Exists(better))
        | (Q(club__in=unions) & ~Exists(other_club) & ~Exists(others.filter(pk__gt=OuterRef("pk"))))
    )
    free = members.exclude(player__in=tournament.entries.values("player")).filter(best)
    return free.select_related("player", "club").order_by("player__sorted_as", "player_id")


def clubs_listed(tournament: Tournament, visitor: Visitor) -> list[Club]:
    """The clubs near a tournament whose members are listed for a visitor; those of others are found by their name.

    That is the host, and the clubs whose members they may look up anyhow. Who organises the union gets what the clubs
    give the union: names and numbers, too.
    """
    host, near = tournament.host, clubs_near(tournament.host)
    if any(may_organise(visitor, one) for one in Club.objects.filter(is_union(), pk__in=_unions_of(host))):
        return near
    seen = set(clubs_seen_by(visitor).values_list("pk", flat=True))
    return [one for one in near if one == host or one.pk in seen]


def _unions_of(host: Club) -> list[int]:
    return [host.pk, *unions_with(host).values_list("union", flat=True)]


def found_candidates(
    tournament: Tournament, query: str, club: str, visitor: Visitor, *, most: int, today: date
) -> list[Membership]:
    """The first so many candidates that a visitor finds: of clubs not listed for them, by the whole name alone."""
    near, listed = clubs_near(tournament.host), clubs_listed(tournament, visitor)
    found = search_candidates(tournament, query, club, listed, most=most, today=today)
    others = [one for one in near if one not in listed and club in {"", one.slug}]
    if not (others and query.strip()):
        return found
    named = namesakes(candidates(tournament, today=today).filter(club__in=others), query)
    return sorted([*found, *named], key=lambda one: (one.player.sorted_as, one.player_id))[:most]


# Members of clubs that are not listed are found by their full name only, so a form accepts their primary keys only with
# a signature, which proves that a search has returned them.
SIGNER = Signer(salt="members to enter")


def with_ticks(members: Iterable[Membership]) -> list[tuple[Membership, str]]:
    """Members, each with the signed primary key that a form submits to select it."""
    return [(one, SIGNER.sign(f"{one.pk}")) for one in members]


def chosen_candidates(
    tournament: Tournament, visitor: Visitor, sent: Iterable[str], *, today: date
) -> list[Membership]:
    """The candidates selected by submitted primary keys; for clubs that are not listed, only by signed ones."""
    ticked, shown = set(), set()
    for value in sent:
        number, has_mark, _mark = value.partition(":")
        if (pk := number_in(number)) is None:
            continue
        ticked.add(pk)
        if has_mark and value == SIGNER.sign(f"{pk}"):
            shown.add(pk)
    if not ticked:
        return []
    of_listed = Q(club__in=clubs_listed(tournament, visitor))
    return list(candidates(tournament, today=today).filter(of_listed | Q(pk__in=shown), pk__in=ticked))


def search_candidates(
    tournament: Tournament, query: str, club: str, clubs: list[Club], *, most: int, today: date
) -> list[Membership]:
    """The first so many of the candidates that a name, club or number finds, in all clubs or the one of that slug."""
    of = [one for one in clubs if club in {"", one.slug}]
    found = candidates(tournament, today=today).filter(search_filter(query, clubs), club__in=of)
    near = Membership.objects.on(today).filter(club__in=of).order_by()
    if near[: MOST_SORTED + 1].count() <= MOST_SORTED:
        return _of_clubs(found.select_related(None).select_related("player")[:most], of)
    # Of more the first are not found by putting all in order, but by going through the names until there are enough.
    theirs = Subquery(found.order_by().filter(player=OuterRef("pk")).values("pk")[:1])
    by_name = Player.objects.annotate(theirs=theirs).exclude(theirs=None).order_by("sorted_as", "pk")
    first = list(by_name.values_list("theirs", flat=True)[:most])
    members = Membership.objects.filter(pk__in=first).select_related("player")
    return _of_clubs(members.order_by("player__sorted_as", "player_id"), of)


def _of_clubs(members: Iterable[Membership], clubs: list[Club]) -> list[Membership]:
    """Attach clubs that are loaded already, instead of loading one per member."""
    by_pk = {club.pk: club for club in clubs}
    found = list(members)
    for member in found:
        member.club = by_pk[member.club_id]
    return found


def has_members(tournament: Tournament, *, today: date) -> bool:
    """Whether the host, or a club near it, has any member who could be entered, or is."""
    return Membership.objects.on(today).filter(club__in=clubs_near(tournament.host)).exists()


def namesakes(members: MembershipQuerySet, name: str) -> list[Membership]:
    """Members who may be meant by a typed name."""
    return list(members.filter(player__letters=letters_of(name), player__sought=folded(name)))


# Forms about players at the desk: guest's name, reason of a withdrawal.


class GuestForm(forms.Form):
    """A guest by name; `somebody_else` confirms that a namesake is not meant."""

    name = NameField(
        label=_("Guest’s name"),
        max_length=GUEST_NAME_LENGTH,
        error_messages={"required": _("Type the guest’s name.")},
        widget=forms.TextInput({"autocomplete": "off"}),
    )
    here = forms.BooleanField(label=_("Is here already"), required=False)
    somebody_else = forms.BooleanField(required=False, widget=forms.HiddenInput)
    back = forms.CharField(required=False, widget=forms.HiddenInput)

    @classmethod
    def fresh(cls, tournament: Tournament, back: str) -> GuestForm:
        """An empty form that returns to the page named `back`.

        On the evening's day the guest is checked in by default.
        """
        here = tournament.is_running or tournament.date <= timezone.localdate()
        return cls(initial={"here": here, "back": back})


class WithdrawForm(forms.Form):
    reason = NameField(
        label=_("Why"),
        max_length=200,
        error_messages={"required": _("Say why, in a few words.")},
        help_text=_("For example: ill, did not come, entered by mistake."),
    )


class RenameForm(SeenForm, forms.Form):
    name = NameField(
        label=_("Guest’s name"),
        max_length=GUEST_NAME_LENGTH,
        error_messages={"required": _("Type the guest’s name.")},
    )
