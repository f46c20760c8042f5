"""`make mail`: the round that is shown is one that works."""

from . import round as shown
from .servers import do_without, which


def test_the_round_is_told_on_a_few_screens(tmp_path, monkeypatch, capsys):
    if which("dovecot") is None:
        do_without("Dovecot is not installed (. .ci/setup test installs it for root)")
    monkeypatch.setattr(shown, "PLACE", tmp_path / "round")
    shown.main()
    told = capsys.readouterr().out
    assert len(told.splitlines()) <= 120 and max(map(len, told.splitlines())) <= 170
    assert "no card is called 'Archerz'" in told and "turn 1, Round 1, was run: all orders are in" in told and "mail: 9 sent" in told
    assert "a program sent it" in told and shown.PASSWORD not in told


def test_without_dovecot_it_says_how_to_get_it(monkeypatch, capsys):
    monkeypatch.setattr(shown, "which", lambda _program: None)
    try:
        shown.main()
    except SystemExit as end:
        assert "apt-get install dovecot-imapd" in str(end.code)
    else:
        raise AssertionError("it went on")
