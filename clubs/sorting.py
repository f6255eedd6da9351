"""What players are sorted by, brought to the alphabet of today: another `FIRST_LANGUAGE` has another."""

from django.db.models import Q

from clubs.models import Player
from clubs.names import sorted_as

AT_ONCE = 1000
# Names that no two alphabets sort otherwise: of plain letters, without the double a that is å to Danes.
SORTED_ALIKE = ~Q(name__regex="[^ -~]") & ~Q(name__icontains="aa")


def sort_anew() -> int:
    """How many players stood elsewhere until now."""
    players = Player.objects.exclude(SORTED_ALIKE).only("name", "sorted_as")
    moved = [player for player in players.iterator() if player.sorted_as != sorted_as(player.name)]
    Player.objects.bulk_update(moved, ["sorted_as"], batch_size=AT_ONCE)  # which works it out anew
    return len(moved)
