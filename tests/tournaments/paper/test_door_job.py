"""The list and the seat cards for the door: few at once, many as a job."""

import pytest
from django.urls import reverse
from django.utils import timezone
from pypdf import PdfReader

from core.jobs import kinds
from core.jobs.models import Job
from core.jobs.queue import do_here
from core.pdf import files
from tests.factories import make_tournament
from tournaments.entries import personal_data
from tournaments.lifecycle.drawing import discard_draw, draw
from tournaments.models import PrintedList, Seat, Tournament

pytestmark = pytest.mark.django_db
# Three pages of cards, and one of the list.
MANY = 24


@pytest.fixture
def tournament(alice, undrawn):
    return make_tournament(MANY, account=alice, started=False, entry_fee=50)


def ask(client, tournament, paper="cards"):
    """Press the button, and go where it leads."""
    return client.post(reverse("desk_list_print", args=[tournament.code, paper]), follow=True)


def shown(answer):
    return " ".join(answer.content.decode().split())


def only_job():
    return Job.objects.get()


def seats_of(tournament):
    """Of the round that is drawn: what a card says, in the order of who sits there."""
    seats = Seat.objects.filter(table__round__tournament=tournament).select_related("table")
    return sorted(f"Table {seat.table.number} · seat {'ABCDE'[seat.position]}" for seat in seats)


@pytest.fixture
def meanwhile(monkeypatch):
    """Let something happen when the pages are known, and not drawn yet."""

    def when_written(happen):
        engine = files._engine()

        class Engine:
            @staticmethod
            def write(pages, title, target, *, folded, tell):
                happen()
                tell(1)
                engine.write(pages, title, target, folded=folded)

        monkeypatch.setattr(files, "_engine", lambda: Engine)

    return when_written


def test_few_are_made_before_the_answer_many_are_a_job_that_two_taps_ask_for_once(as_helper, tournament):
    assert "Ready: 1 page." in shown(ask(as_helper, tournament, "list"))
    ask(as_helper, tournament)
    assert "You can leave this page" in shown(ask(as_helper, tournament))
    job = Job.objects.get(state="waiting")
    assert (job.total, job.done) == (3, 0)
    assert do_here(job).is_ready
    told = shown(ask(as_helper, tournament))
    assert "Ready: 3 pages." in told
    assert Job.objects.count() == 2
    page = shown(as_helper.get(reverse("desk_list", args=[tournament.code])))
    assert page.count(f"· {tournament.name}</a>") == 2
    # Begun once more by another worker, where the first fell: of what is printed one layout is known.
    Job.objects.filter(pk=job.pk).update(state="waiting", tries=1)
    assert do_here(Job.objects.get(pk=job.pk)).is_ready
    assert PrintedList.objects.filter(tournament=tournament).count() == 2


def test_seats_drawn_anew_meanwhile_are_told_of_and_no_card_is_half_the_one_and_half_the_other(
    as_alice, alice, tournament, meanwhile
):
    before = seats_of(tournament)

    def draw_anew():
        discard_draw(tournament, account=alice, now=timezone.now())
        draw(Tournament.objects.get(pk=tournament.pk), seed=8, account=alice, now=timezone.now())

    meanwhile(draw_anew)
    ask(as_alice, tournament)
    job = do_here(only_job())
    printed = job.path.read_text()
    assert all(printed.count(f">{seat}<") == 1 for seat in before)
    assert printed.count(" · seat ") == MANY
    page = reverse("desk_job", args=[job.pk])
    assert "Results have been reported or changed since this was made" in shown(as_alice.get(page))
    # Asked for again they are made again.
    ask(as_alice, tournament)
    assert Job.objects.count() == 2


def test_stopped_in_the_midst_nothing_is_left(as_alice, alice, tournament, meanwhile, monkeypatch):
    monkeypatch.setattr(kinds, "TOLD_EVERY", 0)

    def stop():
        as_alice.post(reverse("desk_job", args=[only_job().pk]), {"stop": "1"})

    meanwhile(stop)
    ask(as_alice, tournament)
    job = do_here(only_job())
    assert (job.state, job.file) == ("stopped", "")
    assert f"Stopped by {alice}" in shown(as_alice.get(reverse("desk_job", args=[job.pk])))


def test_cards_are_for_the_hosts_desk_only(as_alice, as_charlie, tournament, client):
    ask(as_alice, tournament)
    do_here(only_job())
    pages = [reverse("desk_job", args=[only_job().pk]), reverse("desk_job_file", args=[only_job().pk])]
    assert b"seat A" in b"".join(as_alice.get(pages[1]).streaming_content)
    assert as_charlie.get(pages[0]).url == reverse("desk_jobs")
    assert as_charlie.get(pages[1]).url == pages[0]
    assert ask(as_charlie, tournament).status_code == 403
    assert client.get(pages[1]).url.startswith(reverse("login"))
    assert Job.objects.count() == 1


def test_whoever_is_erased_is_on_no_card_that_was_made(as_alice, alice, tournament):
    ask(as_alice, tournament)
    job = do_here(only_job())
    gone = tournament.entries.order_by("number").first().player
    assert gone.name in job.path.read_text()
    now = timezone.now()
    personal_data.erase(gone, account=alice, today=now.date(), now=now)
    job.refresh_from_db()
    assert (job.state, job.error_words) == (
        "failed",
        "People in this file have changed since it was made. Create it again.",
    )


@pytest.mark.parametrize("paper", ["list", "cards"])
def test_an_old_link_leads_to_the_page_and_nobody_to_print_is_said_there(as_alice, alice, paper):
    tournament = make_tournament(0, account=alice, drawn=False)
    page = reverse("desk_list", args=[tournament.code])
    address = f"/desk/t/{tournament.code}/check-in/{paper}.pdf"
    assert as_alice.get(address).url == page
    assert "Nobody is entered yet." in shown(as_alice.post(address, follow=True))
    # Everybody withdrawn while it waited, or the tournament gone.
    gone = "This tournament no longer exists."
    for thing, why in ((f"tournament {tournament.pk}", "Nobody is entered"), ("tournament 0", gone)):
        about = {"paper": paper, "base_url": "http://hall"}
        told = {"kind": "door", "thing": thing, "key": thing, "language": "en", "about": about}
        job = do_here(Job.objects.create(**told, asked_by=alice, asked_at=timezone.now()))
        assert (job.state, job.error_words.startswith(why)) == ("failed", True)
    assert as_alice.get(address.replace(paper, "posters")).status_code == 404


def test_cards_are_drawn_as_they_are_asked_for_and_told_of(as_alice, alice):
    tournament = make_tournament(12, account=alice, drawn=False)
    assert "Ready: 2 pages." in shown(ask(as_alice, tournament))
    first, last = (page.extract_text() for page in PdfReader(only_job().path).pages)
    assert (first.count("Here"), last.count("Here")) == (10, 2)
