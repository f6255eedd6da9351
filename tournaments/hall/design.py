"""The page of design samples, with its sample data."""

from __future__ import annotations

import re
from datetime import timedelta
from itertools import accumulate
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.contrib.staticfiles import finders
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from clubs.crests import safe_colour
from clubs.models import Club, Player
from core.forms import DayField
from tournaments.domain.terms import signed
from tournaments.hall.charts import Curve, chart, curve, rate_chart, year_chart
from tournaments.lifecycle.money import Place, Podium
from tournaments.models import Entry, Tournament
from tournaments.people.evening_cards import EveningCard, Hand, HandCard
from tournaments.people.person_statistics import Rate
from tournaments.standings.players import won_in_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date

    from django.http import HttpRequest


# Design catalogue: every component in every state, for signed-in users; see docs/design.md.
#
# It uses the program's own templates and style sheets with sample data (`design_samples`). Media such as print, more
# contrast or forced colours are shown by applying the rules of that medium to every page.

ROWS = (0, 3, 27, 250)
COLOURS = (
    "ground paper sunk ink soft rule edge felt on-felt act on-act tint good good-tint bad bad-tint wait wait-tint "
    "wait-edge red gold-line p1 p2 p3"
).split()
# Style sheets of each face in addition to the common ones, in the order in which its pages load them.
FACES = {
    "hall": "hall hall_parts charts crest clock podium mine years history explorer achievements cards".split(),
    "desk": "organise desk desk_bar desk_board desk_evening podium clock find setup".split(),
    "clubs": "organise clubs podium find crest".split(),
}
EVERYWHERE = "base", "look"
# What a medium is called in style sheets.
MEDIA = {"print": "print", "contrast": "(prefers-contrast: more)", "forced": "(forced-colors: active)"}


@login_required
@require_safe
def design(request: HttpRequest) -> HttpResponse:
    face = _one_of(FACES, request.GET.get("face"), "hall")
    shown_as = _one_of(MEDIA, request.GET.get("as"), "")
    if "css" in request.GET and shown_as:
        return HttpResponse(rules_for(face, shown_as), content_type="text/css")
    asked = request.GET.get("rows", "")
    rows = int(asked) if asked in map(str, ROWS) else ROWS[1]
    context = {
        "face": face,
        "faces": FACES,
        "sheets": [f"css/{name}.css" for name in FACES[face]],
        "shown_as": shown_as,
        "is_large": "large" in request.GET,
        "is_dark": "dark" in request.GET,
        "rows": rows,
        "sizes": ROWS,
        "colours": COLOURS,
        **samples(rows),
        **(years_samples(rows) if face == "hall" else {}),
    }
    return render(request, "web/design.html", context)


def _one_of(known: Mapping[str, object], asked: str | None, usual: str) -> str:
    return asked if asked is not None and asked in known else usual


def rules_for(face: str, shown_as: str) -> str:
    """Rules for a medium in the face's style sheets, without their @media."""
    names = [*EVERYWHERE, *FACES[face], "contrast"]
    return "\n".join(rule for name in names for rule in rules_under(MEDIA[shown_as], _sheet(name)))


def _sheet(name: str) -> str:
    found = finders.find(f"css/{name}.css")
    if found is None:
        raise FileNotFoundError(name)
    return Path(found).read_text(encoding="utf-8")


def rules_under(medium: str, css: str) -> Iterator[str]:
    """Contents of each `@media` block of this name."""
    for begin in re.finditer(rf"@media {re.escape(medium)} \{{", css):
        depths = accumulate({"{": 1, "}": -1}.get(letter, 0) for letter in css[begin.end() :])
        length = next(at for at, depth in enumerate(depths) if depth < 0)
        yield css[begin.end() : begin.end() + length].strip()


urlpatterns = [path("design/", design, name="design")]


# What `/design/` shows the parts with: nothing of it is stored.

LONGEST = "Maximiliane-Charlotte Ægidius Østergaard-Nørremølle"
LONG_CLUB = "L’Hombreklubben for Sømærke, Nørre Snede og Omegn af 1887"
TOTALS = (0, 2, 1, 1, 4, 3, 7, 6, 6, 2, -1, 0, 3)
# Number of deals per round, and winners of the games.
EACH = 6
WITH_LONG_NAME, MOST_HERE = 2, 27
DECLARED = {4: True, 6: True, 9: False, 12: True}


class Sample(forms.Form):
    """A field of each kind that forms of the program have."""

    name = forms.CharField(
        label=gettext_lazy("Name"), help_text=gettext_lazy("As shown in logs and on printed notes.")
    )
    joined = DayField(label=gettext_lazy("Joined"))
    rounds = forms.IntegerField(label=gettext_lazy("Rounds"), min_value=1)
    rulebook = forms.ChoiceField(
        label=gettext_lazy("Rulebook"), choices=[("union", "Union"), ("rasle", "Rasle")]
    )
    role = forms.ChoiceField(
        label=gettext_lazy("Role"),
        choices=[("organiser", gettext_lazy("organiser")), ("helper", gettext_lazy("helper"))],
        widget=forms.RadioSelect,
    )
    clubs = forms.MultipleChoiceField(
        label=gettext_lazy("Clubs"),
        choices=[("a", "Skovby"), ("b", LONG_CLUB)],
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    ratings = forms.BooleanField(
        label=gettext_lazy("The hall shows ratings"),
        help_text=gettext_lazy("Compares players across all tournaments. It decides nothing."),
        required=False,
    )
    reason = forms.CharField(label=gettext_lazy("Reason"), widget=forms.Textarea(attrs={"rows": 3}))
    crest = forms.FileField(label=gettext_lazy("Crest"), required=False)


def samples(rows: int) -> dict[str, Any]:
    """The template context of all samples, with so many rows."""
    return _forms() | _lists(rows) | _draw_sample() | _of_an_evening(rows)


def _forms() -> dict[str, Any]:
    filled = {
        "name": LONGEST,
        "joined": "2025-02-30",
        "rounds": "0",
        "rulebook": "rasle",
        "clubs": ["b"],
        "reason": "",
    }
    wrong = Sample({f"wrong-{name}": value for name, value in filled.items()}, prefix="wrong")
    wrong["rounds"].stored_now = "3"  # type: ignore[attr-defined]
    return {
        "empty_form": Sample(prefix="empty", use_required_attribute=False),
        "wrong_form": wrong,
        "asked": SimpleNamespace(
            title=_("Reopen round %(number)s") % {"number": 1},
            does=_("You and the captains can correct its deals again until you close it once more."),
            button=_("Reopen round %(number)s") % {"number": 1},
            back="#ask",
            sees={},
        ),
        "notes": [_("Anyone who returns plays from the next round drawn.")],
    }


def _lists(rows: int) -> dict[str, Any]:
    lines = [
        SimpleNamespace(
            number=number,
            name=LONGEST if number == WITH_LONG_NAME else f"Anna Holm {number}",
            club=LONG_CLUB if number == WITH_LONG_NAME else "Skovby",
            total=signed(rows // 2 - number + 1),
            moved=(number % 5) - 2,
        )
        for number in range(1, rows + 1)
    ]
    return {
        "lines": lines,
        "part": Paginator(range(250), 27).page(4),
        "long_name": LONGEST,
        "long_club": LONG_CLUB,
    }


def _draw_sample() -> dict[str, Any]:
    drawn = curve(TOTALS, [(1, EACH), (2, EACH)])
    return {
        "curve": drawn,
        "deals": [_deal(deal, drawn) for deal in range(1, len(TOTALS))],
        "entry": SimpleNamespace(shown_name=LONGEST),
        "bars": [
            (_("Game"), SimpleNamespace(won_width=70, lost_width=30, said="7/10")),
            (_("Solo"), SimpleNamespace(won_width=10, lost_width=0, said="1/1")),
        ],
        "podium": Podium(
            "",
            won_in_words([LONGEST]),
            [_place(1, LONGEST, "1.600"), _place(2, "Bo Krogh", "960"), _place(3, "Carl Dam", "")],
        ),
        "clocks": [_clock(48), _clock(4), _clock(-3), _clock(12, is_paused=True)],
        "clubs": [_club("Skovby", "#14432f"), _club("Åbenrå", "#ffee00"), _club(LONG_CLUB, "#ff66aa")],
    }


def _deal(number: int, drawn: Curve) -> SimpleNamespace:
    return SimpleNamespace(
        round=1 + (number > EACH),
        number=number,
        what=_("Game"),
        tokens=TOTALS[number] - TOTALS[number - 1],
        sum=TOTALS[number],
        declared=number in DECLARED,
        won=DECLARED.get(number),
        sheet="#charts",
        at=drawn.scale.point(number, TOTALS[number]),
    )


def _place(rank: int, name: str, prize: str) -> Place:
    return Place(rank, False, name, rank, signed(50 - rank), "", prize, "")


def _clock(minutes: int, *, is_paused: bool = False) -> dict[str, Any]:
    """A sample clock of a round that ends in so many minutes."""
    ends = timezone.now() + timedelta(minutes=minutes)
    return {
        "clock": SimpleNamespace(is_paused=is_paused),
        "left": minutes * 60_000,
        "ends": round(ends.timestamp() * 1000),
        "until": "21:40",
        "rings": True,
    }


def _club(name: str, colour: str) -> Club:
    return Club(name=name, slug="sample", colour=safe_colour(colour), town="Nørre Snede")


def _of_an_evening(rows: int) -> dict[str, Any]:
    host, played = Club(name=LONG_CLUB, slug="sample"), _("Round %(number)s") % {"number": 1}
    states = "plays", "slow", "signs", "done", "differs", "later", "calls"
    return {
        "tournament": Tournament(
            code="SAMPLE",
            name=_("Club evening"),
            host=host,
            date=timezone.localdate(),
            place="Skovby Kro",
            entry_fee=5000,
        ),
        "round": SimpleNamespace(number=1, is_drawn=False),
        "strips": [
            _strip(_("Check-in"), _("Draw")),
            _strip(played, _("Follow the tables"), is_played=True),
            _strip(played, _("Follow the tables"), is_played=True, needs=5),
            _strip(_("Finished"), _("See the standings")),
        ],
        "tiles": [_tile(number, state) for number, state in enumerate(states, 1)],
        "said": [
            SimpleNamespace(title=_("Meet again"), value="0", good=True),
            SimpleNamespace(title=_("Seats"), value="2–3", good=False),
        ],
        "entries": [_entry(number, host) for number in range(1, min(rows, MOST_HERE) + 1)],
        "shows_clubs": True,
        "overview": SimpleNamespace(
            next=SimpleNamespace(
                sentence=_("Draw the tables."),
                detail="27/27",
                url="#strips",
                button=_("Draw the tables"),
                posts=None,
            ),
            track=[
                SimpleNamespace(title=_("Check-in"), brief="27/27", url="#strips", done=True, is_next=False),
                SimpleNamespace(title=_("Draw"), brief="", url="#strips", done=False, is_next=True),
                SimpleNamespace(title=_("Print"), brief=_("the sheets"), url="", done=False, is_next=False),
            ],
        ),
    }


def _entry(number: int, club: Club) -> Entry:
    here = Entry.Status.PRESENT if number % 2 else Entry.Status.ENTERED
    name = LONGEST if number == WITH_LONG_NAME else f"Anna Holm {number}"
    return Entry(number=number, player=Player(name=name), club=club, status=here, fee_paid=number % 3 == 0)


def _strip(where: str, step: str, *, is_played: bool = False, needs: int = 0) -> SimpleNamespace:
    return SimpleNamespace(
        version=0,
        at="",
        where=where,
        said=["113/230"] if is_played else [],
        is_played=is_played,
        needs=SimpleNamespace(count=needs, newest_call=""),
        steps=SimpleNamespace(running=None),
        step=SimpleNamespace(url="#strips", button=step),
        is_next=True,
    )


def _tile(number: int, state: str) -> SimpleNamespace:
    """A table of the board in one of its states; one is slow and silent while it plays."""
    slow, deals = state == "slow", 40
    reported = deals if state in {"done", "signs"} else 17
    return SimpleNamespace(
        state="plays" if slow else state,
        silent=slow,
        is_slow=slow,
        behind=6,
        rare=int(state == "done"),
        last_report=_("just now"),
        names=["Anna", "Bo K.", "Bo L.", LONGEST],
        signatures=[("Anna", True), ("Bo K.", False), ("Bo L.", True), (LONGEST, False)],
        unconfirmed=2,
        pace=SimpleNamespace(an_hour=19, is_behind=slow),
        differing=SimpleNamespace(deal=7) if state == "differs" else None,
        later=SimpleNamespace(deal=9),
        call=SimpleNamespace(raised_at=timezone.now(), words="") if state == "calls" else None,
        row=SimpleNamespace(
            table=SimpleNamespace(number=number, deals=deals, match=None),
            complete=state == "done",
            reported=reported,
        ),
    )


# What `/design/` shows the charts of an evening and of the years with: nothing of it is stored.

# The first player's sums, deal by deal; all others' lie below, each a little further.
RACED = (0, 2, 1, 5, 4, 8, 7, 9, 12)
# The step at which each round ends, by its number.
ROUNDS = {1: 4, 2: 8}
FOLLOWED, LONG = 4, 2
RATINGS, EITHER_WAY = (1000, 1012, 996, 1034, 1051), (200, 150, 122, 105, 94)
# Amounts on each other, year by year; nothing was played in 2018.
AMOUNTS = {
    year: (2054 - year, year - 2002, year - 2014) for year in (2014, 2015, 2016, 2017, 2019, 2020, 2021)
}


def years_samples(rows: int) -> dict[str, Any]:
    """Samples of charts: a race with so many players, certain and uncertain shares, years, and honours."""
    today = timezone.localdate()
    first, best = (SimpleNamespace(code="SAMPLE", number=1, day=today, tokens=won) for won in (0, 212))
    return {
        "race": _race(rows),
        "rated": SimpleNamespace(points=RATINGS[-1], give_or_take=EITHER_WAY[-1], tables=4, day=today),
        "rating_curve": curve(RATINGS, [(1, len(RATINGS) - 1)], zero=RATINGS[0], either_way=EITHER_WAY),
        "rated_days": [today] * (len(RATINGS) - 1),
        "shares": rate_chart([(_("Game"), Rate(589, 935)), (_("Solo"), Rate(3, 4)), (LONGEST, Rate(0, 1))]),
        "by_year": year_chart(list(AMOUNTS.items())),
        "dots": [{"own": 55.0, "club": 63.0, "even": 59.0}, {"own": 4.0, "even": 50.0}, {"own": 100.0}],
        "achievements": [
            SimpleNamespace(name=_("The first tout"), how=_("Has played a hundred deals."), first=first, times=1),
            SimpleNamespace(name=LONGEST, how=LONG_CLUB, first=first, times=12),
        ],
        **_cards_samples(today),
        "medals": [(1, 4), (2, 1), (3, 12)],
        "honours": SimpleNamespace(titles=[], awards=[]),
        "old_titles": [SimpleNamespace(event=SimpleNamespace(name=LONGEST, host=LONG_CLUB, year=1987))],
        "best": best,
    }  # fmt: skip


# A hand as it may be, and what it was given for.
HAND = "SA CA SK SQ S7 HK H7 DJ C4".split()


def _cards_samples(today: date) -> dict[str, Any]:
    """Cards of an evening, a complete hand and one that has begun."""
    given = [EveningCard(card, place, len(HAND), place, place) for place, card in enumerate(HAND, start=1)]
    held = [HandCard(one, 1, "SAMPLE", LONGEST, today) for one in given]
    names = [LONGEST, "Anna Holm", "Bo Lind"]
    return {
        "hands": [Hand(2, held), Hand(1, held[:2])],
        "dealt": [(card, SimpleNamespace(shown_name=name)) for card, name in zip(given, names, strict=False)],
    }


def _race(players: int) -> SimpleNamespace | None:
    """Lines of all players; the first three and one more stand out. None without players."""
    lines = {
        number: [one - (number - 1) * step for step, one in enumerate(RACED)]
        for number in range(1, players + 1)
    }
    followed = list(lines)[:FOLLOWED]
    drawn = chart(lines, ROUNDS, followed)
    if drawn is None:
        return None
    runners = [
        SimpleNamespace(
            row=SimpleNamespace(number=number, rank=number, name=LONGEST if number == LONG else f"Anna Holm {number}"),
            line=drawn.lines[number],
            style=number if number in followed else 0,
            after=[sums[ROUNDS[1]]],
            follow="",
        )
        for number, sums in lines.items()
    ]  # fmt: skip
    thin = [runner for runner in runners if not runner.style]
    return SimpleNamespace(chart=drawn, runners=runners, thin=thin, named=runners[:FOLLOWED], rounds=[1])
