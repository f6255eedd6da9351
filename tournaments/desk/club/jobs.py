"""Long work at the desk: its progress, stopping it, and what it made; files and the published site of a club."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.conf import settings
from django.contrib import messages
from django.db.models import Max, Min, Q
from django.http import FileResponse, Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import get_language, get_language_info, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRedirect

from clubs.register_models import WITH_NAMES, clubs_in
from clubs.views.guards import MemberRequest, club_view, sign_in_required
from core.errors import JobError
from core.forms import field_of
from core.http.responses import HTML, streamed_file
from core.jobs import queue
from core.jobs.kinds import kind_of, load_subjects
from core.jobs.models import SILENCE, Job
from core.jobs.queue import forget_job, remember_job
from core.pdf.store import a_pdf, with_its_policy
from core.tables.files import CONTENT_TYPES, stream_plain_csv
from tournaments.exports.result_tables import of_year, rating_table, results_table
from tournaments.exports.site.addresses import BRIEF, USUAL, WHOLE
from tournaments.exports.site.publishing import Wanted, ask
from tournaments.models import Season, Tournament

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse
    from django.http.response import HttpResponseBase

    from clubs.models import Club
    from core.tables.files import Table
    from tournaments.web.guards import DeskRequest


MOST_SHOWN = 100
# A worker looks for work every half second; after this long there is none.
TAKEN_UP_WITHIN = timedelta(seconds=5)


def _visible_job(request: DeskRequest, pk: int) -> Job | None:
    """The job, if the user may see its subject; else None."""
    job = Job.objects.select_related("asked_by").filter(pk=pk).first()
    return job if job is not None and kind_of(job.kind).may_see(request.user, job) else None


@never_cache
@sign_in_required
@require_safe
def desk_jobs(request: DeskRequest) -> HttpResponse:
    """The user's jobs, whether or not they may still see the results; for the server's owner all jobs."""
    asked = Job.objects.all() if request.user.is_superuser else Job.objects.filter(asked_by=request.user)
    shown = list(asked[:MOST_SHOWN])
    load_subjects(shown)
    titled = [(job, kind_of(job.kind).title(job)) for job in shown]
    return render(request, "desk/club/jobs.html", {"jobs": titled})


@never_cache
@sign_in_required
def desk_job(request: DeskRequest, pk: int) -> HttpResponse:
    """A job's progress; only a fragment for htmx, once a second. A POST stops or restarts it."""
    job = _visible_job(request, pk)
    if job is None:
        messages.warning(
            request, _("This is no longer kept, or what it was made from no longer exists. Request it again.")
        )
        return _go(request, reverse("desk_jobs"))
    if request.method == "POST":
        return _progress_response(request, job)
    forget_job(cast("HttpRequest", request), job)
    if job.is_ready and (shown_at := kind_of(job.kind).leads_to(job)):
        return _go(request, shown_at)
    page = "desk/club/job.html#state" if request.htmx else "desk/club/job.html"
    return render(request, page, _job_context(job, timezone.now()))


def _go(request: DeskRequest, address: str) -> HttpResponse:
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)


def _progress_response(request: DeskRequest, job: Job) -> HttpResponse:
    now = timezone.now()
    if "stop" in request.POST:
        queue.stop(job, who=str(request.user), now=now)
    elif "at_once" in request.POST and not kind_of(job.kind).waits_for_long_ones:
        queue.run_now(job)
    elif "again" in request.POST and not job.is_under_way:
        try:
            job = queue.enqueue_again(job, account=request.user, language=get_language() or "en", now=now)
        except JobError as problem:
            messages.warning(request, _(str(problem)))
        remember_job(cast("HttpRequest", request), job)
    return redirect("desk_job", job.pk)


def _job_context(job: Job, now: datetime) -> dict[str, Any]:
    kind = kind_of(job.kind)
    others = Job.objects.filter(state=Job.State.RUNNING, touched_at__gt=now - SILENCE)
    return {
        **kind.context(job),
        "job": job,
        "title": kind.title(job),
        "page": kind.page(job),
        "far": kind.progress_text(job),
        "came_to": kind.result_messages(job) if job.is_ready else [],
        "warned_of": kind.warnings(job) if job.is_ready else [],
        "is_current": kind.version(job) == job.version,
        "is_shown": kind.is_shown,
        "may_repeat": kind.may_repeat(job),
        "may_be_here": not kind.waits_for_long_ones,
        "silent": job.is_silent(now),
        "late": job.is_waiting and now - job.asked_at > TAKEN_UP_WITHIN,
        "busy": others.exists(),
    }


@a_pdf
@never_cache
@sign_in_required
@require_safe
def desk_job_file(request: DeskRequest, pk: int) -> HttpResponse | FileResponse:
    """The file itself."""
    job = _visible_job(request, pk)
    if job is None or not job.is_ready:
        return redirect("desk_job", pk)
    if not job.file:
        raise Http404
    kind = kind_of(job.kind)
    answer = FileResponse(
        job.path.open("rb"),
        content_type=kind.file_type(job),
        filename=job.file_name,
        as_attachment=not kind.is_shown,
    )
    return with_its_policy(answer) if kind.file_type(job) == HTML else answer


# A web site of what the hall shows of a club: what it is to have, and having it made.

DEPTHS = {
    BRIEF: gettext_lazy("Standings, stories, people and history"),
    USUAL: gettext_lazy("Also every table’s sheet and every player’s evening"),
    WHOLE: gettext_lazy("Also every player’s evening as PDF, and who has met whom (slow)"),
}


class SiteForm(forms.Form):
    languages = forms.MultipleChoiceField(
        label=gettext_lazy("Languages"), widget=forms.CheckboxSelectMultiple(), choices=()
    )
    depth = forms.ChoiceField(
        label=gettext_lazy("How much to include"),
        widget=forms.RadioSelect(),
        choices=tuple(DEPTHS.items()),
        initial=USUAL,
    )
    address = forms.URLField(
        label=gettext_lazy("Where it will be published"),
        required=False,
        max_length=200,
        assume_scheme="https",
        help_text=gettext_lazy(
            "For example https://club.example/results. It is needed for calendars, pictures for "
            "shared links and a sitemap. Leave it empty if you do not know."
        ),
    )

    def __init__(self, sent: Any = None) -> None:
        super().__init__(sent, initial={"languages": [get_language()]})
        named = [
            (code, get_language_info(code)["name_local"].capitalize()) for code, _name in settings.LANGUAGES
        ]
        field_of(self, "languages").choices = named

    def wanted(self, club: Club) -> Wanted:
        """The export is in the language of the user."""
        chosen = self.cleaned_data["languages"]
        ordered = sorted(chosen, key=lambda code: (code != get_language(), chosen.index(code)))
        return Wanted(tuple(ordered), club, self.cleaned_data["depth"], self.cleaned_data["address"])


@club_view()
def club_site(request: MemberRequest, club: Club) -> HttpResponse:
    form = SiteForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        job = ask(club, form.wanted(club), language=get_language() or "en", account=request.user)
        remember_job(request, job)
        return redirect("desk_job", job.pk)
    return render(request, "desk/club/site.html", {"club": club, "form": form})


# Files for the secretary of a club or union: full names, with members' numbers.

CSV = CONTENT_TYPES["csv"]
OF_YEAR, OF_SEASON = re.compile(r"results-([0-9]{1,4})"), re.compile(r"season-([0-9]{1,9})")


@club_view()
@require_safe
def club_files(request: MemberRequest, club: Club) -> HttpResponse:
    over = _evenings(club).filter(state=Tournament.State.FINISHED).aggregate(Min("date"), Max("date"))
    first, last = over["date__min"], over["date__max"]
    context = {
        "club": club,
        "files": [
            *((f"season-{season.pk}", season.name) for season in Season.objects.filter(host=club)),
            *((f"results-{year}", year) for year in (range(last.year, first.year - 1, -1) if last else ())),
        ],
    }
    return render(request, "desk/club/files.html", context)


@club_view()
@require_safe
def club_file(_request: MemberRequest, club: Club, wanted: str) -> HttpResponseBase:
    return streamed_file(stream_plain_csv(_table(club, wanted)), CSV, club.slug, wanted, kind="csv")


def _table(club: Club, wanted: str) -> Table:
    if wanted == "rating":
        return rating_table(club, timezone.localdate(), whole=True)
    if year := OF_YEAR.fullmatch(wanted):
        return results_table(of_year(_evenings(club), int(year[1])), whole=True)
    if season := OF_SEASON.fullmatch(wanted):
        found = get_object_or_404(Season, pk=season[1], host=club)
        return results_table(found.evenings.all(), whole=True)
    raise Http404


def _evenings(club: Club) -> QuerySet[Tournament]:
    """The evenings of a club, or of a union with the clubs that give it names and numbers."""
    given = clubs_in(club, gives__in=WITH_NAMES)
    return Tournament.objects.not_called_off().filter(Q(host=club) | Q(host__in=given))


urlpatterns = [
    path("desk/jobs/", desk_jobs, name="desk_jobs"),
    path("desk/jobs/<int:pk>/", desk_job, name="desk_job"),
    path("desk/jobs/<int:pk>/file", desk_job_file, name="desk_job_file"),
    path("clubs/<slug:slug>/site/", club_site, name="club_site"),
    path("clubs/<slug:slug>/files/", club_files, name="club_files"),
    path("clubs/<slug:slug>/files/<slug:wanted>.csv", club_file, name="club_file"),
]
