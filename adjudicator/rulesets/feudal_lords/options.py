"""Chapter 9: the options of a campaign, fixed when it begins."""

from ...core.orders import Choice, Whole
from ...core.ruleset import Option
from ...core.words import N_
from .tables import TABLES


def _words(*words: str) -> Choice:
    return Choice(dict.fromkeys(words, ""), rule="9")


OPTIONS = (
    Option("fog", _words("rules", "scouting"), "rules", N_("what is hidden: hands and the deck only, or purses and hand sizes too"), "7"),
    Option("seating", _words("drawn", "listed"), "drawn", N_("the order around the table: drawn by lot, or as the seats are listed"), "3.1"),
    Option("first-seat", _words("fixed", "rotate"), "fixed", N_("who begins a round: always the same seat, or each round the next"), "4"),
    Option("glory-target", Whole(10, 500, rule="9"), TABLES.numbers.glory_target, N_("glory that wins the game"), "8.1"),
    Option("starting-hand", Whole(0, 12, rule="9"), TABLES.numbers.starting_hand, N_("cards in each hand at the start"), "3.4"),
    Option("starting-gold", Whole(0, 50, rule="9"), TABLES.numbers.starting_gold, N_("gold of each seat at the start"), "3.3"),
    Option("kings-confidence", _words("single", "each"), "single", N_("one marker that is taken from its holder, or one for every seat"), "6.2.3"),
    Option("events-per-turn", Whole(0, 20, rule="9"), 0, N_("Events that may be played in one table turn; 0: any number"), "6.6"),
    Option("holy-day", _words("round", "turn"), "round", N_("how long a Holy Day lasts: until every other seat has kept it once, or its player’s own table turn"), "6.10"),
    Option("knights", _words("by-name", "champions"), "by-name", N_("who is a knight for Crusade and Tournament: all with Knight in the name, or Champion Knights only"), "6.6"),
    Option("scutage-cap", Whole(0, 100, rule="9"), 0, N_("most gold that one Scutage may take; 0: no limit"), "6.6"),
    Option("rank-bonus", _words("once", "held", "none"), "once", N_("glory for a rank: paid once when it is first reached, had while it is held, or never"), "6.11"),
    Option("battle-loss", _words("any", "domain", "hand"), "any", N_("where the loser of a battle discards from: the domain, the hand, or either"), "6.9.2"),
    Option("land-taken-by", _words("winner", "loser"), "winner", N_("who chooses the Land that the winner takes"), "6.9.1"),
    Option("fief", _words("safe", "prize"), "safe", N_("whether the winner of a battle may take the loser’s Fief"), "6.9.1"),
    Option("equal-totals", _words("both-2d6", "both-3d6"), "both-2d6", N_("dice of both sides where the totals are equal"), "6.8.4"),
    Option("dice-tie", _words("draw", "defender", "stronger"), "draw", N_("who wins where the dice are equal: nobody, the defender, or the higher total"), "6.8.5"),
    Option("peace-turns", Whole(0, 20, rule="9"), 0, N_("rounds at the start without battles"), "6.7"),
    Option("gifts", _words("none", "gold"), "none", N_("whether seats may give gold to each other"), "6.2.2"),
    Option("hand-limit", Whole(0, 30, rule="9"), 0, N_("most cards in hand at the end of one’s table turn; 0: no limit"), "6.10"),
    Option("victory", _words("immediate", "end-of-round"), "immediate", N_("when the target is looked at: after every change, or at the end of the round"), "8.1"),
    Option("max-turns", Whole(0, 200, rule="9"), 0, N_("last round played; 0: no limit"), "8.2"),
)
