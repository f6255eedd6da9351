"""What is printed of the money: the payment list, its receipts, those for entry fees."""

from __future__ import annotations

from io import BytesIO

import pytest
from django.urls import reverse
from django.utils import timezone
from pypdf import PdfReader

from core.jobs.models import Job
from core.jobs.queue import do_here
from tests.tournaments.desk.money.pages import ask, make_list, page, printed, text_of, tick
from tests.tournaments.paper.test_sheets_places import words_in
from tournaments.entries import entering, personal_data
from tournaments.paper import printing


@pytest.mark.parametrize(("paper", "said"), [("list", "Payment list"), ("receipts", "Receipt 1")])
def test_the_papers_name_payer_payee_and_amount(as_alice, finished, paper, said):
    assert "There is no payment list yet" in ask(as_alice, finished, paper)
    make_list(as_alice, finished)
    data = printed(as_alice, finished, paper)
    pages, text = PdfReader(BytesIO(data)).pages, text_of(data)
    assert len(pages) == (1 if paper == "list" else 2)
    for wanted in (said, "Bo Krogh", "The club’s cash box", "201.00"):
        assert wanted in text
    assert [round(float(side)) for side in pages[0].mediabox[2:]] == [595, 842]
    # An old link leads to the page, which has what was made and says when a tick has made it old.
    url = reverse("desk_money_print", args=[finished.code, paper])
    assert as_alice.get(url).url == reverse("desk_money", args=[finished.code])
    assert "Made earlier" in page(as_alice, finished)
    assert "something has changed since" not in page(as_alice, finished)
    tick(as_alice, finished, 1)
    assert "something has changed since" in page(as_alice, finished)


def test_many_receipts_are_a_job_that_erasing_takes_back_and_strangers_do_not_see(
    as_alice, as_charlie, alice, finished, monkeypatch
):
    monkeypatch.setattr(printing, "PAGES_AT_ONCE", 1)
    make_list(as_alice, finished)
    for _twice in range(2):
        assert "You can leave this page" in ask(as_alice, finished, "receipts")
    job = Job.objects.get()
    assert (job.total, job.done) == (2, 0)
    assert do_here(job).is_ready
    assert "Ready: 2 pages." in ask(as_alice, finished, "receipts")
    address = reverse("desk_job_file", args=[job.pk])
    assert b"".join(as_alice.get(address).streaming_content).startswith(b"%PDF")
    assert as_charlie.get(address).status_code == 302
    assert as_charlie.get(reverse("desk_job", args=[job.pk])).url == reverse("desk_jobs")
    now = timezone.now()
    personal_data.erase(finished.entries.get(number=1).player, account=alice, today=now.date(), now=now)
    job.refresh_from_db()
    assert (job.state, job.error_words) == (
        "failed",
        "People in this file have changed since it was made. Create it again.",
    )


def test_a_list_made_anew_while_its_receipts_wait_is_what_they_say(as_alice, finished, monkeypatch):
    monkeypatch.setattr(printing, "PAGES_AT_ONCE", 0)
    make_list(as_alice, finished, "each_other")
    ask(as_alice, finished, "list")
    make_list(as_alice, finished, "cashier")
    job = do_here(Job.objects.get())
    assert "everyone settles with the club’s cashier" in text_of(job.path.read_bytes())
    finished.payments.all().delete()
    Job.objects.filter(pk=job.pk).update(state="waiting")
    gone = do_here(Job.objects.get(pk=job.pk))
    assert (gone.state, gone.error_words) == ("failed", "There is no payment list yet.")


def test_a_paper_that_is_none(as_alice, finished):
    assert as_alice.get(reverse("desk_money_print", args=[finished.code, "x"])).status_code == 404


def test_entry_fees_are_receipted_at_the_check_in_one_by_one_or_all(as_helper, alice, played):
    url = reverse("desk_money_print", args=[played.code, "fees"])
    all_of_them = text_of(printed(as_helper, played, "fees"))
    paid = played.entries.filter(fee_paid=True).select_related("player")
    assert all(entry.player.name in all_of_them for entry in paid)
    assert all_of_them.count("Entry fee") == paid.count()
    one = paid.first()
    alone = text_of(as_helper.get(f"{url}?player={one.number}").content)
    assert (alone.count("Entry fee"), one.player.name in alone) == (1, True)
    row = as_helper.get(reverse("desk_check_in", args=[played.code])).content.decode()
    assert row.count("Receipt<") == paid.count()
    entering.mark_paid(one, paid=False, account=alice, now=timezone.now())
    nobody = as_helper.get(f"{url}?player={one.number}", follow=True).content.decode()
    assert "Nobody has paid" in nobody


def test_the_lines_of_a_receipt_stand_below_each_other(as_alice, finished, tmp_path):
    make_list(as_alice, finished)
    path = tmp_path / "receipts.pdf"
    path.write_bytes(printed(as_alice, finished, "receipts"))
    page = words_in(path)[0]
    height = {text: at for _left, _right, at, text in reversed(page)}
    assert height["Receipt"] + 4 < height["Paid"] < height["To"] - 4
    assert height["To"] + 4 < height["signature"] < 60
