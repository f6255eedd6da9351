"""Tokens as every page writes them."""

from django import template
from django.utils.formats import number_format

from tournaments.boards.text import in_tenths
from tournaments.domain.terms import MINUS, signed

register = template.Library()
register.filter("signed", signed)
register.filter("tenths", in_tenths)


@register.filter
def signed_average(tokens: float) -> str:
    """An average with its sign and two decimals, in the reader's way of writing: +1.25 or +1,25."""
    written = number_format(abs(round(tokens, 2)), decimal_pos=2)
    sign = "+" if round(tokens, 2) > 0 else MINUS if round(tokens, 2) < 0 else ""
    return sign + written
