"""The URLs of the published site, and which of them stay after a tournament is over."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from dataclasses import asdict, dataclass, field
from enum import Enum
from functools import lru_cache
from pathlib import PureWindowsPath
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

from django.urls import Resolver404, resolve, reverse

from core.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path


# Which URLs of the hall are published, how they are grouped, and their file names.
#
# Every view of the hall is published, including new ones, unless it is excluded here: functions that need a server,
# and pages too numerous for the chosen depth.

HALL = "tournaments.hall."

# Each depth has all of those before it.
BRIEF, USUAL, WHOLE = DEPTHS = ("brief", "usual", "whole")

# Views that need a server: forms, polling, push, links to the desk.
SERVERS = frozenset(
    """
    hall_version hall_events hall_time hall_printed_sheet projector manifest captain_guide design
    hall_phone hall_phone_ask hall_phone_stop hall_phone_told phone_worker phone_moved hall_embed
    hall_enter hall_code hall_entry hall_share hall_story_share hall_player_share hall_card_share hall_card_pdf
    hall_referee referee referee_home
    hall_tournament_clubs hall_tournament_clubs_file hall_season_clubs hall_season_clubs_file
    hall_points_clubs hall_points_clubs_file
    hall_explorer hall_explorer_file hall_club_explorer hall_club_explorer_file
    hall_person_explorer hall_person_explorer_file
    """.split()
)
# Of any two people a page: too many for any site. Their names stay where they stand.
NOWHERE = frozenset({"person_with"})
# Where there are thousands of evenings these are nine tenths of all pages, and of the time.
FROM_USUAL_ON = frozenset(
    """
    hall_tables hall_round hall_table hall_player hall_standings_file hall_teams_file hall_teams_pdf
    hall_cards hall_boards hall_boards_round hall_folder hall_folder_play hall_comparison hall_duplicate
    hall_rating_file hall_results_file hall_season_results
    hall_season_file hall_season_pdf hall_season_deals hall_season_deals_pdf hall_championship_pdf rules_sheet_pdf
    hall_points_file hall_points_pdf
    """.split()
)
FROM_WHOLE_ON = frozenset({"hall_player_pdf", "hall_rules_pdf", "person_met"})
# Views that contain absolute URLs, available only if the site's URL is known.
WITH_ADDRESS = frozenset(
    """
    hall_calendar hall_evening_calendar hall_feed hall_follow hall_poster hall_club_embed hall_season_embed
    hall_picture hall_club_picture site_picture
    """.split()
)
# Replacement page, and the URL parameters that remain.
INSTEAD: dict[str, tuple[str, tuple[str, ...]]] = {
    "hall_story_of": ("hall_story", ("code",)),
    "hall_player_rating": ("hall_player", ("code", "number")),
    "hall_player_achievements": ("hall_player", ("code", "number")),
    # With a hand, which is of other evenings.
    "hall_card": ("hall_cards", ("code",)),
    "hall_card_picture": ("hall_picture", ("code",)),
    "hall_story_picture": ("hall_picture", ("code",)),
    "hall_player_picture": ("hall_picture", ("code",)),
    "person_picture": ("site_picture", ()),
}
# Parameters of pagination; other parameters need a server. A page of one list is not a page of another.
WHICH_PART = ("page", "champions", "evenings")
KEPT = ("all", "teams", "deals", "folded", *WHICH_PART)
# Parameters of presentation: the site has one presentation.
MANNERS = ("l", "v", "rows", "theme")
# Maximum pages of a list; the rest of a union's list is in those of its clubs.
MOST_PARTS = 40

# A folder opened without a server has no page of its own but this.
FRONT = "index." + "html"

# A club's pages that are made of other things than its own page: by how their URLs go on.
OF_CLUBS = {
    "history": "history", "records": "history", "clubs": "history",
    "rating": "rating", "rating.csv": "rating",
    "points": "points",
    "follow": "follow", "embed": "follow", "news.atom": "follow", "poster.pdf": "follow",
}  # fmt: skip


class Fate(Enum):
    """The treatment of a link: keep it, keep its text only, or remove it."""

    LEADS = "leads"
    WORDS = "words"
    GONE = "gone"


class Page(NamedTuple):
    """A URL of the hall: its path, and which part of it, as `all&page=2`."""

    path: str
    part: str = ""

    @property
    def address(self) -> str:
        return f"{self.path}?{self.part}" if self.part else self.path


class View(NamedTuple):
    name: str
    is_hall: bool


# Codes and numbers are normalized for finding the view of a path.
CODE, NUMBER = re.compile(r"^/t/[^/]+/"), re.compile(r"(?<=/)[0-9]{1,9}(?=/)")


def view_of(path: str) -> View | None:
    """The view behind a path; None where there is none."""
    return _view_of(NUMBER.sub("1", CODE.sub("/t/X/", path)))


@lru_cache(maxsize=2000)
def _view_of(path: str) -> View | None:
    try:
        match = resolve(path)
    except Resolver404:
        return None
    return View(match.url_name or "", match.func.__module__.startswith(HALL))


def is_led_elsewhere(path: str) -> bool:
    view = view_of(path)
    return view is not None and view.name in INSTEAD


def led_to(path: str) -> str:
    """The path itself, or the one that is led to instead."""
    view = view_of(path)
    if view is None or not is_led_elsewhere(path):
        return path
    name, kept = INSTEAD[view.name]
    named = resolve(path).kwargs
    return reverse(name, kwargs={key: named[key] for key in kept})


# A link's base where relative links do not occur.
ANYWHERE = Page("//")


def page_at(link: str, here: Page) -> Page | None:
    """The page that a link leads to; None if it needs more than pagination, or is not a URL."""
    stands_alone = link.startswith("/") and link.partition("?")[0] != here.path
    return _page_at(link, ANYWHERE if stands_alone else here)


@lru_cache(maxsize=20_000)
def _page_at(link: str, here: Page) -> Page | None:
    try:
        parts = urlsplit(urljoin(here.address, link))
    except ValueError:  # such as //[x
        return None
    path, asked = led_to(parts.path), parse_qsl(parts.query, keep_blank_values=True)
    if path != parts.path:
        return Page(path)
    told = {name: value for name, value in asked if name not in MANNERS and (name, value) != ("page", "1")}
    if not told.keys() <= set(KEPT):
        return None
    before = dict(parse_qsl(here.part, keep_blank_values=True)) if path == here.path else {}
    turned = [name for name in WHICH_PART if name in told and told[name] != before.get(name)]
    if turned:
        told = {name: value for name, value in told.items() if name in ("all", "teams", turned[-1])}
    if any(not told[name].isdecimal() or int(told[name]) > MOST_PARTS for name in WHICH_PART if name in told):
        return None
    return Page(path, "&".join(urlencode({name: value}).removesuffix("=") for name, value in told.items()))


class Chosen(NamedTuple):
    """Options of the publication: depth, whether the site's URL is known, clubs."""

    depth: str
    has_address: bool
    units: Collection[str]

    def fate(self, page: Page | None) -> Fate:
        view = view_of(page.path) if page else None
        if page is None or view is None or not view.is_hall or view.name in SERVERS:
            return Fate.GONE
        if view.name in NOWHERE:
            return Fate.WORDS
        if view.name in WITH_ADDRESS and not self.has_address:
            return Fate.GONE
        if view.name in FROM_WHOLE_ON and self.depth != WHOLE:
            return Fate.GONE
        if view.name in FROM_USUAL_ON and self.depth == BRIEF:
            return Fate.WORDS if view.name in ("hall_player", "hall_table") else Fate.GONE
        return Fate.LEADS if unit_of(page.path) in self.units else Fate.WORDS


def unit_of(path: str) -> str:
    """The unit of a page: pages of a unit are rendered together, when any fingerprint of the unit has changed."""
    first, second, third = (*path.strip("/").split("/"), "", "", "")[:3]
    if first == "club":
        return f"{OF_CLUBS.get(third, 'club')}/{second}"
    if first in ("t", "person", "season", "championship"):
        return f"{first}/{second}"
    return "rules" if first == "rules" else "home"


def file_of(page: Page) -> str:
    """A page's file name in the site's folder."""
    path = page.path.lstrip("/")
    if not path.endswith("/") and path:
        stem, dot, ending = path.rpartition(".")
        return f"{stem}-{page.part}{dot}{ending}" if page.part else path
    part = page.part.replace("&", "-").replace("=", "-")
    return path + FRONT.replace(".", f"-{part}." if part else ".")


def way_to(file: str, from_file: str) -> str:
    """Relative link between two files: as `posixpath.relpath`, in a tenth of the time."""
    there, here = file.split("/"), from_file.split("/")[:-1]
    same = next((n for n, (one, other) in enumerate(zip(there, here, strict=False)) if one != other), None)
    common = min(len(there) - 1, len(here)) if same is None else min(same, len(there) - 1)
    return "/".join([".."] * (len(here) - common) + there[common:])


def read_page(address: str) -> Page:
    path, _asked, part = address.partition("?")
    return Page(path, part)


# The site's manifest: fingerprint of each page's input, its files, and their links.

NAME = ".spadille-site.gz"
FORMAT = 1


class NotOurs(Exception):
    """The folder contains files that are not in a manifest of ours; in English, for the command line."""


@dataclass(slots=True)
class Made:
    """The published pages of one tournament, person, club …

    `pages` maps URLs to file fingerprints and whether search engines may index them; `nothing` are URLs that
    returned 404, `dead` links to other pages that did not exist, and `outside` what was named without having pages
    here.
    """

    print: str = ""
    roots: list[str] = field(default_factory=list)
    pages: dict[str, tuple[str, bool]] = field(default_factory=dict)
    nothing: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    dead: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)
    # (name, file, description) for the search.
    found: list[tuple[str, str, str]] = field(default_factory=list)

    @property
    def files(self) -> dict[str, str]:
        return {file_of(read_page(address)): digest for address, (digest, _listed) in self.pages.items()}


@dataclass(slots=True)
class Kept:
    """A site in one language: what it is made of, by what its pages are of, and files that are of nothing."""

    units: dict[str, Made] = field(default_factory=dict)
    others: dict[str, str] = field(default_factory=dict)

    @property
    def files(self) -> dict[str, str]:
        """Digest by file."""
        found = dict(self.others)
        for made in self.units.values():
            found |= made.files
        return found


def is_inside(file: str) -> bool:
    """Whether a file's name stays in the folder that it is named in, on any system."""
    path = PureWindowsPath(file)
    return bool(path.parts) and not path.anchor and ".." not in path.parts


Folder = dict[str, Kept]  # by language; "" for the files above the languages


def read_kept(folder: Path) -> Folder:
    """The contents of the folder; none where it is empty. Raises `NotOurs`."""
    path = folder / NAME
    if not path.exists():
        if folder.is_dir() and any(not one.name.startswith(".spadille") for one in folder.iterdir()):
            raise NotOurs(f"{folder} has files that Spadille did not publish. Name an empty folder.")
        return {}
    try:
        told = json.loads(gzip.decompress(path.read_bytes()))
        if told["format"] != FORMAT:
            raise NotOurs(f"{folder} is the site of another Spadille. Name an empty folder.")
        found = {language: _read(kept) for language, kept in told["languages"].items()}
        # By these names files are put in place and taken away.
        names = [*filter(None, found), *(file for kept in found.values() for file in kept.files)]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, zlib.error) as problem:
        raise NotOurs(f"{path} cannot be read ({problem}). Name an empty folder.") from problem
    if not all(map(is_inside, names)):
        raise NotOurs(f"{path} lists files that are not in the folder. Name an empty folder.")
    return found


def _read(told: dict[str, Any]) -> Kept:
    return Kept({unit: Made(**made) for unit, made in told["units"].items()}, told["others"])


def write_kept(folder: Path, told: Folder) -> None:
    languages = {language: asdict(kept) for language, kept in told.items()}
    data = json.dumps({"format": FORMAT, "languages": languages}, separators=(",", ":")).encode()
    write_atomically(folder / NAME, gzip.compress(data, compresslevel=1, mtime=0))
