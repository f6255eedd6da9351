"""A table wider than the phone shows that there is more of it."""

from __future__ import annotations

import pytest

from tests.factories import make_tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WIDER = "(scrolled) => { scrolled.querySelector('table').style.minWidth = '900px'; }"
FADES = "(scrolled) => parseFloat(getComputedStyle(scrolled).getPropertyValue('--more'))"
TO_THE_END = """(scrolled) => new Promise((done) => {
    scrolled.onscroll = () => setTimeout(done, 50);
    scrolled.scrollLeft = 9999;
})"""


def test_a_wide_table_fades_out_until_it_is_scrolled_to_its_end(open_page):
    address = f"/t/{make_tournament(4).code}/standings/"
    on_phone, on_laptop = (
        open_page(address, phone=phone).locator(".scroll").first for phone in (True, False)
    )
    for scrolled in (on_phone, on_laptop):
        scrolled.evaluate(WIDER)
    assert on_phone.evaluate(FADES) > 20
    on_phone.evaluate(TO_THE_END)
    assert on_phone.evaluate(FADES) == 0
    assert on_laptop.evaluate(FADES) == 0
