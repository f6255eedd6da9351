"""The picture of a person's page, for who shares it: their sum over the years, evening by evening."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from tournaments.changes.versions import print_of_versions
from tournaments.domain.terms import signed
from tournaments.hall.card import Card
from tournaments.hall.curve import Scale
from tournaments.hall.findable import unlisted
from tournaments.hall.pictures import MOST_POINTS, picture
from tournaments.hall.years.led_on import led_on
from tournaments.hall.years.person import find_person
from tournaments.people import visibility
from tournaments.people.person import over_the_years

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from clubs.models import Player
    from tournaments.people.person import OverTheYears


@led_on
@require_safe
def person_picture(request: HttpRequest, pk: int) -> HttpResponseBase:
    player, own = find_person(pk)
    answer = picture(
        request, f"person:{pk}", _version(player, own.name), lambda: person_card(player, own.name)
    )
    return answer if own.may_be_found else unlisted(answer)


def _version(player: Player, name: str) -> str:
    """What is another after every deal, correction, name and setting that the picture hangs on."""
    evenings = visibility.own_entries(player).aggregate(all=print_of_versions("tournament__"))
    return f"{name} {evenings['all']}"


def person_card(player: Player, name: str) -> Card:
    years = over_the_years(player)
    evenings, deals = len(years.evenings), years.portrait.deals
    said = (
        ngettext("%(count)d evening", "%(count)d evenings", evenings) % {"count": evenings},
        ngettext("%(count)d deal", "%(count)d deals", deals) % {"count": deals},
        signed(years.portrait.tokens),
    )
    lines, zero = _line(years)
    return Card(
        years.home or _("L'Hombre tournaments"),
        name,
        ", ".join(said),
        lines=lines,
        bold=1,
        zero=zero,
    )


def _line(years: OverTheYears) -> tuple[list[list[tuple[float, float]]], float | None]:
    """The sum after each evening, from 0 to 1 both ways, and where zero is."""
    sums = [0, *(total for _day, total in years.curve.by_evening)]
    last = len(sums) - 1
    if not last:
        return [], None
    scale = Scale.over(last, min(sums), max(sums))
    points = [scale.at(step, sums[step]) for step in (*range(0, last, -(-last // MOST_POINTS)), last)]
    return [[(x / 100, y / 100) for x, y in points]], scale.at(0, 0)[1] / 100
