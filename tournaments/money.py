"""Amounts as people write them: stored as whole øre, read and shown as kroner."""

import re
from decimal import Decimal

from django.utils.formats import number_format

_TYPED = re.compile(r"([0-9]{1,7})(?:[.,]([0-9]{1,2}))?|[.,]([0-9]{1,2})")


def read_kroner(typed: str) -> int:
    """Øre from "0,25", "0.25", "12", ",5" or "12,50 kr."; nothing typed is nothing. Raises ValueError."""
    plain = typed.strip().lower().removesuffix("kr.").removesuffix("kr").strip()
    if not plain:
        return 0
    match = _TYPED.fullmatch(plain)
    if match is None:
        raise ValueError(typed)
    kroner, after_point, after_bare_point = match.groups()
    hundredths = (after_point or after_bare_point or "").ljust(2, "0")
    return int(kroner or 0) * 100 + int(hundredths)


def in_kroner(amount: int) -> str:
    """Øre as kroner in the reader's way of writing, as "12,50" or "12.50"."""
    return number_format(Decimal(amount) / 100, decimal_pos=2)


def signed_kroner(amount: int) -> str:
    """Øre as kroner with their sign, plus too; nothing has none."""
    sign = "" if not amount else "+" if amount > 0 else "\N{MINUS SIGN}"
    return sign + in_kroner(abs(amount))
