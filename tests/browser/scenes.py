"""What is worth a picture: each page by a name one understands, and each sheet of paper.

Addresses leave open which of the demo's tournaments they show: `{running}`, `{final}`, `{coming}`, `{pairs}`,
`{teams}`, `{folders}`; `{secret}` is a captain's of the running one, `{team}` a team captain's, `{entry}` of who has
entered the coming one from home, `{turn}` a folder in the middle of its play.
"""

from __future__ import annotations

from dataclasses import dataclass

WINDOWS = {"phone": (360, 640), "desktop": (1280, 800), "projector": (1920, 1080)}
EVERYWHERE, PHONE, WALL = ("phone", "desktop"), ("phone",), ("projector",)

# The one that is not there.
MISSING = "not-found"
# Pages of the hall, without sign-in.
HALL = {
    "hall-home": "/",
    "evening-running": "/t/{running}/",
    "evening-final": "/t/{final}/",
    "standings-running": "/t/{running}/standings/",
    "standings-final": "/t/{final}/standings/",
    "player": "/t/{final}/player/1/",
    "player-rating": "/t/{final}/player/1/rating/",
    "player-earned": "/t/{final}/player/1/earned/",
    "story": "/t/{final}/story/",
    "tables": "/t/{running}/tables/",
    "table-sheet": "/t/{final}/round/1/table/1/",
    "seat-finder": "/t/{running}/seats/",
    "share": "/t/{final}/share/",
    "enter-from-home": "/t/{coming}/enter/",
    "own-entry": "/t/{coming}/entry/{entry}/",
    "standings-elsewhere": "/t/{running}/embed/",
    "round": "/t/{running}/round/1/",
    "cross-table-of-teams": "/t/{teams}/cross-table/",
    "pairs-standings": "/t/{pairs}/standings/",
    "pairs-cross-table": "/t/{pairs}/cross-table/",
    "pair": "/t/{pairs}/team/1/",
    "team-matches": "/t/{teams}/matches/",
    "folders": "/t/{folders}/boards/1/",
    "folder": "/t/{folders}/boards/1/folder/1/",
    "play-a-folder": "/t/{folders}/boards/1/folder/{turn}",
    "club-in-the-hall": "/club/{club}/",
    "follow-a-club": "/club/{club}/follow/",
    "rating": "/club/{club}/rating/",
    "history": "/club/oestjysk/history/",
    "records": "/club/oestjysk/records/",
    "clubs-compared": "/club/oestjysk/clubs/",
    "person": "/person/1/",
    "cards": "/t/{final}/cards/",
    "card": "/t/{final}/player/1/card/",
    "person-hands": "/person/1/hands/",
    "person-evenings": "/person/1/evenings/",
    "person-met": "/person/1/met/",
    "head-to-head": "/person/1/with/2/",
    "explorer": "/club/{club}/explorer/?by=contract&then=seat",
    "explorer-all": "/explorer/",
    "person-explorer": "/person/1/explorer/",
    "season": "/season/1/",
    "championship": "/championship/1/",
    "clubs-by-their-best": "/season/1/clubs/",
    "rules": "/t/{running}/rules/",
    "rules-text": "/rules/union/text/",
    "referee": "/referee/",
    "referee-result": "/referee/result/",
    "manual": "/manual/",
    "captain-code": "/c/",
    "line-up": "/c/team/{team}/",
    "sign-in": "/clubs/login/",
    "password-forgotten": "/clubs/password/forgotten/",
    "follow": "/club/{club}/follow/",
    "api": "/api/",
    MISSING: "/nowhere/",
}
CAPTAIN = {
    "captain": "/c/{secret}/",
    "captain-sheet": "/c/{secret}/#sheet",
    "captain-menu": "/c/{secret}/#menu",
    "captain-deal": "/c/{secret}/#deal-1",
    "captain-slip": "/c/{secret}/slip",
    "captain-photographed-sheet": "/c/{secret}/paper",
}
PROJECTOR = {
    "projector-running": "/t/{running}/projector/",
    "projector-final": "/t/{final}/projector/",
    "projector-pairs": "/t/{pairs}/projector/",
    "projector-of-a-hall": "/t/{running}/projector/?hall=2",
}
# Pages for who is signed in.
DESK = {
    "desk": "/desk/",
    "new-evening": "/desk/new/",
    "overview": "/desk/t/{running}/",
    "set-up": "/desk/t/{coming}/setup/",
    "entries": "/desk/t/{coming}/entries/",
    "entry": "/desk/t/{coming}/entries/1/",
    "check-in": "/desk/t/{coming}/check-in/",
    "from-home": "/desk/t/{coming}/from-home/",
    "from-home-allowed": "/desk/t/{coming}/from-home/set-up/",
    "from-home-somebody": "/desk/t/{coming}/from-home/1/",
    "door": "/desk/t/{coming}/door/",
    "draw": "/desk/t/{coming}/draw/",
    "draw-made": "/desk/t/{running}/draw/",
    "draw-explained": "/desk/t/{running}/draw/explained/",
    "draw-apart": "/desk/t/{running}/draw/apart/",
    "start-round": "/desk/t/{running}/round/2/start/",
    "end-table": "/desk/t/{running}/round/1/table/3/end/",
    "totals": "/desk/t/{running}/round/1/table/3/totals/",
    "ruling": "/desk/t/{running}/round/1/table/3/deal/5/ruling/",
    "swap": "/desk/t/{running}/draw/?round=2&seat=1A",
    "board": "/desk/t/{running}/board/",
    "desk-standings": "/desk/t/{running}/standings/",
    "desk-table": "/desk/t/{running}/round/1/table/3/",
    "correct-deal": "/desk/t/{running}/round/1/table/3/deal/5/",
    "type-slip": "/desk/t/{running}/round/1/table/1/slip/",
    "photographed-sheets": "/desk/t/{running}/paper/",
    "dealer-and-seats": "/desk/t/{running}/round/1/table/1/seats/",
    "late-reports": "/desk/t/{running}/late/",
    "take-in-a-code": "/desk/t/{running}/code/",
    "penalties": "/desk/t/{final}/penalties/",
    "clock": "/desk/t/{running}/clock/",
    "projector-settings": "/desk/t/{running}/projector/",
    "log": "/desk/t/{final}/log/",
    "print": "/desk/t/{final}/print/",
    "money": "/desk/t/{final}/money/",
    "finish": "/desk/t/{final}/finish/",
    "teams": "/desk/t/{teams}/teams/",
    "matches": "/desk/t/{teams}/matches/",
    "folders-at-the-desk": "/desk/t/{folders}/boards/",
    "find": "/desk/find/?q=an",
    "hall-check": "/desk/hall-check/",
    "clubs": "/clubs/",
    "club": "/clubs/{club}/",
    "crest": "/clubs/{club}/crest/",
    "roles": "/clubs/{club}/roles/",
    "import": "/clubs/{club}/import/",
    "member": "/clubs/{club}/members/{member}/",
    "club-log": "/clubs/{club}/log/",
    "files-for-the-union": "/clubs/oestjysk/files/",
    "club-rules": "/clubs/{club}/rules/",
    "season-at-the-desk": "/clubs/oestjysk/seasons/1/",
    "championship-at-the-desk": "/clubs/oestjysk/championships/1/",
    "who-qualifies": "/clubs/oestjysk/championships/2/stages/1/qualified/",
    "officials": "/desk/t/{final}/officials/",
    "halls": "/desk/t/{running}/halls/",
    "board-of-a-hall": "/desk/t/{running}/board/?hall=2",
    "objections": "/desk/t/{teams}/objections/",
    "register": "/clubs/oestjysk/register/",
    "same-person-twice": "/clubs/oestjysk/doubles/",
    "dues": "/clubs/oestjysk/dues/",
    "unions-of-a-club": "/clubs/{club}/unions/",
    "the-year": "/clubs/oestjysk/year/?clubs",
    "seasons": "/clubs/oestjysk/seasons/",
    "season-new": "/clubs/oestjysk/seasons/new/",
    "championships": "/clubs/oestjysk/championships/",
    "old-results": "/clubs/{club}/old-results/",
    "old-results-new": "/clubs/{club}/old-results/new/",
    "old-results-import": "/clubs/{club}/old-results/import/",
    "club-rules-new": "/clubs/{club}/rules/new/",
    "member-same": "/clubs/{club}/members/{member}/same/",
    "member-erase": "/clubs/{club}/members/{member}/erase/",
    "erased": "/clubs/{club}/erased/",
    "role-new": "/clubs/{club}/roles/new/",
    "jobs": "/desk/jobs/",
    "account": "/clubs/my-account/",
    "second-factor": "/clubs/my-account/second/",
    "second-factor-app": "/clubs/my-account/second/app/",
    "second-factor-passkey": "/clubs/my-account/second/passkeys/new/",
    "sessions": "/clubs/my-account/sessions/",
    "password": "/clubs/password/",
    "letters": "/clubs/{club}/letters/",
    "news": "/clubs/{club}/letters/news/",
    "programs": "/clubs/{club}/programs/",
    "program-key": "/clubs/{club}/programs/key/",
    "program-address": "/clubs/{club}/programs/address/",
    "files-of-a-club": "/clubs/{club}/files/",
    "design": "/design/",
}
# Of a desk that has nothing yet.
EMPTY = {"desk-empty": "/desk/", "clubs-empty": "/clubs/"}
# For who owns the program.
OWNED = {
    "backup": "/desk/backup/",
    "status": "/desk/status/",
    "letters-of-all": "/desk/letters/",
    "desk-of-the-owner": "/desk/",
}

# Sheets: of which tournament, and for which of its rounds.
SHEETS = {
    "everything-for-a-round": ("everything", "running", 1),
    "rules-for-the-wall": ("rules", "running", 1),
    "score-sheet-blank": ("blank", "running", 1),
    "score-sheet-to-tick": ("ticked", "running", 1),
    "score-sheet": ("filled", "final", 1),
    "seats-by-name": ("names", "running", 1),
    "seats-by-table": ("tables", "running", 1),
    "all-rounds": ("all-rounds", "running", 1),
    "player-cards": ("cards", "running", 1),
    "place-cards": ("place-cards", "running", 1),
    "standings": ("standings", "final", 3),
    "press-list": ("press", "final", 3),
    "players-tokens": ("players", "pairs", 5),
    "diploma": ("diploma", "final", 3),
    "evening-cards": ("evening-cards", "final", 3),
    "pairs-standings": ("standings", "pairs", 5),
    "pairs-score-sheet": ("filled", "pairs", 1),
    "cross-table": ("cross", "pairs", 5),
    "schedule": ("schedule", "teams", 3),
    "movement-cards": ("movement", "folders", 1),
    "comparison": ("comparison", "folders", 1),
    "hand-records": ("hands", "folders", 1),
    "folders-booklet": ("booklet", "folders", 1),
    "folders-booklet-folded": ("booklet-folded", "folders", 1),
}
# Sheets that are fetched by their address.
SHEETS_FETCHED = {
    "rules-sheet": "/t/{running}/rules/sheet.pdf",
    "players-own-report": "/t/{final}/player/1/evening.pdf",
    "captains-guide": "/manual/captain/{language}.pdf",
    "season-ladder": "/season/1/ladder.pdf",
    "poster": "/club/{club}/poster.pdf",
    "championship-sheet": "/championship/1/championship.pdf",
    "clubs-by-their-best-sheet": "/season/1/clubs.pdf",
    "points-list-sheet": "/club/oestjysk/points/2/list.pdf",
}

# What the README and the how-to pages show, each in its window.
README = {
    "captain": "phone",
    "standings-running": "phone",
    "play-a-folder": "phone",
    "story": "desktop",
    "board": "desktop",
    "projector-running": "projector",
}
README_SHEETS = ("score-sheet",)

# Thirty screens by which one release is compared with the next, each in its window.
SCREENS = {
    **dict.fromkeys(("captain-sheet", "captain-menu"), "phone"),
    **dict.fromkeys(
        ("evening-final", "standings-final", "cards", "card", "club-in-the-hall", "seat-finder"), "phone"
    ),
    **dict.fromkeys(
        ("hall-home", "story", "season", "history", "person", "table-sheet", "folders"), "desktop"
    ),
    **dict.fromkeys(
        ("desk", "overview", "draw-made", "swap", "board", "print", "finish", "check-in"), "desktop"
    ),
    **dict.fromkeys(("projector-running", "projector-final"), "projector"),
}
SCREEN_SHEETS = ("player-cards", "diploma", "rules-for-the-wall", "seats-by-name", "standings")


@dataclass(frozen=True)
class Scene:
    """A page to be taken: who looks at it, and in which windows."""

    name: str
    address: str
    windows: tuple[str, ...]
    viewer: str = ""  # the account that is signed in


def scenes(organiser: str, newcomer: str, owner: str) -> list[Scene]:
    rows = [
        (HALL, EVERYWHERE, ""),
        (CAPTAIN, PHONE, ""),
        (PROJECTOR, WALL, ""),
        (DESK, EVERYWHERE, organiser),
        (EMPTY, EVERYWHERE, newcomer),
        (OWNED, EVERYWHERE, owner),
    ]
    return [
        Scene(name, address, windows, viewer)
        for addresses, windows, viewer in rows
        for name, address in addresses.items()
    ]
