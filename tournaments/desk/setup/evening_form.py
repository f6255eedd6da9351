"""What the set-up page asks of an evening beside its rules: its season, and how tables of three compare."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.domain.comparison import plain_factor, read_factor
from tournaments.draw.tables import CHAIRS, SMALL_TABLE
from tournaments.models import Season, Tournament
from tournaments.models.events import may_have
from tournaments.seasons.season import seasons_for
from tournaments.web.lookup import number_in

if TYPE_CHECKING:
    from collections.abc import Collection

    from django.db.models import QuerySet

    from clubs.models import Club

YEARS = range(2000, 2100)  # anything else is a slip of the keyboard
HALF_A_YEAR = timedelta(days=183)


class EveningFields(forms.Form):
    """The season, and what places go by where tables of three and of four are played."""

    season: forms.ModelChoiceField[Season] = forms.ModelChoiceField(
        label=gettext_lazy("Season"), queryset=Season.objects.none(), required=False,
        empty_label=gettext_lazy("none"),
        help_text=gettext_lazy(
            "If chosen, the evening counts in this season’s ladder; a championship group need "
"not. For pairs and teams it counts each player’s own tokens or, if places earn "
"points, the place of the pair or team."
        ),
        error_messages={"invalid_choice": gettext_lazy("This season no longer exists. Choose another.")},
    )  # fmt: skip
    comparison = forms.ChoiceField(
        label=gettext_lazy("Places go by"), choices=Tournament.Comparison.choices,
        initial=Tournament.Comparison.SUM, widget=forms.RadioSelect, required=False,
        help_text=gettext_lazy(
            "At a table of three nobody sits out. With 30 deals there and 40 at four, everyone "
"plays as many hands and the total is fair; with other numbers use the average or a "
"factor. Payments always follow the tokens won."
        ),
    )  # fmt: skip
    three_factor = forms.CharField(
        label=gettext_lazy("Factor at a table of three"), initial="3/4", max_length=20, required=False,
        help_text=gettext_lazy("A fraction such as 3/4, or 0,75. Only used if places go by a factor."),
    )  # fmt: skip

    least_share = forms.IntegerField(
        label=gettext_lazy("Least share of the deals, per cent"), initial=50, min_value=0, max_value=100,
        required=False,
        help_text=gettext_lazy(
            "Only used if places go by the average, so that nobody wins by playing three lucky "
"deals and leaving. Players with a smaller share of the deals are placed after all "
"others. 50 is recommended; 0 means no minimum."
        ),
    )  # fmt: skip

    def ask_for_evening(self, hosts: QuerySet[Club], sizes: Collection[int]) -> None:
        """Offer the hosts' seasons; ask how tables compare only where tables of both sizes can be."""
        field = self.fields["season"]
        offered = Season.objects.filter(seasons_for(hosts)).filter(self._near()).select_related("host")
        field.queryset = offered  # type: ignore[attr-defined]
        # Asked for once: the page shows them, and says which is chosen.
        field.choices = list(field.choices)  # type: ignore[attr-defined]
        if not any(season for season, _name in field.choices):  # type: ignore[attr-defined]
            del self.fields["season"]
        if "comparison" in self.fields and sorted(sizes) != [SMALL_TABLE, CHAIRS]:
            self._ask_for_those_who_sit_out(*sizes)

    def _near(self) -> Q:
        """The seasons about the evening's day and about today, and the one that is chosen, of all there have been."""
        chosen = self["season"].value()
        near = Q(pk=number_in(str(getattr(chosen, "pk", chosen))))
        days = [timezone.localdate()]
        with suppress(ValidationError):
            days.append(self.fields["date"].clean(self["date"].value()))
        for day in days:
            if day.year in YEARS:
                near |= Q(ends__gte=day - HALF_A_YEAR, starts__lte=day + HALF_A_YEAR)
        return near

    def _ask_for_those_who_sit_out(self, size: int) -> None:
        """Where all tables have one size nobody's deals are worth another's, but some may play fewer rounds."""
        del self.fields["three_factor"]
        field = self.fields["comparison"]
        field.choices = [  # type: ignore[attr-defined]
            (Tournament.Comparison.SUM, Tournament.Comparison.SUM.label),
            (
                Tournament.Comparison.AVERAGE,
                _("the average per deal played (recommended if some play fewer rounds)"),
            ),
        ]
        field.help_text = _(
            "Players without a place at the tables of %(size)d sit out a round. If some sit out "
            "more often, they play fewer deals, and the average is fair. Payments always follow "
            "the tokens won."
        ) % {"size": size}

    def clean_comparison(self) -> str:
        return str(self.cleaned_data["comparison"] or Tournament.Comparison.SUM)

    def clean_least_share(self) -> int:
        averages = self.cleaned_data.get("comparison") == Tournament.Comparison.AVERAGE
        return (self.cleaned_data["least_share"] or 0) if averages else 0

    def clean_three_factor(self) -> str:
        typed = str(self.cleaned_data["three_factor"] or "3/4")
        try:
            return plain_factor(read_factor(typed))
        except ValueError:
            if self.cleaned_data.get("comparison") == Tournament.Comparison.FACTOR:
                raise ValidationError(_("Type a fraction such as 3/4, or 0,75.")) from None
            return "3/4"

    def check_season(self) -> None:
        """A season is the host's own, or its union's."""
        season, host = self.cleaned_data.get("season"), self.cleaned_data.get("host")
        if season and host and not may_have(season, host):
            self.add_error("season", _("This season belongs neither to the host nor to its union."))
