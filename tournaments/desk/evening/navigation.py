"""The steps of an evening, and what is going on now."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

from django.db.models import Count
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from core.sql import prepared_query
from tournaments.changes.permissions import may_organise_tournament
from tournaments.desk.evening.readiness import Needs, printed_at
from tournaments.ledger.queries import (
    how_far,
    lacks,
    rounds_needed,
    rulebook_of,
    sizes_of_tables,
    teams_of,
    without_team,
)
from tournaments.lifecycle.ending import still_to_play, why_not_finish
from tournaments.lifecycle.fixtures import together
from tournaments.lifecycle.money import list_payments, reckon, still_due
from tournaments.lifecycle.playing import missing_in
from tournaments.lifecycle.seat_plan import moved_since_drawn, not_seated, seated_but_gone
from tournaments.models import Application, Entry, Flag, Match, Round, Table, Tournament
from tournaments.web.guards import DeskRequest, desk_view

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse

    from tournaments.ledger.queries import HowFar


# A tournament's life as steps on the overview: what is done, what comes now, what comes later.


@dataclass(frozen=True, slots=True)
class Step:
    """A step with its text and URL; `other` is an alternative, if any."""

    key: str
    title: str
    said: str
    url: str
    button: str
    done: bool = False
    is_next: bool = False
    # It can be taken already, and is hardly wanted yet: nothing offers it as a button.
    early: bool = False
    # Whether a helper may take it; everything else is for organisers.
    for_helpers: bool = False
    other: Step | None = None


@prepared_query
def _statuses(tournament: int) -> QuerySet[Entry, tuple[str, int]]:
    """The number of entries of each status."""
    entries = Entry.objects.filter(tournament=tournament).order_by()
    return entries.values_list("status").annotate(Count("pk"))


class Steps:
    """All steps of a tournament; exactly one of them is the next."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.sizes = sizes_of_tables(tournament)
        self.least = min(rulebook_of(tournament).players)  # with fewer there is nothing to be done with them
        self.rounds = {round_.number: round_ for round_ in tournament.rounds.annotate(Count("tables"))}
        self.statuses = Counter(dict(_statuses(tournament.pk)))

    def __iter__(self) -> Iterator[Step]:
        return iter(self.all)

    @cached_property
    def _each(self) -> dict[str, Callable[[], Step]]:
        """The function that computes each step, by its key, in the order of the evening."""
        further = {"teams": self._teams}
        each = {"setup": self._set_up, "players": self._players, "check_in": self._check_in}
        each |= {key: further[key] for key in self.tournament.format_row.before_the_draw}
        each |= {"draw": self._draw, "print": self._print}
        numbers = range(1, self.tournament.rounds_planned + 1)
        each |= {f"round-{number}": partial(self._round, number) for number in numbers}
        each |= {f"match-{match.pk}": partial(self._match, match) for match in self.waiting}
        each["finish"] = self._finish
        return each | ({"money": self._money} if self._is_paid_for else {})

    @cached_property
    def all(self) -> list[Step]:
        return [self.next if key == self._next_key else step() for key, step in self._each.items()]

    @cached_property
    def next(self) -> Step:
        return replace(self._each[self._next_key](), is_next=True)

    @cached_property
    def running(self) -> Round | None:
        """The round that is played now."""
        return next(iter(self._in_state(Round.State.RUNNING)), None)

    @cached_property
    def tables(self) -> Sequence[HowFar]:
        """Progress of its tables; passed in by callers that have loaded the board."""
        return how_far(self.running) if self.running else []

    @property
    def have_begun(self) -> bool:
        """Whether a round has been started, so that there are standings."""
        return any(not round_.is_drawn for round_ in self.rounds.values())

    @property
    def present(self) -> int:
        return self.statuses[Entry.Status.PRESENT]

    @property
    def expected(self) -> int:
        """Players who are entered and not seen yet."""
        return self.statuses[Entry.Status.ENTERED]

    def _in_state(self, state: str) -> list[Round]:
        return [round_ for round_ in self.rounds.values() if round_.state == state]

    @cached_property
    def must_draw_again(self) -> bool:
        """Whether the rounds that have not started seat the wrong people."""
        return bool(not_seated(self.tournament) or seated_but_gone(self.tournament))

    @cached_property
    def is_corrected(self) -> bool:
        """Whether the standings that the next round was drawn by have been corrected since."""
        return bool(moved_since_drawn(self.tournament))

    @cached_property
    def waiting(self) -> list[Match]:
        """The matches on another day whose round is closed: nothing else reminds of them."""
        if not self.tournament.in_teams:
            return []
        found = list(still_to_play(self.tournament).filter(round__state=Round.State.CLOSED))
        found.sort(key=lambda match: match.own_day or self.tournament.date)
        today = timezone.localdate()
        due = [match for match in found if match.day is None or match.started_at or match.own_day == today]
        overdue = [match for match in found if match.own_day and match.own_day < today and match not in due]
        # Of a season's matches to come at home, the next one.
        return [*overdue, *due] or found[:1]

    @cached_property
    def _alone(self) -> set[int]:
        """The drawn rounds whose matches are started one by one, by primary key."""
        drawn = {round_.pk for round_ in self._in_state(Round.State.DRAWN)}
        if not drawn or not self.tournament.in_teams:
            return set()
        return drawn - set(together(Round.objects.filter(pk__in=drawn)).values_list("pk", flat=True))

    @cached_property
    def unplayed(self) -> set[Match]:
        """The unfinished tables: those without a deal or a signature."""
        if not self.waiting:
            return set()
        tables = Table.objects.filter(match__in=self.waiting).select_related("match")
        return {table.match for table, _why in missing_in(tables) if table.match}

    @cached_property
    def disputed(self) -> dict[int, str]:
        """Waiting matches with an open call or two versions of a deal, by primary key: the kind of flag."""
        if not self.waiting:
            return {}
        kinds = [Flag.Kind.CONFLICT, Flag.Kind.CALL]
        raised = Flag.objects.filter(table__match__in=self.waiting, settled_at=None, kind__in=kinds)
        # A call, which is more urgent, comes last and prevails.
        return dict(raised.order_by("-kind").values_list("table__match", "kind"))

    @cached_property
    def _next_match(self) -> Match | None:
        """The match that comes before any draw or start: one to settle, one to end, or else one that is played."""
        to_settle = [match for match in self.waiting if match.pk in self.disputed]
        to_end = [match for match in self.waiting if match not in self.unplayed]
        playing = [match for match in self.waiting if match.is_running]
        if to_settle or to_end or not playing:
            return next(iter([*to_settle, *to_end]), None)
        drawn = self._in_state(Round.State.DRAWN)
        return None if drawn and (self.must_draw_again or self.is_corrected) else playing[0]

    @cached_property
    def _next_key(self) -> str:
        drawn = self._in_state(Round.State.DRAWN)
        if self.running:
            return f"round-{self.running.number}"
        if self.tournament.is_played:
            return "finish"
        if self._next_match:
            return f"match-{self._next_match.pk}"
        if drawn:
            return "draw" if self.must_draw_again or self.is_corrected else f"round-{drawn[0].number}"
        if len(self.rounds) >= self.tournament.rounds_planned:
            return f"match-{self.waiting[0].pk}" if self.waiting else "finish"
        return self._before_the_draw()

    def _before_the_draw(self) -> str:
        if self.present + self.expected < self.least:
            return "players"
        if self.present < self.least or (self.expected and not self.rounds):
            return "check_in"
        asks_for_teams = "teams" in self.tournament.format_row.before_the_draw
        return "teams" if asks_for_teams and not self.teams_are_whole else "draw"

    @cached_property
    def teams_are_whole(self) -> bool:
        """Whether everybody is in a pair or team, each of them has its players, and there are two at least."""
        teams = [team for team in teams_of(self.tournament) if not team.withdrawn]
        whole = len(teams) > 1 and not any(map(lacks, teams))
        return whole and not without_team(self.tournament)

    def _url(self, name: str, *which: int) -> str:
        return reverse(name, args=[self.tournament.code, *which])

    def _set_up(self) -> Step:
        rounds = self.tournament.rounds_planned
        deals = self.tournament.deals_for(max(self.sizes))
        said = ngettext("%(rounds)d round of %(deals)d deals", "%(rounds)d rounds of %(deals)d deals", rounds)
        said %= {"rounds": rounds, "deals": deals}
        return Step(
            "setup", _("Set up"), said, self._url("tournament_setup"), _("Change the set-up"), done=True
        )

    def _players(self) -> Step:
        count = self.present + self.expected
        said = ngettext("%(count)d player is entered", "%(count)d players are entered", count) % {
            "count": count
        }
        url = self._url("desk_add_members")
        done = count >= self.least
        asking = self._asking()
        said = f"{said}, {asking.said}" if asking else said
        title, button = _("Players"), _("Enter players")
        return Step("players", title, said, url, button, done=done, for_helpers=True, other=asking)

    def _asking(self) -> Step | None:
        """The step about applications that wait for approval."""
        if not self.tournament.from_home.is_on:
            return None
        count = self.tournament.applications.filter(state=Application.State.PENDING).count()
        said = ngettext("%(count)d request to approve", "%(count)d requests to approve", count) % {
            "count": count
        }
        url = self._url("desk_from_home")
        return Step("from_home", _("Entry from home"), said, url, said, for_helpers=True) if count else None

    def _check_in(self) -> Step:
        said = _("%(here)d of %(all)d are here") % {"here": self.present, "all": self.present + self.expected}
        draw = self._draw() if self.present >= self.least else None
        # Who has not come when the tables are drawn is not waited for; they can come late.
        done = self.present >= self.least and (not self.expected or bool(self.rounds))
        url = self._url("desk_check_in")
        title, button = _("Check-in"), _("Check players in")
        return Step("check_in", title, said, url, button, done=done, for_helpers=True, other=draw)

    def _teams(self) -> Step:
        count = self.tournament.teams.filter(withdrawn=False).count()
        needed = rounds_needed(self.tournament)
        words = self.tournament.format_row.words
        said = words.counted % {"count": count}
        if needed:
            meet = ngettext("round robin in %(rounds)d round", "round robin in %(rounds)d rounds", needed)
            said = f"{said}: {meet % {'rounds': needed}}"
        url = self._url("desk_teams")
        # Once they are drawn, who is in none of them is there to sit in.
        done = self.teams_are_whole or bool(self.rounds)
        return Step("teams", str(words.many), said, url, str(words.put_together), done=done, for_helpers=True)

    def _draw(self) -> Step:
        drawn, planned = len(self.rounds), self.tournament.rounds_planned
        said = _("%(drawn)d of %(planned)d rounds are drawn") % {"drawn": drawn, "planned": planned}
        button = _("Draw the tables")
        if drawn and self.must_draw_again:
            said, button = _("People have arrived or left since the draw"), _("Draw again")
        elif drawn and self.is_corrected:
            said, button = (
                _("The standings have been corrected since they were used for the draw"),
                _("Draw again"),
            )
        elif drawn:
            button = _("See the draw") if drawn == planned else _("Draw the next round")
        done = drawn == planned and not self.must_draw_again and not self.is_corrected
        url = self._url("desk_draw")
        return Step("draw", _("Draw"), said, url, button, done=done, for_helpers=True)

    def _print(self) -> Step:
        said, url, button = (
            _("Score sheets, seat plan, standings"),
            self._url("desk_print"),
            _("Print the sheets"),
        )
        return Step("print", _("Print"), said, url, button, done=self._is_printed, for_helpers=True)

    @cached_property
    def coming(self) -> Round | None:
        """The first round that is drawn and not closed."""
        return next((round_ for _number, round_ in sorted(self.rounds.items()) if not round_.is_closed), None)

    @cached_property
    def printed_at(self) -> datetime | None:
        """The time at which the coming round's sheets were printed."""
        return printed_at(self.coming) if self.coming else None

    @cached_property
    def _is_printed(self) -> bool:
        """Whether nothing is to be printed now: the next round has its sheets, is played already, or none is left."""
        if self.coming:
            return self.printed_at is not None or self.running is not None
        return self.tournament.is_played or len(self.rounds) >= self.tournament.rounds_planned

    def _round(self, number: int) -> Step:
        title = _("Round %(number)d") % {"number": number}
        round_ = self.rounds.get(number)
        step = Step(f"round-{number}", title, _("not drawn yet"), "", "", for_helpers=True)
        if round_ is None:
            return step
        if round_.is_drawn and round_.pk in self._alone:
            said, url = _("Each match is played on its own day"), self._url("desk_matches")
            return replace(step, said=said, url=url, button=_("See the matches"), other=self._print())
        if round_.is_drawn:
            button = _("Start round %(number)d") % {"number": number}
            url = self._url("desk_start_round", number)
            count = round_.tables__count
            said = ngettext("drawn: %(count)d table", "drawn: %(count)d tables", count) % {"count": count}
            return replace(step, said=said, url=url, button=button, other=self._print())
        step = replace(step, url=self._url("desk_round", number))
        if round_.is_closed:
            is_over = round_.closed_at is not None
            said = _("closed") if is_over else _("Each match is played on its own day")
            return replace(step, said=said, button=_("See the tables"), done=is_over)
        ready = sum(table.done for table in self.tables)
        said = _("running: %(ready)d of %(all)d tables done") % {"ready": ready, "all": len(self.tables)}
        watching = replace(step, said=said, button=_("Follow the tables"))
        button = _("Close round %(number)d") % {"number": number}
        closing = replace(watching, url=self._url("desk_close_round", number), button=button)
        if ready < len(self.tables):
            return replace(watching, other=replace(closing, early=True))
        return replace(closing, other=watching)

    def _match(self, match: Match) -> Step:
        title = _("Round %(number)d: %(match)s") % {"number": match.round.number, "match": match}
        said = _("will be played on %(day)s") % {"day": date_format(match.own_day or "", "DATE_FORMAT")}
        if match.is_running:
            said = _("being played")
        if kind := self.disputed.get(match.pk):
            said = _("Two versions of a deal have been reported: decide which counts")
            if kind == Flag.Kind.CALL:
                said = _("The organiser has been called: settle that first")
        elif match not in self.unplayed:
            said = _("All deals are reported and agreed: mark the match as played")
        url = self._url("desk_match", match.round.number, match.number)
        return Step(f"match-{match.pk}", title, said, url, _("Open the match"), for_helpers=True)

    def _finish(self) -> Step:
        said = _("The standings become final when all rounds are closed")
        url = "" if why_not_finish(self.tournament) else self._url("desk_finish")
        step = Step("finish", _("Finish"), said, url, _("Finish the tournament"))
        if self.tournament.is_posted:
            text = _("The final standings are provisional until %(time)s")
            said, button = text % {"time": self.tournament.provisional_until}, _("See the podium")
            places = Step(
                "standings", "", "", self._url("desk_standings"), _("See the standings"), for_helpers=True
            )
            return replace(step, said=said, url=self._url("desk_finish"), button=button, other=places)
        if not self.tournament.is_finished:
            return step
        podium = replace(step, url=self._url("desk_finish"), button=_("See the podium"))
        final, url = _("The standings are final"), self._url("desk_standings")
        button = _("See the standings")
        return replace(step, said=final, url=url, button=button, done=True, for_helpers=True, other=podium)

    @property
    def _is_paid_for(self) -> bool:
        return bool(self.tournament.entry_fee or self.tournament.stake or self.tournament.prize_amounts)

    def _money(self) -> Step:
        url, button = self._url("desk_money"), _("See the money")
        step = Step("money", _("Money"), _("Prizes, balances and payments"), url, button, for_helpers=True)
        if not self.tournament.is_played:
            return step
        payments = list_payments(self.tournament)
        paid = sum(payment.paid for payment in payments)
        if any(still_due(reckon(self.tournament).due, payments).values()):
            return replace(step, said=_("The payment list has not been made yet"))
        if paid == len(payments):
            return replace(step, said=_("Everything is settled"), done=True)
        text = _("%(paid)d of %(all)d payments ticked off")
        return replace(step, said=text % {"paid": paid, "all": len(payments)})


# Current state, waiting tasks and next step, shown above every page of a tournament's desk.


class Now:
    """The evening's current state for the user of a page; computed on access."""

    def __init__(self, tournament: Tournament, at: str, *, organises: bool) -> None:
        self.tournament = tournament
        self.at = at
        self.organises = organises
        # Read first: later changes cause another refresh.
        self.version = tournament.version
        self.steps = Steps(tournament)

    @property
    def is_played(self) -> bool:
        """Whether cards are on the tables."""
        return self.steps.running is not None and not self.tournament.is_called_off

    @cached_property
    def needs(self) -> Needs:
        return Needs(self.tournament, self.steps.tables)

    @property
    def where(self) -> str:
        """The round, or the step that is taken now."""
        if self.tournament.is_called_off:
            return _("called off")
        if self.tournament.is_finished:
            return _("Finished")
        round_ = self.steps.running
        if round_ is None:
            return _("Provisional standings") if self.tournament.is_posted else self.steps.next.title
        planned = self.tournament.rounds_planned
        return _("Round %(number)d of %(planned)d") % {"number": round_.number, "planned": planned}

    @property
    def progress(self) -> list[str]:
        """The progress of the current step, in counts."""
        if self.tournament.is_called_off:
            return []
        tables = self.steps.tables
        if not tables:
            return [self.steps.next.said]
        done, reported = sum(table.done for table in tables), sum(table.reported for table in tables)
        ready = ngettext("%(done)d of %(all)d table done", "%(done)d of %(all)d tables done", len(tables))
        deals = _("%(reported)d of %(deals)d deals")
        return [
            ready % {"done": done, "all": len(tables)},
            deals % {"reported": reported, "deals": sum(table.deals for table in tables)},
        ]

    @cached_property
    def step(self) -> Step | None:
        """The next step; on its own page the one after it; None if the user may take neither.

        None on the overview, too, which has the step as its main button.
        """
        if self.tournament.is_called_off or self._is_overview:
            return None
        step = self.steps.next
        if self._is_here(step):
            return step.other if step.other and not step.other.early and self._may(step.other) else None
        return step if self._may(step) else None

    @property
    def waits_for_organiser(self) -> bool:
        """Whether the next step is one that the visitor may not take."""
        step = self.steps.next
        if self.tournament.is_called_off or self._is_overview:
            return False
        return bool(step.url) and not self._may(step)

    @property
    def is_next(self) -> bool:
        """Whether that step is the evening's next."""
        return self.step is self.steps.next

    def _may(self, step: Step | None) -> bool:
        return step is not None and bool(step.url) and (self.organises or step.for_helpers)

    def _is_here(self, step: Step) -> bool:
        return self.at == step.url or (self.at == self._board and step.url == self._url_of_the_round)

    @property
    def _is_overview(self) -> bool:
        return self.at == reverse("desk_tournament", args=[self.tournament.code])

    @property
    def _board(self) -> str:
        return reverse("desk_board", args=[self.tournament.code])

    @property
    def _url_of_the_round(self) -> str:
        running = self.steps.running
        return reverse("desk_round", args=[self.tournament.code, running.number]) if running else ""


def now_of(request: HttpRequest, tournament: Tournament) -> Now:
    """The evening's state for a request, computed once."""
    now: Now | None = getattr(request, "evening_now", None)
    if now is None:
        organises = getattr(request, "organises", None)
        if organises is None:  # a page of the club's, which is about this evening
            organises = may_organise_tournament(request.user, tournament)
        now = Now(tournament, request.path, organises=organises)
        request.evening_now = now  # type: ignore[attr-defined]
    return now


@desk_view(helper=True)
@require_safe
def desk_now(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """The navigation strip as a fragment, for the page that is open `at` a URL."""
    if not request.htmx:
        return redirect("desk_tournament", tournament.code)
    now = Now(tournament, request.GET.get("at", ""), organises=request.organises)
    return render(request, "desk/_strip_fresh.html", {"tournament": tournament, "now": now})
