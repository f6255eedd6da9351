"""A club's own rules: a rulebook with its options and prices as the club plays them, under a name."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from clubs.models import Club


class ClubRules(models.Model):
    """A named set. A tournament that begins with it takes a copy: what happens here later does not reach it."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="own_rules")
    name = models.CharField(_("name"), max_length=80)
    rulebook = models.CharField(_("rulebook"), max_length=20)
    # The value of every option and price that the rulebook had when this was stored.
    options = models.JSONField(_("options"), default=dict, blank=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["name", "pk"]
        verbose_name_plural = "club rules"
        constraints = [models.UniqueConstraint(fields=["club", "name"], name="one_set_of_rules_a_name")]

    def __str__(self) -> str:
        return self.name

    @property
    def choice(self) -> str:
        """What stands for it in a choice among rulebooks, whose ids have no dash."""
        return f"own-{self.pk}"
