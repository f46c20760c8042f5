"""Counting stones: a toy that uses the core alone, to show that the core knows no game. Hands are secret, the heap is not."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adjudicator.core.names import Names
from adjudicator.core.orders import Choice, Field, Fields, ListOf, Name, Whole, YesNo
from adjudicator.core.report import Bullets, Facts, Heading, OrderLine, OrderList, Paragraph, Report, Section, Source, Span, Table, Column
from adjudicator.core.ruleset import STEWARD, Option, Outcome, Ruleset
from adjudicator.core.turn import Turn

SEATS = {"red": "Red", "green": "Green", "blue": "Blue"}


@dataclass
class State:
    turn: int
    heap: int
    turns: int
    hands: dict[str, int]
    greed: dict[str, str]


@dataclass
class View:
    viewer: str
    turn: int
    heap: int
    hand: int | None
    greed: str = "low"
    hands: dict[str, int] = field(default_factory=dict)


def setup(options, holders, _dice):
    return State(0, options["heap"], options["turns"], {seat: 0 for seat in SEATS}, {seat: "low" for seat in SEATS}), []


def view(state: State, viewer: str) -> View:
    seen = View(viewer, state.turn, state.heap, state.hands.get(viewer), state.greed.get(viewer, "low"))
    if viewer == "gm" or outcome(state):
        seen.hands = dict(state.hands)
    return seen


def order_model(view: View) -> Fields:
    return Fields("orders", {
        "take": Field(Whole(0, 9, rule="1"), help="How many stones to take.", rule="1", default="1, or 3 if you are greedy", example=2),
        "give": Field(ListOf(Name(Names(SEATS), "a seat", "UNKNOWN-SEAT"), each=True), help="One stone to each.", rule="1", default="none"),
        "greed": Field(Choice({"low": "1", "high": "3"}), help="Standing policy.", fill=view.greed),
        "curse": Field(YesNo(), help="Raises in the rules: a programming error on purpose."),
        "spoil": Field(YesNo(), help="Raises in the check: another one."),
    }, each=True)


def check(orders: dict[str, Any], view: View, remarks) -> None:
    if orders.get("spoil"):
        raise ZeroDivisionError("spoiled")
    if orders.get("take", 0) > view.heap:
        remarks.doubt(("take",), "HEAP-TOO-SMALL", f"the heap has {view.heap} stones", rule="1")


def adjudicate(state: State, orders, dice):
    turn = Turn(state, orders, dice)
    state = turn.state
    state.turn += 1
    wind = dice.die("wind", 2 if state.turn % 2 else 3) - 1
    state.heap += wind
    turn.tell("wind", "2", ["public"], ["wind"], stones=wind)
    for seat in SEATS:
        given = orders.get(seat, {})
        if "greed" in given:
            state.greed[seat] = given["greed"]
        if given.get("curse"):
            with turn.carrying_out(seat, "curse"):
                raise KeyError("a curse")
        luck = dice.die(f"luck/{seat}")
        wanted = given.get("take", 3 if state.greed[seat] == "high" else 1) + (luck == 6)
        taken = min(wanted, state.heap)
        state.heap -= taken
        state.hands[seat] += taken
        turn.tell("take", "1", [seat], [f"luck/{seat}"], seat=seat, stones=taken)
        for other in given.get("give", []):
            if state.hands[seat]:
                state.hands[seat] -= 1
                state.hands[other] += 1
                turn.tell("give", "1", [seat, other], giver=seat, to=other)
    dice.die("unseen", 20)
    return state, turn.events


def outcome(state: State):
    if state.heap and state.turn < state.turns:
        return None
    best = max(state.hands.values())
    return Outcome([seat for seat in SEATS if state.hands[seat] == best], "count", f"the heap is counted, {best} stones win")


def report(view: View, events, desk) -> Report:
    sections = [
        Section("brief", "What happened", [Bullets([[Span(f"{event.kind}: {event.data}")] for event in events]) if events else Paragraph([Span("Nothing.")])]),
        Section("orders", "Your orders", [OrderList([OrderLine(text, "done", []) for _path, text in desk.written]), Paragraph([Span(f"how: {desk.how}; problems: {len(desk.problems)}")]),
                                             Paragraph([Span(f"{desk.all_orders} {desk.sent} {desk.player_names} {desk.orders}")])]),
        Section("hand", "Your hand", [Facts([("heap", [Span(str(view.heap))]), ("hand", [Span(str(view.hand))]), ("all", [Span(str(view.hands))])])]),
        Section("table", "Over time", [Table([Column("turn")], [[[Span(f"{name} {values}")]] for _turn, name, values in desk.history])]),
        Section("letters", "Letters", [Paragraph([Span(letter.data["text"])]) for letter in desk.letters]),
        Section("next", "Next", [Heading(desk.next_title or "The end"), Source(desk.template, desk.template_name), Paragraph([Span(f"{desk.deadline} {desk.token} {desk.seed}")])]),
    ]
    return Report(desk.turn_title, SEATS.get(desk.viewer, desk.viewer), desk.campaign, desk.viewer, [("turn", [Span(str(desk.turn))])], sections,
                  language=desk.language, paper=desk.paper)


def steward(view: View) -> dict[str, Any]:
    return {"take": min(view.heap, 2)}


RULESET = Ruleset(
    id="stones", title="Counting Stones", revision=1, summary="Take stones from a heap; the fullest hand wins.",
    seats=SEATS, players=(1, 3),
    options=(
        Option("heap", Whole(1, 1000), 30, "Stones in the heap at the start."),
        Option("turns", Whole(1, 99), 12, "The last turn."),
        Option("weather", Choice({"calm": "", "windy": ""}), "calm", "How strongly the wind blows.", applies=lambda options: options["turns"] > 2),
    ),
    state_type=State, view_type=View,
    turn_name=lambda options, turn: f"Round {turn}" if turn else "The heap is laid",
    last_turn=lambda options: options["turns"],
    seating=lambda options, count: [[seat] for seat in list(SEATS)[:count]],
    unheld=lambda options: {seat: STEWARD for seat in SEATS},
    seating_problems=lambda options, holders: ["red must be played"] if holders.get("red") == "nobody" else [],
    setup=setup, asked=lambda state: list(SEATS), order_model=order_model, check=check, adjudicate=adjudicate, view=view, outcome=outcome,
    statistics=lambda state: {"stones": sum(state.hands.values()), "heap": state.heap}, report=report, draw_map=lambda view, events: None, steward=steward,
    rulebook=Path(__file__).parent / "RULES.md",
)
