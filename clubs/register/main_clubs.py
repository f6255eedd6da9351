"""The main club of a person who is a member of several: chosen from a day on, at a club's desk or the union's."""

from datetime import date, datetime

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.clubs import log_change
from clubs.models import Account, Club, MainClub, Membership, Player
from clubs.register_models import WITH_NAMES, clubs_in
from core.errors import UserError


def memberships_known_to(union: Club) -> QuerySet[Membership]:
    """All memberships, former ones too, of the clubs that give a union names now, and of the union itself."""
    clubs = clubs_in(union, gives__in=WITH_NAMES)
    return Membership.objects.filter(Q(club=union) | Q(club__in=clubs)).select_related("player", "club")


@transaction.atomic
def choose_main_club(
    player: Player, club: Club, day: date, *, desk: Club, account: Account, now: datetime
) -> MainClub:
    """Store that a person's main club is `club` from `day` on, as `desk` has decided; choosing twice is choosing once.

    Raises UserError at `club` where they are no member of it on that day.
    """
    list(Player.objects.select_for_update().filter(pk=player.pk).values_list("pk"))
    there = Membership.objects.on(day).filter(player=player)
    membership = there.filter(club=club).order_by("joined", "pk").first()
    if membership is None:
        text = _("%(name)s is not a member of %(club)s on %(day)s.")
        on = date_format(day, "DATE_FORMAT")
        raise UserError(text % {"name": player, "club": club, "day": on}, "club")
    newest = player.main_clubs.select_related("club").first()
    if newest and newest.club_id == club.pk and membership.joined <= newest.day <= day:
        return newest
    made = MainClub.objects.create(player=player, club=club, day=day, chosen_by=str(account), chosen_at=now)
    text = gettext_noop("The main club of {member} is {main_club} from {day}")
    for one in {desk, club}:
        log_change(one, account, text, now=now, member=player, main_club=club, day=day)
    # Clubs need not know which other clubs their members are in.
    text = gettext_noop("The main club of {member} is another club from {day}")
    for one in set(Club.objects.filter(memberships__in=there)) - {desk, club}:
        log_change(one, account, text, now=now, member=player, day=day)
    return made
