"""What is stored about tournaments; the invariants are database constraints first and code second."""

from tournaments.models.analyses import FolderAnalysis
from tournaments.models.boards import BoardSet, FolderChange
from tournaments.models.chain import ChainLink, RegisterHead, RegisterLink
from tournaments.models.championships import Championship, Stage
from tournaments.models.clubrules import ClubRules
from tournaments.models.entries import Entry, MergedPlayer
from tournaments.models.events import Tournament
from tournaments.models.evidence import Photograph
from tournaments.models.from_home import Application
from tournaments.models.journal import ChangedRow, JournalState
from tournaments.models.kept import (
    DealSort,
    DealSum,
    EveningResult,
    KeptYear,
    RatedEvening,
    Rating,
    RatingState,
    ToldResult,
)
from tournaments.models.ledger import Deal, KeptReport, Penalty, Report
from tournaments.models.log import LogEntry
from tournaments.models.money import Payment
from tournaments.models.old import OldEvent, OldPlace
from tournaments.models.printed import PrintedList, PrintedSheet
from tournaments.models.push import PushMessage, PushSubscription, PushTally
from tournaments.models.seasons import Award, Season
from tournaments.models.seating import Flag, FormerSeat, RevokedSecret, Round, Seat, SeatChange, Table
from tournaments.models.sheet_pictures import SheetPicture
from tournaments.models.teams import Match, Team

__all__ = [
    "Application",
    "Award",
    "BoardSet",
    "ChainLink",
    "Championship",
    "ChangedRow",
    "ClubRules",
    "Deal",
    "DealSort",
    "DealSum",
    "Entry",
    "EveningResult",
    "Flag",
    "FolderAnalysis",
    "FolderChange",
    "FormerSeat",
    "JournalState",
    "KeptReport",
    "KeptYear",
    "LogEntry",
    "Match",
    "MergedPlayer",
    "OldEvent",
    "OldPlace",
    "Payment",
    "Penalty",
    "Photograph",
    "PrintedList",
    "PrintedSheet",
    "PushMessage",
    "PushSubscription",
    "PushTally",
    "RatedEvening",
    "Rating",
    "RatingState",
    "RegisterHead",
    "RegisterLink",
    "Report",
    "RevokedSecret",
    "Round",
    "Season",
    "Seat",
    "SeatChange",
    "SheetPicture",
    "Stage",
    "Table",
    "Team",
    "ToldResult",
    "Tournament",
]
