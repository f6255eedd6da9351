"""The page of a table's captain, and the requests that it sends."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from posixpath import normpath
from typing import Any, Concatenate, ParamSpec
from uuid import UUID

from django.contrib import messages
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import path
from django.utils import timezone
from django.utils.html import json_script
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET, require_POST

from core.errors import NoRoom, NotPossible
from core.http.responses import BadBody, hide_address, parse_body
from core.http.steps import add_to_form
from core.throttle import by_address, count_attempt, is_throttled
from tournaments import ledger
from tournaments.changes.versions import restored_since
from tournaments.domain.terms import card_words
from tournaments.ledger import Answer, Submission, UnreadableSubmission, read_submission
from tournaments.ledger.photographs import attach
from tournaments.ledger.queries import LinkRevoked, is_unchanged, rulebook_of, table_by_code, table_by_secret
from tournaments.ledger.seating import next_places, next_seats_from
from tournaments.ledger.submissions import is_storable
from tournaments.models import Flag, Table
from tournaments.people.evening_cards import shown_cards
from tournaments.reporting.captain_state import answers_json, hold_table, table_ending, table_state
from tournaments.reporting.script_text import page_words
from tournaments.web.fields import PhotographForm
from tournaments.web.guards import number_in

# A photograph of the table's paper slip, attached with the captain's link.


@csrf_exempt  # the secret in the address is the credential, there is no session
@never_cache
def captain_photograph(request: HttpRequest, secret: str) -> HttpResponse:
    """Attach one while the table is open; the captain sees how many there are, not the pictures."""
    try:
        table = table_by_secret(secret)
    except (Table.DoesNotExist, LinkRevoked):
        return redirect("captain", secret)  # whose page explains what to do
    if table.is_over:
        return redirect("captain", secret)
    form = PhotographForm(request.POST, request.FILES) if request.method == "POST" else PhotographForm()
    if form.is_valid():
        try:
            attach(table, form.cleaned_data["photograph"], None, now=timezone.now())
        except NotPossible as refusal:
            add_to_form(form, refusal, "photograph")
        else:
            messages.success(request, _("The photograph is attached; the organiser can see it."))
            return redirect("captain_photograph", secret)
    context = {"table": table, "secret": secret, "form": form, "photographs": table.photographs.all()}
    return hide_address(render(request, "captain/photograph.html", context))


# What captains' phones send, read with care: anything can arrive, nothing may end in an error page.

LARGEST_BODY = 256 * 1024
MOST_REPORTS = 100
LARGEST_REPORT = 4096  # bytes of JSON without blanks; a report with the longest reason has half as many
DEEPEST = 8  # levels of lists and objects in a report; the protocol needs four
PLAIN = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Unread:
    """A report whose key can be read and the rest cannot: it is refused by itself, the others are settled."""

    key: str
    field: str
    message: str


def read_reports(body: dict[str, Any]) -> list[Submission | Unread]:
    """The reports of a request in their order; raises `BadBody` where one has no usable key."""
    items = body.get("reports")
    if not isinstance(items, list):
        raise BadBody(_("“reports” must be a list."))
    if len(items) > MOST_REPORTS:
        raise BadBody(_("At most %(most)d reports fit in one request.") % {"most": MOST_REPORTS})
    return [_read_report(item) for item in items]


def _read_report(item: object) -> Submission | Unread:
    try:
        submission = read_submission(item)
    except UnreadableSubmission as error:
        if error.key is None:
            raise BadBody(error.text) from None
        return Unread(str(error.key), error.field, error.text)
    if problem := _unstorable(item):
        return Unread(str(submission.key), "result", problem)
    return submission


def _unstorable(item: object) -> str:
    """Why no database could hold it as JSON (half surrogate pairs, NUL, infinite numbers, depth), or should; ""."""
    problem = _("The result contains characters or numbers that cannot be stored.")
    if not _is_shallow(item, DEEPEST):
        return problem
    try:
        text = PLAIN.encode(item)
        size = len(text.encode())
    except ValueError:
        return problem
    if "\\u0000" in text:
        return problem
    return _("This is more than a report can hold.") if size > LARGEST_REPORT else ""


def _is_shallow(item: object, levels: int) -> bool:
    if not isinstance(item, (dict, list)):
        return True
    inside = item.values() if isinstance(item, dict) else item
    return levels > 0 and all(_is_shallow(one, levels - 1) for one in inside)


def read_position(body: dict[str, Any], players: int) -> int:
    """A seat's position; raises `BadBody`."""
    position = body.get("position")
    if type(position) is not int or not 0 <= position < players:
        raise BadBody(_("“position” must be a seat at this table."))
    return position


@dataclass(frozen=True, slots=True)
class Call:
    """A call from a table to the desk; `settled` withdraws it: a mark by its deal, a call by its text."""

    kind: str
    deal: int | None
    words: str
    key: UUID | None
    settled: bool


def read_call(body: dict[str, Any]) -> Call:
    """Raises `BadBody`."""
    kind, deal, words = body.get("kind"), body.get("deal"), body.get("words", "")
    key, settled = body.get("key"), body.get("settled", False)
    try:
        read_key = None if key is None else UUID(key)
    except (ValueError, TypeError, AttributeError):
        raise BadBody(_("“key” must be a UUID.")) from None
    if not isinstance(kind, str) or not isinstance(words, str) or not is_storable(words):
        raise BadBody(_("A call to the desk must have a kind and a text, and may name a deal."))
    if (deal is not None and type(deal) is not int) or (
        settled and kind not in (Flag.Kind.LATER, Flag.Kind.CALL)
    ):
        raise BadBody(_("A call to the desk must have a kind and a text, and may name a deal."))
    return Call(kind, deal, words, read_key, settled=settled is True)


# The captain's page and its protocol. The secret in the address is the credential; there is no session.

P = ParamSpec("P")
TableView = Callable[Concatenate[HttpRequest, Table, P], HttpResponse]

COMPACT = {"separators": (",", ":")}


def _scripts(names: str) -> list[str]:
    return [normpath(f"js/captain/{name}.js") for name in names.split()]


# Without bundling: preloaded by the page, so that a slow phone requests all modules at once instead of one after the
# other, and a phone that stores the page stores them too.
MODULES = _scripts(
    "../answers bar comfort desk dom entry guard last later link memory offers outbox reporting"
    " results sender sentences shell table totals trouble valid words"
)
LATE_MODULES = _scripts(
    "../answers cards code_qr code_seal code_text codes dom later link memory offers outbox"
    " sender sentences shell trouble valid words"
)
# Loaded after the page works, and stored with it.
LATER = "js/captain/more.js"
LATER_MODULES = _scripts(
    "agree cards code_qr code_seal code_text codes contrast correcting deciding menu sheet staying"
)
# What its templates' readers alone need is a twentieth of the page.
INDENTED = re.compile(rb"\n\s+")
PHONE_NAME = re.compile(r"[0-9A-Za-z-]{1,36}")


def _dead(error: str, message: str, **more: Any) -> JsonResponse:
    return JsonResponse({"error": error, "message": message} | more, status=410)


def _revoked() -> JsonResponse:
    return _dead("revoked", _("This link has been replaced. Ask the organiser for the table’s new code."))


def _closed(table: Table, **more: Any) -> JsonResponse:
    called_off = table.round.tournament.is_called_off
    said = _("The tournament has been called off.") if called_off else _("The round has been closed.")
    return _dead("closed", said, **more)


def _for_phones(view: TableView[P]) -> Callable[..., HttpResponse]:
    """A view of the table whose secret is in the address, answering in JSON whatever is wrong."""

    @wraps(view)
    def wrapper(request: HttpRequest, secret: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            table = table_by_secret(secret)
            if table.is_over:
                return _closed(table)
            return view(request, table, *args, **kwargs)
        except Table.DoesNotExist:
            return JsonResponse({"error": "unknown", "message": _("There is no such table.")}, status=404)
        except LinkRevoked:
            return _revoked()
        except BadBody as error:
            return JsonResponse({"error": "protocol", "message": error.message}, status=400)
        except NotPossible as error:
            error_code, status = ("no_room", 429) if isinstance(error, NoRoom) else ("not_possible", 409)
            said = {"error": error_code, "field": error.field, "message": error.message}
            return JsonResponse(said, status=status)

    return csrf_exempt(never_cache(wrapper))


class Compact(DjangoJSONEncoder):
    """JSON without blanks and with letters as such: a fifth less to load."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**(options | COMPACT | {"ensure_ascii": False}))


def _preloaded(modules: list[str]) -> list[str]:
    return [] if getattr(staticfiles_storage, "modules_in_one", False) else modules


# Ways in


@require_GET
def worker(_request: HttpRequest) -> HttpResponse:
    """The service worker that stores captains' pages on phones; its scope is the folder of its URL, `/c/`."""
    script = f'importScripts("{static("js/captain/worker.js")}");'
    return HttpResponse(script, content_type="text/javascript", headers={"Cache-Control": "no-cache"})


@require_GET
def enter_code(request: HttpRequest) -> HttpResponse:
    """Type the table's short code; ten wrong ones a minute from one address are enough."""
    typed = request.GET.get("code", "")
    problem = ""
    if "code" in request.GET:
        guesser = by_address("code", request.META.get("REMOTE_ADDR", ""))
        if is_throttled(guesser):
            problem = _("Too many wrong codes. Wait a minute and try again.")
        elif table := table_by_code(typed):
            return redirect("captain", table.secret)
        else:
            count_attempt(guesser)
            problem = _("No table has this code. Check the sheet again, or ask the organiser.")
    status = 200 if not problem else 404
    return render(request, "captain/code.html", {"typed": typed[:40], "problem": problem}, status=status)


@require_GET
@gzip_page
@never_cache
def page(request: HttpRequest, secret: str) -> HttpResponse:
    try:
        table = table_by_secret(secret)
    except Table.DoesNotExist:
        return hide_address(render(request, "captain/unknown.html", status=404))
    except LinkRevoked as revoked:
        return _dead_page(request, revoked.table, secret, "revoked")
    if table.is_over:
        return _dead_page(request, table, secret, "closed")
    tournament = table.round.tournament
    words = page_words(rulebook_of(tournament), fixed=tournament.rules_frozen)
    told = {
        "modules": _preloaded(MODULES),
        "later": [LATER, *_preloaded(LATER_MODULES)],
        "state": json_script(table_state(table, now=timezone.now()), "state", Compact),
        "words": json_script(words, "words", Compact),
    }
    response = hide_address(render(request, "captain/page.html", {"secret": secret, "table": table} | told))
    response["Referrer-Policy"] = "no-referrer"
    response.content = INDENTED.sub(b"\n", response.content)
    return response


def _dead_page(request: HttpRequest, table: Table, secret: str, why: str) -> HttpResponse:
    """A page that explains what to do now; it sends reports still waiting on the phone, to be quarantined."""
    known: dict[str, Any] = {
        "table": table,
        "secret": secret,
        "why": why,
        "words": page_words(rulebook_of(table.round.tournament)),
        "modules": _preloaded(LATE_MODULES),
    }
    if why == "closed" and not table.round.tournament.is_called_off:
        known |= _ending_context(table)
    return hide_address(render(request, "captain/dead.html", known, status=410))


def _ending_context(table: Table) -> dict[str, Any]:
    """How a table's players stand, each with the next seat, or the card once play is over."""
    end = table_ending(table)
    seats = next_places(table, list(table.seats.values_list("entry", flat=True)))
    cards = {card.number: card for card in shown_cards(table.round.tournament)} if end["is_last"] else {}
    for place in end["places"]:
        card = cards.get(place["number"])
        place["seat"] = seats.get(place["number"], "")
        place["card"] = card and {"suit": card.card[0], "words": card_words(card.card), "label": card.label}
    return {"end": end, "has_cards": bool(cards)}


# The protocol


@require_GET
@gzip_page
@never_cache
def state(request: HttpRequest, secret: str) -> HttpResponse:
    """The table; nothing (204) for a phone that has this version; with `seq` only the deals changed since."""
    version = number_in(request.GET.get("v", ""))
    if version is not None and is_unchanged(secret, version):
        return HttpResponse(status=204)
    return _changed_state(request, secret)


@require_GET
def events(_request: HttpRequest, secret: str) -> HttpResponse:
    """Empty response, which ends an EventSource: events are served by the ASGI server (`core.serving.streams`)."""
    del secret
    return HttpResponse(status=204)


@_for_phones
def _changed_state(request: HttpRequest, table: Table) -> HttpResponse:
    version, seen = number_in(request.GET.get("v", "")), number_in(request.GET.get("seq", ""))
    if version == table.version and table.is_open:
        return HttpResponse(status=204)
    if version is not None and restored_since(table, version):
        seen = None  # what the phone knows may not be there any more
    return JsonResponse(table_state(table, since=seen, now=timezone.now()), json_dumps_params=COMPACT)


@csrf_exempt
@require_POST
@never_cache
def reports(request: HttpRequest, secret: str) -> HttpResponse:
    """Settle up to 100 reports, each with its own result. Reports of a revoked link are quarantined (status 410)."""
    try:
        read = read_reports(parse_body(request, LARGEST_BODY))
        table = table_by_secret(secret, only_which=True)
        settled = ledger.settle(table, _readable(read), ledger.Author("captain"), now=timezone.now())
    except BadBody as error:
        return JsonResponse({"error": "protocol", "message": error.message}, status=400)
    except Table.DoesNotExist:
        return JsonResponse({"error": "unknown", "message": _("There is no such table.")}, status=404)
    except LinkRevoked as revoked:
        kept = ledger.keep_aside(revoked.table, _readable(read), "revoked", now=timezone.now())
        return _dead(
            "revoked", _("This link has been replaced."), results=_results(revoked.table, read, kept)
        )
    table = settled.table
    results = _results(table, read, settled.answers)
    if table.is_over:
        return _closed(table, results=results)
    told = {"results": results, "state_version": table.version, "tokens": settled.tokens}
    told["sequence"] = table.reports_count
    if settled.since is not None:  # the phone need not ask what has changed
        told["since"] = settled.since
    return JsonResponse(told)


def _readable(read: list[Submission | Unread]) -> list[Submission]:
    return [item for item in read if isinstance(item, Submission)]


def _results(table: Table, read: list[Submission | Unread], answers: list[Answer]) -> list[dict[str, Any]]:
    """A result for each report in the order of the request."""
    said = (_with_what_was_stored(*one) for one in zip(answers_json(table, answers), answers, strict=True))
    return [_refused(item) if isinstance(item, Unread) else next(said) for item in read]


def _with_what_was_stored(said: dict[str, Any], answer: Answer) -> dict[str, Any]:
    """A response with the fields of an accepted report that the phone cannot compute."""
    if answer.status != "accepted" or answer.current is None:
        return said
    at = answer.current.recorded_at.isoformat(timespec="seconds")
    report = answer.current
    return said | {"outcome": report.outcome, "reported_at": at, "by": report.reported_by.value}


def _refused(item: Unread) -> dict[str, Any]:
    problem = {"code": "unreadable", "field": item.field, "message": item.message}
    return {"key": item.key, "status": "refused", "revision": 0, "problems": [problem]}


@require_POST
@_for_phones
def agree(request: HttpRequest, table: Table) -> HttpResponse:
    """A player's yes to the finished sheet as this phone shows it; `agreed` false takes a yes back."""
    body = parse_body(request, LARGEST_BODY)
    seat = table.seats.get(position=read_position(body, table.seats.count()))
    seat.table = table
    if body.get("agreed") is False:
        ledger.disagree(seat)
    elif body.get("tokens") != seat.tokens:
        raise NotPossible(_("The sheet has changed in the meantime. Check it again."), "tokens")
    else:
        ledger.agree(seat, now=timezone.now())
    return _version(table)


@require_GET
@_for_phones
def coming(_request: HttpRequest, table: Table) -> HttpResponse:
    """Standings and next seats of a table's players, once everyone has signed its sheet."""
    return JsonResponse({"next": next_seats_from(table), "end": table_ending(table)})


@require_POST
@_for_phones
def flag(request: HttpRequest, table: Table) -> HttpResponse:
    """Call the organiser, or mark a deal to be looked at later; `settled` takes a call or a mark back."""
    call = read_call(parse_body(request, LARGEST_BODY))
    now = timezone.now()
    if call.settled and call.kind == Flag.Kind.CALL:
        ledger.take_call_back(table, call.words, now=now)
    elif call.settled:
        ledger.take_mark_back(table, call.deal, now=now)
    else:
        ledger.raise_flag(table, call.kind, deal=call.deal, words=call.words, now=now, key=call.key)
    return _version(table)


@require_POST
@_for_phones
def first_dealer(request: HttpRequest, table: Table) -> HttpResponse:
    position = read_position(parse_body(request, LARGEST_BODY), table.seats.count())
    ledger.set_first_dealer(table, position, now=timezone.now())
    return _version(table)


@require_POST
@_for_phones
def phone(request: HttpRequest, table: Table) -> HttpResponse:
    """Register this phone at the table; the response names the phone that enters the deals."""
    body = parse_body(request, LARGEST_BODY)
    name = body.get("phone")
    if not isinstance(name, str) or not PHONE_NAME.fullmatch(name):
        raise BadBody(_("“phone” must be 1 to 36 letters, digits and dashes."))
    holder = hold_table(table, name, take=body.get("take") is True, now=timezone.now())
    return JsonResponse({"phone": holder})


def _version(table: Table) -> JsonResponse:
    table.refresh_from_db(fields=["version"])
    return JsonResponse({"state_version": table.version})


urlpatterns = [
    path("c/", enter_code, name="captain_code"),
    path("c/worker.js", worker, name="captain_worker"),
    path("c/<str:secret>/", page, name="captain"),
    path("c/<str:secret>/state", state, name="captain_state"),
    path("c/<str:secret>/events", events, name="captain_events"),
    path("c/<str:secret>/reports", reports, name="captain_reports"),
    path("c/<str:secret>/next", coming, name="captain_next"),
    path("c/<str:secret>/agree", agree, name="captain_agree"),
    path("c/<str:secret>/flag", flag, name="captain_flag"),
    path("c/<str:secret>/phone", phone, name="captain_phone"),
    path("c/<str:secret>/first-dealer", first_dealer, name="captain_first_dealer"),
    path("c/<str:secret>/photograph", captain_photograph, name="captain_photograph"),
]
