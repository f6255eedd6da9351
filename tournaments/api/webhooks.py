"""The payloads of clubs' webhooks, for the schema's `webhooks` section."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from clubs.models import Event
from tournaments.api.base import ClubRef, Day, Shape

REFERENCE = "#/components/schemas/{model}"


class AboutTournament(Shape):
    """The tournament that a message is about."""

    code: str = Field(description="The tournament's code.")
    name: str = Field(description="The tournament's name.")
    date: Day = Field(description="The day on which it is played.")
    state: Literal["setup", "running", "finished"] = Field(description="Its state after the event.")


class WebhookMessage(Shape):
    """An event of a tournament, without personal names. Answer with 2xx within ten seconds."""

    id: UUID = Field(description="The message's id: the same where it is sent again.")
    event: Literal["draw", "round.closed", "tournament.finished", "tournament.reopened"] = Field(
        description="What happened."
    )
    at: datetime = Field(description="When it happened.")
    club: str = Field(description="The host's short name in addresses.")
    club_ref: ClubRef = Field(description="The host.")
    tournament: AboutTournament = Field(description="The tournament.")
    rounds: list[int] = Field(description="The numbers of the rounds that it is about; empty for none.")
    read: str = Field(description="The address of the API that tells what came of it.")


SIGNATURE = "`t=<seconds>,v1=<hex>`: v1 is the HMAC-SHA256, by the webhook's secret, of seconds, a full stop and body."
HEADERS = {"Spadille-Event": "The event, as in the body.", "Spadille-Signature": SIGNATURE}


def webhook_shapes() -> dict[str, Any]:
    """The schemas of a message, by name."""
    whole = WebhookMessage.model_json_schema(ref_template=REFERENCE)
    return {**whole.pop("$defs"), "WebhookMessage": whole}


def webhooks() -> dict[str, Any]:
    """The `webhooks` section of the schema: a path item for each event."""
    return {
        event.value: {
            "post": {
                "operationId": "webhook_" + event.value.replace(".", "_"),
                "summary": f"Told when {event.label}",
                "description": "Sent to each address that the club, or its union, has named for this event.",
                "tags": ["webhooks"],
                "parameters": [
                    {
                        "in": "header",
                        "name": name,
                        "required": True,
                        "description": text,
                        "schema": {"type": "string"},
                    }
                    for name, text in HEADERS.items()
                ],
                "requestBody": {
                    "required": True,
                    "content": {
                        "application/json": {"schema": {"$ref": REFERENCE.format(model="WebhookMessage")}}
                    },
                },
                "responses": {
                    "2XX": {"description": "Taken."},
                    "410": {"description": "Gone: the message is given up at once."},
                    "default": {
                        "description": "Not taken: it is sent again after growing pauses, for a day."
                    },
                },
            }
        }
        for event in Event
    }
