"""A hall that plays while faults are injected; then the count: what was reported, stored, lost, doubled."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random

from tests.faults.faults import Faults
from tests.faults.people import Organiser, Phone
from tests.faults.stage import ORGANISERS, Stage

DEALS = 40
PATIENCE = 300.0  # seconds for the phones to deliver all that waits, once nothing is injected any more


@dataclass
class Count:
    """Reports by what became of them; `lost` and `doubled` are to be 0."""

    faults: Counter[str] = field(default_factory=Counter)
    requests: int = 0
    cut: int = 0
    unanswered: int = 0
    busy: int = 0
    errors: int = 0
    made: int = 0
    delivered_again: int = 0
    replaced: int = 0
    passed_over: int = 0
    refused: list[dict] = field(default_factory=list)
    stored: int = 0
    lost: int = 0
    doubled: int = 0
    left: int = 0
    verified: str = ""
    traceback: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        faults = ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in sorted(self.faults.items()))
        return (
            f"faults injected: {sum(self.faults.values()) + self.cut}: {faults}, connections cut off {self.cut}\n"
            f"requests: {self.requests}, of them unanswered {self.unanswered}"
            f" (503 in words: {self.busy}, 500: {self.errors})\n"
            f"reports made: {self.made}; made anew after a conflict {self.replaced}; after a restore delivered again"
            f" {self.delivered_again}, overtaken by a newer one of the same deal {self.passed_over};"
            f" refused {len(self.refused)}\n"
            f"reports stored: {self.stored}, lost: {self.lost}, doubled: {self.doubled}, left aside: {self.left}\n"
            f"verify: {self.verified.strip()}"
        )


def under_fire(stage: Stage, faults: Iterable[str], *, seed: int, lull: float = 0.4) -> Count:
    """Inject `faults` one after the other, so many seconds apart, and count."""
    random, over, count = Random(seed), threading.Event(), Count()
    phones = [
        Phone(stage.port, secret, deals=DEALS, seed=seed * 1000 + number, over=over)
        for number, secret in enumerate(stage.secrets)
    ]
    organisers = [Organiser(stage.port, name, stage.code) for name in ORGANISERS]
    with stage.served():
        for organiser in organisers:
            organiser.sign_in()
        for phone in phones:
            phone.start()
        injecting = Faults(stage, organisers, random)
        for fault in faults:
            time.sleep(random.uniform(lull / 4, lull))
            injecting.inject(fault)
            count.faults[fault] += 1
        time.sleep(lull)
        stage.clock.write_text("0")
        bring_home(phones, organisers[0], over)
    count.verified, count.left, reports = stage.recount()
    add_up(count, phones, reports)
    count.traceback = stage.faults_of_the_program()
    return count


def bring_home(phones: list[Phone], organiser: Organiser, over: threading.Event) -> None:
    """The faults are over: every phone delivers what waits, and what came while the round was closed is taken in."""
    organiser.reopen_round()
    over.set()
    deadline = time.monotonic() + PATIENCE
    for phone in phones:
        phone.join(max(0.0, deadline - time.monotonic()))
        if phone.trouble is not None:
            raise phone.trouble
        assert not phone.is_alive(), f"still waiting: {phone.waiting[:2]}"
    organiser.take_in_what_came_late()


def add_up(count: Count, phones: list[Phone], reports: list[list]) -> None:
    """A report is stored under its key. Only a restore may cost one, where a newer one of the same deal is there."""
    keys = Counter((secret, key) for secret, key, _deal, _result in reports)
    told = [(secret, deal, result) for secret, _key, deal, result in reports]
    restored = any("restore" in fault or "lost" in fault for fault in count.faults)
    known: set[tuple[str, str]] = set()
    for phone in phones:
        secret = phone.path.split("/")[2]
        for name in ("requests", "cut", "unanswered", "busy", "errors", "delivered_again", "refused"):
            setattr(count, name, getattr(count, name) + getattr(phone, name))
        count.made += len(phone.journal)
        count.replaced += len(phone.replaced)
        last_words = {item["key"] for item in phone.last_words()}
        for item in phone.journal:
            known.add((secret, item["key"]))
            # A report that says what counts already is not stored once more.
            same = (secret, item["deal"], item["result"]) in told
            if same or (secret, item["key"]) in keys or item["key"] in phone.replaced:
                continue
            passed_over = restored and item["key"] not in last_words
            count.passed_over += passed_over
            count.lost += not passed_over
    count.stored = len(reports)
    # The same key twice, or a report that nobody made.
    count.doubled = sum(keys.values()) - len(keys.keys() & known)
