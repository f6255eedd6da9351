"""Where the evening is, what waits and the next step: what stands above every page of a tournament's desk."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from clubs.roles import may_organise
from tournaments.desk.evening.needs import Needs
from tournaments.desk.evening.steps import Step, Steps
from tournaments.web.guards import DeskRequest, desk_view

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from tournaments.models import Tournament


class Now:
    """The evening as it stands, for who looks at the page `at` an address; counted when asked for."""

    def __init__(self, tournament: Tournament, at: str, *, organises: bool) -> None:
        self.tournament = tournament
        self.at = at
        self.organises = organises
        # Read before all else: what changes meanwhile is asked for again.
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
    def said(self) -> list[str]:
        """How far it is, in counts."""
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
        """The next step; where its page is open, the one beside it; None for who may take neither.

        None on the overview too, which has the step as its one button.
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
    """The evening for the page that is asked for, found out once."""
    if not hasattr(request, "evening_now"):
        organises = getattr(request, "organises", None)
        if organises is None:  # a page of the club's, which is about this evening
            organises = may_organise(request.user, tournament.host)
        request.evening_now = Now(tournament, request.path, organises=organises)  # type: ignore[attr-defined]
    now: Now = request.evening_now  # type: ignore[attr-defined]
    return now


@desk_view(helper=True)
@require_safe
def desk_now(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """The same for a page that is open `at` an address and has heard of something new; by itself it is no page."""
    if not request.htmx:
        return redirect("desk_tournament", tournament.code)
    now = Now(tournament, request.GET.get("at", ""), organises=request.organises)
    return render(request, "desk/_strip_fresh.html", {"tournament": tournament, "now": now})
