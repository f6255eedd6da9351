"""What a terminal is told of the server: where it is reached, and why it cannot be."""

from __future__ import annotations

import io
import socket

import segno
from django.conf import settings
from django.core.management.base import CommandError

from core import platform
from core.streams import can_be_written
from tournaments.running.addresses import lan_address


def desk_address() -> str:
    if settings.HTTPS:
        return f"{settings.PUBLIC_URL}/desk/"
    return f"http://localhost:{settings.PORT}/desk/"


def hall_address(port: int | None = None) -> str:
    """What phones on the hall's network type; `port` where it is another than this command was told."""
    return settings.PUBLIC_URL or f"http://{lan_address()}:{port or settings.PORT}"


def qr_code(address: str) -> str:
    """The lines that draw it at a terminal; none where the terminal's encoding lacks the blocks that it is made of."""
    drawn = io.StringIO()
    segno.make_qr(address).terminal(drawn, compact=True)
    code = drawn.getvalue()
    return code if can_be_written(code) else ""


def refuse_taken_port(host: str) -> None:
    """Say in words that something else answers on our port, before anything is started."""
    with socket.socket() as probe:
        platform.ask_for_port_alone(probe)
        try:
            probe.bind((host, settings.PORT))
        except OSError as error:
            raise CommandError(
                f"Cannot serve on port {settings.PORT} ({error.strerror}). Is Spadille running already?"
                f" Another port: PORT={settings.PORT + 1}"
            ) from None
