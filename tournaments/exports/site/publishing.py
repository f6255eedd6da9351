"""Publishing: render changed pages on several cores, stage them, replace the site's files; a club's site as a job.

A page with an unchanged fingerprint is not rendered again, and keeps its links.
"""

from __future__ import annotations

import json
import pickle
import posixpath
import re
import shutil
from collections import defaultdict, deque
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from html import escape
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.db import connection
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext, override

from clubs.clubs import log_change
from clubs.models import Account, Club, News
from clubs.roles import may_organise
from core.errors import JobError
from core.files import exclusive_lock, flush_folder_to_disk
from core.jobs import queue
from core.jobs.kinds import JobKind, JobResult, WithdrawReason, subject_name, subjects_by_name
from core.processes import Call, Workers
from tournaments.changes.versions import print_of_versions
from tournaments.exports.site.addresses import (
    FRONT,
    USUAL,
    Chosen,
    Folder,
    Kept,
    Made,
    Page,
    file_of,
    read_kept,
    read_page,
    unit_of,
    write_kept,
)
from tournaments.exports.site.fingerprints import MadeOf, print_of
from tournaments.exports.site.pages import (
    NO_ADDRESS,
    STATIC,
    Links,
    Maker,
    Site,
    Task,
    links_of,
    make_here,
    put,
    request_for,
    rewritten,
)
from tournaments.exports.site.pool_start import begin
from tournaments.models import Award, OldEvent, OldPlace, Season, SeasonDeal, Tournament

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from django.contrib.auth.models import AbstractUser

    from core.jobs.kinds import JobRun
    from core.jobs.models import Job


# Tasks begun or queued per process, so that none waits for the next.
AHEAD = 3


class Making:
    """Build of a site in one language; `prints` are current fingerprints, `before` the previous pages."""

    def __init__(
        self, site: Site, prints: Mapping[str, str], before: Mapping[str, Made], folder: Path
    ) -> None:
        self.site, self.prints, self.before, self.folder = site, prints, before, folder
        self.done: dict[str, Made] = {}
        self.wanted: dict[str, set[str]] = defaultdict(set)
        self.ready: deque[str] = deque()
        self.busy: dict[str, Call[Made]] = {}
        self.static: set[str] = set()

    def make(
        self, roots: Iterable[Page], processes: int, tell: Callable[[int, int], None]
    ) -> dict[str, Made]:
        self.want(roots)
        with _makers(self.site, self.folder, processes) as pool:
            self._make_all(pool, processes, tell)
            # What leads to where there is nothing is made again, without those links.
            for unit, made in list(self.done.items()):
                if dead := [link for link in made.links if self._is_dead(link)]:
                    self.done[unit] = pool.make(self._task(unit, made.roots, dead)).result()
        return self.done

    def _make_all(self, pool: Pool, processes: int, tell: Callable[[int, int], None]) -> None:
        while self.ready or self.busy:
            while self.ready and len(self.busy) < processes * AHEAD:
                if task := self._next():
                    self.busy[task.unit] = pool.make(task)
            if self.busy:
                pool.wait()
                for unit in [unit for unit, made in self.busy.items() if made.is_done]:
                    self._take(unit, self.busy.pop(unit).result())
            tell(len(self.done), len(self.prints))

    def want(self, pages: Iterable[Page]) -> None:
        for page in pages:
            unit = unit_of(page.path)
            if page.path.startswith(STATIC):
                self.static.add(page.path)
            elif unit in self.prints and page.address not in self.wanted[unit]:
                self.wanted[unit].add(page.address)
                if unit not in self.busy and not self._is_known(unit, page.address):
                    self.ready.append(unit)

    def _is_known(self, unit: str, address: str) -> bool:
        made = self.done.get(unit)
        return made is not None and (address in made.pages or address in made.nothing)

    def _is_dead(self, link: str) -> bool:
        page = read_page(link)
        made = self.done.get(unit_of(page.path))
        return not page.path.startswith(STATIC) and (made is None or link not in made.pages)

    def _next(self) -> Task | None:
        """The next to be made; what is as it was is taken as it is."""
        unit = self.ready.popleft()
        wanted = {address for address in self.wanted[unit] if not self._is_known(unit, address)}
        if not wanted:
            return None
        old = self.done.get(unit) or self.before.get(unit)
        if old is not None and unit not in self.done and self._is_as_it_was(unit, old, wanted):
            self._take(unit, old)
            return None
        return self._task(unit, {*wanted, *(old.roots if old else ())}, ())

    def _is_as_it_was(self, unit: str, old: Made, wanted: set[str]) -> bool:
        if old.print != self.prints[unit] or old.dead or not wanted <= {*old.pages, *old.nothing}:
            return False
        return not any(other in self.prints for other in old.outside)

    def _task(self, unit: str, roots: Iterable[str], dead: Iterable[str]) -> Task:
        before = self.before.get(unit)
        return Task(
            unit, self.prints[unit], tuple(sorted(roots)), tuple(dead), before.files if before else {}
        )

    def _take(self, unit: str, made: Made) -> None:
        self.done[unit] = made
        self.want(read_page(link) for link in made.links)
        # What was led to while it was being made.
        if any(not self._is_known(unit, address) for address in self.wanted[unit]):
            self.ready.append(unit)


class Pool:
    """Renders pages in child processes, or in this process."""

    def __init__(self, others: Workers | None, maker: Maker) -> None:
        self.others, self.maker = others, maker

    def make(self, task: Task) -> Call[Made]:
        if self.others:
            return self.others.submit(make_here, task)
        return Call.done(self.maker.make(task))

    def wait(self) -> None:
        """Wait until one of those in child processes is made."""
        if self.others:
            self.others.wait()


@contextmanager
def _makers(site: Site, folder: Path, processes: int) -> Iterator[Pool]:
    maker = Maker(site, folder)
    if processes == 1:
        yield Pool(None, maker)
        return
    database = str(connection.settings_dict["NAME"])
    with Workers(processes, "spawn", begin, database, pickle.dumps((site, folder))) as others:
        yield Pool(others, maker)


def searched(units: Mapping[str, Made]) -> Iterator[tuple[str, str, str]]:
    """(name, description, file) of all search entries, by name."""
    yield from sorted({one for made in units.values() for one in map(tuple, made.found)})  # type: ignore[misc]


# The files of a site that are no page of the hall: the look, the search with its index, the map for search engines.

FIND = f"find/{FRONT}"
INDEX = "find/index.js"
IN_STYLES = re.compile(rb"""url\(["']?(?!data:|#)([^"')?#]+)""")
# So many URLs a map may have.
MOST_IN_A_MAP = 50_000


def static_files(wanted: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """These files of the look, and whatever their style sheets ask for: (file, contents)."""
    waiting, seen = sorted(wanted), set()
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        data = _static(path.removeprefix(STATIC))
        if data is None:
            continue
        yield path.lstrip("/"), data
        if path.endswith(".css"):
            folder = posixpath.dirname(path)
            waiting += [
                posixpath.normpath(posixpath.join(folder, one.decode())) for one in IN_STYLES.findall(data)
            ]


def _static(name: str) -> bytes | None:
    """A static file from STATIC_ROOT, or from the source folder if not collected."""
    if staticfiles_storage.exists(name):
        with staticfiles_storage.open(name) as file:
            return bytes(file.read())
    found = finders.find(name)
    if not isinstance(found, str):
        return None
    return Path(found).read_bytes()


def search_page(site: Site) -> tuple[bytes, set[str]]:
    """The search page, and its scripts and styles."""
    page = Page(f"/{FIND.removesuffix(FRONT)}")
    with translation.override(site.language):
        text = render_to_string(
            "published/find.html", {"index": "index.js"}, request=request_for(page, site.base)
        )
        links = Links(site, page)
        asked = {link.path for link in links_of(links, text)[0] if link.path.startswith(STATIC)}
        return rewritten(links, text).encode(), asked


def search_index(units: Mapping[str, Made]) -> bytes:
    """The search index as a script, since browsers do not fetch files of pages opened from a folder."""
    lines = [[name, said, file] for name, said, file in searched(units)]
    told = json.dumps(lines, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    return f"globalThis.spadilleIndex = {told};\n".encode()


def maps(base: str, units: Mapping[str, Made]) -> Iterator[tuple[str, bytes]]:
    """The pages that search engines may list, as they know it: one map, or several and a list of them."""
    listed = sorted(
        file_of(page)
        for made in units.values()
        for page, is_listed in ((read_page(address), told[1]) for address, told in made.pages.items())
        if is_listed and not page.part and (page.path.endswith("/"))
    )
    parts = [listed[first : first + MOST_IN_A_MAP] for first in range(0, len(listed), MOST_IN_A_MAP)] or [[]]
    if len(parts) == 1:
        yield "sitemap.xml", _map("urlset", "url", (f"{base}/{one}" for one in parts[0]))
        return
    for number, part in enumerate(parts, start=1):
        yield f"sitemap-{number}.xml", _map("urlset", "url", (f"{base}/{one}" for one in part))
    names = (f"{base}/sitemap-{number}.xml" for number in range(1, len(parts) + 1))
    yield "sitemap.xml", _map("sitemapindex", "sitemap", names)


def _map(whole: str, each: str, addresses: Iterable[str]) -> bytes:
    lines = "".join(
        f"<{each}><loc>{escape(address.removesuffix(FRONT))}</loc></{each}>\n" for address in addresses
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<{whole} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{lines}</{whole}>\n'
    ).encode()


def leading_on(file: str, language: str) -> bytes:
    """A first page that leads on to another."""
    with translation.override(language):
        return render_to_string("published/leads_on.html", {"file": file}).encode()


def names_of_languages() -> dict[str, str]:
    return {
        code: translation.get_language_info(code)["name_local"].capitalize() for code, _ in settings.LANGUAGES
    }


# Crash-safe replacement of a site's files, so that readers always find a consistent site.
#
# New files are written to a staging folder and synced. Then added files are moved into place, then changed ones, and
# finally obsolete ones are deleted: no page ever links to a missing file.

NEW = ".spadille-new"
LOCK = "spadille-lock"


class Busy(Exception):
    """Another process is publishing to the folder; in English, for the command line."""


@contextmanager
def locked_folder(folder: Path) -> Iterator[tuple[Folder, Path]]:
    """Lock the folder; yields its manifest and the staging folder."""
    read_kept(folder)  # do not stage files in a folder that is not ours
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with exclusive_lock(LOCK, folder, 0):
            before = read_kept(folder)  # as the previous run has left it
            new = folder / NEW
            shutil.rmtree(new, ignore_errors=True)  # of a run that was ended
            new.mkdir()
            try:
                yield before, new
            finally:
                shutil.rmtree(new, ignore_errors=True)
    except TimeoutError:
        raise Busy(f"Another process is already publishing to {folder}.") from None


def put_in_place(folder: Path, before: Folder, now: Folder) -> tuple[int, int]:
    """Put what is new in its place; how many files were written, and taken away."""
    new = folder / NEW
    written = [path.relative_to(new) for path in new.rglob("*") if path.is_file()]
    gone = files_of(before).keys() - files_of(now).keys()
    if written or gone:
        flush_folder_to_disk(new)
        # After a crash the next run knows every file, and rebuilds those that were not moved into place.
        write_kept(folder, _under_way(before, now))
        there = {path for path in written if (folder / path).exists()}
        for path in (*(one for one in written if one not in there), *there):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (new / path).replace(folder / path)
        for file in gone:
            (folder / file).unlink(missing_ok=True)
        for above in sorted(
            {above for file in gone for above in PurePosixPath(file).parents[:-1]}, reverse=True
        ):
            with suppress(OSError):  # unless something is left in it
                (folder / above).rmdir()
        flush_folder_to_disk(folder)
    write_kept(folder, now)
    return len(written), len(gone)


def files_of(told: Folder) -> dict[str, str]:
    """Digest by file, of a folder."""
    return {
        (f"{language}/{file}" if language else file): digest
        for language, kept in told.items()
        for file, digest in kept.files.items()
    }


def _under_way(before: Folder, now: Folder) -> Folder:
    """The files of an interrupted build: all that existed or were planned, with unknown fingerprints."""
    return {"": Kept(others=dict.fromkeys({**files_of(before), **files_of(now)}, ""))}


# Publishing the hall, or a club's part of it, to a folder.


@dataclass(frozen=True, slots=True)
class Wanted:
    """The parameters of a site: a club (a union with its clubs) or all, and its languages, the default first.

    `address` is the site's URL, such as https://club.example/results; "" if unknown.
    """

    languages: tuple[str, ...]
    club: Club | None = None
    depth: str = USUAL
    address: str = ""


class Published(NamedTuple):
    """The result of publishing: the numbers of files, of those written, and of those deleted."""

    files: int
    written: int
    removed: int


def publish(
    folder: Path, wanted: Wanted, *, processes: int = 1, tell: Callable[[int, int], None] = lambda *_: None
) -> Published:
    """Publish to a folder; `tell` is called with the numbers of tasks done and in total.

    Raises `NotOurs` if the folder contains other files, `Busy`, `NotShown`, `OSError`; then the site is unchanged.
    """
    with locked_folder(folder) as (before, new):
        prints = MadeOf(timezone.localdate(), wanted.club).prints()
        now: Folder = {}
        for number, language in enumerate(wanted.languages):
            part = language if len(wanted.languages) > 1 else ""
            site = _site(wanted, language, prints)
            of_site = _prints_for(site, prints)

            def report_progress(done: int, total: int, number: int = number) -> None:
                tell(number * total + done, len(wanted.languages) * total)

            now[part] = _build(
                site, of_site, before.get(part, Kept()), new / part, processes, report_progress
            )
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
        find=(find, FIND),
        names=names_of_languages(),
        root=f"/club/{wanted.club.slug}/" if wanted.club else "/",
    )


def _prints_for(site: Site, prints: Mapping[str, str]) -> dict[str, str]:
    """The fingerprints for a language, depth and base URL, since pages differ by these."""
    about = print_of(*site._replace(chosen=site.chosen._replace(units=())))
    return {unit: print_of(told, about) for unit, told in prints.items()}


def _build(
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
    files[FIND], drawn_with = search_page(site)
    files[INDEX] = search_index(units)
    files |= static_files({*making.static, *drawn_with})
    if site.root != "/":
        files[FRONT] = leading_on(f"{site.root.lstrip('/')}{FRONT}", site.language)
    if site.chosen.has_address:
        files |= maps(site.base, units)
    return Kept(units, {file: put(new, file, data, before.others) for file, data in files.items()})


def _above(wanted: Wanted, before: Kept, new: Path) -> Kept:
    """The first page of a site in several languages leads to the first of them."""
    first = wanted.languages[0]
    data = leading_on(f"{first}/{FRONT}", first)
    return Kept(others={FRONT: put(new, FRONT, data, before.others)})


SITE = "site"
GONE = gettext_noop("This club no longer exists.")


def _told_besides(hosts: Collection[int]) -> Iterator[list[tuple[Any, ...]]]:
    """Fingerprint of data outside evenings' versions: seasons, their deals, titles, public news, old results."""
    yield list(Season.objects.filter(host__in=hosts).order_by("pk").values_list("pk", "version", "name"))
    yield list(Award.objects.filter(season__host__in=hosts).order_by("pk").values_list())
    yield list(SeasonDeal.objects.filter(season__host__in=hosts).order_by("pk").values_list())
    yield list(News.objects.filter(club__in=hosts, is_public=True).order_by("pk").values_list("pk"))
    old = OldEvent.objects.filter(host__in=hosts).order_by("pk")
    yield list(old.values_list())
    yield list(OldPlace.objects.filter(event__in=old.values("pk")).order_by("pk").values_list())


def ask(club: Club, wanted: Wanted, *, language: str, account: Account) -> Job:
    """The job that builds the site, or an existing one that is up to date."""
    about = {"languages": list(wanted.languages), "depth": wanted.depth, "address": wanted.address}
    wish = queue.JobRequest(SITE, subject_name("club", club.pk), language, about)
    return queue.enqueue(wish, account=account, now=timezone.now())


class WebSite(JobKind):
    """A web site of a club's hall, or of a union's with its clubs.

    Only the file is stored, for a day: erased persons do not remain on forgotten copies.
    """

    code = SITE
    withdrawn = frozenset(WithdrawReason)
    content_type = "application/zip"

    def subjects(self, names: Iterable[str]) -> dict[str, Any]:
        return subjects_by_name("club", Club.objects.all(), names)

    def may_see(self, account: AbstractUser, job: Job) -> bool:
        club = self.thing(job)
        return club is not None and isinstance(account, Account) and may_organise(account, club)

    def title(self, job: Job) -> str:
        return _("Web site · %(club)s") % {"club": self.thing(job) or "–"}

    def page(self, job: Job) -> str:
        club = self.thing(job)
        return reverse("clubs") if club is None else reverse("club_site", args=[club.slug])

    def version(self, job: Job) -> str:
        """Fingerprint of day, evenings, seasons and old results: the input of the site."""
        club = self.thing(job)
        if club is None:
            return ""
        hosts = [club.pk, *club.clubs.values_list("pk", flat=True)]
        versions = Tournament.objects.filter(host__in=hosts).order_by().aggregate(all=print_of_versions())
        return print_of(
            timezone.localdate(), versions["all"], *_told_besides({*hosts, *club.itself_and_unions()})
        )

    def make(self, work: JobRun) -> JobResult:
        club, about = self.thing(work.job), work.job.about
        if club is None:
            raise JobError(GONE)

        def tell(done: int, total: int) -> None:
            work.tell(min(done, total), None if work.job.total == total else total)

        folder = work.folder / "site"
        wanted = Wanted(tuple(about["languages"]), club, about["depth"], about["address"])
        publish(folder, wanted, tell=tell)
        packed = work.folder / "site.zip"
        pack(folder, club.slug, packed)
        name = work.keep(packed, "zip")
        text = gettext_noop("Created a website of the hall as a file")
        log_change(club, work.job.asked_by, text, now=timezone.now())
        return JobResult(name, f"{club.slug}.zip", {"files": sum(1 for _ in pages_of(folder))})

    def result_messages(self, job: Job) -> list[str]:
        files = job.said.get("files", 0)
        return [
            ngettext("%(files)d file.", "%(files)d files.", files) % {"files": files},
            _("Unpack it and open index.html, or put the folder on any web server."),
        ]


def pages_of(folder: Path) -> Iterable[Path]:
    """The published files, without the manifest."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.relative_to(folder).parts[0].startswith("."):
            yield path


def pack(folder: Path, name: str, target: Path) -> None:
    with ZipFile(target, "w", ZIP_DEFLATED, compresslevel=6) as packed:
        for path in pages_of(folder):
            packed.write(path, f"{name}/{path.relative_to(folder).as_posix()}")
