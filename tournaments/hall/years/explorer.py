"""Searching all deals of a club: the page and its form."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django import forms
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext
from django.views.decorators.http import require_safe

from clubs.models import Club, Player
from core.http.responses import file_response
from core.tables.files import CONTENT_TYPES, Table, table_file
from core.throttle import by_address, count_attempt, is_throttled
from scoring import get_rulebook, rulebooks
from scoring.cards import SUITS
from scoring.rulebook import Trumps
from scoring.seats import ALL_ROLES, Role
from scoring.words import OUTCOME_NAMES
from tournaments.domain.terms import (
    contract_name,
    contract_names,
    loss_names,
    percent,
    said_by,
    seat_name,
    suit_name,
)
from tournaments.hall.about import render_page, unlisted
from tournaments.hall.charts import rate_chart
from tournaments.hall.years.links import club_with_history, led_on
from tournaments.hall.years.span_form import SpanForm
from tournaments.people import visibility
from tournaments.people.explorer import BET, BY, KODILLE, WON, Question, ask
from tournaments.people.person_statistics import LEAST_GAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from django.db.models import QuerySet
    from django.http import HttpRequest, QueryDict

    from scoring.rulebook import Rulebook
    from tournaments.models import Tournament
    from tournaments.people.explorer import Answer, Row
    from tournaments.people.person_statistics import Rate
    from tournaments.people.span import Span


# Queries about games, over all public clubs, a club or union, or one person: page and file.

# So many rows stand on the page; a file has them all.
MOST_ROWS = 200
# So many groups make one of them the greatest.
LEAST_COMPARED = 2
# Any number of queries is possible, and each aggregates all deals: so many requests are allowed per address.
ASKED_A_MINUTE, LATER = 60, {"Retry-After": "60"}


@dataclass(frozen=True, slots=True)
class Of:
    """Scope of a query: all public clubs, a club's evenings, or one person."""

    club: Club | None = None
    person: Player | None = None

    def page_url(self, page: str) -> str:
        """The URL of one of its pages: "explorer", or "explorer_file" as CSV."""
        more = ["csv"] if page == "explorer_file" else []
        if self.person is not None:
            return reverse(f"hall_person_{page}", args=[self.person.pk, *more])
        if self.club is not None:
            return reverse(f"hall_club_{page}", args=[self.club.slug, *more])
        return reverse(f"hall_{page}", args=more)

    @property
    def name(self) -> str:
        if self.person is not None:
            return visibility.name_of(self.person)
        return self.club.name if self.club else _("All clubs")

    @property
    def may_be_found(self) -> bool:
        if self.person is not None:
            return visibility.may_be_found(self.person)
        return self.club is not None and visibility.may_club_be_found(self.club)


def of_person(pk: int) -> Of:
    """Scope of one person; raises Http404 without a public page."""
    person = get_object_or_404(Player, pk=pk)
    if not visibility.has_page(person):
        raise Http404
    return Of(person=person)


class Asked:
    """A query's forms, and if valid, the query and its result."""

    def __init__(self, data: QueryDict, of: Of) -> None:
        self.of = of
        evenings = visibility.evenings(of.club)
        if of.person is not None:
            own = visibility.own_entries(of.person).values("tournament")
            evenings = evenings.filter(pk__in=own)
        self.span_form = SpanForm(data, evenings)
        span_is_valid = self.span_form.is_valid()
        asked = self.span_form.span.rulebook
        books = [asked] if asked else _rulebooks_played(self.span_form, evenings)
        self.games = GamesText(books)
        self.form = QuestionForm(data, self.games)
        self.is_valid = self.form.is_valid() and span_is_valid

    def question(self) -> Question:
        return self.form.question(self.span_form.span)

    def answer(self, question: Question) -> Answer:
        return ask(question, self.of.club, self.of.person)


def _rulebooks_played(span_form: SpanForm, evenings: QuerySet[Tournament]) -> list[str]:
    """The rulebooks that were played by; all of them where nothing was played.

    Of several the form gives the choice; where it has none, there is one at most.
    """
    known = [book.id for book in rulebooks()]
    field = span_form.fields.get("rulebook")
    if isinstance(field, forms.ChoiceField):
        choices: Any = field.choices  # no groups
        played = dict(choices)
    else:
        played = dict.fromkeys(evenings.order_by().values_list("rulebook", flat=True)[:1])
    return [name for name in known if name in played] or known


def _page(request: HttpRequest, of: Of) -> HttpResponse:
    asked = Asked(request.GET, of)
    context = {
        "of": of,
        "club": of.club,
        "is_union": of.club is not None and of.club.clubs.exists(),
        **({"person": of.person, "name": of.name} if of.person else {}),
        "here": of.page_url("explorer"),
        "form": asked.form,
        "span_form": asked.span_form,
        "least": LEAST_GAMES,
        "asks": not request.GET or not asked.is_valid,
    }
    too_often = asked.is_valid and asks_too_often(request)
    if asked.is_valid and not too_often:
        context |= _context(asked)
    # Each question is another URL: the page is listed without one.
    found = of.may_be_found and not request.GET
    context |= {"too_often": too_often}
    answer = render_page(request, "hall/years/explorer.html", context, may_be_found=found and not too_often)
    if too_often:
        answer.status_code, answer.headers["Retry-After"] = 429, LATER["Retry-After"]
    return answer


def asks_too_often(request: HttpRequest) -> bool:
    asker = by_address("explorer", request.META.get("REMOTE_ADDR", ""))
    if is_throttled(asker, most=ASKED_A_MINUTE):
        return True
    count_attempt(asker)
    return False


def _context(asked: Asked) -> dict[str, Any]:
    question = asked.question()
    games, answer = asked.games.knowing(question.contract), asked.answer(question)
    named = _labelled_rows(answer.rows, question, games)
    query = urlencode(question.as_query())
    return {
        "question": question,
        "said": question_text(question, games),
        "first_said": most_often_won_text(question, named),
        "further": [*further_text(question, games), asked.span_form.summary],
        "whole": answer.whole,
        "outcomes": [games.name("outcome", code) for code in (WON, BET, KODILLE)],
        "heads": [heading(by) for by in question.by],
        "rows": named[:MOST_ROWS],
        "left_out": len(named[MOST_ROWS:]),
        "chart": rate_chart([(" · ".join(names), row.rate) for names, row in named]) if question.by else None,
        "asked_for": games.name("outcome", question.outcome or WON),
        "address": f"{asked.of.page_url('explorer')}?{query}",
        "file": f"{asked.of.page_url('explorer_file')}?{query}",
    }


def most_often_won_text(question: Question, named: Iterable[tuple[list[str], Row]]) -> str:
    """A sentence on the group of which the greatest share was won; "" where few groups have enough games to say so."""
    sure = [(names, row) for names, row in named if not row.rate.is_little]
    if question.outcome or "outcome" in question.by or len(sure) < LEAST_COMPARED:
        return ""
    names, row = max(sure, key=lambda one: one[1].rate.share or 0)
    words = {
        "what": " · ".join(names),
        "share": percent(row.rate.share or 0),
        "count": row.games.deals,
    }
    return _("Won most often: %(what)s, %(share)s of %(count)d games.") % words


def _file(request: HttpRequest, of: Of, kind: str) -> HttpResponse:
    """The result as a file; if the query is invalid, the page with its errors."""
    if kind not in CONTENT_TYPES:
        raise Http404
    asked = Asked(request.GET, of)
    if not asked.is_valid:
        return redirect(f"{of.page_url('explorer')}?{request.GET.urlencode()}")
    if asks_too_often(request):
        return unlisted(HttpResponse(status=429, headers=LATER))
    question = asked.question()
    games, answer = asked.games.knowing(question.contract), asked.answer(question)
    heads = [
        *(heading(by) for by in question.by), _("Games"),
        *(games.name("outcome", code) for code in (WON, BET, KODILLE)),
        pgettext("of games", "Share"), _("at least"), _("at most"),
        _("Tokens"), pgettext("tokens a deal, on average", "Each"),
    ]  # fmt: skip
    rows = [[*names, *_figures(row)] for names, row in _labelled_rows(answer.rows, question, games)]
    name = question_text(question, games)
    data = table_file(kind, Table(heads, rows, _("Games")))
    return unlisted(file_response(data, CONTENT_TYPES[kind], of.name, name, kind=kind, attached=True))


def _labelled_rows(rows: Iterable[Row], question: Question, games: GamesText) -> list[tuple[list[str], Row]]:
    """Rows with what each is called; seats and outcomes as those rulebooks call them that have the row's contract."""
    at = question.by.index("contract") if "contract" in question.by else None
    words = cache(games.knowing)
    found = []
    for row in rows:
        own = games if at is None else words(row.key[at])
        found.append(([own.name(by, value) for by, value in zip(question.by, row.key, strict=True)], row))
    return found


def _figures(row: Row) -> list[int | Fraction | None]:
    """Values of a row of the file: counts, the share with its interval, tokens."""
    counts, rate = row.games, row.rate
    return [
        counts.deals, counts.won, counts.bete, counts.kodille,
        *(Fraction(share) if rate.of else None for share in (rate.share or 0, *rate.interval)),
        counts.tokens, Fraction(counts.tokens, counts.deals) if counts.deals else None,
    ]  # fmt: skip


@require_safe
def hall_explorer(request: HttpRequest) -> HttpResponse:
    return _page(request, Of())


@require_safe
def hall_club_explorer(request: HttpRequest, slug: str) -> HttpResponse:
    return _page(request, Of(club=club_with_history(slug)))


@led_on
@require_safe
def hall_person_explorer(request: HttpRequest, pk: int) -> HttpResponse:
    return _page(request, of_person(pk))


@require_safe
def hall_explorer_file(request: HttpRequest, kind: str) -> HttpResponse:
    return _file(request, Of(), kind)


@require_safe
def hall_club_explorer_file(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    return _file(request, Of(club=club_with_history(slug)), kind)


@led_on
@require_safe
def hall_person_explorer_file(request: HttpRequest, pk: int, kind: str) -> HttpResponse:
    return _file(request, of_person(pk), kind)


# The GET form of a query, and the query as a sentence.

FIELDS = ("contract", "trump", "seat", "tout", "players", "outcome", "by", "then")
ALL: tuple[str, Any] = ("", gettext_lazy("all"))
ASKED = {"by": "contract", "outcome": WON}


class QuestionForm(forms.Form):
    """The filter form: choices are those of the rulebooks played; an omitted parameter has its default."""

    def __init__(self, data: QueryDict, games: GamesText) -> None:
        super().__init__({name: data.get(name, ASKED.get(name, "")).strip()[:40] for name in FIELDS})
        self.games = games
        families = games.families()
        contracts: list[tuple[str, Any]] = families[0][1] if len(families) == 1 else list(families)
        told_apart = [(by, heading(by)) for by in BY]
        self.fields |= {
            "contract": _choice(_("Contract"), [ALL, *contracts]),
            "trump": _choice(_("Trumps"), [ALL, *((suit, games.name("trump", suit)) for suit in SUITS)]),
            "seat": _choice(_("Declared by"), [ALL, *games.seats()]),
            "tout": _choice(_("Tout"), [ALL, *((tout, said()) for tout, said in TOUTS.items())]),
            "players": _choice(
                _("Players at the table"), [ALL, *((str(size), str(size)) for size in games.sizes())]
            ),
            "outcome": _choice(_("How often"), games.outcomes()),
            "by": _choice(_("Split by"), [("", _("nothing")), *told_apart]),
            "then": _choice(_("and by"), [("", _("nothing")), *told_apart]),
        }

    def clean(self) -> dict[str, Any]:
        found = self.cleaned_data
        contract, trump = found.get("contract"), found.get("trump")
        if contract and trump and not self.games.may_be_trumps(contract, trump):
            said = {"contract": self.games.name("contract", contract), "suit": suit_name(trump)}
            self.add_error("trump", _("%(contract)s is never played with %(suit)s as trumps.") % said)
        if found.get("then") and found["then"] == found.get("by"):
            self.add_error("then", _("Choose two different things, or just one."))
        return found

    def question(self, span: Span) -> Question:
        """The query of a valid form."""
        said = dict(self.cleaned_data)
        by = tuple(name for name in (said.pop("by"), said.pop("then")) if name)
        players, outcome = said.pop("players"), said.pop("outcome")
        usual = "" if outcome == WON else outcome
        return Question(**said, players=int(players) if players else None, outcome=usual, by=by, span=span)


def _choice(label: str, choices: Iterable[tuple[str, Any]]) -> forms.ChoiceField:
    said = gettext_lazy("There is no choice “%(value).40s” here.")
    return forms.ChoiceField(
        label=label, choices=list(choices), required=False, error_messages={"invalid_choice": said}
    )


def question_text(question: Question, games: GamesText) -> str:
    """“How often is solo in hearts declared by backhand won?”"""
    if not question.outcome:
        return _("How often is {game} won?").format(game=_game(question, games))
    outcome = games.names["outcome"](question.outcome)
    return _("How often does {game} end in “{outcome}”?").format(game=_game(question, games), outcome=outcome)


def _game(question: Question, games: GamesText) -> str:
    """The games in words: “solo in hearts declared by backhand”."""
    said = games.names["contract"](question.contract).lower() if question.contract else _("a game")
    if question.trump:
        said = _("{game} in {suit}").format(game=said, suit=suit_name(question.trump))
    if question.seat:
        said = _("{game} declared by {seat}").format(game=said, seat=games.names["seat"](question.seat))
    return said


def further_text(question: Question, games: GamesText) -> list[str]:
    """Further filters and the grouping in words."""
    found = []
    if question.tout:
        found.append(_("tout {tout}").format(tout=games.names["tout"](question.tout)))
    if question.players:
        found.append(_("tables of {players}").format(players=question.players))
    if question.by:
        found.append(_("by {what}").format(what=" · ".join(HEADINGS[by]() for by in question.by).lower()))
    return found


# Shares of games won, in sentences.

# What games are called where these rulebooks are played: contracts, seats and losses by the names of their family.

Choices = list[tuple[str, str]]


@lru_cache(maxsize=64)
def _known(rulebook: str) -> tuple[str, ...]:
    """The contracts of a rulebook: those of its usual options in the order of bidding, then such of other options."""
    book = get_rulebook(rulebook)
    return (*book.by_id, *sorted(book.known_contracts - book.by_id.keys()))


class GamesText:
    """The words of these rulebooks; where two of them have different words for a thing, both.

    `called` are the names of the contracts of all rulebooks that one list is of.
    """

    def __init__(self, books: Iterable[str], called: Mapping[str, str] | None = None) -> None:
        self.books = [get_rulebook(name) for name in books]
        if called is None:
            called = contract_names(dict.fromkeys(name for book in self.books for name in _known(book.id)))
        self.called = called
        # Labels of the values of each grouping column.
        self.names: dict[str, Callable[[str], str]] = {
            "contract": lambda contract: self.called.get(contract) or contract_name(contract),
            "trump": lambda suit: suit_name(suit) if suit in SUITS else _("no trumps"),
            "seat": self._seat,
            "outcome": self._outcome,
            "tout": lambda tout: TOUTS[tout](),
            "players": lambda players: _("table of %(players)s") % {"players": players},
            "year": str,
        }

    def knowing(self, contract: str) -> GamesText:
        """The words of those rulebooks that have a contract; all words, where it is none or none has it."""
        knowing = [book.id for book in self.books if contract in book.known_contracts]
        return GamesText(knowing, self.called) if knowing and len(knowing) < len(self.books) else self

    def name(self, by: str, value: str) -> str:
        """The name of a group in lists: "Backhand", "Hearts", "Solo"."""
        return capfirst(self.names[by](value))

    def families(self) -> list[tuple[str, Choices]]:
        """Contracts by family of games, named by its rulebooks; each contract once."""
        by_family: dict[type, list[Rulebook]] = {}
        for book in self.books:
            by_family.setdefault(type(book.house), []).append(book)
        found, told = [], set[str]()
        for books in by_family.values():
            ids = dict.fromkeys(name for book in books for name in _known(book.id) if name not in told)
            told.update(ids)
            if ids:
                names = " · ".join(_(book.name) for book in books)
                found.append((names, [(name, contract_name(name)) for name in ids]))
        return found

    def seats(self) -> Choices:
        """Seats from which a player may declare, in the order of play."""
        may = {
            role
            for book in self.books
            for players in book.players
            for row in book.contracts_at(players)
            for role in row.declarers_at(players)
        }
        return [(role.value, self.name("seat", role.value)) for role in ALL_ROLES if role in may]

    def sizes(self) -> list[int]:
        """The possible numbers of players at a table."""
        return sorted({players for book in self.books for players in book.players})

    def outcomes(self) -> Choices:
        return [(code, self.name("outcome", code)) for code in (WON, BET, KODILLE)]

    def may_be_trumps(self, contract: str, suit: str) -> bool:
        """Whether a contract is anywhere played with this suit as trumps."""
        rows = [book.by_id[contract] for book in self.books if contract in book.by_id]
        return not rows or any(suit in row.suits or _always(row.trumps) == suit for row in rows)

    def _seat(self, role: str) -> str:
        return self._by_all(lambda book: seat_name(book, Role(role))) if role else _("nobody")

    def _outcome(self, outcome: str) -> str:
        if outcome == WON:
            return self._by_all(lambda book: said_by(book, OUTCOME_NAMES["won"]))
        return self._by_all(lambda book: loss_names(book)[outcome == KODILLE].lower())

    def _by_all(self, word: Callable[[Rulebook], str]) -> str:
        return " / ".join(dict.fromkeys(word(book) for book in self.books))


def _always(trumps: Trumps) -> str:
    return "S" if trumps is Trumps.SPADES else ""


TOUTS: dict[str, Callable[[], str]] = {
    "won": lambda: pgettext("tout", "made"),
    "failed": lambda: pgettext("tout", "tried, not made"),
    "none": lambda: pgettext("tout", "not tried"),
}


def heading(by: str) -> str:
    """Column heading of a grouping."""
    return HEADINGS[by]()


HEADINGS: dict[str, Callable[[], str]] = {
    "contract": lambda: _("Contract"),
    "trump": lambda: _("Trumps"),
    "seat": lambda: _("Seat"),
    "outcome": lambda: _("Outcome"),
    "tout": lambda: _("Tout"),
    "players": lambda: _("Players at the table"),
    "year": lambda: _("Year"),
}


# Shares and averages in words: with how sure they are, and where there is too little to say much.


def rate_text(rate: Rate) -> str:
    """“12 of 30”"""
    return _("%(count)d of %(of)d") % {"count": rate.count, "of": rate.of}


def between(rate: Rate) -> str:
    """The interval that holds the true share nineteen times in twenty."""
    low, high = (round(100 * end) for end in rate.interval)
    return _("{low}–{high} %").format(low=low, high=high)


def rate_in_words(rate: Rate) -> str:
    """“12 of 30, 40 %”, and the interval; of few, that they are too few."""
    if rate.is_little:
        few = _("too few")
        return f"{rate_text(rate)}, {few}" if rate.of else "–"
    return f"{rate_text(rate)}, {percent(rate.share or 0)} ({between(rate)})"
