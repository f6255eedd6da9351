"""Import a member list: store the upload, show a dry run, then apply all of it or nothing.

The dry run and the import are the same plan (`clubs.import_plan`), computed again from the present members.
"""

import hashlib
from collections.abc import Callable, Collection, Container, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import TypeVar

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from clubs.clubs import lock_club, log_change
from clubs.import_plan import (
    IMPORTED,
    NEW,
    OF_THE_MEMBERSHIP,
    OF_THE_PLAYER,
    SKIP,
    Change,
    Kind,
    Line,
    Plan,
    about,
    make_plan,
)
from clubs.lists.models import KEPT_FOR
from clubs.matching import known_to_union, people_like
from clubs.member_rows import CellProblem, MemberFile, MemberRow, read_member_file
from clubs.members import describe
from clubs.models import (
    Account,
    Club,
    MemberImport,
    Membership,
    Player,
    UploadedList,
    players_changed,
)
from clubs.names import folded
from clubs.register import record_moves
from clubs.union_import import (
    UnionPlan,
    plan_union_import,
    read_union_people,
    store_union_numbers,
    stored_club,
)
from core.errors import UserError

CONTACT = ("email", "phone")
P = TypeVar("P", bound=Plan)


@dataclass(frozen=True)
class DryRun:
    """The result of an import's dry run. `people_mark` changes with the people that its rows may match.

    One that was confirmed `is_done`, unless it does something else by now, or a row is doubtful.
    """

    file: MemberFile
    plan: Plan
    people_mark: str
    is_done: bool = False

    @property
    def fingerprint(self) -> str:
        """A fingerprint of what the user confirmed: the people, the rows refused, and the clubs chosen."""
        chosen = f" {sorted(self.file.clubs.items())}" if self.file.clubs else ""
        return f"{self.people_mark} {self.plan.refused}{chosen}"


def store_upload(
    club: Club,
    account: Account,
    file_name: str,
    data: bytes,
    *,
    joined: date,
    now: datetime,
    put_above: int = 0,
) -> MemberImport:
    """Store an uploaded list for its dry run, for a day. Raises UnreadableFileError."""
    file = read_member_file(data, put_above=put_above)
    return store_chosen_rows(club, account, file_name, file, joined=joined, now=now)


def store_chosen_rows(
    club: Club,
    account: Account,
    file_name: str,
    file: MemberFile,
    *,
    joined: date,
    now: datetime,
    given: UploadedList | None = None,
) -> MemberImport:
    """Store the rows of a list whose columns are chosen, for a day; they replace those of `given`."""
    forget_old_uploads(now)
    if given is not None:
        given.imports.filter(applied_at=None).delete()
    return MemberImport.objects.create(
        given=given,
        club=club,
        account=account,
        file_name=file_name[:200],
        contents=file.as_json(),
        joined=joined,
        made_at=now,
    )


def forget_old_uploads(now: datetime) -> None:
    """Delete the lists that were uploaded more than a day ago."""
    MemberImport.objects.filter(made_at__lt=now - KEPT_FOR).delete()
    UploadedList.objects.filter(made_at__lt=now - KEPT_FOR).delete()


def forget(upload: MemberImport) -> None:
    """Delete an upload and its file."""
    if upload.given is not None:
        upload.given.delete()
    upload.delete()


def dry_run(
    upload: MemberImport,
    choices: Mapping[int, str] | None = None,
    *,
    same_names: bool = False,
    found: Callable[[], object] = lambda: None,
) -> DryRun:
    """Plan an import with these choices for doubtful rows (see `make_plan`), without storing anything.

    With `same_names` equal names are chosen too. `found` is a callback when all people have been queried.
    """
    file = MemberFile.from_json(upload.contents)
    rows = file.rows(timezone.localdate(upload.made_at))
    if file.of_union:
        return _dry_run_of_union(upload, file, rows, choices or {}, same_names=same_names, found=found)
    rows = _of_club(upload.club, rows, file.heading("club"))
    people = people_like(upload.account, upload.club, rows)
    people += known_to_union(upload.account, upload.club, rows)
    found()

    def plan(choices: Mapping[int, str]) -> Plan:
        return make_plan(rows, people, joined=upload.joined, choices=choices, heading=file.heading)

    return DryRun(file, _planned(plan, choices or {}, same_names=same_names), _mark(people))


def _planned(plan: Callable[[Mapping[int, str]], P], choices: Mapping[int, str], *, same_names: bool) -> P:
    planned = plan(choices)
    return plan({**choices, **planned.same_names()}) if same_names else planned


def _mark(people: object) -> str:
    return hashlib.sha256(repr(people).encode()).hexdigest()


def _dry_run_of_union(
    upload: MemberImport,
    file: MemberFile,
    rows: list[MemberRow],
    choices: Mapping[int, str],
    *,
    same_names: bool,
    found: Callable[[], object],
) -> DryRun:
    people = read_union_people(upload.club, upload.account)
    found()

    def plan(choices: Mapping[int, str]) -> UnionPlan:
        return plan_union_import(
            rows,
            people,
            joined=upload.joined,
            choices=choices,
            chosen_clubs=file.clubs,
            heading=file.heading,
        )

    return DryRun(file, _planned(plan, choices, same_names=same_names), _mark(people))


def choose_clubs(upload: MemberImport, chosen: Mapping[str, str]) -> None:
    """Store what a union chose for names of clubs that are not known, by the folded name."""
    if chosen and chosen != upload.contents.get("clubs"):
        upload.contents["clubs"] = {**upload.contents.get("clubs", {}), **chosen}
        upload.save(update_fields=["contents"])


def _of_club(club: Club, rows: list[MemberRow], heading: str) -> list[MemberRow]:
    """The rows: those of another club according to the file are refused, those of an unknown club get a note.

    If all rows name the same unknown club, it is the file's name for this one.
    """
    named = {folded(row.club) for row in rows} - {"", folded(club.name), folded(club.town)}
    if not named:
        return rows
    others = {folded(one.name): one.name for one in Club.objects.exclude(pk=club.pk)}
    is_one_name = len({folded(row.club) for row in rows}) == 1
    return [_looked_at(row, named, others, heading, is_one_name=is_one_name) for row in rows]


def _looked_at(
    row: MemberRow, named: set[str], others: Mapping[str, str], heading: str, *, is_one_name: bool
) -> MemberRow:
    called = folded(row.club)
    if called in others:
        text = _("This row belongs to %(club)s: import it on that club’s page.") % {"club": others[called]}
        return replace(row, problems=(*row.problems, CellProblem(heading, text)))
    if called in named and not is_one_name:
        text = _("There is no club called %(club)s here; the row is treated as this club’s.") % {
            "club": row.club
        }
        return replace(row, notes=(*row.notes, CellProblem(heading, text)))
    return row


def confirm(upload: MemberImport, choices: Mapping[int, str], seen: str, now: datetime) -> DryRun:
    """Import, if it still does what was `seen` (the fingerprint of the dry run) and no row is doubtful.

    Returns the dry run as it is now.
    """
    try:
        return _confirm(upload, choices, seen, now)
    except UserError:
        # A concurrent request has changed the union.
        return dry_run(upload, choices)


@transaction.atomic
def _confirm(upload: MemberImport, choices: Mapping[int, str], seen: str, now: datetime) -> DryRun:
    if upload.contents.get("of_union"):
        for club in upload.club.clubs.order_by("pk"):
            lock_club(club)
    run = dry_run(upload, choices)
    if run.fingerprint != seen or run.plan.counts[Kind.DOUBTFUL]:
        return run
    if isinstance(run.plan, UnionPlan):
        _carry_out_of_union(run.plan, upload, now)
    else:
        _carry_out(run.plan, upload.club)
    given, upload.given = upload.given, None
    upload.contents, upload.applied_at = {}, now
    upload.save(update_fields=["contents", "applied_at", "given"])
    if given is not None:
        given.delete()
    return replace(run, is_done=True)


def _carry_out_of_union(plan: UnionPlan, upload: MemberImport, now: datetime) -> None:
    union, account = upload.club, upload.account
    changed = [one for one in plan.clubs if any(line.kind in WRITES for line in one.lines)]
    clubs = [stored_club(one, union, account=account, now=now) for one in changed]
    moves = [
        (line.origin.membership, club, line.becomes.joined, line.becomes.number)
        for one, club in zip(changed, clubs, strict=True)
        for line in one.lines_of(Kind.MOVES)
        if line.origin and line.becomes.joined
    ]
    record_moves(moves, account=account, now=now)
    players: dict[int, int] = {}
    text = gettext_noop("Imported the club’s rows of the union’s list {file}")
    for one, club in zip(changed, clubs, strict=True):
        players |= _carry_out(one, club)
        log_change(club, account, text, now=now, file=upload.file_name)
    store_union_numbers(union, {players[row]: number for row, number in plan.new_numbers.items()})


def _carry_out(plan: Plan, club: Club) -> dict[int, int]:
    """Store what a plan does in a club; returns the players by their rows."""
    done = [line for line in plan.lines if line.kind in IMPORTED and line.kind != Kind.UNCHANGED]
    _change([line for line in done if line.kind == Kind.CHANGED])
    _describe_players([line for line in done if line.known and (line.changes or line.known.known_to_union)])
    players_changed.send(Player, players=[line.known.player for line in done if line.known])
    newcomers = [line for line in done if line.kind in {Kind.NEW, Kind.JOINS, Kind.MOVES}]
    unknown = [line for line in newcomers if line.known is None]
    made = Player.objects.bulk_create(Player(**_changed_fields(line, OF_THE_PLAYER)) for line in unknown)
    players = {line.row.row: player.pk for line, player in zip(unknown, made, strict=True)}
    Membership.objects.bulk_create(
        Membership(
            club=club,
            player_id=line.known.player if line.known else players[line.row.row],
            **_changed_fields(line, OF_THE_MEMBERSHIP),
        )
        for line in newcomers
    )
    return players | {line.row.row: line.known.player for line in done if line.known}


def _change(lines: list[Line]) -> None:
    """Change memberships; numbers are freed first, as two members may exchange theirs."""
    memberships = Membership.objects.in_bulk([line.known.membership for line in lines if line.known])
    Membership.objects.filter(pk__in=memberships).update(number=None)
    for line in lines:
        if line.known:
            for field, value in _changed_fields(line, OF_THE_MEMBERSHIP).items():
                setattr(memberships[line.known.membership], field, value)
    Membership.objects.bulk_update(memberships.values(), OF_THE_MEMBERSHIP)


def _describe_players(lines: list[Line]) -> None:
    """Store the fields of people that change: of some, the importer does not see everything that is stored.

    Of a person known to the union only, both contact fields become the row's, as another club wrote those stored; the
    year of birth only where the row has one.
    """
    players = Player.objects.in_bulk([line.known.player for line in lines if line.known])
    for line in lines:
        if line.known:
            changed = tuple(one.field for one in line.changes if one.field in OF_THE_PLAYER)
            fields = {*changed, *CONTACT} - {"name"} if line.known.known_to_union else changed
            for field, value in _changed_fields(line, fields).items():
                setattr(players[line.known.player], field, value)
    Player.objects.bulk_update(players.values(), OF_THE_PLAYER)


def _changed_fields(line: Line, fields: Collection[str]) -> dict[str, object]:
    return {field: getattr(line.becomes, field) for field in fields}


# The columns of a union's overview.
IN_OVERVIEW = (
    Kind.REFUSED, Kind.DOUBTFUL, Kind.NEW, Kind.MOVES, Kind.JOINS, Kind.CHANGED, Kind.LEFT_OUT, Kind.UNCHANGED,
)  # fmt: skip
# The kinds of rows that need no answer, in the order of the page.
TOLD = (Kind.REFUSED, Kind.NEW, Kind.JOINS, Kind.MOVES, Kind.CHANGED, Kind.LEFT_OUT, Kind.UNCHANGED)
WRITES = {Kind.NEW, Kind.JOINS, Kind.MOVES, Kind.CHANGED}


def summarize_counts(counts: Mapping[Kind, int]) -> str:
    """Counts as text: “30 new members, 1 row refused”."""
    words = {
        Kind.REFUSED: ngettext("%(rows)d row refused", "%(rows)d rows refused", counts[Kind.REFUSED]),
        Kind.NEW: ngettext("%(rows)d new member", "%(rows)d new members", counts[Kind.NEW]),
        Kind.JOINS: ngettext(
            "%(rows)d known player joins", "%(rows)d known players join", counts[Kind.JOINS]
        ),
        Kind.MOVES: ngettext("%(rows)d member moves", "%(rows)d members move", counts[Kind.MOVES]),
        Kind.CHANGED: ngettext("%(rows)d member changed", "%(rows)d members changed", counts[Kind.CHANGED]),
        Kind.LEFT_OUT: ngettext("%(rows)d row left out", "%(rows)d rows left out", counts[Kind.LEFT_OUT]),
        Kind.UNCHANGED: ngettext(
            "%(rows)d member unchanged", "%(rows)d members unchanged", counts[Kind.UNCHANGED]
        ),
    }
    return ", ".join(words[kind] % {"rows": counts[kind]} for kind in TOLD if counts[kind])


def describe_refusal(run: DryRun, seen: str) -> str:
    """Why a list was not imported by a user who had seen another dry run: an English text."""
    if not seen.startswith(run.people_mark):
        return gettext_noop(
            "The members have changed since you saw this. Check it again; nothing has been imported yet."
        )
    if run.plan.counts[Kind.DOUBTFUL]:
        return gettext_noop("Nothing has been imported yet: choose who each doubtful row is.")
    return gettext_noop("With your choices, different rows are now rejected. Nothing has been imported yet.")


def run_context(upload: MemberImport, run: DryRun, *, asked: bool = False) -> dict[str, object]:
    """The template context of a dry run; with `asked`, doubtful rows without a choice are marked."""
    plan = run.plan
    asked_about = {line.row.row for line in plan.questions}
    of_union = plan if isinstance(plan, UnionPlan) else None
    return {
        "upload": upload,
        "run": run,
        "asked": asked,
        "questions": [(line, _answers(line)) for line in plan.questions],
        "sections": _sections(of_union.without_club if of_union else plan.lines, asked_about),
        "of_union": of_union,
        "clubs": [
            {
                "name": one.name,
                "is_made": one.club is None,
                "is_refused": bool(one.counts[Kind.REFUSED]),
                "counts": [one.counts[kind] for kind in IN_OVERVIEW],
                "sections": _sections(one.lines, asked_about),
            }
            for one in (of_union.clubs if of_union else ())
        ],
        "overview": [kind.label for kind in IN_OVERVIEW],
        "summary": summarize_counts(plan.counts),
        "does_something": any(line.is_question or line.kind in WRITES for line in plan.lines),
        "same_names": len(plan.same_names()),
    }


def _sections(lines: list[Line], asked_about: Container[int]) -> list[tuple[Kind, list[Line]]]:
    return [
        (kind, shown)
        for kind in TOLD
        if (shown := [line for line in lines if line.kind == kind and line.row.row not in asked_about])
    ]


def _answers(line: Line) -> list[tuple[str, str, tuple[Change, ...]]]:
    """The choices for a doubtful row: value, text, and what it would change."""
    words = {NEW: _("a new person"), SKIP: _("leave this row out")}
    people = {known.choice: known for known in line.doubt.people}
    return [
        (choice, words[choice], ())
        if choice in words
        else (
            choice,
            _("the same person as %(person)s") % {"person": describe(people[choice])},
            about(line, people[choice]).changes,
        )
        for choice in line.choices
    ]
