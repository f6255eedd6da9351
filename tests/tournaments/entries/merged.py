"""What is stored of people, for tests of merging them."""

from __future__ import annotations

from clubs.models import Player
from tournaments.entries.merge_records import pointing_to_players


def rows_of_people():
    """Every player, and every row that points to one, by model."""
    models = {Player, *(model for model, _field in pointing_to_players())}
    return {model._meta.label: list(model._base_manager.order_by("pk").values()) for model in models}
