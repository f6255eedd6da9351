"""Officials: organisers or helpers of one tournament, season or championship without a role in its club."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.models import Account, Role
from tournaments.domain.halls import LONGEST_NAME
from tournaments.models.events import Championship, Season, Tournament

# What an official is for; exactly one of these is set.
OF = ("tournament", "season", "championship")
# Rights hold for so long after the end: prizes, payments and corrections come later than the last deal.
LASTS = timedelta(days=30)


class Official(models.Model):
    """An account's right for one tournament, or for one season or championship and its tournaments."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="officials")
    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, null=True, blank=True, related_name="officials"
    )
    season = models.ForeignKey(
        Season, on_delete=models.CASCADE, null=True, blank=True, related_name="officials"
    )
    championship = models.ForeignKey(
        Championship, on_delete=models.CASCADE, null=True, blank=True, related_name="officials"
    )
    kind = models.CharField(_("role"), max_length=10, choices=Role.Kind.choices)
    # The name of the only hall whose tables a helper at a tournament sees; "" for all of it.
    hall = models.CharField(_("hall"), max_length=LONGEST_NAME, blank=True, default="")
    given_by = models.CharField(max_length=150)
    given_at = models.DateTimeField()

    class Meta:
        ordering = ["-kind", "account__username"]
        constraints = [
            models.CheckConstraint(
                condition=(
                    Q(tournament__isnull=False, season=None, championship=None)
                    | Q(tournament=None, season__isnull=False, championship=None)
                    | Q(tournament=None, season=None, championship__isnull=False)
                ),
                name="an_official_of_one_thing",
            ),
            models.CheckConstraint(
                condition=Q(hall="") | Q(tournament__isnull=False, kind=Role.Kind.HELPER),
                name="a_helper_in_one_hall",
            ),
            *(models.UniqueConstraint(fields=["account", of], name=f"one_official_a_{of}") for of in OF),
        ]

    def __str__(self) -> str:
        return f"{self.account}: {self.get_kind_display()} ({self.subject})"

    @property
    def role_text(self) -> str:
        """The role, with the hall that it is for."""
        said = {"role": self.get_kind_display(), "hall": self.hall}
        return gettext("%(role)s in %(hall)s") % said if self.hall else self.get_kind_display()

    @property
    def subject(self) -> Tournament | Season | Championship:
        found = self.tournament or self.season or self.championship
        assert found is not None  # noqa: S101 - the constraint
        return found

    @property
    def begins(self) -> date:
        return self.season.starts if self.season else self.subject.date  # type: ignore[union-attr]

    def is_in_force(self, now: datetime) -> bool:
        """Whether the right holds: its subject is not over, or ended in the last 30 days.

        A championship is over when the tournaments of its last stage are, a season after its last day.
        """
        return bool(in_force([self], now))

    def _lasts(self, since: datetime, finished: Sequence[datetime | None]) -> bool:
        """Whether it ended not before `since`; `finished` is of the tournaments of a championship's last stage."""
        if self.tournament:
            ended = self.tournament.finished_at, self.tournament.called_off_at
            return not any(at and at < since for at in ended)
        if self.season:
            return self.season.removed_at is None and self.season.ends >= timezone.localdate(since)
        if self.championship is None or self.championship.removed_at is not None:
            return False
        return not finished or any(at is None or at >= since for at in finished)


def in_force(held: Iterable[Official], now: datetime) -> list[Official]:
    """Those of these rights that hold; with championships among them in one query, else without any."""
    rights = list(held)
    finished: dict[int, list[datetime | None]] = defaultdict(list)
    if championships := {one.championship_id for one in rights if one.championship_id}:
        last_stages = Tournament.objects.filter(
            stage__championship__in=championships, stage__each=0, stage__next_best=0, called_off_at=None
        )
        for pk, at in last_stages.order_by().values_list("stage__championship", "finished_at"):
            finished[pk].append(at)
    return [one for one in rights if one._lasts(now - LASTS, finished[one.championship_id or 0])]
