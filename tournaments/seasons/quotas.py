"""Qualification for a stage of a championship by its quotas, and entering the qualified players."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.clubs import log_change as write_down_in_club
from clubs.letter_models import Topic
from clubs.mail.kinds import players_with_consent
from clubs.mail.outbox import Addressed, enqueue_letters, is_set_up
from clubs.members import search_filter
from clubs.models import Club, Player
from clubs.names import folded, is_number
from clubs.register import main_memberships
from core.errors import NotPossible, UserError
from core.sql import key_set
from tournaments.domain.formats import RANKING_PLAYERS
from tournaments.models import (
    Championship,
    Entry,
    PublishedList,
    Qualifier,
    QualifierQuestion,
    Quota,
    Season,
    Stage,
    Tournament,
)
from tournaments.models.names import NAMELESS, Of, shown_names
from tournaments.models.points import people_now
from tournaments.seasons.first_groups import places_for
from tournaments.seasons.ladder_table import season_table
from tournaments.seasons.qualifying import Candidate, Places, Reason, fill
from tournaments.standings.players import standings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clubs.models import Account
    from tournaments.seasons.qualifying import Filled, Passed

Source = Quota.Source
# What may be a source besides a choice by hand.
PlaceIn = Season | PublishedList | Tournament


# Sources.


# So many tournaments are offered, and lists.
MOST_OFFERED = 30


def sources_for(championship: Championship) -> dict[str, PlaceIn]:
    """The seasons, published lists and finished individual tournaments that can be sources, by their form values.

    Of tournaments the newest that the host holds, or that are in a season or championship of the host's.
    """
    host = championship.host_id
    seasons, lists, played = places_for(championship)
    found: dict[str, PlaceIn] = {f"season-{one.pk}": one for one in seasons}
    found |= {f"list-{one.pk}": one for one in lists[:MOST_OFFERED]}
    own = Tournament.objects.filter(
        Q(host=host) | Q(season__host=host) | Q(stage__championship__host=host),
        pk__in=key_set([one.pk for one in played]),
        format__in=RANKING_PLAYERS,
    )
    return found | {one.code: one for one in own.order_by("-date", "-pk")[:MOST_OFFERED]}


def source_name(place_in: PlaceIn) -> str:
    if isinstance(place_in, PublishedList):
        return _("Points list of %(day)s") % {"day": date_format(place_in.day, "SHORT_DATE_FORMAT")}
    return place_in.name


def source_of(quota: Quota) -> PlaceIn | None:
    """The source of a quota's candidates; None for a choice by hand."""
    return quota.season or quota.tournament or quota.published


def quota_name(quota: Quota) -> str:
    source = source_of(quota)
    return source_name(source) if source else _("Chosen by hand")


def line_in(place_in: PlaceIn) -> list[Candidate]:
    """The placed players of a source, the best first, without those who have withdrawn from a tournament."""
    if isinstance(place_in, Season):
        placed = season_table(place_in).placed
        return [Candidate(row.player_id, row.line.rank, row.club_id or 0) for row in placed]
    if isinstance(place_in, PublishedList):
        rows = list(place_in.rows.values_list("person", "place", "club"))
        now = people_now(person for person, _place, _club in rows)
        best: dict[int, Candidate] = {}
        for person, place, club in rows:  # the best place of two who are one person now
            if person in now:
                best.setdefault(now[person], Candidate(now[person], place, club))
        return list(best.values())
    of = {
        number: (player, club or 0)
        for number, player, club in place_in.entries.values_list("number", "player", "club")
    }
    there = [row for row in standings(place_in).rows if not row.withdrawn]
    return sorted(
        (Candidate(of[row.number][0], row.rank, of[row.number][1]) for row in there),
        key=lambda one: one.place,
    )


# Who qualifies.


@dataclass(frozen=True, slots=True)
class Person:
    """A player as the page names them."""

    player: int
    name: str
    club: str
    place: int
    why: str = ""
    answer: str = ""
    is_entered: bool = False
    is_first: bool = False
    instead_of: str = ""
    reason: str = ""
    # The last day to answer the letter; None if no letter was sent.
    asked_until: date | None = None

    @property
    def state(self) -> str:
        """Whether they take part, as text; "" if nothing is known."""
        if self.is_entered:
            return _("entered")
        if self.answer == Qualifier.Answer.YES:
            return _("takes part")
        if self.answer or self.asked_until is None:
            return ""
        said = {"day": date_format(self.asked_until, "SHORT_DATE_FORMAT")}
        if self.asked_until < timezone.localdate():
            return _("no answer by %(day)s") % said
        return _("asked by email, may answer until %(day)s") % said


@dataclass(frozen=True, slots=True)
class ShownTie:
    """Players who share a place, and how many places are left for them."""

    people: Sequence[Person]
    places: int


@dataclass(frozen=True, slots=True)
class ShownQuota:
    """A quota as it is filled, with names; `source` is None for a choice by hand."""

    quota: Quota
    source: PlaceIn | None
    going: Sequence[Person]
    passed: Sequence[Person]
    ties: Sequence[ShownTie]
    following: Sequence[Person]
    missing: int

    @property
    def name(self) -> str:
        return quota_name(self.quota)

    @property
    def is_removed(self) -> bool:
        return isinstance(self.source, Season) and self.source.is_removed


class Here(NamedTuple):
    """The players who are entered in a stage's tournaments, and those who have withdrawn from all of them."""

    entered: set[int]
    withdrawn: set[int]


class QualifiedTable:
    """The qualified players of a stage now, by its quotas and the desk's records."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.host = stage.championship.host
        self.quotas = list(stage.quotas.select_related("season", "tournament__host", "published__union"))

    @cached_property
    def recorded(self) -> dict[int, Qualifier]:
        return {one.player_id: one for one in self.stage.qualifiers.select_related("player")}

    @cached_property
    def asked(self) -> dict[int, date]:
        """Player's primary key -> last day to answer the letter, for players who got one."""
        return dict(self.stage.questions.values_list("player", "until"))

    @cached_property
    def here(self) -> Here:
        entries = Entry.objects.filter(tournament__stage=self.stage, tournament__called_off_at=None)
        entered, withdrawn = set[int](), set[int]()
        for player, status in entries.values_list("player", "status"):
            (withdrawn if status == Entry.Status.WITHDRAWN else entered).add(player)
        return Here(entered, withdrawn - entered)

    @cached_property
    def lines(self) -> list[list[Candidate]]:
        """The line of each quota, without those who were erased."""
        lines = []
        for quota in self.quotas:
            source = source_of(quota)
            if source is None:
                lines.append(self._by_hand())
            elif isinstance(source, Season) and source.is_removed:
                lines.append([])
            else:
                lines.append(line_in(source))
        wanted = {one.player for line in lines for one in line}
        erased = set(
            Player.objects.filter(pk__in=key_set(wanted), name=NAMELESS).values_list("pk", flat=True)
        )
        return [[one for one in line if one.player not in erased] for line in lines]

    def _by_hand(self) -> list[Candidate]:
        chosen = [one for one in self.recorded.values() if one.by_hand]
        members = main_memberships(self.host, timezone.localdate())
        players = [one.player_id for one in chosen]
        clubs = dict(members.filter(player__in=players).order_by().values_list("player", "club"))
        return [
            Candidate(one.player_id, place, clubs.get(one.player_id, 0))
            for place, one in enumerate(chosen, start=1)
        ]

    @cached_property
    def filled(self) -> list[Filled]:
        out = dict.fromkeys(self.here.withdrawn, Reason.WITHDREW)
        said_no = [player for player, one in self.recorded.items() if one.answer == Qualifier.Answer.NO]
        out |= dict.fromkeys(said_no, Reason.DECLINED)
        first = {player for player, one in self.recorded.items() if one.is_first}
        quotas = [
            Places(quota.places, line, quota.each_club)
            for quota, line in zip(self.quotas, self.lines, strict=True)
        ]
        return fill(quotas, out, first)

    @cached_property
    def names(self) -> dict[int, str]:
        """The names of all who are shown, as their clubs show them."""
        shown = {one.player: one.club or self.host.pk for one in self._candidates_shown()}
        found = shown_names(Of(player, club, 0) for player, club in shown.items())
        return {player: "–" if name == "0" else name.removesuffix(" (0)") for player, name in found.items()}

    @cached_property
    def clubs(self) -> dict[int, str]:
        return dict(
            Club.objects.filter(pk__in={one.club for one in self._candidates_shown()}).values_list(
                "pk", "name"
            )
        )

    def _candidates_shown(self) -> Iterable[Candidate]:
        for found in self.filled:
            yield from (one.candidate for one in found.going)
            yield from (one.candidate for one in found.passed)
            yield from found.following
            for tie in found.ties:
                yield from tie.candidates

    @property
    def shown_quotas(self) -> list[ShownQuota]:
        """The quotas as they are filled, in order."""
        return [
            ShownQuota(
                quota,
                source_of(quota),
                [self._person(quota, one.candidate, self._instead(one.instead_of)) for one in found.going],
                [self._person(quota, one.candidate, reason=self._why(one)) for one in found.passed],
                [
                    ShownTie([self._person(quota, one) for one in tie.candidates], tie.places)
                    for tie in found.ties
                ],
                [self._person(quota, one) for one in found.following],
                found.missing,
            )
            for quota, found in zip(self.quotas, self.filled, strict=True)
        ]

    def _person(self, quota: Quota, one: Candidate, instead_of: str = "", reason: str = "") -> Person:
        recorded = self.recorded.get(one.player)
        return Person(
            one.player,
            self.names[one.player],
            self.clubs.get(one.club, ""),
            one.place,
            _place_text(quota, one.place),
            recorded.answer if recorded else "",
            one.player in self.here.entered,
            bool(recorded and recorded.is_first),
            instead_of,
            reason,
            self.asked.get(one.player),
        )

    def _why(self, passed: Passed) -> str:
        """Why somebody is passed over, in words."""
        if passed.reason is Reason.DECLINED:
            return _("does not take part")
        if passed.reason is Reason.WITHDREW:
            return _("has withdrawn")
        return _("qualifies by “%(source)s”") % {"source": self._quota_of(passed.candidate.player)}

    def _instead(self, passed: Passed | None) -> str:
        """Instead of whom somebody qualifies, in words."""
        if passed is None:
            return ""
        name = self.names[passed.candidate.player]
        return _("instead of %(name)s, who %(why)s") % {"name": name, "why": self._why(passed)}

    def _quota_of(self, player: int) -> str:
        """The name of the source by which a player qualifies."""
        return next(
            quota_name(quota)
            for quota, found in zip(self.quotas, self.filled, strict=True)
            if any(one.candidate.player == player for one in found.going)
        )

    @property
    def going(self) -> list[Candidate]:
        """All qualified players now, in the order of the quotas."""
        return [one.candidate for found in self.filled for one in found.going]

    @property
    def is_tied(self) -> bool:
        return any(found.ties for found in self.filled)

    @property
    def besides(self) -> list[str]:
        """Players entered in the stage who qualify neither by its quotas nor from the stage before."""
        if not self.quotas or self.stage.number > 1:
            return []
        others = self.here.entered - {one.player for one in self.going}
        return sorted(Player.objects.filter(pk__in=key_set(others)).values_list("name", flat=True))

    def find(self, player: int) -> Candidate:
        """A player of one of the lines. Raises NotPossible for another."""
        for line in self.lines:
            for one in line:
                if one.player == player:
                    return one
        raise NotPossible(_("Something has changed in the meantime. This is how it is now."))


def _place_text(quota: Quota, place: int) -> str:
    """The place by which a player qualifies, as text."""
    source = source_of(quota)
    if source is None:
        return _("chosen by hand")
    said = {"place": place, "source": source_name(source)}
    if quota.each_club:
        return _("among the best of the club: place %(place)d in “%(source)s”") % said
    return _("place %(place)d in “%(source)s”") % said


# What the desk does.


def find_people(host: Club, lines: Iterable[str], known: Iterable[Player] = ()) -> list[Player]:
    """The members of a union's clubs, or of a club, that are named line by line, by name or number in the union.

    Names of `known` players are theirs. Raises UserError at `names` for a name that nobody has, or several.
    """
    already = {folded(one.name): one for one in known}
    found: dict[int, Player] = {}
    for line in lines:
        player = already.get(folded(line)) or _find_person(host, line)
        found[player.pk] = player
    return list(found.values())


# So many of a name are looked at.
MOST_ALIKE = 20


def _find_person(host: Club, line: str) -> Player:
    held = main_memberships(host, timezone.localdate()).select_related("player")
    if is_number(line):
        of_union = Q(player__union_numbers__union=host, player__union_numbers__number=int(line))
        held = held.filter(of_union | Q(club=host, number=int(line))).distinct()
    else:
        held = held.filter(search_filter(line))
    people = [one.player for one in held[:MOST_ALIKE]]
    exact = [one for one in people if folded(one.name) == folded(line)] or people
    if len(exact) == 1:
        return exact[0]
    text = (
        _("Several people are called “%(name)s”: type the number in the union, or the whole name.")
        if exact
        else _("Nobody called “%(name)s” is a member.")
    )
    raise UserError(text % {"name": line}, "names")


@transaction.atomic
def store_quotas(
    stage: Stage,
    quotas: Sequence[Mapping[str, Any]],
    names: Sequence[str],
    *,
    account: Account,
    now: datetime,
) -> None:
    """Store a stage's quotas, in order, and who is chosen by hand; what the desk has recorded of others is kept.

    Raises UserError at `names` as `find_people` does.
    """
    Championship.objects.select_for_update().get(pk=stage.championship_id)
    chosen = stage.qualifiers.filter(by_hand__isnull=False).select_related("player")
    people = find_people(stage.championship.host, names, [one.player for one in chosen])
    stage.quotas.all().delete()
    for number, values in enumerate(quotas, start=1):
        Quota.objects.create(stage=stage, number=number, **values)
    places = {player.pk: place for place, player in enumerate(people, start=1)}
    for one in list(stage.qualifiers.all()):
        place = places.pop(one.player_id, None)
        if place != one.by_hand:
            one.by_hand = place
            one.save(update_fields=["by_hand"])
    for player, place in places.items():
        Qualifier.objects.create(
            stage=stage, player_id=player, by_hand=place, said_by=str(account), said_at=now
        )
    text = gettext_noop("Set who qualifies for “{stage}” of “{championship}”")
    write_about_stage(stage, account, text, now)


ANSWERED = {
    Qualifier.Answer.YES: gettext_noop("{player} takes part in “{stage}” of “{championship}”"),
    Qualifier.Answer.NO: gettext_noop("{player} does not take part in “{stage}” of “{championship}”"),
    Qualifier.Answer.NONE: gettext_noop("Took back the answer of {player} for “{stage}” of “{championship}”"),
}


ANSWERED_BY_LINK = {
    Qualifier.Answer.YES: gettext_noop(
        "{player} takes part in “{stage}” of “{championship}”, answered through the link in the email"
    ),
    Qualifier.Answer.NO: gettext_noop(
        "{player} does not take part in “{stage}” of “{championship}”, answered through the link in the email"
    ),
}


@transaction.atomic
def record_answer(stage: Stage, player: int, answer: str, *, account: Account | None, now: datetime) -> None:
    """Record whether a player takes part, for the desk, or with None for the player's own link.

    The same answer twice is one. Who qualifies instead of a player who does not take part gets the letter, too, if one
    can still be answered. Raises NotPossible for a player in no line.
    """
    one = _locked_qualifier(stage, player, account, now)
    if one.answer == answer:
        return
    one.answer = answer
    _record(one, account, now)
    texts = ANSWERED if account else ANSWERED_BY_LINK
    write_about_stage(stage, account, texts[Qualifier.Answer(answer)], now, player=one.player)
    if answer == Qualifier.Answer.NO:
        ask_next(stage, now=now)


# Letters that ask whether they take part.


def open_until(stage: Stage, today: date) -> date | None:
    """The last day on which letters about this stage can be answered; None where none can be any more."""
    last: date | None = stage.questions.filter(until__gte=today).aggregate(last=Max("until"))["last"]
    return last


@transaction.atomic
def ask_by_letter(stage: Stage, until: date, *, account: Account, now: datetime) -> int:
    """Send a letter to each qualified player without an answer or a letter for that day; returns the number sent.

    Raises NotPossible at `until` for a day that is over, and where no mail is sent.
    """
    if until < timezone.localdate(now):
        raise NotPossible(_("This day has passed."), "until")
    if not is_set_up():
        raise NotPossible(_("No mail server is set up: ask them yourself."), "until")
    Championship.objects.select_for_update().get(pk=stage.championship_id)
    asked = _ask(stage, until, now)
    if asked:
        text = gettext_noop(
            "Asked qualified players ({players}) about “{stage}” of “{championship}”, to answer by {day}"
        )
        write_about_stage(stage, account, text, now, players=asked, day=until)
    return asked


def ask_next(stage: Stage, *, now: datetime) -> int:
    """Send the letter to players who qualify now and got none, while earlier letters can still be answered."""
    until = open_until(stage, timezone.localdate(now))
    return _ask(stage, until, now) if until else 0


def _ask(stage: Stage, until: date, now: datetime) -> int:
    table = QualifiedTable(stage)
    wanted = [
        one.player
        for one in table.going
        if one.player not in table.here.entered
        and table.asked.get(one.player) != until
        and not (one.player in table.recorded and table.recorded[one.player].answer)
    ]
    reached = Player.objects.filter(players_with_consent(Topic.EVENING), pk__in=key_set(wanted)).order_by(
        "pk"
    )
    letters = []
    for player in reached.distinct():
        QualifierQuestion.objects.update_or_create(
            stage=stage, player=player, defaults={"until": until, "asked_at": now}
        )
        facts = {"stage": stage.pk, "until": until}
        letters.append(Addressed(player, f"qualified {stage.pk} {player.pk} {until}", facts))
    end = timezone.make_aware(datetime.combine(until, time.max))
    return enqueue_letters("qualified", letters, club=stage.championship.host, until=end)


@transaction.atomic
def put_first(stage: Stage, player: int, *, first: bool, account: Account, now: datetime) -> None:
    """Let a player go before those of the same place, or no longer. Raises NotPossible for one in no line."""
    one = _locked_qualifier(stage, player, account, now)
    if one.is_first == first:
        return
    one.is_first = first
    _record(one, account, now)
    text = (
        gettext_noop("{player} is put ahead of others with the same place, in “{stage}” of “{championship}”")
        if first
        else gettext_noop(
            "{player} is no longer put ahead of others with the same place, in “{stage}” of “{championship}”"
        )
    )
    write_about_stage(stage, account, text, now, player=one.player)


def _locked_qualifier(stage: Stage, player: int, account: Account | None, now: datetime) -> Qualifier:
    Championship.objects.select_for_update().get(pk=stage.championship_id)
    QualifiedTable(stage).find(player)
    found = Qualifier.objects.select_related("player").filter(stage=stage, player=player).first()
    return found or Qualifier(
        stage=stage, player=Player.objects.get(pk=player), said_by=str(account or ""), said_at=now
    )


def _record(one: Qualifier, account: Account | None, now: datetime) -> None:
    one.said_by, one.said_at = str(account or ""), now
    one.save()


def write_about_stage(
    stage: Stage, account: Account | None, text: str, now: datetime, **params: object
) -> None:
    """Write a line about a stage to the log of the championship's host."""
    championship = stage.championship
    write_down_in_club(
        championship.host, account, text, now=now, stage=stage, championship=championship, **params
    )
