"""Models: clubs and unions, players, memberships, accounts, roles; API keys, webhooks and stored responses.

Of an API key only the SHA-256 is stored: it has 256 random bits, so no slow hash is needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib.auth.models import AbstractUser
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models.functions import Lower
from django.dispatch import Signal
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from clubs.letter_models import Agreement, Letter, News, Stop, Topic
from clubs.lists.models import ColumnChoice, UploadedList
from clubs.names import ends_of, folded, letters_of, sorted_as
from clubs.positions import kilometres_between, parse_position
from clubs.register_models import (
    Affiliation,
    AffiliationOffer,
    Gives,
    MainClub,
    MemberCount,
    Transfer,
    UnionNumber,
    clubs_in,
    unions_with,
)
from core.former_texts import translate_stored
from core.log_messages import LogLine
from core.recorded_rows import RecordedQuerySet
from core.text import strip_remark

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date


class Scope(models.TextChoices):
    """The scopes of an API key; public data needs no key."""

    READ = "read", _("read the club’s members and its tournaments’ desk")
    MONEY = "money", _("read its tournaments’ accounts")
    ENTRIES = "entries", _("enter players")
    CHECK_IN = "check-in", _("check players in")
    REPORTS = "reports", _("report deals")


class Event(models.TextChoices):
    """Events that webhooks can receive."""

    DRAW = "draw", _("seats are drawn")
    ROUND_CLOSED = "round.closed", _("a round is closed")
    FINISHED = "tournament.finished", _("a tournament is finished")
    REOPENED = "tournament.reopened", _("a finished tournament is reopened")


class ProgramKey(models.Model):
    """An API key with which a program acts for a club. Logs show its name as the author."""

    club = models.ForeignKey("clubs.Club", on_delete=models.CASCADE, related_name="keys")
    name = models.CharField(_("name"), max_length=80)
    digest = models.CharField(max_length=64, unique=True)
    # Its first letters, by which the owner recognises it.
    begins = models.CharField(max_length=12)
    scopes = models.JSONField(default=list)
    made_by = models.CharField(max_length=150)
    made_at = models.DateTimeField()
    # To the minute.
    used_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["ended_at", "-pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def scopes_text(self) -> list[str]:
        return [str(label) for code, label in Scope.choices if code in self.scopes]


class ProgramAnswer(models.Model):
    """The stored response to a request with an idempotency key: repeated for a day."""

    key = models.ForeignKey(ProgramKey, on_delete=models.CASCADE, related_name="answers")
    name = models.UUIDField()
    asked = models.CharField(max_length=64)
    answer = models.JSONField()
    at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["key", "name"], name="one_answer_a_name")]

    def __str__(self) -> str:
        return f"{self.key}: {self.name}"


class Webhook(models.Model):
    """An address of another system that receives events of a club."""

    club = models.ForeignKey("clubs.Club", on_delete=models.CASCADE, related_name="webhooks")
    url = models.URLField(_("address"), max_length=300)
    secret = models.CharField(max_length=100)
    events = models.JSONField(default=list)
    made_by = models.CharField(max_length=150)
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["club", "url"], name="an_address_is_told_once")]

    def __str__(self) -> str:
        return self.url

    @property
    def events_text(self) -> list[str]:
        return [str(label) for code, label in Event.choices if code in self.events]


class Message(models.Model):
    """A webhook message: stored in the transaction of its event, delivered and retried until accepted or given up."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENDING = "sending", _("being sent")
        SENT = "sent", _("sent")
        GIVEN_UP = "given up", _("given up")

    UNDER_WAY: ClassVar = (State.WAITING, State.SENDING)

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="messages")
    event = models.CharField(max_length=30)
    # As it is sent, letter by letter: what is signed.
    body = models.TextField()
    made_at = models.DateTimeField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    tries = models.PositiveSmallIntegerField(default=0)
    next_try = models.DateTimeField()
    taken_at = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(null=True)
    # The outcome of the last attempt: an HTTP status, or an English sentence, translated when shown.
    came_to = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["next_try"], condition=models.Q(state="waiting"), name="messages_due"),
            models.Index(
                fields=["taken_at"], condition=models.Q(state="sending"), name="messages_being_sent"
            ),
            models.Index(fields=["webhook", "-id"], name="messages_of_an_address"),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.pk}"

    @property
    def came_to_words(self) -> str:
        return translate_stored(self.came_to) if self.came_to else ""


__all__ = [
    "Account", "Actor", "Affiliation", "AffiliationOffer", "Agreement", "Club", "ClubLogEntry", "ColumnChoice",
    "Crest", "Event", "Gives", "Letter", "MainClub", "MemberCount", "MemberImport", "Membership", "Message", "News",
    "Player", "ProgramAnswer", "ProgramKey", "Role", "RoleOffer", "SampleClub", "Scope", "Stop", "Topic", "Transfer",
    "UnionNumber", "UploadedList", "Webhook", "players_changed",
]  # fmt: skip


class Account(AbstractUser):
    """An account of an organiser or helper. Players and captains need none."""

    # A password that an organiser handed over: good for choosing one's own with, and for nothing else.
    password_is_temporary = models.BooleanField(_("password is temporary"), default=False)
    # The club whose organiser created it: while it has no role elsewhere, they may give it a new password.
    made_by = models.ForeignKey(
        "Club", on_delete=models.SET_NULL, null=True, blank=True, related_name="accounts_made"
    )

    def __str__(self) -> str:
        return self.get_full_name() or self.username


# The author of a change: an organiser's account, or a program with a club's API key.
Actor = Account | ProgramKey


class Club(models.Model):
    """A club, or a union: a club to which other clubs belong (`Affiliation`)."""

    class NameStyle(models.TextChoices):
        FULL = "full", _("full name")
        INITIAL = "initial", _("first name and initial")
        NUMBER = "number", _("number only")

    class Statistics(models.TextChoices):
        EVERYWHERE = "everywhere", _("on its own pages, its union’s and its players’")
        CLUB = "club", _("only on its own pages")
        NOWHERE = "nowhere", _("nowhere")

    name = models.CharField(_("name"), max_length=120, unique=True)
    slug = models.SlugField(_("short name in addresses"), max_length=40, unique=True)
    town = models.CharField(_("town"), max_length=80, blank=True)
    name_style = models.CharField(
        _("how players are named in the hall"),
        max_length=10,
        choices=NameStyle.choices,
        default=NameStyle.FULL,
    )
    # Whether the hall shows how the club's players rate by their results.
    shows_rating = models.BooleanField(_("the hall shows ratings"), default=True)
    # Whether achievements are shown, of its evenings and of its players.
    shows_achievements = models.BooleanField(_("achievements are shown"), default=False)
    # Whether everybody takes a playing card home from its evenings, and nine of them are a hand.
    gives_cards = models.BooleanField(_("everyone gets a card of the evening"), default=True)
    # Where its evenings and its players are counted over the years, and whether search engines may find those pages.
    statistics = models.CharField(
        _("statistics over the years"),
        max_length=10,
        choices=Statistics.choices,
        default=Statistics.EVERYWHERE,
    )
    is_findable = models.BooleanField(_("search engines may list these pages"), default=False)
    # Years after a person has left all clubs until erasing them is proposed; 0 for never, None for the union's setting.
    erase_after = models.PositiveSmallIntegerField(
        _("years until erasing is proposed"), null=True, blank=True, validators=[MaxValueValidator(50)]
    )
    # Where it plays: latitude and longitude, as text of a `Position`; "" where that is not known.
    position = models.CharField(_("position on the map"), max_length=24, blank=True)
    # A union's: up to how far apart its clubs are neighbours, whose evenings clash on one day; 0 for never.
    neighbours_km = models.PositiveSmallIntegerField(
        _("kilometres between neighbours"), default=25, validators=[MaxValueValidator(500)]
    )
    # The language of letters to members without one of their own; "" is `settings.FIRST_LANGUAGE`.
    language = models.CharField(_("language of emails"), max_length=10, blank=True)
    # Its colour as `clubs.crests` made it safe, and the name of its picture, by what is in it; "" for none.
    colour = models.CharField(max_length=7, blank=True, editable=False)
    crest = models.CharField(max_length=16, blank=True, editable=False)

    objects = RecordedQuerySet["Club"].as_manager()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("club", args=[self.slug])

    @property
    def has_look(self) -> bool:
        return bool(self.crest or self.colour)

    def kilometres_to(self, other: Club) -> float | None:
        """The distance between the positions of two clubs; None where one of them is not known."""
        if self.position and other.position:
            return kilometres_between(parse_position(self.position), parse_position(other.position))
        return None

    @property
    def clubs(self) -> models.QuerySet[Club]:
        """The clubs that belong to this union now; none of a club that is no union."""
        return Club.objects.filter(pk__in=clubs_in(self.pk))

    @property
    def unions(self) -> models.QuerySet[Club]:
        """The unions that this club belongs to now, the one it joined first coming first."""
        now = models.Q(affiliated__club=self.pk, affiliated__left=None)
        return Club.objects.filter(now).order_by("affiliated__joined", "affiliated__pk")

    def itself_and_unions(self) -> list[int]:
        """Primary keys of the club and of the unions that it belongs to now."""
        return [self.pk, *unions_with(self.pk).values_list("union", flat=True)]


class Crest(models.Model):
    """A club's own picture: a small WebP that `clubs.crests` made."""

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="picture")
    picture = models.BinaryField()

    def __str__(self) -> str:
        return str(self.club)


# Sent when many players, or their numbers, change; `players` are primary keys. One change sends post_save.
players_changed = Signal()


class PlayerQuerySet(models.QuerySet["Player"]):
    """QuerySet that updates the columns derived from the name in bulk operations."""

    def update(self, **fields: Any) -> int:
        if isinstance(fields.get("name"), str):
            fields |= kept_of(fields["name"])
        elif "name" in fields and not KEPT_OF_NAMES.issubset(fields):
            raise TypeError("a name that the database works out would leave stale what is kept of it")
        return super().update(**fields)

    def bulk_create(self, objs: Iterable[Any], *args: Any, **options: Any) -> list[Any]:
        return super().bulk_create([player.with_kept_of_name() for player in objs], *args, **options)

    def bulk_update(self, objs: Iterable[Any], fields: Iterable[str], *args: Any, **options: Any) -> int:
        fields = {*fields, *KEPT_OF_NAMES} if "name" in fields else fields
        return super().bulk_update(
            [player.with_kept_of_name() for player in objs], [*fields], *args, **options
        )


class Player(models.Model):
    """A person who plays, whichever clubs they belong to."""

    name = models.CharField(_("name"), max_length=200)
    email = models.EmailField(_("email"), blank=True)
    phone = models.CharField(_("phone"), max_length=40, blank=True)
    # Distinguishes people of the same name; only organisers see it.
    birth_year = models.PositiveSmallIntegerField(
        _("year of birth"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1900), MaxValueValidator(2100)],
    )
    # In which they are written to; "" as their club does.
    language = models.CharField(_("language of emails"), max_length=10, blank=True)
    # Whether there is a page of what they have played over the years; who objects is counted, and not named.
    has_objected = models.BooleanField(_("no page over the years"), default=False)
    # Derived from the name, so that the database searches and sorts as `clubs.names` does: see `kept_of`.
    sought = models.TextField(default="", editable=False)
    sorted_as = models.TextField(default="", editable=False)
    letters = models.BigIntegerField(default=0, editable=False)
    ends = models.BigIntegerField(default=0, editable=False)

    objects = PlayerQuerySet.as_manager()

    class Meta:
        ordering = [Lower("name"), "pk"]
        indexes = [
            models.Index(fields=["letters"], name="players_by_letters"),
            models.Index(fields=["ends"], name="players_by_ends"),
            models.Index(Lower("email"), name="players_by_email"),
            models.Index(fields=["sorted_as", "id"], name="players_by_name"),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **options: Any) -> None:
        saved = options.get("update_fields")
        if saved is not None and "name" in saved:
            options["update_fields"] = {*saved, *KEPT_OF_NAMES}
        self.with_kept_of_name()
        super().save(*args, **options)

    def with_kept_of_name(self) -> Player:
        for field, value in kept_of(self.name).items():
            setattr(self, field, value)
        return self

    @property
    def short_name(self) -> str:
        """First name and initial of the last name, for sheets and phones."""
        return shortened(self.name)

    def name_in_style(self, style: str, number: int | None = None) -> str:
        """The name in a club's public style; `number` replaces it where only numbers are public."""
        return format_name(self.name, style, number)


def kept_of(name: str) -> dict[str, str | int]:
    """Columns derived from a player's name, for search, sorting and similarity."""
    return {
        "sought": folded(name),
        "sorted_as": sorted_as(name),
        "letters": letters_of(name),
        "ends": ends_of(name),
    }


KEPT_OF_NAMES = frozenset(kept_of(""))


def shortened(name: str) -> str:
    first, _blank, rest = strip_remark(name).partition(" ")
    last = rest.split()[-1] if rest else ""
    return f"{first} {last[0]}." if last else first


def format_name(name: str, style: str, number: int | None) -> str:
    """A player's name as a club has agreed to show it; see `Player.name_in_style`."""
    if style == Club.NameStyle.NUMBER and number is not None:
        return str(number)
    return name if style == Club.NameStyle.FULL else shortened(name)


class MembershipQuerySet(RecordedQuerySet["Membership"]):
    def on(self, day: date) -> MembershipQuerySet:
        """Memberships in force on `day`."""
        return self.filter(joined__lte=day).filter(models.Q(left=None) | models.Q(left__gt=day))


class Membership(models.Model):
    """A player's time in a club, with the number the club gave them."""

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="memberships")
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="memberships")
    number = models.PositiveIntegerField(_("member number"), null=True, blank=True)
    joined = models.DateField(_("joined"))
    left = models.DateField(_("left"), null=True, blank=True)

    objects = MembershipQuerySet.as_manager()

    class Meta:
        ordering = ["number", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "number"], condition=models.Q(left=None), name="one_member_a_number"
            ),
            models.UniqueConstraint(
                fields=["club", "player"], condition=models.Q(left=None), name="one_membership_at_a_time"
            ),
            models.CheckConstraint(
                condition=models.Q(left=None) | models.Q(left__gte=models.F("joined")),
                name="leaves_after_joining",
            ),
        ]
        indexes = [
            models.Index(fields=["player", "club"], name="memberships_by_player"),
            models.Index(
                fields=["left"], condition=models.Q(left__isnull=False), name="memberships_that_ended"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} ({self.club})"


class Role(models.Model):
    """An account's role in a club; in a union it holds for the union's clubs too."""

    class Kind(models.TextChoices):
        ORGANISER = "organiser", _("organiser")
        HELPER = "helper", _("helper")

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="roles")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="roles")
    kind = models.CharField(_("role"), max_length=10, choices=Kind.choices)

    objects = RecordedQuerySet["Role"].as_manager()

    class Meta:
        ordering = ["club__name", "account__username"]
        constraints = [
            models.UniqueConstraint(fields=["account", "club"], name="one_role_a_club"),
        ]

    def __str__(self) -> str:
        return f"{self.account}: {self.get_kind_display()} ({self.club})"


class RoleOffer(models.Model):
    """A role offered to an existing account: no rights until it is accepted."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="offers")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="offers")
    kind = models.CharField(max_length=10, choices=Role.Kind.choices)
    offered_by = models.CharField(max_length=150)
    offered_at = models.DateTimeField()
    # When it was declined, or the role given up; it can be accepted until the club withdraws it.
    declined_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["account", "club"], name="one_offer_a_club")]

    def __str__(self) -> str:
        return f"{self.account}: {self.get_kind_display()}? ({self.club})"


class SampleClub(models.Model):
    """A club for trying the program: which of its players were generated, and whether it has been removed.

    A removed one has no roles, appears in no list, and its name is free.
    """

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="sample")
    players = models.ManyToManyField(Player, related_name="+")
    removed_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return str(self.club)


class MemberImport(models.Model):
    """An uploaded member list between dry run and confirmation, deleted after a day."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="imports")
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="imports")
    file_name = models.CharField(max_length=200)
    # What `clubs.member_rows.MemberFile.as_json` makes of the file; empty once imported.
    contents = models.JSONField(default=dict)
    # The file, of which other columns may be chosen until the import is done.
    given = models.ForeignKey(UploadedList, on_delete=models.SET_NULL, null=True, related_name="imports")
    # When new members joined whose line does not say.
    joined = models.DateField()
    made_at = models.DateTimeField()
    applied_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return f"{self.file_name} ({self.club})"


class ClubLogEntry(LogLine):
    """A line of a club's log: a change of members, roles or details, with account and time."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="log")

    objects = RecordedQuerySet["ClubLogEntry"].as_manager()

    class Meta(LogLine.Meta):
        verbose_name_plural = "club log entries"
