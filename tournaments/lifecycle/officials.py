"""Grant and withdraw the rights of officials at one tournament, season or championship."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy, gettext_noop
from django.utils.translation import gettext as _

from clubs.clubs import log_change
from clubs.mail.kinds import LetterKind, LetterObsolete
from clubs.mail.letters import GONE, own_password_path
from clubs.mail.outbox import enqueue_letter
from clubs.models import Role
from core.errors import NotPossible
from core.log_messages import author_name
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down
from tournaments.changes.permissions import has_by_role
from tournaments.models import Official, Season, Tournament
from tournaments.models.officials import LASTS

if TYPE_CHECKING:
    from datetime import datetime

    from clubs.models import Account, Letter
    from tournaments.models import Championship

# The log entries, in a tournament's log, and in the club's for its season or championship.
GIVEN = {
    Role.Kind.ORGANISER.value: gettext_noop("{colleague} is an organiser of this tournament"),
    Role.Kind.HELPER.value: gettext_noop("{colleague} is a helper at this tournament"),
}
GIVEN_IN_CLUB = {
    Role.Kind.ORGANISER.value: gettext_noop("“{of}”: {colleague} is an organiser"),
    Role.Kind.HELPER.value: gettext_noop("“{of}”: {colleague} is a helper"),
}
GIVEN_IN_HALL = gettext_noop("{colleague} is a helper in {hall} at this tournament")
WITHDRAWN = gettext_noop("{colleague} is no longer an official of this tournament")
WITHDRAWN_IN_CLUB = gettext_noop("“{of}”: {colleague} is no longer an official")
HOSTING_ORGANISES = gettext_noop("The organisers of {club} run this tournament too")
HOSTING_HELPS = gettext_noop("The organisers of {club} only help at this tournament")


class OfficialNews(LetterKind):
    """News to an account that it is an official; a new one gets the link to choose its password."""

    code = "official"
    name = gettext_lazy("news for an official")

    def template_context(self, letter: Letter) -> dict[str, Any]:
        official = Official.objects.filter(pk=letter.facts.get("official")).select_related("account").first()
        if official is None or not official.account.is_active:
            raise LetterObsolete(GONE)
        account = official.account
        is_new = account.password_is_temporary
        return {
            "account": account,
            "role": official.role_text,
            "of": official.subject,
            "is_new": is_new,
            "path": own_password_path(account) if is_new else reverse("desk"),
        }


@transaction.atomic
def give(
    of: Tournament | Season | Championship,
    colleague: Account,
    kind: str,
    hall: str = "",
    *,
    account: Account,
    now: datetime,
) -> Official:
    """Make an account an official, or change its kind and hall; a helper may be one in a single `hall` (by name).

    Raises NotPossible if its roles give it as much already, and where a role has no effect: long after the end.
    """
    if hall:
        _check_hall(of, kind, hall)
    if has_by_role(colleague, of, kind):
        text = _("%(account)s already has a role that allows this.") % {"account": colleague}
        raise NotPossible(text, "colleague")
    given, is_new = Official.objects.get_or_create(
        account=colleague,
        **{_word(of): of},
        defaults={"kind": kind, "hall": hall, "given_by": author_name(account), "given_at": now},
    )
    if not Official.objects.get(pk=given.pk).is_in_force(now):
        text = _("“%(of)s” ended more than %(days)d days ago: a role there has no effect any more.")
        raise NotPossible(text % {"of": of, "days": LASTS.days}, "colleague")
    if not is_new and (given.kind, given.hall) == (kind, hall):
        return given  # a second click
    if not is_new:
        given.kind, given.hall = kind, hall
        given.save(update_fields=["kind", "hall"])
    if hall and isinstance(of, Tournament):
        write_down(of, account, GIVEN_IN_HALL, now=now, colleague=colleague, hall=hall)
    else:
        _log(of, account, GIVEN[kind], GIVEN_IN_CLUB[kind], now=now, colleague=colleague)
    if colleague != account:
        facts = {"official": given.pk, "by": str(account)}
        language = get_language() or "en"
        enqueue_letter(
            "official", colleague.email, language=language, facts=facts, club=of.host, member=colleague
        )
    return given


def _check_hall(of: Tournament | Season | Championship, kind: str, hall: str) -> None:
    """Raise NotPossible at `hall` unless a helper at a tournament with this hall is meant."""
    if kind != Role.Kind.HELPER:
        raise NotPossible(_("Only a helper can be limited to one hall."), "hall")
    if not isinstance(of, Tournament) or hall not in [one.name for one in of.hall_list]:
        raise NotPossible(_("There is no such hall any more."), "hall")


@transaction.atomic
def withdraw(official: Official, *, account: Account, now: datetime) -> None:
    """Take an official's rights away; nothing happens if they are gone already."""
    of, colleague = official.subject, official.account
    if Official.objects.filter(pk=official.pk).delete()[0]:
        _log(of, account, WITHDRAWN, WITHDRAWN_IN_CLUB, now=now, colleague=colleague)


@transaction.atomic
def let_hosting_club_organise(
    tournament: Tournament, *, organises: bool, account: Account, now: datetime
) -> None:
    """Give the hosting club's organisers the rights of the host's at this tournament, or take them away again."""
    tournament = locked(tournament)
    if tournament.held_by is None:
        raise NotPossible(_("The tournament has no hosting club any more."))
    if tournament.held_by_organises == organises:
        return
    tournament.held_by_organises = organises
    tournament.save(update_fields=["held_by_organises"])
    text = HOSTING_ORGANISES if organises else HOSTING_HELPS
    write_down(tournament, account, text, now=now, club=tournament.held_by)


def _word(of: Tournament | Season | Championship) -> str:
    """The field of an official that refers to this."""
    return str(of._meta.model_name)


def _log(
    of: Tournament | Season | Championship,
    account: Account,
    text: str,
    text_in_club: str,
    *,
    now: datetime,
    colleague: Account,
) -> None:
    if isinstance(of, Tournament):
        write_down(of, account, text, now=now, colleague=colleague)
    else:
        log_change(of.host, account, text_in_club, now=now, of=of, colleague=colleague)
