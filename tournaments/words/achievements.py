"""What achievements are called, and what each took."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

NAMES = {
    "first_tout": _("The first tout"),
    "suits": _("Solo in every suit"),
    "odds": _("Against the odds"),
    "clean": _("An evening without a bête"),
    "nought": _("Back where it began"),
    "risen": _("From the bottom to the top"),
    "hat_trick": _("Three wins in a row"),
    "series": _("Ten evenings in a row"),
    "everybody": _("Has met everybody"),
    "hundred": _("A hundred deals"),
    "thousand": _("A thousand deals"),
    "years": _("Ten years at the table"),
}
WAYS = {
    "first_tout": _("Took every trick in a game of their own."),
    "suits": _("Won a solo in each of the four suits."),
    "odds": _("Won a solo after three lost games of their own in a row."),
    "clean": _("Declared five games or more in an evening, and lost none."),
    "nought": _("Played twenty deals or more, and ended on 0 tokens."),
    "risen": _("Was last of all after a round, and won the evening."),
    "hat_trick": _("Won three evenings on end."),
    "series": _("Was at ten evenings of a club without missing one."),
    "everybody": _("In one year sat with everybody who came to three evenings of the club or more."),
    "hundred": _("Has played a hundred deals."),
    "thousand": _("Has played a thousand deals."),
    "years": _("Has played in ten different years."),
}
