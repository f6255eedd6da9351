"""Tournaments, series, seasons and championships, with their codes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Player
from clubs.register_models import is_affiliated
from core import text
from core.recorded_rows import RecordedQuerySet
from core.text import make_code
from scoring.rulebooks import dealer_sits_out
from tournaments.domain.comparison import LONGEST_FACTOR, read_factor
from tournaments.domain.formats import FORMATS, MOST_ROUNDS, USUAL
from tournaments.domain.prizes import are_amounts, are_shares, are_things
from tournaments.models.base import (
    MOST_MINUTES,
    AnnouncedQuerySet,
    CanBeCalledOff,
    Ends,
    HasHalls,
    HasWall,
    IsAnnounced,
    Removable,
)
from tournaments.models.registration import OpensFromHome

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Mapping, Sequence
    from typing import Any

    from django.db.models import Model

    from tournaments.domain.formats import Format


# A tournament, and the log of who did what in it.

MOST_BYE_TEAMS = 4
MOST_MATCH_POINTS = 20
MOST_MOVED = 9
MOST_MATCHES_UP = 20
MOST_BOARD_SETS = 100
MOST_OF_A_CLUB = 20


def two_one_nought() -> list[int]:
    """The match points that are usual: for a match won, drawn, lost."""
    return [2, 1, 0]


def check_match_points(value: object) -> None:
    """Raise ValidationError unless these are three numbers, none of them worth more than the one before."""
    good = (
        isinstance(value, list)
        and len(value) == len(two_one_nought())
        and all(type(points) is int and 0 <= points <= MOST_MATCH_POINTS for points in value)
        and value == sorted(value, reverse=True)
        and value[0] > value[-1]
    )
    if not good:
        raise ValidationError(_("A win must give more points than a loss, with a draw in between."))


def check_wishes(value: object) -> None:
    """Raise ValidationError unless these are wishes not to share a table, as `not_together` has them."""
    good = isinstance(value, list) and all(
        isinstance(wish, dict)
        and set(wish) == {"entries", "strict"}
        and isinstance(wish["strict"], bool)
        and isinstance(wish["entries"], list)
        and len(wish["entries"]) > 1
        and all(type(number) is int for number in wish["entries"])
        for wish in value
    )
    if not good:
        raise ValidationError(_("The list of players who should not share a table is in an unknown format."))


def check_factor(value: str) -> None:
    """Raise ValidationError unless this is a factor such as 3/4."""
    try:
        read_factor(value)
    except ValueError:
        raise ValidationError(_("Type a fraction, such as 3/4 or 0.75.")) from None


def check_shares(value: object) -> None:
    """Raise ValidationError unless these are per cents of the prize pool by place."""
    if not are_shares(value):
        raise ValidationError(_("The prizes are in an unknown format."))


def check_amounts(value: object) -> None:
    """Raise ValidationError unless these are prizes by place in øre."""
    if not are_amounts(value):
        raise ValidationError(_("The prizes are in an unknown format."))


def check_things(value: object) -> None:
    """Raise ValidationError unless these are prizes by place that are no money."""
    if not are_things(value):
        raise ValidationError(_("The prizes are in an unknown format."))


class First(NamedTuple):
    """A place of the first three in a list: more names where it is shared, or a pair's; `total` is "" if not shown."""

    place: int
    names: list[str]
    total: str = ""


class TournamentQuerySet(AnnouncedQuerySet["Tournament"]):
    def not_called_off(self) -> TournamentQuerySet:
        """Filter out cancelled tournaments: the rest is listed, and counts in seasons."""
        return self.filter(called_off_at=None)


class Tournament(Ends, HasHalls, HasWall, OpensFromHome, CanBeCalledOff, IsAnnounced):
    """An event of one or more rounds, played by one set of rules that is frozen when it starts."""

    class State(models.TextChoices):
        SETUP = "setup", _("being set up")
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished")

    class DrawMode(models.TextChoices):
        WHOLE = "whole", _("all rounds at once")
        BY_ROUND = "by_round", _("round by round")
        STANDINGS = "standings", _("by the standings: neighbours meet (“Swiss”)")
        LOT = "lot", _("purely by lot")
        BY_HAND = "by_hand", _("by hand: you type in the tables")

    class Comparison(models.TextChoices):
        SUM = "sum", _("total tokens")
        AVERAGE = "average", _("the average per deal played")
        FACTOR = "factor", _("total tokens, with a factor for tables of three")

    code = models.CharField(max_length=8, unique=True, default=make_code)
    host = models.ForeignKey(
        Club, on_delete=models.PROTECT, related_name="tournaments", verbose_name=_("host")
    )
    # The club in whose hall a union's tournament is played: who works for it helps at the tournament's desk.
    held_by = models.ForeignKey(
        Club, on_delete=models.PROTECT, null=True, blank=True, related_name="held", verbose_name=_("held by")
    )
    # Whether that club's organisers may do there what the host's may; else they help, as its helpers do.
    held_by_organises = models.BooleanField(default=False)
    name = models.CharField(_("name"), max_length=120)
    date = models.DateField(_("date"))
    begins_at = models.TimeField(_("begins at"), null=True, blank=True)  # the hall clock, where it is known
    place = models.CharField(_("place"), max_length=120, blank=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.SETUP)

    rulebook = models.CharField(_("rulebook"), max_length=20, default="union")
    options = models.JSONField(_("options"), default=dict, blank=True)
    # The name of the club's own rules; empty for an unchanged rulebook.
    rules_name = models.CharField(_("name of the club’s own rules"), max_length=80, blank=True)
    # The engine's rulebook version at the start; empty while the rules may still change.
    rules_version = models.CharField(max_length=20, blank=True)

    format = models.CharField(
        _("format"),
        max_length=12,
        choices=[(row.code, row.name) for row in FORMATS.values()],
        default=USUAL,
    )
    # How often a pair or team meets each of the others: 1, or 2 (home and away).
    meetings = models.PositiveSmallIntegerField(
        _("meetings"), default=1, validators=[MinValueValidator(1), MaxValueValidator(2)]
    )
    # Match points for a match won, drawn and lost.
    match_points = models.JSONField(
        _("match points"), default=two_one_nought, blank=True, validators=[check_match_points]
    )
    # Teams that have a bye each round on purpose, so that substitutes are at hand; at least one where numbers are odd.
    bye_teams = models.PositiveSmallIntegerField(
        _("teams with a bye each round"), default=0, validators=[MaxValueValidator(MOST_BYE_TEAMS)]
    )
    # How many teams of each division go up and down after the season.
    promoted = models.PositiveSmallIntegerField(
        _("promoted"), default=0, validators=[MaxValueValidator(MOST_MOVED)]
    )
    relegated = models.PositiveSmallIntegerField(
        _("relegated"), default=0, validators=[MaxValueValidator(MOST_MOVED)]
    )
    # After so many matches for a higher team of the club a player plays for a lower one no more; 0 for no limit.
    up_limit = models.PositiveSmallIntegerField(
        _("matches for a higher team"), default=0, validators=[MaxValueValidator(MOST_MATCHES_UP)]
    )
    # Until when clubs enter their teams here; None where they do not. And how many of a club play in a division, 0 for
    # no limit.
    teams_until = models.DateTimeField(_("teams can be entered until"), null=True, blank=True)
    most_of_club = models.PositiveSmallIntegerField(
        _("teams of a club in a division"), default=0, validators=[MaxValueValidator(MOST_OF_A_CLUB)]
    )
    # When its file was imported here; None where it was set up here. No letters are sent about what came before.
    imported_at = models.DateTimeField(null=True, blank=True)
    # Whether the season plan gives all teams journeys alike: as many, and home and away matches in turn.
    alike_journeys = models.BooleanField(_("journeys alike"), default=False)
    # Whether match points and tokens count by the match, where byes leave some with more matches than others.
    by_average = models.BooleanField(_("average per match"), default=False)
    # Teams of four: whether who sits out takes over the hand of the declarer's partner, as pairs always do. The set-up
    # proposes it; tournaments of earlier Spadilles were played without.
    takes_over = models.BooleanField(_("the partner’s hand is taken over"), default=False)
    rounds_planned = models.PositiveSmallIntegerField(
        _("rounds"), default=3, validators=[MinValueValidator(1), MaxValueValidator(MOST_ROUNDS)]
    )
    deals_per_round = models.PositiveSmallIntegerField(
        _("deals per round"), default=40, validators=[MinValueValidator(4), MaxValueValidator(80)]
    )
    deals_at_three = models.PositiveSmallIntegerField(
        _("deals at a table of three"), default=30, validators=[MinValueValidator(3), MaxValueValidator(80)]
    )
    # For how long a round is played by the clock that begins with it; 0 for none.
    round_minutes = models.PositiveSmallIntegerField(default=0, validators=[MaxValueValidator(MOST_MINUTES)])
    # What places go by where tables of three and of four are played; the ledger's tokens are as reported.
    comparison = models.CharField(
        _("what counts"), max_length=10, choices=Comparison.choices, default=Comparison.SUM
    )
    three_factor = models.CharField(
        _("factor at a table of three"), max_length=LONGEST_FACTOR, default="3/4", validators=[check_factor]
    )
    # For averages: the least number of deals for a place, in per cent of the most deals of any player.
    least_share = models.PositiveSmallIntegerField(
        _("least share of the deals"), default=0, validators=[MaxValueValidator(100)]
    )
    # Cards from folders that travel, so that all play the same; and the sets of them in the hall, 0 for one a table.
    boards = models.BooleanField(_("duplicate boards"), default=False)
    board_sets = models.PositiveSmallIntegerField(
        _("sets of folders"), default=0, validators=[MaxValueValidator(MOST_BOARD_SETS)]
    )
    # Whether the standings have a column of what was won on the same cards.
    shows_same_cards = models.BooleanField(_("standings show play on the same cards"), default=False)
    tie_breaks = models.JSONField(_("tie-breaks"), default=list, blank=True)
    stake = models.PositiveIntegerField(
        _("stake"), default=0, help_text=_("øre per token"), validators=[MaxValueValidator(100_000)]
    )
    entry_fee = models.PositiveIntegerField(
        _("entry fee"), default=0, help_text=_("øre per player"), validators=[MaxValueValidator(10_000_000)]
    )
    # Per cent of the entry fees by place; where there are amounts, those are the prizes by place instead, in øre.
    # What is left of the fees is the club's, what prizes come to above them the club adds.
    prize_shares = models.JSONField(default=list, blank=True, validators=[check_shares])
    prize_amounts = models.JSONField(default=list, blank=True, validators=[check_amounts])
    # Prizes in kind by place, "" for a place without one.
    prize_things = models.JSONField(default=list, blank=True, validators=[check_things])

    # The season that this evening counts in, and the stage of a championship of which this is a group.
    season = models.ForeignKey(
        "tournaments.Season", on_delete=models.SET_NULL, null=True, blank=True, related_name="evenings"
    )
    stage = models.ForeignKey(
        "tournaments.Stage", on_delete=models.SET_NULL, null=True, blank=True, related_name="tournaments"
    )

    draw_mode = models.CharField(_("draw"), max_length=10, choices=DrawMode.choices, default=DrawMode.WHOLE)
    # Who does not want to share a table: [{"entries": [3, 9], "strict": false}, …], entries by number.
    not_together = models.JSONField(default=list, blank=True, validators=[check_wishes])
    # Whether tables of three are shared evenly, whatever repeats that costs; else repeats are as few as can be.
    even_threes = models.BooleanField(default=True)
    # What the draw costs by either rule: {"even": {"repeats": 6, "threes": [2, 3]}, "fewest": {…}}; {} where both cost
    # the same.
    draw_prices = models.JSONField(default=dict, blank=True)
    # Published with the draw, so that anyone can repeat it.
    draw_seed = models.PositiveBigIntegerField(null=True, blank=True)

    # Raised by every change that a page shows: waiting phones and screens compare it.
    version = models.PositiveBigIntegerField(default=1)
    # Whether the materialized results are up to date (`models.derived`): raising the version resets it, except for a
    # change of name only.
    results_kept = models.BooleanField(default=False)
    is_rated = models.BooleanField(default=False)
    # Whether its deals are summed up: from then on each report moves the sums (`ledger.deal_sums`).
    deals_summed = models.BooleanField(default=False)
    # The end of the tournament's hash chain (`tournaments.changes.chain`), with its seal.
    chain_count = models.PositiveIntegerField(default=0)
    chain_head = models.CharField(max_length=64, blank=True)
    chain_seal = models.CharField(max_length=40, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)

    # The first three, set by lists that show them (`seasons.results`).
    firsts: Sequence[First] = ()
    # The next match day, set by lists (`lifecycle.fixtures`) while it is between two of them.
    next_day: dt.date | None = None
    # Progress and leader, set by pages that show them (`hall.home`).
    now: Mapping[str, Any] | None = None

    objects = TournamentQuerySet.as_manager()

    class Meta:
        ordering = ["-date", "-pk"]
        indexes = [
            models.Index(fields=["host", "state", "date"], name="a_clubs_by_day"),
            models.Index(fields=["state", "date"], name="tournaments_by_day"),
            models.Index(fields=["state", "finished_at"], name="tournaments_by_end"),
            models.Index(fields=["-date", "-id"], name="tournaments_newest_first"),
            models.Index(fields=["host"], condition=models.Q(is_rated=False), name="not_rated_yet"),
            models.Index(
                fields=["state"], condition=models.Q(deals_summed=False), name="deals_not_summed_yet"
            ),
            models.Index(
                fields=["state"], condition=models.Q(results_kept=False), name="results_not_kept_yet"
            ),
            models.Index(
                fields=["host"],
                condition=models.Q(teams_until__isnull=False),
                name="clubs_enter_teams_there",
            ),
            models.Index(
                fields=["objections_until"],
                condition=models.Q(objections_until__isnull=False),
                name="objections_are_heard",
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(rounds_planned__gte=1, rounds_planned__lte=MOST_ROUNDS),
                name="one_to_sixty_rounds",
            ),
            models.CheckConstraint(
                condition=models.Q(deals_per_round__gte=4, deals_per_round__lte=80),
                name="four_to_eighty_deals",
            ),
            # Provisional standings are neither final nor of an evening that has not begun.
            models.CheckConstraint(
                condition=models.Q(objections_until=None)
                | models.Q(state="running", posted_at__isnull=False),
                name="provisional_while_it_runs",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("hall", args=[self.code])

    @property
    def counts_in(self) -> Season | None:
        """The season that this evening counts in; None also while that is removed."""
        return None if self.season is None or self.season.is_removed else self.season

    @property
    def group_of(self) -> Stage | None:
        """The stage of which this is a group; None also while its championship is removed."""
        return None if self.stage is None or self.stage.championship.is_removed else self.stage

    @property
    def format_row(self) -> Format:
        """The format's row with all its particulars."""
        return FORMATS[self.format]

    @property
    def in_teams(self) -> bool:
        """Whether pairs or teams meet, and not everybody plays for themselves."""
        return self.format_row.in_teams

    @property
    def hands_taken_over(self) -> bool:
        """Whether who sits out plays the hand of the declarer's partner, who sits opposite (`in_pairs` in Seating).

        So a declarer never meets a partner, nor a team-mate.
        """
        return self.format_row.takes_over(asked=self.takes_over)

    @property
    def dealer_sits_out(self) -> bool:
        """Whether the dealer sits out at tables of four, and not the player opposite."""
        return dealer_sits_out(self.rulebook, self.options)

    @property
    def is_running(self) -> bool:
        return self.state == self.State.RUNNING

    @property
    def is_finished(self) -> bool:
        return self.state == self.State.FINISHED

    @cached_property
    def has_open_objection(self) -> bool:
        """Whether an objection is to be decided before posted standings become final."""
        return self.is_posted and self.objections.filter(state="open").exists()

    @property
    def provisional_until(self) -> str:
        """Until when posted standings are provisional, to follow “until”: an hour, or that an objection is decided."""
        return str(_("an open objection is decided")) if self.has_open_objection else self.objections_said

    @property
    def is_played(self) -> bool:
        """Whether play is over: its standings are posted, or final."""
        return self.is_finished or self.is_posted

    @property
    def tells_phones(self) -> bool:
        """Whether phones can subscribe to its push messages: see `changes.push_messages`."""
        return bool(settings.PUSH) and not self.is_finished and not self.is_called_off

    @property
    def rules_frozen(self) -> bool:
        return bool(self.rules_version)

    def deals_for(self, players: int) -> int:
        """Deals in a round at a table of `players`."""
        return self.deals_at_three if players == 3 else self.deals_per_round  # a table of three


# A championship: groups, a semifinal, a final, each of them one or more tournaments.

MOST_STAGES, MOST_GROUPS = 6, 26


class Championship(Removable):
    """A championship in stages: each stage qualifies players for the next."""

    host = models.ForeignKey(
        Club, on_delete=models.PROTECT, related_name="championships", verbose_name=_("host")
    )
    name = models.CharField(_("name"), max_length=100)
    date = models.DateField(_("first day"))

    class Meta:
        ordering = ["-date", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["host", "name"], condition=models.Q(removed_at=None), name="one_championship_a_name"
            )
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("hall_championship", args=[self.pk])


class Stage(models.Model):
    """A stage, whose groups are tournaments; `each` and `next_best` give the number of those who qualify."""

    championship = models.ForeignKey(Championship, on_delete=models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField(
        _("number"), validators=[MinValueValidator(1), MaxValueValidator(MOST_STAGES)]
    )
    name = models.CharField(_("name"), max_length=60)
    groups = models.PositiveSmallIntegerField(
        _("groups"), default=1, validators=[MinValueValidator(1), MaxValueValidator(MOST_GROUPS)]
    )
    # A round is a session.
    sessions = models.PositiveSmallIntegerField(
        _("sessions"), default=3, validators=[MinValueValidator(1), MaxValueValidator(8)]
    )
    deals = models.PositiveSmallIntegerField(
        _("deals per session"), default=40, validators=[MinValueValidator(4), MaxValueValidator(80)]
    )
    # The best so many of each group go on, and so many of the next best of all groups; 0 and 0 in the last stage.
    each = models.PositiveSmallIntegerField(
        _("qualifiers from each group"), default=0, validators=[MaxValueValidator(200)]
    )
    next_best = models.PositiveSmallIntegerField(
        _("best runners-up of all groups"), default=0, validators=[MaxValueValidator(200)]
    )
    # Per cent of a total that are taken along into this stage.
    carried = models.PositiveSmallIntegerField(
        _("carried over, per cent"), default=0, validators=[MaxValueValidator(100)]
    )

    objects = RecordedQuerySet["Stage"].as_manager()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["championship", "number"], name="one_stage_a_number")]

    def __str__(self) -> str:
        return self.name


# Short codes that are unique: a code made by lot may be taken, more often the longer a server has been used.


def free_codes(model: type[Model], count: int) -> list[str]:
    """So many unused codes for rows of this kind, all different."""
    free: set[str] = set()
    while len(free) < count:
        new = {text.make_code() for _one in range(count - len(free))}
        free |= new - set(model._default_manager.filter(code__in=new).values_list("code", flat=True))
    return list(free)


def free_code(model: type[Model]) -> str:
    return free_codes(model, 1)[0]


# A season: a club's evenings counted together, and what is given for them.

MOST_EVENINGS = 100


def usual_points() -> list[int]:
    """Default points for the first ten places."""
    return [15, 12, 10, 8, 6, 5, 4, 3, 2, 1]


def check_points(value: object) -> None:
    """Raise ValidationError unless these are points by place, the first place's first."""
    good = isinstance(value, list) and all(type(points) is int and 0 <= points <= 1000 for points in value)
    if not good:
        raise ValidationError(_("The points are in an unknown format."))


class Season(Removable):
    """Evenings (tournaments) of a club whose results are put together to a ladder, by a rule of the club's own."""

    class Rule(models.TextChoices):
        TOKENS = "tokens", _("sum of tokens")
        AVERAGE = "average", _("average per deal played")
        PLACES = "places", _("points for places")

    host = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="seasons", verbose_name=_("host"))
    name = models.CharField(_("name"), max_length=120)
    starts = models.DateField(_("first day"))
    ends = models.DateField(_("last day"))
    rule = models.CharField(_("what counts"), max_length=10, choices=Rule.choices, default=Rule.TOKENS)
    # How many of a player's evenings count, the best of them; 0: all.
    best_of = models.PositiveSmallIntegerField(
        _("evenings that count"), default=0, validators=[MaxValueValidator(MOST_EVENINGS)]
    )
    # Players with fewer evenings are listed below the ladder, without a place.
    least_evenings = models.PositiveSmallIntegerField(
        _("evenings at least"), default=0, validators=[MaxValueValidator(MOST_EVENINGS)]
    )
    least_deals = models.PositiveIntegerField(
        _("deals at least"), default=0, validators=[MaxValueValidator(100_000)]
    )
    # By place, the first place's first; further places get 0.
    place_points = models.JSONField(
        _("points by place"), default=usual_points, blank=True, validators=[check_points]
    )
    with_guests = models.BooleanField(_("guests are in the ladder"), default=False)
    # Whether an evening counts from which the player went home early.
    counts_withdrawn = models.BooleanField(_("an evening left early counts"), default=True)
    # Whether equal sums are ranked by the best evenings, one after the other.
    breaks_ties = models.BooleanField(_("ties are broken by the best evenings"), default=True)
    # Raised by every change, as a tournament's.
    version = models.PositiveBigIntegerField(default=1)

    class Meta:
        ordering = ["-starts", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["host", "name"], condition=models.Q(removed_at=None), name="one_season_a_name"
            ),
            models.CheckConstraint(
                condition=models.Q(ends__gte=models.F("starts")), name="a_season_ends_after_it_starts"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("hall_season", args=[self.pk])


class Award(models.Model):
    """A title awarded in a season, such as "Klubmester" or "Jokum"."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="awards")
    title = models.CharField(_("title"), max_length=80)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="awards")
    # Why, in a few words.
    words = models.CharField(_("words"), max_length=200, blank=True)
    number = models.PositiveSmallIntegerField(default=1, validators=[MinValueValidator(1)])

    objects = RecordedQuerySet["Award"].as_manager()

    class Meta:
        ordering = ["number", "pk"]

    def __str__(self) -> str:
        return f"{self.title}: {self.player}"


def may_have(season: Season, host: Club) -> bool:
    """Whether a tournament of `host` may belong to the season."""
    return season.host_id == host.pk or is_affiliated(host, season.host_id)
