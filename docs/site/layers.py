"""The diagram of the packages and their layers, made from the import contracts of `pyproject.toml`.

`python docs/site/layers.py` prints it as Mermaid, for `docs/development/architecture.md`; the site shows it as SVG.
"""

from __future__ import annotations

import sys
import tomllib
from html import escape
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[2]
WIDTH, ROW, GAP = 720, 34, 14  # of the SVG, in pixels


def layers(container: str | None = None) -> list[str]:
    """The layers of a package, or of the packages themselves, from the top; " | " separates siblings."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    containers = None if container is None else [container]
    return next(
        one["layers"] for one in contracts if one["type"] == "layers" and one.get("containers") == containers
    )


def mermaid() -> str:
    """The diagram as a fenced block of Mermaid."""
    packages, rooms = layers(), layers("tournaments")
    lines = ["```mermaid", "flowchart TB"]
    for upper, lower in pairwise(packages):
        lines.append(f"  {' & '.join(upper.split(' | '))} --> {' & '.join(lower.split(' | '))}")
    lines.append("  subgraph tournaments")
    lines += [f'    layer{index}["{names}"]' for index, names in enumerate(rooms)]
    lines.append("    " + " --> ".join(f"layer{index}" for index in range(len(rooms))))
    return "\n".join([*lines, "  end", "```"])


def svg() -> str:
    """The same diagram as SVG, since the site loads no script from elsewhere."""
    rooms = layers("tournaments")
    rows: list[tuple[str, int]] = []
    for names in layers():
        if names == "tournaments":
            rows += [("tournaments", 0), *((row, 1) for row in rooms)]
        else:
            rows.append((names, 0))
    height = len(rows) * (ROW + GAP)
    parts = []
    for index, (names, depth) in enumerate(rows):
        left, top = 1 + 24 * depth, index * (ROW + GAP) + 1
        parts.append(
            f'<rect x="{left}" y="{top}" width="{WIDTH - 2 * left}" height="{ROW}" rx="5" fill="none" '
            f'stroke="currentColor" stroke-opacity="{0.4 if depth else 1}"/>'
            f'<text x="{WIDTH // 2}" y="{top + 22}" text-anchor="middle" fill="currentColor" '
            f'font-size="{13 if depth else 15}">{escape(names)}</text>'
        )
        if index:
            parts.append(
                f'<text x="{WIDTH // 2}" y="{top - 3}" text-anchor="middle" font-size="12" '
                'fill="currentColor">↓</text>'
            )
    label = "Packages and layers, from the top: " + "; ".join(names for names, _depth in rows)
    return (
        f'<svg role="img" aria-label="{escape(label)}" viewBox="0 0 {WIDTH} {height}" '
        f'style="max-width: {WIDTH}px; width: 100%">{"".join(parts)}</svg>'
    )


if __name__ == "__main__":
    sys.stdout.write(mermaid() + "\n")
