"""Deliveries: letters, webhooks and push messages, each kind in a process of its own while there is work.

A slow recipient delays no sheet.
"""

from __future__ import annotations

import logging
import signal
import time
from collections.abc import Callable
from datetime import datetime

from django.db import connections
from django.urls import get_resolver
from django.utils import timezone

from clubs import webhooks as messages
from clubs.mail import sending as letters
from tournaments.changes import push_subscriptions as pushes
from tournaments.running.children import Process, begin, stand_behind

logger = logging.getLogger(__name__)

# Between two looks for what is due.
DUE_EVERY = 2.0
AFTER_A_FAULT = 60.0


class Errand:
    """`name` is what `manage.py jobs --errand` calls it."""

    def __init__(self, name: str, is_due: Callable[[datetime], bool], run: Callable[[], object]) -> None:
        self.name, self.is_due, self.run = name, is_due, run
        self.process: Process | None = None
        self.looked = 0.0

    def see_to_it(self) -> None:
        """Start a process for the due deliveries, if none is running."""
        if self.process is not None and (status := self.process.exit_status()) is not None:
            self.process = None
            self.looked += AFTER_A_FAULT if status else 0.0  # the log has room for other things too
        if self.process is None and time.monotonic() - self.looked > DUE_EVERY:
            self.looked = time.monotonic()
            if self.is_due(timezone.now()):
                _ = get_resolver().url_patterns  # for links: read here once, not by each who is copied off
                connections.close_all()
                self.process = begin(self.do, "--errand", self.name)

    def stop(self) -> None:
        if self.process is not None:
            self.process.ask_to_end()
            self.process.wait()
            self.process = None

    def do(self) -> None:
        try:
            self.run()
        except Exception:
            logger.exception("Errand %s", self.name)
            raise
        finally:
            connections.close_all()

    def do_alone(self) -> None:
        """The entry point of a new process (not a forked one) for this delivery."""
        stand_behind()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        self.do()


def errands() -> list[Errand]:
    return [
        Errand("letters", letters.is_due, letters.send_due),
        Errand("messages", messages.is_due, messages.deliver_due),
        Errand("pushes", pushes.is_due, pushes.tell_due),
    ]
