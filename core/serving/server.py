"""Run the server: worker processes, and one sidecar each for jobs, backups and the journal.

Where processes can be forked, gunicorn supervises the workers (`prefork`); elsewhere uvicorn does (`spawn`).
"""

from __future__ import annotations

import os
import sys

from django.conf import settings
from django.core.management import call_command
from django.db import connections

from core import platform
from core.files import write_atomically
from core.serving.data_lock import port_file, somebody_serves
from core.serving.options import MOST_CONNECTIONS, begin_to_count, sidecar_commands


def prepare() -> None:
    """Migrate the database, in a fork where possible, so that the memory which this takes is freed.

    The fork prints its errors as any command does; this process then exits with its status.
    """
    if not platform.may_copy():
        call_command("prepare", verbosity=0)
        return
    sys.stdout.flush()
    sys.stderr.flush()
    forked = os.fork()
    if forked == 0:
        call_command("prepare", verbosity=0)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)
    _forked, status = os.waitpid(forked, 0)
    if status:
        sys.exit(os.waitstatus_to_exitcode(status))


def serve(host: str, said: str = "") -> None:
    """Serve until stopped; prints `said` when the server responds."""
    if platform.FORKS:
        from core.serving.prefork import serve_pages  # noqa: PLC0415 - Windows has no gunicorn
    else:
        from core.serving.spawn import serve_pages  # noqa: PLC0415
    with somebody_serves():
        connections.close_all()
        begin_to_count()
        write_atomically(port_file(), str(settings.PORT).encode())
        platform.allow_files(2 * MOST_CONNECTIONS)
        serve_pages(host, said, list(sidecar_commands()))
