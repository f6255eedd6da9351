"""Pages of the own account: sign in and out, passwords, e-mail address, sessions; forms of accounts and roles."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

from allauth.usersessions.models import UserSession
from axes.utils import reset as unlock
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, SetPasswordForm
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.contrib.auth.views import (
    LoginView,
    LogoutView,
    PasswordChangeView,
    PasswordResetConfirmView,
)
from django.core.exceptions import NON_FIELD_ERRORS
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse_lazy
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from clubs import accounts, first_page
from clubs.accounts import account_named, offers_to, rename
from clubs.mail.letters import (
    confirmed_address,
    own_password_path,
    request_confirmation,
    request_new_password,
)
from clubs.mail.outbox import is_set_up
from clubs.models import Account, Club, Role
from clubs.sign_in import guessers, require_recent_sign_in, sign_in
from clubs.views.guards import MemberRequest, sign_in_required
from core.forms import NameField
from core.text import shell_command
from core.throttle import by_address, by_name, count_attempt, is_throttled, uncount_attempt

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse
    from django.utils.functional import _StrPromise as StrPromise


Checked = TypeVar("Checked")
PASSWORD_HINT = gettext_lazy(
    "At least 10 letters, digits or symbols. Three words you can remember work well."
)


class SignInForm(AuthenticationForm):
    error_messages = {
        "invalid_login": gettext_lazy("Wrong user name or password. Capital letters matter."),
        "inactive": gettext_lazy("This account is closed."),
        "wait": gettext_lazy("Too many wrong passwords. Wait a minute and try again."),
    }

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["username"].label = gettext_lazy("User name")

    def clean_username(self) -> str:
        """The user name as the account has it: phones make first letters large."""
        typed: str = self.cleaned_data["username"]
        account = account_named(typed)
        return account.username if account else typed

    def clean(self) -> dict[str, Any]:
        """Throttle guesses by name and address before validating the password.

        A try is counted before the password is hashed: of many at once no more are hashed than of one after the other.
        """
        guessed_by = guessers(cast(HttpRequest, self.request), self.cleaned_data.get("username", ""))
        if is_throttled(*guessed_by):
            raise forms.ValidationError(self.error_messages["wait"], code="wait")
        count_attempt(*guessed_by)
        cleaned: dict[str, Any] = super().clean()
        uncount_attempt(*guessed_by)
        return cleaned


def _checked(check: Callable[[str], Checked], typed: str) -> Checked:
    """Call a model's validation; turn its errors, which name fields of the model, into errors of the form field."""
    try:
        return check(typed)
    except forms.ValidationError as error:
        raise forms.ValidationError(error.messages) from None


class FirstPageForm(forms.Form):
    """The first organiser and their club; from another machine the code is a field, too."""

    code = forms.CharField(
        label=gettext_lazy("Code"),
        max_length=20,
        error_messages={"required": gettext_lazy("Type the code.")},
        widget=forms.TextInput(
            {"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}
        ),
        help_text=gettext_lazy("Six letters, shown where Spadille was started: in its terminal or log."),
    )
    club = NameField(
        label=gettext_lazy("Name of the club"),
        max_length=120,
        error_messages={"required": gettext_lazy("Type the name of the club.")},
    )
    full_name = NameField(
        label=gettext_lazy("Your name"),
        max_length=150,
        error_messages={"required": gettext_lazy("Type your name.")},
        widget=forms.TextInput({"autocomplete": "name"}),
    )
    username = forms.CharField(
        label=gettext_lazy("User name"),
        max_length=150,
        error_messages={"required": gettext_lazy("Type a user name.")},
        widget=forms.TextInput({"autocapitalize": "none", "autocomplete": "username"}),
        help_text=gettext_lazy("One word, such as anna: letters, digits and . - _ + @."),
    )
    password = forms.CharField(
        label=gettext_lazy("Password"),
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "new-password"}),
        help_text=PASSWORD_HINT,
    )
    password_again = forms.CharField(
        label=gettext_lazy("The same password again"),
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "new-password"}),
    )
    sample = forms.BooleanField(
        label=gettext_lazy("Try it with sample players first"),
        required=False,
        help_text=gettext_lazy(
            "Sample players are in the middle of an evening. One button removes it all again."
        ),
    )

    def __init__(self, *args: Any, request: HttpRequest, **options: Any) -> None:
        super().__init__(*args, **options)
        self.request = request
        if first_page.is_on_this_machine(request):
            del self.fields["code"]
        elif settings.MACHINE:
            self.fields["code"].help_text = gettext_lazy(
                "Six letters, on the screen of the computer that Spadille runs on."
            )

    def clean_code(self) -> str:
        typed: str = self.cleaned_data["code"]
        if first_page.has_to_wait(self.request):
            raise forms.ValidationError(
                gettext_lazy("Too many wrong codes. Wait a minute and try again."), code="wait"
            )
        if not first_page.is_right_code(self.request, typed):
            raise forms.ValidationError(
                gettext_lazy(
                    "This is not the code. Spadille makes a new one each time it starts: look there again."
                ),
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
            self.add_error("password_again", gettext_lazy("The two are not the same."))
        return self.cleaned_data


class OwnPasswordForm(SetPasswordForm):
    """Choosing one's own password with a temporary one."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["new_password1"].help_text = PASSWORD_HINT

    def clean_new_password1(self) -> str:
        password: str = self.cleaned_data["new_password1"]
        if self.user.check_password(password):
            raise forms.ValidationError(
                gettext_lazy("Choose a different password from the one you were given.")
            )
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
        label=gettext_lazy("Your name"),
        max_length=150,
        error_messages={"required": gettext_lazy("Type your name.")},
        widget=forms.TextInput({"autocomplete": "name"}),
        help_text=gettext_lazy("As shown in logs and on printed notes."),
    )


class OwnAddressForm(forms.Form):
    """The form of the account's e-mail address, used for password resets."""

    email = forms.EmailField(
        label=gettext_lazy("Email"),
        max_length=254,
        required=False,
        widget=forms.EmailInput({"autocomplete": "email"}),
        help_text=gettext_lazy(
            "We will email you a link to confirm that the address is yours. Until then, the old one is kept."
        ),
    )


class ForgottenForm(forms.Form):
    asked = forms.CharField(
        label=gettext_lazy("User name or email"),
        max_length=254,
        widget=forms.TextInput({"autocapitalize": "none", "autocomplete": "username"}),
    )


class ColleagueForm(forms.Form):
    """A colleague's new account, or the role in this club for an account they have."""

    username = forms.CharField(
        label=gettext_lazy("User name"),
        max_length=150,
        validators=[UnicodeUsernameValidator()],
        widget=forms.TextInput({"autocapitalize": "none", "autocomplete": "off"}),
        help_text=gettext_lazy("One word, such as anna: letters, digits and . - _ + @."),
    )
    full_name = NameField(label=gettext_lazy("Name"), max_length=150, required=False)
    email = forms.EmailField(
        label=gettext_lazy("Email"),
        max_length=254,
        required=False,
        widget=forms.EmailInput({"autocomplete": "off"}),
        help_text=gettext_lazy("For a new account: they get a link to choose their password."),
    )
    kind = forms.ChoiceField(
        label=gettext_lazy("Role"),
        choices=Role.Kind.choices,
        initial=Role.Kind.HELPER,
        widget=forms.RadioSelect,
        help_text=gettext_lazy(
            "An organiser can do everything for the club. A helper can do what an evening needs: "
            "check in, draw, start and close rounds, enter slips, correct and print."
        ),
    )
    has_account = forms.BooleanField(
        label=gettext_lazy("They already have an account with this user name"),
        required=False,
        help_text=gettext_lazy("They are asked on their desk page and get the role when they accept."),
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
                text = gettext_lazy(
                    "This user name is taken. Choose another, or tick that they already have an account."
                )
                self.add_error("username", text)
        elif found is None:
            self.add_error("username", gettext_lazy("There is no account with this user name."))
        elif taken := self.why_not(found):
            self.add_error("username", taken)
        self.account = found
        return self.cleaned_data

    def why_not(self, account: Account) -> StrPromise | str:
        """The message for an account that cannot be chosen; "" for one that can."""
        if account.roles.filter(club=self.club).exists():
            return gettext_lazy("This account already has a role in the club.")
        if account.offers.filter(club=self.club).exists():
            return gettext_lazy("They have already been asked, or have declined: see the list of colleagues.")
        return ""


TOO_MANY_REQUESTS = 429


class OwnRequest(HttpRequest):
    """A request of a signed-in user."""

    user: Account


class SignIn(LoginView):
    """A temporary password opens nothing but the page where one's own is chosen."""

    template_name = "clubs/login.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        return super().get_context_data(
            password_command=shell_command("changepassword anna", on_a_page=True),
            is_set_up=is_set_up(),
            is_server=settings.HTTPS or connection.vendor != "sqlite",
            **context,
        )

    def form_valid(self, form: Any) -> HttpResponse:
        account = form.get_user()
        if account.password_is_temporary:
            return redirect(own_password_path(account))
        return sign_in(self.request, account, self.get_success_url())

    def form_invalid(self, form: Any) -> HttpResponse:
        status = TOO_MANY_REQUESTS if form.has_error(NON_FIELD_ERRORS, "wait") else None
        return self.render_to_response(self.get_context_data(form=form), status=status)


class ChooseOwnPassword(PasswordResetConfirmView):
    """Choose a password by a one-time link, and be signed in; a second factor is required too."""

    template_name = "clubs/choose_password.html"
    form_class = OwnPasswordForm
    success_url = reverse_lazy(settings.LOGIN_REDIRECT_URL)

    def form_valid(self, form: Any) -> HttpResponse:
        super().form_valid(form)
        unlock(username=form.user.username)
        return sign_in(self.request, form.user, str(self.success_url))


class ChangePassword(PasswordChangeView):
    template_name = "clubs/change_password.html"
    form_class = ChangePasswordForm
    success_url = reverse_lazy("my_account")

    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(self.request, _("Your password is changed."))
        answer = super().form_valid(form)
        UserSession.objects.create_from_request(self.request)  # under a new key; the others are ended
        return answer


@never_cache
@login_required
def my_account(request: OwnRequest) -> HttpResponse:
    """The page of the user's own account: name, password, e-mail address, second factor."""
    account = request.user
    sent = request.POST if request.method == "POST" else None
    form = OwnNameForm(sent, initial={"full_name": account.get_full_name()})
    if form.is_valid():
        rename(account, form.cleaned_data["full_name"], now=timezone.now())
        messages.success(request, _("Your name has been saved: %(name)s") % {"name": account})
        return redirect("my_account")
    context = {
        "form": form,
        "is_set_up": is_set_up(),
        "address_form": OwnAddressForm(initial={"email": account.email}),
        "offers": offers_to(account),
        "roles": account.roles.select_related("club"),
    }
    return render(request, "clubs/my_account.html", context)


urlpatterns = [
    path("my-account/", my_account, name="my_account"),
    path("login/", SignIn.as_view(), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("password/", ChangePassword.as_view(), name="password"),
    path("password/<uidb64>/<token>/", ChooseOwnPassword.as_view(), name="password_own"),
]


NO_SUCH = 404
MOST_ASKED = 5  # a minute, for one name or from one address
MOST_SESSIONS = 50


@never_cache
def password_forgotten(request: HttpRequest) -> HttpResponse:
    """Send a link to the account with this user name or address; the response is the same if there is none."""
    form = ForgottenForm(request.POST if request.method == "POST" else None)
    context = {"form": form, "is_set_up": is_set_up(), "sent": False}
    if not (is_set_up() and form.is_valid()):
        return render(request, "clubs/forgotten.html", context)
    asked = form.cleaned_data["asked"].strip()
    counted = by_name("forgotten", asked), by_address("forgotten-from", request.META.get("REMOTE_ADDR", ""))
    if is_throttled(*counted, most=MOST_ASKED):
        form.add_error(None, _("Too many requests. Wait a minute and try again."))
        return render(request, "clubs/forgotten.html", context, status=TOO_MANY_REQUESTS)
    count_attempt(*counted)
    request_new_password(asked)
    return render(request, "clubs/forgotten.html", context | {"sent": True})


@never_cache
@require_POST
@sign_in_required
@require_recent_sign_in
def own_address(request: MemberRequest) -> HttpResponse:
    """Change the e-mail address: a new one must be confirmed by a link sent there. Removing it takes effect at once."""
    form, account = OwnAddressForm(request.POST), request.user
    guesser = by_name("address", account.username)
    if not form.is_valid():
        messages.error(request, str(form.errors["email"][0]))
    elif not (address := form.cleaned_data["email"]):
        account.email = ""
        account.save(update_fields=["email"])
        messages.success(request, _("Your account no longer has an email address."))
    elif is_throttled(guesser, most=MOST_ASKED):
        messages.warning(request, _("Too many requests. Wait a minute and try again."))
    elif request_confirmation(account, address):
        count_attempt(guesser)
        text = _("An email is on its way to %(address)s. Open the link in it to confirm the address.")
        messages.success(request, text % {"address": address})
    else:
        messages.warning(request, _("Emails cannot be sent to this address."))
    return redirect("my_account")


@never_cache
@sign_in_required
def address_confirm(request: MemberRequest, token: str) -> HttpResponse:
    """Confirm an e-mail address by its link: with a button, since mail scanners open links."""
    account = request.user
    if not (address := confirmed_address(token, account)):
        return render(request, "clubs/address_confirm.html", {"address": ""}, status=NO_SUCH)
    if request.method != "POST":
        return render(request, "clubs/address_confirm.html", {"address": address})
    account.email = address
    account.save(update_fields=["email"])
    messages.success(request, _("Emails to you now go to %(address)s.") % {"address": address})
    return redirect("my_account")


@never_cache
@sign_in_required
def own_sessions(request: MemberRequest) -> HttpResponse:
    """List the account's sessions. A POST ends one of these, or all but this one."""
    if not UserSession.objects.filter(session_key=request.session.session_key).exists():
        UserSession.objects.create_from_request(request)  # signed in before sessions were listed
    if request.method == "POST":
        return _end(request)
    mine = UserSession.objects.filter(user=request.user).order_by("-created_at")[:MOST_SESSIONS]
    shown = [
        (held, browser_named(held.user_agent), held.session_key == request.session.session_key)
        for held in mine
        if not held.purge()
    ]
    return render(request, "clubs/sessions.html", {"sessions": shown})


def _end(request: MemberRequest) -> HttpResponse:
    others = UserSession.objects.filter(user=request.user).exclude(session_key=request.session.session_key)
    one = request.POST.get("session", "")
    for held in others if "all" in request.POST else others.filter(pk=one if one.isdecimal() else 0):
        held.end()
    messages.success(request, _("Signed out: anyone signed in there must sign in again."))
    return redirect("own_sessions")


urlpatterns += [
    path("my-account/address/", own_address, name="own_address"),
    path("my-account/address/<token>/", address_confirm, name="address_confirm"),
    path("my-account/sessions/", own_sessions, name="own_sessions"),
    path("password/forgotten/", password_forgotten, name="password_forgotten"),
]


# The most specific first: most browsers contain Chrome or Safari in their name too, and Android contains Linux.
_BROWSERS = {
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "Edg": "Edge",
    "OPR": "Opera",
    "SamsungBrowser": "Samsung",
    "CriOS": "Chrome",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
_SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "Macintosh": "Mac",
    "Linux": "Linux",
}


def browser_named(agent: str) -> str:
    """“Firefox, Windows” for a User-Agent header; "" for an unknown one."""
    found = (
        next((name for said, name in kind.items() if said in agent), "") for kind in (_BROWSERS, _SYSTEMS)
    )
    return ", ".join(filter(None, found))
