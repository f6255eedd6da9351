"""A poster for the club's wall: whatever the club is called, its name stands above the codes."""

from __future__ import annotations

import pytest
from django.urls import reverse

from clubs.models import Club
from tournaments.paper import notices


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("letters", "size"), [(36, "large"), (37, "middle"), (72, "middle"), (73, "small"), (120, "small")]
)
def test_a_long_name_is_set_smaller(client, club, monkeypatch, letters, size):
    made = []
    monkeypatch.setattr(notices, "kept_file", lambda pages, _title, **_told: made.extend(pages) or b"%PDF-")
    Club.objects.filter(pk=club.pk).update(name="N" * letters)
    answer = client.get(reverse("hall_poster", args=[club.slug]))
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/pdf")
    assert made[0].css == f"poster {size}"
    assert made[0].context["follow"] == f"http://testserver/club/{club.slug}/follow/"
