"""Personal data: export of all that is stored of a player, and erasure, without a change in the ledger.

Results stay, since they are other players' results too, under a nameless player. The typed reason of a correction
stays, because the chain of reports would not verify without it. The chain of decisions has digests of names: a
guess can be confirmed by them, but no name can be read.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any, TypeVar

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.clubs import forget_name
from clubs.clubs import log_change as write_down_in_club
from clubs.mail.sending import forget_letters, stored_letters
from clubs.models import Club, Membership, News, Player, kept_of, shortened
from clubs.names import folded
from clubs.register_models import WITH_NAMES, clubs_in, unions_with
from clubs.roles import clubs_of, may_organise
from core.errors import NotPossible
from core.jobs.kinds import WithdrawReason, subject_name
from core.jobs.queue import withdraw
from core.tables.files import number_of
from tournaments.changes.locks import hold_each
from tournaments.changes.log import write_down
from tournaments.changes.push_subscriptions import forget_phones, phones_of
from tournaments.entries.merge_records import OF_CLUBS, OF_TOURNAMENTS
from tournaments.ledger.seating import Sittings, tables_of, tables_of_player
from tournaments.models import (
    Award,
    ErasureProposal,
    Flag,
    FolderChange,
    FormerSeat,
    HandOver,
    LogEntry,
    Match,
    Objection,
    OldPlace,
    Payment,
    Penalty,
    Photograph,
    PlayerMerge,
    Postponement,
    QualifierQuestion,
    Round,
    SeasonDeal,
    Seat,
    SheetPicture,
    Table,
    Team,
    TeamEntry,
    TeamEntryRuling,
    Tournament,
)
from tournaments.models.club import NOTES
from tournaments.models.names import BETWEEN_NAMES, NAMELESS
from tournaments.models.points import people_now, rows_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from datetime import date, datetime

    from django.db.models import Model, QuerySet

    from clubs.models import Account

# What is typed freely, by its name in lines of the log.
TYPED_IN_LINES = {"reason", "answer", "words"}

Row = TypeVar("Row", bound="Model")

# A membership of a player with this name that an erased player does not have.
KNOWN_STILL = Q(left=None) | Q(number__isnull=False)


def nameless() -> list[Player]:
    """Erased players: they have left the clubs whose members they were, and are known nowhere else."""
    found = Player.objects.filter(sorted_as=kept_of(NAMELESS)["sorted_as"], name=NAMELESS)  # by an index
    of_them = Membership.objects.filter(player=OuterRef("pk"))
    gone = found.filter(Exists(of_them.filter(left__isnull=False)), email="", phone="")
    return list(gone.exclude(Exists(of_them.filter(KNOWN_STILL))).order_by())


def is_erased(player: Player) -> bool:
    """Whether nothing is left to be erased; who is called so as a member of today, or can still be reached, is not."""
    if player.name != NAMELESS or player.email or player.phone:
        return False
    return not player.memberships.filter(KNOWN_STILL).exists()


def known_of(player: Player) -> dict[str, Any]:
    """Everything that is stored of a player, by kind."""
    return {
        "name": player.name,
        "email": player.email,
        "phone": player.phone,
        "birth_year": player.birth_year,
        "no_page_over_the_years": player.has_objected,
        "letters": stored_letters(player),
        "phones_that_are_told": phones_of(player),
        **_in_clubs(player),
        "proposed_for_erasing_at": ErasureProposal.objects.filter(player=player)
        .values_list("proposed_at", flat=True)
        .first(),
        "joined_with": [
            {"name": one.name, "at": one.merged_at, "undone_at": one.undone_at}
            for one in _merges_of(player).order_by("pk")
        ],
        "tournaments": _tournaments(player),
        **_on_photographs(player),
        **_entered_from_home(player),
        **_results_and_awards(player),
    }


def _in_clubs(player: Player) -> dict[str, Any]:
    """Memberships, numbers, main clubs, transfers, and stages of championships that the player qualified for."""
    return {
        "memberships": [
            {"club": held.club.name, "number": held.number, "joined": held.joined, "left": held.left}
            for held in player.memberships.select_related("club").order_by("joined")
        ],
        "numbers_in_unions": [
            {"union": one.union.name, "number": one.number}
            for one in player.union_numbers.select_related("union")
        ],
        "main_clubs": [
            {"club": one.club.name, "from": one.day} for one in player.main_clubs.select_related("club")
        ],
        "transfers": [
            {"from": asked.origin.name, "to": asked.club.name, "day": asked.day, "state": asked.state}
            for asked in player.transfers.select_related("origin", "club").order_by("pk")
        ],
        "qualification": [
            {
                "championship": one.stage.championship.name,
                "stage": one.stage.name,
                "chosen_by_hand": one.by_hand is not None,
                "answer": one.answer,
                "at": one.said_at,
            }
            for one in player.qualified.select_related("stage__championship").order_by("pk")
        ],
        "asked_about_championships": [
            {
                "championship": one.stage.championship.name,
                "stage": one.stage.name,
                "at": one.asked_at,
                "until": one.until,
            }
            for one in QualifierQuestion.objects.filter(player=player)
            .select_related("stage__championship")
            .order_by("pk")
        ],
    }


def _on_photographs(player: Player) -> dict[str, Any]:
    """Photographs of sheets with the player's results, and of sheets that were set aside."""
    return {
        "photographs_of_sheets_of_their_tables": [
            {
                "code": photograph.table.round.tournament.code,
                "round": photograph.table.round.number,
                "table": photograph.table.number,
                "at": photograph.attached_at,
            }
            for photograph in photographs_of([player])
        ],
        "photographs_of_sheets_that_were_set_aside": [
            {"code": picture.tournament.code, "at": picture.sent_at, "state": picture.state}
            for picture in set_aside_of([player])
        ],
    }


def _entered_from_home(player: Player) -> dict[str, Any]:
    """Requests for a place, and teams that a club entered with the player."""
    return {
        "asked_for_a_place": [
            {
                "tournament": asked.tournament.name,
                "code": asked.tournament.code,
                "typed": asked.typed,
                "at": asked.asked_at,
                "state": asked.state,
            }
            for asked in player.applications.select_related("tournament").order_by("asked_at", "pk")
        ],
        "entered_in_teams_of_clubs": [
            {
                "tournament": one.team_entry.tournament.name,
                "code": one.team_entry.tournament.code,
                "club": one.team_entry.club.name,
                "team": one.team_entry.name,
                "captain": one.is_captain,
                "reserve": one.is_reserve,
                "at": one.team_entry.entered_at,
                "state": one.team_entry.state,
            }
            for one in player.team_entries.select_related("team_entry__tournament", "team_entry__club")
        ],
    }


def _results_and_awards(player: Player) -> dict[str, Any]:
    """Old results, places in points lists and awards of seasons."""
    return {
        "results_from_before_the_program": [
            {
                "club": held.event.host.name,
                "event": held.event.name,
                "year": held.event.year,
                "place": held.place,
                "tokens": None if held.amount is None else number_of(held.amount),
            }
            for held in player.old_places.select_related("event__host").order_by("event__year", "pk")
        ],
        "points_lists": [
            {
                "union": row.published.union.name,
                "day": row.published.day,
                "place": row.place,
                "points": number_of(row.points),
            }
            for row in rows_of(player).select_related("published__union").order_by("published__day", "pk")
        ],
        "awards": [
            {"season": award.season.name, "title": award.title, "words": award.words}
            for award in player.awards.select_related("season")
        ],
    }


def _merges_of(player: Player) -> QuerySet[PlayerMerge]:
    """The merges into this player, direct and indirect, and those of the player itself.

    Undone merges are excluded.
    """
    former = player.former_numbers.values("number")
    joined = Q(undone_at=None) & (Q(kept=player.pk) | Q(kept__in=former))
    return PlayerMerge.objects.filter(joined | Q(gone=player.pk))


def _undone_merges_of(player: Player) -> QuerySet[PlayerMerge]:
    """Undone merges of this player with another, in either direction."""
    keys = [player.pk, *player.former_numbers.values_list("number", flat=True)]
    return PlayerMerge.objects.filter(Q(kept__in=keys) | Q(gone__in=keys), undone_at__isnull=False)


def _parted_from(player: Player) -> list[int]:
    """Current primary keys of the people who were once merged with this player and are separate again."""
    pairs = _undone_merges_of(player).values_list("kept", "gone")
    return [
        other for other in people_now(key for pair in pairs for key in pair).values() if other != player.pk
    ]


def _tournaments(player: Player) -> list[dict[str, Any]]:
    """The stored data of each of a player's entries, in one query for all."""
    entries = player.entries.select_related("tournament", "club").order_by("tournament__date", "pk")
    beside = {
        "seats": _seats(player),
        "rulings": _by_entry(
            (ruling.entry_id, {"tokens": ruling.tokens, "reason": ruling.reason, "at": ruling.ruled_at})
            for ruling in Penalty.objects.filter(entry__player=player).order_by("pk")
        ),
        "objections": _by_entry(
            (one.entry_id, {"words": one.words, "answer": one.answer, "at": one.made_at, "state": one.state})
            for one in Objection.objects.filter(entry__player=player).order_by("pk")
        ),
        "payments": _by_entry(
            (who, {"number": payment.number, "amount_in_øre": sign * payment.amount, "at": payment.paid_at})
            for sign, side in ((-1, "payer"), (1, "payee"))
            for payment in Payment.objects.filter(**{f"{side}__player": player}).order_by(
                "tournament", "number"
            )
            for who in [getattr(payment, f"{side}_id")]
        ),
    }
    return [
        {
            "tournament": entry.tournament.name,
            "code": entry.tournament.code,
            "date": entry.tournament.date,
            "number": entry.number,
            "for": entry.club.name if entry.club else None,
            "fee_paid": entry.fee_paid,
            "taken_along_in_hundredths": entry.carried,
            **{kind: found[entry.pk] for kind, found in beside.items()},
        }
        for entry in entries.only(*TOLD)
    ]


TOLD = (
    "number", "fee_paid", "carried", "player", "club__name", "tournament__name", "tournament__code", "tournament__date",
)  # fmt: skip


def _by_entry(told: Iterable[tuple[int | None, dict[str, Any]]]) -> dict[int | None, list[dict[str, Any]]]:
    found: dict[int | None, list[dict[str, Any]]] = defaultdict(list)
    for entry, what in told:
        found[entry].append(what)
    return found


def _seats(player: Player) -> dict[int | None, list[dict[str, Any]]]:
    at = tables_of_player(player)
    tables = {pk: (number, deals) for pk, number, deals in at.values_list("pk", "number", "deals")}
    held = Seat.objects.filter(entry__player=player)
    agreed = {(entry, table): when for entry, table, when in held.values_list("entry", "table", "agreed_at")}
    own = set(player.entries.values_list("pk", flat=True))
    return _by_entry(
        (
            sat.entry,
            {
                "round": sat.round,
                "table": tables[sat.table][0],
                "position": sat.position,
                "from_deal": sat.first,
                "to_deal": sat.last or tables[sat.table][1],
                "tokens": sat.tokens,
                "agreed_at": agreed.get((sat.entry, sat.table)),
            },
        )
        for sat in Sittings(Q(table__in=at.values("pk"))).all
        if sat.entry in own
    )


def unpaid_evenings(player: Player) -> QuerySet[Tournament]:
    """The tournaments with a payment of theirs, to or from them, that is not ticked off; the first one first."""
    unpaid = Payment.objects.filter(paid_at=None).filter(Q(payer__player=player) | Q(payee__player=player))
    return Tournament.objects.filter(pk__in=unpaid.values("tournament")).order_by("date", "pk")


@transaction.atomic
def erase(player: Player, *, account: Account, today: date, now: datetime) -> None:
    """Forget who a player is: name, e-mail, phone, member numbers, and the name in logs, calls and typed notes.

    Raises NotPossible while they play, or where a club that `account` does not organise has them as a member.
    """
    there = (
        Q(entries__player=player) | Q(applications__player=player) | Q(team_entries__players__player=player)
    )
    tournaments = list(Tournament.objects.filter(there).distinct().order_by("pk"))
    parted = _parted_from(player)
    theirs = Tournament.objects.filter(entries__player__in=parted).exclude(there).distinct()
    beside = list(theirs.order_by("pk"))
    hold_each(one.pk for one in [*tournaments, *beside])
    refuse_to_change(player, account)
    name = player.name
    clubs = list(Club.objects.filter(memberships__player=player).distinct())
    unions = Club.objects.filter(affiliated__club__in=clubs).distinct()
    # A merged person with another spelling is in logs by both names.
    joined = _merges_of(player)
    whole = {name, *joined.exclude(name="").values_list("name", flat=True)}
    names = whole | {shortened(called) for called in whole}
    of_parted = Club.objects.filter(
        Q(memberships__player__in=parted) | Q(player_merges__in=_undone_merges_of(player))
    ).distinct()
    for called in whole:
        forget_name(called, NAMELESS, [*clubs, *unions])
        forget_name(called, NAMELESS, of_parted, OF_CLUBS)
    for club in clubs:
        write_down_in_club(club, account, gettext_noop("Erased a member’s personal details"), now=now)
    forget_letters(player)
    forget_phones(player)
    player.name, player.email, player.phone, player.language = NAMELESS, "", "", ""
    player.birth_year = None
    player.save()
    player.memberships.filter(left=None).update(left=today)
    player.memberships.update(number=None)
    player.transfers.all().delete()
    player.qualified.all().delete()
    QualifierQuestion.objects.filter(player=player).delete()
    joined.update(name="", moved={})
    ErasureProposal.objects.filter(player=player).delete()
    player.union_numbers.all().delete()
    # Wherever they were a guest, or stand in results from before, files may have the name too.
    there = Q(tournaments__in=tournaments) | Q(old_events__places__player=player)
    hosts = list(Club.objects.filter(there).distinct())
    _forget_old(player, name, clubs)
    _forget_in_notes(names, {*clubs, *unions, *hosts})
    for tournament in tournaments:
        changed = _forget_name(tournament, player, names)
        entry = tournament.entries.filter(player=player).first()
        if entry is None:
            text = gettext_noop("Erased the personal details of someone who had asked for a place")
            write_down(tournament, account, text, now=now, about=changed)
            continue
        number = entry.number
        text = gettext_noop("Erased the personal details of no. {number}")
        write_down(tournament, account, text, now=now, about=changed, number=number)
    for tournament in beside:
        lines = LogEntry.objects.filter(tournament=tournament, text__in=OF_TOURNAMENTS)
        if forgotten := _forget_in_lines(lines, names):
            text = gettext_noop("Erased a name in earlier lines of the log")
            write_down(tournament, account, text, now=now, about=forgotten)
    _withdraw_files(tournaments, [*clubs, *hosts])


def _withdraw_files(tournaments: Collection[Tournament], clubs: Collection[Club]) -> None:
    """Delete generated sheets, lists and yearbooks that may contain the name: they can be generated again."""
    rounds = Round.objects.filter(tournament__in=tournaments).values_list("pk", flat=True)
    keys = [club.pk for club in clubs]
    wholes = {*keys, *unions_with(keys).values_list("union", flat=True)}
    lists = Club.objects.filter(Q(pk__in=wholes) | Q(pk__in=clubs_in(wholes))).values_list("pk", flat=True)
    things = {subject_name("round", pk) for pk in rounds} | {subject_name("club", pk) for pk in lists}
    withdraw(WithdrawReason.ERASED, things | {subject_name("tournament", one.pk) for one in tournaments})


def _forget_old(player: Player, name: str, clubs: Collection[Club]) -> None:
    """Erase the name in results from before the program, also where it has no player, at the clubs of the
    memberships.
    """
    alone = Q(player=None, event__host__in=clubs)
    for held in OldPlace.objects.filter(Q(player=player) | alone):
        if held.player_id == player.pk or folded(held.name) == folded(name):
            OldPlace.objects.filter(pk=held.pk).update(name=NAMELESS)


def _forget_in_notes(names: Collection[str], clubs: Collection[Club]) -> None:
    """Replace the names in what these clubs have typed: notes for the next organiser, news, awards, comments on deals.

    Whole words, in either case, also genitives.
    """
    _replace_names(HandOver.objects.filter(club__in=clubs), NOTES, names)
    _replace_names(News.objects.filter(club__in=clubs), ("subject", "text"), names)
    _replace_names(Award.objects.filter(season__host__in=clubs), ("words",), names)
    _replace_names(SeasonDeal.objects.filter(season__host__in=clubs), ("comment",), names)


def _replace_names(rows: Iterable[Row], fields: Iterable[str], names: Collection[str]) -> list[Row]:
    """Replace the names in these fields; returns the rows that changed."""
    known, changed = _whole_names(names), []
    for row in rows:
        was = {name: getattr(row, name) for name in fields}
        kept = {name: known.sub(NAMELESS, text) for name, text in was.items()}
        if kept != was:
            type(row)._default_manager.filter(pk=row.pk).update(**kept)
            changed.append(row)
    return changed


def _whole_names(names: Collection[str]) -> re.Pattern[str]:
    """The pattern of these names in running text: whole words, in either case, also genitives."""
    written = [r"\s+".join(map(re.escape, called.split())) for called in sorted(names, key=len, reverse=True)]
    return re.compile(rf"(?<!\w)(?:{'|'.join(written)})(?=s?(?!\w))", re.IGNORECASE)


def refuse_to_change(player: Player, account: Account, union: Club | None = None) -> None:
    """Raise NotPossible while they play, or where a club has them as a member that `account` does not organise.

    Clubs that give a `union` the names of their members are its own here: its organisers say who is who.
    """
    sat = Q(seats__entry__player=player) | Q(former_seats__entry__player=player)
    playing = Round.objects.filter(sat, state=Round.State.RUNNING).first()
    if playing:
        raise NotPossible(
            _("%(name)s is playing in %(round)s. Wait until the round is closed.")
            % {"name": player, "round": playing}
        )
    own = Q(pk__in=clubs_of(account, organise=True))
    if union is not None and may_organise(account, union):
        own |= Q(pk__in=clubs_in(union, gives__in=WITH_NAMES))
    other = Club.objects.filter(memberships__player=player, memberships__left=None).exclude(own).first()
    if other:
        raise NotPossible(
            _("%(name)s is also a member of %(club)s, which you do not organise. Ask there.")
            % {"name": player, "club": other}
        )


def _forget_in_lines(lines: Iterable[LogEntry], names: Collection[str]) -> list[LogEntry]:
    """Take the names out of lines of a log, also out of what was typed in them; returns those that had one."""
    changed = []
    known = _whole_names(names)
    for line in lines:
        kept = {
            key: known.sub(NAMELESS, value)
            if key in TYPED_IN_LINES and isinstance(value, str)
            else _without(value, names)
            for key, value in line.params.items()
        }
        if kept != line.params:
            LogEntry.objects.filter(pk=line.pk).update(params=kept)
            changed.append(line)
    return changed


def _forget_name(tournament: Tournament, player: Player, names: Collection[str]) -> list[Model]:
    """Take the names out of the log, of calls to the desk, of objections and rulings, and of what their pair is called.

    Returns the rows changed that are chained.
    """
    lines = _forget_in_lines(LogEntry.objects.filter(tournament=tournament), names)
    changed = [
        *lines,
        *_forget_in_typed(tournament, names),
        *_forget_in_team_entries(tournament, player, names),
    ]
    asked = tournament.applications.filter(player=player)
    asked.update(typed=NAMELESS, name="", email="", team_name="")
    entry = tournament.entries.filter(player=player).first()
    if entry is None:
        return changed
    tables = tables_of(entry)
    for flag in Flag.objects.filter(table__in=tables.values("pk")):
        if any(name in flag.words for name in names):
            words = flag.words
            for name in sorted(names, key=len, reverse=True):
                words = words.replace(name, NAMELESS)
            Flag.objects.filter(pk=flag.pk).update(words=words)
    for team in Team.objects.filter(tournament=tournament, members__player=player):
        called = _without(team.name, names)
        if called != team.name:
            # Distinguish two pairs of nameless players.
            taken = tournament.teams.filter(name=called).exists()
            Team.objects.filter(pk=team.pk).update(name=f"{called} ({team.number})" if taken else called)
    return changed


def _forget_in_team_entries(tournament: Tournament, player: Player, names: Collection[str]) -> list[Model]:
    """Take the names out of what clubs have called the player's teams; returns the entries that changed."""
    changed: list[Model] = []
    for entered in TeamEntry.objects.filter(tournament=tournament, players__player=player):
        called = _without(entered.name, names)
        if called != entered.name:
            taken = tournament.team_entries.filter(name=called).exists()
            called = f"{called} ({entered.number})" if taken else called
            TeamEntry.objects.filter(pk=entered.pk).update(name=called)
            changed.append(entered)
    return changed


def _forget_in_typed(tournament: Tournament, names: Collection[str]) -> list[Model]:
    """Take the names out of objections, rulings, reasons and places; returns the chained rows that changed.

    Reasons of corrected deals and seats stay: the chains of the tables are made of them.
    """
    tables = Table.objects.filter(round__tournament=tournament)
    _replace_names(FolderChange.objects.filter(table__in=tables), ("reason",), names)
    rulings = TeamEntryRuling.objects.filter(team_entry__tournament=tournament)
    asked = Postponement.objects.filter(match__round__tournament=tournament)
    typed: tuple[tuple[Iterable[Model], tuple[str, ...], str], ...] = (
        (Tournament.objects.filter(pk=tournament.pk), ("called_off_reason", "place"), ""),
        (tables.exclude(ended_early_reason=""), ("ended_early_reason",), ""),
        (tournament.teams.exclude(place=""), ("place",), ""),
        (tournament.objections.all(), ("words", "answer"), ""),
        (tournament.penalties.all(), ("reason", "cancel_reason"), ""),
        (tournament.team_entries.all(), ("answer", "place"), ""),
        (rulings.select_related("team_entry"), ("reason",), "team_entry"),
        (Match.objects.filter(round__tournament=tournament), ("awarded_reason", "place"), ""),
        (asked.select_related("match"), ("reason", "answer", "place"), "match"),
    )
    changed: dict[tuple[type[Model], int], Model] = {}
    for rows, fields, chained_with in typed:
        for row in _replace_names(rows, fields, names):
            chained: Model = getattr(row, chained_with) if chained_with else row
            changed[type(chained), chained.pk] = chained
    return list(changed.values())


def _without(value: object, names: Collection[str]) -> object:
    """A name, or a list of names as logs and pairs have them, without these."""
    if not isinstance(value, str):
        return value
    return "".join(NAMELESS if part in names else part for part in re.split(f"(, |{BETWEEN_NAMES})", value))


# Photographs of the player's tables, which may show names in handwriting.


def photographs_of(players: Collection[Player]) -> QuerySet[Photograph]:
    """The photographs of slips and sheets of the tables where any of them sat."""
    # Two queries that each use an index; combined with OR they would scan all seats.
    found = Photograph.objects.order_by()
    sat = found.filter(table__seats__entry__player__in=players).values("pk")
    left = found.filter(table__former_seats__entry__player__in=players).values("pk")
    told = Photograph.objects.filter(pk__in=sat.union(left))
    return told.select_related("table__round__tournament").order_by("pk")


def set_aside_of(players: Collection[Player]) -> QuerySet[SheetPicture]:
    """The pictures of sheets of these tables, or sent by their captains, that are not their photographs."""
    # They are deleted after two days: query the few that exist for their owners, not all of the player's evenings.
    there = Q(table=OuterRef("table")) | Q(table=OuterRef("captains"))
    sat, left = (model.objects.filter(there, entry__player__in=players) for model in (Seat, FormerSeat))
    lying = SheetPicture.objects.filter(Exists(sat) | Exists(left), photograph=None)
    return lying.select_related("tournament").order_by("pk")
