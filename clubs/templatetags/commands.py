"""Commands as they are typed where this Spadille runs."""

from django import template
from django.conf import settings

register = template.Library()


@register.simple_tag
def command(name: str) -> str:
    """“manage.py verify” in a clone of the program, “spadille verify” where it is installed."""
    return f"{settings.COMMAND} {name}"
