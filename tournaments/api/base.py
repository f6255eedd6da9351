"""Shared by all operations: schemas of common parts, references to people and clubs, cursors, entity tags, keys."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from datetime import date, time
from functools import wraps
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, TypeVar
from urllib.parse import urlencode

from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpResponse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.http import quote_etag
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.gzip import gzip_page
from ninja import Path, Query
from ninja.errors import HttpError
from ninja.security import HttpBearer
from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from clubs.api_keys import authenticate_key
from clubs.models import Club, ProgramKey
from core.errors import UserError
from core.http.responses import problem_response
from core.throttle import MINUTE, by_address, count_attempt, count_request, is_over_rate, is_throttled
from tournaments.changes.versions import OWN, PAGE, mark_shared
from tournaments.hall.live import Drawn, drawn_for_all, find_tournament, read_cached
from tournaments.people import visibility

if TYPE_CHECKING:
    from collections.abc import Collection

    from django.db.models import QuerySet
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from tournaments.models import Tournament


# Pages by cursor: a page begins behind the last row of the one before, whatever has come or gone meanwhile.

T = TypeVar("T")
CursorKey = tuple[int | str, ...]


class BadCursor(Exception):
    """A cursor that no page has given out."""

    def __init__(self) -> None:
        super().__init__(_("This cursor does not belong to this list. Start without one."))


def cursor_of(key: CursorKey) -> str:
    return urlsafe_b64encode(json.dumps(key, separators=(",", ":")).encode()).decode().rstrip("=")


def read_cursor(text: str, *kinds: type) -> CursorKey | None:
    """The key of the last row of the page before; None for the first page. Raises BadCursor.

    A day is written as such (`date` in kinds).
    """
    if not text:
        return None
    try:
        said = json.loads(urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        if not isinstance(said, list) or len(said) != len(kinds):
            raise BadCursor
        return tuple(_read(value, kind) for value, kind in zip(said, kinds, strict=True))
    except (ValueError, RecursionError):
        raise BadCursor from None


def _read(value: object, kind: type) -> int | str:
    if kind is date and isinstance(value, str):
        return date.fromisoformat(value).isoformat()
    if kind is int and type(value) is int and 0 <= value <= LARGEST:
        return value
    raise BadCursor


def page_by(
    request: HttpRequest, found: QuerySet[Any, T], order: str, limit: int, cursor: str
) -> tuple[Sequence[T], str | None]:
    """A page of rows in the order of a number that each has for itself (`-pk`: the greatest first)."""
    field = order.lstrip("-")
    if after := read_cursor(cursor, int):
        found = found.filter(**{f"{field}__{'lt' if order != field else 'gt'}": after[0]})
    there = list(found.order_by(order)[: limit + 1])
    return page_of(request, there, limit, lambda one: (getattr(one, field),))


def page_of(
    request: HttpRequest, rows: Sequence[T], limit: int, key: Callable[[T], CursorKey]
) -> tuple[Sequence[T], str | None]:
    """These rows but the one too many, and the address of the page behind them; None where they are the last."""
    if len(rows) <= limit:
        return rows, None
    here = rows[:limit]
    asked = {name: value for name, value in request.GET.items() if name != "cursor"}
    return here, f"{request.path}?{urlencode(asked | {'cursor': cursor_of(key(here[-1]))})}"


# The client, by a club's API key: its scopes, which are valid for this club alone.

TOO_OFTEN, NOT_FOR_THAT = 429, 403


class Key(HttpBearer):
    """Authenticate an API key with this scope; with "" any valid one. Invalid keys get a 429 after ten a minute.

    The right key is always accepted: a hall shares one address, and 256 bits are not guessed, however often one tries.
    """

    def __init__(self, scope: str = "") -> None:
        super().__init__()
        self.scope = scope

    def authenticate(self, request: HttpRequest, token: str) -> ProgramKey | None:
        key = authenticate_key(token, timezone.now())
        if key is None:
            guesser = by_address("key", request.META.get("REMOTE_ADDR", ""))
            if is_throttled(guesser):
                raise HttpError(TOO_OFTEN, "")
            count_attempt(guesser)
            return None
        if self.scope and self.scope not in key.scopes:
            raise HttpError(NOT_FOR_THAT, "")
        return key


class OtherClub(UserError):
    """The key is of another club."""

    def __init__(self) -> None:
        super().__init__(_("This key belongs to another club."))


def key_in(request: HttpRequest) -> ProgramKey:
    key: ProgramKey = request.auth  # type: ignore[attr-defined]
    return key


def own_tournament(request: HttpRequest, code: str) -> Tournament:
    """The tournament of this code, if the key's club hosts it. Raises OtherClub."""
    found = find_tournament(code)
    if found.host_id != key_in(request).club_id:
        raise OtherClub
    return found


# The base of all response bodies: their schema is what is declared here and at each operation, and nothing else.

# Larger numbers than these have no rows; a database would not even compare them.
LARGEST = 2_147_483_647
MOST_ON_A_PAGE, USUAL_ON_A_PAGE = 1000, 100

Code = Annotated[
    str, Path(pattern=r"^[A-Za-z0-9]{1,8}$", description="The tournament’s code, as on its sheets.")
]
Slug = Annotated[
    str, Path(pattern=r"^[-A-Za-z0-9_]{1,40}$", description="The club’s short name in addresses.")
]
OptionalSlug = Annotated[str, Query(pattern=r"^[-A-Za-z0-9_]{0,40}$", description="A club’s short name.")]
Number = Annotated[
    int, Path(ge=0, le=LARGEST, description="The number of the player, round, table or folder.")
]
RoundNumber = Annotated[int, Path(ge=0, le=LARGEST, description="The round’s number.")]
Limit = Annotated[int, Query(ge=1, le=MOST_ON_A_PAGE, description="How many at most on this page.")]
Source = Literal["captain", "desk", "program"]
Cursor = Annotated[
    str, Query(max_length=200, description="Where the page begins: as `next` of the page before has it.")
]


# A field may be called `date`, and then its type may not.
Day = date
# JSON Schema's format `time` has a zone; this one is local.
LocalTime = Annotated[time, WithJsonSchema({"type": "string", "pattern": r"^\d\d:\d\d:\d\d$"})]


class Shape(BaseModel):
    """A part of a response body. Fields may be added in v1; none is removed or changes its meaning."""

    model_config = ConfigDict(frozen=True)


class Asked(BaseModel):
    """A part of a request body. Unknown fields are refused, so that a typo is an error and not overlooked."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class FieldProblem(Shape):
    """An invalid field and its error."""

    field: str = Field(
        description="The field as it was sent, such as `entries.0.guest`; empty for the request as a whole."
    )
    message: str = Field(description="What is wrong with it, in the language asked for.")


class Problem(Shape):
    """An error response (RFC 9457). `detail` is a sentence in the requested language; `code` is for programs."""

    type: str = Field(description="Always `about:blank`: `code` says what went wrong.")
    title: str = Field(description="The HTTP status in words, in English.")
    status: int = Field(description="The HTTP status.")
    code: str = Field(description="What went wrong, for programs: the same in every language and version.")
    detail: str = Field(description="What went wrong, in the language asked for.")
    errors: list[FieldProblem] = Field(
        default_factory=list, description="The fields that are wrong, where there are any."
    )


class ClubRef(Shape):
    """A club, or a union, where something is of one."""

    id: int = Field(description="The club's number, the same for good.")
    slug: str = Field(description="The club's short name in addresses.")
    name: str = Field(description="The club's name.")


def replies(shape: Any, *more: int, etag: bool = True) -> dict[int, Any]:
    """The responses of an operation for its schema: its shape, and problems of these statuses."""
    usual: tuple[int, ...] = (400, 404, 422, 429, 503)
    statuses = sorted({*usual, *more})
    return {200: shape} | ({304: None} if etag else {}) | dict.fromkeys(statuses, Problem)


# How a shape becomes a response: bytes with an ETag, rendered once for all equal requests.

CONTENT_TYPE = "application/json; charset=utf-8"
# Only responses to frequent requests go into the hall's cache: made-up queries could otherwise evict its pages.
KEPT_QUESTIONS = ("", f"limit={MOST_ON_A_PAGE}")


def answered(request: HttpRequest, shape: BaseModel) -> HttpResponseBase:
    """The shape; to who has it already, that it is the same."""
    return _answer(request, shape.model_dump_json())


def of_tournament(
    request: HttpRequest, tournament: Tournament, make: Callable[[], BaseModel]
) -> HttpResponseBase:
    """A cached response that depends only on the tournament's version, the language and the URL."""
    question, match = request.META.get("QUERY_STRING", ""), request.resolver_match
    # The code as it is, however it was typed.
    typed = match.kwargs.get("code", "") if match else ""
    path = request.path.replace(typed, tournament.code, 1) if typed else request.path
    address, keep = f"{path}?{question}", question in KEPT_QUESTIONS
    key = f"api:{tournament.pk}:{sha256(address.encode()).hexdigest()[:32]}:{get_language()}"
    version, text = (read_cached(key, tournament.version) if keep else None) or (tournament.version, "")
    answer = get_conditional_response(request, etag=_etag(tournament.pk, version, address))
    if answer is None:

        def draw() -> Drawn:
            return tournament.version, make().model_dump_json()

        if not text:
            version, text = drawn_for_all(key, version, draw) if keep else draw()
        answer = HttpResponse(text.encode(), content_type=CONTENT_TYPE)
    etag = _etag(tournament.pk, version, address)
    answer.headers["ETag"] = etag
    patch_cache_control(answer, no_cache=True)
    if isinstance(answer, HttpResponse) and not any(name in request.COOKIES for name in OWN):
        mark_shared(answer, tournament.pk, version, PAGE)
    return answer


def _answer(request: HttpRequest, text: str) -> HttpResponseBase:
    etag = _etag(text)
    answer = get_conditional_response(request, etag=etag) or HttpResponse(
        text.encode(), content_type=CONTENT_TYPE
    )
    answer.headers["ETag"] = etag
    patch_cache_control(answer, no_cache=True)
    return answer


def private(shape: BaseModel, status: int = 200) -> HttpResponse:
    """Render a response for the client with this key, which no cache may store."""
    return _private(shape.model_dump_json(), status)


def private_again(stored: object) -> HttpResponse:
    """A stored response of `private`, unchanged: a newer version may have added fields since."""
    return _private(json.dumps(stored, ensure_ascii=False), 200)


def _private(text: str, status: int) -> HttpResponse:
    answer = HttpResponse(text.encode(), status=status, content_type=CONTENT_TYPE)
    patch_cache_control(answer, private=True, no_store=True)
    return answer


def _etag(*about: object) -> str:
    """The ETag: a digest of the response, its language and the program's version."""
    told = (*about, get_language(), getattr(staticfiles_storage, "manifest_hash", ""))
    return "W/" + quote_etag(sha256(repr(told).encode()).hexdigest()[:32])


class Reference(NamedTuple):
    """A player of a tournament: the person's id where they have a page, and their club; None for a guest."""

    person: int | None
    club: ClubRef | None


NOBODY = Reference(None, None)


def ref(club: Club) -> ClubRef:
    return ClubRef(id=club.pk, slug=club.slug, name=club.name)


def club_refs(clubs: Collection[int]) -> dict[int, ClubRef]:
    """The clubs with these primary keys."""
    found = Club.objects.filter(pk__in=set(clubs)).values_list("pk", "slug", "name")
    return {pk: ClubRef(id=pk, slug=slug, name=name) for pk, slug, name in found}


def player_refs(tournament: Tournament) -> dict[int, Reference]:
    """Number in the tournament -> person and club."""
    pages = people_with_page(tournament)
    entries = tournament.entries.order_by().values_list(
        "number", "player", "club", "club__slug", "club__name"
    )
    return {
        number: Reference(
            player if player in pages else None,
            ClubRef(id=club, slug=slug, name=name) if club else None,
        )
        for number, player, club, slug, name in entries
    }


def team_refs(tournament: Tournament) -> dict[int, ClubRef | None]:
    """Number of the pair or team -> its club."""
    teams = tournament.teams.order_by().values_list("number", "club", "club__slug", "club__name")
    return {
        number: ClubRef(id=club, slug=slug, name=name) if club else None for number, club, slug, name in teams
    }


def people_with_page(tournament: Tournament, players: Collection[int] | None = None) -> set[int]:
    """The players with a page over the years that lists this tournament, among these or all."""
    found = visibility.with_names(visibility.entries()).filter(tournament=tournament)
    if players is not None:
        found = found.filter(player__in=players)
    return set(found.values_list("player", flat=True))


# A decorator of every API view: rate limits of clients without a key, CORS headers, compression.
#
# A page of another origin may read what is public; it may send nothing, for it would need a club's key.

# Requests a minute from one address that Django must handle; cached responses cost nothing
# and is not counted (`tournaments.changes.response_cache`). A hall's phones and screens may share an address.
MOST_ASKED = 600
NOT_ALLOWED = 405
# How many questions (q) in how many seconds (w), as draft-ietf-httpapi-ratelimit-headers writes it.
RATE_LIMIT, POLICY = "RateLimit-Policy", f'"api";q={MOST_ASKED};w={MINUTE}'
READING = ("GET", "HEAD")
MAY_SEND = "If-None-Match, Accept-Language"
MAY_READ = "ETag, RateLimit-Policy, Retry-After"


def through_the_door(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Wrap an API view: CSRF exempt, since no cookie is read and writing needs a key; compressed; with CORS headers."""

    @csrf_exempt
    @gzip_page
    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        return _open_to_browsers(request, _answer_by_rate(request, view, *args, **kwargs))

    return wrapper


def _answer_by_rate(
    request: HttpRequest, view: Callable[..., HttpResponseBase], *args: Any, **kwargs: Any
) -> HttpResponseBase:
    if request.method == "OPTIONS":
        return HttpResponse(status=204)
    asker = by_address("api", request.META.get("REMOTE_ADDR", ""))
    if is_over_rate(asker, most=MOST_ASKED):
        return problem_response(429, headers={"Retry-After": str(MINUTE)})
    count_request(asker)
    is_head = request.method == "HEAD"
    if is_head:
        request.method = "GET"  # the server leaves out the body
    answer = view(request, *args, **kwargs)
    if is_head:
        request.method = "HEAD"
    if answer.status_code == NOT_ALLOWED:
        return problem_response(NOT_ALLOWED, headers={"Allow": answer.headers["Allow"]})
    return answer


def _open_to_browsers(request: HttpRequest, answer: HttpResponseBase) -> HttpResponseBase:
    patch_vary_headers(answer, ["Accept-Language", "Cookie"])
    answer.headers.setdefault(RATE_LIMIT, POLICY)
    answer.headers["X-Robots-Tag"] = "noindex"
    answer.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    if request.method in READING:
        answer.headers["Access-Control-Allow-Origin"] = "*"
        answer.headers["Access-Control-Expose-Headers"] = MAY_READ
    elif request.method == "OPTIONS":
        answer.headers["Access-Control-Allow-Origin"] = "*"
        answer.headers["Access-Control-Allow-Methods"] = ", ".join(READING)
        answer.headers["Access-Control-Allow-Headers"] = MAY_SEND
        answer.headers["Access-Control-Max-Age"] = "86400"
    return answer
