"""Root's side of a machine of Spadille's own (`.package/stick`): which wishes it takes, and what it writes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import termios
from datetime import UTC, datetime, timedelta
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.conf import settings

from core.machine import read_machine
from tournaments.desk.club import machine as desk

STICK = Path(settings.BASE_DIR) / ".package/stick"
FOLDER = STICK / "overlay/usr/lib/spadille-stick"


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The programs, on folders of the test's own, with commands of the system noted and not run."""
    for name in ("RUN", "DATA", "ETC", "HOME", "KEEP"):
        (tmp_path / name).mkdir()
        monkeypatch.setenv(f"MACHINE_{name}", str(tmp_path / name))
    (tmp_path / "RUN/wishes").mkdir()
    monkeypatch.syspath_prepend(str(FOLDER))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    for name in ("system", "situation", "machine_of_the_stick"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    loader = SourceFileLoader("machine_of_the_stick", str(FOLDER / "machine"))
    program = module_from_spec(spec_from_loader(loader.name, loader))
    loader.exec_module(program)
    situation = sys.modules["situation"]
    ran: list[tuple[str, ...]] = []
    answers: dict[str, str] = {}

    def run(*command, seconds=0):
        assert seconds >= 0
        ran.append(command)
        if answers.get(command[0]) == "fails":
            raise subprocess.CalledProcessError(1, command)
        return answers.get(command[0], "")

    def output(*command, seconds=0):
        return "" if answers.get(command[0]) == "fails" else run(*command, seconds=seconds)

    for module in (program, situation):
        monkeypatch.setattr(module, "output", output)
    monkeypatch.setattr(program, "run", run)
    monkeypatch.setattr(program.shutil, "chown", lambda *_who, **_named: None)
    yield SimpleNamespace(program=program, situation=situation, ran=ran, answers=answers, folder=tmp_path)
    for name in ("system", "situation"):
        sys.modules.pop(name, None)


def leave(here, text, name="w.json"):
    path = here.folder / "RUN/wishes" / name
    path.write_text(text if isinstance(text, str) else json.dumps(text))
    return path


def outcomes(here):
    return json.loads((here.folder / "RUN/state.json").read_text())["done"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        '{"verb": "shut_down"}',
        {"verb": "shut_down", "id": "../a"},
        {"verb": "shut_down", "id": "a", "x": "y"},
        {"verb": "shut_down", "id": 7},
        {"verb": "run", "id": "a"},
        {"verb": "__import__", "id": "a"},
        {"verb": "clock", "id": "a", "at": ["now"]},
        {"verb": "shut_down", "id": "a", "note": "x" * 5000},
    ],
)
def test_a_wish_that_is_none_is_refused_and_gone(here, text):
    path = leave(here, text)
    here.program.do()
    assert not path.exists()
    assert not {command[0] for command in here.ran} & {"systemctl", "date", "lp"}
    assert [done["ok"] for done in outcomes(here)] == [False]


@pytest.mark.parametrize("kind", ["link", "folder", "fifo"])
def test_what_is_no_file_is_refused_and_gone(here, kind):
    path, secret = here.folder / "RUN/wishes/w.json", here.folder / "secret"
    secret.write_text(json.dumps({"verb": "shut_down", "id": "a"}))
    if kind == "link":
        path.symlink_to(secret)
    elif kind == "folder":
        (path / "inner").mkdir(parents=True)
    else:
        os.mkfifo(path)
    here.program.do()
    assert not path.exists()
    assert secret.exists()
    assert ("systemctl", "--no-block", "poweroff") not in here.ran


def test_a_wish_is_carried_out_once_and_its_outcome_kept(here):
    leave(here, {"verb": "shut_down", "id": "abc"})
    here.program.do()
    here.program.do()
    assert here.ran.count(("systemctl", "--no-block", "poweroff")) == 1
    assert outcomes(here) == [{"id": "abc", "verb": "shut_down", "ok": True, "reason": ""}]


@pytest.mark.parametrize(
    ("wish", "reason"),
    [
        ({"verb": "region", "keyboard": "dk; reboot", "zone": "Europe/Copenhagen"}, "unknown"),
        ({"verb": "region", "keyboard": "dk", "zone": "../../../etc/shadow"}, "unknown"),
        ({"verb": "region", "keyboard": "dk"}, "failed"),
        ({"verb": "clock", "at": "2026-12-01T19:30; reboot"}, "unknown"),
        ({"verb": "wifi", "mode": "hall", "name": "x" * 33}, "unknown"),
        ({"verb": "wifi", "mode": "hall", "name": "Hal", "password": "a\nb" * 5}, "unknown"),
        ({"verb": "wifi", "mode": "open"}, "unknown"),
        ({"verb": "printer", "name": "-h evil"}, "no-printer"),
        ({"verb": "journal", "stick": "/dev/sda"}, "stick-away"),
        ({"verb": "restore", "name": "../../etc/shadow"}, "unknown"),
        ({"verb": "restore", "name": "spadille-x/../../y.zip"}, "unknown"),
        ({"verb": "restore", "name": "spadille-none.zip"}, "unknown"),
    ],
)
def test_arguments_that_cannot_be_change_nothing(here, wish, reason):
    leave(here, wish | {"id": "a"})
    here.program.do()
    assert [done["reason"] for done in outcomes(here)] == [reason]
    assert not {command[0] for command in here.ran} & {
        "systemctl",
        "date",
        "mount",
        "lpadmin",
        "spadille-service",
    }
    assert not (here.folder / "ETC/localtime").is_symlink()


def test_the_clock_is_set_in_the_machines_own_time(here):
    leave(here, {"verb": "clock", "at": "2026-12-01T19:30", "id": "a"})
    here.program.do()
    assert ("date", "--set", "2026-12-01 19:30") in here.ran


def test_a_wifi_that_refuses_gives_the_one_before_back(here):
    here.answers["nmcli"] = "fails"
    leave(here, {"verb": "wifi", "mode": "hall", "name": "Hal", "password": "hemmeligt", "id": "a"})
    here.program.do()
    assert [done["reason"] for done in outcomes(here)] == ["wifi-refused"]
    connections = here.folder / "ETC/NetworkManager/system-connections"
    assert [path.name for path in connections.glob("*.nmconnection")] == ["own.nmconnection"]
    assert here.program.read_choices()["wifi"] == "own"


def test_a_restore_stops_spadille_and_starts_it_again_whatever_comes_of_it(here):
    (here.folder / "HOME/spadille-1.zip").write_bytes(b"PK")
    here.answers["spadille-service"] = "fails"
    leave(here, {"verb": "restore", "name": "spadille-1.zip", "id": "a"})
    here.program.do()
    assert [done["reason"] for done in outcomes(here)] == ["not-restored"]
    assert [command[1] for command in here.ran if command[0] == "systemctl"] == ["stop", "start"]


@pytest.mark.parametrize(
    ("password", "line"),
    [("hemmeligt", "psk=hemmeligt"), ("a b\\c defg", "psk=a\\sb\\\\c\\sdefg"), ("", "")],
)
def test_a_connection_says_name_and_password_so_that_no_letter_begins_a_new_line(here, password, line):
    choices = here.program.read_choices() | {"hall_name": "Ø\n[x]", "hall_password": password}
    text = here.program.connection("hall", choices)
    assert f"ssid={''.join(f'{byte};' for byte in choices['hall_name'].encode())}\n" in text
    assert ("psk" in text) == bool(password)
    assert line in text
    assert "[x]" not in text


def test_the_own_wifi_is_an_access_point_whose_phones_do_not_meet(here):
    text = here.program.connection("own", here.program.read_choices())
    assert {"mode=ap", "ap-isolation=1", "method=shared", "key-mgmt=wpa-psk", "proto=rsn"} <= set(
        text.splitlines()
    )


def test_each_stick_has_a_name_and_a_password_of_its_own(here):
    choices = [here.program.read_choices() for _stick in range(5)]
    assert len({one["password"] for one in choices}) == 5
    assert all(re.fullmatch(r"[a-z2-9]{10}", one["password"]) for one in choices)
    here.program.store(choices[0])
    assert here.program.read_choices() == choices[0]


@pytest.mark.parametrize(
    ("line", "chosen"),
    [
        ("quiet spadille.language=sv", ("sv", "se", "Europe/Stockholm")),
        ("quiet spadille.language=xx", ("da", "dk", "Europe/Copenhagen")),
        ("quiet", ("da", "dk", "Europe/Copenhagen")),
    ],
)
def test_the_boot_menu_chooses_language_keyboard_and_time_zone(here, line, chosen):
    choices = here.program.read_choices()
    here.program.choose_language(choices, line)
    assert (choices["language"], choices["keyboard"], choices["zone"]) == chosen


def test_a_keyboard_chosen_at_the_desk_outlives_a_start_in_the_same_language(here):
    choices = here.program.read_choices() | {"language": "sv", "keyboard": "fi", "zone": "Europe/Helsinki"}
    here.program.store(choices)
    here.program.choose_language(choices, "spadille.language=sv")
    assert choices["keyboard"] == "fi"
    here.program.choose_language(choices, "spadille.language=en")
    assert choices["keyboard"] == "gb"


def test_spadille_is_started_anew_only_where_its_settings_have_changed(here):
    choices = here.program.read_choices()
    assert here.program.apply_settings(choices)
    assert not here.program.apply_settings(choices)
    text = (here.folder / "ETC/spadille.env").read_text()
    assert "PUBLIC_URL=http://spadille.home\n" in text
    assert here.program.apply_settings(choices | {"wifi": "hall"})
    assert "PUBLIC_URL=h" not in (here.folder / "ETC/spadille.env").read_text()


def test_only_a_file_of_its_owner_is_copied_to_where_windows_reads(here, monkeypatch):
    owner = SimpleNamespace(pw_uid=os.getuid())
    monkeypatch.setattr(here.program.pwd, "getpwnam", lambda _name: owner)
    monkeypatch.setattr(here.program, "FREE_AT_HOME", 0)
    secret, home = here.folder / "secret", here.folder / "HOME"
    secret.write_bytes(b"secret")
    link = here.folder / "link"
    link.symlink_to(secret)
    assert here.program.copy_file(secret, home / "a", "spadille")
    assert (home / "a").read_bytes() == b"secret"
    assert not here.program.copy_file(link, home / "b", "spadille")
    owner.pw_uid += 1
    assert not here.program.copy_file(secret, home / "c", "spadille")
    assert [path.name for path in home.iterdir()] == ["a"]


def test_what_root_writes_is_what_the_desk_reads(here, settings):
    choices = here.program.read_choices()
    settings.MACHINE = str(here.folder / "RUN")
    for nothing in (True, False):
        here.situation.write_state(choices, look_at_nothing=nothing)
        machine = read_machine()
        assert (machine.keyboard, machine.wifi.name) == ("dk", choices["name"])
    assert machine.wifi.problem == "no-card"
    assert set(machine.keyboards) <= set(desk.KEYBOARDS)


def test_a_stick_is_another_usb_disks_file_system_and_never_the_laptops(here):
    part = {"name": "sdb1", "path": "/dev/sdb1", "fstype": "vfat", "uuid": "AB", "label": "X", "size": 1}
    disks = [
        {"name": "sda", "tran": "usb", "children": [part | {"uuid": "own"}]},
        {"name": "sdb", "tran": "usb", "children": [part, part | {"fstype": "ntfs", "uuid": "N"}]},
        {"name": "nvme0n1", "tran": "nvme", "children": [part | {"uuid": "laptop"}]},
    ]
    assert [stick["id"] for stick in here.situation.sticks(disks, "sda")] == ["AB"]


@pytest.mark.parametrize("code", ["forgets", "cut", "regained", "lost", "plain"])
def test_what_was_noticed_at_the_start_is_told_at_the_desk(here, code):
    assert here.situation.problems([]) == []
    (here.folder / "RUN" / code).touch()
    assert here.situation.problems([]) == [code]


def test_a_second_spadille_and_a_version_that_computers_will_refuse_are_told_at_the_desk(here, monkeypatch):
    monkeypatch.setattr(here.situation, "MEDIUM", here.folder)
    (here.folder / "live").mkdir()
    for days, told in ((270, []), (271, ["old"])):
        built = datetime.now(UTC).date() - timedelta(days)
        (here.folder / "live/built").write_text(f"{built}\n")
        assert here.situation.problems([]) == told
    for label in ("SPADILLE", "spadille-data"):
        assert "two" in here.situation.problems([{"label": label}])
    assert "two" not in here.situation.problems([{"label": "KINGSTON"}])


@pytest.mark.parametrize(
    ("said", "restored", "marks"),
    [
        ("0\n", "", []),
        ("", "", []),
        ("3\n", "", ["regained"]),
        ("3\n", "fails", ["lost"]),
    ],
)
def test_what_a_lying_stick_has_lost_comes_back_from_the_journal_after_a_cut(
    here, monkeypatch, said, restored, marks
):
    monkeypatch.setattr(here.program.os.path, "ismount", lambda _path: True)
    monkeypatch.setattr(here.program, "output", lambda *_command, **_seconds: said)
    here.answers["spadille-service"] = restored
    here.program.bring_back_what_is_missing()
    assert [mark for mark in ("regained", "lost") if (here.folder / "RUN" / mark).exists()] == marks
    assert ("restore" in {word for command in here.ran for word in command}) == bool(marks)


def test_nothing_is_brought_back_where_the_second_stick_is_away(here):
    here.program.bring_back_what_is_missing()
    assert here.ran == []


def test_the_desk_offers_each_wish_and_has_words_for_what_becomes_of_it(here):
    assert set(desk.DONE) == set(here.program.VERBS)
    code = "".join((FOLDER / name).read_text() for name in ("machine", "situation.py", "system.py"))
    refused = set(re.findall(r'RefusedError\("([a-z-]+)"\)', code)) - {"unknown"}
    assert refused == set(desk.REASONS)
    assert set(re.findall(r'told\.append\("([a-z]+)"\)', code)) == set(desk.PROBLEMS)
    assert set(re.findall(r'"((?:no|not|switched)-[a-z-]+)"', (FOLDER / "situation.py").read_text())) == set(
        desk.WIFI_PROBLEMS
    )


def test_what_the_screen_says_before_the_desk_is_there_in_three_languages():
    rows = [line.split("\t") for line in (FOLDER / "texts.tsv").read_text("utf-8").splitlines()]
    spoken = {code: [language for said, language, _text in rows if said == code] for code, _one, _two in rows}
    needed = set(re.findall(r"\btrouble ([a-z]+)", (FOLDER / "data").read_text()))
    needed |= {"making", "starts", "off", "gone", "dead"}
    needed |= set(re.findall(r'"((?:[a-z]+-)?passwords?)"', (FOLDER / "password").read_text()))
    assert spoken == {code: ["da", "sv", "en"] for code in needed}


def test_the_screen_says_it_in_the_chosen_language_or_in_all(tmp_path):
    def said(*words):
        screen = tmp_path / "screen"
        subprocess.run([FOLDER / "say", *words], check=True, env=os.environ | {"SCREEN": str(screen)})
        return screen.read_text("utf-8")

    assert {"42 %", "Dra inte ut det.", "Do not pull it out."} <= set(
        re.findall(r"42 %|Dra inte ut det\.|Do not pull it out\.", said("making", "42"))
    )
    assert "Spadille cannot start." in said("trouble")


def test_phones_hear_exactly_what_they_expect():
    loader = SourceFileLoader("probes_of_the_stick", str(FOLDER / "probes"))
    probes = module_from_spec(spec_from_loader(loader.name, loader))
    sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
    loader.exec_module(probes)
    sys.dont_write_bytecode = before
    apple = b"<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"
    assert probes.EXPECTED["/hotspot-detect.html"] == (200, apple, "text/html")
    assert probes.EXPECTED["/generate_204"] == (204, b"", "")
    assert probes.EXPECTED["/connecttest.txt"] == (200, b"Microsoft Connect Test", "text/plain")
    assert probes.EXPECTED["/success.txt"] == (200, b"success\n", "text/plain")


def test_only_the_own_disks_removal_is_one(here):
    loader = SourceFileLoader("gone_of_the_stick", str(FOLDER / "gone"))
    gone = module_from_spec(spec_from_loader(loader.name, loader))
    loader.exec_module(gone)
    event = b"remove@/devices/usb1/block/sda\0ACTION=remove\0SUBSYSTEM=block\0DEVNAME=sda\0DEVTYPE=disk\0"
    assert gone.is_removal(event, "sda")
    assert not gone.is_removal(event, "sdb")
    assert not gone.is_removal(event.replace(b"remove", b"change"), "sda")
    assert here.situation is sys.modules["situation"]


@pytest.fixture
def password(here, monkeypatch):
    """The program that asks for a password, on a terminal of the test's own."""
    terminal, screen = os.openpty()
    monkeypatch.setenv("SCREEN", os.ttyname(screen))
    loader = SourceFileLoader("password_of_the_stick", str(FOLDER / "password"))
    program = module_from_spec(spec_from_loader(loader.name, loader))
    loader.exec_module(program)
    said, typed = [], []

    def say(code):
        said.append(code)

    def read(_terminal, _size):
        os.write(terminal, typed.pop(0).encode() + b"\n")
        assert not termios.tcgetattr(screen)[3] & termios.ECHO
        return os_read(_terminal, _size)

    os_read = os.read
    monkeypatch.setattr(program, "say", say)
    monkeypatch.setattr(program.os, "read", read)
    yield SimpleNamespace(program=program, said=said, typed=typed, screen=screen)
    os.close(terminal)
    os.close(screen)


def test_a_new_password_is_long_enough_and_typed_twice_unseen(password):
    password.typed += ["kort", "æblegrød med fløde", "aeblegrod", "en anden en", "en anden en"]
    assert password.program.choose() == b"en anden en"
    assert password.said == [
        *("new-password", "short-password", "same-password"),
        *("unequal-passwords", "same-password"),
    ]
    assert termios.tcgetattr(password.screen)[3] & termios.ECHO


def test_encrypted_data_are_asked_for_until_the_password_is_right(password, monkeypatch):
    tried = []
    monkeypatch.setattr(
        password.program,
        "unlock",
        lambda device, word: tried.append((device, word)) or word == b"tre gode ord",
    )
    monkeypatch.setattr(password.program, "use_region", lambda *_region: None)
    monkeypatch.setattr(password.program, "region", lambda *_from: ("da", "dk"))
    password.typed += ["", "Tre gode ord", "tre gode ord"]
    password.program.main("open", "/a")
    assert [word for _device, word in tried] == [b"", b"Tre gode ord", b"tre gode ord"]
    assert password.said == ["password", "wrong-password", "wrong-password", "starts"]


@pytest.mark.parametrize(
    ("line", "kept", "region"),
    [
        ("quiet", "Subsystem:     \tsv fi\n", ("sv", "fi")),
        ("spadille.language=sv", "Subsystem:     \tsv fi\n", ("sv", "fi")),
        ("spadille.language=en", "Subsystem:     \tsv fi\n", ("en", "gb")),
        ("quiet", "Subsystem:     \t(no subsystem)\n", ("", "dk")),
        ("spadille.language=xx", "", ("", "dk")),
    ],
)
def test_the_password_is_asked_for_in_the_language_and_with_the_keyboard_of_the_last_start(
    password, monkeypatch, line, kept, region
):
    monkeypatch.setattr(sys.modules["system"], "output", lambda *_command: f"Label: x\n{kept}")
    assert password.program.region("/a", line) == region


def test_language_and_keyboard_are_kept_outside_encrypted_data_where_they_change(here, monkeypatch):
    ran, system = [], sys.modules["system"]
    monkeypatch.setattr(system, "output", lambda *command: ran.append(command) or "Subsystem: da dk\n")
    system.keep_region({"language": "sv", "keyboard": "se"})
    assert ran == []
    system.ENCRYPTED.write_text("/a\n")
    system.keep_region({"language": "da", "keyboard": "dk"})
    system.keep_region({"language": "da", "keyboard": "de"})
    assert [command[1:] for command in ran if "config" in command] == [
        ("config", "/a", "--subsystem", "da de")
    ]


@pytest.mark.parametrize("encrypted", [False, True])
def test_a_backup_of_encrypted_data_leaves_them_only_when_it_is_wished_for(here, monkeypatch, encrypted):
    monkeypatch.setattr(here.program.pwd, "getpwnam", lambda _name: SimpleNamespace(pw_uid=os.getuid()))
    monkeypatch.setattr(here.program, "FREE_AT_HOME", 0)
    (here.folder / "DATA/backups").mkdir()
    (here.folder / "DATA/backups/spadille-1.zip").write_bytes(b"PK")
    if encrypted:
        sys.modules["system"].ENCRYPTED.touch()
    here.program.copy()
    assert (here.folder / "HOME/spadille-1.zip").exists() != encrypted
    assert here.program.copy(wished=True)
    assert (here.folder / "HOME/spadille-1.zip").exists()


def test_scripts_can_be_read_by_their_shells():
    for script in (
        STICK / "build",
        STICK / "root",
        STICK / "medium",
        STICK.parents[1] / ".ci/pi",
        FOLDER / "data",
        FOLDER / "say",
        FOLDER / "wait",
    ):
        subprocess.run(["bash", "-n", script], check=True)
    subprocess.run(["sh", "-n", FOLDER / "desk"], check=True)


def test_the_browser_may_open_the_page_that_it_is_started_with():
    policy = json.loads((STICK / "overlay/etc/chromium/policies/managed/desk.json").read_text())
    assert "/start.html" in (FOLDER / "desk").read_text()
    assert (FOLDER / "start.html").exists()
    assert "file:///usr/lib/spadille-stick/start.html" in policy["URLAllowlist"]


def test_the_trial_waits_for_words_that_the_program_says():
    trial = (Path(settings.BASE_DIR) / ".ci/stick").read_text()
    awaited = re.search(r'^JOURNAL_COMPLETE = "(.+)"$', trial, re.MULTILINE)
    assert f'_("{awaited[1]}' in (Path(settings.BASE_DIR) / "core/journal/status.py").read_text()


def test_nobody_can_type_a_command_at_the_stick():
    menu, root = (STICK / "grub.cfg").read_text(), (STICK / "root").read_text()
    assert 'set superusers="nobody"' in menu
    entries = re.findall(r"^menuentry .*", menu, re.MULTILINE)
    encrypted = ["Dansk, krypterede data", "Svenska, krypterade data", "English, encrypted data"]
    assert [entry.split('"')[1] for entry in entries] == [
        "Spadille",
        "Dansk",
        "Svenska",
        "English",
        *encrypted,
    ]
    assert all("--unrestricted" in entry for entry in entries)
    masked = root[root.index("systemctl --quiet mask") :]
    assert all(
        unit in masked
        for unit in ("getty@.service", "serial-getty@.service", "debug-shell", "rescue", "emergency")
    )


def test_a_raspberry_pi_finds_what_its_firmware_is_told_to_start():
    told = (STICK / "config.txt").read_text().splitlines()
    made = (STICK / "medium").read_text()
    assert {"arm_64bit=1", "upstream_kernel=1", "kernel=live/vmlinuz"} <= set(told)
    assert "initramfs live/initrd.img followkernel" in told
    assert '"$tree/live/vmlinuz"' in made
    assert '"$tree/live/initrd.img"' in made
    # Names of Debian's kernel: the firmware prefers them only where it is told of an upstream kernel.
    assert "broadcom/bcm2{837,711}-rpi-*.dtb" in made
