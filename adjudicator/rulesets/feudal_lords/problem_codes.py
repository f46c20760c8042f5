"""What the codes of this game's problems mean, for `adjudicator explain`."""

from ...core.words import N_

PROBLEM_CODES = {
    "ALREADY-HELD": N_("You hold the King’s Confidence; it cannot be bought twice. Take the line out, or leave it: it does no harm."),
    "CANNOT-PAY": N_("None of the Lands that you name can be paid from your gold and the coming income. Add a cheaper one, or `any`."),
    "FIEF-SAFE": N_("A Fief can be taken in battle only where the campaign’s option `fief` says `prize`. Write `land`, `gold` or the name of a Land."),
    "HIDDEN": N_("An earlier entry of `wars` fits every battle that this one fits, so that this one is never used. Put it first, or take it out."),
    "NO-ANY": N_("The word `any` may not stand in `play` or in `loot`. Name a card; in `loot` the word `land` means the best Land."),
    "NO-BATTLE-VALUE": N_("Only a card with a battle value can be named in `loss: {battle: [...]}`."),
    "NO-COUNT": N_("A count (` x2`, ` all`) may not stand here: in `land`, `target`, `take`, `loss` and `loot` one card goes at a time, and `any` is as many as possible already."),
    "NO-GIFTS": N_("Gold can be given away only where the campaign’s option `gifts` says `gold`."),
    "NOT-A-KNIGHT": N_("Only knights go on a Crusade: Champion Knights, and companies with Knights in their name."),
    "NOT-IN-HAND": N_("You do not hold this card now, and Lands, Vassals and Companies are placed before cards are drawn. Events are different: they may be named before they are drawn."),
    "OWN-SEAT": N_("You cannot be your own victim, ally or enemy. Name another seat."),
    "PEACE": N_("In this campaign no battles are fought in the first rounds (option `peace-turns`)."),
    "SAME-SEAT": N_("An entry of `wars` names one and the same seat as friend and as foe."),
    "SEAT-GONE": N_("This seat is not in the game, or has left it."),
    "TOO-FEW": N_("So little buys nothing: a Scutage takes at least 2 gold."),
    "UNKNOWN-CARD": N_("No card has this name. Take the name that is suggested; the rulebook lists all cards in chapter 2.1. The Fief is no card."),
    "WRONG-KEY": N_("This key does not belong to this Event: `min`, `whom`, `target`, `take`, `x` and `give` each go with certain Events, as chapter 5.2 says."),
    "WRONG-SIDE": N_("This Battle card is for the other side: Breach and Siege attack, Relief Forces defend. In `wars` both may be named."),
    "WRONG-TYPE": N_("A card of another type is wanted here: a Land in `land`, Vassals and Companies in `recruit`, Events in `events`, Battle cards in `cards`."),
}
"""code -> what it means and what to do"""
