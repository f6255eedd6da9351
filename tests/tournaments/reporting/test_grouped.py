"""Reports that wait while others are stored are stored in one transaction, and each is answered as if by itself."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, nullcontext
from uuid import uuid4

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import OperationalError, connection, connections, transaction

from config.wsgi import application as program
from core.database import keep_transactions_open
from core.errors import NotPossible
from core.serving.groups import Groups
from tests.bench.stage import ROOT
from tests.bench.wire import wsgi_post
from tests.factories import make_account, make_club, make_tournament, tables_of
from tests.patience import PATIENCE
from tournaments.ledger import changed_at_the_end
from tournaments.models import DealSum, Report, Tournament

pytestmark = [pytest.mark.databases, pytest.mark.django_db(transaction=True)]

PASSED = {"all_passed": True}


@pytest.fixture
def tables(club):
    keep_transactions_open()  # Django's test client connects Django's own receiver again
    return tables_of(make_tournament(12, club=club, deals_per_round=40))


def won(deal):
    return {"contract": "simple_game", "trump": "H", "outcome": "won", "declarer": deal % 4}


def posted(table, *deals, result=None, key=None, body=None, base=0, **more):
    """A phone's request as the server has it when its body is there."""
    if body is None:
        reports = [
            {"key": str(key or uuid4()), "deal": deal, "base": base, "result": result or won(deal)} | more
            for deal in deals
        ]
        body = json.dumps({"reports": reports}).encode()
    secret = table if isinstance(table, str) else table.secret
    return wsgi_post(f"/c/{secret}/reports", body)


class Lane:
    """Requests that all wait before the first of them is handled; `program` and `together` as in `Groups`."""

    def __init__(self, program=program, together=changed_at_the_end):
        self.thread = ThreadPoolExecutor(1)
        self.groups = Groups(program, self.thread, together)

    def answer(self, *requests):
        """Status and JSON of each response; or the exception."""
        try:
            return asyncio.run(self._answer(requests))
        finally:
            self.thread.submit(connections.close_all).result(PATIENCE)
            self.thread.shutdown()

    async def _answer(self, requests):
        begun = await asyncio.gather(*map(self.groups.answer, requests), return_exceptions=True)
        return [
            one if isinstance(one, Exception) else (one.answer.head["status"], json.loads(one.piece))
            for one in begun
        ]


def outcomes(answered):
    """The status of each response, and of each of its reports."""
    return [(status, [one["status"] for one in said.get("results", [])]) for status, said in answered]


def sums():
    return sorted(DealSum.objects.values_list("sort__said", "deals", "tokens"))


def stored():
    return sorted(Report.objects.values_list("table__secret", "deal_number"))


def seen_by_others():
    """How many reports another connection sees."""
    seen = []

    def look():
        with closing(connection):
            seen.append(Report.objects.count())

    looking = threading.Thread(target=look)
    looking.start()
    looking.join(PATIENCE)
    return seen[0]


def test_reports_that_wait_are_seen_and_answered_only_when_all_are_stored(tables):
    seen = []

    def watched(environ, start_response):
        answered = program(environ, start_response)
        seen.append((connection.in_atomic_block, seen_by_others()))
        return answered

    answered = Lane(watched).answer(*(posted(table, 1, 2) for table in tables))
    assert outcomes(answered) == [(200, ["accepted", "accepted"])] * 3
    assert seen == [(True, 0)] * 3
    assert stored() == sorted((table.secret, deal) for table in tables for deal in (1, 2))
    call_command("verify")


def test_a_report_that_nobody_waits_behind_is_in_a_transaction_of_its_own(tables):
    def watched(environ, start_response):
        assert not connection.in_atomic_block
        return program(environ, start_response)

    assert outcomes(Lane(watched).answer(posted(tables[0], 1))) == [(200, ["accepted"])]


def test_what_one_may_not_do_is_refused_to_it_alone(tables):
    first, second, third = tables
    known = uuid4()
    answered = Lane().answer(
        posted(first, 1, key=known),
        posted("unknown", 1),
        posted(second, body=b"no JSON"),
        posted(second, 1, result=won(1) | {"trump": "X"}),
        posted(first, 1, key=known),
        posted(first, 1, result=PASSED),
        posted(third, 1, 2, 81),
    )
    assert outcomes(answered) == [
        (200, ["accepted"]),
        (404, []),
        (400, []),
        (200, ["refused"]),
        (200, ["duplicate"]),
        (200, ["conflict"]),
        (200, ["accepted", "accepted", "refused"]),
    ]
    assert stored() == sorted([(first.secret, 1), (third.secret, 1), (third.secret, 2)])
    call_command("verify")


def test_what_tables_change_in_common_is_what_it_is_one_by_one(tables):
    requests = [(table, deal) for deal in (1, 2) for table in tables]
    before = Tournament.objects.get().version
    Lane().answer(*(posted(table, deal) for table, deal in requests))
    together = sums()
    assert Tournament.objects.get().version == before + 1
    for table, deal in requests:
        Lane().answer(posted(table, deal, result=PASSED, base=1, reason="misheard"))
    for table, deal in requests:
        Lane().answer(posted(table, deal, base=2, reason="misheard"))
    assert (sums(), Tournament.objects.get().version) == (together, before + 1 + 2 * len(requests))
    call_command("verify")


def test_an_error_of_the_server_is_the_error_of_one_report_alone(tables):
    def broken(environ, start_response):
        if tables[1].secret in environ["PATH_INFO"]:
            raise RuntimeError("a defect")
        return program(environ, start_response)

    good, bad, other = Lane(broken).answer(*(posted(table, 1) for table in tables))
    assert outcomes([good, other]) == [(200, ["accepted"])] * 2
    assert isinstance(bad, RuntimeError)
    assert stored() == sorted([(tables[0].secret, 1), (tables[2].secret, 1)])
    call_command("verify")


def test_a_refusal_within_a_transaction_of_its_own_undoes_no_report_that_was_acknowledged(tables):
    def answer_or_refuse(environ, start_response):
        if environ["PATH_INFO"].split("/")[2] == last.secret:
            raise NotPossible("It is not possible.")
        return program(environ, start_response)

    def refusing(environ, start_response):
        try:
            with transaction.atomic(savepoint=False):
                return answer_or_refuse(environ, start_response)
        except NotPossible:
            start_response("409 Conflict", [("Content-Type", "application/json")])
            return [b"{}"]

    first, second, last = sorted(tables, key=lambda table: table.secret)
    nothing_more = Lane(refusing, together=nullcontext)
    answered = nothing_more.answer(*(posted(table, 1) for table in (first, second, last)))
    assert outcomes(answered) == [(200, ["accepted"]), (200, ["accepted"]), (409, [])]
    assert stored() == sorted((table.secret, 1) for table in (first, second))


def test_a_group_that_cannot_be_stored_is_stored_one_by_one(tables):
    tried = []

    @contextmanager
    def refused(paths):
        with changed_at_the_end(paths):
            yield
        tried.append(Report.objects.count())
        raise OperationalError("disk I/O error")

    answered = Lane(together=refused).answer(*(posted(table, 1) for table in tables))
    assert tried == [3]
    assert outcomes(answered) == [(200, ["accepted"])] * 3
    assert stored() == sorted((table.secret, 1) for table in tables)
    call_command("verify")


@pytest.mark.sqlite
def test_on_a_full_disk_nothing_is_acknowledged_that_is_not_stored(tables):
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")  # pages that earlier tests have left free would hold these reports, too
        cursor.execute("PRAGMA page_count")
        (pages,) = cursor.fetchone()

    def full(environ, start_response):
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA max_page_count = {pages}")
        return program(environ, start_response)

    many = range(1, 41)
    answered = Lane(full).answer(*(posted(table, *many) for table in tables))
    acknowledged = [table for table, (status, _said) in zip(tables, answered, strict=True) if status == 200]
    assert Counter(status for status, _said in answered)[503] > 0
    assert stored() == sorted((table.secret, deal) for table in acknowledged for deal in many)
    call_command("verify")
    Lane().answer(*(posted(table, *many) for table in tables))
    assert stored() == sorted((table.secret, deal) for table in tables for deal in many)
    call_command("verify")


def test_two_processes_store_groups_of_the_same_tables_at_the_same_time(tables):
    """Threads with connections of their own: for the database they are what processes are."""
    lanes, found = [Lane(), Lane()], {}

    def send(number):
        order = tables if number else tables[::-1]
        sent = [posted(table, deal) for deal in range(1 + number, 21, 2) for table in order]
        found[number] = lanes[number].answer(*sent)

    sending = [threading.Thread(target=send, args=[number]) for number in (0, 1)]
    for thread in sending:
        thread.start()
    for thread in sending:
        thread.join(PATIENCE)
    answered = Counter(map(str, outcomes([*found[0], *found[1]])))
    assert answered == {"(200, ['accepted'])": 60}
    assert stored() == sorted((table.secret, deal) for table in tables for deal in range(1, 21))
    call_command("verify")


def test_an_address_with_nul_is_not_there_and_breaks_no_group(tables, client):
    tried = []

    def watched(environ, start_response):
        tried.append(connection.in_atomic_block)
        return program(environ, start_response)

    lane = Lane(watched)
    lane.groups._begin, begin = lambda environ: begin(environ)._replace(piece=b"{}"), lane.groups._begin
    strange = posted("\x00", 1) | {"PATH_INFO": "/c/\x00/reports"}
    answered = lane.answer(strange, *(posted(table, 1) for table in tables))
    assert [status for status, _said in answered] == [404, 200, 200, 200]
    assert tried == [True] * 4
    pages = [client.get(address).status_code for address in ("/c/%00/", "/c/%00/state", "/t/%00/")]
    assert pages == [404, 404, 404]


@pytest.mark.postgresql
def test_a_group_locks_its_tournaments_before_its_first_table(tables):
    """Else who holds one of two tournaments, and waits for the other, could wait for a group that waits for it."""
    viby = make_club("Viby")
    other = make_tournament(4, club=viby, account=make_account("vera", viby), deals_per_round=40)
    both = [tables[0], tables_of(other)[0]]
    found = []

    def hold_each():
        with closing(connection):
            for tournament in Tournament.objects.order_by("pk"):
                try:
                    with transaction.atomic():
                        Tournament.objects.select_for_update(nowait=True).get(pk=tournament.pk)
                    found.append("free")
                except OperationalError:
                    found.append("held")

    def watched(environ, start_response):
        if not found:
            holding = threading.Thread(target=hold_each)
            holding.start()
            holding.join(PATIENCE)
        return program(environ, start_response)

    assert outcomes(Lane(watched).answer(*(posted(table, 1) for table in both))) == [(200, ["accepted"])] * 2
    assert found == ["held", "held"]


KILLED = """
import django; django.setup()
import os, signal, sys
from tests.tournaments.reporting.test_grouped import Lane, posted, program

def killed(environ, start_response):
    answered = program(environ, start_response)
    if sys.argv[-1] in environ["PATH_INFO"]:
        os.kill(os.getpid(), signal.SIGKILL)
    return answered

Lane(killed).answer(*(posted(secret, 1) for secret in sys.argv[1:]))
"""


@pytest.mark.sqlite
@pytest.mark.slow
def test_kill_9_in_the_midst_of_a_group_leaves_nothing_of_it(tables):
    secrets = sorted(table.secret for table in tables)
    file = connection.settings_dict["NAME"]
    environment = {"DATABASE_URL": f"sqlite:///{file}", "SPADILLE_DATA": str(settings.DATA_DIR)}
    ran = subprocess.run(
        [sys.executable, "-c", KILLED, *secrets],
        cwd=ROOT,
        env=environment | {"DJANGO_SETTINGS_MODULE": "config.settings"},
        check=False,
        capture_output=True,
    )
    assert ran.returncode == -signal.SIGKILL, ran.stderr.decode()
    assert stored() == []
    call_command("verify")
