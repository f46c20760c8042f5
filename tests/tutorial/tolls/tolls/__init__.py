"""Tolls: a game of secret bids for bridges."""

from dataclasses import dataclass
from pathlib import Path

from adjudicator.core.orders import Field, Fields, Whole
from adjudicator.core.report import Bullets, Facts, OrderLine, OrderList, Report, Section, Source, Span, say
from adjudicator.core.ruleset import STEWARD, Option, Outcome, Ruleset
from adjudicator.core.turn import Turn

TOWNS = {"ash": "Ashford", "wal": "Walsham", "thr": "Thrapston", "eye": "Eye"}


@dataclass
class Town:
    coins: int
    usual: int = 1
    bridges: int = 0


@dataclass
class State:
    turn: int
    years: int
    towns: dict[str, Town]


@dataclass
class View:
    viewer: str
    turn: int
    bridges: dict[str, int]
    coins: int | None = None
    usual: int = 1


def setup(options, holders, dice):
    """1 Coins and bridges."""
    return State(0, options["years"], {town: Town(options["coins"]) for town in TOWNS}), []


def view(state, viewer):
    """4 Who sees what: built up from nothing, so that what is not named here stays hidden."""
    seen = View(viewer, state.turn, {name: town.bridges for name, town in state.towns.items()})
    if viewer in state.towns:
        seen.coins, seen.usual = state.towns[viewer].coins, state.towns[viewer].usual
    return seen


def order_model(view):
    """One declaration: reader, JSON Schema, template and messages all come from it."""
    return Fields("orders", {
        "pay": Field(Whole(0, view.coins, rule="1"), "Coins for this year's bridge.", "1", "your usual sum", example=3),
        "usual": Field(Whole(rule="1"), "Standing policy: what you pay when you write nothing.", "1", fill=view.usual),
    }, each=True)


def check(orders, view, remarks):
    if orders.get("usual", 0) > (view.coins or 0):
        remarks.doubt(("usual",), "MORE-THAN-YOU-HAVE", f"you have {view.coins} coins", rule="1")


def adjudicate(state, orders, dice):
    """1, 2: everybody pays at once; who pays most gets the bridge."""
    turn = Turn(state, orders, dice)
    turn.state.turn += 1
    paid = {}
    for name, town in turn.state.towns.items():
        with turn.carrying_out(name, "pay"):
            town.usual = turn.order(name, "usual", town.usual)
            paid[name] = min(turn.order(name, "pay", town.usual), town.coins)
            town.coins -= paid[name]
            turn.tell("paid", "1", [name], town=name, coins=paid[name])
    tied = [name for name in TOWNS if paid[name] == max(paid.values())]
    draws = ["bridge/tie"] if len(tied) > 1 else []
    winner = tied[dice.die("bridge/tie", len(tied)) - 1] if draws else tied[0]
    turn.state.towns[winner].bridges += 1
    turn.tell("bridge", "2", ["public"], draws, town=winner, tied=len(tied))
    return turn.state, turn.events


def outcome(state):
    """3 The end."""
    if state.turn < state.years:
        return None
    most = max(town.bridges for town in state.towns.values())
    winners = [name for name, town in state.towns.items() if town.bridges == most]
    return Outcome(winners, "bridges", f"{', '.join(TOWNS[name] for name in winners)}: {most} bridges.")


def told(event):
    sentence = {"paid": "{town} paid {coins} coins.", "bridge": "{town} gets the bridge of the year."}[event.kind]
    return say(sentence, town=Span(TOWNS[event.data["town"]], "strong"), coins=event.data.get("coins", 0))


def report(view, events, desk):
    lines = [told(event) for event in events] or [[Span("Write your first orders.")]]
    mine = [OrderLine(text, "done", []) for _path, text in desk.written]
    facts = [(TOWNS[name], [Span(f"{bridges} bridges")]) for name, bridges in view.bridges.items()]
    facts += [("Your coins", [Span(str(view.coins), "strong")])] if view.coins is not None else []
    sections = [Section("brief", "What happened", [Bullets(lines), OrderList(mine)]), Section("standing", "How it stands", [Facts(facts)])]
    sections += [Section("orders", desk.next_title, [Source(desk.template, desk.template_name)])] if desk.template else []
    return Report(desk.turn_title, desk.seat_names.get(desk.viewer, "Everybody"), desk.title, desk.viewer, [("Token", [Span(desk.token, "code")])] if desk.token else [],
                  sections, language=desk.language, paper=desk.paper)


RULESET = Ruleset(
    id="tolls", title="Tolls", revision=1, summary="Secret bids for bridges.", seats=TOWNS, players=(2, 4),
    options=(Option("coins", Whole(1, 99), 12, "Coins of each town at the start.", "1"), Option("years", Whole(1, 20), 5, "Years played.", "3")),
    state_type=State, view_type=View, turn_name=lambda options, turn: f"Year {turn}" if turn else "Setup", last_turn=lambda options: options["years"],
    seating=lambda options, players: [[town] for town in list(TOWNS)[:players]], unheld=lambda options: dict.fromkeys(TOWNS, STEWARD),
    seating_problems=lambda options, holders: [], setup=setup, asked=lambda state: [] if outcome(state) else list(TOWNS), order_model=order_model, check=check,
    adjudicate=adjudicate, view=view, outcome=outcome, statistics=lambda state: {f"bridges/{name}": town.bridges for name, town in state.towns.items()},
    report=report, draw_map=lambda view, events: None, steward=lambda view: {"pay": view.coins // 3}, rulebook=Path(__file__).parent / "RULES.md",
)
