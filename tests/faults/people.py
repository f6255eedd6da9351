"""Captains' phones and organisers' laptops, as a server sees them."""

from __future__ import annotations

import http.client
import json
import re
import socket
import threading
import time
from contextlib import closing
from random import Random
from urllib.parse import urlencode
from uuid import uuid4

from tests.faults.stage import PASSWORD

PATIENCE = 8.0  # seconds until a phone gives a request up
BATCH = 20  # reports in a request, as static/js/captain/link.js has it
SETTLED = ("accepted", "duplicate")


class Unanswered(Exception):
    """No answer, or none that can be read: nobody knows whether the server has stored anything."""


# Who corrects a deal a hundred times is sent to the organiser.
CORRECTED = 90


class Phone(threading.Thread):
    """A captain's phone, as the page keeps its outbox: a report waits until its own answer has settled it.

    What the server had stored and does not know any more, as after a restored backup, waits again.
    """

    def __init__(self, port: int, secret: str, *, deals: int, seed: int, over: threading.Event) -> None:
        super().__init__(daemon=True)
        self.port, self.path, self.deals = port, f"/c/{secret}/", deals
        self.random, self.over = Random(seed), over
        self.journal: list[dict] = []
        self.replaced: set[str] = (
            set()
        )  # keys of reports that lost against another version, and were made anew
        self.refused: list[dict] = []
        self.newest, self.version, self.sequence, self.has_looked = 0, None, None, False
        self.requests = self.unanswered = self.cut = self.busy = self.delivered_again = self.errors = 0
        self.trouble: BaseException | None = None

    def run(self) -> None:
        try:
            while not self.over.is_set():
                for _deal in range(self.random.choice((1, 1, 1, 2, 12))):
                    self.make()
                self.exchange()
            while self.waiting or not self.has_looked:
                self.exchange()
        except BaseException as error:
            self.trouble = error
            raise

    @property
    def waiting(self) -> list[dict]:
        return [item for item in self.journal if item["status"] == "waiting"]

    def make(self) -> None:
        """The next deal; when all are played, a correction of one that the server has."""
        if self.newest < self.deals:
            self.newest += 1
            self.keep(self.newest, 0, self.result(self.newest), "")
            return
        stored = [
            item for item in self.last_words() if item["status"] in SETTLED and item["revision"] < CORRECTED
        ]
        if stored and self.random.random() < 0.2:
            last = self.random.choice(stored)
            self.keep(last["deal"], last["revision"], self.result(last["deal"], last["result"]), "misread")

    def last_words(self) -> list[dict]:
        """The newest report of each deal."""
        return list({item["deal"]: item for item in self.journal}.values())

    def result(self, deal: int, before: dict | None = None) -> dict:
        while True:
            result = {
                "contract": "simple_game",
                "declarer": (deal + self.random.choice((-1, 0, 2))) % 4,
                "trump": self.random.choice("SHDC"),
                "outcome": self.random.choice(("won", "bete")),
            }
            if result != before:
                return result

    def keep(self, deal: int, base: int, result: dict, reason: str) -> None:
        item = {"key": str(uuid4()), "deal": deal, "base": base, "result": result, "reason": reason}
        self.journal.append({**item, "status": "waiting", "revision": 0})

    def exchange(self) -> None:
        try:
            batch = self.waiting[:BATCH]
            if batch:
                self.send(batch)
            self.has_looked = not batch or self.random.random() < 0.3
            if self.has_looked:
                self.look()
            time.sleep(self.random.uniform(0.02, 0.15))
        except Unanswered:
            self.unanswered += 1
            time.sleep(self.random.uniform(0.1, 0.4))

    def send(self, batch: list[dict]) -> None:
        fields = ("key", "deal", "base", "result", "reason")
        body = json.dumps({"reports": [{name: item[name] for name in fields} for item in batch]})
        cut = self.random.random()
        if cut < 0.08:
            self.cut_off(body, whole=cut < 0.04)
        for answer in self.ask("POST", "reports", body).get("results", []):
            self.settle(next(item for item in batch if item["key"] == answer["key"]), answer)

    def settle(self, item: dict, answer: dict) -> None:
        item["status"], item["revision"] = answer["status"], answer["revision"]
        if answer["status"] == "conflict":  # "Mine is right"
            self.replaced.add(item["key"])
            item["status"] = "replaced"
            self.keep(item["deal"], answer["revision"], item["result"], "two phones")
        elif answer["status"] == "refused":
            self.refused.append(answer)

    def look(self) -> None:
        """Ask for what changed. Told the whole table anew, let what it does not have wait again."""
        query = {"v": self.version, "seq": self.sequence} if self.version is not None else {}
        told = self.ask("GET", f"state?{urlencode(query)}")
        if "deals" not in told:
            return
        if not told["partial"]:
            deals = {deal["number"]: deal for deal in told["deals"]}
            for item in self.last_words():
                missing = item["status"] in SETTLED and self.is_not_in(deals[item["deal"]], item)
                if missing or item["status"] == "kept":
                    self.delivered_again += missing
                    item["status"] = "waiting"
        self.version, self.sequence = told["version"], told["sequence"]

    @staticmethod
    def is_not_in(deal: dict, item: dict) -> bool:
        """Whether the server, which had stored a report, has an older version of the deal, or another one instead."""
        said, revision = deal.get("result") or {}, deal.get("revision", 0)
        same = all(said.get(name) == value for name, value in item["result"].items())
        return revision < item["revision"] or (revision == item["revision"] and not same)

    def cut_off(self, body: str, *, whole: bool) -> None:
        """The network goes after the request was sent, or in its middle."""
        self.requests += 1
        self.cut += 1
        sent = body if whole else body[: len(body) // 2]
        head = f"POST {self.path}reports HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        try:
            with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as link:
                link.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n{sent}".encode())
        except OSError:
            pass
        raise Unanswered

    def ask(self, method: str, what: str, body: str | None = None) -> dict:
        self.requests += 1
        try:
            with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)) as link:
                link.request(method, self.path + what, body, {"Content-Type": "application/json"})
                with link.getresponse() as response:
                    status, said = response.status, response.read()
            if status >= 500:
                self.busy += status == 503
                self.errors += status != 503
                raise Unanswered
            if status not in (200, 204, 410):
                raise RuntimeError(f"{method} {what}: {status} {said[:200]!r}")
            return json.loads(said or "{}")
        except (OSError, http.client.HTTPException, ValueError):
            raise Unanswered from None


class Organiser:
    """Somebody signed in at the desk, who presses buttons there and tries again when nothing answers."""

    def __init__(self, port: int, name: str, code: str) -> None:
        self.port, self.name, self.desk = port, name, f"/desk/t/{code}/"
        self.cookies: dict[str, str] = {}

    def sign_in(self) -> None:
        status, _body = self.post("/clubs/login/", username=self.name, password=PASSWORD)
        assert status == 302

    def ask(self, method: str, path: str, form: dict[str, str] | None = None) -> tuple[int, str]:
        while True:
            headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
            if form:
                headers["Content-Type"] = "application/x-www-form-urlencoded"
            try:
                with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)) as link:
                    link.request(method, path, urlencode(form) if form else None, headers)
                    with link.getresponse() as response:
                        for cookie in response.headers.get_all("Set-Cookie", []):
                            name, _equals, value = cookie.partition(";")[0].partition("=")
                            self.cookies[name] = value
                        status, body = response.status, response.read().decode()
            except (OSError, http.client.HTTPException):
                status, body = 503, ""
            if status != 503:
                if status >= 500:
                    raise RuntimeError(f"{method} {path}: {status} {body[:200]}")
                return status, body
            time.sleep(0.2)

    def post(self, path: str, **form: str) -> tuple[int, str]:
        page = self.ask("GET", path)[1]
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
        if token is None:  # the page says that there is nothing to be done
            return 200, page
        return self.ask("POST", path, {"csrfmiddlewaretoken": token[1], **form})

    def close_round(self) -> None:
        self.post(f"{self.desk}round/1/close/", force_reason="it is late")

    def reopen_round(self) -> None:
        self.post(f"{self.desk}round/1/reopen/", reason="some still play")

    def take_in_what_came_late(self) -> None:
        """Take in every report that was kept aside, in the order they came."""
        while True:
            page = self.ask("GET", f"{self.desk}late/")[1]
            token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
            buttons = re.findall(
                r'action="(/desk/[^"]*/take-in/)".*?name="seen" value="(\d+)"', page, re.DOTALL
            )
            if not buttons or token is None:
                return
            for button, seen in sorted(buttons, key=lambda found: int(found[0].split("/")[-3])):
                self.ask("POST", button, {"csrfmiddlewaretoken": token[1], "back": "late", "seen": seen})
