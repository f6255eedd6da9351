"""Forms of the second factor: password or code, throttled as signing in is. Apart: allauth imports what is large."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from django import forms
from django.utils.translation import gettext_lazy as _

from core.throttle import by_name, count_attempt, is_throttled

if TYPE_CHECKING:
    from clubs.models import Account

WAIT = _("Too many wrong attempts. Wait a minute and try again.")
MOST_CODES = 5  # a minute: six digits are few


class PasswordAgainForm(forms.Form):
    password = forms.CharField(
        label=_("Password"),
        strip=False,
        max_length=4096,
        widget=forms.PasswordInput({"autocomplete": "current-password", "autofocus": True}),
    )

    def __init__(self, *args: Any, user: Account, **options: Any) -> None:
        super().__init__(*args, **options)
        self.user = user

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        guesser = by_name("again", str(self.user.pk))
        if is_throttled(guesser):
            raise forms.ValidationError(WAIT)
        if not self.user.check_password(password):
            count_attempt(guesser)
            raise forms.ValidationError(_("This is not your password."))
        return password


class _Throttled:
    """A code of an app, or from the paper. It counts for the account, from wherever it is tried."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        code = self.fields["code"]  # type: ignore[attr-defined]
        code.label, code.max_length = _("Code"), 40
        code.widget.attrs = {"autocomplete": "one-time-code", "inputmode": "numeric", "autofocus": True}

    def clean_code(self) -> str:
        guesser = by_name("code", str(self.user.pk))  # type: ignore[attr-defined]
        if is_throttled(guesser, most=MOST_CODES):
            raise forms.ValidationError(WAIT)
        try:
            return super().clean_code()  # type: ignore[misc]
        except forms.ValidationError:
            count_attempt(guesser)
            raise forms.ValidationError(_("This code is wrong. A code is valid for half a minute.")) from None


class CodeForm(_Throttled, AuthenticateForm):
    """The second factor when one signs in."""


class CodeAgainForm(_Throttled, ReauthenticateForm):
    """A code in place of the password, before what cannot be undone."""
