"""Making files of sheets in the background."""

import pytest
from django.urls import reverse
from django.utils import timezone

from core.errors import NotPossible
from core.jobs import kinds as job_kinds
from core.jobs.models import Job
from core.jobs.queue import do_here
from core.pdf import render
from tests.factories import first_round, first_table, make_tournament, play_out, report
from tests.pages import texts_of
from tournaments.lifecycle.drawing import discard_draw
from tournaments.models import Tournament
from tournaments.paper import kinds
from tournaments.paper.kinds import Order

MANY = 12  # players: three tables, so that their sheets are too many to make at once


@pytest.fixture
def round_(alice):
    return first_round(make_tournament(MANY, account=alice))


@pytest.fixture
def ask(alice):
    """Ask for a kind of sheet of a round as it stands now."""

    def ask_for(round_, kind="blank", *, table=None, base_url="http://hall", language="en", **how):
        round_ = type(round_).objects.select_related("tournament__host").get(pk=round_.pk)
        order = Order(round_, base_url, timezone.now(), table)
        return kinds.ask(order, kind, language=language, account=alice, **how)

    return ask_for


def waiting():
    return Job.objects.filter(state="waiting").count()


@pytest.mark.databases
@pytest.mark.django_db(transaction=True)
def test_a_worker_makes_the_file_and_says_how_far_it_is(round_, ask, monkeypatch):
    told = []
    write = render.write

    def write_and_look(pages, title, target, *, tell, **how):
        def tell_and_look(done):
            tell(done)
            told.append((job.pk, *Job.objects.values_list("state", "done", "total").get()))

        write(pages, title, target, tell=tell_and_look, **how)

    monkeypatch.setattr(render, "write", write_and_look)
    monkeypatch.setattr(job_kinds, "TOLD_EVERY", 0)
    job = ask(round_)
    assert (job.state, job.done, job.total) == ("waiting", 0, 3)
    do_here(job)
    job.refresh_from_db()
    assert told == [(job.pk, "running", done, 3) for done in (1, 2, 3)]
    assert job.is_ready
    assert len(texts_of(job.path.read_bytes())) == 3


@pytest.mark.django_db
def test_two_pages_are_made_at_once_and_more_are_left_to_the_worker(round_, ask, undrawn):
    assert ask(round_, "names").is_ready
    assert waiting() == 0
    assert ask(round_, "blank").is_waiting
    assert waiting() == 1


@pytest.mark.django_db
def test_one_tables_sheet_can_be_had_alone(round_, ask):
    job = ask(round_, table=2)
    (text,) = texts_of(job.path.read_bytes())
    assert "Table 2" in text


@pytest.mark.databases
@pytest.mark.django_db
def test_asking_twice_is_asking_once(round_, ask, undrawn):
    assert ask(round_) == ask(round_)
    assert waiting() == 1
    job = ask(round_, at_once=True)
    assert job.is_ready
    assert ask(round_) == job


@pytest.mark.django_db
@pytest.mark.parametrize(
    "other",
    [
        {"kind": "tables"},
        {"language": "da"},
        {"base_url": "http://elsewhere"},
        {"table": 1},
        {"anew": True},
    ],
)
def test_another_wish_is_another_file(round_, ask, other, undrawn):
    assert ask(round_, at_once=True) != ask(round_, **{"kind": "blank"} | other)


@pytest.mark.django_db
def test_a_change_of_the_tournament_is_another_file(round_, ask):
    before = ask(round_, "standings")
    solo = {"contract": "solo", "declarer": 1, "trump": "D", "outcome": "won"}
    report(first_table(round_.tournament), 1, solo)
    after = ask(round_, "standings")
    assert before != after
    assert "+6" not in texts_of(before.path.read_bytes())[0]
    assert "+6" in texts_of(after.path.read_bytes())[0]


@pytest.mark.django_db
def test_a_program_that_prints_otherwise_makes_what_was_made_again(round_, ask, monkeypatch, undrawn):
    before = ask(round_, "names")
    assert ask(round_, "names") == before
    monkeypatch.setattr("tournaments.paper.kinds.look", lambda: "of the next release")
    assert ask(round_, "names") != before


@pytest.mark.django_db
def test_asking_anew_does_not_make_a_waiting_file_twice(round_, ask):
    assert ask(round_) == ask(round_, anew=True)
    assert waiting() == 1


@pytest.mark.django_db
def test_a_file_that_somebody_removed_is_made_again(round_, ask, undrawn):
    job = ask(round_, "names")
    job.path.unlink()
    assert not job.is_ready
    assert ask(round_, "names") != job


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("failure", "words"),
    [
        (OSError(28, "No space left on device"), "The file could not be written. Is the disk full?"),
        (ValueError("x"), "Something went wrong."),
    ],
)
def test_a_failure_is_said_in_words_and_can_be_tried_again(round_, ask, monkeypatch, caplog, failure, words):
    def fail(*_args, **_how):
        raise failure

    with monkeypatch.context() as broken:
        broken.setattr(render, "write", fail)
        job = ask(round_, "names")
    assert job.state == "failed"
    assert job.error_words.startswith(words)
    assert str(failure) in caplog.text
    assert ask(round_, "names").is_ready


@pytest.mark.django_db
def test_a_machine_without_pango_makes_sheets_that_the_browser_prints(round_, ask, as_alice, monkeypatch):
    import builtins
    import sys

    import core.pdf

    really_import = builtins.__import__

    def without_pango(name, *args, **kwargs):
        if name == "weasyprint":
            raise OSError("cannot load library 'libpango-1.0-0'")
        return really_import(name, *args, **kwargs)

    monkeypatch.delitem(sys.modules, "core.pdf.render")
    monkeypatch.delattr(core.pdf, "render")
    monkeypatch.setattr(builtins, "__import__", without_pango)
    job = ask(round_, "names")
    assert job.state == "done"
    assert (job.file.rpartition(".")[2], job.file_name.rpartition(".")[2]) == ("html", "html")
    answer = as_alice.get(reverse("desk_job_file", args=[job.pk]))
    html = b"".join(answer.streaming_content).decode()
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert html.count('<section class="page ') == job.total
    assert all(name in html for name in round_.seats.values_list("entry__player__name", flat=True))


@pytest.mark.django_db
def test_a_round_drawn_anew_meanwhile_is_no_failure(alice, ask):
    tournament = make_tournament(MANY, account=alice, started=False)
    job = ask(first_round(tournament))
    discard_draw(tournament, account=alice, now=timezone.now())
    job = do_here(job)
    assert (job.state, job.error_words) == (
        "failed",
        "The round has been drawn again in the meantime. Request its sheets again.",
    )
    assert Tournament.objects.get(pk=tournament.pk).rounds.count() == 0


@pytest.mark.django_db
def test_a_round_that_is_gone_is_refused(alice, ask):
    tournament = make_tournament(MANY, account=alice, started=False)
    order = Order(first_round(tournament), "http://hall", timezone.now())
    discard_draw(tournament, account=alice, now=timezone.now())
    with pytest.raises(NotPossible, match="The draw has changed"):
        kinds.ask(order, "names", language="en", account=alice)


@pytest.mark.slow
@pytest.mark.django_db
def test_every_kind_can_be_asked_for(round_, ask, undrawn):
    for table in round_.tables.all():
        play_out(table)
    for code, kind in kinds.KINDS.items():
        job = ask(round_, code, at_once=True)
        assert (job.is_ready, job.error) == (not kind.missing(round_), kind.missing(round_)), code


def test_as_many_pages_are_expected_as_are_made_of_every_kind(alice):
    round_ = first_round(
        make_tournament(MANY, account=alice, deals_per_round=80)
    )  # more deals than a page has
    order = Order(round_, "http://hall", timezone.now())
    suiting = [
        kind
        for kind in kinds.KINDS.values()
        if kind.suits(round_.tournament)
        and kind.code != kinds.EVERYTHING  # its pages are not counted beforehand
    ]
    expected = {kind.code: kinds._expected_pages(order, kind) for kind in suiting}
    assert expected == {kind.code: len(kind.pages(order)) for kind in suiting}
    assert expected["blank"] == 6
