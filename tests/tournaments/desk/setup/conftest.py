"""What every test of the set-up begins with."""

from __future__ import annotations

import pytest

from tests.pages import SET_UP


@pytest.fixture
def typed(club):
    return SET_UP | {"host": str(club.pk)}
