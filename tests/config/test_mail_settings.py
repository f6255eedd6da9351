"""The mail server that the environment names."""

from __future__ import annotations

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.environment import MailServer, sender, server

SITE = "https://lhombre.example.dk"


@pytest.mark.parametrize(
    ("url", "read"),
    [
        ("smtp://localhost", MailServer("localhost", 25)),
        ("smtp://127.0.0.1:2525/", MailServer("127.0.0.1", 2525)),
        ("smtp+tls://anna:p%40ss%3A@mail.dk", MailServer("mail.dk", 587, "anna", "p@ss:", starttls=True)),
        ("smtp+ssl://anna:x@mail.dk", MailServer("mail.dk", 465, "anna", "x", tls=True)),
        ("smtps://mail.dk:5465", MailServer("mail.dk", 5465, tls=True)),
        ("", None),
    ],
)
def test_an_address_says_all_of_a_server(url, read):
    assert server(url, SITE) == read


@pytest.mark.parametrize(
    "url", ["mail.dk", "http://mail.dk", "smtp://", "smtp://a:b#c@mail.dk", "smtp://x:0", "smtp://x:y"]
)
def test_what_is_no_server_stops_the_start_without_telling_the_password(url):
    with pytest.raises(ImproperlyConfigured, match="EMAIL_URL") as refused:
        server(url, SITE)
    assert "b#c" not in str(refused.value)
    assert "secret" not in repr(MailServer("mail.dk", 25, "anna", "secret"))


def test_links_need_the_public_address():
    with pytest.raises(ImproperlyConfigured, match="PUBLIC_URL"):
        server("smtp://localhost", "")


@pytest.mark.parametrize("address", ["", "Spadille", "Spadille <a@b.dk>\r\nBcc: c@d.dk", "a@b.dk, c@d.dk"])
def test_letters_are_from_somebody(address):
    assert sender(address, None) == ""
    with pytest.raises(ImproperlyConfigured, match="EMAIL_FROM"):
        sender(address, MailServer("localhost"))


def test_a_sender_may_have_a_name():
    assert sender("Spadille <a@b.dk>", MailServer("x")) == "Spadille <a@b.dk>"
    assert sender("a@b.dk", MailServer("x")) == "a@b.dk"
