"""Fees of clubs to their union: compute the amounts, make statements, remind, tick payments."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Max, Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from clubs.clubs import lock_club, log_change
from clubs.letter_models import OF_ORGANISERS
from clubs.mail.kinds import LetterKind, LetterObsolete
from clubs.models import Account, Club, Letter, MemberCount
from clubs.register import enqueue_for_organisers
from core.errors import UserError
from tournaments.domain.amounts import in_kroner
from tournaments.models import Statement, Team, UnionFees

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

# The teams of the year before the count's day are charged.
YEAR = timedelta(days=365)
OBSOLETE = gettext_noop("It was paid before this was sent.")


@dataclass(frozen=True)
class Fees:
    """A union's fees in øre, and its votes as (members, votes) steps."""

    per_member: int
    least: int
    per_team: int
    votes: Sequence[Sequence[int]]

    def for_members(self, members: int) -> int:
        return max(members * self.per_member, self.least)

    def votes_of(self, members: int) -> int:
        """The votes of the highest step that so many members reach; none below the first."""
        return max((votes for least, votes in self.votes if members >= least), default=0)


def fees_of(union: Club) -> Fees | None:
    """The fees of a union; None if it has not set them."""
    found = UnionFees.objects.filter(union=union).first()
    return Fees(found.per_member, found.least, found.per_team, found.votes) if found else None


@dataclass(frozen=True)
class Charge:
    """The fees of one club; `members` is None where the club gives no names and no number was entered."""

    club: int
    name: str
    members: int | None
    teams: int
    fees: Fees

    @property
    def for_members(self) -> int:
        return self.fees.for_members(self.members or 0)

    @property
    def for_teams(self) -> int:
        return self.teams * self.fees.per_team

    @property
    def total(self) -> int:
        return self.for_members + self.for_teams

    @property
    def votes(self) -> int:
        return self.fees.votes_of(self.members or 0)


def teams_counted(union: Club, day: date) -> dict[int, int]:
    """The number of teams that each club had in the union's tournaments in the year up to a day."""
    found = Team.objects.filter(
        tournament__host=union,
        tournament__called_off_at=None,
        tournament__date__gt=day - YEAR,
        tournament__date__lte=day,
        withdrawn=False,
    )
    return dict(found.order_by().values("club").annotate(teams=Count("pk")).values_list("club", "teams"))


def charges_of(
    count: MemberCount,
    fees: Fees,
    typed_members: Mapping[int, int | None] | None = None,
    typed_teams: Mapping[int, int] | None = None,
) -> list[Charge]:
    """The fees of each club by a count, with the typed numbers; clubs that have a statement are left out.

    A typed number of members counts only for a club that gives no names.
    """
    done = set(count.statements.values_list("club", flat=True))
    teams = teams_counted(count.union, count.day) | dict(typed_teams or {})
    said = typed_members or {}
    return [
        Charge(
            row["club"],
            row["name"],
            said.get(row["club"]) if row["main"] is None else row["main"],
            teams.get(row["club"], 0),
            fees,
        )
        for row in count.rows
        if row["club"] not in done
    ]


def store_fees(union: Club, values: Mapping[str, Any], *, account: Account, now: datetime) -> UnionFees:
    """Set a union's fees; statements that are made keep theirs."""
    made, _is_new = UnionFees.objects.update_or_create(union=union, defaults=dict(values))
    log_change(union, account, gettext_noop("Changed the fees of the union’s clubs"), now=now)
    return made


class Posted(NamedTuple):
    """Statements by whether an email was queued to an organiser of their club, each in the order of the numbers."""

    sent: list[Statement]
    unsent: list[Statement]


@transaction.atomic
def make_statements(
    count: MemberCount, charges: Iterable[Charge], *, account: Account, now: datetime
) -> Posted:
    """Make a statement for each club whose members are known, and notify its organisers by email.

    Raises UserError if another organiser has made one of them meanwhile.
    """
    union = count.union
    lock_club(union)
    charges = [one for one in charges if one.members is not None]
    if count.statements.filter(club__in=[one.club for one in charges]).exists():
        raise UserError(
            _("Statements have been made in the meantime: look at them first. Nothing has been saved.")
        )
    terms = UnionFees.objects.get(union=union)
    last = union.statements_made.aggregate(last=Max("number"))["last"] or 0
    today = timezone.localdate(now)
    made = Statement.objects.bulk_create(
        Statement(
            union=union, club_id=one.club, count=count, number=last + place,
            members=one.members or 0, teams=one.teams, votes=one.votes,
            per_member=one.fees.per_member, for_members=one.for_members,
            per_team=one.fees.per_team, for_teams=one.for_teams, total=one.total,
            due=today + timedelta(days=terms.days), pay_to=terms.pay_to,
            made_by=str(account), made_at=now,
        )
        for place, one in enumerate(charges, start=1)
    )  # fmt: skip
    of_these = Statement.objects.filter(pk__in=[one.pk for one in made])
    stored = list(of_these.select_related("club", "union").order_by("number"))
    text = gettext_noop("Made {statements} statements by the count of {counted}")
    log_change(union, account, text, now=now, statements=len(stored), counted=count.day)
    return _write_to_clubs(stored)


@transaction.atomic
def remind(statements: QuerySet[Statement], *, account: Account, now: datetime) -> Posted:
    """Remind the clubs of their open statements by email, each at most once a day.

    A club to which no email could be queued is not marked as reminded.
    """
    today = timezone.localdate(now)
    found = statements.filter(state=Statement.State.OPEN).select_for_update(of=("self",))
    due = [
        one
        for one in found.select_related("club", "union").order_by("number")
        if one.reminded_at is None or timezone.localdate(one.reminded_at) < today
    ]
    for one in due:
        one.reminders, one.reminded_at = one.reminders + 1, now
    posted = _write_to_clubs(due)
    for one in posted.sent:
        one.save(update_fields=["reminders", "reminded_at"])
        text = gettext_noop("Reminded {reminded} of statement {number}")
        log_change(one.union, account, text, now=now, reminded=one.club, number=one.number)
    return posted


@transaction.atomic
def tick_paid(statement: Statement, *, paid: bool, account: Account, now: datetime) -> None:
    """Tick a statement as paid today, or untick it. Done twice it is done once."""
    states = Statement.State
    held = Statement.objects.select_for_update(of=("self",)).get(pk=statement.pk)
    wanted = states.PAID if paid else states.OPEN
    if held.state == wanted:
        return
    held.state, held.paid_on = wanted, timezone.localdate(now) if paid else None
    held.save(update_fields=["state", "paid_on"])
    text = (
        gettext_noop("Statement {number} of {payer} is paid")
        if paid
        else gettext_noop("Statement {number} of {payer} is not paid after all")
    )
    log_change(held.union, account, text, now=now, number=held.number, payer=held.club)


def statements_to(account: Account) -> QuerySet[Statement]:
    """The open statements to clubs that an account organises by its own role there, the first due coming first."""
    mine = Q(club__roles__account=account, club__roles__kind="organiser")
    found = Statement.objects.filter(mine, state=Statement.State.OPEN)
    return found.select_related("club", "union").order_by("due", "number")


class StatementNews(LetterKind):
    """Sends a club's organisers a statement, or reminds them of one that is open."""

    code = "statement"
    name = gettext_lazy("statement of the union")
    topic = OF_ORGANISERS

    def template_context(self, letter: Letter) -> dict[str, Any]:
        statement = (
            Statement.objects.select_related("club", "union").filter(pk=letter.facts["statement"]).first()
        )
        if statement is None or statement.state != Statement.State.OPEN:
            raise LetterObsolete(OBSOLETE)
        return {
            "statement": statement,
            "total": in_kroner(statement.total),
            "due": date_format(statement.due, "DATE_FORMAT"),
            "link": f"{settings.PUBLIC_URL}{statement.get_absolute_url()}",
        }


def _write_to_clubs(statements: Iterable[Statement]) -> Posted:
    posted = Posted([], [])
    for one in statements:
        day = timezone.localdate(one.reminded_at or one.made_at)
        facts = {"statement": one.pk, "reminder": one.reminders}
        # With the day: a reminder that was not delivered is tried again under the same number.
        key = f"statement {one.pk} {one.reminders} {day}"
        letters = enqueue_for_organisers(StatementNews.code, one.club, facts, key=key)
        is_sent = any(letter and letter.state != Letter.State.FAILED for letter in letters)
        (posted.sent if is_sent else posted.unsent).append(one)
    return posted
