"""Kroner and øre: read as people write them, shown in the reader's way."""

from __future__ import annotations

import pytest

from tournaments.domain.amounts import in_kroner, read_kroner


@pytest.mark.parametrize(
    ("written", "amount"),
    [
        ("0,25", 25), ("0.25", 25), ("12", 1200), (",5", 50), ("12,50 kr.", 1250), ("3 kr", 300), ("", 0),
        ("1.950,00", 195000), ("1,950.00", 195000), ("1.950", 195000), ("1 950,5", 195050), ("1.234.567", 123456700),
        ("300,-", 30000),
    ],
)  # fmt: skip
def test_kroner_are_read_as_people_write_them(written, amount):
    assert read_kroner(written) == amount


@pytest.mark.parametrize(
    "written",
    ["1.950.00", "1,950,00", "0.255", "1.00.000", "1,2,3", "-1", "ten", "1e3", "٣,x", "0,255", "99999999"],
)
def test_what_is_no_amount_is_refused(written):
    with pytest.raises(ValueError, match=r".*"):
        read_kroner(written)


def test_an_amount_is_shown_in_the_readers_way():
    from django.utils.translation import override

    with override("da"):
        assert in_kroner(1250) == "12,50"
        assert in_kroner(195000) == "1.950,00"
    with override("en"):
        assert in_kroner(1250) == "12.50"
