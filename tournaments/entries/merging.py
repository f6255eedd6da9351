"""Merging two entries or players that are one person, finding them, and renaming."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import transaction
from django.db.models import F, Q
from django.db.models.signals import post_save, pre_save
from django.dispatch import receiver
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.clubs import log_change
from clubs.clubs import log_change as write_down_in_club
from clubs.mail.kinds import add_consent
from clubs.models import Club, MainClub, Membership, Player, Transfer, UnionNumber, players_changed
from clubs.names import Likeness, NameIndex, is_same_phone, likeness, sounds
from clubs.register import memberships_known_to
from clubs.register_models import unions_with
from core.errors import NotPossible
from core.jobs.kinds import WithdrawReason, subject_name
from core.jobs.queue import withdraw
from core.sql import key_set
from tournaments.changes.chain import append
from tournaments.changes.locks import hold_each
from tournaments.changes.log import write_down
from tournaments.changes.versions import announce_beside
from tournaments.entries.merge_records import (
    APART,
    APART_IN_CLUB,
    HUMAN,
    IN_CLUB,
    difference,
    put_back,
    take_snapshot,
)
from tournaments.entries.personal_data import refuse_to_change
from tournaments.models import (
    Application,
    Award,
    Entry,
    MergedPlayer,
    OldPlace,
    PlayerMerge,
    Qualifier,
    QualifierQuestion,
    RatedEvening,
    Season,
    TeamEntry,
    TeamEntryPlayer,
    Tournament,
    TwoPeople,
)
from tournaments.models.names import NAMELESS, name_pairs_anew, tell_apart
from tournaments.models.people import UNDONE_WITHIN

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from django.db.models import QuerySet

    from clubs.models import Account


# Merging two players who are the same person.
#
# Evenings refer to entries, and entries to players: changing an entry's player moves its places, deals and payments,
# without any change of the ledger. Statistics of players (ratings, people's pages) are recomputed.


def refuse_to_merge(kept: Player, other: Player, account: Account, desk: Club | None = None) -> None:
    """Raise NotPossible where they cannot be one, or where it is not for `account` to say at this desk."""
    if kept == other:
        raise NotPossible(_("Choose someone else: this is the same entry."))
    if NAMELESS in (kept.name, other.name):
        raise NotPossible(_("Someone who has been erased cannot be merged."))
    both = (
        Tournament.objects.filter(entries__player=kept).filter(entries__player=other).order_by("date", "pk")
    )
    if together := both.first():
        raise NotPossible(
            _("%(name)s and %(other)s both played in %(evening)s on %(day)s: they are two people.")
            % {
                "name": kept,
                "other": other,
                "evening": together.name,
                "day": date_format(together.date, "DATE_FORMAT"),
            }
        )
    for player in (kept, other):
        refuse_to_change(player, account, desk)


@transaction.atomic
def merge(
    kept: Player, other: Player, *, desk: Club | None = None, account: Account, now: datetime
) -> PlayerMerge:
    """Merge `other` into `kept`: entries, memberships, titles, old results; then delete `other`.

    What moves is recorded, so that the `desk` can undo it (`undo_merge`). Raises NotPossible as `refuse_to_merge` does,
    and if one of them was deleted meanwhile. Empty e-mail, telephone and member number of `kept` are filled; an
    objection by either to a public page remains.
    """
    evenings = _evenings_of(kept, other)
    hold_each(evenings)
    kept, other = _lock_players(kept, other)
    if _evenings_of(kept, other) != evenings:
        raise NotPossible(_("Something has changed in the meantime. This is how it is now."))
    refuse_to_merge(kept, other, account, desk)
    before = take_snapshot([kept.pk, other.pk])
    entries = list(Entry.objects.filter(player=other).select_related("tournament").order_by("tournament"))
    clubs = list(Club.objects.filter(memberships__player__in=[kept, other]).distinct())
    Entry.objects.filter(player=other).update(player=kept)
    _join_applications(kept, other)
    Award.objects.filter(player=other).update(player=kept)
    OldPlace.objects.filter(player=other).update(player=kept)
    _join_team_entries(kept, other)
    _join_memberships(kept, other)
    _join_transfers(kept, other)
    numbered = UnionNumber.objects.filter(player=kept).values("union")
    MainClub.objects.filter(player=other).update(player=kept)
    UnionNumber.objects.filter(player=other).exclude(union__in=numbered).update(player=kept)
    _join_two_people(kept, other)
    _join_qualifiers(kept, other)
    kept.email, kept.phone = kept.email or other.email, kept.phone or other.phone
    kept.language = kept.language or other.language
    kept.birth_year = kept.birth_year or other.birth_year
    # What either has agreed to; the letters themselves were sent to where they were sent.
    add_consent(kept, list(other.agreements.values_list("topic", flat=True)), now=now)
    other.posted.update(player=kept)
    had_objected = kept.has_objected
    kept.has_objected = kept.has_objected or other.has_objected
    kept.save()
    names = {"name": kept.name, "other": other.name}
    for entry in entries:
        write_down(entry.tournament, account, HUMAN, now=now, about=[entry], number=entry.number, **names)
    for club in clubs if desk is None or desk in clubs else [*clubs, desk]:
        write_down_in_club(club, account, IN_CLUB, now=now, member=kept, other=other.name)
    number = other.pk
    MergedPlayer.objects.filter(player=other).update(player=kept)
    other.delete()
    MergedPlayer.objects.create(number=number, player=kept)
    return PlayerMerge.objects.create(
        desk=desk,
        kept=kept.pk,
        gone=number,
        name=names["other"],
        moved=difference(before, take_snapshot([kept.pk, number])) | {"had_objected": had_objected},
        merged_by=str(account),
        merged_at=now,
    )


def why_not_undone(merged: PlayerMerge, now: datetime) -> str:
    """Why a merge cannot be undone, in words; "" where it can."""
    if merged.undone_at is not None:
        text = _("%(by)s undid this on %(day)s.")
        return text % {"by": merged.undone_by, "day": date_format(timezone.localtime(merged.undone_at))}
    if now > merged.undone_until:
        return _("That was more than 60 days ago: what moved is no longer known.")
    later = PlayerMerge.objects.filter(gone=merged.kept, undone_at=None).first()
    if later is not None:
        other = Player.objects.filter(pk=later.kept).first()
        text = _("%(name)s has since been merged with %(other)s: undo that first.")
        return text % {"name": later.name, "other": other or "–"}
    if not merged.moved or not Player.objects.filter(pk=merged.kept).exists():
        return _("They have been erased since.")
    return ""


def played_since(merged: PlayerMerge) -> list[Entry]:
    """The places in tournaments that the joined person was given after the merge; they stay with who remains."""
    newest = merged.moved["newest"].get(Entry._meta.label, 0)
    since = Entry.objects.filter(player=merged.kept, pk__gt=newest)
    return list(since.select_related("tournament").order_by("tournament__date", "pk"))


@transaction.atomic
def undo_merge(merged: PlayerMerge, *, account: Account, now: datetime) -> list[str]:
    """Restore the state before a merge; returns messages about what could not be restored, or is newer.

    Raises NotPossible for the reasons of `why_not_undone`, while they play, and where `account` has no permission.
    """
    evenings = _evenings_of(merged.kept)
    hold_each(evenings)
    held = PlayerMerge.objects.select_for_update(of=("self",)).select_related("desk").get(pk=merged.pk)
    if why := why_not_undone(held, now):
        raise NotPossible(why)
    kept = Player.objects.select_for_update().get(pk=held.kept)
    if _evenings_of(kept) != evenings:
        raise NotPossible(_("Something has changed in the meantime. This is how it is now."))
    refuse_to_change(kept, account, held.desk)
    since = played_since(held)
    clubs = set(Club.objects.filter(memberships__player=kept))
    left = put_back(held.moved, kept=kept, now=now)
    kept, gone = Player.objects.get(pk=held.kept), Player.objects.get(pk=held.gone)
    # Their ratings were deleted with them: counted again even if the games are those that were rated before.
    RatedEvening.objects.filter(tournament__entries__player=gone).update(games="")
    if kept.has_objected and not held.moved.get("had_objected"):
        gone.has_objected = True  # either of the two has objected since
    held.moved, held.undone_by, held.undone_at = {}, str(account), now
    held.save()
    for player in (kept, gone):
        player.save()  # pages, chains and files go by its name again
    for entry in gone.entries.select_related("tournament").order_by("tournament"):
        said = {"number": entry.number, "name": gone.name, "other": kept.name}
        write_down(entry.tournament, account, APART, now=now, about=[entry], **said)
    clubs |= set(Club.objects.filter(memberships__player=gone)) | ({held.desk} if held.desk else set())
    for club in sorted(clubs, key=lambda one: one.pk):
        write_down_in_club(club, account, APART_IN_CLUB, now=now, member=kept, other=gone.name)
    text = _("%(tournament)s has been entered since, and stays with %(name)s.")
    return [*left, *(text % {"tournament": entry.tournament, "name": kept} for entry in since)]


def forget_merges(now: datetime) -> None:
    """Forget what moved in merges that can no longer be undone: it has addresses of people."""
    old = PlayerMerge.objects.filter(merged_at__lt=now - UNDONE_WITHIN).exclude(moved={})
    if old.exists():
        old.update(moved={})


def _evenings_of(*players: Player | int) -> list[int]:
    there = Q(entries__player__in=players) | Q(team_entries__players__player__in=players)
    found = Tournament.objects.filter(there)
    return list(found.order_by("pk").values_list("pk", flat=True).distinct())


def _lock_players(kept: Player, other: Player) -> tuple[Player, Player]:
    """Refresh and lock both players until the transaction ends; their tournaments are locked before."""
    now = Player.objects.select_for_update().order_by("pk").in_bulk([kept.pk, other.pk])
    for one in (kept, other):
        if one.pk not in now:
            raise NotPossible(
                _("%(name)s is no longer in the list: someone has merged the entry with another.")
                % {"name": one}
            )
    return now[kept.pk], now[other.pk]


def _join_applications(kept: Player, other: Player) -> None:
    """Applications of both; of two for one evening the one that has a place, or the earlier one."""
    both = Application.objects.filter(player__in=[kept, other]).exclude(state="withdrawn").order_by("number")
    first: dict[int, Application] = {}
    for asked in sorted(both, key=lambda one: one.entry_id is None):
        if first.setdefault(asked.tournament_id, asked) is not asked:
            Application.objects.filter(pk=asked.pk).update(state="withdrawn", entry=None)
    Application.objects.filter(player=other).update(player=kept)


def _join_team_entries(kept: Player, other: Player) -> None:
    """The teams that clubs have entered with either; in one with both, `kept` has one place, and is its captain."""
    for theirs in TeamEntryPlayer.objects.filter(player=other):
        own = TeamEntryPlayer.objects.filter(player=kept, team_entry=theirs.team_entry_id).first()
        if own is None:
            TeamEntryPlayer.objects.filter(pk=theirs.pk).update(player=kept)
            continue
        theirs.delete()
        if theirs.is_captain:
            TeamEntryPlayer.objects.filter(pk=own.pk).update(is_captain=True)


def _join_two_people(kept: Player, other: Player) -> None:
    """Copy the marks "two people" of `other` to `kept`."""
    for said in TwoPeople.objects.filter(Q(one=other) | Q(other=other)).exclude(Q(one=kept) | Q(other=kept)):
        third = said.other_id if said.one_id == other.pk else said.one_id
        first, second = sorted((kept.pk, third))
        TwoPeople.objects.get_or_create(
            one_id=first, other_id=second, defaults={"said_by": said.said_by, "said_at": said.said_at}
        )


def _join_qualifiers(kept: Player, other: Player) -> None:
    """Join the records of both for stages; of two for one stage that of `kept`, with an answer of either."""
    own = {one.stage_id: one for one in Qualifier.objects.filter(player=kept)}
    for theirs in Qualifier.objects.filter(player=other).order_by("pk"):
        mine = own.get(theirs.stage_id)
        if mine is None:
            theirs.player = kept
            theirs.save(update_fields=["player"])
            continue
        theirs.delete()
        mine.answer, mine.by_hand = mine.answer or theirs.answer, mine.by_hand or theirs.by_hand
        mine.is_first = mine.is_first or theirs.is_first
        mine.save(update_fields=["answer", "by_hand", "is_first"])
    asked = QualifierQuestion.objects.filter(player=kept).values("stage")
    QualifierQuestion.objects.filter(player=other).exclude(stage__in=asked).update(player=kept)


def _join_transfers(kept: Player, other: Player) -> None:
    """Transfers of both; of two open ones the earlier."""
    both = Transfer.objects.filter(player__in=[kept, other], state=Transfer.State.ASKED).order_by("pk")
    for later in both[1:]:
        later.delete()
    Transfer.objects.filter(player=other).update(player=kept)


def _join_memberships(kept: Player, other: Player) -> None:
    """Join the memberships; of two in one club at one time, the earlier day of joining and a number of either."""
    for theirs in other.memberships.order_by("pk"):
        own = kept.memberships.filter(club=theirs.club_id, left=None).first()
        if own is None or theirs.left:
            theirs.player = kept
            theirs.save(update_fields=["player"])
            continue
        theirs.delete()
        own.joined, own.number = min(own.joined, theirs.joined), own.number or theirs.number
        own.save(update_fields=["joined", "number"])


# Signal handlers that raise the versions of tournaments when a name in a club changes.
#
# Pages are cached by their tournament's version (`standings.players`, `hall.live`), and clubs know no tournaments.
# What a player or club has withdrawn from the public must not stay there until the next deal.


@receiver(post_save, sender=Player)
def announce_player(instance: Player, *, created: bool, **_signal: Any) -> None:
    if not created:
        _chain_names([instance.pk])
        _announce(Q(entries__player=instance))


@receiver(players_changed)
def announce_players(players: Sequence[int], **_signal: Any) -> None:
    _chain_names(players)
    _announce(Q(entries__player__in=players))


@receiver(pre_save, sender=Club)
def tell_calendars(instance: Club, **_signal: Any) -> None:
    """Calendars and feeds say whose evening it is."""
    if Club.objects.filter(pk=instance.pk).exclude(name=instance.name).exists():
        told = Tournament.objects.filter(host=instance)
        told.update(told_changes=F("told_changes") + 1, told_at=timezone.now())


@receiver(post_save, sender=Club)
def announce_club(instance: Club, *, created: bool, **_signal: Any) -> None:
    """A club's name, or how its players are named: also those without a club where it is the host."""
    if not created:
        name_pairs_anew(instance)
        _announce(Q(host=instance) | Q(entries__club=instance))


@transaction.atomic
def _chain_names(players: Sequence[int]) -> None:
    """Record the players' names, which may have changed, in the hash chains of their tournaments."""
    entries: dict[int, list[Entry | TeamEntry]] = defaultdict(list)
    for entry in Entry.objects.filter(player__in=players).order_by("tournament", "pk"):
        entries[entry.tournament_id].append(entry)
    for team in TeamEntry.objects.filter(players__player__in=players).distinct():
        entries[team.tournament_id].append(team)
    for tournament, named in sorted(entries.items()):
        append(tournament, named, now=timezone.now())


def _announce(shown_in: Q) -> None:
    found = list(Tournament.objects.filter(shown_in).select_related("host").distinct())
    for tournament in found:
        tell_apart(tournament)
    keys = [tournament.pk for tournament in found]
    Tournament.objects.filter(pk__in=keys).update(version=F("version") + 1)
    announce_beside(keys)
    seasons = Season.objects.filter(Q(evenings__in=keys) | Q(host__in={one.host_id for one in found}))
    hosts = {one.host_id for one in found}
    clubs = hosts | set(unions_with(hosts).values_list("union", flat=True))
    withdraw(
        WithdrawReason.SHOWN_OTHERWISE,
        {subject_name("season", pk) for pk in seasons.values_list("pk", flat=True)}
        | {subject_name("club", pk) for pk in clubs},
    )


# What a piece of evidence weighs; two people are proposed from LEAST on, whatever speaks against it.
# A name that only sounds the same, such as Ostergard and Østergaard, is enough, but comes after those of one name.
SAME_NAME, SAME_SOUND, SIMILAR_NAME = 4, 3, 1
SAME_EMAIL, SAME_PHONE, SAME_NUMBER, SAME_YEAR, MOVED = 3, 2, 2, 1, 1
LEAST = 3
# Who joins a club so soon after leaving another one may have moved.
SOON = timedelta(days=90)
MOST_DAYS_NAMED = 3
# An email of more people than this is a household's or a club's.
MOST_SHARING = 4
TWO = gettext_noop("{member} and {other} are two people")


class Held(NamedTuple):
    """A membership, with the club's name."""

    club_id: int
    club: str
    number: int | None
    joined: date
    left: date | None


@dataclass
class Person:
    """A person in the lists of a union's clubs, with the evenings that they are entered in, by tournament."""

    pk: int
    name: str
    email: str
    phone: str
    birth_year: int | None = None
    memberships: list[Held] = field(default_factory=list)
    evenings: dict[int, date] = field(default_factory=dict)

    @property
    def clubs(self) -> str:
        return ", ".join(dict.fromkeys(one.club for one in self.memberships))


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
    # What speaks for it needs no evenings: of most who are alike these are not read.
    likely = [
        (people[one], people[other])
        for one, other in sorted(pairs)
        if sum(weight for weight, _text in _evidence_for(people[one], people[other])) >= LEAST
    ]
    _read_evenings(people, {one.pk for pair in likely for one in pair})
    # Who sat in one tournament twice is two people: they cannot be joined.
    proposed = [weigh(one, other) for one, other in likely if one.evenings.keys().isdisjoint(other.evenings)]
    return sorted(proposed, key=lambda one: (len(one.speaks_against) > 0, -one.weight, one.one.name))


def compare(union: Club, one: Player, other: Player) -> Double | None:
    """The comparison of two people of a union, in this order; None where one is unknown to it."""
    people = _people(memberships_known_to(union).filter(player__in=[one, other]))
    if one == other or len(people) < 2:  # two people
        return None
    _read_evenings(people, people.keys())
    return weigh(people[one.pk], people[other.pk])


_PERSON = ("player", "player__name", "player__email", "player__phone", "player__birth_year")
_HELD = ("club", "club__name", "number", "joined", "left")


def _people(memberships: QuerySet[Membership]) -> dict[int, Person]:
    people: dict[int, Person] = {}
    for pk, name, email, phone, birth_year, *held in memberships.values_list(*_PERSON, *_HELD):
        person = people.get(pk) or people.setdefault(pk, Person(pk, name, email, phone, birth_year))
        person.memberships.append(Held(*held))
    return people


def _read_evenings(people: dict[int, Person], of: Collection[int]) -> None:
    entries = Entry.objects.filter(player__in=key_set(of)).exclude(status=Entry.Status.WITHDRAWN).order_by()
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
    elif alike and sounds(one.name)[0] == sounds(other.name)[0]:
        yield SAME_SOUND, _("Their names are spelled differently, but sound the same.")
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


def _moves(one: Person, other: Person) -> Iterator[tuple[Held, Held, date]]:
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


def _overlap(one: Held, other: Held) -> bool:
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
