"""A report that has one of everything, and more than a page can hold of some things."""

from adjudicator.core.report import (Attachment, Badge, Bullets, Column, DiceSpan, Facts, Figure, Heading, OrderLine, OrderList, Paragraph, Report, Section,
                                     SideBySide, Source, Span, Story, Table, say)

ROSE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><path d="M50 2 96 20V55C96 80 70 92 50 98 30 92 4 80 4 55V20Z" fill="#fff" stroke="#1c1814" stroke-width="4"/>' \
       '<circle cx="50" cy="48" r="22" fill="#8a1c14"/><circle cx="50" cy="48" r="7" fill="#fff"/></svg>'
CHART = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 160"><path d="M20 140H580M20 140V10" stroke="#1c1814" fill="none"/><path d="M20 120 200 60 380 90 560 30" stroke="#8a1c14" ' \
        'stroke-width="3" fill="none"/><text x="566" y="34" font-family="Adjudicator Serif" font-size="16">25</text></svg>'
MAP = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 1400"><rect width="1000" height="1400" fill="#eef" stroke="#1c1814" stroke-width="4"/>' \
      '<text x="500" y="700" text-anchor="middle" font-family="Adjudicator Serif" font-size="60">A map</text></svg>'
LONG_WORD = "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch" * 3
ORDERS = "\n".join(["# yaml-language-server: $schema=roses.schema.json", "campaign: roses-1455", "turn: 8", "orders:"] + [f"  # line {n}: whatever may stand here" for n in range(90)]) + "\n"


def line(text, **parts):
    return say(text, **parts)


def battle() -> Story:
    wards = Table([Column("ward"), Column("attack", wide=True), Column("defence", wide=True), Column("lost", "right")],
                  [[[Span(ward)], line("{n} billmen {d}", n=2, d=DiceSpan([5, 2, 4], 4)), line("{d} {d2}", d=DiceSpan([6, 6], 3), d2=DiceSpan([1], 3)), [Span("1 : 2")]]
                   for ward in ("van", "middle", "rear")], "Mêlée: the third round")
    return Story(line("The battle of {place}", place=Span("St Albans", "name")),
                 [Paragraph(line("{a} with 6 companies attacked {b} with 5.", a=Badge("york", "York"), b=Badge("lancaster", "Lancaster"))), wards,
                  Paragraph(line("York’s militia needs 5: {d}.", d=DiceSpan([6, 5, 6, 2], 5))), Paragraph([Span("The attackers hold the field, 4 : 2.")], "quiet")], "battle")


def report(paper: str = "A4", letters: int = 2) -> Report:
    sections = [
        Section("brief", "In brief", [Bullets([line("{a} won a {s} battle at St Albans.", a=Badge("york", "York"), s=Span("major", "strong")),
                                               line("London fell: {d} against a large castle.", d=DiceSpan([6], 6)), line("The Lancastrians control 24 castles of the 25 they need.")]),
                                      Paragraph([Span("The king is mad again.")], "lead")]),
        Section("own", "What happened to you", [
            OrderList([OrderLine("march:\n  to: [{place: london, when: clear}, guildford]\n  storm: any", "done", [line("Your host marched from Canterbury to London.")]),
                       OrderLine("captain:\n  detach: {bill: 2}", "partly", [line("One company went over."), line("The lord keeps one at least.")]),
                       OrderLine("offices: 2", "skipped", [line("There were no coins.")]), OrderLine("bids: {pikes: x}", "refused", [line("{c} is not a whole number.", c=Span("x", "code"))]),
                       OrderLine("policy: {militia: 4}", "noted", [line("In force from now.")])]),
            battle(), battle(), battle()]),
        Section("elsewhere", "What happened elsewhere", [Heading("Spring"), Bullets([line("Something happened in the north, number {n}.", n=n) for n in range(30)])]),
        Section("position", "Your position", [
            SideBySide([[Facts([("Lord", [Span("London, 6 companies")]), ("Coins", [Span("17")])])], [Facts([("Captain", [Span("with his lord")]), ("Prestige", [Span("12")])])]]),
            Table([Column("Castle", wide=True), Column("Value", "right"), Column("Holder"), Column("Since", "center")],
                  [[[Span(f"Castle number {n}")], [Span(str(n % 3))], line("{b}", b=Badge("york", "York")), [Span("1455")]] for n in range(60)], "Castles", [0, 3], "Values count for prestige.")]),
        Section("map", "Map", [Figure(MAP, "England in Autumn 1456", ["London: York, 6 companies.", "Oxford: nobody."], full_page=True)], "page"),
        Section("standings", "Standings", [Figure(CHART, "Castles over time", ["Lancastrians 25, 24, 24."]),
                                           Table([Column(f"column {n}") for n in range(12)], [[[Span(f"cell {n} of a wide table")] for n in range(12)]], "A wide table")]),
        Section("letters", "Letters", [Story(line("From {a}", a=Span("Warwick")), [Paragraph([Span(("Meet me at Oxford, and bring guns. " * 115)[:4000])])], "letter") for _n in range(letters)]
                + [Paragraph([Span(LONG_WORD)]), Paragraph([Span("Русские буквы, Ελληνικά, Čeština – “quoted”, 中文, 🏰.")])]),
        Section("next", "Next turn", [Source(ORDERS, "york-8.yaml")]),
    ]
    return Report("Autumn 1456", "House of York", "The Wars of the Roses", "york",
                  [("Edition", [Span("The Camp")]), ("Turn", [Span("7 of 68")]), ("Deadline", [Span("Sunday 12 March 2028, 20:00 UTC (21:00 Europe/Paris)")]),
                   ("Token", [Span("4kx7-m2qd", "code")]), ("Seed commitment", [Span("a3" * 32, "code")])],
                  sections, "york", {"york": ROSE, "lancaster": ROSE}, [Attachment("york-8.yaml", ORDERS, "the order file for Winter 1456, ready to be filled in")], "en", paper)
