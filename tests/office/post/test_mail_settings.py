"""mail.yaml, and where passwords come from."""

import sys
import types

import pytest
from postbox import by_mail
from table import begin

from adjudicator.office.post.offices import post_office_of, post_offices_in
from adjudicator.office.post.settings import Server, password_of, read_mail_settings
from adjudicator.store.trouble import Trouble

GOOD = """\
address: "War of the Roses <war@exämple.org>"
in: {imap: {host: imap.example.org, user: war, folder: War, move_to: Done}}
out: {smtp: {host: smtp.example.org, user: war, security: tls, ca: own.pem}}
"""
SERVER = Server("imap.example.org", 993, "war", "tls")


def read(tmp_path, text):
    (tmp_path / "mail.yaml").write_text(text, encoding="utf-8")
    return read_mail_settings(tmp_path / "mail.yaml")


def test_everything_is_read_with_the_usual_ports(tmp_path):
    settings = read(tmp_path, GOOD)
    assert (settings.name, settings.address, settings.domain) == ("War of the Roses", "war@exämple.org", "xn--exmple-cua.org")
    assert settings.imap == Server("imap.example.org", 993, "war", "tls", "", "War", "Done")
    assert (settings.smtp.port, settings.smtp.security, settings.smtp.ca) == (465, "tls", "own.pem")
    assert read(tmp_path, "address: a@b.example\nout: {smtp: {host: h}}\n").smtp.port == 587


@pytest.mark.parametrize("kind", ["maildir", "mbox", "folder"])
def test_paths_are_from_the_folder_of_the_file(tmp_path, kind):
    settings = read(tmp_path, f"address: a@b.example\nin: {{{kind}: box/in}}\n")
    assert (settings.source, settings.source_path) == (kind, tmp_path / "box/in")


@pytest.mark.parametrize("text, words", [
    ("", "is empty"),
    ("in: {folder: x}\n", "address"),
    ("address: nobody\n", "no e-mail address"),
    ("address: a@b.example\nin: {imap: {host: h}, folder: x}\n", "only one"),
    ("address: a@b.example\nin: {imap: {user: u}}\n", "host"),
    ("address: a@b.example\nin: {imap: {host: h, port: 99999}}\n", "99999"),
    ("address: a@b.example\nin: {imap: {host: h, security: loose}}\n", "loose"),
    ("address: a@b.example\nin: {imap: {host: h, password: hunter2}}\n", "may not stand in this file"),
    ("address: a@b.example\npassword: hunter2\n", "may not stand in this file"),
    ("address: a@b.example\nout: {snmp: {host: h}}\n", "snmp"),
])
def test_mistakes_are_told_with_their_line_and_no_password(tmp_path, text, words):
    with pytest.raises(Trouble) as trouble:
        read(tmp_path, text)
    told = trouble.value.message + " ".join(f"{problem.message} {problem.found} {problem.allowed}" for problem in trouble.value.problems)
    assert words in told and "hunter2" not in told
    assert all(problem.line for problem in trouble.value.problems) or not text


class TestPasswords:
    def test_the_environment_goes_first_then_the_file_then_the_keyring(self, tmp_path, monkeypatch):
        keyring = types.SimpleNamespace(get_password=lambda service, name: f"ring {service} {name}")
        monkeypatch.setitem(sys.modules, "keyring", keyring)
        assert password_of("imap", SERVER, tmp_path, {}) == "ring adjudicator war@imap.example.org"
        secret = tmp_path / "mail.secret"
        secret.write_text("smtp: one\nimap: \"two: three\"\n")
        secret.chmod(0o600)
        assert password_of("imap", SERVER, tmp_path, {}) == "two: three"
        assert password_of("imap", SERVER, tmp_path, {"ADJUDICATOR_MAIL_PASSWORD": "both"}) == "both"
        assert password_of("imap", SERVER, tmp_path, {"ADJUDICATOR_MAIL_PASSWORD": "both", "ADJUDICATOR_IMAP_PASSWORD": "own"}) == "own"

    def test_a_file_that_others_may_read_is_not_used(self, tmp_path):
        secret = tmp_path / "mail.secret"
        secret.write_text("imap: hunter2\n")
        secret.chmod(0o644)
        with pytest.raises(Trouble) as trouble:
            password_of("imap", SERVER, tmp_path, {})
        assert "chmod 600" in trouble.value.advice and "hunter2" not in trouble.value.message

    def test_without_any_it_is_said_where_it_was_looked_for(self, tmp_path, monkeypatch):
        monkeypatch.setitem(sys.modules, "keyring", types.SimpleNamespace(get_password=lambda *_names: None))
        with pytest.raises(Trouble) as trouble:
            password_of("smtp", SERVER, tmp_path, {})
        for word in ("ADJUDICATOR_SMTP_PASSWORD", "mail.secret", "keyring"):
            assert word in trouble.value.advice

    def test_a_keyring_that_cannot_be_opened_is_as_good_as_none(self, tmp_path, monkeypatch):
        def closed(*_names):
            raise RuntimeError("locked")
        monkeypatch.setitem(sys.modules, "keyring", types.SimpleNamespace(get_password=closed))
        with pytest.raises(Trouble):
            password_of("imap", SERVER, tmp_path, {})


class TestOffices:
    def test_a_campaign_s_own_file_goes_before_the_one_above(self, tmp_path):
        begin(tmp_path / "a")
        begin(tmp_path / "b")
        (tmp_path / "mail.yaml").write_text("address: shared@example.org\n")
        (tmp_path / "b/mail.yaml").write_text("address: own@example.org\n")
        shared, own = post_offices_in(tmp_path)
        assert (shared.settings.address, [path.name for path in shared.campaigns]) == ("shared@example.org", ["a"])
        assert (own.settings.address, [path.name for path in own.campaigns]) == ("own@example.org", ["b"])
        assert post_office_of(tmp_path / "a").folder == tmp_path

    def test_without_any_the_campaign_sends_into_a_folder(self, tmp_path):
        from postbox import push, tick

        path = by_mail(tmp_path / "c", mail="")
        tick(path)
        assert len(list((path / "mail/eml").glob("report-*.eml"))) == 4
        assert push(path).sent == []

    def test_a_folder_without_campaigns_is_told(self, tmp_path):
        with pytest.raises(Trouble):
            post_offices_in(tmp_path)
        with pytest.raises(Trouble):
            post_office_of(tmp_path)
