"""Two servers on one PostgreSQL and one Redis: what is reported at one is seen at the other, and after a restart."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from urllib.request import Request, urlopen

import pytest

from tests import services
from tests.bench.stage import hall, running
from tests.bench.wire import reports_body
from tests.kept import dump_of_postgresql, lay_out
from tests.services import free_port


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """A round of four players on databases of its own: (folder, environment, tournament's code, captain's link)."""
    with services.both() as where:
        # Until a test on PostgreSQL has had its database, every migration is made here.
        with suppress(FileNotFoundError):
            services.fill(where["DATABASE_URL"], dump_of_postgresql())
        folder = str(lay_out(tmp_path_factory.mktemp("two-servers")))
        code, secrets = hall(4, folder, **where)
        yield folder, {"BACKUP_MINUTES": "0"} | where, code, secrets[0]


def report(address, secret, deal):
    """As the captain's phone reports it: a game is won; two tokens, one from each."""
    headers = {"Content-Type": "application/json"}
    request = Request(f"{address}/c/{secret}/reports", reports_body([deal]), headers)  # noqa: S310 - our own
    assert b'"accepted"' in urlopen(request).read()  # noqa: S310


@pytest.mark.browser
@pytest.mark.slow
def test_standings_of_one_server_follow_what_another_is_told(shared, chromium):
    folder, environment, code, secret = shared
    port = str(free_port())
    with ExitStack() as stack:
        there, _process = stack.enter_context(running(folder, **environment))
        with running(folder, PORT=port, **environment) as (here, _process):
            page = stack.enter_context(chromium.new_context()).new_page()
            page.goto(f"{here}/t/{code}/standings/")
            report(there, secret, 1)
            page.locator("td.total:has-text('+2')").wait_for()
        # The server is gone: the page says so, goes on asking, and needs nobody to reload it.
        page.locator(".live-line.lost").wait_for()
        report(there, secret, 2)
        with running(folder, PORT=port, **environment):
            page.locator("td.total:has-text('+1')").first.wait_for()
            page.locator(".live-line:not(.lost)").wait_for()
