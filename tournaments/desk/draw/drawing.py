"""The organiser's page of the draw."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from core.errors import NotPossible
from core.http.steps import handle_button, handle_form, posted_data, take_step
from core.jobs.queue import remember_job
from core.serving.addresses import base_url
from tournaments.desk.draw.meetings_text import meetings_in_words
from tournaments.desk.draw.swap import (
    Chosen,
    Price,
    SeedForm,
    SubstituteForm,
    TablesForm,
    find_chosen,
    price_swaps,
    seat_name,
)
from tournaments.desk.evening.readiness import moved_in_words
from tournaments.desk.people.check_in import shows_clubs
from tournaments.desk.teams import lack_in_words
from tournaments.domain.draw_text import (
    pairs_that_meet_again,
    quality_in_words,
    refusal_in_words,
    tables_in_words,
    tables_named,
    threes_in_words,
    ways_out,
)
from tournaments.domain.terms import seated_in_words
from tournaments.draw.tables import ONE_SITS_OUT, DrawError, byes
from tournaments.entries.entering import entries_found
from tournaments.ledger import queries
from tournaments.ledger.queries import chairs_around, load_seats, rulebook_of, sizes_of_tables
from tournaments.lifecycle.drawing import discard_draw, draw, five_are_here, rounds_drawn_at_once
from tournaments.lifecycle.halls import lacking_places
from tournaments.lifecycle.planning import draw_quality, prices_before, seats_drawn, shares_threes
from tournaments.lifecycle.round_repair import can_mend, mend_tables
from tournaments.lifecycle.seat_changes import has_chairs_for_late, sit_at_threes, smallest_change, take_seats
from tournaments.lifecycle.seat_plan import (
    PlannedRound,
    byes_of,
    draw_mark,
    matrix,
    moved_since_drawn,
    not_seated,
    seat_plan,
    seated_but_gone,
    seatings,
)
from tournaments.models import Entry, Round, Seat, Table, Team, Tournament
from tournaments.paper import kinds
from tournaments.paper.kinds import EVERYTHING, Order
from tournaments.paper.printing import changed_tables
from tournaments.web.choice_field import AtHand, found_alone, is_sought
from tournaments.web.confirming import Question, ask_first
from tournaments.web.guards import DeskRequest, desk_view, find_entry, number_in, one_by_one

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from django.http import HttpResponse, QueryDict

    from clubs.models import Account
    from tournaments.domain.draw_text import Said
    from tournaments.draw.quality import Quality
    from tournaments.paper.printing import Changed


# The draw at the desk: seat everybody, see how good it is, swap two players, throw it away.

# So many of those who are late, gone or missing are named; of how everybody meets, so many lines are shown at a time.
NAMED, ON_A_PAGE = 40, 100
# Late players for whom suitable tables are computed, at most.
OFFERED = 5
EVEN = {"even": True, "fewest": False}


def _club_count(tournament: Tournament) -> int:
    return tournament.entries.playing().exclude(club=None).values("club").distinct().count()


def draw_texts(tournament: Tournament, quality: Quality | None) -> list[Said]:
    if quality is None:
        return []
    may_sit_out = len(rulebook_of(tournament).players) == 1 or _have_byes(tournament)
    wishes = bool(tournament.not_together)
    return quality_in_words(
        quality,
        clubs=_club_count(tournament),
        byes=may_sit_out,
        wishes=wishes,
        prices=tournament.draw_prices,
        even_threes=tournament.even_threes,
    )


def _have_byes(tournament: Tournament) -> bool:
    """Whether the draw has byes, with the players of then."""
    return any(tournament.rounds.values_list("byes", flat=True))


@desk_view(helper=True)
def desk_draw(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    if "seek" in request.GET and (hits := found_alone(request, _substitute_form(tournament))):
        return hits
    form = _form(tournament, posted_data(request))
    step, said = partial(_draw_what_was_seen, tournament), _("The tables have been drawn.")
    if done := handle_form(
        request, form, step, said, _just_drawn(tournament), arguments=lambda: {"form": form}
    ):
        return done
    return render(request, "desk/draw/draw.html", _draw_context(request, tournament) | {"form": form})


@desk_view(helper=True, one_transaction=False)
def desk_draw_and_print(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Draw, then print everything for the first round that waits; the second of two taps prints what was drawn."""
    page = reverse("desk_draw", args=[tournament.code])
    if request.method != "POST":
        return redirect(page)
    with one_by_one(tournament) as stands:
        refused = _draw_before_print(request, stands)
    round_ = tournament.rounds.filter(state=Round.State.DRAWN).order_by("number").first()
    if refused or round_ is None:
        return refused or redirect(page)
    order = Order(round_, base_url(request), timezone.now())
    try:
        job = kinds.ask(order, EVERYTHING, language=get_language() or "en", account=request.user)
    except NotPossible as refusal:
        messages.warning(request, refusal.message)
        return redirect(page)
    remember_job(request, job)
    return redirect("desk_job", job.pk)


def _draw_before_print(request: DeskRequest, tournament: Tournament) -> HttpResponse | None:
    """Draw as offered by the page; returns an error page, or None if sheets can be printed."""
    form, before = _form(tournament, request.POST), draw_mark(tournament)
    if form.is_valid() and form.cleaned_data["drawn"] != before and _is_drawn(tournament):
        return None
    step, said = partial(_draw_what_was_seen, tournament), _("The tables have been drawn.")
    if form.is_valid() and take_step(request, step, said, form, {"form": form}):
        return None if draw_mark(tournament) != before else redirect("desk_draw", tournament.code)
    return render(request, "desk/draw/draw.html", _draw_context(request, tournament) | {"form": form})


def _is_drawn(tournament: Tournament) -> bool:
    """Whether drawn rounds seat exactly the checked-in players."""
    waits = tournament.rounds.filter(state=Round.State.DRAWN).exists()
    return waits and not (
        not_seated(tournament) or seated_but_gone(tournament) or moved_since_drawn(tournament)
    )


def _just_drawn(tournament: Tournament) -> str:
    """The anchor of the first round that a draw seats: below those that have started."""
    page = reverse("desk_draw", args=[tournament.code])
    first = tournament.rounds.exclude(state=Round.State.DRAWN).count() + 1
    return page if first == 1 else f"{page}?round={first}#round-{first}"


def _form(tournament: Tournament, sent: QueryDict | None = None) -> SeedForm | TablesForm:
    """A seed, or, where the organiser seats the players, tables that begin with those that stand."""
    if tournament.draw_mode != Tournament.DrawMode.BY_HAND:
        chosen = "even" if tournament.even_threes else "fewest"
        return SeedForm(sent, threes=_threes_offered(tournament), initial={"threes": chosen})
    standing = seats_drawn(tournament, started=False)
    lines = [[" ".join(map(str, table)) for table in tables] for tables in standing]
    return TablesForm(sent, initial={"tables": "\n\n".join("\n".join(tables) for tables in lines)})


def _threes_offered(tournament: Tournament) -> dict[str, str] | None:
    """Both ways to share tables of three, each with what it costs; None where there is no choice."""
    present = tournament.entries.playing().count()
    if not shares_threes(tournament, present):
        return None
    # The price of the last draw is one for the players who were here then.
    changed = not_seated(tournament) or seated_but_gone(tournament)
    prices = {} if changed else tournament.draw_prices
    return threes_in_words(prices or prices_before(tournament, present))


def _draw_what_was_seen(
    tournament: Tournament, *, form: SeedForm | TablesForm, account: Account, now: datetime
) -> None:
    """Draw what the page offered; the second of two clicks finds a newer draw, and changes nothing."""
    if draw_mark(tournament) != form.cleaned_data["drawn"]:
        raise NotPossible(_("The draw has changed since you opened the page. This is how it is now."))
    draw(
        tournament,
        seed=form.cleaned_data.get("seed"),
        given=form.cleaned_data.get("tables", ()),
        one_sits_out=form.cleaned_data["one_sits_out"],
        even_threes=EVEN.get(form.cleaned_data.get("threes", "")),
        account=account,
        now=now,
    )


def _draw_context(request: DeskRequest, tournament: Tournament) -> dict[str, Any]:
    all_rounds = list(tournament.rounds.all())
    changed = _printed_and_changed(tournament)
    tables = changed[1].tables if changed else []
    shown = shown_of(tournament, all_rounds, request.GET, tables) if all_rounds else None
    drawn = [round_ for round_ in all_rounds if round_.is_drawn]
    started = len(all_rounds) - len(drawn)
    left = tournament.rounds_planned - started
    late, gone = not_seated(tournament), seated_but_gone(tournament)
    moved = moved_since_drawn(tournament)
    context: dict[str, Any] = {
        "tournament": tournament,
        "rounds": all_rounds,
        "shown": shown,
        "drawn": drawn,
        "started": started,
        "left": left,
        "at_once": rounds_drawn_at_once(tournament),
        "lacking": lacking_places(tournament),
        "by_hand": tournament.draw_mode == Tournament.DrawMode.BY_HAND,
        "players": tournament.entries.playing().select_related("player"),
        "mark": draw_mark(tournament),
        "changed": changed,
        "late": late[:NAMED],
        "more_late": max(0, len(late) - NAMED),
        "chairs": bool(late) and has_chairs_for_late(tournament),
        "offers": _offers(tournament, late),
        "gone": gone[:NAMED],
        "more_gone": max(0, len(gone) - NAMED),
        "mendable": [entry for entry in gone[:NAMED] if can_mend(tournament, entry)],
        # Whether a draw is what the organiser comes for; else drawing again is offered below the seats.
        "must_draw": left > 0 and not tournament.is_finished and (not drawn or bool(late or gone or moved)),
        "corrected": moved_in_words(moved) if moved else "",
        "shows_clubs": shows_clubs(tournament),
        "seated": seated_in_words(rulebook_of(tournament)),
    }
    if tournament.in_teams:
        context |= _of_teams(tournament, started, left)
    else:
        context |= _of_players(tournament, left, gone, late)
    said = context["said"]
    return context | {"is_best": bool(said) and all(line.good for line in said)}


def _printed_and_changed(tournament: Tournament) -> tuple[Round, Changed] | None:
    """The first round that waits, with the tables that have changed since their sheets were printed."""
    round_ = tournament.rounds.filter(state=Round.State.DRAWN).order_by("number").first()
    changed = changed_tables(round_) if round_ else None
    return (round_, changed) if round_ and changed else None


def _offers(tournament: Tournament, late: list[Entry]) -> list[tuple[Entry, str]]:
    """Late players, each with tables where they could be the fourth; no other seat changes."""
    if not late or not has_chairs_for_late(tournament):
        return []
    return [
        (entry, tables_named((table.round.number, table.number) for table in smallest_change(entry)))
        for entry in late[:OFFERED]
    ]


def _of_players(tournament: Tournament, left: int, gone: list[Entry], late: list[Entry]) -> dict[str, Any]:
    """The context where everybody plays for themselves: present players, tables, and options where they do not fit."""
    present = tournament.entries.playing().count()
    sizes, five = sizes_of_tables(tournament), five_are_here(tournament)
    try:
        tables, cannot = tables_in_words(present, ONE_SITS_OUT if five else sizes), ""
    except DrawError as error:
        tables, cannot = "", refusal_in_words(error)
    waited = tournament.entries.filter(status=Entry.Status.ENTERED).select_related("player")
    # With nobody here, the refusal to draw names what to do.
    missing = list(waited[: NAMED + 1]) if left and present else []
    return {
        "present": present,
        "tables": tables,
        "cannot": cannot,
        "five": five,
        "byes": byes_of(tournament),
        "average_is_fairer": _average_is_fairer(tournament, present),
        "ways_out": ways_out(present, sizes, rules_frozen=tournament.rules_frozen),
        "missing": missing[:NAMED],
        "more_missing": waited.count() - NAMED if len(missing) > NAMED else 0,
        "wishes": True,
        "substitute": _substitute_form(tournament) if gone and late else None,
        "said": draw_texts(tournament, draw_quality(tournament)),
    }


def _of_teams(tournament: Tournament, started: int, left: int) -> dict[str, Any]:
    """The context where pairs or teams meet: how many can be drawn, which cannot, and the number of rounds."""
    words, needed = tournament.format_row.words, queries.rounds_needed(tournament)
    ready = sum(map(queries.is_ready, queries.teams_of(tournament)))
    return {
        "teams_here": words.here % {"present": ready},
        "cannot": "" if ready >= 2 else words.too_few,  # it takes two
        # How many rounds are enough for all to meet; 0 where no more than that are planned, or have started.
        "enough": needed if started <= needed < tournament.rounds_planned else 0,
        "apart": queries.without_team(tournament),
        "not_whole": _not_whole(tournament) if left else [],
        "said": meetings_in_words(tournament),
    }


def _average_is_fairer(tournament: Tournament, present: int) -> bool:
    """Whether some will play fewer rounds and sums are compared, which can still be changed."""
    if tournament.rules_frozen or tournament.comparison != Tournament.Comparison.SUM:
        return False
    if _have_byes(tournament) and tournament.rounds.count() == tournament.rounds_planned:
        quality = draw_quality(tournament)
        return quality is not None and quality.rounds_played[0] < quality.rounds_played[1]
    sizes = ONE_SITS_OUT if five_are_here(tournament) else sizes_of_tables(tournament)
    if len(sizes) > 1 or present < min(sizes):
        return False
    return bool(tournament.rounds_planned * byes(present, sizes) % present)


def _not_whole(tournament: Tournament) -> list[tuple[Team, str]]:
    """The pairs or teams that are not drawn, and why."""
    return [(team, why) for team in queries.teams_of(tournament) if (why := lack_in_words(team))]


def _substitute_form(tournament: Tournament, sent: QueryDict | None = None) -> SubstituteForm:
    gone, late = (
        AtHand(those, key=attrgetter("number"), label=str)
        for those in (seated_but_gone(tournament), not_seated(tournament))
    )
    return SubstituteForm(sent, gone=gone, late=late, page=reverse("desk_draw", args=[tournament.code]))


@desk_view(helper=True)
@require_POST
def desk_substitute(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """A checked-in player takes over the seats of an absent one."""
    form = _substitute_form(tournament, request.POST)
    if is_sought(form):
        context = _draw_context(request, tournament) | {"form": _form(tournament), "substitute": form}
        return render(request, "desk/draw/draw.html", context)
    if not form.is_valid():
        messages.warning(request, _("The draw has changed since you opened the page. This is how it is now."))
        return redirect("desk_draw", tournament.code)
    newcomer, leaver = form.cleaned_data["newcomer"], form.cleaned_data["gone"]
    said = _("%(newcomer)s has taken %(gone)s’s seats.") % {"newcomer": newcomer, "gone": leaver}
    return handle_button(request, partial(take_seats, leaver, newcomer), said, "desk_draw", tournament.code)


@desk_view(helper=True)
@require_POST
def desk_sit_late(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    """A late player becomes the fourth at tables of three; other seats stay as drawn."""
    entry = find_entry(tournament, number)

    def success_message(tables: list[Table]) -> str:
        text = _(
            "%(name)s is the fourth at: %(tables)s. Everyone else sits as drawn. Print these "
            "tables’ sheets again."
        )
        at = [(table.round.number, table.number) for table in tables]
        return text % {"name": entry.player.name, "tables": tables_named(at)}

    return handle_button(
        request, partial(sit_at_threes, entry), success_message, "desk_draw", tournament.code
    )


@desk_view(helper=True)
@require_POST
def desk_mend(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Repair tables after a withdrawal; other seats stay as drawn."""
    entry = find_entry(tournament, number)

    def success_message(tables: list[Table]) -> str:
        text = _("Rearranged: %(tables)s. Everyone else sits as drawn. Print these tables’ sheets again.")
        return text % {"tables": tables_named((table.round.number, table.number) for table in tables)}

    return handle_button(request, partial(mend_tables, entry), success_message, "desk_draw", tournament.code)


@desk_view(helper=True)
def desk_discard_draw(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    page, seed = reverse("desk_draw", args=[tournament.code]), tournament.draw_seed
    back_by = [] if seed is None else [_("The seed %(seed)d brings back the same seats.") % {"seed": seed}]
    asked = Question(
        title=_("Discard the draw"),
        does=_(
            "The seats of rounds that have not started will be lost. Sheets already printed for them will "
            "be useless."
        ),
        button=_("Discard the draw"),
        back=page,
        notes=lambda: back_by,
        step=partial(discard_draw, tournament),
        message=_("The draw has been discarded."),
        leads_to=page,
    )
    return ask_first(request, tournament, asked)


@desk_view(helper=True)
@require_safe
def desk_draw_explained(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Explain how the draw was made, with a matrix of meetings."""
    rounds = list(tournament.rounds.all())
    quality, seated = draw_quality(tournament), seatings(tournament)
    names = dict(tournament.entries.values_list("number", "player__name")) if quality else {}
    return render(
        request,
        "desk/draw/draw_explained.html",
        {
            "tournament": tournament,
            "rounds": rounds,
            "seatings": Paginator(seated.players, ON_A_PAGE).get_page(request.GET.get("page")),
            "matrix": matrix(seated.players),
            "drawn": [round_ for round_ in rounds if round_.is_drawn],
            "mixed": len(sizes_of_tables(tournament)) > 1,
            "with_threes": seated.has_empty_chairs,
            "said": draw_texts(tournament, quality),
            "again": pairs_that_meet_again(quality, names) if quality else [],
        },
    )


urlpatterns = [
    path("desk/t/<str:code>/draw/", desk_draw, name="desk_draw"),
    path("desk/t/<str:code>/draw/print/", desk_draw_and_print, name="desk_draw_and_print"),
    path("desk/t/<str:code>/draw/explained/", desk_draw_explained, name="desk_draw_explained"),
    path("desk/t/<str:code>/draw/substitute/", desk_substitute, name="desk_substitute"),
    path("desk/t/<str:code>/draw/late/<int:number>/", desk_sit_late, name="desk_sit_late"),
    path("desk/t/<str:code>/draw/mend/<int:number>/", desk_mend, name="desk_mend"),
    path("desk/t/<str:code>/draw/discard/", desk_discard_draw, name="desk_discard_draw"),
]


# Content of the draw's page: one round, with the price of every swap once a seat is chosen.
#
# A large round is paginated, or filtered by a search.

# Rounds up to this number of tables are shown on one page; larger ones with so many tables per page.
MOST_WHOLE, SHOWN_ON_A_PAGE = 80, 30


@dataclass(frozen=True)
class Place:
    """A player of the round at a seat, or with a bye; `at` is what the place is sent as."""

    entry: Entry
    at: str
    letter: str = ""
    price: Price | None = None
    is_chosen: bool = False


# A table with its places, None for the empty chair at a table of three.
ShownTable = tuple[Table, "list[Place | None]"]


@dataclass(frozen=True)
class Shown:
    """A round with the tables that are shown; `free` is how many swaps of the chosen player cost nothing."""

    planned: PlannedRound
    page: Page[ShownTable]
    byes: list[Place]
    is_long: bool
    q: str
    chosen: Chosen | None = None
    free: int = 0
    only_free: bool = False
    not_found: str = ""
    changed: set[int] = field(default_factory=set)
    """The numbers of the tables that have changed since their sheets were printed."""


def shown_of(
    tournament: Tournament, rounds: Sequence[Round], asked: QueryDict, changed: Sequence[int] = ()
) -> Shown:
    """The selected round, page and search results; `seat` is the chosen seat."""
    round_ = _asked_round(rounds, asked)
    seat = asked.get("seat", "")
    # The price of a swap depends on all seats; else those of the page are enough.
    (planned,) = seat_plan(tournament, [round_], seated=bool(seat))
    chosen = find_chosen(planned, seat) if planned.may_swap else None
    prices = price_swaps(planned, chosen) if chosen else {}
    only_free = bool(chosen) and "free" in asked

    def place(entry: Entry, at: str, letter: str = "") -> Place:
        is_chosen = chosen is not None and chosen.at == at
        return Place(entry, at, letter, prices.get(entry.number), is_chosen)

    def with_places(tables: Sequence[Table]) -> list[ShownTable]:
        return [
            (table, [_at_table(table, chair, place) if chair else None for chair in chairs])
            for table, chairs in zip(tables, chairs_around(round_, tables), strict=True)
        ]

    byes = [place(entry, seat_name(None, entry.number)) for entry in planned.bye]
    query, is_long = asked.get("q", ""), len(planned.tables) > MOST_WHOLE
    tables = planned.tables
    if query.strip() and is_long:
        tables = _search_tables(tournament, round_, tables, query)
    if only_free:
        of_table = {
            table.pk: kept
            for table, places in with_places(tables)
            if (kept := [one for one in places if _is_free(one)])
        }
        tables = [table for table in tables if table.pk in of_table]
    a_page = SHOWN_ON_A_PAGE if is_long else max(len(tables), 1)
    page: Page[Any] = Paginator(tables, a_page).get_page(asked.get("page"))
    on_page = list(page)
    if not seat:
        load_seats(on_page)
    page.object_list = (
        [(table, of_table[table.pk]) for table in on_page] if only_free else with_places(on_page)
    )
    return Shown(
        planned,
        page,
        byes,
        is_long,
        query,
        chosen,
        sum(price.is_free for price in prices.values()),
        only_free,
        seat if seat and not chosen and planned.may_swap else "",
        set(changed),
    )


def _at_table(table: Table, seat: Seat, place: Callable[[Entry, str, str], Place]) -> Place:
    return place(seat.entry, seat_name(seat, seat.entry.number, table), seat.letter)


def _is_free(place: Place | None) -> bool:
    return place is not None and (place.is_chosen or (place.price is not None and place.price.is_free))


def _asked_round(rounds: Sequence[Round], asked: QueryDict) -> Round:
    """The selected round; else the first that can still be changed, or the last."""
    number = number_in(asked.get("round", ""))
    drawn = [round_ for round_ in rounds if round_.is_drawn]
    return next((one for one in rounds if one.number == number), drawn[0] if drawn else rounds[-1])


def _search_tables(tournament: Tournament, round_: Round, tables: Sequence[Table], query: str) -> list[Table]:
    """Tables with a player of this name, or with this number."""
    sat = round_.seats.filter(entry__in=entries_found(tournament, query).values("pk"))
    found = set(sat.values_list("table", flat=True))
    return [table for table in tables if table.pk in found or str(table.number) == query.strip()]
