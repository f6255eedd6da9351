"""The parts of the look in every state, for who is signed in: see docs/design.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.decorators import login_required
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe

from tournaments.words.terms import signed

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

ROWS = (0, 3, 27, 250)
LONGEST = "Maximiliane-Charlotte Ægidius Østergaard-Nørremølle"
COLOURS = "ground paper sunk ink soft rule edge felt on-felt act on-act good bad wait red gold-line p1 p2 p3".split()


@login_required
@require_safe
def design(request: HttpRequest) -> HttpResponse:
    asked = request.GET.get("rows", "")
    rows = int(asked) if asked in map(str, ROWS) else 3
    lines = [
        (number, LONGEST if number == 2 else f"Anna Holm {number}", signed(rows // 2 - number + 1))  # noqa: PLR2004
        for number in range(1, rows + 1)
    ]
    return render(
        request, "web/design.html", {"lines": lines, "sizes": ROWS, "rows": rows, "colours": COLOURS}
    )


urlpatterns = [path("design/", design, name="design")]
