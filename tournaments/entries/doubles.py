"""Find duplicate persons: similar people, with the evidence for and against."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import combinations
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.clubs import log_change
from clubs.models import Membership, Player
from clubs.names import Likeness, NameIndex, is_same_phone, likeness
from clubs.register.people import memberships_known_to
from tournaments.models import Entry, TwoPeople
from tournaments.models.names import NAMELESS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from clubs.models import Account, Club

# What a piece of evidence weighs; two people are proposed from LEAST on, whatever speaks against it.
SAME_NAME, SAME_EMAIL, SAME_PHONE, SAME_NUMBER, SAME_YEAR, MOVED, SIMILAR_NAME = 3, 3, 2, 2, 1, 1, 1
LEAST = 3
# Who joins a club so soon after leaving another one may have moved.
SOON = timedelta(days=90)
MOST_DAYS_NAMED = 3
# An email of more people than this is a household's or a club's.
MOST_SHARING = 4
TWO = gettext_noop("{member} and {other} are two people")


@dataclass
class Person:
    """A person in the lists of a union's clubs, with the evenings that they are entered in, by tournament."""

    pk: int
    name: str
    email: str
    phone: str
    birth_year: int | None = None
    memberships: list[Membership] = field(default_factory=list)
    evenings: dict[int, date] = field(default_factory=dict)

    @property
    def clubs(self) -> str:
        return ", ".join(dict.fromkeys(one.club.name for one in self.memberships))


@dataclass(frozen=True)
class Double:
    """Two entries in the lists that may be one person, with sentences for and against it."""

    one: Person
    other: Person
    speaks_for: list[str]
    speaks_against: list[str]
    weight: int


def find_doubles(union: Club) -> list[Double]:
    """Find probable duplicates in a union's clubs, or in one club's list, the likeliest first."""
    people = _people(memberships_known_to(union).exclude(player__name=NAMELESS))
    pairs = {tuple(sorted((one.pk, other.pk))) for one, other in _similar_pairs(people.values())}
    pairs -= set(TwoPeople.objects.values_list("one", "other"))
    _read_evenings(people, {pk for pair in pairs for pk in pair})
    found = [weigh(people[one], people[other]) for one, other in sorted(pairs)]
    # Who sat in one tournament twice is two people: they cannot be joined.
    proposed = [
        one for one in found if one.weight >= LEAST and one.one.evenings.keys().isdisjoint(one.other.evenings)
    ]
    return sorted(proposed, key=lambda one: (len(one.speaks_against) > 0, -one.weight, one.one.name))


def compare(union: Club, one: Player, other: Player) -> Double | None:
    """The comparison of two people of a union, in this order; None where one is unknown to it."""
    people = _people(memberships_known_to(union).filter(player__in=[one, other]))
    if one == other or len(people) < 2:  # noqa: PLR2004 - two people
        return None
    _read_evenings(people, people.keys())
    return weigh(people[one.pk], people[other.pk])


def _people(memberships: Iterable[Membership]) -> dict[int, Person]:
    people: dict[int, Person] = {}
    for one in memberships:
        player = one.player
        person = people.setdefault(
            player.pk, Person(player.pk, player.name, player.email, player.phone, player.birth_year)
        )
        person.memberships.append(one)
    return people


def _read_evenings(people: dict[int, Person], of: Collection[int]) -> None:
    entries = Entry.objects.filter(player__in=of).exclude(status=Entry.Status.WITHDRAWN).order_by()
    for player, tournament, day in entries.values_list("player", "tournament", "tournament__date"):
        people[player].evenings[tournament] = day


def _similar_pairs(people: Collection[Person]) -> Iterator[tuple[Person, Person]]:
    """Pairs of people whose names are alike, or who have one email that few others have."""
    names: NameIndex[Person] = NameIndex()
    emails: defaultdict[str, list[Person]] = defaultdict(list)
    for person in people:
        for _how, other in names.find(person.name):
            yield person, other
        names.add(person.name, person)
        if person.email:
            emails[person.email.casefold()].append(person)
    for sharing in emails.values():
        if len(sharing) <= MOST_SHARING:
            yield from combinations(sharing, 2)


def weigh(one: Person, other: Person) -> Double:
    """The evidence for and against two people being one person, as sentences, and its total weight."""
    speaks_for = list(_evidence_for(one, other))
    against = list(_evidence_against(one, other))
    weight = sum(weight for weight, _text in speaks_for)
    return Double(one, other, [text for _weight, text in speaks_for], against, weight)


def _evidence_for(one: Person, other: Person) -> Iterator[tuple[int, str]]:
    alike = likeness(one.name, other.name)
    if alike in (Likeness.SAME, Likeness.SWAPPED):
        yield SAME_NAME, _("They have the same name.")
    elif alike:
        yield SIMILAR_NAME, _("Their names are alike.")
    if one.email and one.email.casefold() == other.email.casefold():
        yield SAME_EMAIL, _("They have the same email.")
    if one.phone and is_same_phone(one.phone, other.phone):
        yield SAME_PHONE, _("They have the same phone number.")
    if one.birth_year and one.birth_year == other.birth_year:
        yield SAME_YEAR, _("They were born in the same year.")
    numbers = {(held.club_id, held.number): held.club for held in one.memberships if held.number is not None}
    for club in {
        numbers[key] for held in other.memberships if (key := (held.club_id, held.number)) in numbers
    }:
        yield SAME_NUMBER, _("They had the same number in %(club)s.") % {"club": club}
    for first, then, left in _moves(one, other):
        said = {
            "old": first.club,
            "left": date_format(left, "DATE_FORMAT"),
            "new": then.club,
            "joined": date_format(then.joined, "DATE_FORMAT"),
        }
        yield MOVED, _("Left %(old)s on %(left)s, joined %(new)s on %(joined)s.") % said


def _moves(one: Person, other: Person) -> Iterator[tuple[Membership, Membership, date]]:
    """The memberships that one of them ended shortly before the other began one, and when."""
    for before, after in ((one, other), (other, one)):
        for left in before.memberships:
            for joined in after.memberships:
                if left.left and timedelta() <= joined.joined - left.left <= SOON:
                    yield left, joined, left.left


def _evidence_against(one: Person, other: Person) -> Iterator[str]:
    days = sorted(set(one.evenings.values()) & set(other.evenings.values()))
    if days:
        said = ", ".join(date_format(day, "DATE_FORMAT") for day in days[-MOST_DAYS_NAMED:])
        yield _("Both are entered in a tournament on the same day: %(days)s.") % {"days": said}
    if one.birth_year and other.birth_year and one.birth_year != other.birth_year:
        yield _("They were born in different years.")
    for held in one.memberships:
        for theirs in other.memberships:
            if held.club_id == theirs.club_id and _overlap(held, theirs):
                yield _("Both were members of %(club)s at the same time.") % {"club": held.club}


def _overlap(one: Membership, other: Membership) -> bool:
    return (one.left is None or other.joined < one.left) and (other.left is None or one.joined < other.left)


@transaction.atomic
def keep_apart(one: Player, other: Player, *, desk: Club, account: Account, now: datetime) -> None:
    """Store that two players are two people: they are proposed no more. Saying it twice is saying it once."""
    first, second = sorted((one, other), key=lambda player: player.pk)
    made = TwoPeople.objects.get_or_create(
        one=first, other=second, defaults={"said_by": str(account), "said_at": now}
    )[1]
    if made:
        log_change(desk, account, TWO, now=now, member=one, other=other)
