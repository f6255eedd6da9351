"""Bots that play whole deals by every rulebook and option."""

from scoring.bots.deals import Played, deal_json, play_deal, play_round
from scoring.bots.player import next_step

__all__ = ["Played", "deal_json", "next_step", "play_deal", "play_round"]
