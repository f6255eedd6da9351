"""Publishing the hall, or a club's part of it, to a folder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from tournaments.published import others
from tournaments.published.addresses import FRONT, USUAL, Chosen, Page
from tournaments.published.kept import Folder, Kept
from tournaments.published.made_of import MadeOf, print_of
from tournaments.published.maker import put
from tournaments.published.making import Making
from tournaments.published.placing import held, put_in_place
from tournaments.published.reader import NO_ADDRESS
from tournaments.published.rewriting import Site

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from clubs.models import Club


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be published: of a club (a union: with its clubs) or all; in which languages, the first one first.

    `address` is where others will reach the site, as https://club.example/results; "" where nobody knows.
    """

    languages: tuple[str, ...]
    club: Club | None = None
    depth: str = USUAL
    address: str = ""


class Published(NamedTuple):
    """How many files there are, and how many of them were written, and taken away."""

    files: int
    written: int
    removed: int


def publish(
    folder: Path, wanted: Wanted, *, processes: int = 1, tell: Callable[[int, int], None] = lambda *_: None
) -> Published:
    """Publish to a folder; `tell` is told how many of how many things are done.

    Raises `NotOurs` where something else is in the folder, `Busy`, `NotShown`, `OSError`: then what was there is as it
    was.
    """
    with held(folder) as (before, new):
        prints = MadeOf(timezone.localdate(), wanted.club).prints()
        now: Folder = {}
        for number, language in enumerate(wanted.languages):
            part = language if len(wanted.languages) > 1 else ""
            site = _site(wanted, language, prints)
            of_site = _prints_for(site, prints)

            def told(done: int, total: int, number: int = number) -> None:
                tell(number * total + done, len(wanted.languages) * total)

            now[part] = _made(site, of_site, before.get(part, Kept()), new / part, processes, told)
        if len(wanted.languages) > 1:
            now[""] = _above(wanted, before.get("", Kept()), new)
        written, removed = put_in_place(folder, before, now)
        return Published(sum(len(kept.files) for kept in now.values()), written, removed)


def _site(wanted: Wanted, language: str, prints: Mapping[str, str]) -> Site:
    part = f"/{language}" if len(wanted.languages) > 1 else ""
    with override(language):
        find = _("Search")
    return Site(
        chosen=Chosen(wanted.depth, bool(wanted.address), frozenset(prints)),
        language=language,
        languages=wanted.languages,
        base=wanted.address.rstrip("/") + part if wanted.address else NO_ADDRESS,
        find=(find, others.FIND),
        names=others.names_of_languages(),
        root=f"/club/{wanted.club.slug}/" if wanted.club else "/",
    )


def _prints_for(site: Site, prints: Mapping[str, str]) -> dict[str, str]:
    """The same things look otherwise in another language, depth, or at another address."""
    about = print_of(*site._replace(chosen=site.chosen._replace(units=())))
    return {unit: print_of(told, about) for unit, told in prints.items()}


def _made(
    site: Site,
    prints: Mapping[str, str],
    before: Kept,
    new: Path,
    processes: int,
    tell: Callable[[int, int], None],
) -> Kept:
    new.mkdir(exist_ok=True)
    making = Making(site, prints, before.units, new)
    units = making.make([Page(site.root), Page("/rules/")], processes, tell)
    files: dict[str, bytes] = {}
    files[others.FIND], drawn_with = others.search_page(site)
    files[others.INDEX] = others.search_index(units)
    files |= others.static_files({*making.static, *drawn_with})
    if site.root != "/":
        files[FRONT] = others.leading_on(f"{site.root.lstrip('/')}{FRONT}", site.language)
    if site.chosen.has_address:
        files |= others.maps(site.base, units)
    return Kept(units, {file: put(new, file, data, before.others) for file, data in files.items()})


def _above(wanted: Wanted, before: Kept, new: Path) -> Kept:
    """The first page of a site in several languages leads to the first of them."""
    first = wanted.languages[0]
    data = others.leading_on(f"{first}/{FRONT}", first)
    return Kept(others={FRONT: put(new, FRONT, data, before.others)})
