"""What clubs owe their union: amounts, statements, payments, reminders, and who may see them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from clubs.mail.kinds import render_letter
from clubs.models import Account, Club, Gives, Letter, MemberCount, Membership
from clubs.register import keep_count
from core.errors import UserError
from core.pdf.files import NO_PANGO, CannotMake
from tests.factories import affiliate, browser_of, make_account, make_club, make_player
from tests.pages import texts_of, words
from tests.tournaments.paper.test_sheets_stamped import words_of
from tournaments.domain.amounts import in_kroner
from tournaments.models import Statement, UnionFees
from tournaments.models.club import MOST_FEE, MOST_MEMBERS, MOST_TEAMS
from tournaments.seasons.dues import (
    Fees,
    Posted,
    charges_of,
    fees_of,
    make_statements,
    remind,
    statements_to,
    store_fees,
    tick_paid,
)

VOTES = [[1, 1], [20, 2], [40, 3]]
FEES = {
    "per_member": 7550,
    "least": 15000,
    "per_team": 20000,
    "votes": VOTES,
    "days": 30,
    "pay_to": "1234 567",
}


@pytest.mark.parametrize(
    ("members", "owed", "votes"),
    [
        (0, 15000, 0),
        (1, 15000, 1),
        (2, 15100, 1),
        (19, 143450, 1),
        (20, 151000, 2),
        (40, 302000, 3),
        (99, 747450, 3),
    ],
)
def test_a_club_pays_for_each_member_and_at_least_the_least_fee(members, owed, votes) -> None:
    fees = Fees(7550, 15000, 20000, VOTES)
    assert (fees.for_members(members), fees.votes_of(members)) == (owed, votes)


@pytest.fixture
def union(club) -> Club:
    """A union of Stilling with three members, Viby with one, and Odder, which gives no names."""
    union = make_club("Fyns Forbund")
    affiliate(club, union)
    affiliate(make_club("Viby"), union)
    affiliate(make_club("Odder"), union, gives=Gives.NOTHING)
    for place, name in enumerate(("Anna", "Bo", "Carl"), start=1):
        make_player(name, club, place)
    make_player("Dora", Club.objects.get(name="Viby"), 1)
    return union


@pytest.fixture
def ulla(union) -> Account:
    return make_account("ulla", union)


@pytest.fixture
def count(union, ulla) -> MemberCount:
    now = timezone.now()
    store_fees(union, FEES, account=ulla, now=now)
    return keep_count(union, timezone.localdate(now), account=ulla, now=now)


@pytest.fixture
def statements(count, ulla) -> list[Statement]:
    charges = charges_of(count, fees_of(count.union))
    return make_statements(count, charges, account=ulla, now=timezone.now()).unsent


def test_statements_are_made_of_the_count_and_leave_out_clubs_that_give_no_names(statements) -> None:
    assert [(one.number, one.club.name, one.members, one.total, one.votes) for one in statements] == [
        (1, "Stilling", 3, 22650, 1), (2, "Viby", 1, 15000, 1),
    ]  # fmt: skip
    assert {one.due for one in statements} == {timezone.localdate() + timedelta(days=30)}


def test_what_changes_afterwards_does_not_change_a_statement(union, ulla, statements) -> None:
    Membership.objects.all().delete()
    store_fees(union, FEES | {"per_member": 1}, account=ulla, now=timezone.now())
    assert list(Statement.objects.order_by("number").values_list("total", flat=True)) == [22650, 15000]


def test_a_club_gets_one_statement_by_a_count(count, ulla, statements) -> None:
    fees = fees_of(count.union)
    assert [one.name for one in charges_of(count, fees)] == ["Odder"]
    stale = charges_of(MemberCount(union=count.union, day=count.day, rows=count.rows, pk=0), fees)
    with pytest.raises(UserError):
        make_statements(count, stale, account=ulla, now=timezone.now())
    typed = charges_of(
        count, fees, {row["club"]: 25 for row in count.rows}, {row["club"]: 2 for row in count.rows}
    )
    (odder,) = make_statements(count, typed, account=ulla, now=timezone.now()).unsent
    assert (odder.number, odder.members, odder.teams, odder.total, odder.votes) == (3, 25, 2, 228750, 2)


@pytest.mark.databases
def test_the_largest_sum_that_can_be_typed_is_stored(count, ulla) -> None:
    most = {"per_member": MOST_FEE, "least": MOST_FEE, "per_team": MOST_FEE}
    store_fees(count.union, FEES | most, account=ulla, now=timezone.now())
    odder = Club.objects.get(name="Odder").pk
    charges = charges_of(count, fees_of(count.union), {odder: MOST_MEMBERS}, {odder: MOST_TEAMS})
    make_statements(count, charges, account=ulla, now=timezone.now())
    stored = Statement.objects.get(club=odder)
    assert (stored.for_members, stored.for_teams, stored.total) == (5_000_000_000, 200_000_000, 5_200_000_000)
    page = browser_of(ulla).get("/clubs/fyns-forbund/dues/")
    assert page.context["open"] == in_kroner(5_200_000_000 + 4 * MOST_FEE)


def test_paid_twice_is_paid_once_and_can_be_unticked(union, ulla, statements) -> None:
    now = timezone.now()
    for paid, state in ((True, "paid"), (True, "paid"), (False, "open")):
        tick_paid(statements[0], paid=paid, account=ulla, now=now)
        statements[0].refresh_from_db()
        assert statements[0].state == state
    assert statements[0].paid_on is None
    assert union.log.filter(text__startswith="Statement {number}").count() == 2


@pytest.fixture
def _mail(settings) -> None:
    settings.MAIL_SERVER = object()


def address(account: Account) -> Account:
    Account.objects.filter(pk=account.pk).update(email=f"{account.username}@example.dk")
    account.refresh_from_db()
    return account


def numbers(posted: Posted) -> tuple[list[int], list[int]]:
    return [one.number for one in posted.sent], [one.number for one in posted.unsent]


@pytest.mark.usefixtures("_mail")
def test_organisers_get_a_letter_and_one_reminder_a_day(alice, count, ulla) -> None:
    address(alice)
    now = timezone.now()
    made = make_statements(count, charges_of(count, fees_of(count.union)), account=ulla, now=now)
    assert numbers(made) == ([1], [2])
    # Nobody at Viby has an address: it is not reminded, and stays to be tried.
    for day, reached in ((0, [1]), (0, []), (1, [1])):
        later = now + timedelta(days=day)
        assert numbers(remind(Statement.objects.all(), account=ulla, now=later)) == (reached, [2])
    letters = Letter.objects.order_by("pk").values_list("to", "facts__reminder")
    assert list(letters) == [("alice@example.dk", 0), ("alice@example.dk", 1), ("alice@example.dk", 2)]
    reminded = [(one.reminders, one.reminded_at is None) for one in Statement.objects.order_by("number")]
    assert reminded == [(2, False), (0, True)]
    assert count.union.log.filter(text__startswith="Reminded").count() == 2


@pytest.mark.usefixtures("_mail")
def test_a_letter_is_in_the_list_of_the_club_that_gets_it_not_of_the_union(alice, union, count, ulla) -> None:
    address(alice)
    now = timezone.now()
    make_statements(count, charges_of(count, fees_of(union)), account=ulla, now=now)
    remind(Statement.objects.all(), account=ulla, now=now)
    assert list(Letter.objects.values_list("club__name", flat=True)) == ["Stilling", "Stilling"]
    assert "alice@example.dk" not in browser_of(ulla).get("/clubs/fyns-forbund/letters/").content.decode()
    assert render_letter(Letter.objects.earliest("pk")).subject == "Opgørelse 1 fra Fyns Forbund"


@pytest.mark.usefixtures("_mail")
def test_who_has_paid_is_not_reminded(alice, ulla, statements) -> None:
    address(alice)
    address(make_account("vera", statements[1].club))
    tick_paid(statements[0], paid=True, account=ulla, now=timezone.now())
    assert numbers(remind(Statement.objects.all(), account=ulla, now=timezone.now())) == ([2], [])
    assert list(Statement.objects.order_by("number").values_list("reminders", flat=True)) == [0, 1]


NO_EMAIL = "No email went to {}: no mail server is set up, or no organiser there can be written to."


@pytest.mark.parametrize(
    ("mail", "said"),
    [
        (object(), f"1 club has been reminded. {NO_EMAIL.format('Viby')}"),
        (None, NO_EMAIL.format("Stilling, Viby")),
    ],
)
def test_clubs_that_got_no_reminder_are_named(alice, union, ulla, statements, settings, mail, said) -> None:
    address(alice)
    settings.MAIL_SERVER = mail
    union.statements_made.update(due=timezone.localdate() - timedelta(days=1))
    page = browser_of(ulla).post("/clubs/fyns-forbund/dues/remind/", follow=True)
    assert [str(one) for one in page.context["messages"]] == [said]


@pytest.mark.usefixtures("_mail")
@pytest.mark.parametrize(
    "typed", ["", "x", "-1", "1.5", "\N{SUPERSCRIPT TWO}", "0", "9" * 9, "9" * 10, "9" * 30, "1 2"]
)
def test_a_number_of_no_statement_reminds_nobody(alice, union, ulla, statements, typed) -> None:
    address(alice)
    union.statements_made.update(due=timezone.localdate() - timedelta(days=1))
    page = browser_of(ulla).post("/clubs/fyns-forbund/dues/remind/", {"statement": typed}, follow=True)
    assert [str(one) for one in page.context["messages"]] == ["There is nobody left to remind today."]
    assert not Letter.objects.exists()


def test_clubs_that_got_no_email_of_their_statement_are_named(count, ulla) -> None:
    browser, here = browser_of(ulla), f"/clubs/fyns-forbund/dues/new/{count.pk}/"
    page = browser.get(here)
    form = page.context["form"]
    typed = {name: "" if form[name].initial is None else form[name].initial for name in form.fields}
    page = browser.post(here, typed | {"seen": page.context["seen"]}, follow=True)
    said = [f"2 statements have been made. {NO_EMAIL.format('Stilling, Viby')}"]
    assert [str(one) for one in page.context["messages"]] == said


def test_the_clubs_organiser_has_the_open_statement_at_the_desk(
    as_alice, alice, union, ulla, statements
) -> None:
    assert [one.number for one in statements_to(alice)] == [1]
    assert "Statement 1 from Fyns Forbund to Stilling: 226.50 kr." in words(
        as_alice.get("/desk/").content.decode()
    )
    tick_paid(statements[0], paid=True, account=ulla, now=timezone.now())
    assert list(statements_to(alice)) == []


def test_a_statement_is_seen_by_the_union_and_its_club_alone(as_alice, union, ulla, statements) -> None:
    mine, others = statements
    vera = browser_of(make_account("vera", others.club))
    helper = browser_of(make_account("hans", union, "helper"))
    for browser, statement, at, answer in (
        (as_alice, mine, "stilling", 200),
        (as_alice, others, "stilling", 404),
        (as_alice, others, "viby", 403),
        (as_alice, mine, "fyns-forbund", 403),
        (vera, mine, "viby", 404),
        (helper, mine, "fyns-forbund", 403),
        (browser_of(ulla), mine, "fyns-forbund", 200),
        (browser_of(ulla), others, "fyns-forbund", 200),
    ):
        for end in ("", "statement.pdf"):
            assert browser.get(f"/clubs/{at}/statements/{statement.pk}/{end}").status_code == answer
    assert as_alice.post(f"/clubs/stilling/dues/{mine.pk}/paid/", {"paid": ""}).status_code == 404
    assert as_alice.post(f"/clubs/fyns-forbund/dues/{mine.pk}/paid/", {"paid": ""}).status_code == 403


@pytest.mark.parametrize("slug", ["fyns-forbund", "stilling"])
def test_who_cannot_get_the_pdf_is_back_at_the_page_of_their_own_club(
    as_alice, ulla, statements, monkeypatch, slug
) -> None:
    def refuse(*_args: object, **_options: object) -> bytes:
        raise CannotMake(NO_PANGO)

    monkeypatch.setattr("tournaments.desk.club.dues.statement_pdf", refuse)
    browser = {"fyns-forbund": browser_of(ulla), "stilling": as_alice}[slug]
    here = f"/clubs/{slug}/statements/{statements[0].pk}/"
    answer = browser.get(f"{here}statement.pdf", follow=True)
    assert (answer.redirect_chain, answer.status_code) == ([(here, 302)], 200)


def test_the_pdf_has_the_amounts_and_the_votes(ulla, statements) -> None:
    page = browser_of(ulla).get(f"/clubs/fyns-forbund/statements/{statements[0].pk}/statement.pdf")
    (text,) = texts_of(page.content)
    for part in ("Statement 1", "Stilling", "3 members, 75.50 kr. each", "226.50", "1234 567", "1 vote"):
        assert part in text


def test_the_amounts_are_within_the_margins_of_the_page(ulla, statements, tmp_path) -> None:
    page = browser_of(ulla).get(f"/clubs/fyns-forbund/statements/{statements[0].pk}/statement.pdf")
    (tmp_path / "x.pdf").write_bytes(page.content)
    ends = {word: right for word, _left, _top, right, _bottom in words_of(tmp_path / "x.pdf")}
    # Points from the left of A4: the right margin begins at 200.1 mm.
    assert {word: ends[word] < 200.5 / 25.4 * 72 for word in ("226.50", "kr.", "Stilling")} == {
        "226.50": True,
        "kr.": True,
        "Stilling": True,
    }


def test_fees_are_typed_in_kroner_and_votes_by_lines(union, ulla) -> None:
    browser = browser_of(ulla)
    typed = {
        "per_member": "75,50",
        "least": "150",
        "per_team": "",
        "votes": "1: 1\n20: 2",
        "days": "14",
        "pay_to": "",
    }
    for name, wrong in (("votes", "20: 2\n10: 3"), ("votes", "many"), ("per_member", "-3"), ("days", "0")):
        page = browser.post("/clubs/fyns-forbund/dues/fees/", typed | {name: wrong})
        assert list(page.context["form"].errors) == [name]
    assert not UnionFees.objects.exists()
    browser.post("/clubs/fyns-forbund/dues/fees/", typed)
    stored = UnionFees.objects.get()
    assert (stored.per_member, stored.least, stored.per_team, stored.votes, stored.days) == (
        7550, 15000, 0, [[1, 1], [20, 2]], 14,
    )  # fmt: skip


def test_statements_are_made_as_they_were_shown(union, count, ulla) -> None:
    browser, here = browser_of(ulla), f"/clubs/fyns-forbund/dues/new/{count.pk}/"
    page = browser.get(here)
    form, seen = page.context["form"], page.context["seen"]
    typed = {name: "" if form[name].initial is None else form[name].initial for name in form.fields}
    odder = Club.objects.get(name="Odder")
    store_fees(union, FEES | {"per_member": 10000}, account=ulla, now=timezone.now())
    page = browser.post(here, typed | {"seen": seen})
    assert "The amounts have changed since you saw them." in words(page.content.decode())
    assert not Statement.objects.exists()
    page = browser.post(here, typed | {f"members-{odder.pk}": "20", f"teams-{odder.pk}": "1", "look": ""})
    typed |= {f"members-{odder.pk}": "20", f"teams-{odder.pk}": "1", "seen": page.context["seen"]}
    for _time in range(2):
        browser.post(here, typed)
    assert list(Statement.objects.order_by("number").values_list("club__name", "total")) == [
        ("Odder", 220000), ("Stilling", 30000), ("Viby", 15000),
    ]  # fmt: skip


def test_a_number_that_cannot_be_is_refused_at_its_field(count, ulla) -> None:
    odder = Club.objects.get(name="Odder")
    page = browser_of(ulla).post(
        f"/clubs/fyns-forbund/dues/new/{count.pk}/",
        {f"teams-{odder.pk}": "x", f"members-{odder.pk}": "-1"},
    )
    assert {f"teams-{odder.pk}", f"members-{odder.pk}"} <= set(page.context["form"].errors)
    assert not Statement.objects.exists()


def test_the_treasurers_file_has_every_statement(ulla, statements) -> None:
    tick_paid(statements[1], paid=True, account=ulla, now=timezone.now())
    page = browser_of(ulla).get("/clubs/fyns-forbund/dues/statements.csv")
    lines = page.content.decode("utf-8-sig").splitlines()
    assert [line.split(",")[:2] + line.split(",")[4:9] for line in lines] == [
        ["Number", "Club", "Fee for members", "Teams", "Fee for teams", "In all", "Votes"],
        ["1", "Stilling", "226.5", "0", "0", "226.5", "1"],
        ["2", "Viby", "150", "0", "0", "150", "1"],
    ]


def test_a_club_that_is_no_union_makes_no_statements(as_alice, club) -> None:
    assert as_alice.get(f"/clubs/{club.slug}/dues/").status_code == 200
    assert as_alice.get(f"/clubs/{club.slug}/dues/fees/").status_code == 404
