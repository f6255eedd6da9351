"""The columns of the standings of pairs and teams; `standings/columns.py` says what a column is."""

from __future__ import annotations

from dataclasses import replace

from django.utils.translation import gettext_lazy, pgettext_lazy

from tournaments.domain.terms import signed
from tournaments.standings.columns import DEALS, EVERYWHERE, FILES, GAP, MOVED, PAGES, Column, On, where_any
from tournaments.teams.ranking import Row
from tournaments.teams.standings import TeamStandings
from tournaments.teams.words import marked

TEAMS: tuple[Column[Row, TeamStandings], ...] = (
    Column(name="division", heading=gettext_lazy("Division"), on=FILES, value=lambda row: row.division),
    Column(name="place", heading=gettext_lazy("Place"), on=FILES, value=lambda row: row.rank),
    Column(name="number", heading=gettext_lazy("No."), on=FILES, value=lambda row: row.number),
    Column(name="name", heading=gettext_lazy("Team"), on=FILES, value=lambda row: row.name),
    Column(name="club", heading=gettext_lazy("Club"), on=FILES, value=lambda row: row.club),
    MOVED,
    Column(
        name="points",
        heading=gettext_lazy("Match points"),
        on=EVERYWHERE,
        value=lambda row: row.points,
        there=lambda standings: not standings.by_average,
        css="total",
    ),
    Column(
        name="points_a_match",
        heading=gettext_lazy("Points a match"),
        on=EVERYWHERE,
        value=lambda row: row.average_points,
        there=lambda standings: standings.by_average,
        css="total",
    ),
    replace(
        GAP,
        on=GAP.on & ~On.PHONE | On.UNDER_NAME,
        explained=gettext_lazy("The gap is how far a pair’s or team’s points are behind the leader’s."),
    ),
    Column(name="matches", heading=gettext_lazy("Matches"), on=PAGES | FILES, value=lambda row: row.played),
    Column(name="won", heading=pgettext_lazy("matches", "won"), on=PAGES | FILES, value=lambda row: row.won),
    Column(
        name="drawn", heading=pgettext_lazy("matches", "drawn"), on=PAGES | FILES, value=lambda row: row.drawn
    ),
    Column(
        name="lost", heading=pgettext_lazy("matches", "lost"), on=PAGES | FILES, value=lambda row: row.lost
    ),
    Column(
        name="tokens",
        heading=gettext_lazy("Tokens"),
        on=EVERYWHERE,
        value=lambda row: row.tokens,
        said=lambda row: signed(row.tokens),
        there=lambda standings: not standings.by_average,
    ),
    Column(
        name="tokens_a_match",
        heading=gettext_lazy("Tokens a match"),
        on=EVERYWHERE,
        value=lambda row: row.average_tokens,
        said=lambda row: signed(row.average_tokens),
        there=lambda standings: standings.by_average,
    ),
    Column(
        name="points_taken_along",
        heading=gettext_lazy("Match points carried over"),
        on=FILES,
        value=lambda row: row.carried_points,
    ),
    Column(
        name="tokens_taken_along",
        heading=gettext_lazy("of which carried over"),
        on=PAGES | FILES,
        value=lambda row: row.carried_tokens,
        said=lambda row: f"{row.carried_points} ({signed(row.carried_tokens)})",
        there=lambda standings: standings.has_carried,
    ),
    Column(
        name="penalties",
        heading=gettext_lazy("of it penalties"),
        on=PAGES | FILES,
        value=lambda row: row.penalties,
        said=lambda row: where_any(row.penalties),
        there=lambda standings: standings.has_penalties,
    ),
    Column(
        name="ruled_points",
        heading=gettext_lazy("Match points by ruling"),
        on=PAGES | FILES,
        value=lambda row: row.ruled_points,
        said=lambda row: where_any(row.ruled_points),
        there=lambda standings: standings.has_ruled_points,
    ),
    Column(
        name="byes",
        heading=gettext_lazy("Byes"),
        on=PAGES | FILES,
        value=lambda row: row.byes,
        there=lambda standings: standings.has_byes,
    ),
    replace(DEALS, explained=gettext_lazy("Deals are those reported at the tables of its matches.")),
    Column(name="marked", heading=gettext_lazy("Marked"), on=On.SHEET, value=marked),
)
