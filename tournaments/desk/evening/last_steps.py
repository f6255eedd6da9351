"""What is left to do when an evening has been played, in order: prizes, print, settle, publish, the next evening."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.jobs.models import Job
from tournaments.domain.amounts import in_kroner
from tournaments.lifecycle.creating import next_evening
from tournaments.lifecycle.money import listed, reckon, still_due
from tournaments.models import Entry, Round, Tournament
from tournaments.models.events import free_code
from tournaments.paper.printed import SHEETS, of_round

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class LastStep:
    """One of the last things to do: what is said of it, and where it is done; with `posts` the button does it."""

    key: str
    title: str
    said: str
    url: str
    button: str
    done: bool = False
    posts: Mapping[str, str] | None = None
    is_open: bool = False


def last_steps(tournament: Tournament) -> list[LastStep]:
    """All five, the first that is not done open."""
    steps = [make(tournament) for make in (_prizes, _print, _settle, _publish, _next_evening)]
    first = next((step for step in steps if not step.done), None)
    return [replace(step, is_open=True) if step is first else step for step in steps]


def _url(tournament: Tournament, name: str, *which: int | str) -> str:
    return reverse(name, args=[tournament.code, *which])


def _prizes(tournament: Tournament) -> LastStep:
    url, pool = _url(tournament, "desk_money"), reckon(tournament).pool if tournament.entry_fee else 0
    step = LastStep("prizes", _("Prizes"), "", url, _("Set the prizes"))
    if tournament.prize_shares or tournament.prize_amounts or tournament.prize_things:
        return replace(step, said=_("They are set; the standings are printed with them."), done=True)
    if not tournament.entry_fee:
        return replace(step, said=_("There is no entry fee, so there are none."), done=True)
    paid = tournament.entries.filter(fee_paid=True).exclude(status=Entry.Status.WITHDRAWN).count()
    text = ngettext(
        "The pool is %(pool)s kroner: %(paid)d has paid. None are set yet.",
        "The pool is %(pool)s kroner: %(paid)d have paid. None are set yet.",
        paid,
    )
    return replace(step, said=text % {"pool": in_kroner(pool), "paid": paid})


def _print(tournament: Tournament) -> LastStep:
    round_ = tournament.rounds.exclude(state=Round.State.DRAWN).latest("number")
    made = Job.objects.filter(
        kind=SHEETS, thing=of_round(round_), state=Job.State.DONE, about__sheet="standings"
    )
    at = made.order_by("-ended_at").values_list("ended_at", flat=True).first()
    url = _url(tournament, "desk_print_ask", round_.number, "standings")
    said = (
        _("The final standings for the wall, with the prizes; diplomas; a list for the press.")
        if tournament.is_finished
        else _("The final standings for the wall, marked as provisional, with the prizes.")
    )
    if at is not None:
        said = _("Printed at %(time)s.") % {"time": time_format(timezone.localtime(at), "TIME_FORMAT")}
    return LastStep("print", _("Print"), said, url, _("Print the standings"), done=at is not None, posts={})


def _settle(tournament: Tournament) -> LastStep:
    step = LastStep("settle", _("Settle"), "", _url(tournament, "desk_money"), _("See the money"))
    if not (tournament.entry_fee or tournament.stake or tournament.prize_amounts):
        return replace(step, said=_("Nothing was played for, so nobody owes anything."), done=True)
    payments = listed(tournament)
    paid = sum(payment.paid for payment in payments)
    if any(still_due(reckon(tournament).due, payments).values()):
        return replace(step, said=_("The payment list has not been made yet."))
    if paid == len(payments):
        return replace(step, said=_("Everything is settled."), done=True)
    text = ngettext(
        "%(paid)d of %(all)d payment is ticked off.",
        "%(paid)d of %(all)d payments are ticked off.",
        len(payments),
    )
    return replace(step, said=text % {"paid": paid, "all": len(payments)})


def _publish(tournament: Tournament) -> LastStep:
    said = _("A link, a text and a picture of the first three, for those at home.")
    step = LastStep("publish", _("Publish"), said, _url(tournament, "hall_share"), _("Share the evening"))
    return replace(step, done=_following(tournament) is not None)


def _following(tournament: Tournament) -> Tournament | None:
    """The club's next evening, where one is set up already."""
    later = Tournament.objects.filter(host=tournament.host_id, called_off_at=None).exclude(pk=tournament.pk)
    return later.filter(date__gt=tournament.date).order_by("date", "pk").first()


def _next_evening(tournament: Tournament) -> LastStep:
    title = _("The next evening")
    if following := _following(tournament):
        said = _("%(name)s, %(day)s, is set up.")
        words = {"name": following.name, "day": date_format(following.date, "DATE_FORMAT")}
        url = _url(following, "desk_tournament")
        return LastStep("next", title, said % words, url, _("Go to it"), done=True)
    name, day = next_evening(tournament, timezone.localdate())
    words = {"name": name, "day": date_format(day, "DATE_FORMAT")}
    said = _("%(name)s, %(day)s: as this one, with the same players.") % words
    posts = {"code": free_code(Tournament)}
    return LastStep("next", title, said, _url(tournament, "desk_repeat"), _("Set it up"), posts=posts)
