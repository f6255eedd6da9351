"""Money: stored as whole øre, parsed and formatted as kroner."""

import re
from decimal import Decimal

from django.utils.formats import number_format

# Kroner with or without a sign between thousands, which is not the sign before the øre; or øre alone.
_TYPED = re.compile(
    r"""(?: (?P<plain>[0-9]{1,7}) (?: [.,] (?P<after_plain>[0-9]{1,2}) )?
          | (?P<grouped>[1-9][0-9]{0,2} (?P<between>[.,\ ]) [0-9]{3} (?: (?P=between) [0-9]{3} )?)
            (?: (?!(?P=between)) [.,] (?P<after_grouped>[0-9]{1,2}) )?
          | [.,] (?P<alone>[0-9]{1,2})
        )""",
    re.VERBOSE,
)
_UNIT = re.compile(r"\s*kr\.?$|,-$")
# A comma between amounts has a blank after it: without one it is part of an amount.
_BETWEEN = re.compile(r"(?:\s|[;/+]|,\s)+|,$")
_HARD_BLANKS = dict.fromkeys(map(ord, "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"), " ")


def read_kroner(typed: str) -> int:
    """Øre from "0,25", "12", "12,50 kr.", "1.950,00", "1,950.00" or "300,-"; nothing typed is nothing.

    A point or comma before three digits is one between thousands. Raises ValueError.
    """
    plain = _UNIT.sub("", typed.translate(_HARD_BLANKS).strip().lower()).strip()
    if not plain:
        return 0
    match = _TYPED.fullmatch(plain)
    if match is None:
        raise ValueError(typed)
    kroner = re.sub(r"[^0-9]", "", match["plain"] or match["grouped"] or "0")
    hundredths = (match["after_plain"] or match["after_grouped"] or match["alone"] or "").ljust(2, "0")
    return int(kroner) * 100 + int(hundredths)


def read_amounts(typed: str) -> list[int]:
    """Øre of each amount of a list: "300 200 100", "1.500; 750 kr.; 300,-". Raises ValueError."""
    parts = [part for part in _BETWEEN.split(typed.strip()) if part]
    return [read_kroner(part) for part in parts if part.lower() not in {"kr", "kr."}]


def in_kroner(amount: int) -> str:
    """Øre as kroner in the reader's way of writing, as "1.950,00" or "1,950.00"."""
    return number_format(Decimal(amount) / 100, decimal_pos=2, force_grouping=True)


def to_type(amount: int) -> str:
    """Øre as kroner as short as people type them: "1.950", or "12,50"."""
    kroner, over = divmod(amount, 100)
    return in_kroner(amount) if over else number_format(kroner, force_grouping=True)


def signed_kroner(amount: int) -> str:
    """Øre as kroner with their sign, plus too; nothing has none."""
    sign = "" if not amount else "+" if amount > 0 else "\N{MINUS SIGN}"
    return sign + in_kroner(abs(amount))
