"""Pages of the member import: upload, columns, dry run, confirm."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from itertools import islice
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import mark_safe
from django.utils.translation import get_language, gettext_lazy, gettext_noop, ngettext
from django.utils.translation import gettext as _

from clubs.clubs import log_change
from clubs.lists.choice import ListTable, guess, is_plain, problems_of
from clubs.lists.models import UploadedList, remembered
from clubs.member_import import (
    DryRun,
    choose_clubs,
    confirm,
    describe_refusal,
    dry_run,
    forget,
    run_context,
    store_chosen_rows,
    summarize_counts,
)
from clubs.member_jobs import IMPORT, chosen_in, forget_plans, is_long, job_of, of_club, plan_of
from clubs.member_rows import FIELDS, UNION_FIELDS, MemberRow, as_members
from clubs.models import Club, MemberImport
from clubs.roles import unions_of
from clubs.views.columns import Preview, columns_page, day_hint
from clubs.views.guards import MemberRequest, club_view
from clubs.views.members import UploadForm
from core.jobs.queue import JobRequest, enqueue, remember_job
from core.tables.file_formats import UnreadableFileError

if TYPE_CHECKING:
    from django.http import HttpResponse, QueryDict

    from clubs.lists.choice import Choice, ListTable
    from clubs.lists.models import UploadedList
    from clubs.models import Club


@club_view(one_transaction=False)
def import_upload(request: MemberRequest, club: Club) -> HttpResponse:
    initial = {"joined": timezone.localdate(), "of_union": club.clubs.exists()}
    form = UploadForm(request.POST or None, request.FILES or None, initial=initial)
    if not unions_of(request.user).filter(pk=club.pk).exists():
        del form.fields["of_union"]
    if request.method == "POST" and form.is_valid():
        name, data, put_above = form.list_given()
        try:
            return _uploaded(request, club, name, data, put_above=put_above, said=form.cleaned_data)
        except UnreadableFileError as problem:
            form.add_error("pasted" if form.cleaned_data["pasted"] else "file", problem.message)
    return render(request, "clubs/import_upload.html", {"club": club, "form": form})


def _uploaded(
    request: MemberRequest, club: Club, name: str, data: bytes, *, put_above: int, said: dict[str, Any]
) -> HttpResponse:
    """Go on to the columns of a list, or to what it does where nothing is to be chosen of it."""
    now = timezone.now()
    joined, of_union = said["joined"], said.get("of_union", False)
    fields = UNION_FIELDS if of_union else FIELDS
    table = ListTable.read(data, fields, put_above=put_above)
    known = remembered(club, fields.code)
    choice = guess(table, known)
    about = {"joined": joined.isoformat(), "of_union": of_union}
    upload = UploadedList.put_by(table, name, now=now, about=about, club=club, account=request.user)
    if (put_above or is_plain(table, choice, known)) and not (of_union and "club" not in choice.read(table)):
        file = replace(as_members(table, choice), of_union=of_union)
        if not file.doubts:
            kept = store_chosen_rows(club, request.user, name, file, joined=joined, now=now, given=upload)
            return redirect("import_dry_run", club.slug, kept.pk)
    return redirect("import_columns", club.slug, upload.pk)


@club_view()
def import_dry_run(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    """Preview the import. A POST imports the list, fills in unambiguous answers, or deletes the list."""
    upload = MemberImport.objects.filter(pk=pk, club=club, account=request.user, applied_at=None).first()
    if upload is None:
        messages.info(request, _("This list has already been imported or discarded."))
        return redirect("club", club.slug)
    job = job_of(upload)
    if job is not None and job.is_under_way and (job.kind == IMPORT or request.method != "POST"):
        return redirect("desk_job", job.pk)
    if request.method == "POST":
        return _answered(request, upload)
    chosen = chosen_in(job) if job is not None else {}
    if is_long(upload):
        return _planned(request, upload, chosen, same_names=job is not None and "same_names" in job.about)
    return _render_plan(request, upload, dry_run(upload, chosen))


def _answered(request: MemberRequest, upload: MemberImport) -> HttpResponse:
    club = upload.club
    if "drop" in request.POST:
        forget_plans(upload)
        forget(upload)
        messages.info(request, _("Nothing was imported."))
        return redirect("club", club.slug)
    choices, seen = _choices(request.POST), request.POST.get("seen", "")
    choose_clubs(upload, _chosen_clubs(request.POST))
    if "same_names" in request.POST or "look" in request.POST:
        same_names = "same_names" in request.POST
        if is_long(upload):
            return _planned(request, upload, choices, same_names=same_names)
        return _render_plan(request, upload, dry_run(upload, choices, same_names=same_names))
    if is_long(upload):
        return _as_a_job(request, upload, choices, seen)
    now = timezone.now()
    run = confirm(upload, choices, seen, now)
    if not run.is_done:
        why = describe_refusal(run, seen)
        return _render_plan(request, upload, run, warning=_(why), asked=True)
    text = gettext_noop("Imported the member list {file}")
    log_change(club, request.user, text, now=now, file=upload.file_name)
    messages.success(request, _("Imported: %(counts)s.") % {"counts": summarize_counts(run.plan.counts)})
    return redirect("club", club.slug)


def _as_a_job(
    request: MemberRequest, upload: MemberImport, choices: dict[int, str], seen: str
) -> HttpResponse:
    about = {"upload": upload.pk, "file": upload.file_name, "choices": choices, "seen": seen}
    wish = JobRequest(IMPORT, of_club(upload.club), get_language() or "en", about)
    job = enqueue(wish, account=request.user, now=timezone.now())
    if job.about["upload"] != upload.pk:
        messages.warning(request, _("Another member list is being imported. Wait until it is done."))
        return _planned(request, upload, choices)
    remember_job(request, job)
    return redirect("desk_job", job.pk)


def _choices(posted: QueryDict) -> dict[int, str]:
    answers = ((re.fullmatch(r"row-([0-9]{1,9})", name), value) for name, value in posted.items())
    return {int(name[1]): str(value) for name, value in answers if name}


def _chosen_clubs(posted: QueryDict) -> dict[str, str]:
    """The choices for unknown clubs in a form, by their folded names."""
    return {name.removeprefix("club-"): str(one) for name, one in posted.items() if name.startswith("club-")}


def _render_plan(
    request: MemberRequest, upload: MemberImport, run: DryRun, *, warning: str = "", asked: bool = False
) -> HttpResponse:
    context = {
        "club": upload.club,
        "warning": warning,
        **run_context(upload, run, asked=asked),
    }
    return render(request, "clubs/import_dry_run.html", context)


def _planned(
    request: MemberRequest, upload: MemberImport, choices: Mapping[int, str], *, same_names: bool = False
) -> HttpResponse:
    """Show the dry run if its job has finished, else enqueue the job and redirect to its page."""
    job = enqueue(plan_of(upload, choices, same_names=same_names), account=request.user, now=timezone.now())
    if job.is_ready:
        context = {"club": upload.club, "upload": upload, "planned": mark_safe(job.path.read_text("utf-8"))}  # noqa: S308 - our template's
        return render(request, "clubs/import_dry_run.html", context)
    remember_job(request, job)
    return redirect("desk_job", job.pk)


urlpatterns = [
    path("<slug:slug>/import/", import_upload, name="import_upload"),
    path("<slug:slug>/import/<int:pk>/", import_dry_run, name="import_dry_run"),
]


FIRST_ROWS = 5


class MemberLists:
    """The member lists' part of the columns page; in lists of a union each row names its club."""

    def __init__(self, *, of_union: bool = False) -> None:
        self.of_union = of_union
        self.fields = UNION_FIELDS if of_union else FIELDS

    title, page = gettext_lazy("Import a list"), "import_upload"
    styles: tuple[str, ...] = ("css/columns.css",)
    steps = [gettext_lazy("See what will happen"), gettext_lazy("Import")]

    def hear(self, upload: UploadedList, posted: QueryDict) -> None:
        """Ignore further form values: member lists have none."""

    def preview(
        self, upload: UploadedList, table: ListTable, choice: Choice, answers: dict[str, str]
    ) -> Preview:
        del upload
        today = timezone.localdate()
        hints = _hints(table, choice, today)
        if problems_of(table, choice):
            return Preview(hints=hints)
        try:
            file = as_members(table, choice, answers)
        except UnreadableFileError:
            return Preview(hints=hints)
        doubts = file.doubts
        people = file.count_people(doubts)
        said = ngettext("%(rows)d person", "%(rows)d people", people) % {"rows": people}
        first = [
            (str(row.number or ""), row.name, _more(row))
            for row in islice(file.iterate_rows(today), FIRST_ROWS)
        ]
        return Preview(first, said, doubts=doubts, hints=hints)

    def problems(self, upload: UploadedList, table: ListTable, choice: Choice) -> list[tuple[str, set[str]]]:
        del upload
        if self.of_union and "club" not in choice.read(table):
            return [(_("Choose the column that names each person’s club."), set())]
        return []

    def go_on(
        self,
        request: MemberRequest,
        upload: UploadedList,
        table: ListTable,
        choice: Choice,
        answers: dict[str, str],
    ) -> HttpResponse:
        kept = store_chosen_rows(
            upload.club,
            request.user,
            upload.file_name,
            replace(as_members(table, choice, answers), of_union=self.of_union),
            joined=date.fromisoformat(upload.about["joined"]),
            now=timezone.now(),
            given=upload,
        )
        return redirect("import_dry_run", upload.club.slug, kept.pk)

    def other_file(self, club: Club) -> str:
        return reverse("import_upload", args=[club.slug])


def _more(row: MemberRow) -> str:
    """A person's values besides name and number, in one line."""
    since = _("since %(day)s") % {"day": date_format(row.joined, "SHORT_DATE_FORMAT")} if row.joined else ""
    until = _("left %(day)s") % {"day": date_format(row.left, "SHORT_DATE_FORMAT")} if row.left else ""
    return " · ".join(filter(None, (row.phone, row.email, since, until)))


def _hints(table: ListTable, choice: Choice, today: date) -> dict[str, str]:
    """Hints about columns worth a check, by their keys."""
    hints: dict[str, str] = {}
    firsts: dict[str, str] = {}
    for column in choice.columns(table):
        name = choice.fields.get(column.key, "")
        if name in {"joined", "left"} and (hint := day_hint(column, today)):
            hints[column.key] = hint
        if name in FIELDS.several:
            if name in firsts:
                hints[column.key] = _("Used where “%(column)s” is blank") % {"column": firsts[name]}
            firsts.setdefault(name, column.label)
    return hints


@club_view()
def import_columns(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    of_union = UploadedList.objects.filter(pk=pk, club=club, about__of_union=True).exists()
    return columns_page(request, club, pk, MemberLists(of_union=of_union))


urlpatterns += [path("<slug:slug>/import/columns/<int:pk>/", import_columns, name="import_columns")]
