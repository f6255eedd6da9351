"""The documentation page of the API, rendered from its schema."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from django.shortcuts import render
from django.urls import path
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpRequest, HttpResponse

PREFIX = "/api/v1"
METHODS = ("get", "post")


@gzip_page
@require_safe
def api_about(request: HttpRequest) -> HttpResponse:
    context = {
        "parts": operations_by_part(),
        "schema": f"{PREFIX}/openapi.json",
        "archive": f"{PREFIX}/archive.schema.json",
    }
    return render(request, "web/api.html", context)


@cache
def operations_by_part() -> list[tuple[str, list[dict[str, Any]]]]:
    """The operations by the parts of the API, in their order."""
    from tournaments.api import api, urls  # noqa: PLC0415 - the libraries are imported by the first request

    schema = api.openapi(urls.whole_api())
    shapes = schema["components"]["schemas"]
    parts: dict[str, list[dict[str, Any]]] = {}
    for address, operations in schema["paths"].items():
        for method in METHODS:
            if method in operations:
                operation = operations[method]
                parts.setdefault(operation["tags"][0], []).append(
                    _operation(method, address, operation, shapes)
                )
    return list(parts.items())


def _operation(
    method: str, address: str, operation: Mapping[str, Any], shapes: Mapping[str, Any]
) -> dict[str, Any]:
    sent = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    answer = operation["responses"][200].get("content", {}).get("application/json", {}).get("schema")
    return {
        "method": method.upper(),
        "address": address,
        "about": operation.get("description", ""),
        "with_key": "security" in operation,
        "fields": [
            (
                "Asked for",
                [
                    (one["name"], _kind(one["schema"]), one.get("description", ""))
                    for one in operation["parameters"]
                ],
            ),
            ("Sent", _fields(sent, shapes)),
            ("Answered", _fields(answer, shapes)),
        ],
    }


def _fields(schema: Mapping[str, Any] | None, shapes: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Name, kind and meaning of each field; of a list of things those of the things, too."""
    if not schema:
        return []
    shape = shapes[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    found = []
    for name, field in shape.get("properties", {}).items():
        found.append((name, _kind(field), field.get("description", "")))
        inside = field.get("items", {})
        if "$ref" in inside:
            found += [(f"{name}[].{more}", kind, means) for more, kind, means in _fields(inside, shapes)]
    return found


def _kind(field: Mapping[str, Any]) -> str:
    if "$ref" in field:
        return str(field["$ref"].rpartition("/")[2])
    if "anyOf" in field:
        return " | ".join(_kind(one) for one in field["anyOf"])
    if "enum" in field:
        return " | ".join(map(str, field["enum"]))
    if field.get("type") == "array" and "items" in field:
        return f"[{_kind(field['items'])}]"
    return str(field.get("format") or field.get("type", ""))


urlpatterns = [path("api/", api_about, name="api_about")]
