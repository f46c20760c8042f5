"""Chapter 9: the options of a campaign, fixed when it begins."""

from collections.abc import Mapping
from typing import Any

from ...core.orders import Choice, Whole, YesNo
from ...core.ruleset import Option
from ...core.words import N_
from .tables import TABLES

EDITIONS = {"first": N_("The Camp: offices cost 10 coins, sickness in crowded camps, home castles are handed back"),
            "second": N_("The Hosts: offices cost 8 coins, sickness where armies meet, home castles stay with their taker"),
            "third": N_("The Blocks: several blocks for each house, assault and siege, Burgundians, vassals whose loyalty is tested")}
VASSALS = [house for house, row in TABLES.houses.items() if row.role == "vassal"]


def _words(*words: str) -> Choice:
    return Choice(dict.fromkeys(words, ""), rule="9")


def _e12(options: Mapping[str, Any]) -> bool:
    return options["edition"] in ("first", "second")


def _scouting(options: Mapping[str, Any]) -> bool:
    return options["fog"] == "scouting"


OPTIONS = (
    Option("edition", Choice(EDITIONS, rule="9"), "first", N_("which edition of the rules"), "1"),
    Option("fog", _words("rules", "scouting"), "scouting", N_("what is hidden: only what the table game hides, or the map too"), "7"),
    Option("unheld", _words("share", "steward", "neutral"), "share", N_("houses that no player has: shared out, played by the steward, or out of the war"), "3"),
    Option("final_year", Whole(1455, 1471, rule="9"), 1471, N_("last year played"), "6.10"),
    Option("starting_coins", Whole(0, 50, rule="9"), 0, N_("coins of each house at the start"), "3.3"),
    Option("timeout", _words("marginal", "castles", "draw"), "marginal", N_("what counts when nobody has won by the end"), "8.3"),
    Option("turncoat", _words("none", *VASSALS), "none", N_("a vassal who begins the war in the other faction"), "3.2"),
    Option("stewards", _words("faithful", "ambitious"), "faithful", N_("whether vassals played by the steward may change sides for profit"), "10"),
    Option("victory_check", _words("year", "turn"), "year", N_("look for victory each Winter, or every turn"), "6.10", _e12),
    Option("sightings", _words("band", "exact", "presence"), "band", N_("what is seen of other armies: about how large, exactly, or only that they are there"), "7.2", _scouting),
    Option("connection", _words("path", "adjacent"), "path", N_("which castles send supporters: joined by a friendly way, or next door"), "6.2", _e12),
    Option("london_retinue", _words("each", "either"), "each", N_("2 retinue for home and 2 for London, or 2 in all"), "6.2.2", _e12),
    Option("toughness", _words("by-type", "one"), "by-type", N_("damage that destroys a company: by its type, or 1 for all"), "2.3", _e12),
    Option("captain_reroll", _words("all", "misses"), "all", N_("a captain has the whole round thrown again when it went badly, or always the misses"), "6.5.5", _e12),
    Option("major_battle", _words("total", "loser"), "total", N_("10 companies make a major battle: of both sides, or of the loser"), "6.5.3", _e12),
    Option("storm_attempts", Whole(1, 3, rule="9"), 1, N_("attempts to storm by one host in one season"), "6.6.2", _e12),
    Option("storm_hosts", _words("one", "all"), "one", N_("how many hosts of a faction may storm one castle in a season"), "6.6.1", _e12),
    Option("victory_holder", _words("claimant", "faction"), "claimant", N_("who must hold London, Lancaster and York"), "6.10", _e12),
    Option("castles_lancastrian", Whole(15, 45, rule="9"), 25, N_("castles that the Lancastrians need"), "6.10", _e12),
    Option("castles_yorkist", Whole(15, 45, rule="9"), 25, N_("castles that the Yorkists need"), "6.10", _e12),
    Option("block_size", Whole(2, 6, rule="9"), 4, N_("companies in a block"), "6.3", lambda options: not _e12(options)),
    Option("vassal_blocks", Whole(1, 5, rule="9"), 3, N_("vassal blocks of a house"), "6.3", lambda options: not _e12(options)),
    Option("siege_surrender", YesNo(rule="9"), True, N_("a starved retinue block has surrendered"), "6.7.6", lambda options: not _e12(options)),
    Option("side_changes", _words("winter", "game"), "winter", N_("one voluntary change of side in a winter, or in the game"), "6.9.5", lambda options: not _e12(options)),
    Option("forced_change", _words("cross", "return"), "cross", N_("where a routed house goes"), "6.9.2", lambda options: not _e12(options)),
)
