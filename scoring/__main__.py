"""The engine on the command line: `python -m scoring answer|check|rulebooks|explain|play`."""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from scoring.answers import answer_lines, differences
from scoring.bots import deal_json, play_round
from scoring.game import read_deal
from scoring.notation import read_line, read_words
from scoring.referee import (
    Ruling,
    answer_question,
    deal_in_english,
    in_english,
    is_question,
    questions,
    result_in_english,
    rule_on_deal,
    rule_on_result,
)
from scoring.results import DealResult, read_result
from scoring.rulebook import read_option
from scoring.rulebooks import get_rulebook, rulebooks
from scoring.seats import WITH_FOURTH, Seating, dealer_of

if TYPE_CHECKING:
    from scoring.rulebook import OptionSpec, Rulebook

DIFFERS, NOT_READ = 1, 2
_USUAL_TABLE = 4
_MOST_DIGITS = 20


def main(argv: list[str] | None = None) -> int:
    """Run a command and return its exit status."""
    arguments = _parser().parse_args(argv)
    for stream, others in ((sys.stdin, "surrogateescape"), (sys.stdout, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            # Undecodable input is refused with a message; output that the terminal cannot show is escaped.
            stream.reconfigure(errors=others)
    try:
        status = int(arguments.run(arguments))
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader closed the pipe; redirecting stdout avoids a second error from the flush at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _not_read(error)
    return status


def answer(_arguments: argparse.Namespace) -> int:
    """Answer the cases on standard input, one line of JSON each."""
    for line in answer_lines(_standard_input().buffer):
        sys.stdout.write(line + "\n")
    return 0


def _standard_input() -> TextIO:
    """Standard input. Raises OSError if it is closed, like a file that cannot be opened."""
    if sys.stdin is None:
        raise OSError("standard input is closed")
    return sys.stdin


def _not_read(error: Exception) -> int:
    print(f"cannot be read: {error}", file=sys.stderr)
    return NOT_READ


def check(arguments: argparse.Namespace) -> int:
    """Compare the answers to files of cases with those expected, and print each difference and the totals."""
    cases = wrong = unanswered = 0
    for path in arguments.files:
        for difference in differences(path.read_bytes().splitlines()):
            cases += 1
            if difference is None:
                continue
            print(f"{path.name} {difference}")
            unanswered += ": not answered: " in difference
            wrong += ": not answered: " not in difference
    print(f"{cases} cases: {cases - wrong - unanswered} correct, {wrong} wrong, {unanswered} not answered")
    return DIFFERS if wrong or unanswered else 0


def show_rulebooks(_arguments: argparse.Namespace) -> int:
    """Print all rulebooks with their options as JSON."""
    books = [_rulebook_json(rulebook) for rulebook in rulebooks()]
    text = json.dumps(books, indent=2, ensure_ascii=False)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:  # `backslashreplace` would write invalid JSON
        text = json.dumps(books, indent=2)
    print(text)
    return 0


def _rulebook_json(rulebook: Rulebook) -> dict[str, Any]:
    return {
        "id": rulebook.id,
        "name": rulebook.name,
        "source": rulebook.source,
        "direction": rulebook.direction,
        "players": rulebook.players,
        "zero_sum": rulebook.zero_sum,
        "contracts": sorted(rulebook.known_contracts),
        "options": [_option_json(spec) for spec in rulebook.option_specs],
        "version": rulebook.version,
        "changes": [change._asdict() for change in rulebook.changes],
    }


def _option_json(spec: OptionSpec) -> dict[str, Any]:
    """The JSON of an option with its valid values."""
    allowed: dict[str, dict[str, Any]] = {
        "bool": {},
        "choice": {"values": spec.values},
        "int": {"minimum": spec.minimum, "maximum": spec.maximum},
    }
    return {
        "name": spec.name,
        "kind": spec.kind,
        "default": spec.default,
        **allowed[spec.kind],
        "title": spec.title,
        "explanation": spec.explanation,
        "paragraph": spec.paragraph,
    }


def explain(arguments: argparse.Namespace) -> int:
    """Print a ruling on a report, a question or a whole deal."""
    text = (" ".join(arguments.what) or _standard_input().read()).strip()
    try:
        rulebook = get_rulebook(arguments.rulebook, _options(arguments.options))
        players = max(rulebook.players) if arguments.players is None else arguments.players
        if players not in rulebook.players:
            raise ValueError(_no_such_table(rulebook))  # noqa: TRY301
        _check_pairs(rulebook, players, in_pairs=arguments.pairs)
        ruling: Ruling
        if is_question(text):
            ruling = answer_question(text, rulebook, players, in_pairs=arguments.pairs)
            lines = in_english(ruling, rulebook)
        elif "\n" in text and not text.startswith("{"):
            ruling = rule_on_deal(read_deal(text))
            lines = deal_in_english(ruling)
        else:
            result, seating = _result(text, rulebook, players, arguments.dealer, in_pairs=arguments.pairs)
            settled = ruling = rule_on_result(rulebook, seating, result)
            lines = result_in_english(settled, rulebook, seating, result)
    except (ValueError, LookupError, RecursionError) as error:
        return _not_read(error)
    print("\n".join(lines))
    return 0 if ruling.allowed else DIFFERS


def _result(
    text: str, rulebook: Rulebook, players: int, dealer: int | None, *, in_pairs: bool
) -> tuple[DealResult, Seating]:
    """Parse a report from JSON or the notation; a dealer given as an option overrides that of the deal's number."""
    seating = rulebook.seating(players, dealer or 0, in_pairs=in_pairs)
    if text.startswith("{"):
        return read_result(json.loads(text), seating, rulebook.roles_by_name), seating
    if not text[:1].isdigit():
        return read_words(text, seating, rulebook), seating
    if dealer is not None:
        return read_words(text.partition(" ")[2], seating, rulebook), seating
    deal, result = read_line(text, players, rulebook=rulebook, in_pairs=in_pairs)
    return result, rulebook.seating(players, dealer_of(deal, players), in_pairs=in_pairs)


def play(arguments: argparse.Namespace) -> int:
    """Print deals played by bots, a line of JSON each; the same seed gives the same lines."""
    try:
        rulebook = get_rulebook(arguments.rulebook, _options(arguments.options))
        players = _table_of(rulebook, arguments.players)
        _check_pairs(rulebook, players, in_pairs=arguments.pairs)
    except (ValueError, LookupError, RecursionError) as error:
        return _not_read(error)
    for played in play_round(rulebook, players, arguments.deals, arguments.seed, in_pairs=arguments.pairs):
        sys.stdout.write(json.dumps(deal_json(played)) + "\n")
    return 0


def _check_pairs(rulebook: Rulebook, players: int, *, in_pairs: bool) -> None:
    if in_pairs and not (rulebook.for_pairs and players in WITH_FOURTH):
        raise ValueError(f"{rulebook.id} cannot be played in pairs at this table")


def _number_of_deals(text: str) -> int:
    if not (text.isascii() and text.isdigit() and text.strip("0") and len(text) <= _MOST_DIGITS):
        raise argparse.ArgumentTypeError(f"{text[:_MOST_DIGITS]} is not a number of deals")
    return int(text)


def _table_of(rulebook: Rulebook, players: int | None) -> int:
    """The size of the table: as given, else four if the rules allow it, else their largest."""
    if players is None:
        return _USUAL_TABLE if _USUAL_TABLE in rulebook.players else max(rulebook.players)
    if players not in rulebook.players:
        raise ValueError(_no_such_table(rulebook))
    return players


def _no_such_table(rulebook: Rulebook) -> str:
    return f"{rulebook.id} is played at tables of {' or '.join(map(str, rulebook.players))}"


def _options(texts: list[str]) -> dict[str, object]:
    """Parse options, each given as a JSON object or as `name=value`."""
    options: dict[str, object] = {}
    for text in texts:
        if text.lstrip().startswith("{"):
            options |= json.loads(text)
        else:
            name, value = read_option(text)
            options[name] = value
    return options


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m scoring", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="command")

    command = commands.add_parser("answer", help="answer cases from standard input, one JSON object per line")
    command.set_defaults(run=answer)

    command = commands.add_parser("check", help="check files of cases against their expected answers")
    command.add_argument("files", nargs="+", type=Path, metavar="FILE")
    command.set_defaults(run=check)

    command = commands.add_parser("rulebooks", help="print the rulebooks and their options as JSON")
    command.set_defaults(run=show_rulebooks)

    command = commands.add_parser(
        "explain",
        help="explain in words whether something is allowed, the result, and who pays whom and why",
        description="Rule on a result (in notation or JSON), a question, or a whole deal as text.",
        epilog=questions.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument(
        "what",
        nargs="*",
        help="such as: 17 B solo h won, or a question: calls: game, solo (default: standard input)",
    )
    command.add_argument("--rulebook", default="union")
    command.add_argument(
        "--players", type=int, help="players at the table (default: the most the rules allow)"
    )
    command.add_argument(
        "--dealer",
        type=int,
        choices=range(5),
        help="the dealer's position, from 0 (default: from the deal's number)",
    )
    _add_options(command)
    command.add_argument("--pairs", action="store_true", help="those opposite each other are partners")
    command.set_defaults(run=explain)

    command = commands.add_parser("play", help="let bots play deals; print one JSON object per line")
    command.add_argument("--rulebook", default="union")
    command.add_argument("--deals", type=_number_of_deals, default=40, help="how many (default: 40)")
    command.add_argument("--pairs", action="store_true", help="those opposite each other are partners")
    command.add_argument("--seed", type=int, default=1, help="the same seed gives the same deals")
    command.add_argument(
        "--players", type=int, help="players at the table (default: four, or the most the rules allow)"
    )
    _add_options(command)
    command.set_defaults(run=play)
    return parser


def _add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--option", "--options", dest="options", action="append", default=[], metavar="NAME=VALUE or JSON"
    )


if __name__ == "__main__":
    sys.exit(main())
