"""Clubs in unions: invite, accept, choose what the union gets, leave."""

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.clubs import find_club, log_change
from clubs.models import Account, Affiliation, AffiliationOffer, Club, Gives, Role
from clubs.register_models import is_affiliated
from core.errors import UserError
from core.log_messages import translatable


@transaction.atomic
def add_to_union(
    club: Club, union: Club, *, gives: str, account: Account | None, now: datetime
) -> Affiliation:
    """Let a club join a union today. Raises UserError where one of the two cannot."""
    _refuse(club, union)
    AffiliationOffer.objects.filter(club=club, union=union).delete()
    joined = timezone.localdate(now)
    # Who left and comes back on the same day has never been away.
    again = Affiliation.objects.filter(club=club, union=union, left=joined).order_by("-pk").first()
    made = again or Affiliation(club=club, union=union, joined=joined)
    made.left, made.gives = None, gives
    made.save()
    for one in (club, union):
        log_change(
            one, account, gettext_noop("{joined} joined the union {union}"), now=now, joined=club, union=union
        )
    return made


def _refuse(club: Club, union: Club) -> None:
    if club == union:
        raise UserError(_("A club cannot be its own union."), "club")
    if is_affiliated(club, union):
        raise UserError(_("%(club)s already belongs to %(union)s.") % {"club": club, "union": union}, "club")
    if club.clubs.exists():
        raise UserError(_("%(club)s is itself a union with clubs.") % {"club": club}, "club")
    if union.unions.exists():
        raise UserError(_("%(club)s itself belongs to a union.") % {"club": union}, "club")


@transaction.atomic
def invite_club(union: Club, name: str, *, account: Account, now: datetime) -> AffiliationOffer:
    """Invite the club of that name to join a union. Raises UserError at `club`."""
    club = find_club(name)
    if club is None:
        raise UserError(_("There is no club with this name here."), "club")
    _refuse(club, union)
    made, is_new = AffiliationOffer.objects.get_or_create(
        club=club, union=union, defaults={"offered_by": str(account), "offered_at": now}
    )
    if is_new:
        log_change(union, account, gettext_noop("Invited {invited} to join the union"), now=now, invited=club)
    return made


@transaction.atomic
def accept_invitation(offer: AffiliationOffer, gives: str, *, account: Account, now: datetime) -> None:
    """Join the union that has invited a club. Raises UserError where the club cannot."""
    add_to_union(offer.club, offer.union, gives=gives, account=account, now=now)


@transaction.atomic
def decline_invitation(offer: AffiliationOffer, *, account: Account, now: datetime) -> None:
    """Remove an invitation, for the club that declines or the union that withdraws it."""
    offer.delete()
    text = gettext_noop("The invitation of {invited} by {union} was declined or withdrawn")
    for club in (offer.club, offer.union):
        log_change(club, account, text, now=now, invited=offer.club, union=offer.union)


@transaction.atomic
def change_what_union_gets(affiliation: Affiliation, gives: str, *, account: Account, now: datetime) -> None:
    """Store the permissions that a club gives a union. Raises UserError where no other account organises the club."""
    if affiliation.gives == gives:
        return
    _keep_organiser(affiliation)
    affiliation.gives = gives
    affiliation.save(update_fields=["gives"])
    text = gettext_noop("{union} now gets: {given}")
    given = translatable(Gives(gives).label)
    log_change(affiliation.club, account, text, now=now, union=affiliation.union, given=given)


@transaction.atomic
def leave_union(affiliation: Affiliation, *, account: Account, now: datetime) -> None:
    """End a club's time in a union today. What it has played in the union's seasons still counts there."""
    _keep_organiser(affiliation)
    affiliation.left = timezone.localdate(now)
    affiliation.save(update_fields=["left"])
    text = gettext_noop("{left_club} left the union {union}")
    for club in (affiliation.club, affiliation.union):
        log_change(club, account, text, now=now, left_club=affiliation.club, union=affiliation.union)


def _keep_organiser(affiliation: Affiliation) -> None:
    """Raise UserError where only the union's organisers organise the club: it would have no organiser."""
    own = Role.objects.filter(club=affiliation.club, kind=Role.Kind.ORGANISER, account__is_active=True)
    if affiliation.gives == Gives.EVERYTHING and not own.exists():
        raise UserError(
            _("%(club)s needs an organiser of its own first: so far the union has organised it.")
            % {"club": affiliation.club}
        )


def invitations_to(account: Account) -> QuerySet[AffiliationOffer]:
    """The invitations of unions that wait for an answer of clubs which an account organises by its own role there."""
    roles = Role.objects.filter(account=account, kind=Role.Kind.ORGANISER).values("club")
    return AffiliationOffer.objects.filter(club__in=roles).select_related("club", "union")


def current_affiliations(club: Club) -> QuerySet[Affiliation]:
    """The unions that a club belongs to now, the one it joined first coming first."""
    return club.affiliations.filter(left=None).select_related("union")


def affiliated_clubs(union: Club) -> QuerySet[Affiliation]:
    """The clubs that belong to a union now, by name."""
    return union.affiliated.filter(left=None).select_related("club").order_by("club__name")
