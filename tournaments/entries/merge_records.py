"""The record of a merge of two players: rows changed, deleted and created; and restoring them by it.

The rows that point to either player are compared before and after: so a model that is new is in the record, too.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.apps import apps
from django.db import IntegrityError, models, transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.models import Agreement, Membership, Player, Transfer, UnionNumber
from clubs.register import SILENCE
from tournaments.models import Entry, Rating, TwoPeople

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

# The lines in logs of tournaments and of clubs that name both people.
HUMAN = gettext_noop("No. {number} is {name}: {other} was the same person, listed twice")
APART = gettext_noop("No. {number} is {name} again, not {other}")
IN_CLUB = gettext_noop("{other} was {member}, listed twice: now one person")
APART_IN_CLUB = gettext_noop("{other} and {member} are two people again")
OF_TOURNAMENTS, OF_CLUBS = (HUMAN, APART), (IN_CLUB, APART_IN_CLUB)

Row = dict[str, Any]
# Rows by model and primary key.
Snapshot = dict[str, dict[Any, Row]]
PLAYER = Player._meta.label
# Recalculated from the results.
DERIVED = {Rating._meta.label}


def pointing_to_players() -> Iterator[tuple[type[models.Model], str]]:
    """Every foreign key to a player: the model, and the field's name."""
    for relation in Player._meta.get_fields(include_hidden=True):
        if isinstance(relation, models.ManyToOneRel) and relation.related_model._meta.label not in DERIVED:
            yield relation.related_model, relation.field.name


def take_snapshot(players: Collection[int]) -> Snapshot:
    """The rows of these players, and all that point to them."""
    found: Snapshot = defaultdict(dict)
    pointing: list[tuple[type[models.Model], str]] = [(Player, "pk"), *pointing_to_players()]
    for model, field in pointing:
        columns = [one.attname for one in model._meta.concrete_fields]
        for row in model._base_manager.filter(**{f"{field}__in": players}).values(*columns):
            found[model._meta.label][row[str(model._meta.pk.attname)]] = {
                name: _plain(value) for name, value in row.items()
            }
    return found


def difference(before: Snapshot, after: Snapshot) -> Row:
    """The record of changed, deleted and created rows, as stored; rows with the same changes are together."""
    changed: dict[tuple[str, str], tuple[Row, list[Any]]] = {}
    deleted: dict[str, list[Row]] = defaultdict(list)
    for label, rows in before.items():
        for pk, was in rows.items():
            now = after.get(label, {}).get(pk)
            if now is None:
                deleted[label].append(was)
                continue
            fields = {name: [was[name], now[name]] for name in was if was[name] != now[name]}
            if fields:
                changed.setdefault((label, repr(fields)), (fields, []))[1].append(_plain(pk))
    created = {
        label: [_plain(pk) for pk in rows.keys() - before.get(label, {}).keys()]
        for label, rows in after.items()
    }
    return {
        "changed": [[label, fields, keys] for (label, _said), (fields, keys) in changed.items()],
        "deleted": dict(deleted),
        "created": {label: keys for label, keys in created.items() if keys},
        # Rows with higher keys are newer.
        "newest": {label: max(rows) for label, rows in after.items() if all(type(pk) is int for pk in rows)},
    }


def put_back(moved: Mapping[str, Any], *, kept: Player, now: datetime) -> list[str]:
    """Undo the changes of a record; returns messages about those that could not be, having changed since."""
    left: list[str] = []
    deleted = dict(moved["deleted"])
    # What the joined person has withdrawn since stays withdrawn, for both.
    topics = set(kept.agreements.values_list("topic", flat=True))
    agreed = deleted.pop(Agreement._meta.label, [])
    deleted[Agreement._meta.label] = [row for row in agreed if row["topic"] in topics]
    for row in deleted.pop(PLAYER):
        _instance(Player, row).save(force_insert=True)
    for label, keys in moved["created"].items():
        apps.get_model(label)._default_manager.filter(pk__in=keys).delete()
    for label, fields, keys in moved["changed"]:
        left += _change_back(apps.get_model(label), fields, keys)
    for label, rows in deleted.items():
        left += [said for row in rows if (said := _insert(apps.get_model(label), row, now))]
    left += _memberships_ended_since(deleted.get(Membership._meta.label, []), kept)
    return left


def _memberships_ended_since(rows: Collection[Row], kept: Player) -> Iterator[str]:
    """The restored memberships that the joined person has ended since, as text."""
    clubs = kept.memberships.filter(left=None).values("club")
    again = Membership.objects.filter(pk__in=[row["id"] for row in rows], left=None).exclude(club__in=clubs)
    text = _("%(name)s is a member of %(club)s again, although the membership was ended after the merge.")
    for held in again.select_related("player", "club").order_by("pk"):
        yield text % {"name": held.player, "club": held.club}


def _change_back(
    model: type[models.Model], fields: Mapping[str, list[Any]], keys: list[Any]
) -> Iterator[str]:
    """Give rows their former values, field by field, where they have not changed since."""
    rows = model._default_manager.in_bulk(keys)
    alike: dict[frozenset[str], list[Any]] = defaultdict(list)
    for pk, row in rows.items():
        same = frozenset(
            name for name, (_was, became) in fields.items() if _plain(getattr(row, name)) == became
        )
        alike[same].append(pk)
        if len(same) < len(fields):
            yield _("%(what)s has been changed since.") % {"what": _what(row)}
    for same, some in alike.items():
        # By field names, not columns: the recorded update expects them.
        values = {_field(model, name).name: _python(model, name, fields[name][0]) for name in same}
        if not values or _update(model, some, values):
            continue
        for pk in some:
            if not _update(model, [pk], values):
                yield _("%(what)s stays as it is: there is now another one.") % {"what": _what(rows[pk])}
    for _missing in range(len(keys) - len(rows)):
        said = _words(model)
        yield _("%(what)s has been removed since.") % {"what": said}


def _update(model: type[models.Model], keys: list[Any], values: Mapping[str, Any]) -> bool:
    """Whether the database takes these values for these rows."""
    try:
        with transaction.atomic():
            model._default_manager.filter(pk__in=keys).update(**values)
    except IntegrityError:
        return False
    return True


def _insert(model: type[models.Model], row: Row, now: datetime) -> str:
    """Store a deleted row again; returns in words what could not be stored as it was."""
    thing: Any = _instance(model, row)
    if _is_dangling(thing):
        if isinstance(thing, TwoPeople):
            return ""
        text = _("%(what)s cannot come back: what it belongs to has been removed since.")
        return text % {"what": _words(model)}
    if isinstance(thing, Transfer) and thing.is_open and thing.asked_at <= now - SILENCE:
        # Silence means consent, but no one could answer meanwhile.
        thing.state, thing.answered_at = Transfer.State.WITHDRAWN, now
        return _save(thing) or _("The transfer to %(club)s is withdrawn: ask again.") % {"club": thing.club}
    if isinstance(thing, Membership) and _save(thing):
        thing.number = None
        return _save(thing) or _("The number in %(club)s now belongs to someone else.") % {"club": thing.club}
    if isinstance(thing, UnionNumber) and _save(thing):
        text = _("Number %(number)s in %(union)s now belongs to someone else.")
        return text % {"number": thing.number, "union": thing.union}
    return "" if isinstance(thing, (Membership, UnionNumber)) else _save(thing)


def _is_dangling(thing: models.Model) -> bool:
    """Whether a row points to something deleted: the database would only say so at the end of the transaction."""
    return any(
        key is not None and not field.related_model._base_manager.filter(pk=key).exists()
        for field in thing._meta.concrete_fields
        if isinstance(field, models.ForeignKey)
        for key in [getattr(thing, field.attname)]
    )


def _save(thing: models.Model) -> str:
    """Store a new row; returns in words why that cannot be."""
    try:
        with transaction.atomic():
            thing.save(force_insert=True)
    except IntegrityError:
        return _("%(what)s cannot come back: there is now another one.") % {"what": _what(thing)}
    return ""


WORDS = {
    "Entry": gettext_noop("The place in a tournament"),
    "Membership": gettext_noop("The membership"),
    "MainClub": gettext_noop("The main club"),
    "Transfer": gettext_noop("The transfer"),
    "Application": gettext_noop("The application"),
    "Award": gettext_noop("The title"),
    "OldPlace": gettext_noop("The old result"),
    "Qualifier": gettext_noop("The answer about a championship"),
    "QualifierQuestion": gettext_noop("The question about a championship"),
    "TeamEntryPlayer": gettext_noop("The place in a club’s team"),
}
DETAIL = gettext_noop("A detail")


def _words(model: type[models.Model]) -> str:
    text = WORDS.get(model.__name__, DETAIL)
    return _(text)


def _what(thing: models.Model) -> str:
    """A row in words, such as “The membership (Anna Holm (Stilling))”."""
    if isinstance(thing, Player):
        return _("The email, phone or language of %(name)s") % {"name": thing}
    said = _words(type(thing))
    return f"{said} ({thing.tournament if isinstance(thing, Entry) else thing})"


def _instance(model: type[models.Model], row: Row) -> models.Model:
    return model(**{name: _python(model, name, value) for name, value in row.items()})


def _python(model: type[models.Model], attname: str, value: Any) -> Any:
    field = _field(model, attname)
    return (field.target_field if isinstance(field, models.ForeignKey) else field).to_python(value)


def _field(model: type[models.Model], attname: str) -> models.Field[Any, Any]:
    return next(one for one in model._meta.concrete_fields if one.attname == attname)


def _plain(value: Any) -> Any:
    """A value of a column as JSON has it."""
    if isinstance(value, (date, datetime)):
        return value.isoformat()
    return str(value) if isinstance(value, (Decimal, UUID)) else value
