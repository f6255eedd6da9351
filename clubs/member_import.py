"""Import a member list: store the upload, show a dry run, then apply all of it or nothing.

The dry run and the import are the same plan (`clubs.import_plan`), computed again from the present members.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

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
from clubs.member_file import MemberFile, read_member_file
from clubs.member_rows import CellProblem, MemberRow
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

CONTACT = ("email", "phone")


@dataclass(frozen=True)
class DryRun:
    """What an import would do now. `people_mark` changes with the people that its rows may be.

    One that was confirmed `is_done`, unless it does something else by now, or a row is doubtful.
    """

    file: MemberFile
    plan: Plan
    people_mark: str
    is_done: bool = False

    @property
    def fingerprint(self) -> str:
        """A fingerprint of what the user confirmed: the people, and the rows refused."""
        return f"{self.people_mark} {self.plan.refused}"


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
    """What an import would do with these choices for doubtful rows (see `make_plan`).

    With `same_names` equal names are chosen too. `found` is called when all people are read.
    """
    file = MemberFile.from_json(upload.contents)
    rows = _of_club(upload.club, file.rows(timezone.localdate(upload.made_at)), file.heading("club"))
    people = people_like(upload.account, upload.club, rows)
    people += known_to_union(upload.account, upload.club, rows)
    found()

    def plan(choices: Mapping[int, str]) -> Plan:
        return make_plan(rows, people, joined=upload.joined, choices=choices, heading=file.heading)

    planned = plan(choices or {})
    if same_names:
        planned = plan({**(choices or {}), **planned.same_names()})
    return DryRun(file, planned, hashlib.sha256(repr(people).encode()).hexdigest())


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


@transaction.atomic
def confirm(upload: MemberImport, choices: Mapping[int, str], seen: str, now: datetime) -> DryRun:
    """Import, if it still does what was `seen` (the fingerprint of the dry run) and no row is doubtful.

    Returns the dry run as it is now.
    """
    run = dry_run(upload, choices)
    if run.fingerprint != seen or run.plan.counts[Kind.DOUBTFUL]:
        return run
    _carry_out(run.plan, upload.club)
    given, upload.given = upload.given, None
    upload.contents, upload.applied_at = {}, now
    upload.save(update_fields=["contents", "applied_at", "given"])
    if given is not None:
        given.delete()
    return replace(run, is_done=True)


def _carry_out(plan: Plan, club: Club) -> None:
    done = [line for line in plan.lines if line.kind in IMPORTED and line.kind != Kind.UNCHANGED]
    _change([line for line in done if line.kind == Kind.CHANGED])
    _describe_players([line for line in done if line.known and (line.changes or line.known.known_to_union)])
    players_changed.send(Player, players=[line.known.player for line in done if line.known])
    newcomers = [line for line in done if line.kind in {Kind.NEW, Kind.JOINS}]
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
    """Update people from the rows; of a person known to the union only, the contact fields alone."""
    players = Player.objects.in_bulk([line.known.player for line in lines if line.known])
    for line in lines:
        if line.known:
            is_new_here = line.known.known_to_union
            for field, value in _changed_fields(line, CONTACT if is_new_here else OF_THE_PLAYER).items():
                setattr(players[line.known.player], field, value)
    Player.objects.bulk_update(players.values(), OF_THE_PLAYER)


def _changed_fields(line: Line, fields: tuple[str, ...]) -> dict[str, object]:
    return {field: getattr(line.becomes, field) for field in fields}


# The kinds of rows that need no answer, in the order of the page.
TOLD = (Kind.REFUSED, Kind.NEW, Kind.JOINS, Kind.CHANGED, Kind.LEFT_OUT, Kind.UNCHANGED)
WRITES = {Kind.NEW, Kind.JOINS, Kind.CHANGED}


def summarize_counts(counts: Mapping[Kind, int]) -> str:
    """Counts as text: “30 new members, 1 row refused”."""
    words = {
        Kind.REFUSED: ngettext("%(rows)d row refused", "%(rows)d rows refused", counts[Kind.REFUSED]),
        Kind.NEW: ngettext("%(rows)d new member", "%(rows)d new members", counts[Kind.NEW]),
        Kind.JOINS: ngettext(
            "%(rows)d known player joins", "%(rows)d known players join", counts[Kind.JOINS]
        ),
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
    """The template context of a dry run; `asked`: mark doubtful rows without a choice."""
    plan = run.plan
    return {
        "upload": upload,
        "run": run,
        "asked": asked,
        "questions": [(line, _answers(line)) for line in plan.questions],
        "sections": [
            (kind, lines)
            for kind in TOLD
            if (lines := [line for line in plan.of(kind) if not line.is_question])
        ],
        "summary": summarize_counts(plan.counts),
        "does_something": any(line.is_question or line.kind in WRITES for line in plan.lines),
        "same_names": len(plan.same_names()),
    }


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
