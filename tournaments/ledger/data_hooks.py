"""The clubs' and tournaments' models and files for backups and the journal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clubs.models import Account, Club, ClubLogEntry
from core.data_hooks import DataHooks
from tournaments.models import LogEntry, Photograph, Report, SheetPicture, Table, Tournament
from tournaments.models.append_only import CHAIN, REPORTS
from tournaments.models.ledger import photographs_folder

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from django.db.models import Model


class TournamentData(DataHooks):
    """`settings.DATA_HOOKS`: the models of clubs and tournaments, and photographs."""

    counted = (Club, Account, Tournament, Table, Report)
    root = Club
    lacking = "there is no club in it"
    written = (Report, LogEntry, ClubLogEntry)
    not_followed = {
        "tournaments.ChangedRow": "what the journal has still to write",
        "tournaments.JournalState": "how far it is",
        "tournaments.PushSubscription": "phones that are told, for an evening: they ask again",
        "tournaments.PushMessage": "what they are told",
        "tournaments.PushTally": "how many of these were sent from here",
        "jobs": "jobs, which are asked for again",
        "sessions": "who is signed in signs in again",
        "axes": "who tried to sign in",
        "contenttypes": "made with the database",
        "auth": "permissions and groups of Django's, which the program does not use",
        "clubs.Account_groups": "the same",
        "clubs.Account_user_permissions": "the same",
    }
    append_only = frozenset({REPORTS, CHAIN})

    def describe(self, counts: Mapping[str, int]) -> str:
        tournaments, reports = (counts[model._meta.db_table] for model in (Tournament, Report))
        return f"{tournaments} tournament(s), {reports} report(s)"

    def files_folder(self) -> Path:
        return photographs_folder()

    def files(self) -> set[str]:
        return SheetPicture.names_to_back_up()

    def has_file(self, model: type[Model], row: Mapping[str, Any]) -> bool:
        """Whether a picture in a backup belongs to this row: a picture that was read belongs to its photograph."""
        if model is SheetPicture:
            return bool(row["state"] != SheetPicture.State.UNREADABLE and row["photograph_id"] is None)
        return model is Photograph
