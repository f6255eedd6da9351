"""Former members whose erasing is proposed: found by a job, decided about by an organiser."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F, Max, Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.clubs import log_change
from clubs.models import Club, Gives, Membership
from clubs.register import last_played
from clubs.register_models import clubs_in, first_unions
from core.errors import UserError
from core.sql import key_set
from tournaments.models import Entry, ErasureProposal
from tournaments.models.names import NAMELESS

if TYPE_CHECKING:
    from collections.abc import Collection

    from django.db.models import QuerySet

    from clubs.models import Account

# Where neither the club nor its union has chosen.
USUAL_YEARS = 5
KEPT_YEARS = 1


def years_before(day: date, years: int) -> date:
    """The same day so many years earlier; of 29 February 28 February where there is none."""
    try:
        return day.replace(year=day.year - years)
    except ValueError:
        return day.replace(year=day.year - years, day=28)


def years_of_clubs() -> dict[int, int]:
    """After how many years each club, by primary key, has former members proposed for erasing; 0 for never."""
    chosen = dict(Club.objects.values_list("pk", "erase_after"))
    unions = dict(first_unions().values_list("club", "union"))
    found = {}
    for club, own in chosen.items():
        of_union = chosen.get(unions.get(club, 0))
        found[club] = own if own is not None else of_union if of_union is not None else USUAL_YEARS
    return found


@transaction.atomic
def propose_erasures(now: datetime) -> None:
    """Propose who left all clubs long ago and has not played since; update or withdraw what holds no longer."""
    today = timezone.localdate(now)
    due = dict(_due(today))
    ErasureProposal.objects.exclude(player__in=key_set(due)).delete()
    changed = []
    for held in ErasureProposal.objects.all():
        last = due.pop(held.player_id)
        if (held.club_id, held.left) != last:
            held.club_id, held.left = last
            changed.append(held)
    ErasureProposal.objects.bulk_update(changed, ["club", "left"], batch_size=500)
    ErasureProposal.objects.bulk_create(
        ErasureProposal(player_id=player, club_id=club, left=left, proposed_at=now)
        for player, (club, left) in sorted(due.items())
    )


def last_evenings(players: Collection[int]) -> dict[int, date]:
    """The last day that each player has played, or is entered for: of a league that of their last match."""
    entered = Entry.objects.filter(player__in=key_set(players)).order_by().values("player")
    newest = dict(entered.annotate(newest=Max("tournament__date")).values_list("player", "newest"))
    for (player, _club), day in last_played(players).items():
        newest[player] = max(day, newest.get(player, day))
    return newest


def _due(today: date) -> list[tuple[int, tuple[int, date]]]:
    """Each player whose erasing is to be proposed, with the club that they left last, and when."""
    ended = Membership.objects.filter(left__lte=years_before(today, 1)).exclude(player__name=NAMELESS)
    gone = set(ended.order_by().values_list("player", flat=True))
    if not gone:
        return []
    years = years_of_clubs()
    newest = last_evenings(gone)
    held = Membership.objects.filter(player__in=key_set(gone), club__sample=None)
    # The last row of each player is of the club that they left last, or have not left.
    last = {
        player: (club, left)
        for player, club, left in held.order_by(F("left").asc(nulls_last=True), "pk").values_list(
            "player", "club", "left"
        )
    }
    return [
        (player, (club, left))
        for player, (club, left) in last.items()
        if left and years[club] and max(left, newest.get(player, left)) <= years_before(today, years[club])
    ]


def all_proposals_of(club: Club) -> QuerySet[ErasureProposal]:
    """The proposals of a club, and of the clubs that give it all permissions, postponed ones included."""
    clubs = clubs_in(club, gives=Gives.EVERYTHING)
    return ErasureProposal.objects.filter(Q(club=club) | Q(club__in=clubs)).select_related("player", "club")


def proposals_of(club: Club, today: date) -> QuerySet[ErasureProposal]:
    """The open proposals of a club, the earliest to leave first."""
    return all_proposals_of(club).filter(Q(kept_until=None) | Q(kept_until__lte=today))


@transaction.atomic
def keep_person(proposal: ErasureProposal, *, account: Account, now: datetime) -> None:
    """Keep a former member for a year; keeping twice is keeping once. Raises UserError where they were erased."""
    today = timezone.localdate(now)
    held = ErasureProposal.objects.select_for_update(of=("self",)).filter(pk=proposal.pk).first()
    if held is None:
        raise UserError(_("This has already been decided."))
    if held.kept_until and held.kept_until > today:
        return
    held.kept_until, held.kept_by = years_before(today, -KEPT_YEARS), str(account)
    held.save(update_fields=["kept_until", "kept_by"])
    text = gettext_noop("Keeps the former member {member} for another year")
    log_change(proposal.club, account, text, now=now, member=proposal.player)
