"""The desk's pages for printing."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from core.errors import NotPossible
from core.jobs.models import SILENCE, Job
from core.pdf import files
from core.pdf.page import Page
from tests.factories import first_round, make_account, make_club, make_tournament, play_out
from tests.pages import texts_of
from tournaments.lifecycle.drawing import discard_draw
from tournaments.lifecycle.playing import close_round
from tournaments.models import Table, Tournament
from tournaments.paper import kinds
from tournaments.paper.kinds import KINDS

pytestmark = pytest.mark.django_db

HTMX = {"HTTP_HX_REQUEST": "true"}


@pytest.fixture
def tournament(alice):
    return make_tournament(12, account=alice)


def page_of(tournament):
    return reverse("desk_print", args=[tournament.code])


def ask(client, tournament, kind="names", number=1, **fields):
    return client.post(reverse("desk_print_ask", args=[tournament.code, number, kind]), fields)


def job_page(job):
    return reverse("desk_job", args=[job.pk])


def waiting_job(client, tournament):
    ask(client, tournament, "blank")
    return Job.objects.get()


def text_of(response):
    return " ".join(response.content.decode().split())


def test_from_the_button_to_the_paper(as_alice, tournament):
    assert "Seats by name" in text_of(as_alice.get(page_of(tournament)))
    answer = ask(as_alice, tournament)
    job = Job.objects.get()
    assert answer.url == job_page(job)
    assert "Ready: 1 page." in text_of(as_alice.get(answer.url))
    file = as_alice.get(reverse("desk_job_file", args=[job.pk]))
    assert file["Content-Type"] == "application/pdf"
    assert (
        file["Content-Disposition"]
        == "inline; filename*=utf-8''efter%C3%A5rsturnering-round-1-seats-by-name.pdf"
    )
    assert "no-store" in file["Cache-Control"]
    assert "Seats by name" in texts_of(b"".join(file.streaming_content))[0]


def test_the_address_in_the_qr_code_is_the_one_the_organiser_uses(as_alice, tournament, settings):
    settings.ALLOWED_HOSTS = ["192.168.1.24"]
    as_alice.post(
        reverse("desk_print_ask", args=[tournament.code, 1, "blank"]),
        headers={"host": "192.168.1.24:8000"},
        SERVER_PORT="8000",
    )
    assert Job.objects.get().about["base_url"] == "http://192.168.1.24:8000"


@pytest.mark.parametrize(
    "kind", [kind.code for kind in KINDS.values() if kind.suits(Tournament()) and not kind.needs_end]
)
def test_a_helper_may_print(as_helper, tournament, kind, undrawn):
    assert ask(as_helper, tournament, kind).status_code == 302
    assert Job.objects.get().asked_by.username == "helga"


@pytest.mark.parametrize("kind", [kind.code for kind in KINDS.values() if not kind.suits(Tournament())])
def test_what_is_of_boards_and_of_teams_is_not_printed_without_them(as_helper, tournament, kind):
    assert str(KINDS[kind].explanation) not in text_of(as_helper.get(page_of(tournament)))
    assert ask(as_helper, tournament, kind).status_code == 404


def test_sheets_are_for_the_hosts_desk_only(as_alice, as_charlie, tournament):
    ask(as_alice, tournament)
    job = Job.objects.get()
    file = reverse("desk_job_file", args=[job.pk])
    assert as_charlie.get(page_of(tournament)).status_code == 403
    neighbour = Client()
    neighbour.force_login(make_account("else", make_club("Brædstrup")))
    for browser in (as_charlie, neighbour):  # for whom there is no such job
        assert browser.get(job_page(job)).url == reverse("desk_jobs")
        assert browser.get(file).url == job_page(job)
        assert browser.post(job_page(job), {"stop": "1"}).url == reverse("desk_jobs")
        assert "efter" not in text_of(browser.get(reverse("desk_jobs"))).lower()
    for url in (page_of(tournament), job_page(job), file):
        assert Client().get(url).url.startswith(reverse("login"))
    assert ask(as_charlie, tournament).status_code == 403
    assert ask(Client(), tournament).url.startswith(reverse("login"))
    assert Job.objects.count() == 1


def test_whatever_a_file_may_tell_is_seen_where_sheets_are_not_drawn(undrawn):
    lines = "paper/parts.html#titles"
    sheets = [Page(lines, f"{which} name", {"titles": [(f"{which} line", 1, "left")]}) for which in "AB"]
    made = files.pdf_of_one(sheets, "Heading").decode()
    assert [said for said in ("Heading", "A name", "A line", "B name", "B line") if said not in made] == []


def test_one_table_can_be_chosen(as_alice, tournament, undrawn):
    ask(as_alice, tournament, "blank", table="2")
    job = Job.objects.get()
    assert (job.about["table"], job.total, job.is_ready) == (2, 1, True)
    assert "table 2" in text_of(as_alice.get(job_page(job)))


@pytest.mark.parametrize("table", ["99", "x", "-1", "²", "9" * 30])
def test_a_table_that_is_not_there_is_said_at_the_field_and_not_printed(as_alice, tournament, table):
    page = ask(as_alice, tournament, "blank", table=table)
    (choice,) = [choice for choice in page.context["choices"] if choice.kind.code == "blank"]
    assert list(choice.form.errors) == ["table"]
    assert choice.form["table"].value() == table
    assert not Job.objects.exists()


@pytest.mark.parametrize(("kind", "number"), [("poster", 1), ("names", 9), ("names", 10**30)])
def test_what_is_not_there_is_not_printed(as_alice, tournament, kind, number):
    assert ask(as_alice, tournament, kind, number).status_code == 404


def test_a_draw_that_is_discarded_while_one_asks_is_said(as_alice, tournament, monkeypatch):
    def discarded(*_args, **_how):
        raise NotPossible("The draw has changed in the meantime; check it again.")

    monkeypatch.setattr(kinds, "ask", discarded)
    answer = as_alice.post(reverse("desk_print_ask", args=[tournament.code, 1, "names"]), follow=True)
    assert "The draw has changed in the meantime;" in text_of(answer)


def test_asking_takes_a_post(as_alice, tournament):
    answer = as_alice.get(reverse("desk_print_ask", args=[tournament.code, 1, "names"]))
    assert answer.url == f"{page_of(tournament)}?round=1"
    assert not Job.objects.exists()


def test_results_of_a_round_that_has_not_begun_cannot_be_printed(as_alice, alice):
    tournament = make_tournament(8, 2, account=alice)
    page, second = text_of(as_alice.get(page_of(tournament), {"round": 2})), tournament.rounds.get(number=2)
    of_it = [kind for kind in KINDS.values() if kind.suits(tournament)]
    waiting = [kind for kind in of_it if kind.missing(second) == "The round has not been started."]
    assert {"filled", "standings"} <= {kind.code for kind in waiting}
    assert page.count("The round has not been started.") == len(waiting)
    singles = (
        sum(not kind.missing(second) for kind in of_it) - 1
    )  # everything for the round has the large button
    assert (page.count(">PDF</button>"), page.count("Create the PDF")) == (singles, 1)
    answer = as_alice.post(reverse("desk_print_ask", args=[tournament.code, 2, "standings"]), follow=True)
    assert "The round has not been started." in text_of(answer)
    assert not Job.objects.exists()


def test_what_is_printed_next_comes_first(as_alice, alice):
    tournament = make_tournament(8, 2, account=alice)
    first = first_round(tournament)

    def shown(**asked):
        answer = as_alice.get(page_of(tournament), asked)
        return answer.context["round"].number, text_of(answer)

    assert shown()[0] == 1
    for table in Table.objects.filter(round=first):
        play_out(table)
    assert shown()[0] == 2  # the sheets of the first lie on the tables
    close_round(first, force_reason="late", account=alice, now=timezone.now())
    number, page = shown(round=1)
    assert (number, page.count("Round 1 has been played"), page.count('class="primary big"')) == (1, 1, 1)
    assert page.index("Print the standings") < page.index("Filled score sheets") < page.index("Seats by name")
    assert "Everything for the round" in page  # it can still be printed


def test_before_the_draw_there_is_a_way_to_it(as_alice, alice):
    tournament = make_tournament(8, account=alice, drawn=False)
    page = text_of(as_alice.get(page_of(tournament)))
    assert "You can print once the tables are drawn." in page
    assert reverse("desk_draw", args=[tournament.code]) in page


@pytest.mark.parametrize("asked", ["x", "99", "", "²"])
def test_a_strange_round_shows_the_one_that_is_on(as_alice, tournament, asked):
    answer = as_alice.get(page_of(tournament), {"round": asked})
    assert answer.context["round"] == first_round(tournament)


def test_while_sheets_are_made_the_page_asks_again_each_second(as_alice, tournament):
    job = waiting_job(as_alice, tournament)
    page = as_alice.get(job_page(job))
    assert "About to start." in text_of(page)
    assert 'hx-trigger="every 1s"' in text_of(page)
    Job.objects.update(state="running", done=2, touched_at=timezone.now())
    fragment = as_alice.get(job_page(job), **HTMX)
    assert "2 of 3 pages made." in text_of(fragment)
    assert "<html" not in text_of(fragment)


def test_when_nobody_takes_up_the_work_the_page_says_so_and_offers_to_do_it(as_alice, tournament, undrawn):
    job = waiting_job(as_alice, tournament)
    Job.objects.update(asked_at=timezone.now() - timedelta(seconds=6))
    assert "Nothing is processing this" in text_of(as_alice.get(job_page(job), **HTMX))
    answer = as_alice.post(job_page(job), {"at_once": "1"})
    assert answer.url == job_page(job)
    page = text_of(as_alice.get(answer.url, **HTMX))
    assert "Ready: 3 pages." in page
    assert "every 1s" not in page


def test_when_others_are_served_first_the_page_says_so(as_alice, tournament):
    job = waiting_job(as_alice, tournament)
    Job.objects.update(asked_at=timezone.now() - timedelta(seconds=6))
    more = {"language": "en", "touched_at": timezone.now(), "asked_at": timezone.now()}
    Job.objects.create(
        kind="sheets", thing=job.thing, key="k", asked_by=job.asked_by, state="running", **more
    )
    assert "Waiting for another task to finish." in text_of(as_alice.get(job_page(job), **HTMX))


def test_a_job_of_which_nothing_is_heard_says_so(as_alice, tournament):
    job = waiting_job(as_alice, tournament)
    at = timezone.now() - SILENCE * 2
    Job.objects.update(state="running", touched_at=at, begun_at=at)
    assert "It has not responded for a minute and may have stopped" in text_of(
        as_alice.get(job_page(job), **HTMX)
    )


def test_a_failure_is_said_with_a_way_to_try_again(as_alice, tournament):
    job = waiting_job(as_alice, tournament)
    Job.objects.update(state="failed", error="The file could not be written. Is the disk full?")
    page = text_of(as_alice.get(job_page(job), **HTMX))
    assert "Is the disk full?" in page
    assert "Try again" in page
    assert "every 1s" not in page


def test_a_file_that_is_gone_can_be_made_again(as_alice, tournament, undrawn):
    ask(as_alice, tournament)
    job = Job.objects.get()
    job.path.unlink()
    answer = as_alice.get(reverse("desk_job_file", args=[job.pk]), follow=True)
    assert "The file is no longer there." in text_of(answer)


def test_a_round_that_is_drawn_anew_leaves_nothing_to_see_of_its_sheets(as_alice, alice, undrawn):
    tournament = make_tournament(12, account=alice, started=False)
    ask(as_alice, tournament)
    job = Job.objects.get()
    discard_draw(tournament, account=alice, now=timezone.now())
    for url in (job_page(job), reverse("desk_job", args=[999])):
        assert "Request it again." in text_of(as_alice.get(url, follow=True))
        assert as_alice.get(url, **HTMX)["HX-Redirect"] == reverse("desk_jobs")


def test_files_made_before_can_be_opened_again(as_alice, tournament, undrawn):
    ask(as_alice, tournament)
    job = Job.objects.get()
    file = reverse("desk_job_file", args=[job.pk])
    assert file in text_of(as_alice.get(page_of(tournament)))
    assert "something has changed since" not in text_of(as_alice.get(page_of(tournament)))
    type(tournament).objects.update(version=tournament.version + 1)
    assert "something has changed since" in text_of(as_alice.get(page_of(tournament)))
    assert "since this was made" in text_of(as_alice.get(job_page(job)))
