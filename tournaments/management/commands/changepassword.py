"""`manage.py changepassword NAME`: Django's command, with a clear message for an unknown name."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.management.commands import changepassword

from clubs.models import Account
from clubs.sign_in import remove_factors
from core.database import refuse_empty_folder


class Command(changepassword.Command):
    requires_migrations_checks = False  # they would make an empty database

    def handle(self, *args: Any, **options: Any) -> str | None:
        refuse_empty_folder()
        said = super().handle(*args, **options)
        # Who lost the phone with the second factor, and the paper, is let in again here.
        account = Account.objects.filter(username=options["username"]).first()
        if account and remove_factors(account):
            self.stdout.write(f"{account.username} no longer has a second factor.")
        return said
