"""Score sheets of a hall, written from a form; beside them sheets that are laid out each, and a plain HTML table."""

from __future__ import annotations

import json
import sys
import time
from itertools import product
from pathlib import Path

from tests.bench.stage import empty_folder, python

TABLES, DEALS = 64, 40
HALL = 250  # tables of a large hall: the sheets of these tables several times
SAMPLE = 5  # sheets of each kind to compare: one document
TURNS = 6


def plain_table() -> str:
    """What one would write first: a table of 40 deals and 12 columns, with its borders."""
    cells = ("17", "B", "D", "A", "Grand tourné", "♥", "won", "-2", "+6", "-12", "-2", "+8")
    row = "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
    page = f"<table>{row * DEALS}</table>"
    table = "border-collapse:collapse;width:100%;break-after:page"
    cell = "border:.2mm solid;height:5mm;font:8pt DejaVu Sans"
    return f"<style>table{{{table}}}td{{{cell}}}</style>{page * SAMPLE}"


def render() -> None:
    """In a process of its own, on a database of its own: print the figures as JSON."""
    import django

    django.setup()
    import resource
    from dataclasses import replace
    from itertools import cycle, islice

    from django.core.management import call_command
    from django.utils import timezone
    from weasyprint import HTML

    from core.pdf.forms import with_whole_lines
    from core.pdf.render import write
    from tests.factories import first_round, make_tournament, play_out
    from tournaments.paper.page import Occasion
    from tournaments.paper.score import blank_pages, filled_pages
    from tournaments.paper.ticked import ticked_pages

    call_command("prepare", verbosity=0)
    round_ = first_round(make_tournament(4 * TABLES))
    tables = list(round_.tables.select_related("round__tournament__host"))
    for table in tables:
        play_out(table)
    occasion = Occasion(round_, timezone.now())
    blank = [page for table in tables for page in blank_pages(table, occasion, "http://192.168.1.24:8000")]
    target = Path(sys.argv[2])
    write(blank[:1], "warm", target)
    figures = {}
    begun = time.process_time()
    filled = [page for table in tables for page in filled_pages(table, occasion)]
    figures["read"] = (time.process_time() - begun) / TABLES
    ticked = [page for table in tables for page in ticked_pages(table, occasion, "http://192.168.1.24:8000")]
    for kind, pages in (("ticked", ticked), ("blank", blank), ("filled", filled)):
        hall = list(islice(cycle(pages), HALL))
        begun = time.process_time()
        write(hall, kind, target)
        figures[kind] = (time.process_time() - begun) / HALL
        figures[f"{kind} bytes"] = target.stat().st_size / HALL
    figures["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    each = [replace(page, has_slots=False) for page in filled[:SAMPLE]]
    whole = [with_whole_lines(page) for page in each]
    makers = {
        "few": lambda: write(filled[:SAMPLE], "few", target),
        "each": lambda: write(each, "each", target),
        "whole": lambda: write(whole, "whole", target),
        "blank each": lambda: write(
            [replace(page, has_slots=False) for page in blank[:SAMPLE]], "blank", target
        ),
        "ticked each": lambda: write(
            [replace(page, has_slots=False) for page in ticked[:SAMPLE]], "ticked", target
        ),
        "plain": lambda: HTML(string=plain_table()).write_pdf(target),
    }
    # In turns, and the best of each: what else the machine does meanwhile falls on all alike.
    for _turn, (name, make) in product(range(TURNS), makers.items()):
        begun = time.process_time()
        make()
        took = (time.process_time() - begun) / SAMPLE
        figures[name] = min(took, figures.get(name, took))
    print(json.dumps(figures))


def main() -> None:
    with empty_folder() as folder:
        target = str(Path(folder, "sheets.pdf"))
        made = python(
            "-m",
            "tests.bench.sheets",
            "render",
            target,
            folder=folder,
            DJANGO_SETTINGS_MODULE="config.settings",
        )
    figures = json.loads(made.stdout.splitlines()[-1])
    for name, what in (
        ("plain", f"plain HTML table {DEALS} x 12"),
        ("whole", "filled, every line laid out"),
        ("each", "filled, each laid out with samples of its lines"),
        ("few", f"filled, {SAMPLE} from a form"),
        ("filled", f"filled, {HALL} from a form"),
        ("read", "reading the results of a filled sheet"),
        ("blank each", "blank, each laid out"),
        ("blank", f"blank, {HALL} from a form"),
        ("ticked each", "to tick, each laid out"),
        ("ticked", f"to tick, {HALL} from a form"),
    ):
        print(f"{what}: {figures[name] * 1000:.1f} ms a sheet")
    together = (figures["read"] + figures["filled"]) * HALL
    print(
        f"{HALL} filled sheets with reading their results: {together:.1f} s, {figures['memory']:.0f} MB,"
        f" {figures['filled bytes'] / 1000:.1f} kB a sheet"
    )


if __name__ == "__main__":
    render()
