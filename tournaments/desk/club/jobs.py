"""Long work at the desk: how far it is, stopping it, asking for it again, and what it made."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, cast

from django.contrib import messages
from django.http import FileResponse, Http404
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRedirect

from clubs.views.guards import sign_in_required
from core.errors import JobError
from core.http.responses import HTML
from core.jobs import queue
from core.jobs.kinds import kind_of, load_subjects
from core.jobs.models import SILENCE, Job
from core.jobs.queue import forget_job, remember_job
from core.pdf.store import a_pdf, with_its_policy

if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

    from django.http import HttpRequest, HttpResponse

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
    page = "desk/club/_job.html" if request.htmx else "desk/club/job.html"
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


urlpatterns = [
    path("desk/jobs/", desk_jobs, name="desk_jobs"),
    path("desk/jobs/<int:pk>/", desk_job, name="desk_job"),
    path("desk/jobs/<int:pk>/file", desk_job_file, name="desk_job_file"),
]
