"""Pictures of the program, taken anew from the demo: `make screenshots`.

Every page and sheet that `tests/browser/scenes.py` names, in each language, by day and by night, on a phone, a desk's
screen and a projector. `make screenshots ONLY="board standings"` takes what these names begin, `LANGUAGE=da` one
language; `make screenshots README=1` takes the few that the README shows, small, into docs/pictures, and `SCREENS=1`
thirty screens by which one release is compared with the next, smaller, into docs/pictures/screens.
"""

from __future__ import annotations

import os
import subprocess
import time
from argparse import ArgumentParser
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.request import Request, urlopen

from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.bench.stage import ROOT, empty_folder, python, served, setup_django
from tests.browser import scenes
from tests.browser.scenes import Scene
from tests.browser.windows import CHROMIUM, QUIET

if TYPE_CHECKING:
    from tournaments.models import Tournament

SMALL = ROOT / "docs" / "pictures"
SCREENS = SMALL / "screens"
LOCALES = {"en": "en-GB", "da": "da-DK", "sv": "sv-SE"}
MODES = ("light", "dark")
NEWCOMER, OWNER, THEIR_PASSWORD = "nils", "olga", "spadille-demo"
LONGEST = 4  # windows: of a longer page no more is taken
SHEET_DPI = 110
# When a folder that is played is taken: after so many tricks, with so many cards on the table.
TRICKS, CARDS = 3, 2
# Of the README's: how wide a picture is at most, in pixels, and how good.
WIDEST, NARROW, QUALITY = 900, 720, 72


def main() -> None:
    asked = ArgumentParser(description=__doc__)
    asked.add_argument("--only", nargs="+", default=[""], metavar="NAME", help="what these names begin")
    asked.add_argument("--language", nargs="+", choices=LOCALES, default=list(LOCALES))
    asked.add_argument(
        "--readme", action="store_true", help="the README's pictures alone, into docs/pictures"
    )
    asked.add_argument(
        "--screens", action="store_true", help="thirty screens alone, into docs/pictures/screens"
    )
    asked.add_argument("--into", type=Path, default=Path(os.environ.get("SPADILLE_DATA", "data/screenshots")))
    options = asked.parse_args()
    begun, taken = time.monotonic(), 0
    with empty_folder() as folder:
        setup_django(folder)
        python("manage.py", "demo", folder=folder)
        shown = in_the_demo()
        add_newcomer()
        add_owner()
        shown["entry"] = let_some_enter_from_home(shown["coming"])
        with served(folder) as address:
            studio = Studio(address, shown, tuple(options.only))
            if options.readme:
                taken += studio.kept(SMALL, scenes.README, scenes.README_SHEETS)
            elif options.screens:
                taken += studio.kept(SCREENS, scenes.SCREENS, scenes.SCREEN_SHEETS, widest=NARROW)
            else:
                for language in options.language:
                    taken += studio.all_in(language, options.into / language)
    where = SMALL if options.readme else SCREENS if options.screens else options.into
    print(f"{taken} pictures in {where}, in {time.monotonic() - begun:.0f} s")


def in_the_demo() -> dict[str, str]:
    """What the scenes leave open, by its name there."""
    from clubs.models import Membership
    from tournaments.models import Match, Table, Team, Tournament

    by_name = {tournament.name: tournament for tournament in Tournament.objects.all()}
    named = {
        "running": "Efterårsturnering",
        "final": "Unionsmesterskab",
        "coming": "Juleturnering",
        "pairs": "Makkerpar",
        "teams": "Holdturnering",
        "folders": "Kortmappeaften",
    }
    shown = {key: by_name[name].code for key, name in named.items()}
    table = Table.objects.get(round__tournament=by_name["Efterårsturnering"], round__number=1, number=1)
    coming = Match.objects.filter(round__tournament=by_name["Holdturnering"], round__number=4)
    team = Team.objects.filter(home_matches__in=coming).first() or Team.objects.first()
    member = Membership.objects.filter(club__slug="skovby").first()
    return shown | {
        "secret": table.secret, "team": team.secret, "club": "skovby", "member": str(member.player_id),
        "turn": turn_on_a_folder(by_name["Kortmappeaften"]),
    }  # fmt: skip


def turn_on_a_folder(tournament: Tournament) -> str:
    """The end of an address of a folder in the middle of its play: two cards of the fourth trick are on the table."""
    from scoring.bots import next_step
    from tournaments.boards.folder_game import deal_of_folder, play, seats_to_play, write_moves
    from tournaments.boards.folders import cards_of
    from tournaments.ledger.queries import rulebook_of

    rulebook = rulebook_of(tournament)
    for folder in cards_of(tournament.board_sets_dealt.get(round_number=1)):
        deal = deal_of_folder(rulebook, folder)
        for role in seats_to_play(rulebook):
            game = play(deal, role)
            while not game.is_over:
                state = game.state
                if len(state.tricks) == TRICKS and len(state.trick) == CARDS:
                    moves = write_moves(game.moves, rulebook)
                    return f"{folder.number}/play/?seat={role.value.lower()}&m={moves}"
                game = play(deal, role, (*game.moves, next_step(state, stops_for_others=False)))
    raise LookupError("no folder is played for so long")


def add_newcomer() -> None:
    """Somebody whose club has nothing yet."""
    from clubs.models import Account, Club, Role

    account = Account.objects.create_user(NEWCOMER, password=THEIR_PASSWORD, first_name="Nils")
    club = Club.objects.create(name="Ny Klub", slug="ny-klub", town="Ny By")
    Role.objects.create(account=account, club=club, kind=Role.Kind.ORGANISER)


def add_owner() -> None:
    """Somebody to whom the program belongs, with all clubs in it."""
    from clubs.models import Account

    Account.objects.create_superuser(OWNER, password=THEIR_PASSWORD, first_name="Olga")


def let_some_enter_from_home(code: str) -> str:
    "Allow it for an evening: a guest waiting for approval, a member has a place; the key of the member's own page."
    from django.utils import timezone

    from clubs.models import Account, Membership
    from tournaments.demo import USERNAME
    from tournaments.lifecycle.registration.decisions import allow, hand_out, let_in, say_who
    from tournaments.lifecycle.registration.requests import Wish, ask
    from tournaments.models import Tournament
    from tournaments.models.base import FromHome

    tournament = Tournament.objects.select_related("host").get(code=code)
    by = {"account": Account.objects.get(username=USERNAME), "now": timezone.now()}
    chosen = FromHome(is_on=True, closes_days=0, places=40, guests=True, asks=True, own_check_in=True)
    allow(tournament, chosen=chosen, **by)
    tournament.refresh_from_db()
    ask(tournament, Wish(guest="Gerda Gæst", email="gerda@example.org"), now=by["now"])
    ask(tournament, Wish(who="ny spiller"), now=by["now"])
    member = Membership.objects.exclude(player__entries__tournament=tournament).select_related(
        "player", "club"
    )[0]
    application = tournament.applications.get(typed="ny spiller")
    say_who(application, player=member.player, club=member.club, **by)
    application.refresh_from_db()
    let_in(application, **by)
    application.refresh_from_db()
    return hand_out(application, **by)


class Studio:
    """Takes pictures of one server: of those scenes and sheets whose names begin as was asked."""

    def __init__(self, address: str, shown: dict[str, str], only: tuple[str, ...]) -> None:
        self.address, self.shown, self.only = address, shown, only

    def all_in(self, language: str, folder: Path) -> int:
        """Everything in one language; how many pictures it was."""
        folder.mkdir(parents=True, exist_ok=True)
        taken = sum(1 for _picture in self.sheets(language, folder))
        with self.browser() as browser:
            for scene, window, page in self.opened(browser, language):
                grow(page, *scenes.WINDOWS[window])
                for mode in MODES:
                    page.emulate_media(color_scheme=mode)
                    if scene.name in scenes.CAPTAIN and mode != MODES[0]:
                        # What its switch says is read when it is opened; its second script comes last.
                        page.reload(wait_until="networkidle")
                    page.screenshot(path=folder / f"{scene.name}-{window}-{mode}.png")
                    taken += 1
        return taken

    def kept(
        self, folder: Path, windows: Mapping[str, str], sheets: Collection[str], widest: int = WIDEST
    ) -> int:
        """These scenes and sheets, by day, in English, as small files of their own window's size."""
        folder.mkdir(parents=True, exist_ok=True)
        for picture in folder.glob("*.webp"):
            picture.unlink()
        with self.browser() as browser:
            for scene, window, page in self.opened(browser, "en", windows):
                if windows[scene.name] == window:
                    prepare(page, scene)
                    small(Image.open(BytesIO(page.screenshot())), folder / f"{scene.name}.webp", widest)
        with empty_folder() as drawn:
            for name in sheets:
                first = next(self.sheets("en", Path(drawn), (name,)))
                small(Image.open(first), folder / f"{name}.webp", widest)
        return len(list(folder.glob("*.webp")))

    @contextmanager
    def browser(self) -> Iterator[Browser]:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
            yield browser
            browser.close()

    def opened(
        self, browser: Browser, language: str, names: Collection[str] = ()
    ) -> Iterator[tuple[Scene, str, Page]]:
        """Each scene in each of its windows, as it looks when everything has come."""
        from tournaments.demo import PASSWORD, USERNAME

        passwords = {USERNAME: PASSWORD, NEWCOMER: THEIR_PASSWORD, OWNER: THEIR_PASSWORD}
        rows = [
            scene
            for scene in scenes.scenes(USERNAME, NEWCOMER, OWNER)
            if (scene.name in names if names else scene.name.startswith(self.only))
        ]
        for viewer in sorted({scene.viewer for scene in rows}):
            context = browser.new_context(locale=LOCALES[language])
            if viewer:
                self.sign_in(context, viewer, passwords[viewer])
            page = context.new_page()
            page.goto(self.address, wait_until="networkidle")  # faces are shown once they were fetched
            for window, scene in product(scenes.WINDOWS, rows):
                if scene.viewer == viewer and window in scene.windows:
                    self.open_scene(page, scene, window)
                    yield scene, window, page
            context.close()

    def open_scene(self, page: Page, scene: Scene, window: str) -> None:
        """A page by day, opened anew even where it is a place within the one before."""
        width, height = scenes.WINDOWS[window]
        page.goto("about:blank")
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme="light")
        address = scene.address.format(**self.shown)
        # A captain's page is started by its first script; what its second brings comes last.
        wait_until = "networkidle" if scene.name in scenes.CAPTAIN else "load"
        answer = page.goto(self.address + address, wait_until=wait_until)
        if answer and (answer.status == HTTPStatus.OK) == (scene.name == scenes.MISSING):
            raise SystemExit(f"{address} answers {answer.status}")
        page.evaluate("document.fonts.ready")

    def sign_in(self, context: BrowserContext, username: str, password: str) -> None:
        page = context.new_page()
        page.goto(f"{self.address}/clubs/login/")
        page.locator("[name=username]").fill(username)
        page.locator("[name=password]").fill(password)
        page.keyboard.press("Enter")
        page.wait_for_url("**/desk/")
        page.close()

    def sheets(self, language: str, folder: Path, names: Collection[str] = ()) -> Iterator[Path]:
        """Each sheet as it is printed, a picture a page, black and white as on the club's printer."""
        for name in (*scenes.SHEETS, *scenes.SHEETS_FETCHED):
            if name in names if names else name.startswith(self.only):
                if name in scenes.SHEETS:
                    data = self.drawn(language, *scenes.SHEETS[name])
                else:
                    data = self.fetched(language, scenes.SHEETS_FETCHED[name])
                document = folder / f"{name}.pdf"
                document.write_bytes(data)
                subprocess.run(
                    ["pdftoppm", "-png", "-gray", "-r", str(SHEET_DPI), "-l", "2", document, folder / name],
                    check=True,
                )
                yield from sorted(folder.glob(f"{name}-?*.png"))

    def drawn(self, language: str, kind: str, which: str, number: int) -> bytes:
        from django.utils import timezone, translation

        from core.pdf.files import pdf_of
        from tournaments.models import Round
        from tournaments.paper.kinds import KINDS, Order

        round_ = Round.objects.get(tournament__code=self.shown[which], number=number)
        with translation.override(language):
            order = Order(round_, "http://192.168.1.24:8000", timezone.localtime())
            return pdf_of(KINDS[kind].pages(order)[:2], str(KINDS[kind].title))

    def fetched(self, language: str, address: str) -> bytes:
        where = self.address + address.format(**self.shown, language=language)
        answer = urlopen(Request(where, headers={"Accept-Language": language}))  # noqa: S310 - our own server
        data: bytes = answer.read()
        return data


def prepare(page: Page, scene: Scene) -> None:
    """A captain's game in hearts, one tap before it is saved."""
    if scene.name == "captain":
        page.locator("#declarer button").first.click()
        page.locator("#entry").get_by_role("button", name="Game").first.click()
        page.locator("#entry").get_by_role("button", name="hearts").click()


def grow(page: Page, width: int, height: int) -> None:
    """Make the window as long as its page, so that what keeps to its foot stands there; but of a very long one not."""
    whole = page.evaluate("document.documentElement.scrollHeight")
    if whole > height:
        page.set_viewport_size({"width": width, "height": min(whole, LONGEST * height)})


def small(picture: Image.Image, path: Path, widest: int) -> None:
    picture.thumbnail((widest, widest))
    picture.convert("RGB").save(path, "WEBP", quality=QUALITY, method=6)


if __name__ == "__main__":
    main()
