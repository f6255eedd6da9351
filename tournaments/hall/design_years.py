"""What `/design/` shows the charts of an evening and of the years with: nothing of it is stored."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.hall.curve import curve
from tournaments.hall.design_samples import LONG_CLUB, LONGEST
from tournaments.hall.race_chart import chart
from tournaments.hall.years.rate_chart import rate_chart
from tournaments.hall.years.year_chart import year_chart
from tournaments.people.person_statistics import Rate

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
    """What is drawn of a race with so many players, of shares that are sure and unsure, of years, and of honours."""
    today = timezone.localdate()
    first, best, worst = (
        SimpleNamespace(code="SAMPLE", number=1, day=today, tokens=won) for won in (0, 212, -87)
    )
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
        "medals": [(1, 4), (2, 1), (3, 12)],
        "honours": SimpleNamespace(titles=[], awards=[]),
        "old_titles": [SimpleNamespace(event=SimpleNamespace(name=LONGEST, host=LONG_CLUB, year=1987))],
        "best": best,
        "worst": worst,
    }  # fmt: skip


def _race(players: int) -> SimpleNamespace | None:
    """Everybody's line; the first three and one more stand out. None of nobody."""
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
