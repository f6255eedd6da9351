"""Signing in and out, and passwords."""

from typing import Any

from allauth.usersessions.models import UserSession
from axes.utils import reset as unlock
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
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
from django.views.decorators.cache import never_cache

from clubs.accounts import rename
from clubs.forms.accounts import (
    ChangePasswordForm,
    OwnAddressForm,
    OwnNameForm,
    OwnPasswordForm,
    SignInForm,
)
from clubs.mail.of_accounts import own_password_path
from clubs.mail.posting import is_set_up
from clubs.models import Account
from clubs.offers import offers_to
from clubs.sign_in_steps import sign_in
from core.text import line_to_type

TOO_MANY_REQUESTS = 429


class OwnRequest(HttpRequest):
    """A request of somebody who is signed in."""

    user: Account


class SignIn(LoginView):
    """A temporary password opens nothing but the page where one's own is chosen."""

    template_name = "clubs/login.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        return super().get_context_data(
            password_command=line_to_type("changepassword anna", on_a_page=True),
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
    """Choose a password with an address that works once, and be signed in; a second factor is asked for too."""

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
    """One's own name, and the way to change one's password."""
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
