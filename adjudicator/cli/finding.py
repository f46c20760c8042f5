"""Commands that explain: log, preview, explain, rules."""

import sys
from pathlib import Path

import click

from . import show
from .common import campaign_at, campaign_option, complete_ruleset, complete_seat, folder_argument, json_option


@click.command(epilog="""
\b
Examples:
  adjudicator log war                                   the last turn, everything
  adjudicator log war --turn 3 --draw 'battle/*'        where these dice were thrown
  adjudicator log war --place oxford --rule 6.5         what happened there under this rule
  adjudicator log war --seat york                       what York may know, and nothing else
""")
@folder_argument
@click.option("--turn", type=click.IntRange(0), metavar="N", help="The turn; without it, the last one.")
@click.option("--seat", metavar="SEAT", shell_complete=complete_seat, help="As this seat may know it (or `public`); without it, as the game master.")
@click.option("--kind", default="", metavar="KIND", help="Events of this kind; * stands for anything.")
@click.option("--rule", default="", metavar="RULE", help="Events of this rule, and of those inside it.")
@click.option("--place", default="", metavar="TEXT", help="Events in which this word stands: a place, a piece, a seat.")
@click.option("--draw", default="", metavar="NAME", help="Events that name such a draw; * stands for anything.")
@json_option
def log(folder: Path, turn: int | None, seat: str | None, kind: str, rule: str, place: str, draw: str, as_json: bool) -> None:
    """Find out why something happened: from a result back to its rule, the orders and the dice."""
    from ..office import finding
    from ..office.checking import unknown_seat

    with campaign_at(folder, changes=False, playable=False) as campaign:
        viewer = "gm"
        if seat:
            viewer = seat.lower() if seat.lower() in ("public", "gm") else campaign.seats.find(seat)
            if viewer is None:
                raise unknown_seat(campaign, seat)
        found = finding.log_of(campaign, campaign.turn if turn is None else turn, viewer, finding.Wanted(kind, rule, place, draw))
    if as_json:
        show.json_result(found)
        return
    lines = [f"turn {found.turn}, {found.turn_title}" + ("" if found.viewer == "gm" else f", as {found.viewer} may know it")]
    for entry in found.entries:
        lines.append(f"{entry.number:>4}  {entry.kind}" + (f"  (to {', '.join(entry.audience)})" if entry.audience else ""))
        if entry.data:
            lines.append(f"      {finding.in_words(entry.data)}")
        if entry.rule:
            title = entry.rule_title if entry.rule_title.startswith(f"{entry.rule} ") else f"{entry.rule}" + (f", in {entry.rule_title}" if entry.rule_title else "")
            lines.append(f"      rule  {title}")
        lines += [f"      order {seat_}: {text}" for seat_, texts in entry.orders.items() for text in texts]
        lines += [f"      dice  {finding.dice_in_words(thrown)}" for thrown in entry.draws]
    if found.draws:
        lines.append("dice that no event tells of:")
        lines += [f"      {finding.dice_in_words(thrown)}" for thrown in found.draws]
    if not found.entries and not found.draws:
        lines.append("nothing that fits")
    show.result("\n".join(lines))


@click.command(epilog="""
\b
Examples:
  adjudicator preview york.orders.yaml --view york.view.json
  adjudicator preview --view york.view.json                    without orders: what happens by default
  adjudicator preview york.yaml -C war                         as the game master
""")
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=str))
@click.option("--view", "kit", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="The view.json that came with the report.")
@click.option("--seat", metavar="SEAT", shell_complete=complete_seat, help="Without a file: the seat, by id or name.")
@campaign_option
@json_option
def preview(file: str | None, kit: Path | None, seat: str | None, folder: Path, as_json: bool) -> None:
    """Try orders out: what is legal, how it is understood, what it costs, where pieces can go.

    Nothing is stored, no secret is needed, and nothing is known but what the seat's report told. Exits 1 if anything is refused.
    """
    from ..office import checking
    from ..office.reading import orders_view
    from ..orderfile.loader import load
    from ..orderfile.submission import peek
    from .orders import _called, _read

    data = _read(file) if file else b""
    if kit is not None:
        own, ruleset, view = checking.read_kit(kit)
    else:
        with campaign_at(folder, changes=False) as campaign:
            named = seat or (peek(load(data)).seat if file else None)
            if not named:
                raise click.UsageError("which seat? Give --view with the view.json of a report, or --seat SEAT, or a file that names its seat")
            named = checking.seat_named(campaign, named)
            own, ruleset, view = checking.kit_now(campaign, named), campaign.ruleset, orders_view(campaign.ruleset, campaign.state, named)
    checked = checking.check_with_kit(data, _called(file), own, ruleset, view) if file else checking.Checked("", "taken", own.seat, True)
    text = checking.preview_text(checked, own, ruleset, view)
    if as_json:
        show.json_result({"seat": own.seat, "turn": own.turn, "fine": checked.is_fine, "orders": checked.orders, "problems": checked.problems, "text": text})
    else:
        show.result(text.rstrip("\n"))
    if not checked.is_fine:
        sys.exit(1)


@click.command(epilog="""
\b
Examples:
  adjudicator explain UNKNOWN-SEAT
  adjudicator explain --all
  adjudicator explain TOO-MANY --ruleset roses
""")
@click.argument("code", required=False)
@click.option("--ruleset", metavar="RULESET", shell_complete=complete_ruleset, help="Look in this game only, beside the core.")
@click.option("--all", "everything", is_flag=True, help="List all codes that are explained.")
@json_option
def explain(code: str | None, ruleset: str | None, everything: bool, as_json: bool) -> None:
    """Explain the code of a problem: what it means, an example, what to do, and where the rulebook speaks of it.

    `check` names the codes of what it found, and so does --json everywhere.
    """
    from ..core import registry
    from ..office import explaining
    from ..store.trouble import Trouble

    if not code and not everything:
        raise click.UsageError("which code? Example: adjudicator explain UNKNOWN-SEAT; all of them: adjudicator explain --all")
    games = []
    for id_ in [ruleset] if ruleset else registry.available():
        try:
            games.append(registry.load(id_))
        except registry.UnknownRuleset:
            raise
        except Exception as error:  # one broken package must not hide the others
            show.say(f"{id_} is installed, but cannot be loaded: {type(error).__name__}: {error}")
    if everything:
        known = explaining.codes(games)
        if as_json:
            show.json_result([{"code": each, "source": source} for each, source in known])
        else:
            show.table(["code", "of"], [list(each) for each in known])
        return
    found = explaining.explain(code, games)
    if not found:
        near = explaining.like(code)
        import difflib

        near = near or difflib.get_close_matches(code.upper(), [each for each, _source in explaining.codes(games)], n=3)
        raise Trouble(f"no code is called {code!r}", f"perhaps: {', '.join(near)}" if near else "all of them: adjudicator explain --all")
    if as_json:
        show.json_result(found)
        return
    for each in found:
        show.result(f"{each.code}{'' if each.source == 'core' else f' in {each.source}'}")
        if each.meaning:
            show.result(f"  {each.meaning}")
        if each.example:
            show.result("  for example:  " + "\n                ".join(each.example.splitlines()))
        if each.remedy:
            show.result(f"  what to do:   {each.remedy}")
        for title, line in each.chapters:
            show.result(f"  rulebook {title}: {line if len(line) <= 200 else line[:199] + '…'}")


@click.command(epilog="""
\b
Examples:
  adjudicator rules roses | less
  adjudicator rules roses --format pdf -o roses.pdf
  adjudicator rules -C war --format html -o rules.html     with the options of this campaign
""")
@click.argument("ruleset", required=False, shell_complete=complete_ruleset)
@campaign_option
@click.option("--format", "form", type=click.Choice(["text", "html", "pdf", "md"]), default=None, help="Without it: by the name of the file, or text.")
@click.option("-o", "--output", "output", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file.")
@click.option("--paper", type=click.Choice(["A4", "Letter"], case_sensitive=False), default=None, help="For PDF; the campaign's, or A4.")
@click.option("--chapter", default="", metavar="NUMBER", help="Only this chapter, as text, such as 6.5.")
def rules(ruleset: str | None, folder: Path, form: str | None, output: Path | None, paper: str | None, chapter: str) -> None:
    """Print a game's rulebook, or that of a campaign with its options in a table at the top."""
    from ..core import registry
    from ..office import rulebook
    from ..office.campaign import find, read_campaign
    from ..store.trouble import Trouble

    options, title, language = None, "", "en"
    if ruleset:
        game = registry.load(ruleset)
    else:
        campaign = read_campaign(find(folder))
        game, options, title, language = campaign.ruleset, campaign.options, campaign.settings.title, campaign.settings.language
        paper = paper or campaign.settings.paper
    form = form or ({".html": "html", ".pdf": "pdf", ".md": "md"}.get(output.suffix.lower(), "text") if output else "text")
    if form == "pdf" and output is None:
        raise click.UsageError("a PDF is written to a file: -o rules.pdf")
    if chapter:
        found = [each for each in rulebook.chapters(game.rulebook) if each.number == chapter or each.number.startswith(f"{chapter}.")]
        if not found:
            raise Trouble(f"the rulebook of {game.id} has no chapter {chapter}")
        data = "\n".join(f"{each.number} {each.title}\n{each.text}" for each in found).rstrip().encode() + b"\n"
    elif form == "md":
        data = rulebook.as_markdown(game, options, title).encode()
    else:
        from ..core.words import speaking

        with speaking(language):
            data = _rendered(rulebook.as_report(game, options, title, language, paper or "A4"), form)
    if output is None:
        show.result(data.decode().rstrip("\n"))
    else:
        output.write_bytes(data)
        show.result(str(output))


def _rendered(report, form: str) -> bytes:
    if form == "text":
        from ..report import text

        return text.render(report).encode()
    if form == "html":
        from ..report import html

        return html.render(report).encode()
    from ..report import ReportError, produce
    from ..store.trouble import Trouble

    try:
        return next(produce([report], 1)).pdf
    except ReportError as error:
        raise Trouble(str(error), "or take another form: --format html") from error
