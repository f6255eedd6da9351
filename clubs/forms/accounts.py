"""Signing in, passwords, and colleagues."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from django import forms
from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, SetPasswordForm
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from clubs import accounts, first_page
from clubs.accounts import account_named
from clubs.mail.posting import is_set_up
from clubs.models import Account, Club, Role
from clubs.signing_in import guessers
from core.forms import NameField
from core.throttle import count_try, has_tried_enough, take_back_try

Checked = TypeVar("Checked")
PASSWORD_HINT = _("At least 10 letters, digits or symbols. Three words you can remember work well.")


class SignInForm(AuthenticationForm):
    error_messages = {
        "invalid_login": _("Wrong user name or password. Capital letters matter."),
        "inactive": _("This account is closed."),
        "wait": _("Too many wrong passwords. Wait a minute and try again."),
    }

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["username"].label = _("User name")

    def clean_username(self) -> str:
        """The user name as the account has it: phones make first letters large."""
        typed: str = self.cleaned_data["username"]
        account = account_named(typed)
        return account.username if account else typed

    def clean(self) -> dict[str, Any]:
        """Nothing is looked at while the name, or the address, has to wait.

        A try is counted before the password is hashed: of many at once no more are hashed than of one after the other.
        """
        guessed_by = guessers(cast(HttpRequest, self.request), self.cleaned_data.get("username", ""))
        if has_tried_enough(*guessed_by):
            raise forms.ValidationError(self.error_messages["wait"], code="wait")
        count_try(*guessed_by)
        cleaned: dict[str, Any] = super().clean()
        take_back_try(*guessed_by)
        return cleaned


def _checked(check: Callable[[str], Checked], typed: str) -> Checked:
    """What the check returns; its messages, which a model's check has by fields of its own, are the form field's."""
    try:
        return check(typed)
    except forms.ValidationError as error:
        raise forms.ValidationError(error.messages) from None


class FirstPageForm(forms.Form):
    """The first organiser and their club; from another machine the code is a field, too."""

    code = forms.CharField(
        label=_("Code"),
        max_length=20,
        error_messages={"required": _("Type the code.")},
        widget=forms.TextInput(
            {"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}
        ),
        help_text=_("Six letters, shown where Spadille was started: in its terminal or log."),
    )
    club = NameField(
        label=_("Name of the club"),
        max_length=120,
        error_messages={"required": _("Type the name of the club.")},
    )
    full_name = NameField(
        label=_("Your name"),
        max_length=150,
        error_messages={"required": _("Type your name.")},
        widget=forms.TextInput({"autocomplete": "name"}),
    )
    username = forms.CharField(
        label=_("User name"),
        max_length=150,
        error_messages={"required": _("Type a user name.")},
        widget=forms.TextInput({"autocapitalize": "none", "autocomplete": "username"}),
        help_text=_("One word, such as anna: letters, digits and . - _ + @."),
    )
    password = forms.CharField(
        label=_("Password"),
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "new-password"}),
        help_text=PASSWORD_HINT,
    )
    password_again = forms.CharField(
        label=_("The same password again"),
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "new-password"}),
    )
    sample = forms.BooleanField(
        label=_("Try it with sample players first"),
        required=False,
        help_text=_("Sample players are in the middle of an evening. One button removes it all again."),
    )

    def __init__(self, *args: Any, request: HttpRequest, **options: Any) -> None:
        super().__init__(*args, **options)
        self.request = request
        if first_page.is_on_this_machine(request):
            del self.fields["code"]
        elif settings.MACHINE:
            self.fields["code"].help_text = _(
                "Six letters, on the screen of the computer that Spadille runs on."
            )

    def clean_code(self) -> str:
        typed: str = self.cleaned_data["code"]
        if first_page.has_to_wait(self.request):
            raise forms.ValidationError(_("Too many wrong codes. Wait a minute and try again."), code="wait")
        if not first_page.is_right_code(self.request, typed):
            raise forms.ValidationError(
                _("This is not the code. Spadille makes a new one each time it starts: look there again."),
                code="wrong",
            )
        return typed

    def clean_club(self) -> str:
        return _checked(accounts.first_club, self.cleaned_data["club"]).name

    def clean_full_name(self) -> str:
        return _checked(accounts.full_name, self.cleaned_data["full_name"])

    def clean_username(self) -> str:
        return _checked(accounts.first_account, self.cleaned_data["username"]).username

    def clean(self) -> dict[str, Any]:
        """Keep only the code's error, so that a guesser learns nothing about other fields."""
        if "code" in self.errors:
            self._errors = type(self.errors)({"code": self.errors["code"]})
            return self.cleaned_data
        password = self.cleaned_data.get("password")
        if password is None:
            return self.cleaned_data
        try:
            validate_password(password, Account(username=self.cleaned_data.get("username", "")))
        except forms.ValidationError as error:
            self.add_error("password", error)
        if self.cleaned_data.get("password_again", password) != password:
            self.add_error("password_again", _("The two are not the same."))
        return self.cleaned_data


class OwnPasswordForm(SetPasswordForm):
    """Choosing one's own password with a temporary one."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["new_password1"].help_text = PASSWORD_HINT

    def clean_new_password1(self) -> str:
        password: str = self.cleaned_data["new_password1"]
        if self.user.check_password(password):
            raise forms.ValidationError(_("Choose a different password from the one you were given."))
        return password

    def save(self, commit: bool = True) -> Account:
        self.user.password_is_temporary = False
        return super().save(commit)


class ChangePasswordForm(PasswordChangeForm):
    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["new_password1"].help_text = PASSWORD_HINT


class OwnNameForm(forms.Form):
    full_name = NameField(
        label=_("Your name"),
        max_length=150,
        error_messages={"required": _("Type your name.")},
        widget=forms.TextInput({"autocomplete": "name"}),
        help_text=_("As shown in logs and on printed notes."),
    )


class OwnAddressForm(forms.Form):
    """Where one can be written to, as when the password is forgotten."""

    email = forms.EmailField(
        label=_("Email"),
        max_length=254,
        required=False,
        widget=forms.EmailInput({"autocomplete": "email"}),
        help_text=_("We will email a link to confirm the address is yours. Until then, the old one is kept."),
    )


class ForgottenForm(forms.Form):
    asked = forms.CharField(
        label=_("User name or email"),
        max_length=254,
        widget=forms.TextInput({"autocapitalize": "none", "autocomplete": "username"}),
    )


class ColleagueForm(forms.Form):
    """A colleague's new account, or the role in this club for an account they have."""

    username = forms.CharField(
        label=_("User name"),
        max_length=150,
        validators=[UnicodeUsernameValidator()],
        widget=forms.TextInput({"autocapitalize": "none", "autocomplete": "off"}),
        help_text=_("One word, such as anna: letters, digits and . - _ + @."),
    )
    full_name = NameField(label=_("Name"), max_length=150, required=False)
    email = forms.EmailField(
        label=_("Email"),
        max_length=254,
        required=False,
        widget=forms.EmailInput({"autocomplete": "off"}),
        help_text=_("For a new account: they get a link to choose their password."),
    )
    kind = forms.ChoiceField(
        label=_("Role"),
        choices=Role.Kind.choices,
        initial=Role.Kind.HELPER,
        widget=forms.RadioSelect,
        help_text=_(
            "An organiser can do everything for the club. A helper can do what an evening needs: "
            "check in, draw, start and close rounds, enter slips, correct and print."
        ),
    )
    has_account = forms.BooleanField(
        label=_("They already have an account with this user name"),
        required=False,
        help_text=_("They are asked at their desk and get the role when they accept."),
    )

    def __init__(self, *args: Any, club: Club, **options: Any) -> None:
        super().__init__(*args, **options)
        if not is_set_up():
            del self.fields["email"]
        self.club = club
        self.account: Account | None = None
        """Their account, if they have one already."""

    def clean(self) -> dict[str, Any]:
        if "username" not in self.cleaned_data:
            return self.cleaned_data
        found = account_named(self.cleaned_data["username"])
        if not self.cleaned_data["has_account"]:
            if found:
                text = _(
                    "This user name is taken. Choose another, or tick that they already have an account."
                )
                self.add_error("username", text)
        elif found is None:
            self.add_error("username", _("There is no account with this user name."))
        elif found.roles.filter(club=self.club).exists():
            self.add_error("username", _("This account already has a role in the club."))
        elif found.offers.filter(club=self.club).exists():
            self.add_error(
                "username", _("They have already been asked, or have declined: see the list of colleagues.")
            )
        self.account = found
        return self.cleaned_data
