"""`manage.py changepassword NAME`: Django's command, which says so where there is nobody whose password it could be."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.management.commands import changepassword

from tournaments.running.serving import refuse_empty_folder


class Command(changepassword.Command):
    requires_migrations_checks = False  # they would make an empty database

    def handle(self, *args: Any, **options: Any) -> str | None:
        refuse_empty_folder()
        return super().handle(*args, **options)
