"""The django-ninja API: its operation ids and error responses, the payloads of webhooks, and the OpenAPI schema."""

from __future__ import annotations

from datetime import datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Literal
from uuid import UUID

from django.http import Http404
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError
from pydantic import Field

from clubs.models import Event, Scope
from core.errors import NoRoom, UserError
from core.http.responses import CODES, CONTENT_TYPE, MEANS, codes_of, problem_response
from tournaments.api.base import BadCursor, ClubRef, Day, Key, OtherClub, Shape
from tournaments.api.examples import example_of, example_of_parameter

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.http import HttpRequest, HttpResponse
    from ninja import Router
    from ninja.operation import Operation


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


TITLE = "Spadille"
VERSION = "1"
PREFIX = "/api/v1"
ABOUT = """
L'Hombre tournaments: clubs, evenings, entries, rounds, tables with their deals, standings, seasons, records, rules.

Whatever the hall shows can be read by everybody without a key. With a key that a club's organisers make at the desk a
program enters players, checks them in and reports deals, by the same rules as people do. Answers say by their `ETag`
what they are: send it back as `If-None-Match`, and 304 says that nothing has changed. Lists come in pages: `next` is
the address of the page behind. What goes wrong is `application/problem+json`.

In v1 fields, addresses and kinds of events may be added; none is taken away, and none changes what it means.
"""
# Messages by pydantic's type of error, filled in with the error's context. Other types get OTHER: pydantic's own
# texts are English.
WHOLE_NUMBER, DAY = _("It must be a whole number."), _("It must be a date such as 2026-11-23.")
OBJECT, TEXT = _("It must be a JSON object."), _("It must be a text.")
OTHER = _("It is not valid.")
MESSAGES = {
    "missing": _("This is missing."),
    "extra_forbidden": _("There is no such field."),
    "greater_than_equal": _("It must be at least {ge}."),
    "less_than_equal": _("It must be at most {le}."),
    "literal_error": _("It must be one of: {expected}."),
    "string_too_long": _("It must have at most {max_length} characters."),
    "string_too_short": _("It is too short. Minimum length: {min_length}."),
    "string_pattern_mismatch": _("It contains characters that are not allowed, or too many."),
    "too_short": _("The list is too short. Minimum number of items: {min_length}."),
    "too_long": _("The list is too long. Maximum number of items: {max_length}."),
    "list_type": _("It must be a list."),
    "member_or_guest": _("Give either a member’s number or a guest’s name."),
    **dict.fromkeys(("string_type", "string_unicode"), TEXT),
    **dict.fromkeys(("dict_type", "model_type", "model_attributes_type"), OBJECT),
    **dict.fromkeys(("bool_parsing", "bool_type"), _("It must be true or false.")),
    **dict.fromkeys(("int_parsing", "int_type", "int_from_float", "int_parsing_size"), WHOLE_NUMBER),
    **dict.fromkeys(
        ("date_type", "date_parsing", "date_from_datetime_parsing", "date_from_datetime_inexact"), DAY
    ),
    **dict.fromkeys(
        ("uuid_parsing", "uuid_type", "uuid_version"),
        _("It must be a UUID such as 0b7d9ad4-8f4d-4a55-9a4e-0f3bb0c3a001."),
    ),
}


class Api(NinjaAPI):
    """A NinjaAPI with our operation ids and RFC 9457 problems, and a schema that documents both."""

    def get_operation_url_name(self, operation: Operation, router: Router) -> str:
        del router
        return f"api_{operation.view_func.__name__}"

    def get_openapi_operation_id(self, operation: Operation) -> str:
        return str(operation.view_func.__name__)


def made_api() -> Api:
    api = Api(
        title=TITLE,
        version=VERSION,
        description=ABOUT.strip(),
        docs_url=None,
        openapi_url=None,
        urls_namespace="api",
    )
    api.add_exception_handler(Http404, lambda _request, _error: problem_response(404))
    api.add_exception_handler(
        BadCursor, lambda _request, error: problem_response(400, str(error), code="bad_cursor")
    )
    api.add_exception_handler(AuthenticationError, _not_signed_in)
    api.add_exception_handler(HttpError, lambda _request, error: _http_error(error))
    api.add_exception_handler(ValidationError, lambda _request, error: _invalid(error))
    api.add_exception_handler(UserError, lambda _request, error: _refused(error))
    return api


def _not_signed_in(_request: HttpRequest, _error: object) -> HttpResponse:
    return problem_response(401, headers={"WWW-Authenticate": 'Bearer realm="Spadille"'})


def _http_error(error: Any) -> HttpResponse:
    # The only one that django-ninja raises by itself is a body that cannot be parsed.
    return problem_response(error.status_code)


def _refused(error: Any) -> HttpResponse:
    """A step that cannot be taken, in the words that stand at the desk."""
    if isinstance(error, NoRoom):
        return problem_response(429, error.message, code="no_room")
    if isinstance(error, OtherClub):
        return problem_response(403, error.message, code="other_club")
    errors = [{"field": error.field, "message": error.message}] if error.field else []
    return problem_response(409, error.message, code="not_possible", errors=errors)


def _invalid(error: Any) -> HttpResponse:
    """The response to a request that does not fit the schema: which field, and why."""
    return problem_response(
        422, errors=[{"field": field_name(one["loc"]), "message": error_message(one)} for one in error.errors]
    )


def field_name(place: Sequence[int | str]) -> str:
    """The field as the client sent it: `entries.0.guest`. Empty for the entire body.

    Pydantic's location begins with the part of the request; for a body the name of the view's parameter follows,
    which no client knows.
    """
    source, *names = place
    return ".".join(str(name) for name in (names[1:] if source == "body" else names))


def error_message(one: Mapping[str, Any]) -> str:
    """The error in the reader's language."""
    context = dict(one.get("ctx", {}))
    if "expected" in context:  # "'drawn', 'running' or 'closed'"
        context["expected"] = context["expected"].replace(" or ", ", ").replace("'", "")
    return str(MESSAGES.get(one["type"], OTHER)).format(**context)


# The schema


def openapi(api: Api) -> dict[str, Any]:
    """The OpenAPI 3.1 schema of the API: django-ninja's, completed with what it cannot know."""
    with override("en"):
        schema: dict[str, Any] = api.get_openapi_schema(path_prefix=PREFIX)
        schema["info"]["license"] = {"name": "MIT", "identifier": "MIT"}
        shapes = schema["components"]["schemas"]
        shapes |= webhook_shapes()
        schema["webhooks"] = webhooks()
        schema["components"]["securitySchemes"]["Key"]["description"] = _about_keys()
        scopes = _scopes(api)
        for operations in (*schema["paths"].values(), *schema["webhooks"].values()):
            for operation in operations.values():
                if operation["operationId"] in scopes:
                    _describe_scope(operation, scopes[operation["operationId"]])
                _describe_answers(operation)
                _give_examples(operation, shapes)
    return schema


def _about_keys() -> str:
    scopes = ", ".join(f"`{scope.value}` ({scope.label})" for scope in Scope)
    return f"A club's key, made by its organisers. It acts for that club alone, within its scopes: {scopes}."


def _scopes(api: Api) -> dict[str, str]:
    """Operation id -> the scope that its key needs; "" where any key will do."""
    return {
        operation.view_func.__name__: auth.scope
        for _prefix, router in api._routers
        for view in router.path_operations.values()
        for operation in view.operations
        for auth in operation.auth_callbacks
        if isinstance(auth, Key)
    }


def _describe_scope(operation: dict[str, Any], scope: str) -> None:
    """OpenAPI 3.1 lists the scopes that a token needs after the name of the scheme."""
    operation["security"] = [{"Key": [scope] if scope else []}]
    needs = f"Needs a key with the scope `{scope}`." if scope else "Needs a key; any scope will do."
    operation["description"] = f"{operation['description']}\n\n{needs}"


def _describe_answers(operation: dict[str, Any]) -> None:
    """Set the schema's content type of problems, and the headers of other responses."""
    for status, answer in operation["responses"].items():
        if str(status).isdigit() and int(status) in CODES:
            codes = " or ".join(f"`{code}`" for code in codes_of(int(status)))
            answer["description"] = f"{MEANS[int(status)]} `code`: {codes}."
            if "webhooks" not in operation["tags"]:
                answer["content"] = {CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
        elif HTTPStatus.NOT_MODIFIED in operation["responses"]:
            answer["headers"] = {"ETag": {"schema": {"type": "string"}, "required": True}}


def _give_examples(operation: dict[str, Any], shapes: dict[str, Any]) -> None:
    for parameter in operation["parameters"]:
        if (value := example_of_parameter(parameter)) is not None:
            parameter["example"] = value
    for status, answer in operation["responses"].items():
        for kind, content in answer.get("content", {}).items():
            content["example"] = example_of(content["schema"], shapes)
            if kind == CONTENT_TYPE:
                known = HTTPStatus(int(status))
                content["example"] |= {
                    "title": known.phrase,
                    "status": known.value,
                    "code": codes_of(known)[0],
                    "detail": str(MEANS[known]),
                }
    for content in operation.get("requestBody", {}).get("content", {}).values():
        content["example"] = example_of(content["schema"], shapes)
