"""The desk takes in a captain's code: typed, scanned or photographed; what it says is stored once, and by whom."""

from __future__ import annotations

from io import BytesIO
from uuid import UUID, uuid4

import pytest
import segno
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from clubs.models import Role
from tests.factories import first_round, first_table, make_account, make_club, make_tournament, report
from tournaments.exports.verify.recount import differences
from tournaments.ledger import Outlook, Submission, change_seats, settle
from tournaments.ledger.recording import Author
from tournaments.ledger.report_codes import SHORT_KEY, write_code
from tournaments.models import KeptReport, LogEntry, Report, RevokedSecret, Round

WON = {"contract": "simple_game", "declarer": 1, "trump": "H", "outcome": "won"}


@pytest.fixture
def short_table(club):
    return first_table(make_tournament(4, club=club, deals_per_round=4))


def item(deal, result=WON, number=1, **more):
    key = f"{SHORT_KEY}{number + 16 * deal:010x}"
    return {"key": key, "deal": deal, "base": 0, "result": result, "made_at": None, "reason": ""} | more


def url(table, name="desk_codes"):
    return reverse(name, args=[table.round.tournament.code])


def take(client, table, *items, secret=None):
    code = write_code(items, secret or table.secret)
    return client.post(url(table), {"code": code}, follow=True).content.decode()


def decide(client, table, kept, name="desk_take_in"):
    place = [table.round.tournament.code, table.round.number, table.number, kept.pk]
    stands = table.dealt.select_related("current").filter(number=kept.item["deal"]).first()
    said = {"back": "codes", "seen": stands.current.revision if stands else 0}
    return client.post(reverse(name, args=place), said, follow=True).content.decode()


def log(table):
    return [
        entry.text
        for entry in LogEntry.objects.filter(tournament=table.round.tournament)
        if "code" in entry.text
    ]


def test_what_a_code_says_is_shown_and_counts_when_it_is_taken_in(as_alice, short_table):
    page = take(as_alice, short_table, item(1))
    assert "Table 1, round 1: decide below on deal 1." in page
    assert "Deal 1 · table 1, round 1" in page
    assert not Report.objects.exists()
    page = decide(as_alice, short_table, KeptReport.objects.get())
    assert "The report of deal 1 now counts." in page
    assert "Enter a code" in page
    stored = Report.objects.get()
    assert (stored.source, stored.author, stored.reason) == ("desk", "Alice", "came_as_code")
    assert str(stored.key) == item(1)["key"]
    assert sorted(log(short_table)) == [
        "Round {round}, table {table}: accepted a code from the captain’s phone, deals {deals}",
        "Round {round}, table {table}: accepted deal {deal} from the captain’s code",
    ]
    assert list(differences(short_table.round.tournament)) == []


def swap_first_two(table, account):
    change = {"deal": 1, "swap": [0, 1]}
    seen = Outlook(table, change).seen
    change_seats(
        table, change, seen=seen, resolved={}, reason="sat wrong", account=account, now=timezone.now()
    )
    table.refresh_from_db()


def test_a_code_made_before_seats_were_swapped_says_so_and_is_not_taken_in_unseen(
    as_alice, alice, short_table
):
    swap_first_two(short_table, alice)
    said = take(
        as_alice,
        short_table,
        item(2, turns=0),
        item(3, WON | {"declarer": 0}, turns=1),
        item(4, {"all_passed": True}, turns=0),
    )
    assert said.count("Dealer or seats have been changed in the meantime") == 1
    as_alice.post(url(short_table, "desk_take_in_codes"))
    assert sorted(Report.objects.values_list("deal_number", flat=True)) == [3, 4]
    waiting = KeptReport.objects.get(state="waiting")
    assert (waiting.item["deal"], waiting.item["turns"]) == (2, 0)
    place = [short_table.round.tournament.code, 1, short_table.number, waiting.pk]
    told = {"back": "codes", "seen": 0, "turns": len(short_table.turns)}
    as_alice.post(reverse("desk_take_in", args=place), told)
    assert Report.objects.filter(deal_number=2).count() == 1


def test_the_same_code_twice_and_the_phone_that_comes_back_are_once(as_alice, short_table):
    take(as_alice, short_table, item(1))
    assert "decide below on deal 1" in take(as_alice, short_table, item(1))
    decide(as_alice, short_table, KeptReport.objects.get())
    assert "Table 1, round 1: already counted: deal 1." in take(as_alice, short_table, item(1))

    sent = Submission(key=UUID(item(1)["key"]), deal=1, base=0, result=WON)
    assert settle(short_table, [sent], Author("captain"), now=timezone.now()).answers[0].status == "duplicate"
    assert (Report.objects.count(), KeptReport.objects.count(), len(log(short_table))) == (1, 1, 2)


def test_what_stands_is_shown_beside_it_and_set_aside_stays_readable(as_alice, short_table):
    report(short_table, 1)
    page = take(as_alice, short_table, item(1))
    assert "<s>all passed</s> → <strong>" in page
    decide(as_alice, short_table, KeptReport.objects.get(), "desk_set_aside")
    assert "already set aside (see the late reports): deal 1." in take(as_alice, short_table, item(1))
    assert Report.objects.get().result == {"all_passed": True}


def test_all_that_change_nothing_else_are_taken_in_at_once(as_alice, short_table):
    report(short_table, 2)
    page = take(
        as_alice, short_table, item(3), item(1), item(2), item(4, {"contract": "solo", "declarer": 1})
    )
    assert "Accept all 2 that change nothing else" in page
    page = as_alice.post(url(short_table, "desk_take_in_codes"), follow=True).content.decode()
    assert "2 deals count now." in page
    assert list(Report.objects.order_by("sequence").values_list("deal_number", flat=True)) == [2, 1, 3]
    assert KeptReport.objects.filter(state="waiting").count() == 2


def test_a_phone_with_a_replaced_link_is_told_from_the_others(as_alice, short_table):
    old = "an-old-secret-of-22-cha"
    RevokedSecret.objects.create(secret=old, table=short_table, revoked_at=timezone.now())
    page = take(as_alice, short_table, item(1), secret=old)
    assert "a code from a phone with a replaced link" in page


def test_a_closed_round_waits_until_it_is_reopened(as_alice, short_table):
    Round.objects.filter(pk=short_table.round_id).update(state="closed")
    page = take(as_alice, short_table, item(1))
    assert "It can be accepted when the round is open." in page
    assert "The round is not running" in decide(as_alice, short_table, KeptReport.objects.get())
    assert not Report.objects.exists()


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "Scan the code or type it."),
        ("3PSUT HVDUN BE3GB 3WXWH", "Group 4 (“3WXWH”) is mistyped, or a group before it is missing."),
        (
            write_code([item(1)], "nobody"),
            "This code was made with a link that does not belong to any table of this tournament.",
        ),
    ],
)
def test_an_error_stands_at_the_field_and_what_was_typed_stays(as_alice, short_table, typed, said):
    page = as_alice.post(url(short_table), {"code": typed}).content.decode()
    assert f'<p class="field-error" role="alert">{said}' in page
    assert f'value="{typed}"' in page or not typed
    assert not KeptReport.objects.exists()


def test_a_code_of_another_tournament_is_named_only_to_who_may_see_it(as_alice, alice, short_table):
    tved = make_club("Tved")
    Role.objects.create(account=alice, club=tved, kind=Role.Kind.HELPER)
    other = first_table(make_tournament(4, club=tved, account=alice, name="Foråret"))
    assert "another tournament: Foråret, round 1, table 1." in take(
        as_alice, short_table, item(1), secret=other.secret
    )
    foreign = first_table(make_tournament(4, club=make_club("Odder"), name="Odders"))
    page = take(as_alice, short_table, item(1), secret=foreign.secret)
    assert "This code was made with a link that does not belong to any table of this tournament" in page
    assert "Odders" not in page
    assert not KeptReport.objects.exists()


def test_helpers_may_and_strangers_may_not(as_charlie, club, short_table):
    helper = Client()
    helper.force_login(make_account("helga", club, Role.Kind.HELPER))
    assert "decide below" in take(helper, short_table, item(1))
    for name in ("desk_codes", "desk_take_in_codes"):
        assert as_charlie.post(url(short_table, name), {"code": "A"}).status_code == 403
        assert Client().post(url(short_table, name)).status_code == 302


def test_a_photograph_of_square_codes_is_read(as_alice, short_table):
    written = BytesIO()
    code = write_code([item(1), item(2)], short_table.secret).replace(" ", "")
    segno.make(code, micro=False).save(written, kind="png", scale=5)
    upload = SimpleUploadedFile("phone.png", written.getvalue())
    page = as_alice.post(url(short_table), {"code": "", "photograph": upload}, follow=True).content.decode()
    assert "decide below on deals 1, 2." in page
    for content, said in (
        (b"<svg/>", "This photograph cannot be read"),
        (blank(), "No QR code can be read in this photograph"),
    ):
        upload = SimpleUploadedFile("phone.png", content)
        assert said in as_alice.post(url(short_table), {"code": "", "photograph": upload}).content.decode()


def blank():

    written = BytesIO()
    Image.new("RGB", (90, 90), "white").save(written, "PNG")
    return written.getvalue()


def test_keys_of_any_program_are_kept_whole(as_alice, short_table):
    key = str(uuid4())
    take(as_alice, short_table, item(1, key=key, reason="æøå", made_at="2026-11-21T19:30:00+00:00"))
    kept = KeptReport.objects.get()
    assert (str(kept.key), kept.item["reason"], kept.item["made_at"]) == (
        key,
        "æøå",
        "2026-11-21T19:30:00+00:00",
    )


def test_the_page_is_found_from_board_and_late_reports(as_alice, short_table):
    for name in ("desk_board", "desk_late"):
        assert url(short_table) in as_alice.get(url(short_table, name)).content.decode()
    assert first_round(short_table.round.tournament).is_running
