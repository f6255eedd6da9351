"""An official for one hall alone: sees and does what belongs to the tables of that hall."""

from __future__ import annotations

import re

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from clubs.mail.kinds import render_letter
from clubs.models import Account, Letter
from core.errors import NotPossible
from core.jobs.models import Job
from core.jobs.queue import do_here
from tests.factories import (
    browser_of,
    make_account,
    make_club,
    make_tournament,
    report,
    tables_of,
)
from tournaments.changes.permissions import hall_to_help_in, may_help_at, tournaments_of
from tournaments.domain.halls import stored_halls
from tournaments.lifecycle import officials
from tournaments.lifecycle.halls import mark_of, set_halls
from tournaments.models import Flag, Official, SheetPicture, Tournament

TWO = stored_halls([("Sal A", "", 2), ("Sal B", "", 2)])


@pytest.fixture
def cup(club, alice):
    """A running round at four tables in two halls."""
    made = make_tournament(16, club=club, account=alice, halls=TWO)
    return Tournament.objects.get(pk=made.pk)


@pytest.fixture
def otto(db):
    return make_account("otto", make_club("Odder"))


@pytest.fixture
def there(cup, otto, alice):
    """Otto's browser; he helps in the second hall, at tables 3 and 4."""
    officials.give(cup, otto, "helper", "Sal B", account=alice, now=timezone.now())
    return browser_of(otto)


def at(name, cup, *args):
    return reverse(name, args=[cup.code, *args])


def test_the_board_has_the_halls_own_tables_alone(there, cup):
    overview = there.get(at("desk_tournament", cup))
    assert overview["Location"] == at("desk_board", cup)
    for asked in ("", "?hall=1", "?view=list", "?q=1"):
        page = there.get(at("desk_board", cup) + asked).content.decode()
        assert set(re.findall(r"/table/(\d+)/", page)) <= {"3", "4"}, asked
    assert "Sal A" not in page


@pytest.mark.parametrize("name", ["desk_table", "desk_link", "desk_slip", "desk_seats", "desk_end_table"])
def test_a_table_of_another_hall_is_refused(there, cup, name):
    assert [there.get(at(name, cup, 1, table)).status_code for table in (2, 3)] == [403, 200]


def test_buttons_work_at_ones_own_tables_and_at_no_others(there, cup, otto):
    flags = [
        Flag.objects.create(table=table, kind=Flag.Kind.CALL, raised_at=timezone.now())
        for table in tables_of(cup)
    ]
    answers = [
        there.post(at("desk_settle_flag", cup, 1, flag.table.number, flag.pk)).status_code for flag in flags
    ]
    assert answers == [403, 403, 302, 302]
    # A flag of another hall's table, by the address of one's own.
    assert there.post(at("desk_settle_flag", cup, 1, 3, flags[0].pk)).status_code == 404
    settled = Flag.objects.exclude(settled_at=None).values_list("table__number", flat=True)
    assert sorted(settled) == [3, 4]
    # Nor is a button offered to take it back, which would be for all halls.
    assert "/undo/" not in there.get(at("desk_table", cup, 1, 3)).content.decode()


def test_who_helps_in_a_hall_prints_its_sheets_and_no_others(there, cup, as_alice):
    page = there.get(at("desk_print", cup)).context
    assert {choice.kind.code for choice in page["choices"]} == {
        "blank",
        "ticked",
        "filled",
        "names",
        "tables",
        "place-cards",
        "rules",
    }
    there.post(at("desk_print_ask", cup, 1, "everything"))
    there.post(at("desk_print_ask", cup, 1, "blank"), {"hall": "1", "table": "3"})
    assert [(job.about["hall"], job.about["table"]) for job in Job.objects.order_by("pk")] == [
        (2, None),
        (2, 3),
    ]
    assert {there.get(reverse("desk_job", args=[job.pk])).status_code for job in Job.objects.all()} == {200}
    assert len(there.get(at("desk_print", cup)).context["ready"]) == 1  # the other one is a longer job
    for wrong in ({"table": "2"}, {"only": "2 3"}):
        form = there.post(at("desk_print_ask", cup, 1, "blank"), wrong).context["choices"][0].form
        assert list(form.errors.values()) == [["The round has no table with this number."]]
    for kind in ("cards", "standings", "all-rounds"):
        assert there.post(at("desk_print_ask", cup, 1, kind)).status_code == 403


def test_who_helps_in_a_hall_opens_no_file_of_other_halls(there, cup, as_alice):
    for hall in ("", "1", "2"):
        as_alice.post(at("desk_print_ask", cup, 1, "blank"), {"hall": hall})
    jobs = Job.objects.order_by("pk")
    answers = [there.get(reverse("desk_job_file", args=[job.pk])) for job in jobs]
    assert [answer.status_code for answer in answers] == [302, 302, 200]
    assert b"".join(answers[-1]).startswith(b"%PDF")
    assert len(there.get(at("desk_print", cup)).context["ready"]) == 1
    assert len(as_alice.get(at("desk_print", cup)).context["ready"]) == 2  # that of all halls is a longer job


def test_sheets_of_the_whole_tournament_are_of_no_hall(there, cup, as_alice):
    """The page sends the hall that the desk looks at with each sheet, also with those that show all halls."""
    for kind in ("cards", "names"):
        as_alice.post(at("desk_print_ask", cup, 1, kind), {"hall": "2"})
    of_all, of_hall = Job.objects.order_by("pk")
    assert ("hall" in of_all.about, of_hall.about["hall"]) == (False, 2)
    answers = [there.get(reverse("desk_job_file", args=[job.pk])) for job in (of_all, of_hall)]
    assert [answer.status_code for answer in answers] == [302, 200]
    assert b"".join(answers[-1]).startswith(b"%PDF")


def test_sheets_of_a_hall_are_not_printed_once_its_number_is_another_halls(there, cup):
    there.post(at("desk_print_ask", cup, 1, "everything"))
    first, second = cup.hall_list
    Tournament.objects.filter(pk=cup.pk).update(
        halls=stored_halls((hall.name, hall.place, hall.tables) for hall in (second, first))
    )
    assert do_here(Job.objects.get()).error.startswith("The halls have changed")


def test_who_helps_in_a_hall_sees_its_photographed_sheets_and_those_that_they_sent(there, cup, otto, alice):
    def picture(file, table, account, state="unreadable"):
        return SheetPicture.objects.create(
            tournament=cup,
            table=table,
            account=account,
            file=file,
            name=file,
            state=state,
            why="no_sheet",
            sent_at=timezone.now(),
        )

    _first, second, third, _fourth = tables_of(cup)
    mine = picture("mine", None, otto)
    others = [picture("alices", None, alice), picture("of two", second, otto, "aside")]
    of_three = picture("of three", third, alice, "aside")
    shown = [one.name for one, _why in there.get(at("desk_paper", cup)).context["against"]]
    assert shown == ["of three", "mine"]
    for one in others:
        assert there.post(at("desk_paper_again", cup, one.pk)).status_code == 404
        assert there.get(at("desk_paper_pieces", cup, one.pk)).status_code == 404
        there.post(at("desk_paper_away", cup, one.pk))
    there.post(at("desk_paper", cup), {"away": [one.pk for one in (*others, mine, of_three)]})
    assert {one.name for one in SheetPicture.objects.all()} == {"alices", "of two"}
    assert [there.get(at("desk_paper_table", cup, 1, table)).status_code for table in (2, 3)] == [403, 302]


def test_no_page_leads_to_one_that_is_refused(there, cup):
    report(tables_of(cup)[2], 1)
    seen, left = set(), {"/desk/"}
    while left:
        address = left.pop()
        seen.add(address)
        answer = there.get(address, follow=True)
        assert answer.status_code == 200, address
        links = re.findall(r'(?:href|action|hx-get)="(/desk/t/[^"?#]*)', answer.content.decode())
        left |= {link.replace("&amp;", "&") for link in links} - seen
    assert len(seen) > 10


@pytest.mark.parametrize(
    ("kind", "hall", "field"),
    [("organiser", "Sal B", "hall"), ("helper", "Sal C", "hall"), ("helper", "x" * 999, "hall")],
)
def test_bad_input_is_said_at_the_hall_and_gives_nothing(as_alice, cup, club, kind, hall, field):
    nora = make_account("nora", make_club("Viby"), "helper")
    sent = {
        "invite": "",
        "new-username": nora.username,
        "new-has_account": "on",
        "new-kind": kind,
        "new-hall": hall,
    }
    context = as_alice.post(at("desk_officials", cup), sent).context
    assert list(context["new"].errors) == [field]
    assert not Official.objects.exists()


def test_the_form_gives_one_hall_and_then_all_of_them(as_alice, cup, post_office):
    nora = make_account("nora", make_club("Viby"), "helper")
    Account.objects.filter(pk=nora.pk).update(email="nora@example.dk")
    sent = {
        "invite": "",
        "new-username": "nora",
        "new-has_account": "on",
        "new-kind": "helper",
        "new-hall": "Sal B",
    }
    as_alice.post(at("desk_officials", cup), sent)
    assert (hall_to_help_in(nora, cup).name, may_help_at(nora, cup)) == ("Sal B", False)
    assert list(tournaments_of(nora)) == [cup]
    assert "helper in Sal B" in render_letter(Letter.objects.get()).text
    assert cup.log.latest("pk").words == "Nora is a helper in Sal B at this tournament"
    as_alice.post(at("desk_officials", cup), sent | {"new-hall": ""})
    assert (hall_to_help_in(nora, cup), may_help_at(nora, cup)) == (None, True)


def test_a_hall_keeps_its_official_under_a_new_name_and_takes_the_right_along_when_it_goes(
    there, cup, otto, alice
):
    renamed = [TWO[0], TWO[1] | {"name": "Festsalen"}]
    by = {"account": alice, "now": timezone.now()}
    set_halls(cup, halls=renamed, seen=mark_of(cup), moves=True, **by)
    cup = Tournament.objects.get(pk=cup.pk)
    assert hall_to_help_in(otto, cup).name == "Festsalen"
    set_halls(cup, halls=[], seen=mark_of(cup), moves=True, **by)
    cup = Tournament.objects.get(pk=cup.pk)
    assert hall_to_help_in(otto, cup) is None
    assert there.get(at("desk_board", cup)).status_code == 403


def test_one_hall_is_for_helpers_at_a_tournament_alone(cup, otto, alice):
    with pytest.raises(IntegrityError), transaction.atomic():
        Official.objects.create(
            tournament=cup,
            account=otto,
            kind="organiser",
            hall="Sal B",
            given_by="x",
            given_at=timezone.now(),
        )
    with pytest.raises(NotPossible):
        officials.give(cup, otto, "organiser", "Sal B", account=alice, now=timezone.now())


@pytest.mark.parametrize(
    ("names", "kept"),
    [
        (["Sal A", "Sal C"], None),  # removed, and the third moves up
        (["Sal A", "Festsalen", "Sal C"], "Festsalen"),
        (["Sal B", "Sal C"], "Sal B"),
        (["Sal A", "Sal C", "Sal D"], None),
        (["Sal C", "Sal A", "Sal B"], "Sal B"),
    ],
)
def test_the_official_of_a_hall_that_is_removed_gets_no_other_hall(club, alice, otto, names, kept):
    halls = stored_halls([(name, "", 2) for name in ("Sal A", "Sal B", "Sal C")])
    cup = make_tournament(0, club=club, account=alice, drawn=False, halls=halls)
    by = {"account": alice, "now": timezone.now()}
    officials.give(cup, otto, "helper", "Sal B", **by)
    after = stored_halls([(name, "", 2) for name in names])
    set_halls(cup, halls=after, seen=mark_of(cup), moves=True, **by)
    hall = hall_to_help_in(otto, Tournament.objects.get(pk=cup.pk))
    assert (hall and hall.name) == kept
