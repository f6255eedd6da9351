"""The people of a union: its clubs, who is a member of which, and how well each of them plays."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from random import Random

from clubs.models import Account, Affiliation, Club, Gives, Membership, Player, Role
from tournaments.demo import PASSWORD, USERNAME
from tournaments.demo.play import FIRST_NAMES, LAST_NAMES, MIDDLE, some_strength, within

TOWNS = """
    Aalestrup Assens Billund Bjerringbro Brande Børkop Dronninglund Ebeltoft Egtved Farsø Fredericia Gedsted Give Grenaa
    Hadsten Hammel Hinnerup Hobro Horsens Ikast Juelsminde Kjellerup Kolding Langå Lemvig Løgstør Mariager Nykøbing
    Odder Purhus Randers Ry Rønde Sabro Skanderborg Skive Støvring Thisted Uldum Viborg
""".split()
MIDDLES = ["", *LAST_NAMES, *FIRST_NAMES]
# The years that there are, and how far a strength moves from one to the next: a standard deviation.
FIRST_YEAR, LAST_YEAR, MOVES_A_YEAR = 2006, 2026, 0.07
# So many in a hundred begin later than the first year, and so many stop before the last.
COME_LATER, STOP_BEFORE = 0.4, 0.3


def name_of(number: int) -> str:
    """The name of person `number`, from 0: nobody below 78,000 is called as another."""
    rest, first = divmod(number, len(FIRST_NAMES))
    middle, last = divmod(rest, len(LAST_NAMES))
    names = FIRST_NAMES[first], MIDDLES[middle % len(MIDDLES)], LAST_NAMES[last]
    return " ".join(name for name in names if name)


@dataclass
class People:
    """The union with its clubs, its organiser, and each club's members.

    `skill` is the share of a player's deals that they play as well as a bot can. Where people change, `by_year` has it
    for each of the years in which they play.
    """

    union: Club
    account: Account
    clubs: list[Club]
    members: dict[Club, list[Player]] = field(default_factory=dict)
    club_of: dict[Player, Club] = field(default_factory=dict)
    skill: dict[Player, float] = field(default_factory=dict)
    by_year: dict[Player, dict[int, float]] = field(default_factory=dict)

    @property
    def is_changing(self) -> bool:
        return bool(self.by_year)

    def change(self, random: Random) -> None:
        """Let everybody grow stronger or weaker over the years, and some come later or stop."""
        middle = (FIRST_YEAR + LAST_YEAR) // 2
        for player, strength in self.skill.items():
            first = random.randint(FIRST_YEAR, middle) if random.random() < COME_LATER else FIRST_YEAR
            last = random.randint(middle + 1, LAST_YEAR - 1) if random.random() < STOP_BEFORE else LAST_YEAR
            now, years = strength, {}
            for year in range(first, last + 1):
                years[year] = now
                now = within(now + random.gauss(0, MOVES_A_YEAR))
            self.by_year[player] = years

    def skill_on(self, player: Player, day: date) -> float:
        if self.is_changing:
            return self.by_year.get(player, {}).get(day.year, MIDDLE)
        return self.skill.get(player, MIDDLE)

    def truth(self) -> dict[int, dict[int, float]]:
        """Player's primary key -> by year, how strong they are."""
        return {
            player.pk: self.by_year.get(player) or dict.fromkeys(range(FIRST_YEAR, LAST_YEAR + 1), strength)
            for player, strength in self.skill.items()
        }

    def drawn(self, host: Club, count: int, random: Random, on: date) -> list[Player]:
        """So many players for an evening: a club's own with a guest now and then, a union's from everywhere."""
        own = self.members.get(host) or list(self.skill)
        if self.is_changing:
            own = [player for player in own if on.year in self.by_year[player]]
        guests = sum(random.random() < 0.05 for _player in range(count)) if host in self.members else 0
        found = random.sample(own, min(count - guests, len(own)))
        chosen = set(found)
        everybody = [player for player in self.skill if on.year in self.by_year.get(player, (on.year,))]
        while len(found) < count:
            player = random.choice(everybody)
            if player not in chosen:
                chosen.add(player)
                found.append(player)
        return found


def make_people(clubs: int, people: int, random: Random, *, evenly: bool = False) -> People:
    """A union of so many clubs with so many people; the first clubs have the most members, or all as many."""
    union = Club.objects.create(name="Danmarks L'Hombre-Union", slug="union", town="Vejle")
    account = Account.objects.create_user(
        username=USERNAME, password=PASSWORD, first_name="Alice", last_name="Demo"
    )
    Role.objects.create(account=account, club=union, kind=Role.Kind.ORGANISER)
    made = People(union, account, _clubs(union, clubs))
    players = Player.objects.bulk_create(Player(name=name_of(number)) for number in range(people))
    weights = [2.0 - place / clubs for place in range(clubs)]
    memberships = []
    for index, player in enumerate(players):
        # Every club has somebody; the others go where more are.
        by_turns = evenly or index < clubs
        club = made.clubs[index % clubs] if by_turns else random.choices(made.clubs, weights)[0]
        members = made.members.setdefault(club, [])
        members.append(player)
        joined = date(random.randint(1980, 2005), random.randint(1, 12), random.randint(1, 28))
        memberships.append(Membership(player=player, club=club, number=len(members), joined=joined))
        made.club_of[player] = club
        made.skill[player] = some_strength(random)
    Membership.objects.bulk_create(memberships)
    return made


def _clubs(union: Club, count: int) -> list[Club]:
    """Clubs of the union; one in ten shows initials in the hall, one in twenty numbers."""
    styles = {3: Club.NameStyle.INITIAL, 13: Club.NameStyle.INITIAL, 7: Club.NameStyle.NUMBER}
    clubs = Club.objects.bulk_create(
        Club(
            name=f"{_town(number)} L'Hombreklub",
            slug=f"klub-{number + 1}",
            town=_town(number),
            name_style=styles.get(number % 20, Club.NameStyle.FULL),
        )
        for number in range(count)
    )
    Affiliation.objects.bulk_create(
        Affiliation(club=club, union=union, joined=date(1980, 1, 1), gives=Gives.EVERYTHING) for club in clubs
    )
    return clubs


def _town(number: int) -> str:
    rest, place = divmod(number, len(TOWNS))
    return f"{TOWNS[place]} {rest + 1}" if rest else TOWNS[place]
