"""What is typed to enter from home: who one is, and with whom one would play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.names import is_number
from core.forms import NameField
from tournaments.lifecycle.registration.mail import LONGEST_GUEST_NAME, has_address
from tournaments.lifecycle.registration.requests import Wish

if TYPE_CHECKING:
    from tournaments.models import Tournament

LONGEST_NAME_OF_TEAM = 80


def refuse_address(name: str) -> None:
    """Raise ValidationError for a name with an address in it: whoever reads it would be led there."""
    if has_address(name):
        raise ValidationError(_("A name cannot contain a web or email address."))


class WhoField(forms.CharField):
    """A member's number or e-mail address."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(max_length=254, **fields)

    def clean(self, value: Any) -> str:
        typed = str(super().clean(value)).strip()
        if typed and not is_number(typed):
            try:
                validate_email(typed)
            except ValidationError:
                raise ValidationError(_("Type a member number or an email address.")) from None
        return typed


class EnterForm(forms.Form):
    """A member by number or e-mail, or a guest by name; as the format asks, with whom they would play."""

    who = WhoField(
        label=gettext_lazy("Your member number or email address"),
        required=False,
        help_text=gettext_lazy("As recorded in the club’s member list."),
        widget=forms.TextInput({"autocomplete": "email", "autocapitalize": "none", "spellcheck": "false"}),
    )
    guest = NameField(
        label=gettext_lazy("Or, as a guest: your name"),
        max_length=LONGEST_GUEST_NAME,
        validators=[refuse_address],
        required=False,
        widget=forms.TextInput({"autocomplete": "name"}),
    )
    email = forms.EmailField(label=gettext_lazy("The guest’s email address"), required=False)
    team_name = NameField(
        label=gettext_lazy("Name of the team"),
        max_length=LONGEST_NAME_OF_TEAM,
        validators=[refuse_address],
        required=False,
        help_text=gettext_lazy("May be left empty."),
    )

    def __init__(self, *args: Any, tournament: Tournament, has_mail: bool, **fields: Any) -> None:
        super().__init__(*args, **fields)
        allowed, row = tournament.from_home, tournament.format_row
        if not allowed.guests:
            del self.fields["guest"], self.fields["email"]
            self.fields["who"].required = True
        elif not has_mail:
            del self.fields["email"]
        if row.team_size <= 2:  # noqa: PLR2004 - a pair is called by its players
            del self.fields["team_name"]
        self.partner_fields = [f"partner_{place}" for place in range(1, row.team_size)]
        for place, name in enumerate(self.partner_fields, start=1):
            self.fields[name] = WhoField(label=_partner(place, len(self.partner_fields)), required=False)
        if self.partner_fields:
            self.fields[self.partner_fields[-1]].help_text = _(
                "By member number or email address. They accept through a link of their own. Leave it"
                " empty if you do not know yet."
            )

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        guest, who = data.get("guest", ""), data.get("who", "")
        if "guest" in self.fields and not self.errors:
            if guest and who:
                self.add_error("guest", _("Enter either as a member or as a guest."))
            elif not guest and not who:
                self.add_error(
                    "who", _("Say who you are: a member number, an email address or a guest’s name.")
                )
            elif guest and "email" in self.fields and not data.get("email"):
                self.add_error("email", _("Your link is sent there."))
        self._check_partners(who)
        return data

    def _check_partners(self, who: str) -> None:
        named = {who.lower()} - {""}
        for name in self.partner_fields:
            typed = str(self.cleaned_data.get(name, "")).lower()
            if typed and typed in named:
                self.add_error(name, _("This person is named twice."))
            named.add(typed)

    def wish(self) -> Wish:
        data = self.cleaned_data
        return Wish(
            who=data.get("who", ""),
            guest=data.get("guest", ""),
            email=data.get("email", ""),
            partners=tuple(data[name] for name in self.partner_fields if data.get(name)),
            team_name=data.get("team_name", ""),
        )


def _partner(place: int, all_of_them: int) -> str:
    return _("Your partner") if all_of_them == 1 else _("Partner %(place)d") % {"place": place}
