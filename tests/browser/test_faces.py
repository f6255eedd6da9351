"""The faces of the pages: fetched at once, but where the network is slow."""

from __future__ import annotations

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize(("kilobytes_a_second", "faces"), [(50, 0), (5_000, 2)], ids=["slow", "fast"])
def test_a_slow_network_is_not_shared_with_the_faces(open_page, alice, kilobytes_a_second, faces):
    page = open_page("/", phone=True)
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    speed = kilobytes_a_second * 1000
    network.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": 20, "downloadThroughput": speed, "uploadThroughput": speed},
    )
    page.reload()
    assert page.locator("link[as='font']:not([media])").count() == faces
