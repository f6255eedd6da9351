"""The parts of the look in every state, for who is signed in: see docs/design.md.

They are drawn by the templates and style sheets that the program's pages use, of samples (`design_samples`). How they
look on paper, with more contrast or in a device's own colours is shown by those very rules: what a style sheet says of
such a medium is asked for as if it were said of every page.
"""

from __future__ import annotations

import re
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from django.contrib.auth.decorators import login_required
from django.contrib.staticfiles import finders
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe

from tournaments.hall.design_samples import samples
from tournaments.hall.design_years import years_samples

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from django.http import HttpRequest

ROWS = (0, 3, 27, 250)
COLOURS = (
    "ground paper sunk ink soft rule edge felt on-felt act on-act tint good good-tint bad bad-tint wait wait-tint "
    "wait-edge red gold-line p1 p2 p3"
).split()
# The style sheets of each face, beside those of every page: in the order in which its pages have them.
FACES = {
    "hall": "hall charts crest clock podium mine years history explorer achievements".split(),
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
    """What the face's style sheets say of a medium, said of every page."""
    names = [*EVERYWHERE, *FACES[face], "contrast"]
    return "\n".join(rule for name in names for rule in rules_under(MEDIA[shown_as], _sheet(name)))


def _sheet(name: str) -> str:
    found = finders.find(f"css/{name}.css")
    if found is None:
        raise FileNotFoundError(name)
    return Path(found).read_text(encoding="utf-8")


def rules_under(medium: str, css: str) -> Iterator[str]:
    """What stands between the braces of each `@media` of this name."""
    for begin in re.finditer(rf"@media {re.escape(medium)} \{{", css):
        depths = accumulate({"{": 1, "}": -1}.get(letter, 0) for letter in css[begin.end() :])
        length = next(at for at, depth in enumerate(depths) if depth < 0)
        yield css[begin.end() : begin.end() + length].strip()


urlpatterns = [path("design/", design, name="design")]
