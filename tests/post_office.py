"""A real mail server that tests start: it takes letters, refuses them, is slow, or hangs up, as it is told."""

from __future__ import annotations

import asyncio
import re
from email import message_from_bytes, policy
from email.message import EmailMessage

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP

from config.environment import MailServer
from tests.services import free_port

OK = "250 OK"


class PostOffice:
    """What came, and what the next letters are answered: of each address, or all (“*”), the answers one by one."""

    def __init__(self) -> None:
        self.came: list[EmailMessage] = []
        self.asked: list[str] = []  # every address that a letter was offered for
        self.answers: dict[str, list[str]] = {}
        self.after_data: list[str] = []  # what is said of whole letters
        self.delay = 0.0  # seconds before whole letters are taken
        self.controller = Controller(self, hostname="127.0.0.1", port=free_port(), timeout=60)

    def opened(self) -> PostOffice:
        self.controller.start()
        return self

    def close(self) -> None:
        self.controller.stop()

    @property
    def server(self) -> MailServer:
        return MailServer("127.0.0.1", self.controller.port)

    def tidy(self) -> None:
        self.came.clear(), self.asked.clear(), self.answers.clear(), self.after_data.clear()
        self.delay = 0.0

    def to(self, address: str) -> EmailMessage:
        """The one letter that came to an address."""
        (letter,) = [letter for letter in self.came if letter["To"] == address]
        return letter

    async def handle_RCPT(self, _server, _session, envelope, address, _options):  # noqa: N802 - its names
        self.asked.append(address)
        told = self.answers.get(address) or self.answers.get("*") or [OK]
        answer = told.pop(0)
        if answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, server: SMTP, _session, envelope):  # noqa: N802
        if self.delay:
            await asyncio.sleep(self.delay)
        answer = self.after_data.pop(0) if self.after_data else OK
        if answer == "hang up":
            self.came.append(message_from_bytes(envelope.content, policy=policy.default))
            server.transport.abort()
        elif answer.startswith("250"):
            self.came.append(message_from_bytes(envelope.content, policy=policy.default))
        return answer


def text_of(letter: EmailMessage) -> str:
    return letter.get_body(("plain",)).get_content()


def html_of(letter: EmailMessage) -> str:
    return letter.get_body(("html",)).get_content()


def links_in(letter: EmailMessage) -> list[str]:
    return re.findall(r"https?://\S+", text_of(letter))
