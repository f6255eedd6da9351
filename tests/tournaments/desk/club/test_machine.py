"""The page of a machine of Spadille's own: who may ask it for what, and what is left in its folder."""

from __future__ import annotations

import json
from http import HTTPStatus

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from clubs import first_page
from clubs.models import Account, Role
from config import environment
from core import machine
from tests.factories import make_account

PAGE, FIRST = "/desk/machine/", "/desk/first/"
STATE = {
    "encrypted": False,
    "keyboard": "dk",
    "zone": "Europe/Copenhagen",
    "keyboards": ["dk", "se", "gb"],
    "wifi": {
        "mode": "own",
        "name": "Spadille-k7m",
        "password": "abcdefgh23",
        "hall": "",
        "cable": False,
        "works": True,
        "problem": "",
    },
    "addresses": ["10.42.0.1"],
    "printers": {"names": ["HP_Envy"], "usual": ""},
    "sticks": [{"id": "AB12-CD34", "label": "KINGSTON", "size": 8_000_000_000}],
    "journal": {"chosen": False, "here": False},
    "home": {"backups": ["spadille-20261128T084600Z.zip"], "free": 500_000_000},
    "problems": [],
    "done": [],
}
HERE = {"HTTP_HOST": "localhost", "REMOTE_ADDR": "127.0.0.1"}

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path, settings):
    """The folder of a machine as root's side makes it."""
    (tmp_path / "wishes").mkdir()
    settings.MACHINE = str(tmp_path)
    write_state(tmp_path)
    return tmp_path


@pytest.fixture
def owner(alice):
    alice.is_superuser = True
    alice.save()
    return signed_in(alice)


def write_state(folder, **changes):
    (folder / "state.json").write_text(json.dumps(STATE | changes))


def signed_in(account: Account) -> Client:
    browser = Client(**HERE)
    browser.force_login(account)
    return browser


def wishes(folder) -> list[dict[str, str]]:
    return [json.loads(path.read_text()) for path in sorted((folder / "wishes").glob("*.json"))]


def leave(browser, verb, **fields):
    return browser.post(PAGE, {"verb": verb} | {f"{verb}-{name}": value for name, value in fields.items()})


def test_there_is_no_such_page_on_somebodys_own_computer(owner, settings):
    settings.MACHINE = ""
    assert owner.get(PAGE).status_code == HTTPStatus.NOT_FOUND
    assert leave(owner, "shut_down").status_code == HTTPStatus.NOT_FOUND
    assert "Shut down" not in owner.get("/desk/").content.decode()


@pytest.mark.parametrize(
    "state", ["", "[]", "{", json.dumps({key: STATE[key] for key in ("wifi", "sticks")})]
)
def test_a_state_that_cannot_be_read_is_no_machine(owner, folder, state):
    (folder / "state.json").write_text(state)
    assert owner.get(PAGE).status_code == HTTPStatus.NOT_FOUND
    assert owner.get("/desk/").status_code == HTTPStatus.OK


def test_the_desk_shows_the_wifis_code_and_leads_to_the_page(owner, folder):
    desk = owner.get("/desk/").content.decode()
    assert "Spadille-k7m" in desk
    assert "abcdefgh23" in desk
    assert f'href="{PAGE}"' in desk


@pytest.mark.parametrize(
    ("verb", "fields", "left"),
    [
        ("shut_down", {}, {}),
        ("take_home", {}, {}),
        ("printer", {"name": "HP_Envy"}, {"name": "HP_Envy"}),
        ("journal", {"stick": "AB12-CD34"}, {"stick": "AB12-CD34"}),
        ("wifi", {"mode": "own", "name": "Hal", "password": "hemmeligt"}, {"mode": "own"}),
        (
            "wifi",
            {"mode": "hall", "name": "Hallen Ø", "password": "hemmeligt"},
            {"mode": "hall", "name": "Hallen Ø", "password": "hemmeligt"},
        ),
        (
            "region",
            {"keyboard": "se", "zone": "Europe/Stockholm"},
            {"keyboard": "se", "zone": "Europe/Stockholm"},
        ),
        ("clock", {"at": "2026-12-01T19:30"}, {"at": "2026-12-01T19:30"}),
        (
            "restore",
            {"name": "spadille-20261128T084600Z.zip", "sure": "on"},
            {"name": "spadille-20261128T084600Z.zip"},
        ),
    ],
)
def test_the_owner_leaves_a_wish_with_its_arguments_and_nothing_else(owner, folder, verb, fields, left):
    answer = leave(owner, verb, **fields)
    (wish,) = wishes(folder)
    name = wish.pop("id")
    assert wish == {"verb": verb} | left
    if verb == "shut_down":
        assert "is turning itself off" in answer.content.decode()
    else:
        assert answer["Location"] == f"{PAGE}?wish={name}"


def test_a_second_tap_leaves_no_second_wish(owner, folder):
    first, second = (leave(owner, "take_home")["Location"] for _time in range(2))
    assert first == second
    assert len(wishes(folder)) == 1


@pytest.mark.parametrize(
    ("verb", "fields", "message"),
    [
        ("wifi", {"mode": "hall"}, "Type the name of the hall’s Wi-Fi."),
        ("wifi", {"mode": "hall", "name": "Hal", "password": "kort"}, "8 to 63 characters"),
        ("wifi", {"mode": "hall", "name": "Hal", "password": "hemmeligtå"}, "8 to 63 characters"),
        ("wifi", {"mode": "hall", "name": "Ø" * 20}, "too long"),
        ("wifi", {"mode": "elsewhere"}, "field-error"),
        ("printer", {"name": "another"}, "field-error"),
        ("journal", {"stick": "/dev/sda1"}, "field-error"),
        ("region", {"keyboard": "xx", "zone": "Europe/Copenhagen"}, "field-error"),
        ("region", {"keyboard": "dk", "zone": "../../etc/shadow"}, "field-error"),
        ("clock", {"at": "tomorrow"}, "Date and time"),
        ("restore", {"name": "spadille-20261128T084600Z.zip"}, "Tick this if you are sure."),
        ("restore", {"name": "journal", "sure": "on"}, "field-error"),
        ("restore", {"name": "../../etc/shadow", "sure": "on"}, "field-error"),
    ],
)
def test_what_is_wrong_is_shown_at_its_field_and_leaves_no_wish(owner, folder, verb, fields, message):
    answer = leave(owner, verb, **fields)
    assert answer.status_code == HTTPStatus.OK
    assert answer.context["forms"][verb].errors
    assert message in answer.content.decode()
    assert wishes(folder) == []


def test_an_organiser_turns_it_off_and_prints_and_may_do_nothing_else(folder, alice):
    browser = signed_in(alice)
    page = browser.get(PAGE).content.decode()
    assert "take_home" not in page
    assert "Set the clock" not in page
    for verb in ("take_home", "journal", "wifi", "region", "clock", "restore"):
        assert leave(browser, verb).status_code == HTTPStatus.FORBIDDEN
    assert wishes(folder) == []
    leave(browser, "printer", name="HP_Envy")
    leave(browser, "shut_down")
    assert {wish["verb"] for wish in wishes(folder)} == {"printer", "shut_down"}


def test_helpers_players_and_strangers_get_nowhere(folder, club, charlie):
    helper = make_account("hugo", club, Role.Kind.HELPER)
    for account in (helper, charlie):
        assert signed_in(account).get(PAGE).status_code == HTTPStatus.FORBIDDEN
        assert leave(signed_in(account), "shut_down").status_code == HTTPStatus.FORBIDDEN
        assert "abcdefgh23" not in signed_in(account).get("/desk/").content.decode()
    assert leave(Client(**HERE), "shut_down").status_code == HTTPStatus.FOUND
    assert wishes(folder) == []


@pytest.mark.parametrize("verb", ["", "reboot", "__class__", "begin"])
def test_a_verb_that_there_is_not_is_refused(owner, folder, verb):
    assert leave(owner, verb).status_code == HTTPStatus.FORBIDDEN
    assert wishes(folder) == []


def test_the_page_waits_for_a_wish_and_says_what_became_of_it(owner, folder):
    wish = leave(owner, "take_home")["Location"].partition("=")[2]
    waits = owner.get(f"{PAGE}?wish={wish}").content.decode()
    assert f'hx-get="{PAGE}?wish={wish}"' in waits
    done = {"id": wish, "verb": "take_home", "ok": True, "reason": ""}
    write_state(folder, done=[done])
    assert "The backup is in the folder BACKUPS" in owner.get(f"{PAGE}?wish={wish}").content.decode()
    write_state(folder, done=[done | {"ok": False, "reason": "no-room"}])
    assert "There is no room for the backup." in owner.get(f"{PAGE}?wish={wish}").content.decode()
    write_state(folder, done=[done | {"ok": False, "reason": "something new"}])
    assert "That did not work." in owner.get(f"{PAGE}?wish={wish}").content.decode()


def test_a_machine_that_takes_no_wishes_is_told_of(owner, folder):
    for number in range(machine.MOST_WISHES):
        (folder / "wishes" / f"{number}.json").write_text("{}")
    answer = owner.post(PAGE, {"verb": "take_home"}, follow=True)
    assert "The computer does not answer." in answer.content.decode()
    assert len(wishes(folder)) == machine.MOST_WISHES


@pytest.mark.parametrize("problem", ["no-card", "switched-off", "no-access-point", "not-open"])
def test_a_wifi_that_does_not_work_shows_no_code_but_what_to_do(owner, folder, problem):
    write_state(folder, wifi=STATE["wifi"] | {"works": False, "problem": problem})
    for page in (owner.get("/desk/").content.decode(), owner.get(PAGE).content.decode()):
        assert "abcdefgh23" not in page
        assert "message warning" in page


def test_the_poster_with_the_wifi_is_for_organisers_alone_and_the_public_one_has_none(
    owner, folder, club, charlie
):
    address = f"{PAGE}poster/{club.slug}/"
    with_wifi, public = owner.get(address), Client(**HERE).get(f"/club/{club.slug}/poster.pdf")
    assert with_wifi.content.startswith(b"%PDF")
    assert public.content.startswith(b"%PDF")
    assert with_wifi.content != public.content
    assert signed_in(charlie).get(address).status_code == HTTPStatus.FORBIDDEN
    assert Client(**HERE).get(address).status_code == HTTPStatus.FOUND


@pytest.mark.usefixtures("folder")
class TestFirstPage:
    """Before there is an organiser."""

    @pytest.fixture(autouse=True)
    def _awaited(self, settings):
        settings.FIRST_PAGE_SECRET, settings.PUBLIC_URL = "KDRWAH", "http://spadille.home"
        settings.ALLOWED_HOSTS = ["*"]

    def test_the_screen_asks_no_code_and_shows_it_for_phones(self):
        page = Client(**HERE).get(FIRST).content.decode()
        assert 'name="code"' not in page
        assert "KDRWAH" in page
        assert "http://spadille.home" in page
        assert "abcdefgh23" in page

    def test_a_phone_is_asked_for_the_code_and_told_nothing(self):
        phone = Client(HTTP_HOST="spadille.home", REMOTE_ADDR="10.42.0.17")
        page = phone.get(FIRST).content.decode()
        assert 'name="code"' in page
        assert "on the screen of the computer" in page
        assert not any(word in page for word in ("KDRWAH", "abcdefgh23", 'name="region"'))

    def test_keyboard_and_time_zone_are_chosen_on_the_screen(self, folder):
        sent = {"region": "use", "region-keyboard": "se", "region-zone": "Europe/Stockholm"}
        assert Client(**HERE).post(FIRST, sent)["Location"] == FIRST
        (wish,) = wishes(folder)
        assert (wish["verb"], wish["keyboard"], wish["zone"]) == ("region", "se", "Europe/Stockholm")

    def test_a_phone_cannot_choose_them_not_even_with_the_code(self, folder):
        sent = {"region": "use", "region-keyboard": "se", "region-zone": "Europe/Stockholm", "code": "KDRWAH"}
        Client(HTTP_HOST="spadille.home", REMOTE_ADDR="10.42.0.17").post(FIRST, sent)
        assert wishes(folder) == []

    @pytest.mark.usefixtures("alice")
    def test_nor_can_anybody_once_there_is_an_organiser(self, folder):
        sent = {"region": "use", "region-keyboard": "se", "region-zone": "Europe/Stockholm"}
        Client(**HERE).post(FIRST, sent)
        assert wishes(folder) == []

    def test_the_screen_needs_no_code_in_spite_of_the_name_that_phones_use(self, settings):
        assert first_page.needs_no_code_here()
        settings.MACHINE = ""
        assert not first_page.needs_no_code_here()


def test_the_folder_is_named_in_full():
    with pytest.raises(ImproperlyConfigured, match="MACHINE"):
        environment.machine("run/spadille-stick")
    assert environment.machine("/run/x") == "/run/x"
