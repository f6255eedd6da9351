"""The engine knows no settings, so that its many small tests need none put right."""

import pytest
from hypothesis import settings

# A busy machine is not a slow rule.
settings.register_profile("scoring", deadline=None)
settings.load_profile("scoring")


@pytest.fixture(autouse=True)
def _plain_settings():
    """In place of the one for tests of the site."""
