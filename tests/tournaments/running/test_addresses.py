"""The address that goes into QR codes."""

import socket
from ipaddress import ip_address

import pytest
from django.test import RequestFactory
from django.urls import reverse

from core.serving import addresses
from tests.factories import make_tournament

LAN = "10.1.2.3"


@pytest.fixture
def asked_by(monkeypatch, settings):
    """What a link begins with when the organiser's browser asked for a host at port 8000 of Hall-PC."""
    settings.PUBLIC_URL = ""
    settings.ALLOWED_HOSTS = ["*"]
    monkeypatch.setattr(addresses, "lan_address", lambda: LAN)
    monkeypatch.setattr(addresses, "_is_own_address", lambda host: host in ("192.168.1.24", "2001:db8::1"))
    monkeypatch.setattr("socket.gethostname", lambda: "Hall-PC")

    def begin(host: str, port: str = "8000") -> str:
        return addresses.base_url(RequestFactory().get("/", headers={"host": host}, SERVER_PORT=port))

    return begin


@pytest.mark.parametrize(
    ("host", "begins"),
    [
        ("192.168.1.24:8000", "192.168.1.24"),
        ("[2001:db8::1]:8000", "[2001:db8::1]"),
        ("hall-pc:8000", "hall-pc"),
        ("HALL-PC.local:8000", "hall-pc.local"),
        # what only the laptop itself knows
        ("localhost:8000", LAN),
        ("127.0.0.1:8000", LAN),
        ("[::1]:8000", LAN),
        # what a request says, and nobody else
        ("evil.example", LAN),
        ("evil.example:8000", LAN),
        ("192.168.1.25:8000", LAN),
        ("hall-pc.evil.example", LAN),
        ("[2001:db8::2]:8000", LAN),
    ],
)
def test_no_link_has_a_host_that_only_a_request_says_is_ours(asked_by, host, begins):
    assert asked_by(host) == f"http://{begins}:8000"


@pytest.mark.parametrize("host", ["192.168.1.24", "192.168.1.24:9000", "localhost:1"])
def test_nor_a_port(asked_by, host):
    assert asked_by(host).endswith(":8000")
    assert asked_by(host, "80").count(":") == 1


@pytest.mark.parametrize(
    ("names", "host", "begins"),
    [
        (["hall.example"], "hall.example", "hall.example"),
        ([".example"], "hall.example", "hall.example"),
        (["*", "hall.example"], "hall.example", "hall.example"),
        (["*", "hall.example"], "evil.example", LAN),
        (["localhost", "*"], "localhost", LAN),
    ],
)
def test_a_name_that_the_settings_know_is_believed(asked_by, settings, names, host, begins):
    settings.ALLOWED_HOSTS = names
    assert asked_by(host) == f"http://{begins}:8000"


def test_this_machine_knows_its_own_addresses(settings):
    settings.ALLOWED_HOSTS = ["*"]
    assert addresses.is_ours(addresses.lan_address())
    others = ["192.0.2.1", "2001:db8::1", "0.0.0.0", "::", "224.0.0.1", "::ffff:127.0.0.1", "127.0.0.1", "1"]  # noqa: S104
    assert not any(map(addresses.is_ours, others))


@pytest.mark.parametrize("name", ["desk_link", "desk_tournament"])
def test_captains_and_the_halls_links_keep_a_forged_name_out(as_alice, alice, settings, name):
    """As where an organiser's browser was led to a name of somebody else's that points here."""
    settings.PUBLIC_URL, settings.ALLOWED_HOSTS = "", ["*"]
    tournament = make_tournament(account=alice)
    place = [tournament.code, *([1, 1] if name == "desk_link" else [])]
    page = as_alice.get(reverse(name, args=place), headers={"host": "evil.example"}).content.decode()
    assert "evil.example" not in page
    assert f"http://{addresses.lan_address()}" in page


def test_a_public_address_that_is_set_is_used(settings):
    settings.PUBLIC_URL = "https://spadille.example"
    request = RequestFactory().get("/", headers={"host": "localhost:8000"})
    assert addresses.base_url(request) == "https://spadille.example"


def test_without_a_way_out_the_laptops_own_wifi_is_found(monkeypatch):
    monkeypatch.setattr(addresses, "_address_towards_others", lambda: "")
    monkeypatch.setattr(addresses, "_addresses_of_interfaces", lambda: iter(["10.42.0.1"]))
    assert addresses.lan_address() == "10.42.0.1"


def test_without_any_network_there_is_the_host_name(monkeypatch):
    monkeypatch.setattr(addresses, "_address_towards_others", lambda: "")
    monkeypatch.setattr(addresses, "_addresses_of_interfaces", lambda: iter([]))
    assert addresses.lan_address() == socket.gethostname()


def test_no_address_found_is_the_laptops_own_name_for_itself():
    found = [addresses._address_towards_others(), *addresses._addresses_of_interfaces()]
    assert not any(ip_address(address).is_loopback for address in found if address)


@pytest.mark.parametrize(
    ("host", "is_inside"),
    [
        ("192.168.1.20", True),
        ("10.0.0.1", True),
        ("fe80::1", True),
        ("hall-laptop", True),
        ("spadille.local", True),
        ("8.8.8.8", False),
        ("lhombre.example.org", False),
    ],
)
def test_a_link_into_the_hall_alone_is_known(host, is_inside):
    assert addresses.is_inside(host) == is_inside
