"""The schema of a tournament's file, and an archive of several."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db import models

from clubs.models import Club
from tournaments.exports.file_items import FIELDS, LATER_FIELDS
from tournaments.exports.tournament_file import FORMAT, VERSION
from tournaments.models import (
    Application,
    Award,
    BoardSet,
    ChainLink,
    Championship,
    Entry,
    FixtureWish,
    Flag,
    FolderChange,
    FormerSeat,
    KeptReport,
    LogEntry,
    Match,
    MatchConfirmation,
    Objection,
    Payment,
    Penalty,
    Postponement,
    PrintedList,
    PrintedSheet,
    Report,
    RevokedSecret,
    Round,
    Season,
    Seat,
    SeatChange,
    Stage,
    Table,
    Team,
    TeamEntry,
    TeamEntryPlayer,
    TeamEntryRuling,
    Tournament,
)

# JSON Schema of a tournament's file, generated from the code that serializes and parses it.
#
# `things.FIELDS` defines the fields of each object, the model field its type, and `things.LATER_FIELDS` which fields
# may be missing in older files. So a new field is in the schema automatically; nesting is defined here, and a test
# validates written files.

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
NUMBER, NUMBER_OR_NONE = {"type": "integer"}, {"type": ["integer", "null"]}
# What a field of each kind is in a file, the first that fits.
KINDS: tuple[tuple[type[models.Field[Any, Any]], Schema], ...] = (
    (models.BooleanField, {"type": "boolean"}),
    (models.IntegerField, {"type": "integer"}),
    (models.DateTimeField, {"type": "string", "format": "date-time"}),
    (models.DateField, {"type": "string", "format": "date"}),
    (models.TimeField, {"type": "string", "format": "time"}),
    (models.UUIDField, {"type": "string", "format": "uuid"}),
    (models.JSONField, {}),
    (models.Field, {"type": "string"}),
)
# Nested objects, and those that older files may lack.
CLUB, CLUB_OR_NONE = {"$ref": "#/$defs/club"}, {"anyOf": [{"$ref": "#/$defs/club"}, {"type": "null"}]}
INSIDE: dict[type[models.Model], Schema] = {
    Team: {"club": CLUB_OR_NONE},
    Objection: {"team": NUMBER_OR_NONE, "entry": NUMBER_OR_NONE, "club": CLUB_OR_NONE},
    TeamEntry: {"club": CLUB, "team": NUMBER_OR_NONE},
    TeamEntryPlayer: {"name": {"type": "string"}, "entry": NUMBER_OR_NONE},
    Entry: {"name": {"type": "string"}, "club": CLUB_OR_NONE, "team": NUMBER_OR_NONE},
    Match: {"home": NUMBER, "away": NUMBER_OR_NONE},
    FixtureWish: {"other": NUMBER_OR_NONE},
    MatchConfirmation: {"team": NUMBER},
    Postponement: {"team": NUMBER},
    Seat: {"entry": NUMBER},
    FormerSeat: {"entry": NUMBER},
    Penalty: {"entry": NUMBER_OR_NONE, "team": NUMBER_OR_NONE, "round": NUMBER_OR_NONE},
    Payment: {"payer": NUMBER_OR_NONE, "payee": NUMBER_OR_NONE},
    Application: {
        "player": {"type": ["string", "null"]},
        "club": CLUB_OR_NONE,
        "lead": NUMBER_OR_NONE,
        "entry": NUMBER_OR_NONE,
    },
    Award: {"entry": NUMBER},
    Season: {"host": CLUB},
    Championship: {"host": CLUB},
}
LATER_INSIDE = {Entry: {"team"}, Penalty: {"team"}, Round: {"matches"}}
OF_TABLES = {
    "seats": Seat,
    "reports": Report,
    "flags": Flag,
    "kept_reports": KeptReport,
    "revoked_secrets": RevokedSecret,
    "former_seats": FormerSeat,
    "seat_changes": SeatChange,
    "folder_changes": FolderChange,
    "printed_sheets": PrintedSheet,
}
LATER_AT_TABLES = {"match", "former_seats", "seat_changes", "folder_changes", "printed_sheets"}
OF_TOURNAMENTS = {
    "teams": Team,
    "entries": Entry,
    "applications": Application,
    "team_entries": TeamEntry,
    "objections": Objection,
    "rounds": Round,
    "penalties": Penalty,
    "payments": Payment,
    "board_sets_dealt": BoardSet,
    "printed_lists": PrintedList,
    "log": LogEntry,
    "chain": ChainLink,
}
LATER_IN_FILES = {
    "series",
    "teams",
    "applications",
    "team_entries",
    "objections",
    "board_sets_dealt",
    "printed_lists",
    "chain",
}


def archive_schema() -> Schema:
    """The JSON schema of the file that `manage.py export` writes and `import` parses."""
    properties = {
        "format": {"const": FORMAT},
        "version": {"type": "integer", "minimum": 1, "maximum": VERSION},
        "host": CLUB,
        "tournament": _thing(Tournament),
        "series": {"anyOf": [_series(), {"type": "null"}]},
        **{name: _list(_whole(model)) for name, model in OF_TOURNAMENTS.items()},
    }
    return {
        "$schema": DIALECT,
        "title": "A tournament of Spadille, whole",
        "description": "As `manage.py export` writes it. It holds names and captains' links, no e-mail and no phone.",
        **_object(properties, LATER_IN_FILES),
        "$defs": {"club": _club()},
    }


def _whole(model: type[models.Model]) -> Schema:
    """An object with its nested objects."""
    if model is Team:
        wishes = {"fixture_wishes": _list(_thing(FixtureWish))}
        return _thing(Team, INSIDE[Team] | wishes, wishes.keys())
    if model is TeamEntry:
        inside = {"players": _list(_thing(TeamEntryPlayer)), "rulings": _list(_thing(TeamEntryRuling))}
        return _thing(TeamEntry, INSIDE[TeamEntry] | inside)
    if model is Match:
        agreed = {
            "confirmations": _list(_thing(MatchConfirmation)),
            "postponements": _list(_thing(Postponement)),
        }
        return _thing(Match, INSIDE[Match] | agreed, agreed.keys())
    if model is Round:
        inside = {"matches": _list(_whole(Match)), "tables": _list(_whole(Table))}
        return _thing(Round, inside, LATER_INSIDE[Round])
    if model is Table:
        lists = {name: _list(_thing(one)) for name, one in OF_TABLES.items()}
        return _thing(Table, {"match": NUMBER_OR_NONE, **lists}, LATER_AT_TABLES)
    return _thing(model)


def _thing(
    model: type[models.Model], inside: Schema | None = None, later: Collection[str] | None = None
) -> Schema:
    fields = {name: _field(model._meta.get_field(name)) for name in FIELDS[model]}
    beside = INSIDE.get(model, {}) if inside is None else inside
    may_lack = LATER_INSIDE.get(model, set()) if later is None else later
    return _object(fields | beside, {*LATER_FIELDS.get(model, ()), *may_lack})


def _field(field: Any) -> Schema:
    kind = next(schema for known, schema in KINDS if isinstance(field, known))
    if field.choices and kind == {"type": "string"}:
        words = [code for code, _label in field.flatchoices]
        kind = {"enum": [*words, ""] if field.blank else words}
    elif field.max_length and "format" not in kind:
        kind = kind | {"maxLength": field.max_length}
    return {"anyOf": [kind, {"type": "null"}]} if field.null and kind else kind


def _club() -> Schema:
    union = {"anyOf": [_thing(Club), {"type": "null"}]}
    return _thing(Club, {"union": union}, {"union"})


def _series() -> Schema:
    season = _thing(Season, INSIDE[Season] | {"awards": _list(_thing(Award))}, {"awards"})
    championship = _thing(Championship, INSIDE[Championship] | {"stages": _list(_thing(Stage))}, set())
    either = {
        "season": {"anyOf": [season, {"type": "null"}]},
        "championship": {"anyOf": [championship, {"type": "null"}]},
        "stage": NUMBER_OR_NONE,
    }
    return _object(either, {"championship"})


def _object(properties: Schema, may_lack: Collection[str]) -> Schema:
    required = sorted(properties.keys() - set(may_lack))
    return {"type": "object", "properties": properties, "required": required}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}
