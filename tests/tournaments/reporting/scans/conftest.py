import pytest

from tests.factories import first_table, make_tournament
from tournaments.reporting.scans import upload as sending


@pytest.fixture
def table(alice):
    return first_table(make_tournament(4, account=alice, rulebook="union", deals_per_round=4))


@pytest.fixture
def takes_any(monkeypatch):
    """Every file is a picture but one that says that it is none; what is read of each is said by the test."""
    found = {}

    def kept(upload):
        body = upload.read()
        if body == b"none":
            raise sending.NotPossible("This is no photograph.", "photograph")
        name = f"{upload.name}.jpg"
        (sending.photographs_folder() / name).write_bytes(body)
        return name

    monkeypatch.setattr(sending, "laid_down", kept)
    monkeypatch.setattr(sending, "is_available", lambda: True)
    monkeypatch.setattr(sending, "pieces", lambda _picture: None)
    monkeypatch.setattr(sending, "WORTH_ANOTHER", 99)
    monkeypatch.setattr(sending, "read", lambda body, layouts, **how: found[body](layouts, how["fills"]))
    return found
