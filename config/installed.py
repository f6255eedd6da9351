"""`spadille`: the program as an installed package, on data in the user's own folder.

In the wheel this file is `spadille/__init__.py`, and the program's packages are in `spadille/program/`, laid out as in
the repository. So an environment gets one package and one command, and no top-level `config` or `clubs`: only this
process, and its child processes, have that folder in `sys.path`.
"""

from __future__ import annotations

import os
import sys
from argparse import REMAINDER, ArgumentParser, RawDescriptionHelpFormatter
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent / "program"
# What is done with data is done with the club's own, but for the demo's.
OWN, DEMO = "club", "demo"
COMMANDS = {
    "serve": "bring the data up to date and serve; asks for the first organiser, there or by a page, if there is none",
    "demo": "make a union to look at, in a folder of its own; --serve: and serve it",
    "verify": "recount everything from the reports",
    "backup": "write everything as one file, while it is in use; --list: what there is",
    "restore": "put a backup in the place of what is there; --journal: up to the last second",
    "journal": "the second copy of all that is stored: how it is, whether it is whole",
    "export": "one tournament as a file",
    "import": "take such a file in",
    "publish": "the hall as a web site in a folder",
    "links": "every open table with its captain's link",
    "jobs": "the long work of the last day",
    "plan": "a seat plan without any tournament",
    "boards": "the cards of a set of folders",
    "count_anew": "count again all that is kept of results",
    "first_organiser": "the first account, without a dialogue",
    "changepassword": "a new password for an account",
    "fit_reading": "fit the reading of photographed sheets to those taken in here",
    "languages": "how much there is in each language",
    "new_secret_key": "sign sessions with another key",
    "prepare": "bring the data up to date, and do not serve",
    "check": "whether this installation can work",
    "notices": "whose the libraries are that come with it, and their licences",
}
OTHERS = {
    "scoring": "the rules engine: explain, play, rulebooks, answer, check",
    "manage": "any other command of Django's",
}


def main() -> None:
    """The entry point of the command `spadille`."""
    sys.path.insert(0, str(PROGRAM))
    from core.platform import tolerate_every_encoding  # it is found only now

    tolerate_every_encoding()
    parser = _parser()
    told = parser.parse_args()
    command = told.command
    if told.version:
        command = ["--version"]
    elif not command:
        parser.print_help()
        return
    elif command[0] not in COMMANDS | OTHERS:
        parser.error(f"there is no command “{command[0]}”. Django's own stand behind `spadille manage`.")
    if command[0] == "scoring":
        from scoring.__main__ import main as ask_the_engine  # it is found only now

        sys.exit(ask_the_engine(command[1:]))
    if told.data:
        os.environ["SPADILLE_DATA"] = told.data
    os.environ.setdefault("SPADILLE_DATA", str(_users_folder() / (DEMO if command[0] == "demo" else OWN)))
    from config.command import run  # it is found only now, and reads the settings

    run(["spadille", *command] if command[0] != "manage" else ["spadille manage", *command[1:]])


def _parser() -> ArgumentParser:
    said = "\n".join(f"  {name:<16} {what}" for name, what in (COMMANDS | OTHERS).items())
    parser = ArgumentParser(
        prog="spadille",
        description="Runs L'Hombre tournaments.",
        epilog=f"commands:\n{said}\n\n`spadille COMMAND --help` says more. The data lie in {_users_folder()}.",
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="store_true", help="which Spadille this is, and what it runs on")
    parser.add_argument(
        "--data", metavar="FOLDER", help="work on the data in this folder, not in the user's own"
    )
    parser.add_argument("command", nargs=REMAINDER, metavar="COMMAND", help="see below")
    return parser


def _users_folder() -> Path:
    """The system's folder for a user's data: ~/.local/share/spadille, or that of Windows and macOS."""
    from platformdirs import user_data_path  # not where the folder is given

    return user_data_path("spadille", appauthor=False)
