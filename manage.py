#!/usr/bin/env python
"""Django's command line for Spadille."""

import os
import sys

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import OperationalError
from environs import EnvError

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        settings.configured or settings.DEBUG  # noqa: B018 - reads them all
    except (EnvError, ImproperlyConfigured, OSError, ValueError) as error:
        sys.exit(f"Spadille cannot start: {error}")
    try:
        execute_from_command_line(sys.argv)
    except OperationalError as error:
        said = str(error).strip().splitlines()
        sys.exit(f"Spadille's database does not answer: {said[0] if said else 'it says nothing'}")
