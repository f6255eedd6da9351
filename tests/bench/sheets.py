"""Sheets a second of one core, against a plain 40 x 12 HTML table and sheets laid out whole; a round of 64 tables."""

from __future__ import annotations

import json
import sys
import time
from itertools import product
from pathlib import Path

from tests.bench.stage import empty_folder, python

TABLES, DEALS = 64, 40
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

    from django.core.management import call_command
    from django.utils import timezone
    from weasyprint import HTML

    from core.pdf.render import write
    from core.pdf.stamping import with_whole_lines
    from tests.factories import first_round, make_tournament, play_out
    from tournaments.paper.page import Occasion
    from tournaments.paper.score import blank_pages, filled_pages

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
    write(filled, "filled", target)
    figures["round"] = time.process_time() - begun
    figures["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    figures["bytes"] = target.stat().st_size
    whole = [with_whole_lines(page) for page in filled[:SAMPLE]]
    makers = {
        "filled": lambda: write(filled[:SAMPLE], "filled", target),
        "whole": lambda: write(whole, "whole", target),
        "blank": lambda: write(blank[:SAMPLE], "blank", target),
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
    plain = figures["plain"]
    print(f"plain HTML table {DEALS} x 12: {plain * 1000:.0f} ms a sheet")
    print(
        f"filled, every line laid out: {figures['whole'] * 1000:.0f} ms a sheet,"
        f" {figures['whole'] / figures['filled']:.1f} times as long as with samples"
    )
    for name in ("filled", "blank"):
        took = figures[name]
        print(
            f"{name}: {took * 1000:.0f} ms a sheet, {1 / took:.1f} a second, {plain / took:.1f} times as fast"
        )
    print(
        f"a round of {TABLES} filled sheets: {figures['round']:.1f} s,"
        f" {figures['memory']:.0f} MB, {figures['bytes'] / 1000:.0f} kB"
    )


if __name__ == "__main__":
    render()
