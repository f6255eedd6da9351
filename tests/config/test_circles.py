"""What the contracts in `pyproject.toml` ask of neighbours, of a package and what is in it too."""

from __future__ import annotations

from graphlib import TopologicalSorter

import grimp


def test_no_import_goes_round_in_a_circle_be_it_for_a_type_alone_or_read_late():
    """What does is in the error."""
    graph = grimp.build_graph("clubs", "config", "core", "scoring", "tournaments", cache_dir=None)
    TopologicalSorter(
        {each: graph.find_modules_directly_imported_by(each) for each in graph.modules}
    ).prepare()
