"""Whether one can enter from home now, and if not, why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from core.errors import NotPossible

if TYPE_CHECKING:
    from datetime import datetime

    from tournaments.models import Tournament


def why_closed(tournament: Tournament, now: datetime) -> str:
    """In words for who would enter; "" while it is open."""
    if not tournament.from_home.is_on:
        return _("The organiser enters the players for this evening. Ask there.")
    if problem := why_over(tournament):
        return problem
    opens, closes = tournament.entering_opens, tournament.entering_closes
    if opens and now < opens:
        return _("Entering opens on %(when)s.") % {"when": said(opens)}
    if now >= closes:
        return _("Entry closed on %(when)s. Ask the organiser.") % {"when": said(closes)}
    return ""


def why_over(tournament: Tournament) -> str:
    """What keeps everybody from entering and withdrawing by themselves; "" for nothing."""
    if tournament.is_called_off:
        return _("This tournament has been called off.")
    if tournament.state != tournament.State.SETUP or tournament.rounds.exists():
        return _("The seats have already been drawn. Contact the organiser.")
    return ""


def refuse_when_over(tournament: Tournament) -> None:
    if problem := why_over(tournament):
        raise NotPossible(problem)


def said(moment: datetime) -> str:
    return date_format(timezone.localtime(moment), "DATETIME_FORMAT")
