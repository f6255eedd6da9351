"""An emulated PC, or a board with a Raspberry Pi's processor, and its media, for `.ci/stick`.

What is started, typed at it, read from its screen, and run in it.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import mmap
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
import uuid
from collections.abc import Callable
from http import HTTPStatus
from http.cookiejar import CookieJar
from pathlib import Path
from typing import TypeVar
from urllib.error import URLError
from urllib.parse import urlencode

T = TypeVar("T")
MB = 1 << 20
STICK_MB, LAPTOP_MB, ISO_STICK_MB = 3800, 64, 3800
CARD_MB = 4096  # a power of two, as the emulator wants a card's size to be
SLOWEST_START = int(os.environ.get("SLOWEST", "1500"))
SLOWEST_STEP = 300  # seconds
# Between two keys: a keyboard keeps 16 bytes for a PC that is not listening, which are four arrows.
TYPING = 0.5
SCREEN_PIXELS = 1280 * 800
PROCESSORS = os.environ.get("PROCESSORS", "2")
# Emulated, Linux takes one of Intel for vulnerable to Meltdown, and each system call for a new address space.
EMULATED = "qemu64,+ssse3,+sse4.1,+sse4.2,+popcnt"
PORT = int(os.environ.get("PORT", "8670"))
OVMF = Path("/usr/share/OVMF")
AGENT = """#!/usr/bin/python3
import json, subprocess, time
with open("/dev/virtio-ports/trial", "r+b", buffering=0) as port:
    line = b""
    while True:
        letter = port.read(1)
        if not letter:  # nobody is connected; to ask again at once took a third of the processor
            time.sleep(0.2)
            continue
        if letter != b"\\n":
            line += letter
            continue
        asked = json.loads(line)
        done = subprocess.run(["/bin/bash", "-c", asked["run"]], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        line = b""
        answer = {"id": asked["id"], "code": done.returncode, "text": done.stdout.decode(errors="replace")}
        port.write(json.dumps(answer).encode() + b"\\n")
"""
UNIT = """[Unit]
Description=Runs commands for the machine that tries this stick
DefaultDependencies=no
After=systemd-udevd.service
[Service]
ExecStartPre=/bin/sh -c 'until [ -e /dev/virtio-ports/trial ]; do sleep 1; done'
ExecStart=/usr/local/sbin/trial
Restart=always
[Install]
WantedBy=sysinit.target
"""
RADIOS = 'SUBSYSTEM=="net", KERNEL=="wlan[1-9]", ENV{NM_UNMANAGED}="1"\n'


def command(*words: object, **options: object) -> str:
    done = subprocess.run(
        [str(word) for word in words], check=True, capture_output=True, text=True, **options
    )
    return done.stdout


def say(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


def contains(path: Path, text: str) -> bool:
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return data.find(text.encode()) >= 0


def wait_until(what: str, look: Callable[[], T], seconds: float = SLOWEST_STEP) -> T:
    """The first answer that is something; ends everything where none comes in time."""
    end = time.monotonic() + seconds
    while not (answer := look()):
        if time.monotonic() > end:
            sys.exit(f"not within {seconds:.0f} s: {what}")
        time.sleep(1)
    return answer


def checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class Media:
    """The sticks and the laptop's disk, as files in a folder."""

    def __init__(self, folder: Path, archive: Path, image: Path) -> None:
        self.folder, self.archive, self.image = folder, archive, image
        folder.mkdir(parents=True, exist_ok=True)
        self.laptop, self.fat, self.hybrid = (folder / name for name in ("laptop", "fat", "hybrid"))
        self.second = folder / "second"

    def make_layer(self) -> Path:
        layer, root = self.folder / "trial.squashfs", self.folder / "trial"
        shutil.rmtree(root, ignore_errors=True)
        for name, text, mode in (
            ("usr/local/sbin/trial", AGENT, 0o755),
            ("etc/systemd/system/trial.service", UNIT, 0o644),
            ("etc/udev/rules.d/95-trial.rules", RADIOS, 0o644),
        ):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
            (root / name).chmod(mode)
        wants = root / "etc/systemd/system/sysinit.target.wants"
        wants.mkdir(parents=True)
        (wants / "trial.service").symlink_to("/etc/systemd/system/trial.service")
        # Of an old time: systemd takes a newer /usr for an upgrade.
        command(
            "mksquashfs", root, layer, "-all-root", "-all-time", "0", "-noappend", "-quiet", "-no-progress"
        )
        return layer

    def make_laptop(self) -> None:
        """A disk with an NTFS-like partition, which must stay as it is."""
        with self.laptop.open("wb") as file:
            file.truncate(LAPTOP_MB * MB)
        command("sfdisk", "-q", self.laptop, input="type=7\n")
        with self.laptop.open("r+b") as file:
            file.seek(MB)
            file.write(os.urandom(8 * MB))

    def make_fat(self, size: int = STICK_MB) -> None:
        """The zip, unpacked onto a FAT32 stick, as Windows does."""
        tree = self.folder / "unpacked"
        shutil.rmtree(tree, ignore_errors=True)
        command("unzip", "-q", self.archive, "-d", tree)
        self.fat.unlink(missing_ok=True)
        self.make_partition(self.fat, size, "SPADILLE")
        where = f"{self.fat}@@{MB}"
        command("mcopy", "-s", "-i", where, *tree.iterdir(), "::")
        command("mcopy", "-i", where, self.make_layer(), "::live/trial.squashfs")
        shutil.rmtree(tree)

    def make_partition(self, stick: Path, size: int, label: str) -> None:
        with stick.open("wb") as file:
            file.truncate(size * MB)
        command("sfdisk", "-q", stick, input="start=2048, type=c\n")
        command("mkfs.vfat", "-F", "32", "-n", label, "--offset", "2048", stick, str((size - 1) * 1024))

    def make_hybrid(self) -> None:
        """The ISO, written onto a stick, with the second layer put in by its own recipe."""
        added = self.folder / "added.iso"
        command(
            "xorriso", "-indev", self.image, "-outdev", added, "-boot_image", "any", "replay",
            "-map", self.make_layer(), "/live/trial.squashfs", stderr=None,
        )  # fmt: skip
        added.rename(self.hybrid)
        with self.hybrid.open("r+b") as file:
            file.truncate(ISO_STICK_MB * MB)


class Pc:
    """An emulated PC that is started from a stick; `entry` of the menu, where another is chosen than the first."""

    def __init__(
        self,
        media: Media,
        name: str,
        stick: Path,
        firmware: str,
        *,
        entry: int = 0,
        readonly: bool = False,
        second: bool = False,
    ) -> None:
        self.media, self.name = media, name
        folder, agent = media.folder, media.folder / "agent"
        agent.unlink(missing_ok=True)
        words = self.board(stick) if firmware == "pi" else self.pc(stick, firmware, readonly=readonly)
        if second:
            words += ["-drive", f"if=none,id=second,format=raw,file={media.second}"]
            words += ["-device", "usb-storage,id=usb-second,drive=second,removable=on"]
        words += [
            "-smp", PROCESSORS, "-device", "usb-tablet", "-display", "none", "-rtc", "base=localtime",
            "-chardev", f"file,id=serial,path={folder}/{name}.log", "-serial", "chardev:serial",
            "-device", "virtio-serial", "-chardev", f"socket,id=agent,path={agent},server=on,wait=off",
            "-device", "virtserialport,chardev=agent,name=trial",
            "-qmp", f"unix:{folder}/qmp,server=on,wait=off",
        ]  # fmt: skip
        (folder / "qmp").unlink(missing_ok=True)
        log = folder / f"{name}.log"
        log.unlink(missing_ok=True)
        self.begun = time.monotonic()
        self.process = subprocess.Popen(words)
        atexit.register(self.process.kill)
        wait_until("the emulator", agent.exists)
        self.port: socket.socket | None = None
        self.browser = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(CookieJar())
        )
        if entry:
            menu = b"English, encrypted data"
            wait_until("the menu", lambda: log.exists() and menu in log.read_bytes(), SLOWEST_START)
            self.press(*["down"] * entry, "ret")

    def pc(self, stick: Path, firmware: str, *, readonly: bool) -> list[str]:
        """A laptop with the stick in it, or with a DVD."""
        kvm = bool(os.environ.get("KVM"))
        medium = [
            "-drive",
            f"if=none,id=stick,format=raw,file={stick},cache=writeback,readonly={'on' if readonly else 'off'}",
            "-device",
            "usb-storage,id=usb,drive=stick,bootindex=0,removable=on",
        ]
        if firmware.startswith("dvd"):
            medium = ["-drive", f"if=none,id=dvd,format=raw,readonly=on,media=cdrom,file={stick}"]
            medium += ["-device", "ide-cd,drive=dvd,bus=ahci.1,bootindex=0"]
        return [
            "qemu-system-x86_64", "-machine", "q35" + (",smm=on" if firmware == "secure" else ""), "-m", "2048",
            "-accel", "kvm" if kvm else "tcg,thread=multi,tb-size=512", "-cpu", "host" if kvm else EMULATED,
            *self.firmware(firmware.removeprefix("dvd-")),
            "-device", "qemu-xhci,id=xhci", "-device", "ahci,id=ahci", *medium,
            "-drive", f"if=none,id=disk,format=raw,file={self.media.laptop}", "-device", "ide-hd,drive=disk,bus=ahci.0",
            "-netdev", f"user,id=n,hostfwd=tcp:127.0.0.1:{PORT}-:80", "-device", "e1000,netdev=n",
            "-vga", "std",
        ]  # fmt: skip

    def board(self, card: Path) -> list[str]:
        """A board with the processor and the memory of a Raspberry Pi 3, and the card in its reader.

        Nobody emulates a Pi's firmware: the emulator starts the kernel with the line which the card has for it.
        """
        folder = self.media.folder
        for name in ("live/vmlinuz", "live/initrd.img", "cmdline.txt"):
            command("mcopy", "-n", "-o", "-i", f"{card}@@{MB}", f"::{name}", folder)
        return [
            "qemu-system-aarch64", "-machine", "virt", "-cpu", "cortex-a53", "-m", "1024",
            "-accel", "tcg,thread=multi,tb-size=512",
            "-kernel", str(folder / "vmlinuz"), "-initrd", str(folder / "initrd.img"),
            "-append", (folder / "cmdline.txt").read_text().strip(),
            "-device", "qemu-xhci,id=xhci", "-device", "sdhci-pci",
            "-drive", f"if=none,id=stick,format=raw,file={card},cache=writeback", "-device", "sd-card,drive=stick",
            "-netdev", f"user,id=n,hostfwd=tcp:127.0.0.1:{PORT}-:80", "-device", "virtio-net-pci,netdev=n,romfile=",
            "-device", "virtio-gpu-pci",
        ]  # fmt: skip

    def firmware(self, kind: str) -> list[str]:
        if kind == "bios":
            return []
        code, variables = (
            ("OVMF_CODE_4M.secboot.fd", "OVMF_VARS_4M.ms.fd")
            if kind == "secure"
            else ("OVMF_CODE_4M.fd", "OVMF_VARS_4M.fd")
        )
        own = self.media.folder / f"{self.name}.vars"
        shutil.copy(OVMF / variables, own)
        secure = ["-global", "driver=cfi.pflash01,property=secure,value=on"] if kind == "secure" else []
        return [
            *secure,
            "-drive", f"if=pflash,format=raw,readonly=on,file={OVMF / code}",
            "-drive", f"if=pflash,format=raw,file={own}",
        ]  # fmt: skip

    def answers(self) -> bool:
        if self.process.poll() is not None:
            sys.exit(f"{self.name}: the emulator ended")
        try:
            with self.browser.open(f"http://127.0.0.1:{PORT}/health/", timeout=20) as answer:
                return bool(answer.status == HTTPStatus.OK)
        except (OSError, URLError):
            return False

    def wait_until_it_answers(self) -> None:
        wait_until(f"{self.name}: answers", self.answers, SLOWEST_START)
        say(f"{self.name}: answers after {time.monotonic() - self.begun:.0f} s")

    def screen_text(self) -> str:
        """What the first text console shows, in one line."""
        return " ".join(self.run("iconv -f UTF-32LE -t UTF-8 /dev/vcsu1").split())

    def wait_for_text(self, text: str, seconds: float = SLOWEST_START) -> None:
        wait_until(f"on the screen: {text}", lambda: text in self.screen_text(), seconds)
        say(f"  on the screen: {text}")

    def press(self, *keys: str) -> None:
        """Press keys, by QEMU's names for them."""
        for key in keys:
            events = [
                {"type": "key", "data": {"down": down, "key": {"type": "qcode", "data": key}}}
                for down in (True, False)
            ]
            self.qmp({"execute": "input-send-event", "arguments": {"events": events}})
            time.sleep(TYPING)

    def run(self, text: str, *, fails: bool = False) -> str:
        """What a command prints in the PC; its failure ends everything unless it may fail."""
        if self.port is None:
            self.port = socket.socket(socket.AF_UNIX)
            self.port.connect(str(self.media.folder / "agent"))
            self.port.settimeout(SLOWEST_START)
            self.told = self.port.makefile()
        name = uuid.uuid4().hex
        self.port.sendall(json.dumps({"run": text, "id": name}).encode() + b"\n")
        # Answers to one that was given up may come first.
        while (answer := json.loads(self.told.readline()))["id"] != name:
            pass
        if answer["code"] and not fails:
            sys.exit(f"{self.name}: {text}\n{answer['text']}")
        return str(answer["text"]).strip()

    def qmp(self, *orders: dict[str, object]) -> None:
        with socket.socket(socket.AF_UNIX) as channel:
            channel.connect(str(self.media.folder / "qmp"))
            file = channel.makefile("rw")
            file.readline()
            for order in ({"execute": "qmp_capabilities"}, *orders):
                file.write(json.dumps(order) + "\n")
                file.flush()
                while "return" not in (told := json.loads(file.readline())):
                    if "error" in told:
                        sys.exit(str(told))

    def screenshot(self, name: str) -> Path:
        """A picture of the screen (PPM)."""
        file = self.media.folder / f"{self.name}-{name}.ppm"
        self.qmp({"execute": "screendump", "arguments": {"filename": str(file)}})
        return file

    def colours(self) -> int:
        """How many the screen shows: a text or a blank page has few."""
        pixels = self.screenshot("now").read_bytes()[-3 * SCREEN_PIXELS :]
        return len({pixels[at : at + 3] for at in range(0, len(pixels), 3)})

    def pull_the_plug(self) -> None:
        self.process.kill()
        self.process.wait()

    def shut_down(self) -> None:
        self.run("systemctl --no-block poweroff")
        self.process.wait(600)

    def ask(self, path: str, **form: str) -> str:
        """A page, by the forwarded port; with a form, what answers it."""
        data = None
        if form:
            jar = next(
                one for one in self.browser.handlers if isinstance(one, urllib.request.HTTPCookieProcessor)
            )
            token = next((cookie.value for cookie in jar.cookiejar if cookie.name == "csrftoken"), "")
            data = urlencode(form | {"csrfmiddlewaretoken": token or ""}).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{PORT}{path}", data, {"Accept": "text/html"})
        with self.browser.open(request, timeout=300) as answer:
            return str(answer.read().decode())

    def report(self, link: str, deal: int) -> str:
        """Report a deal as a captain's phone does, and return the status in the answer, such as "accepted"."""
        item = {
            "key": str(uuid.uuid4()),
            "deal": deal,
            "base": 0,
            "reason": "",
            "result": {"all_passed": True},
        }
        path = link[link.index("/", 8) :]
        body = json.dumps({"reports": [item]}).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(f"http://127.0.0.1:{PORT}{path}reports", body, headers)
        with self.browser.open(request, timeout=300) as answer:
            (result,) = json.load(answer)["results"]
        return str(result["status"])
