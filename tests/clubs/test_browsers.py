"""What browsers call themselves, as people know them."""

import pytest

from clubs.views.accounts import browser_named

MOZILLA = "Mozilla/5.0"


@pytest.mark.parametrize(
    ("agent", "named"),
    [
        (
            f"{MOZILLA} (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0",
            "Firefox, Windows",
        ),
        (f"{MOZILLA} (X11; Linux x86_64) AppleWebKit/537.36 Chrome/131.0 Safari/537.36", "Chrome, Linux"),
        (
            f"{MOZILLA} (Windows NT 10.0) AppleWebKit/537.36 Chrome/131.0 Safari/537.36 Edg/131.0",
            "Edge, Windows",
        ),
        (f"{MOZILLA} (Linux; Android 14; SM-S911B) SamsungBrowser/26.0 Chrome/122.0", "Samsung, Android"),
        (f"{MOZILLA} (iPhone; CPU iPhone OS 18_1) CriOS/131.0 Mobile Safari/604.1", "Chrome, iPhone"),
        (f"{MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) Version/18.1 Safari/605.1.15", "Safari, Mac"),
        ("curl/8.5.0", ""),
        ("", ""),
    ],
)
def test_a_browser_is_named_in_two_words(agent, named):
    assert browser_named(agent) == named
