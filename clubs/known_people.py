"""The people that a newcomer, or a row of a member list, may be: those of the visitor's clubs who come in question.

Nobody else is read: whomever `clubs.matching` would find in all of them, it finds in these.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import TypeVar

from django.db.models.functions import Lower

from clubs.matching import Doubts, Known
from clubs.member_file import MemberRow
from clubs.models import Club, Membership, Player
from clubs.names import ends_of, letters_near
from clubs.roles import Visitor, clubs_of

T = TypeVar("T")

# How many values are asked for in one question; databases take some thirty thousand.
VALUES_AT_ONCE = 5000
# For how many rows the database is asked for names, and with how many everybody's are compared at a time.
FEW_ROWS, ROWS_AT_ONCE = 5, 500


def people_like(visitor: Visitor, club: Club, rows: Collection[MemberRow]) -> list[Known]:
    """All memberships, past ones too, of whoever these rows may be and of who has their numbers, in the order made.

    Those of `club`, and of the visitor's clubs.
    """
    clubs = {club.pk: "", **{one.pk: one.name for one in clubs_of(visitor) if one != club}}
    players = _who_is_like(rows)
    found = _memberships(players, clubs)
    # Who is a member has the number alone; who has left may have had one that is somebody else's now.
    numbers = {known.number for known in found if known.left and not known.club} | {
        row.number for row in rows
    }
    found += _memberships(_holders(club, numbers - {None}) - players, clubs)
    return sorted(found, key=lambda known: known.membership)


def lookalikes(visitor: Visitor, club: Club, name: str, email: str) -> tuple[Known, ...]:
    """The people that a newcomer looks like."""
    row = MemberRow(row=0, name=name, email=email)
    return Doubts(people_like(visitor, club, [row]), [row]).about(row).people


def _who_is_like(rows: Collection[MemberRow]) -> set[int]:
    """The players whose name is like one of the rows', or who have the e-mail address of one."""
    found = _of_near_letters(rows)
    for some in _portions({ends_of(row.name) for row in rows} - {0}):
        found.update(Player.objects.filter(ends__in=some).values_list("pk", flat=True))
    of_email = Player.objects.alias(address=Lower("email"))
    for addresses in _portions({row.email.lower() for row in rows} - {""}):
        found.update(of_email.filter(address__in=addresses).values_list("pk", flat=True))
    return found


def _of_near_letters(rows: Collection[MemberRow]) -> set[int]:
    if len(rows) <= FEW_ROWS:
        near = set().union(*(letters_near(row.name) for row in rows))
        return set(Player.objects.filter(letters__in=near).values_list("pk", flat=True))
    # Looking through everybody is quicker.
    everybody = list(Player.objects.values_list("pk", "letters"))
    found: set[int] = set()
    for some in _portions(rows, ROWS_AT_ONCE):
        near = set().union(*(letters_near(row.name) for row in some))
        found.update(pk for pk, letters in everybody if letters in near)
    return found


def _holders(club: Club, numbers: Collection[int | None]) -> set[int]:
    """The players who have these numbers in the club now."""
    now = Membership.objects.filter(club=club, left=None)
    return {
        player
        for some in _portions(numbers)
        for player in now.filter(number__in=some).values_list("player", flat=True)
    }


def _memberships(players: Collection[int], clubs: Mapping[int, str]) -> list[Known]:
    """The memberships of these players in these clubs; of clubs it is not asked, since an index would go by them.

    The keys, which are numbers, are written into the question: Django looks longer at thousands of values than it takes
    to answer.
    """
    fields = (
        "pk",
        "player",
        "player__name",
        "number",
        "joined",
        "left",
        "player__email",
        "player__phone",
        "club",
    )
    of_all = Membership.objects.order_by()
    return [
        Known(membership, player, name, number, joined, left, email, phone, clubs[club])
        for some in _portions(players)
        for membership, player, name, number, joined, left, email, phone, club in of_all.extra(  # noqa: S610 - numbers
            where=[f"player_id IN ({', '.join(map(str, some))})"]
        ).values_list(*fields)
        if club in clubs
    ]


def _portions(values: Collection[T], most: int = VALUES_AT_ONCE) -> Iterator[list[T]]:
    in_order = list(values)
    for first in range(0, len(in_order), most):
        yield in_order[first : first + most]
