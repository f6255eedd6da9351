"""The models of tournaments; invariants are database constraints first and code second."""

from core.journal.models import ChangedRow, JournalState
from tournaments.models.audit import ChainLink, LogEntry, RegisterHead, RegisterLink
from tournaments.models.club import ClubRules, HandOver, OldEvent, OldPlace
from tournaments.models.derived import (
    DealSort,
    DealSum,
    EveningPlaces,
    EveningResult,
    KeptYear,
    RatedEvening,
    Rating,
    RatingState,
    ToldResult,
)
from tournaments.models.dues import Statement, UnionFees
from tournaments.models.events import Award, Championship, Season, Stage, Tournament
from tournaments.models.leagues import FixtureWish, MatchConfirmation, Postponement
from tournaments.models.ledger import (
    BoardSet,
    Deal,
    FolderAnalysis,
    FolderChange,
    KeptReport,
    Penalty,
    Photograph,
    PrintedList,
    PrintedSheet,
    Report,
    SeasonDeal,
    SheetPicture,
)
from tournaments.models.objections import Objection
from tournaments.models.officials import Official
from tournaments.models.people import ErasureProposal, MergedPlayer, PlayerMerge, TwoPeople
from tournaments.models.play import (
    Entry,
    Flag,
    FormerSeat,
    Match,
    Payment,
    RevokedSecret,
    Round,
    Seat,
    SeatChange,
    Table,
    Team,
)
from tournaments.models.points import PointsRule, PointsTable, PublishedList, PublishedRow
from tournaments.models.push import PushMessage, PushSubscription, PushTally
from tournaments.models.quotas import Qualifier, Quota
from tournaments.models.registration import Application
from tournaments.models.team_entries import TeamEntry, TeamEntryLink, TeamEntryPlayer, TeamEntryRuling

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
    "ErasureProposal",
    "EveningPlaces",
    "EveningResult",
    "FixtureWish",
    "Flag",
    "FolderAnalysis",
    "FolderChange",
    "FormerSeat",
    "HandOver",
    "JournalState",
    "KeptReport",
    "KeptYear",
    "LogEntry",
    "Match",
    "MatchConfirmation",
    "MergedPlayer",
    "Objection",
    "Official",
    "OldEvent",
    "OldPlace",
    "Payment",
    "Penalty",
    "Photograph",
    "PlayerMerge",
    "PointsRule",
    "PointsTable",
    "Postponement",
    "PrintedList",
    "PrintedSheet",
    "PublishedList",
    "PublishedRow",
    "PushMessage",
    "PushSubscription",
    "PushTally",
    "Qualifier",
    "Quota",
    "RatedEvening",
    "Rating",
    "RatingState",
    "RegisterHead",
    "RegisterLink",
    "Report",
    "RevokedSecret",
    "Round",
    "Season",
    "SeasonDeal",
    "Seat",
    "SeatChange",
    "SheetPicture",
    "Stage",
    "Statement",
    "Table",
    "Team",
    "TeamEntry",
    "TeamEntryLink",
    "TeamEntryPlayer",
    "TeamEntryRuling",
    "ToldResult",
    "Tournament",
    "TwoPeople",
    "UnionFees",
]
