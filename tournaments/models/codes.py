"""Short codes that are unique: a code made by lot may be taken, more often the longer a server has been used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core import text

if TYPE_CHECKING:
    from django.db.models import Model


def free_codes(model: type[Model], count: int) -> list[str]:
    """So many codes that no row of this kind has, each another."""
    free: set[str] = set()
    while len(free) < count:
        new = {text.make_code() for _one in range(count - len(free))}
        free |= new - set(model._default_manager.filter(code__in=new).values_list("code", flat=True))
    return list(free)


def free_code(model: type[Model]) -> str:
    return free_codes(model, 1)[0]
