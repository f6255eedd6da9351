"""The configurations in the docs are run: of Caddy, nginx and systemd; those of the containers fit each other."""

from __future__ import annotations

import getpass
import http.client
import json
import re
import shutil
import socket
import ssl
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import pytest
import yaml
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings

from core.serving.limits import MOST_BYTES
from tests.services import free_port

ROOT = Path(settings.BASE_DIR)
PROGRAMS = Path(sys.prefix) / ".proxies"  # what `make install-dev` unpacks
SITE = "lhombre.example.dk"
PAGES = ("server.md", "server.da.md")
STARTED_WITHIN = 30  # seconds


def blocks(page: str) -> list[str]:
    """The indented blocks of a page of the docs, as they are typed."""
    text = (ROOT / "docs/how-to" / page).read_text("utf-8")
    found = re.findall(r"(?:^    .*\n(?:^\n(?=    ))?)+", text, re.MULTILINE)
    return [re.sub("^    ", "", block, flags=re.MULTILINE) for block in found]


def block(beginning: str) -> str:
    """The one that begins so, which is the same in each language."""
    (found,) = {one for page in PAGES for one in blocks(page) if one.startswith(beginning)}
    return found


class Upstream(ThreadingHTTPServer):
    """Takes the place of the program: answers with the headers and the size of what reached it."""

    daemon_threads = True

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            size = len(self.rfile.read(int(self.headers["Content-Length"])))
            answer = json.dumps({"headers": dict(self.headers.items()), "size": size}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_said: object) -> None:
            pass


@pytest.fixture
def upstream():
    with Upstream(("127.0.0.1", 0), Upstream.Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()


def make_certificate(folder: Path) -> dict[str, str]:
    """A certificate of our own for the site; the files by the names that the docs have for them."""
    key = ec.generate_private_key(ec.SECP256R1())
    name, now = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, SITE)]), datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    contents = {
        "fullchain.pem": certificate.public_bytes(pem),
        "privkey.pem": key.private_bytes(
            pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        ),
    }
    for file, content in contents.items():
        (folder / file).write_bytes(content)
    return {f"/etc/letsencrypt/live/{SITE}/{file}": str(folder / file) for file in contents}


def replaced(text: str, changes: dict[str, str]) -> str:
    for before, after in changes.items():
        assert before in text
        text = text.replace(before, after)
    return text


def caddy(folder: Path, port: int, upstream: str) -> list[str | Path]:
    own = f"{{\n local_certs\n skip_install_trust\n admin off\n https_port {port}\n auto_https disable_redirects\n}}\n"
    (folder / "Caddyfile").write_text(own + replaced(block(SITE), {"127.0.0.1:8000": upstream}))
    return [PROGRAMS / "usr/bin/caddy", "run", "--config", folder / "Caddyfile"]


def caddy_of_compose(folder: Path, port: int, upstream: str) -> list[str | Path]:
    command = compose()["services"]["proxy"]["command"]
    assert command[0] == "caddy"
    changes = {
        "program:8000": upstream,
        "${SITE:?the name by which phones reach it, such as lhombre.example.dk}": f"{SITE}:{port}",
    }
    return [
        PROGRAMS / "usr/bin/caddy",
        *(changes.get(part, part) for part in command[1:]),
        "--internal-certs",
    ]


def nginx(folder: Path, port: int, upstream: str) -> list[str | Path]:
    changes = {
        "127.0.0.1:8000": upstream,
        "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
        **make_certificate(folder),
    }
    paths = [f"{kind}_temp_path {folder};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")]
    server = replaced(block("server {"), changes)
    own = f"daemon off; user {getpass.getuser()}; pid {folder}/pid; error_log stderr; events {{}}\n"
    http = f"http {{ access_log {folder}/access; {' '.join(paths)}\n{server} }}\n"
    (folder / "nginx.conf").write_text(own + http)
    return [PROGRAMS / "usr/sbin/nginx", "-p", folder, "-e", "stderr", "-c", folder / "nginx.conf"]


@contextmanager
def started(command: list[str | Path], folder: Path, port: int):
    """Run a proxy until it listens, and for as long as it is needed."""
    with (folder / "log").open("w") as log:
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "XDG_DATA_HOME": str(folder)}
        proxy = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        try:
            until = time.monotonic() + STARTED_WITHIN
            while not answers(port):
                is_well = proxy.poll() is None and time.monotonic() < until
                assert is_well, (folder / "log").read_text()
                time.sleep(0.05)
            yield
        finally:
            proxy.terminate()
            proxy.wait(STARTED_WITHIN)


@contextmanager
def https(port: int):
    """A connection to the site; its certificate is one of our own."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with (
        socket.create_connection(("127.0.0.1", port)) as plain,
        context.wrap_socket(plain, server_hostname=SITE) as line,
    ):
        yield line


def answers(port: int) -> bool:
    """Whether a proxy listens, and has its certificate."""
    try:
        with https(port):
            return True
    except OSError:
        return False


def post(port: int, path: str, size: int) -> dict[str, object]:
    """Send so many bytes over https, with an address that the visitor has made up; returns what reached the program."""
    with https(port) as line:
        connection = http.client.HTTPConnection(SITE)
        connection.sock = line
        connection.request(
            "POST", path, b"x" * size, {"X-Forwarded-For": "198.51.100.7", "X-Forwarded-Proto": "http"}
        )
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        return json.loads(answer.read())


@pytest.mark.parametrize("proxy", [caddy, caddy_of_compose, nginx])
def test_a_proxy_tells_who_asks_and_passes_a_photograph_on(proxy, upstream, tmp_path):
    port = free_port()
    with started(proxy(tmp_path, port, upstream), tmp_path, port):
        came = post(port, "/c/a-secret/photograph", MOST_BYTES)
        post(port, "/sign-in/", 10)
    told = {name.lower(): value for name, value in came["headers"].items()}
    assert came["size"] == MOST_BYTES
    assert told["host"].partition(":")[0] == SITE
    assert told["x-forwarded-proto"] == "https"
    # The program believes the last one: see `core.middleware.see_behind_proxy`.
    assert told["x-forwarded-for"].rpartition(",")[2].strip() == "127.0.0.1"
    assert "a-secret" not in "".join(
        path.read_text() for path in (tmp_path / "access", tmp_path / "log") if path.exists()
    )


def compose() -> dict[str, Any]:
    return yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))


def test_the_containers_of_a_union_know_each_other():
    services = compose()["services"]
    told = services["program"]["environment"]
    table = (ROOT / "docs/reference/settings.md").read_text("utf-8")
    assert {*told} <= {*re.findall(r"^\| `([A-Z_]+)` \|", table, re.MULTILINE)}
    hosts = [re.search(r"[/@](\w+):\d+/", told[name])[1] for name in ("DATABASE_URL", "CACHE_URL")]
    assert {"program", "proxy", *hosts} == {*services}
    database = services["database"]["environment"]
    assert told["DATABASE_URL"] == (
        f"postgres://{database['POSTGRES_USER']}:{database['POSTGRES_PASSWORD']}@database:5432/{database['POSTGRES_DB']}"
    )
    address = services["proxy"]["networks"]["default"]["ipv4_address"]
    assert told["PROXIES"] == address
    (network,) = compose()["networks"]["default"]["ipam"]["config"]
    assert ip_address(address) in ip_network(network["subnet"])
    assert services["proxy"]["command"][-1] == "program:8000"


def test_the_containers_are_made_and_kept_as_the_containerfile_says():
    written = compose()
    program = written["services"]["program"]
    containerfile = (ROOT / program["build"]["dockerfile"]).read_text("utf-8")
    kept = re.findall(r"^VOLUME (.*)$", containerfile, re.MULTILINE)
    assert program["volumes"] == [f"data:{kept[0]}"]
    volumes = {
        one.partition(":")[0]
        for service in written["services"].values()
        for one in service.get("volumes", ())
    }
    assert volumes == {*written["volumes"]}
    ports = [service["ports"] for service in written["services"].values() if "ports" in service]
    assert ports == [["80:80", "443:443"]]  # nobody passes the proxy by
    # Debian 13, of which the image is, has the pg_dump of PostgreSQL 17.
    assert "debian:trixie-slim" in containerfile
    assert written["services"]["database"]["image"].endswith("/postgres:17")
    for ignored in (".gitignore", ".containerignore"):
        assert ".env" in (ROOT / ignored).read_text("utf-8").split()  # the password is in nobody's image


def test_the_unit_of_the_docs_is_read_by_systemd(tmp_path):
    unit = block("[Unit]")
    packaged = (ROOT / ".package/debian/spadille.service").read_text("utf-8")
    directives = [re.findall(r"^(\w+)=", one, re.MULTILINE) for one in (unit, packaged)]
    assert {*directives[0]} <= {*directives[1]}  # which `.ci/bare-package` starts
    (tmp_path / "spadille.service").write_text(
        replaced(unit, {"/srv/spadille/app/.venv/bin/python": sys.executable})
    )
    if analyze := shutil.which("systemd-analyze"):  # containers have none
        ran = subprocess.run(
            [analyze, "--man=no", "verify", tmp_path / "spadille.service"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (ran.returncode, ran.stderr) == (0, "")


def test_the_settings_of_the_docs_are_settings():
    table = (ROOT / "docs/reference/settings.md").read_text("utf-8")
    told = re.findall(r"^([A-Z_]+)=", block("PUBLIC_URL="), re.MULTILINE)
    assert told
    assert {*told} <= {*re.findall(r"^\| `([A-Z_]+)` \|", table, re.MULTILINE)}
