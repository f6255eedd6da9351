"""The address that goes into QR codes."""

import socket
from ipaddress import ip_address

import pytest
from django.test import RequestFactory

from tournaments import addresses


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("192.168.1.24:8000", "http://192.168.1.24:8000"),
        ("hall.example", "http://hall.example"),
        ("localhost:8000", "http://10.1.2.3:8000"),
        ("127.0.0.1:9000", "http://10.1.2.3:9000"),
        ("[::1]:8000", "http://10.1.2.3:8000"),
        ("localhost", "http://10.1.2.3"),
    ],
)
def test_phones_are_never_sent_to_the_laptops_own_name_for_itself(monkeypatch, settings, host, expected):
    settings.PUBLIC_URL = ""
    monkeypatch.setattr(addresses, "lan_address", lambda: "10.1.2.3")
    assert addresses.base_url(RequestFactory().get("/", headers={"host": host})) == expected


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
