"""Member lists that take longer than a page may are saved and imported as jobs: all of it or nothing, once."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs import member_import, member_jobs
from clubs.members import Details, add_member
from clubs.models import MemberImport, Membership, Role
from clubs.views import members as member_pages
from core.jobs import queue
from core.jobs.models import Job, jobs_folder
from core.jobs.queue import do_here
from tests.factories import make_account, make_player

pytestmark = [pytest.mark.django_db, pytest.mark.databases]
DORA = Details("Dora Friis", 3, date(2026, 1, 1))
LIST = b"Number,Name\n1,Anna Lund\n2,Bo Krogh\n3,Carl Dam\n"


@pytest.fixture(autouse=True)
def _everything_is_long(monkeypatch):
    monkeypatch.setattr(member_jobs, "IMPORTED_AT_ONCE", 2)
    monkeypatch.setattr(member_pages, "ROWS_AT_ONCE", {"csv": 1, "xlsx": 1})


def text_of(answer) -> str:
    return " ".join(answer.content.decode().split())


@pytest.fixture
def upload(club, alice) -> MemberImport:
    now = timezone.now()
    return member_import.store_upload(
        club, alice, "members.csv", LIST, joined=timezone.localdate(now), now=now
    )


def confirm(browser, upload, **more):
    page = reverse("import_dry_run", args=[upload.club.slug, upload.pk])
    seen = member_import.dry_run(upload).fingerprint
    return browser.post(page, {"seen": seen, **more})


def test_a_long_list_is_imported_by_a_job_that_says_what_it_came_to(club, upload, as_alice):
    page = confirm(as_alice, upload).url
    job = Job.objects.get()
    assert page == reverse("desk_job", args=[job.pk])
    assert not Membership.objects.exists()
    # Its dry run is no more to be answered meanwhile, and a second tap is the same job.
    assert as_alice.get(reverse("import_dry_run", args=[club.slug, upload.pk])).url == page
    assert confirm(as_alice, upload).url == page
    job = do_here(job)
    assert job.state == "done"
    shown = text_of(as_alice.get(page))
    assert "Imported: 3 new members." in shown
    assert "Create it again" not in shown
    assert sorted(club.memberships.values_list("number", flat=True)) == [1, 2, 3]
    assert "Imported the member list members.csv" in club.log.get().words


def test_only_who_uploaded_it_sees_it(club, upload, as_alice):
    page = confirm(as_alice, upload).url
    other = Client()
    other.force_login(make_account("else", club, Role.Kind.ORGANISER))
    assert other.get(page).url == reverse("desk_jobs")


def test_what_cannot_be_imported_any_more_leads_back_with_what_was_chosen(club, upload, as_alice):
    page = confirm(as_alice, upload, **{"row-4": "skip"}).url
    add_member(club, DORA, **by(upload.account))
    job = do_here(Job.objects.get())
    assert (job.state, Membership.objects.count()) == ("failed", 1)
    assert job.about["choices"] == {"4": "skip"}
    shown = text_of(as_alice.get(page))
    assert "nothing has been imported yet" in shown.lower()
    back = reverse("import_dry_run", args=[club.slug, upload.pk])
    assert f'href="{back}"' in shown
    planned = as_alice.get(back).url
    assert planned == reverse("desk_job", args=[do_here(Job.objects.first()).pk])
    assert as_alice.get(planned).url == back
    shown = text_of(as_alice.get(back))
    assert "1 row left out" in shown
    assert 'name="row-4" value="skip" checked' in shown


def test_what_a_long_list_would_do_is_found_out_by_a_job_until_a_member_changes(club, alice, as_alice):
    make_player("Anna Lund", club, 9)
    upload = reverse("import_upload", args=[club.slug])
    page = as_alice.post(upload, {"pasted": LIST.decode(), "joined": "2026-01-01"}).url
    job = as_alice.get(page).url
    assert job == reverse("desk_job", args=[Job.objects.get().pk])
    assert as_alice.get(page).url == job  # a second look asks for nothing anew
    assert "About to start." in text_of(as_alice.get(job))
    assert do_here(Job.objects.get()).state == "done"
    assert as_alice.get(job).url == page
    assert as_alice.get(job, headers={"HX-Request": "true"})["HX-Redirect"] == page
    shown = text_of(as_alice.get(page))
    assert "2 new members, 1 row needs a choice" in shown
    seen = re.search(r'name="seen" value="([^"]+)"', shown)[1]
    # The same choices for all with the very same name are another job.
    named = as_alice.post(page, {"seen": seen, "same_names": ""}).url
    assert do_here(Job.objects.first()).about["same_names"]
    assert as_alice.get(named).url == page
    assert re.search(r'name="row-2" value="same-\d+" checked', text_of(as_alice.get(page)))
    assert Job.objects.count() == 2
    add_member(club, DORA, **by(alice))
    assert as_alice.get(page).url == reverse("desk_job", args=[Job.objects.first().pk])
    assert Job.objects.count() == 3
    as_alice.post(page, {"drop": ""})
    assert not Job.objects.filter(state="done").exists()
    assert not list(jobs_folder().glob("*-plan.html"))


def by(account):
    return {"account": account, "now": timezone.now()}


def test_a_list_is_imported_once_though_its_worker_fell_just_after(club, upload, as_alice, monkeypatch):
    confirm(as_alice, upload)
    monkeypatch.setattr(queue, "_done", lambda _job, _made: None)  # killed before it could say so
    fallen = do_here(Job.objects.get())
    assert fallen.state == "running"
    monkeypatch.undo()
    Job.objects.update(state="waiting", worker="")
    job = do_here(Job.objects.get())
    assert (job.state, job.said["new"]) == ("done", 3)
    assert club.memberships.count() == 3
    assert club.log.count() == 1


def test_a_list_whose_import_is_stopped_in_the_midst_is_not_imported(club, upload, as_alice, monkeypatch):
    confirm(as_alice, upload)
    carry_out = member_import._carry_out

    def and_stop(plan, to):
        carry_out(plan, to)
        queue.stop(Job.objects.get(), who="Alice", now=timezone.now())

    monkeypatch.setattr(member_import, "_carry_out", and_stop)
    job = do_here(Job.objects.get())
    assert (club.memberships.count(), club.log.count()) == (0, 0)
    upload.refresh_from_db()
    assert upload.applied_at is None
    assert job.file == ""


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_a_long_list_is_saved_by_a_job_as_it_is_sorted_on_the_page(club, as_alice, kind, monkeypatch):
    for number, name in enumerate(("Anna Lund", "Bo Krogh", "Carl Dam"), start=1):
        make_player(name, club, number)
    query = "?who=present&sort=-number"
    page = as_alice.get(reverse("members_export", args=[club.slug, kind]) + query).url
    job = do_here(Job.objects.get())
    assert (job.state, job.total) == ("done", 3)
    file = as_alice.get(f"{page}file")
    assert file["Content-Disposition"] == f'attachment; filename="{club.slug}.{kind}"'
    saved = b"".join(file.streaming_content)
    assert club.log.get().words == "Saved the member list as a file"
    monkeypatch.setattr(member_pages, "ROWS_AT_ONCE", {kind: 99})
    at_once = as_alice.get(reverse("members_export", args=[club.slug, kind]) + query)
    if kind == "csv":
        assert saved == at_once.content
        assert saved.decode("utf-8-sig").splitlines()[1].startswith("3,")
    assert "since this was made" not in text_of(as_alice.get(page))
    add_member(club, replace(DORA, number=4), **by(job.asked_by))
    assert "since this was made" in text_of(as_alice.get(page))
