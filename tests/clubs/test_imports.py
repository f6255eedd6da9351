"""Carrying an import out: everything or nothing, and only what was seen."""

from __future__ import annotations

from datetime import date, timedelta
from io import BytesIO

import pytest
from django.urls import reverse
from django.utils import timezone, translation

from clubs.import_plan import NEW, Kind
from clubs.member_import import confirm, dry_run, store_upload
from clubs.members import ALL, export_members, member_lines, memberships_of
from clubs.models import MemberImport, Membership, Player
from tests.factories import make_account, make_club, make_player
from tests.languages import LANGUAGES

pytestmark = pytest.mark.databases

TODAY = date(2026, 11, 21)


@pytest.fixture
def anna(club) -> Player:
    return make_player("Anna Hansen", club, 12)


@pytest.fixture
def bo(club) -> Player:
    return make_player("Bo Krogh", club, 13)


def upload(club, account, text: str) -> MemberImport:
    return store_upload(club, account, "list.csv", text.encode(), joined=TODAY, now=timezone.now())


def run(upload: MemberImport, choices: dict[int, str] | None = None) -> list[Kind]:
    shown = dry_run(upload, choices)
    confirmed = confirm(upload, choices or {}, shown.fingerprint, timezone.now())
    return [line.kind for line in confirmed.plan.lines] if confirmed.is_done else []


def members(club) -> list[tuple[object, ...]]:
    return list(club.memberships.order_by("number").values_list("number", "player__name", "joined", "left"))


def test_new_changed_and_unchanged_members(club, alice, anna, bo) -> None:
    text = "Nr;Navn;Tlf;Indmeldt\n12;ANNA HANSEN;11;\n13;Bo Krogh;;\n14;Carl Dam;;1.2.2024\n15;Dora Friis;;\n"
    assert run(upload(club, alice, text)) == [Kind.CHANGED, Kind.UNCHANGED, Kind.NEW, Kind.NEW]
    assert members(club) == [
        (12, "Anna Hansen", date(2020, 1, 1), None),
        (13, "Bo Krogh", date(2020, 1, 1), None),
        (14, "Carl Dam", date(2024, 2, 1), None),
        (15, "Dora Friis", TODAY, None),
    ]
    anna.refresh_from_db()
    assert anna.phone == "11"


def test_two_members_exchange_numbers(club, alice, anna, bo) -> None:
    done = run(
        upload(club, alice, "Nr;Navn\n13;Anna Hansen\n12;Bo Krogh\n"),
        {2: f"same-{anna.memberships.get().pk}", 3: f"same-{bo.memberships.get().pk}"},
    )
    assert done == [Kind.CHANGED, Kind.CHANGED]
    assert [name for _number, name, *_days in members(club)] == ["Bo Krogh", "Anna Hansen"]


def test_a_number_passes_from_who_leaves_to_who_joins(club, alice, anna) -> None:
    text = "Nr;Navn;Udmeldt\n12;Anna Hansen;1.1.2026\n12;Carl Dam;\n"
    assert run(upload(club, alice, text)) == [Kind.CHANGED, Kind.NEW]
    assert [(number, left) for number, _name, _joined, left in members(club)] == [
        (12, date(2026, 1, 1)),
        (12, None),
    ]


def test_a_member_of_another_club_of_mine_joins_as_the_same_player(alice, club) -> None:
    viby = make_club("Viby")
    viby.roles.create(account=alice, kind="organiser")
    dora = make_player("Dora Friis", viby, 7)
    assert run(upload(club, alice, "Navn\nDora Friis\n"), {2: f"same-{dora.memberships.get().pk}"}) == [
        Kind.JOINS
    ]
    assert set(dora.memberships.values_list("club__name", flat=True)) == {"Stilling", "Viby"}
    assert Player.objects.count() == 1


def test_a_year_of_birth_is_stored_changed_and_kept_where_the_list_has_none(club, alice, anna) -> None:
    run(upload(club, alice, "Nr;Navn;Født\n12;Anna Hansen;1950\n14;Carl Dam;1948\n"))
    assert dict(Player.objects.values_list("name", "birth_year")) == {"Anna Hansen": 1950, "Carl Dam": 1948}
    assert run(upload(club, alice, "Nr;Navn;Født\n12;Anna Hansen;\n14;Carl Dam;1949\n")) == [
        Kind.UNCHANGED, Kind.CHANGED,
    ]  # fmt: skip
    assert dict(Player.objects.values_list("name", "birth_year")) == {"Anna Hansen": 1950, "Carl Dam": 1949}


def test_a_namesake_of_another_year_is_asked_about(club, alice, anna) -> None:
    Player.objects.filter(pk=anna.pk).update(birth_year=1950)
    (line,) = dry_run(upload(club, alice, "Navn;Født\nAnna Hansen;1980\n")).plan.questions
    assert (line.kind, len(line.choices)) == (Kind.DOUBTFUL, 3)
    assert [one.kind for one in dry_run(upload(club, alice, "Navn;Født\nAnna Hansen;1950\n")).plan.lines] == [
        Kind.UNCHANGED
    ]


@pytest.mark.parametrize(
    ("text", "contact"),
    [
        ("Navn;Mail;Tlf\nAnna Hansen;;\n", ("a@x.dk", "11 22 33 44")),
        ("Navn;Mail\nAnna Hansen;b@x.dk\n", ("b@x.dk", "11 22 33 44")),
    ],
)
def test_who_comes_back_to_the_club_keeps_the_contact_that_the_list_does_not_have(
    club, alice, anna, text, contact
) -> None:
    Player.objects.filter(pk=anna.pk).update(email="a@x.dk", phone="11 22 33 44")
    anna.memberships.update(left=date(2023, 1, 1))
    assert run(upload(club, alice, text), {2: f"same-{anna.memberships.get().pk}"}) == [Kind.JOINS]
    assert Player.objects.values_list("email", "phone").get() == contact


def test_members_of_clubs_i_have_no_role_in_are_never_shown(alice, club) -> None:
    make_player("Dora Friis", make_club("Viby"), 7)
    assert [line.kind for line in dry_run(upload(club, alice, "Navn\nDora Friis\n")).plan.lines] == [Kind.NEW]


def test_refused_rows_are_left_out(club, alice, anna) -> None:
    assert run(upload(club, alice, "Nr;Navn\nx;Bo\n14;Carl Dam\n")) == [Kind.REFUSED, Kind.NEW]
    assert [number for number, *_rest in members(club)] == [12, 14]


def test_nothing_is_imported_while_a_row_is_doubtful(club, alice, anna) -> None:
    assert run(upload(club, alice, "Nr;Navn\n14;Carl Dam\n15;Anna Hansen\n")) == []
    assert [number for number, *_rest in members(club)] == [12]


def test_nothing_is_imported_if_the_members_have_changed_since(club, alice, anna) -> None:
    waiting = upload(club, alice, "Nr;Navn\n14;Carl Dam\n")
    seen = dry_run(waiting).fingerprint
    make_player("Bo Krogh", club, 14)
    shown = confirm(waiting, {}, seen, timezone.now())
    assert waiting.applied_at is None
    assert [line.kind for line in shown.plan.lines] == [Kind.DOUBTFUL]
    assert [name for _number, name, *_days in members(club)] == ["Anna Hansen", "Bo Krogh"]


def test_nothing_is_imported_if_a_choice_makes_another_row_refused(club, alice, anna) -> None:
    waiting = upload(club, alice, "Nr;Navn\n12;Helt Anden\n")
    shown = confirm(waiting, {2: NEW}, dry_run(waiting).fingerprint, timezone.now())
    assert (waiting.applied_at, shown.plan.refused) == (None, [2])


def test_an_import_that_fails_half_way_does_nothing(club, alice, anna, monkeypatch) -> None:
    waiting = upload(club, alice, "Nr;Navn\n12;ANNA HANSEN\n14;Carl Dam\n")
    shown = dry_run(waiting)
    monkeypatch.setattr(Membership.objects, "bulk_create", None)
    with pytest.raises(TypeError):
        confirm(waiting, {}, shown.fingerprint, timezone.now())
    assert [name for _number, name, *_days in members(club)] == ["Anna Hansen"]
    assert Player.objects.count() == 1


def test_the_list_is_forgotten_once_it_is_imported(club, alice) -> None:
    waiting = upload(club, alice, "Navn\nAnna\n")
    run(waiting)
    waiting.refresh_from_db()
    assert waiting.contents == {}


def test_lists_that_nobody_confirmed_are_forgotten_after_a_day(club, alice) -> None:
    old = upload(club, alice, "Navn\nAnna\n")
    MemberImport.objects.update(made_at=timezone.now() - timedelta(days=1, seconds=1))
    new = upload(club, alice, "Navn\nAnna\n")
    assert list(MemberImport.objects.all()) == [new]
    assert old != new


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_export_imported_again_changes_nothing(club, alice, kind, language) -> None:
    for number, name in enumerate(
        ("=cmd()", '-Anna; "Ann" Ærø', "'t Hart", "@🂡", "x" * 200, "Bo, Krogh"), start=1
    ):
        player = make_player(name, club, number)
        player.phone, player.email = "+45 12 34 56 78", f"p{number}@example.dk"
        player.birth_year = 1900 + number
        player.save()
    make_player("Uden Nummer", club)
    make_player("Uden Nummer", club)
    make_player("Gået", club, 99).memberships.update(number=3, left=date(2024, 1, 1))
    memberships = memberships_of(club, who=ALL, query="", today=TODAY)
    with translation.override(language):
        export_members(file := BytesIO(), club, member_lines(memberships), kind)
        waiting = store_upload(club, alice, "x", file.getvalue(), joined=TODAY, now=timezone.now())
    assert {line.kind for line in dry_run(waiting).plan.lines} == {Kind.UNCHANGED}


def test_a_helper_of_another_club_is_not_asked_about_its_people(club) -> None:
    helper = make_account("helper", club, "helper")
    viby = make_club("Viby")
    make_player("Anna Hansen", viby, 1)
    assert dry_run(upload(club, helper, "Navn\nAnna Hansen\n")).plan.counts == {Kind.NEW: 1}


@pytest.mark.parametrize(
    "text",
    [
        'Navn;Tlf;Mail\n"Hansen, Anna";62521040;ANNA@example.dk\n',
        "Navn;Tlf;Mail\nANNA HANSEN;+45 62 52 10 40;anna@example.dk\n",
        "Nr;Navn;Tlf\n0012;Anna Hansen;0045 62521040\n",
        "Navn;Tlf;Mail\nAnna Hansen;(+45) 6252-1040;anna(at)example.dk\n",
    ],
)
def test_one_person_written_in_another_way_is_one_person_and_unchanged(club, alice, anna, text) -> None:
    Player.objects.filter(pk=anna.pk).update(phone="62 52 10 40", email="anna@example.dk")
    assert run(upload(club, alice, text)) == [Kind.UNCHANGED]
    anna.refresh_from_db()
    assert (anna.name, anna.phone, anna.email) == ("Anna Hansen", "62 52 10 40", "anna@example.dk")


def test_a_member_stored_with_the_surname_first_is_the_same_and_put_right(club, alice) -> None:
    make_player("Lund, Anna", club, 5)
    assert run(upload(club, alice, "Navn\nAnna Lund\n")) == [Kind.CHANGED]
    assert [name for _number, name, *_days in members(club)] == ["Anna Lund"]


def test_another_number_is_another_number(club, alice, anna) -> None:
    Player.objects.filter(pk=anna.pk).update(phone="62 52 10 40")
    assert run(upload(club, alice, "Nr;Navn;Tlf\n12;Anna Hansen;+46 62 52 10 40\n")) == [Kind.CHANGED]


def test_the_dry_run_tells_what_was_read_otherwise_or_left_out(club, as_alice, alice) -> None:
    waiting = upload(club, alice, 'Navn;Mail\n"Lund, Anna";ingen\n')
    page = as_alice.get(reverse("import_dry_run", args=[club.slug, waiting.pk])).content.decode()
    assert "“Lund, Anna” is read as Anna Lund." in page
    assert "“ingen” is not an email address. It is left out." in page


@pytest.mark.parametrize("heading", ["Klub", "Club", "Klubb", "Klubnavn"])
def test_rows_of_another_club_are_refused_and_not_made_members_of_this_one(club, alice, heading) -> None:
    make_club("Viby")
    sheet = f"Navn;{heading}\nAnna Holm;stilling\nBo Krogh;VIBY\nCarl Lund;\nDora Ny;Ukendt\n"
    run, done = imported_with_club(club, alice, sheet)
    assert [(line.row.name, line.kind.value) for line in run.plan.lines] == [
        ("Anna Holm", "new"), ("Bo Krogh", "refused"), ("Carl Lund", "new"), ("Dora Ny", "new"),
    ]  # fmt: skip
    _anna, bo, _carl, dora = run.plan.lines
    assert [(one.column, one.text) for one in bo.problems] == [
        (heading, "This row belongs to Viby: import it on that club’s page.")
    ]
    assert [one.text for one in dora.notes] == [
        "There is no club called Ukendt here; the row is treated as this club’s."
    ]
    assert done.is_done
    assert {str(one.player) for one in club.memberships.all()} == {"Anna Holm", "Carl Lund", "Dora Ny"}


def test_a_club_that_a_whole_list_calls_otherwise_is_this_one(club, alice) -> None:
    run, _done = imported_with_club(club, alice, "Navn;Klub\nAnna Holm;Stilling LK\nBo Krogh;Stilling LK\n")
    assert [(line.kind.value, line.notes) for line in run.plan.lines] == [("new", ()), ("new", ())]


def imported_with_club(club, alice, sheet):
    upload = store_upload(club, alice, "a.csv", sheet.encode(), joined=date(2026, 1, 1), now=timezone.now())
    run = dry_run(upload)
    return run, confirm(upload, {}, run.fingerprint, timezone.now())
