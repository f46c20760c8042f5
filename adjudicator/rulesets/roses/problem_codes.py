"""What the codes of chapter 5 mean, for `adjudicator explain`."""

from ...core.words import N_

PROBLEM_CODES = {
    "ALREADY": N_("This campaign's option `side_changes: game` lets a house change sides once in the war, and yours has (5.4). Write `allegiance: stay`."),
    "CAPTIVE": N_("A captive lord, or a house whose lord is still held, cannot change sides (5.4). Wait until he is free."),
    "CLAIMANT": N_("Lancaster and York head their factions and cannot leave them (5.4). Take the line out."),
    "FAR": N_("Over an empty map the army could not get there this season; it is kept, because the army may be driven elsewhere before its moment (5.3). "
              "`{toward: PLACE}` goes as far as it can."),
    "HOME": N_("A home castle stays with its house: it is neither given, traded nor confiscated, and needs no loyalty bought (5.4). In edition third this also holds for London."),
    "NO-ARMY": N_("There is no such army on the map, and this order does not make one (5.3). A captain's army is made with `detach`."),
    "NO-BLOCK": N_("You have no block of this name on the map now (5.3). Your report lists the blocks."),
    "NO-CAPTAIN": N_("Your captain was lost in battle; he is with his lord again in spring (5.3)."),
    "NOT-ACTIVE": N_("Your house is captive or neutral: it neither musters nor marches. Policies, letters and winter orders still count (5.0)."),
    "NOT-ADJACENT": N_("No road joins two places that follow each other in `path` (5.3). The message names those that are joined; `{place: P}` finds the way itself."),
    "NOT-CLAIMANT": N_("Only Lancaster and York may do this: pick free mercenaries, confiscate, set the order of march, judge tied bids; in edition third, give castles away (5.2, 5.4, 5.5)."),
    "NOT-LARGE": N_("Mercenaries are hired in large castles only (5.2). The message names yours."),
    "NOT-TOGETHER": N_("Blocks that march as one must stand at one place (5.3). Write an entry of its own for each place."),
    "NOT-YOURS": N_("The castle is not yours to use here (5.1, 5.2, 5.4). Your report lists the castles that you hold."),
    "SHARED-PLAYER": N_("You hold more than one seat; such a seat never changes sides by choice, or you would play against yourself (5.4)."),
    "TOO-FAR": N_("From its first place on, the path is longer than one season allows: three roads; in edition third two ordinary ones or one through the mountains (5.3)."),
    "UNKNOWN-HOUSE": N_("No house has this name. There are Lancaster, Somerset, Shrewsbury, Northumberland, Buckingham, York, Warwick, Norfolk (5.0)."),
    "UNKNOWN-PLACE": N_("No place on the map has this name, or there is no castle where one is needed (5.0). Capitals, hyphens and accents do not matter."),
    "UNKNOWN-TYPE": N_("No troops have this name (2.3). There are gonne, crossbow, retinue-archer, levy-archer, men-at-arms, retinue-bill, pike and bill, or their codes."),
    "WRONG-CLASS": N_("These troops cannot be raised in this way: the retinue gives retinue-archer, retinue-bill and men-at-arms, other castles levy-archer and bill, hire gonne, crossbow and pike (2.3)."),
    "WRONG-EDITION": N_("This order belongs to another edition of the rules than the one that your campaign plays (5.0)."),
    "WRONG-HOUSE": N_("Gifts and trades go to another house that is in play (5.4)."),
    "WRONG-SIDE": N_("Friend and foe are mixed up: hunt enemies, join and follow friends; allegiance is bought from vassals of the other faction (5.3, 5.4)."),
    "WRONG-TURN": N_("This order belongs to another season: muster, mercenaries and bids to Spring, marches to Spring, Summer and Autumn, bargains to Winter (5.0)."),
}
