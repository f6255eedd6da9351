"""A push service, an evening that nobody is told of yet, and who takes its steps."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

import pytest
from django.utils import timezone

from tests.factories import make_tournament
from tests.push_service import PushService


@pytest.fixture(scope="module")
def opened_service():
    service = PushService()
    yield service
    service.close()


@pytest.fixture
def service(opened_service, settings, tmp_path):
    opened_service.hangs_up = False
    opened_service.came.clear(), opened_service.answers.clear(), opened_service.lines.clear()
    settings.DATA_DIR = tmp_path
    settings.PUSH, settings.WEBHOOKS_TO_PRIVATE = True, True
    settings.PUBLIC_URL = "https://lhombre.example.dk"
    settings.PUSH_SERVICES = [opened_service.url]
    return opened_service


@pytest.fixture
def evening(club, alice):
    """Eight players who are here; nothing is drawn."""
    return make_tournament(
        8, 2, club=club, account=alice, drawn=False, deals_per_round=4, date=date(2026, 11, 21)
    )


@pytest.fixture
def by(alice):
    """Who takes each step, and when: what came first counts."""

    class By(Mapping):
        def __getitem__(self, name):
            return {"account": alice, "now": timezone.now()}[name]

        def __iter__(self):
            return iter(("account", "now"))

        def __len__(self):
            return 2

    return By()
