"""Measure speed and memory as ratios and numbers of one run: `make bench`. Prints a table with the aims and writes build/bench.md.

Nothing here is a test: a slow machine fails nothing. What is compared is measured one after the other in the same run.
"""

import importlib.util
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

TOP = Path(__file__).parent.parent
RESULTS = TOP / "build" / "bench.md"
PROGRAM = [sys.executable, "-m", "adjudicator"]
SEATS = ("lancaster", "somerset", "shrewsbury", "northumberland", "buckingham", "york", "warwick", "norfolk")

WEASYPRINT_ALONE = """
import sys, weasyprint
for name in sys.argv[1:]:
    weasyprint.HTML(filename=name).write_pdf(name + ".alone.pdf")
"""

DIPLOMACY = """
import json, random, time
from diplomacy import Game
random.seed(1)
adjudicating = checking = 0.0
phases = orders = 0
while phases < 150:
    game = Game()
    while not game.is_game_done and phases < 150 and int(game.get_current_phase()[1:5]) < 1911:
        possible = game.get_all_possible_orders()
        for power in game.powers:
            chosen = [random.choice(possible[place]) for place in game.get_orderable_locations(power) if possible[place]]
            start = time.perf_counter()
            game.set_orders(power, chosen)
            checking += time.perf_counter() - start
            orders += len(chosen)
        start = time.perf_counter()
        game.process()
        adjudicating += time.perf_counter() - start
        phases += 1
print(json.dumps({"phases": phases / adjudicating, "orders": orders / checking}))
"""


class Row:
    """One line of the table: what, the result in words, the aim in words, and whether it was reached."""

    def __init__(self, what: str, result: str, aim: str, reached: bool | None) -> None:
        self.what, self.result, self.aim, self.reached = what, result, aim, reached


def run(*arguments: str, cwd: Path | None = None) -> float:
    """Seconds that a command takes. RuntimeError if it fails."""
    start = time.perf_counter()
    done = subprocess.run(arguments, cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(arguments)}: {done.stdout}{done.stderr}")
    return time.perf_counter() - start


def median(measure: Callable[[], float], times: int) -> float:
    return statistics.median(measure() for _time in range(times))


def started_year(folder: Path) -> Path:
    """The recorded year, with Spring played and the orders of Summer sent: the next run has battles to tell."""
    source = TOP / "campaigns" / "roses-1455"
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("orders", "manifests.json"))
    (folder / "secret.yaml").chmod(0o600)
    for season in ("1-spring", "2-summer"):
        subprocess.run([*PROGRAM, "submit", "-C", str(folder), *map(str, sorted((source / "orders" / season).glob("*.yaml")))], capture_output=True)
        if season == "1-spring":
            run(*PROGRAM, "run", str(folder), "--no-reports", "--yes")
    return folder


def reports_row(work: Path) -> list[Row]:
    """A turn of eight seats with all reports, against WeasyPrint alone on the same HTML files."""
    ours, memory, folder = [], 0, work
    for number in range(3):
        folder = started_year(work / f"year-{number}")
        watcher = MemoryWatcher()
        start = time.perf_counter()
        process = subprocess.Popen([*PROGRAM, "run", str(folder), "--yes"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        watcher.watch(process)
        process.wait()
        ours.append(time.perf_counter() - start)
        memory = max(memory, watcher.stop())
    pages = sorted(map(str, (folder / "turns" / "0002" / "reports").glob("*.html")))
    theirs = median(lambda: run(sys.executable, "-c", WEASYPRINT_ALONE, *pages), 3)
    turn = statistics.median(ours)
    return [Row(f"turn with {len(pages)} reports / WeasyPrint alone on the same HTML", f"{turn / theirs:.2f}  ({turn:.2f} s / {theirs:.2f} s)", "at most 0.60", turn / theirs <= 0.6),
            Row("peak memory of that run, all processes", f"{memory} MB", "below 400 MB", memory < 400)]


class MemoryWatcher:
    """Adds up, ten times a second, the proportional memory of a process and its descendants (Linux)."""

    def __init__(self) -> None:
        self.peak, self.running = 0, True

    def watch(self, process: subprocess.Popen) -> None:
        self.thread = threading.Thread(target=self._look, args=(process.pid,))
        self.thread.start()

    def _look(self, pid: int) -> None:
        while self.running:
            self.peak = max(self.peak, sum(map(proportional_kib, descendants(pid))))
            time.sleep(0.1)

    def stop(self) -> int:
        self.running = False
        self.thread.join()
        return self.peak // 1024


def descendants(pid: int) -> list[int]:
    found = [pid]
    for each in found:
        try:
            for thread in Path(f"/proc/{each}/task").iterdir():
                found += [int(child) for child in (thread / "children").read_text().split()]
        except OSError:
            continue
    return found


def proportional_kib(pid: int) -> int:
    try:
        return next((int(line.split()[1]) for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines() if line.startswith("Pss:")), 0)
    except OSError:
        return 0


def campaign_rows(work: Path) -> list[Row]:
    """A whole war by stewards: in the program, on disk, and proved again; and in memory alone."""
    def war() -> float:
        folder = work / "war"
        shutil.rmtree(folder, ignore_errors=True)
        run(*PROGRAM, "new", "roses", str(folder), "--players", "8", "--stewards", "--no-reports")
        return run(*PROGRAM, "run", str(folder), "--to-end", "--no-reports")

    played = median(war, 3)
    proved = median(lambda: run(*PROGRAM, "verify", str(work / "war")), 3)
    turns = len(list((work / "war" / "turns").glob("[0-9]*"))) - 1
    return [Row(f"a war of 8 stewards to its end ({turns} turns), every turn synced to disk", f"{played:.2f} s", "below 1 s", played < 1),
            Row("verify of that war / playing it", f"{proved / played:.2f}  ({proved:.2f} s)", "at most 1.00", proved <= played)]


def in_memory(game: str, players: int) -> tuple[float, int, float]:
    """(seconds for a whole game by stewards, turns, seconds of it spent in adjudication)"""
    from adjudicator.core import registry
    from adjudicator.core.dice import Dice, turn_key
    from tests.rulesets.playing import begin, read

    ruleset = registry.load(game)
    start, adjudicating, turns = time.perf_counter(), 0.0, 0
    state = begin(ruleset, players)
    while ruleset.outcome(state) is None:
        turns += 1
        orders = {}
        for seat in ruleset.asked(state):
            view = ruleset.view(state, seat)
            orders[seat] = read(ruleset, view, ruleset.steward(view)).orders
        before = time.perf_counter()
        state, _events = ruleset.adjudicate(state, orders, Dice(turn_key("bench", turns)))
        adjudicating += time.perf_counter() - before
    return time.perf_counter() - start, turns, adjudicating


def memory_rows() -> list[Row]:
    """Games in memory, without the disk."""
    from adjudicator.core import registry

    rows = []
    for game, players, aim in (("roses", 8, 1.0), ("feudal-lords", 4, 0.3)):
        if game in registry.available():
            in_memory(game, players)
            seconds = median(lambda: in_memory(game, players)[0], 3)
            rows.append(Row(f"a whole game of {game}, {players} stewards, in memory", f"{seconds:.2f} s", f"below {aim:g} s", seconds < aim))
    return rows


def checking_speed() -> float:
    """Orders checked a second, from the bytes of an order file to orders and problems: the recorded files of Spring, as on arrival."""
    from adjudicator.core import registry
    from adjudicator.core.names import Names
    from adjudicator.orderfile.submission import read_submission
    from tests.rulesets.playing import begin

    game = registry.load("roses")
    state, seats = begin(game, 8), Names(game.seats)
    views = {seat: game.view(state, seat) for seat in game.seats}
    files = {seat: (TOP / "campaigns" / "roses-1455" / "orders" / "1-spring" / f"{seat}.yaml").read_bytes() for seat in SEATS}

    def once() -> int:
        count = 0
        for seat, data in files.items():
            view = views[seat]
            read = read_submission(data, game.order_model(view), lambda orders, remarks: game.check(orders, view, remarks),  # noqa: B023 - used at once
                                   campaign="roses-1455", turn=1, seat=seat, seats=seats)
            count += sum(len(order) if key in ("policy", "give", "trade") else 1 for key, order in read.orders.items())
            count += sum(problem.kind == "refused" for problem in read.problems)
        return count

    once()
    start, count = time.perf_counter(), 0
    while time.perf_counter() - start < 1.5:
        count += once()
    return count / (time.perf_counter() - start)


def diplomacy_rows() -> list[Row]:
    """Against the best-known adjudicator in Python."""
    if importlib.util.find_spec("diplomacy") is None:
        return [Row("against the package `diplomacy`", "it is not installed", "make bench installs it", None)]
    answer = subprocess.run([sys.executable, "-c", DIPLOMACY], capture_output=True, text=True)
    theirs = json.loads(answer.stdout.splitlines()[-1])
    _seconds, turns, adjudicating = in_memory("roses", 8)
    seasons, orders = turns / adjudicating, checking_speed()
    return [Row("seasons adjudicated a second / phases of `diplomacy`", f"{seasons / theirs['phases']:.2f}  ({seasons:.0f} / {theirs['phases']:.0f})", "above 1.00", seasons > theirs["phases"]),
            Row("orders checked a second / orders of `diplomacy`", f"{orders / theirs['orders']:.2f}  ({orders:.0f} / {theirs['orders']:.0f})", "above 1.00", orders > theirs["orders"])]


def mail_rows(work: Path) -> list[Row]:
    """A thousand messages in a Maildir: the recorded orders of Spring, over and over, each with another letter; pulled, checked, receipted."""
    import mailbox
    from email.message import EmailMessage

    source, folder = TOP / "campaigns" / "roses-1455", work / "mail"
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("orders", "manifests.json"))
    (folder / "secret.yaml").chmod(0o600)
    (folder / "mail.yaml").write_text("address: war@example.org\nin: {maildir: box}\n")
    box = mailbox.Maildir(folder / "box", create=True)
    for number in range(1000):
        seat = SEATS[number % len(SEATS)]
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = f"{seat}@example.org", "war@example.org", "orders"
        message["Message-ID"] = f"<{number}@example.org>"
        message.set_content("My orders are attached.\n")
        orders = (source / "orders" / "1-spring" / f"{seat}.yaml").read_text() + f"# {number}\n"
        message.add_attachment(orders.encode(), maintype="application", subtype="octet-stream", filename=f"{seat}.yaml")
        box.add(message.as_bytes())
    seconds = run(*PROGRAM, "mail", "pull", str(folder))
    taken = len(list((folder / "mail" / "in").glob("*.json")))
    receipts = len(list((folder / "mail" / "out").glob("*.eml")))
    if (taken, receipts) != (1000, 1000):
        raise RuntimeError(f"{taken} messages were taken, {receipts} receipts queued")
    return [Row("1,000 messages pulled from a Maildir, checked and receipted", f"{1000 / seconds:.0f} a second  ({seconds:.1f} s)", "at least 50 a second", seconds <= 20)]


def command_rows(work: Path) -> list[Row]:
    """What the program costs before it does anything."""
    nothing = median(lambda: run(sys.executable, "-c", "pass"), 7)
    help_ = median(lambda: run(*PROGRAM, "--help"), 7) - nothing
    folder = work / "kit"
    run(*PROGRAM, "new", "roses", str(folder), "--players", "8")
    reports = folder / "turns" / "0000" / "reports"
    check = median(lambda: run(*PROGRAM, "check", str(reports / "york.orders.yaml"), "--view", str(reports / "york.view.json")), 7) - nothing
    return [Row("adjudicator --help, more than python -c pass", f"{help_:.2f} s", "at most 0.15 s", help_ <= 0.15),
            Row("adjudicator check, more than python -c pass", f"{check:.2f} s", "at most 0.35 s", check <= 0.35)]


def main() -> None:
    os.environ.pop("COVERAGE_PROCESS_START", None)
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        rows = [*command_rows(work), *reports_row(work), *campaign_rows(work), *mail_rows(work), *memory_rows(), *diplomacy_rows()]
    mark = {True: "reached", False: "MISSED", None: "-"}
    lines = ["| what | result | aim | |", "| --- | --- | --- | --- |", *(f"| {row.what} | {row.result} | {row.aim} | {mark[row.reached]} |" for row in rows)]
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text("\n".join(lines) + "\n")
    width = max(len(row.what) for row in rows)
    for row in rows:
        print(f"{row.what:{width}}  {row.result:28}  {row.aim:16}  {mark[row.reached]}")
    print(f"written to {RESULTS.relative_to(TOP)}")


if __name__ == "__main__":
    main()
