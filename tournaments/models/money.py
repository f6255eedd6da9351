"""Payments at the end of a tournament."""

from __future__ import annotations

from django.core.validators import MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.entries import Entry
from tournaments.models.events import Tournament


class Payment(models.Model):
    """A line of a tournament's payment list; nobody as payer or payee is the club's box."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="payments")
    number = models.PositiveIntegerField(_("number"))
    payer = models.ForeignKey(
        Entry, on_delete=models.PROTECT, null=True, blank=True, related_name="payments_made"
    )
    payee = models.ForeignKey(
        Entry, on_delete=models.PROTECT, null=True, blank=True, related_name="payments_received"
    )
    # In øre.
    amount = models.PositiveBigIntegerField(_("amount"), validators=[MinValueValidator(1)])
    # The log says who ticked it off, and who took that back.
    paid_at = models.DateTimeField(null=True, blank=True)
    ticked_by = models.CharField(max_length=150, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="one_payment_a_number"),
            models.CheckConstraint(condition=models.Q(amount__gt=0), name="a_payment_is_of_something"),
            models.CheckConstraint(
                condition=models.Q(payer__isnull=False) | models.Q(payee__isnull=False),
                name="the_box_does_not_pay_itself",
            ),
            models.CheckConstraint(
                condition=models.Q(payer__isnull=True)
                | models.Q(payee__isnull=True)
                | ~models.Q(payer=models.F("payee")),
                name="nobody_pays_themselves",
            ),
        ]

    def __str__(self) -> str:
        box = _("the club’s box")
        return f"{self.number}: {self.payer or box} → {self.payee or box}"
