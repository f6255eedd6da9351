"""`manage.py new_secret_key`: sign sessions with another key from now on."""

from __future__ import annotations

import os
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    help = "Makes a new secret key, used from the next start. Nobody is signed out, unless it is done twice."

    def handle(self, *args: Any, **options: Any) -> None:
        if os.environ.get("SECRET_KEY"):
            raise CommandError(
                "SECRET_KEY is set in the environment. Change it there to the new key, a comma and the old "
                "key."
            )
        settings.RENEW_SECRET_KEY(settings.DATA_DIR)
        self.stdout.write("Done. Restart Spadille to use it.")
