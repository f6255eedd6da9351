"""What is printed for the door: the check-in list and seat cards, of however many who may come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from clubs.jobs import asking
from clubs.jobs.kinds import Because, CannotDo, numbered, thing_named
from clubs.models import Account
from clubs.roles import may_help
from tournaments.models import Tournament
from tournaments.paper.check_in import MOST_PEOPLE, list_pages, who_may_come
from tournaments.paper.door_cards import A_PAGE, card_pages
from tournaments.paper.pages_job import PAGES_AT_ONCE, OfPages, look, made_of_pages, ready_of
from tournaments.steps.refusals import NotPossible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from django.contrib.auth.models import AbstractUser
    from django.utils.functional import _StrPromise as StrPromise

    from clubs.jobs.kinds import Made
    from clubs.jobs.models import Job
    from clubs.jobs.work import Work
    from tournaments.paper.pages import Page

DOOR = "door"
NOBODY = gettext_noop("Nobody is entered yet.")
GONE = gettext_noop("There is no such tournament any more.")


@dataclass(frozen=True)
class Paper:
    """What can be printed for the door, and for how many people a page is."""

    title: StrPromise
    pages: Callable[..., list[Page]]
    a_page: int


PAPERS = {
    "list": Paper(gettext_lazy("Check-in list"), list_pages, MOST_PEOPLE),
    "cards": Paper(gettext_lazy("Seat cards"), card_pages, A_PAGE),
}


def ask(tournament: Tournament, paper: str, *, base_url: str, language: str, account: Account) -> Job:
    """The job that makes, or has made, this paper for the tournament as it stands; a short one is made at once.

    Raises NotPossible where nobody is entered.
    """
    people = who_may_come(tournament).count()
    if not people:
        raise NotPossible(_(NOBODY))
    total = -(-people // PAPERS[paper].a_page)
    about = {"paper": paper, "base_url": base_url}
    wish = asking.Wish(DOOR, of_tournament(tournament), language, about, total)
    job = asking.ask(wish, account=account, now=timezone.now())
    return asking.at_once(job) if total <= PAGES_AT_ONCE else job


def of_tournament(tournament: Tournament) -> str:
    """What the job is of."""
    return thing_named("tournament", tournament.pk)


def made_of(tournament: Tournament) -> list[Job]:
    """Lists and cards of a tournament that can still be opened, the newest first."""
    return ready_of(DOOR, of_tournament(tournament))


class DoorPaper(OfPages):
    """The check-in list, or seat cards; whose seats are drawn anew meanwhile is told so by its version."""

    code = DOOR
    waits_for_long_ones = False
    withdrawn = frozenset({Because.ERASED})

    def things(self, names: Iterable[str]) -> dict[str, Any]:
        return numbered("tournament", Tournament.objects.select_related("host__union"), names)

    def may_see(self, account: AbstractUser, job: Job) -> bool:
        tournament = self.thing(job)
        return tournament is not None and isinstance(account, Account) and may_help(account, tournament.host)

    def title(self, job: Job) -> str:
        said = str(PAPERS[job.about["paper"]].title)
        tournament = self.thing(job)
        return said if tournament is None else f"{said} · {tournament.name}"

    def page(self, job: Job) -> str:
        tournament = self.thing(job)
        return reverse("desk") if tournament is None else reverse("desk_list", args=[tournament.code])

    def context(self, job: Job) -> dict[str, Any]:
        tournament = self.thing(job)
        return {} if tournament is None else {"tournament": tournament}

    def version(self, job: Job) -> str:
        tournament = self.thing(job)
        return "" if tournament is None else f"{tournament.version} {look()}"

    def make(self, work: Work) -> Made:
        tournament, about = self.thing(work.job), work.job.about
        if tournament is None:
            raise CannotDo(GONE)
        if not who_may_come(tournament).exists():
            raise CannotDo(NOBODY)
        paper = PAPERS[about["paper"]]
        pages = paper.pages(tournament, base_url=about["base_url"], printed_at=timezone.localtime())
        named = tournament.name
        return made_of_pages(work, pages, f"{paper.title}, {named}", paper.title, named)
