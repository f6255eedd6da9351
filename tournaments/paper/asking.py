"""Asking for a paper of a tournament with the button of a desk's page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.http import Http404
from django.shortcuts import redirect
from django.utils.translation import get_language

from core.errors import NotPossible
from core.jobs.queue import remember
from tournaments.paper.papers_job import ask

if TYPE_CHECKING:
    from django.http import HttpResponseRedirect

    from tournaments.models import Tournament
    from tournaments.paper.papers_job import OfPapers
    from tournaments.web.guards import DeskRequest


def asked_for(
    request: DeskRequest, tournament: Tournament, kind: type[OfPapers], paper: str, **told: str
) -> HttpResponseRedirect:
    """To the job that makes the paper; by the back button, or an old link, to the page that has the button.

    So it is where there is nothing to print, which is said there. Raises Http404 for a paper that is none.
    """
    if paper not in kind.papers:
        raise Http404
    back = redirect(kind.asked_on, tournament.code)
    if request.method != "POST":
        return back
    language = get_language() or "en"
    try:
        job = ask(kind, tournament, paper, language=language, account=request.user, **told)
    except NotPossible as refusal:
        messages.warning(request, refusal.message)
        return back
    remember(request, job)
    return redirect("desk_job", job.pk)
