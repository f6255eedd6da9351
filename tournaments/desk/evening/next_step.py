"""The organiser's next step, as one sentence with one button, and the steps of an evening as a line."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.jobs.models import Job
from tournaments.domain.amounts import in_kroner
from tournaments.domain.halls import with_hall
from tournaments.ledger.queries import rulebook_of
from tournaments.ledger.scoresheet import flag_words
from tournaments.lifecycle.creating import next_evening
from tournaments.lifecycle.money import gives_none, has_prizes, list_payments, reckon, still_due
from tournaments.lifecycle.seat_plan import draw_mark
from tournaments.models import Entry, Flag, Round, Tournament
from tournaments.models.events import free_code
from tournaments.paper.kinds import EVERYTHING
from tournaments.paper.printing import SHEETS, changed_tables, of_round

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tournaments.desk.evening.navigation import Now, Step


# What to do next, as one sentence with one button, and the evening as a line of steps: a tournament's overview.

# More rounds than these are one step in the line.
MOST_ROUNDS_APART = 3


@dataclass(frozen=True, slots=True)
class NextStep:
    """The sentence, what explains it, and the page on which it is done; `other` is a second way on, as a link.

    Without a `url` there is no button: an organiser takes the step, or nothing is left to do. With `posts`, which may
    be empty, the button does it at once, and sends these fields.
    """

    sentence: str
    detail: str = ""
    url: str = ""
    button: str = ""
    posts: Mapping[str, str] | None = None
    other: Step | None = None
    needs_organiser: bool = False


@dataclass(frozen=True, slots=True)
class TrackStep:
    """A step in the progress bar of the evening: two words and a state."""

    title: str
    brief: str
    url: str
    done: bool
    is_next: bool


class Overview:
    """The next step and the progress bar, for the overview's user."""

    def __init__(self, now: Now, won: str = "") -> None:
        """`won` is the sentence about the winner, once everything is played."""
        self.won = won
        self.now, self.steps, self.tournament = now, now.steps, now.tournament

    @cached_property
    def next(self) -> NextStep:
        """The one thing to do now. A call from a table comes first."""
        if self.tournament.is_called_off:
            return NextStep(_("This tournament has been called off."))
        step = self.steps.next
        found = self._call() or self._by_key(step)
        if found.url and not (self.now.organises or self._is_for_helpers(found, step)):
            return replace(found, url="", button="", posts=None, other=None, needs_organiser=True)
        if found.other and not (self.now.organises or found.other.for_helpers):
            return replace(found, other=None)
        return found

    @staticmethod
    def _is_for_helpers(found: NextStep, step: Step) -> bool:
        return found.url != step.url or step.for_helpers

    @property
    def track(self) -> list[TrackStep]:
        """All steps in the order of the evening; more than three rounds are one. Money belongs to the end."""
        steps = [step for step in self.steps if step.key != "money"]
        rounds = [step for step in steps if step.key.startswith("round-")]
        if len(rounds) <= MOST_ROUNDS_APART:
            return [self._on_track(step, self._brief(step)) for step in steps]
        first = steps.index(rounds[0])
        played = replace(
            next(
                (step for step in rounds if step.is_next),
                next((step for step in rounds if step.url), rounds[0]),
            ),
            title=_("Rounds"),
            done=all(step.done for step in rounds),
        )
        closed = {"closed": sum(step.done for step in rounds), "all": len(rounds)}
        brief = _("%(closed)d of %(all)d closed") % closed
        return [
            *(self._on_track(step, self._brief(step)) for step in steps[:first]),
            self._on_track(played, brief),
            *(self._on_track(step, self._brief(step)) for step in steps[first + len(rounds) :]),
        ]

    def _on_track(self, step: Step, brief: str) -> TrackStep:
        url = step.url if self.now.organises or step.for_helpers else ""
        is_next = step.is_next and not self.tournament.is_called_off
        done = step.done and not (step.key == "finish" and self._left)
        return TrackStep(step.title, brief, url, done, is_next)

    @cached_property
    def _left(self) -> LastStep | None:
        """The first of the final tasks that an organiser still has, once everything is played."""
        if not (self.tournament.is_played and self.now.organises):
            return None
        return next((one for one in last_steps(self.tournament) if one.is_open), None)

    def _url(self, name: str, *which: int | str) -> str:
        return reverse(name, args=[self.tournament.code, *which])

    def _call(self) -> NextStep | None:
        """The oldest open call of the round that is played."""
        if not self.now.is_played or not self.now.needs.newest_call:
            return None
        flag, names = self.now.needs.flags_with_names[0]
        if flag.kind != Flag.Kind.CALL:
            return None
        table, words = flag.table, flag_words(rulebook_of(self.tournament), flag, names)
        said = {"number": table.number, "words": words}
        sentence = _("Table %(number)d is calling: %(words)s") if words else _("Table %(number)d is calling.")
        more = self.now.needs.count - 1
        detail = ngettext("%(count)d more thing needs you.", "%(count)d more things need you.", more)
        return NextStep(
            with_hall(self.tournament.hall_at(table.number), sentence % said),
            detail % {"count": more} if more else "",
            self._url("desk_table", table.round.number, table.number),
            _("Open table %(number)d") % said,
        )

    def _by_key(self, step: Step) -> NextStep:
        by_key = {
            "players": self._players,
            "check_in": self._check_in,
            "draw": self._draw,
            "finish": self._finish,
        }
        if step.key in by_key:
            return by_key[step.key](step)
        if step.key.startswith("round-"):
            number = int(step.key.removeprefix("round-"))
            is_running = self.steps.rounds[number].is_running
            return self._running(step, number) if is_running else self._drawn_step(step, number)
        return NextStep(f"{step.title}.", f"{step.said}.", step.url, step.button, other=step.other)

    def _players(self, step: Step) -> NextStep:
        text = ngettext(
            "%(said)s; at least %(least)d is needed.",
            "%(said)s; at least %(least)d are needed.",
            self.steps.least,
        )
        detail = text % {"said": step.said, "least": self.steps.least}
        return NextStep(_("Add the players."), detail, step.url, step.button, other=step.other)

    def _check_in(self, step: Step) -> NextStep:
        sentence = _("Check in: %(said)s.") % {"said": step.said}
        detail = _("Anyone who arrives later is seated with the smallest change.") if step.other else ""
        return NextStep(sentence, detail, step.url, step.button, other=step.other)

    def _draw(self, step: Step) -> NextStep:
        drawn = len(self.steps.rounds)
        if drawn and (self.steps.must_draw_again or self.steps.is_corrected):
            button = _("Draw again") if self.steps.is_corrected else _("See the draw")
            sentence, detail = f"{step.said}.", ""
        elif drawn:
            sentence = _("Draw round %(number)d.") % {"number": drawn + 1}
            detail, button = self._here, _("Draw round %(number)d") % {"number": drawn + 1}
        else:
            sentence, detail, button = _("Draw the tables."), self._here, step.button
        if self.tournament.draw_mode == Tournament.DrawMode.BY_HAND or sentence == f"{step.said}.":
            return NextStep(sentence, detail, step.url, button, other=step.other)
        choose = replace(step, button=_("Choose how to draw"))
        posts, url = {"drawn": draw_mark(self.tournament)}, self._url("desk_draw_and_print")
        return NextStep(sentence, detail, url, _("Draw and print"), posts, choose)

    def _drawn_step(self, step: Step, number: int) -> NextStep:
        said = {"number": number, "tables": self.steps.rounds[number].tables__count}
        everything = self._url("desk_print_ask", number, EVERYTHING)
        if not (printed := self._printed_at):
            sentence = _("Print the sheets for round %(number)d.") % said
            start = replace(step, other=None)
            return NextStep(sentence, self._here, everything, _("Print everything"), {}, start)
        if changed := changed_tables(self.steps.rounds[number]):
            return self._print_changed(changed.tables, number, step)
        text = ngettext(
            "Put the sheets on the table and start round %(number)d.",
            "Put the sheets on the %(tables)d tables and start round %(number)d.",
            said["tables"],
        )
        printed_at = _("Printed at %(time)s.") % {"time": printed}
        detail = f"{self._here} {printed_at}"
        return NextStep(text % said, detail, step.url, step.button, other=self._reprint(step))

    def _print_changed(self, tables: Sequence[int], number: int, start: Step) -> NextStep:
        """The step of printing sheets again whose tables have other players now."""
        said = {"numbers": ", ".join(map(str, tables))}
        text = ngettext("Print table %(numbers)s again.", "Print tables %(numbers)s again.", len(tables))
        why = ngettext(
            "Its players have changed since it was printed at %(time)s.",
            "Their players have changed since they were printed at %(time)s.",
            len(tables),
        )
        button = ngettext("Only table %(numbers)s", "Only tables %(numbers)s", len(tables))
        return NextStep(
            text % said,
            why % {"time": self._printed_at},
            self._url("desk_print_ask", number, "blank"),
            button % said,
            {"only": " ".join(map(str, tables))},
            replace(start, other=None),
        )

    def _reprint(self, step: Step) -> Step | None:
        return replace(step.other, button=_("Print again")) if step.other else None

    def _running(self, step: Step, number: int) -> NextStep:
        said = {"number": number}
        if step.url == self._url("desk_close_round", number):
            sentence = _("Every table is done. Close round %(number)d.") % said
        else:
            sentence = _("Round %(number)d is being played.") % said
        tables = self.steps.tables
        counts = {
            "done": sum(table.done for table in tables),
            "all": len(tables),
            "reported": sum(table.reported for table in tables),
            "deals": sum(table.deals for table in tables),
        }
        text = _("%(done)d of %(all)d tables are done; %(reported)d of %(deals)d deals are reported.")
        other = step.other if step.other and not step.other.early else None
        return NextStep(sentence, text % counts, step.url, step.button, other=other)

    def _finish(self, step: Step) -> NextStep:
        won = f"{self.won}." if self.won else _("All rounds have been played.")
        if self.tournament.is_played:
            if not self.now.organises:
                return NextStep(won, f"{step.said}.", self._url("desk_standings"), _("See the standings"))
            left = self._left
            if left is None:
                thanks = _("%(won)s All done. Thank you for tonight.") % {"won": won}
                return NextStep(thanks, f"{step.said}.", self._url("desk_finish"), _("See the podium"))
            return NextStep(
                f"{won} {self._left_in_words(left.key)}",
                f"{left.said} {step.said}.",
                self._url("desk_finish"),
                _("Finish the evening"),
                other=self._standings,
            )
        sentence = _("%(won)s Publish the final standings.") % {"won": won}
        detail = _("They are provisional at first, so that players can object.")
        return NextStep(sentence, detail, step.url, step.button)

    @staticmethod
    def _left_in_words(key: str) -> str:
        return {
            "prizes": _("Award the prizes."),
            "print": _("Print the final standings."),
            "settle": _("Settle up."),
            "publish": _("Publish the result."),
            "next": _("Set up the next evening."),
        }[key]

    @property
    def _standings(self) -> Step:
        """The way to the standings."""
        return replace(
            self.steps.next, url=self._url("desk_standings"), button=_("See the standings"), for_helpers=True
        )

    @cached_property
    def _here(self) -> str:
        """The number of present players, and whether all of them have paid."""
        here, expected = self.steps.present, self.steps.expected
        said = _("%(here)d of %(all)d are here.") % {"here": here, "all": here + expected}
        if not self.tournament.entry_fee:
            return said
        unpaid = self.tournament.entries.playing().filter(fee_paid=False).count()
        text = ngettext("%(count)d has not paid.", "%(count)d have not paid.", unpaid) % {"count": unpaid}
        paid = text if unpaid else _("Everyone has paid.")
        return f"{said} {paid}"

    @property
    def _printed_at(self) -> str:
        """The time of day at which the coming round's sheets were made; "" for not yet."""
        at = self.steps.printed_at
        return time_format(timezone.localtime(at), "TIME_FORMAT") if at else ""

    def _brief(self, step: Step) -> str:
        if step.key == "players":
            count = self.steps.present + self.steps.expected
            return ngettext("%(count)d entered", "%(count)d entered", count) % {"count": count}
        if step.key == "draw":
            drawn = len(self.steps.rounds)
            said = ngettext("%(count)d round drawn", "%(count)d rounds drawn", drawn) % {"count": drawn}
            return said if drawn else _("not drawn yet")
        if step.key == "print":
            printed = self._printed_at
            without = _("without sheets") if self.steps.running else _("the sheets")
            return _("at %(time)s") % {"time": printed} if printed else without
        if step.key.startswith("round-"):
            return self._brief_of_round(int(step.key.removeprefix("round-")))
        if step.key == "finish":
            return self._brief_of_finish
        return step.said

    def _brief_of_round(self, number: int) -> str:
        round_ = self.steps.rounds.get(number)
        if round_ is None:
            return _("not drawn yet")
        return round_.state_text

    @property
    def _brief_of_finish(self) -> str:
        if self.tournament.is_finished:
            return _("final")
        return _("provisional") if self.tournament.is_posted else _("prizes, money")


# What is left to do when an evening has been played, in order: prizes, print, settle, publish, the next evening.


@dataclass(frozen=True, slots=True)
class LastStep:
    """One of the final tasks: text and URL; with `posts` its button submits directly."""

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
    url, reckoning = _url(tournament, "desk_money"), reckon(tournament)
    step = LastStep("prizes", _("Prizes"), "", url, _("Set the prizes"))
    if has_prizes(tournament):
        return replace(step, said=_prizes_text(reckoning.prizes - reckoning.pool), done=True)
    if not tournament.entry_fee:
        return replace(step, said=_("There is no entry fee, so there are none."), done=True)
    if gives_none(tournament):
        return replace(step, said=_("There are none tonight."), done=True)
    paid = tournament.entries.filter(fee_paid=True).exclude(status=Entry.Status.WITHDRAWN).count()
    text = ngettext(
        "The pool is %(pool)s kroner: %(paid)d has paid. None are set yet.",
        "The pool is %(pool)s kroner: %(paid)d have paid. None are set yet.",
        paid,
    )
    return replace(step, said=text % {"pool": in_kroner(reckoning.pool), "paid": paid})


def _prizes_text(over: int) -> str:
    """A comparison of the prizes with the pool, by the øre in excess."""
    if not over:
        return _("They have been set and are printed with the standings.")
    said = (
        _("They are set. The club adds %(kroner)s kroner to the pool.")
        if over > 0
        else _("They are set. %(kroner)s kroner of the pool stay in the club’s cash box.")
    )
    return said % {"kroner": in_kroner(abs(over))}


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
    payments = list_payments(tournament)
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
    said = _("%(name)s, %(day)s: like this one, with the same players.") % words
    posts = {"code": free_code(Tournament)}
    return LastStep("next", title, said, _url(tournament, "desk_repeat"), _("Set it up"), posts=posts)
