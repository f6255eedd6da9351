"""Long work: the same wish is one job, done by one; it can be stopped, and is taken up again where its worker fell."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connections
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Account
from core.errors import JobError
from core.jobs import kinds, queue
from core.jobs.kinds import JobKind, JobResult, kind_of
from core.jobs.models import KEPT, Job, jobs_folder
from core.jobs.queue import JobRequest, Watch, myself
from tests.factories import make_account

pytestmark = [pytest.mark.django_db, pytest.mark.databases]
WISH = JobRequest("counting", "the stars", "en", {"how_many": 3})


class Counting(JobKind):
    """Counts, and writes what it has counted; what it meets meanwhile is up to the test."""

    code = "counting"
    meets = staticmethod(lambda _work: None)
    stars = 0

    def may_see(self, account, _job):
        return account.username != "charlie"

    def title(self, job):
        return f"Counting {job.thing}"

    def page(self, _job):
        return "/desk/"

    def version(self, _job):
        return str(self.stars)

    def make(self, work):
        target = work.folder / "counted"
        work.tell(0, work.job.about["how_many"])
        for count in range(work.job.total):
            target.write_text(str(count + 1))
            work.tell(count + 1)
            self.meets(work)
        return JobResult(work.keep(target, "txt"), "stars.txt")


@pytest.fixture(autouse=True)
def counting(settings, monkeypatch):
    settings.JOB_KINDS = settings.JOB_KINDS | {"counting": f"{__name__}.Counting"}
    kind = Counting()
    monkeypatch.setattr("core.jobs.kinds.import_string", lambda _path: lambda: kind)
    kind_of.cache_clear()
    yield kind
    kind_of.cache_clear()


@pytest.fixture
def ask(alice):
    def asked(wish=WISH, account=alice, **how):
        return queue.enqueue(wish, account=account, now=timezone.now(), **how)

    return asked


def test_what_is_done_is_kept_with_what_was_made(ask):
    job = queue.do_here(ask())
    assert (job.state, job.done, job.total, job.tries, job.file_name) == ("done", 3, 3, 1, "stars.txt")
    assert job.path.read_text() == "3"
    assert job.begun_at <= job.ended_at
    assert [path.name for path in jobs_folder().iterdir()] == [job.file]


@pytest.mark.parametrize("other", [{"thing": "the moons"}, {"language": "da"}, {"about": {"how_many": 4}}])
def test_the_same_wish_is_one_job_another_is_another(ask, charlie, other):
    assert ask() == ask() == ask(account=charlie)
    assert ask(replace(WISH, **other)) != ask()


def test_what_is_done_serves_again_while_nothing_has_changed(ask, counting):
    job = queue.do_here(ask())
    assert ask() == job
    assert ask(anew=True) != job
    again = queue.do_here(ask())
    counting.stars = 1
    assert ask() != again
    newest = queue.do_here(ask())
    newest.path.unlink()
    assert ask() != newest


@pytest.mark.django_db(transaction=True)
def test_of_two_who_ask_at_the_same_moment_one_begins_it(ask):
    def once(_number):
        try:
            return ask().pk
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(once, range(4)))) == 1
    assert Job.objects.count() == 1


def test_a_job_is_taken_by_one(ask):
    job = ask()
    assert queue.take(job, "one")
    assert not queue.take(job, "other")
    assert Job.objects.get().worker == "one"


def test_stopped_while_it_waits_it_never_begins(ask):
    job = ask()
    queue.stop(job, who="Alice", now=timezone.now())
    assert not queue.take(job, myself())
    job.refresh_from_db()
    assert (job.state, job.stop_asked_by) == ("stopped", "Alice")
    assert ask() != job


def test_stopped_in_the_midst_it_ends_there_and_leaves_nothing(ask, counting, monkeypatch):
    monkeypatch.setattr(kinds, "TOLD_EVERY", 0)
    counting.meets = lambda work: queue.stop(work.job, who="Alice", now=timezone.now())
    job = queue.do_here(ask())
    assert (job.state, job.done) == ("stopped", 1)
    assert not list(jobs_folder().iterdir())


def test_who_was_taken_for_dead_and_is_not_changes_nothing_any_more(ask, counting):
    def another_takes_it(_work):
        assert queue.take(Job.objects.get(), "another")

    counting.meets = another_takes_it
    job = queue.do_here(ask(replace(WISH, about={"how_many": 1})))
    assert (job.state, job.worker, job.file, job.tries) == ("running", "another", "", 2)
    assert not list(jobs_folder().iterdir())


def fails(error):
    def fail(_work):
        raise error

    return fail


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (JobError("The moon is in the way."), "The moon is in the way."),
        (OSError(28, "No space left on device"), "The file could not be written. Is the disk full?"),
        (OSError(13, "Permission denied"), "Something went wrong."),
        (ValueError("x"), "Something went wrong."),
    ],
)
def test_what_fails_says_why_and_leaves_nothing(ask, counting, caplog, error, words):
    counting.meets = fails(error)
    job = queue.do_here(ask())
    assert job.state == "failed"
    assert job.error_words.startswith(words)
    assert "Job counting" in caplog.text
    assert not list(jobs_folder().iterdir())


def gone(machine: str) -> str:
    """A process that is no more: no machine has so many."""
    return f"{machine}/99999999/1"


def test_a_job_is_lost_when_its_process_is_gone_from_this_machine(ask):
    job = ask()
    queue.take(job, myself())
    assert Watch().lost(Job.objects.all()) == []
    for worker in (gone(queue._machine()), f"{queue._machine()}/{os.getpid()}/1"):
        Job.objects.update(worker=worker)
        assert Watch().lost(Job.objects.all()) == [job]


def test_of_another_machine_one_hears_or_does_not(ask, monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(queue.time, "monotonic", lambda: now[0])
    job, watch = ask(), Watch()
    queue.take(job, gone("another machine"))

    def lost_after(seconds):
        now[0] += seconds
        return watch.lost(Job.objects.all())

    assert lost_after(0) == lost_after(queue.LOST_AFTER - 1) == []
    Job.objects.update(beats=99)
    assert lost_after(2) == lost_after(queue.LOST_AFTER - 1) == []
    assert lost_after(2) == [job]


def test_what_fell_three_times_is_given_up_and_what_was_interrupted_is_not(ask):
    for _start in range(4):  # Spadille was stopped in the midst
        queue.take(Job.objects.first() or ask(), "one")
        queue.give_back(Job.objects.get())
    for _fall in range(3):
        assert queue.take(Job.objects.get(), "one")
    assert not queue.take(Job.objects.get(), "another")
    job = Job.objects.get()
    assert (job.state, job.tries) == ("failed", 3)
    assert "three times" in job.error_words


def test_jobs_that_ended_are_removed_after_a_day_with_their_files(ask):
    old = queue.do_here(ask())
    young, waiting = queue.do_here(ask(anew=True)), ask(anew=True)
    day_before = timezone.now() - KEPT - timedelta(minutes=1)
    begun = jobs_folder() / ".making-7-x"
    begun.mkdir()
    for path in (old.path, begun):
        os.utime(path, (day_before.timestamp(),) * 2)
    Job.objects.filter(pk=old.pk).update(ended_at=day_before)
    Job.objects.filter(pk=waiting.pk).update(asked_at=day_before)
    queue.clear_old(timezone.now())
    assert list(Job.objects.order_by("pk")) == [young, waiting]
    assert list(jobs_folder().iterdir()) == [young.path]


def text_of(answer) -> str:
    return " ".join(answer.content.decode().split())


def test_the_desk_says_once_that_it_is_done_wherever_one_is_by_then(ask, as_alice):
    job = ask()
    session = as_alice.session
    session["jobs"] = [job.pk]
    session.save()
    assert "Counting the stars" not in text_of(as_alice.get(reverse("desk")))
    queue.do_here(job)
    page = text_of(as_alice.get(reverse("clubs")))
    assert f'<a href="{reverse("desk_job", args=[job.pk])}">Counting the stars</a>: ready.' in page
    assert "Counting the stars" not in text_of(as_alice.get(reverse("desk")))


def test_several_that_are_done_are_one_line_that_unfolds(ask, as_alice):
    jobs = [queue.do_here(ask()), queue.do_here(ask(anew=True))]
    session = as_alice.session
    session["jobs"] = [job.pk for job in jobs]
    session.save()
    page = text_of(as_alice.get(reverse("clubs")))
    assert page.count('class="message"') == 1
    assert "<summary>2 tasks are ready</summary>" in page
    assert all(f'href="{reverse("desk_job", args=[job.pk])}"' in page for job in jobs)


def test_who_waits_for_nothing_costs_nothing(as_alice, django_assert_num_queries):
    with django_assert_num_queries(0):
        Client().get(reverse("login"))


@pytest.mark.parametrize("name", ["desk_job", "desk_job_file"])
def test_nobody_reaches_a_job_by_its_address_who_may_not_see_what_it_is_of(ask, as_alice, as_charlie, name):
    job = queue.do_here(ask())
    address = reverse(name, args=[job.pk])
    answer = as_alice.get(address)
    assert (answer.status_code, b"".join(answer) != b"") == (200, True)
    assert "stars" not in text_of(as_charlie.get(address, follow=True))
    assert as_charlie.post(reverse("desk_job", args=[job.pk]), {"again": "1"}).url == reverse("desk_jobs")
    assert Job.objects.count() == 1


def test_the_page_stops_begins_again_and_tells_of_what_is_out_of_date(ask, alice, as_alice, counting):
    job = ask()
    page = reverse("desk_job", args=[job.pk])
    shown = text_of(as_alice.get(page))
    assert "Stop it" in shown
    assert f'<a class="button quiet" href="{page}">Look again</a>' in shown  # for who has no JavaScript
    as_alice.post(page, {"stop": "1"})
    assert f"Stopped by {alice} at" in text_of(as_alice.get(page))
    other = as_alice.post(page, {"again": "1"}).url
    assert other != page
    queue.do_here(Job.objects.get(state="waiting"))
    assert "since this was made" not in text_of(as_alice.get(other))
    counting.stars = 1
    shown = text_of(as_alice.get(other))
    assert "since this was made" in shown
    file = as_alice.get(f"{other}file")
    assert file["Content-Disposition"] == 'attachment; filename="stars.txt"'
    assert b"".join(file.streaming_content) == b"3"


def test_my_page_has_what_i_asked_for_and_the_owners_what_everybody_has(ask, alice, as_alice, charlie):
    mine, other = ask(), ask(replace(WISH, thing="the moons"), make_account("bob"))
    owner = Client()
    owner.force_login(Account.objects.create_superuser("olga", password="a long password"))

    def shown(browser):
        page = text_of(browser.get(reverse("desk_jobs")))
        return [reverse("desk_job", args=[job.pk]) in page for job in (mine, other)]

    assert shown(as_alice) == [True, False]
    assert shown(owner) == [True, True]


def test_files_of_jobs_lie_where_nothing_is_served_from_or_backed_up(settings):
    assert jobs_folder() == Path(settings.MEDIA_ROOT) / "jobs"
    assert jobs_folder().stat().st_mode & 0o777 == 0o700
