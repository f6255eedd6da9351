"""The people of the demo: three clubs of a union, and who plays in them."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from clubs.models import Membership, Player
from tournaments.entries import entering

if TYPE_CHECKING:
    from datetime import datetime
    from random import Random

    from clubs.models import Account, Club
    from tournaments.models import Tournament

UNION = ("Østjysk L'Hombre-Union", "oestjysk", "Aarhus")
CLUBS = (
    ("Skovby L'Hombreklub", "skovby", "Skovby"),
    ("Brædstrup Kortlaug", "braedstrup", "Brædstrup"),
    ("L'Hombreklubben Sømærke", "soemaerke", "Juelsminde"),
)

FIRST_NAMES = """
    Anna Bent Carl Dorthe Erik Grethe Hans Inger Jens Karen Lars Mette Niels Orla Poul Ruth Svend Tove Ulla Viggo
    Aage Birthe Egon Else Frede Gerda Henning Jytte Kaj Lis Mogens Nanna Ove Preben Rigmor Søren Thyra Verner Åse
    Børge Ditte Ejnar Gudrun Helge Kirsten Knud Lilian Margit
""".split()
LAST_NAMES = """
    Andersen Bak Christensen Dahl Eriksen Frandsen Greve Holm Iversen Juhl Kjær Lund Møller Nørgaard Overgaard
    Pedersen Riis Skov Thomsen Vestergaard Winther Østergaard Aagaard Bjerre
""".split()


def members_of(clubs: list[Club], random: Random) -> list[tuple[Player, Club]]:
    last_names = random.sample(LAST_NAMES * 2, len(FIRST_NAMES))
    members = []
    for index, (first, last) in enumerate(zip(FIRST_NAMES, last_names, strict=True)):
        club = clubs[index % len(clubs)]
        player = Player.objects.create(name=f"{first} {last}")
        joined = date(random.randint(1985, 2025), random.randint(1, 12), random.randint(1, 28))
        Membership.objects.create(player=player, club=club, number=index // len(clubs) + 1, joined=joined)
        members.append((player, club))
    return members


def enter_all(
    tournament: Tournament,
    members: list[tuple[Player, Club]],
    account: Account,
    now: datetime,
    *,
    here: bool = True,
) -> None:
    for player, club in members:
        entry = entering.enter(tournament, player, club=club, account=account, now=now)
        if here:
            entering.check_in(entry, present=True, account=account, now=now)
            entering.mark_paid(entry, paid=True, account=account, now=now)
