"""A model or field that is new is in the tournament's file and in a chain, or is named here with the reason why not."""

from __future__ import annotations

from django.apps import apps

from tournaments.changes.register import BY_MODEL
from tournaments.exports.file_items import FIELDS

DERIVED = "follows from the results, and is counted anew"
OF_CLUBS = "belongs to a club or union, not to a tournament"
OF_MACHINE = "belongs to this machine"
OF_PHONES = "phones that are told: they ask again"
# Models of tournaments that are not in a tournament's file.
NOT_IN_FILES = {
    "ChangedRow": OF_MACHINE,
    "JournalState": OF_MACHINE,
    "RegisterLink": OF_MACHINE,
    "RegisterHead": OF_MACHINE,
    "MergedPlayer": OF_MACHINE,
    "PlayerMerge": OF_MACHINE,
    "TwoPeople": OF_MACHINE,
    "ErasureProposal": OF_CLUBS,
    "Official": "rights of an account, which is this machine's",
    "OldEvent": OF_CLUBS,
    "HandOver": OF_CLUBS,
    "Statement": OF_CLUBS,
    "UnionFees": OF_CLUBS,
    "OldPlace": OF_CLUBS,
    "ClubRules": OF_CLUBS,
    "PointsRule": OF_CLUBS,
    "Quota": "of a stage, whose sources are seasons and lists of many tournaments",
    "QualifierQuestion": "of a stage: the answer is with who qualifies",
    "Qualifier": "of a stage: who qualifies is entered, and the entries are in the file",
    "PointsTable": OF_CLUBS,
    "PublishedList": OF_CLUBS,
    "PublishedRow": OF_CLUBS,
    "EveningPlaces": DERIVED,
    "EveningResult": DERIVED,
    "KeptYear": DERIVED,
    "RatingState": DERIVED,
    "RatedEvening": DERIVED,
    "Rating": DERIVED,
    "DealSort": DERIVED,
    "DealSum": DERIVED,
    "Deal": DERIVED,
    "ToldResult": DERIVED,
    "FolderAnalysis": "follows from the cards, and is worked out anew",
    "SeasonDeal": "belongs to a season, whose deals are of many tournaments",
    "TeamEntryLink": "lets a club in: where the tournament goes, the union makes new ones",
    "Photograph": "a picture: the file is text, the log says that it is there",
    "SheetPicture": "a picture: the file is text, what was taken in is reports",
    "PushSubscription": OF_PHONES,
    "PushMessage": OF_PHONES,
    "PushTally": OF_PHONES,
}
SEEN = "a club's own choice about its pages"
PRIVATE = "an address, or what proves it"
# Fields of models in the file that are not; what points to another row is there as that row's number or name.
FIELDS_NOT_IN_FILES = {
    "Club": dict.fromkeys(
        (
            *("shows_rating", "shows_achievements", "gives_cards", "statistics"),
            *("is_findable", "language", "colour", "crest", "erase_after", "position", "neighbours_km"),
        ),
        SEEN,
    ),
    "Tournament": {
        "draw_prices": "what another draw would have cost",
        "held_by_organises": "rights of accounts, which are this machine's",
        "imported_at": OF_MACHINE,
        **dict.fromkeys(("results_kept", "is_rated", "deals_summed"), DERIVED),
        **dict.fromkeys(
            ("chain_count", "chain_head", "chain_seal"), "where its chain ends: sealed here anew"
        ),
    },
    "Round": {"told_at": OF_MACHINE},
    "Entry": {"has_namesake": DERIVED},
    "Application": {
        "typed": "the name is there",
        **dict.fromkeys(
            ("email", "language", "salt", "key_hash", "link_proves", "sent_at", "sent_count"), PRIVATE
        ),
    },
    "Table": {
        **dict.fromkeys(("phone", "phone_seen_at"), OF_PHONES),
        "seal": "where its chain ends: sealed here anew",
    },
    "Flag": {"key": "the phone's, against sending it twice"},
    "Season": {"removed_at": "of one that is removed there is no file", "version": OF_MACHINE},
    "Championship": {"removed_at": "of one that is removed there is no file"},
}
WORDS = "letters and who wants them: see docs/explanation/promises.md"
OFFERED = "an offer: what comes of it is chained, the log tells of it"
PROGRAMS = "keys and addresses of other programs"
LISTS = "a list that was uploaded: what is taken in of it is chained"
# Models of clubs whose rows are not in the register's chain.
NOT_CHAINED = {
    "Player": "names are chained with entries; addresses are not of the record",
    "Letter": WORDS,
    "News": WORDS,
    "Agreement": WORDS,
    "Stop": WORDS,
    "AffiliationOffer": OFFERED,
    "RoleOffer": OFFERED,
    "ProgramKey": PROGRAMS,
    "ProgramAnswer": PROGRAMS,
    "Webhook": PROGRAMS,
    "Message": PROGRAMS,
    "UploadedList": LISTS,
    "MemberImport": LISTS,
    "ColumnChoice": LISTS,
    "Crest": SEEN,
    "SampleClub": "the club to try things in",
}


def names_of(app):
    return {model.__name__ for model in apps.get_app_config(app).get_models()}


def test_every_model_of_a_tournament_is_in_its_file_or_named_with_the_reason():
    in_files = {model.__name__ for model in FIELDS if model._meta.app_label == "tournaments"}
    assert in_files | NOT_IN_FILES.keys() == names_of("tournaments")
    assert in_files & NOT_IN_FILES.keys() == set()


def test_every_field_of_what_is_in_the_file_is_too_or_named_with_the_reason():
    beside = {
        model.__name__: {
            field.name
            for field in model._meta.concrete_fields
            if not (field.name in fields or field.is_relation or field.primary_key)
        }
        for model, fields in FIELDS.items()
    }
    assert {name: fields for name, fields in beside.items() if fields} == {
        name: set(fields) for name, fields in FIELDS_NOT_IN_FILES.items()
    }


def test_every_model_of_clubs_is_in_the_registers_chain_or_named_with_the_reason():
    chained = {model for app, model in BY_MODEL if app == "clubs"}
    assert chained | NOT_CHAINED.keys() == names_of("clubs")
    assert chained & NOT_CHAINED.keys() == set()
