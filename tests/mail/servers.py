"""Real mail servers for the tests, on loopback, each in a temporary folder of its own: Dovecot, Postfix, aiosmtpd; and a line that breaks."""

import asyncio
import grp
import os
import pwd
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import trustme

HOST = "127.0.0.1"
START_SECONDS = 15
ENDING_WITH_US = ["setpriv", "--pdeathsig", "TERM"]
"""Begins the command of a server that is to end even if the tests are killed; not for one that changes its user, as Postfix does."""
PASSWORD = "a long pass-phrase"  # noqa: S105 - of the test server alone


def which(program):
    """Where a server's program is: its folder is not in everybody's PATH."""
    return shutil.which(program, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")


def port_of(address=(HOST, 0)):
    with socket.socket() as chosen:
        chosen.bind(address)
        return chosen.getsockname()[1]


def wait_for(port):
    """Until a server answers there."""
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        with suppress(OSError), socket.create_connection((HOST, port), 1):
            return
        time.sleep(0.02)
    raise AssertionError(f"nothing answers on port {port}")


@contextmanager
def public_folder(prefix):
    """A temporary folder that other users can pass through: servers do not work as root."""
    path = Path(tempfile.mkdtemp(prefix=prefix))
    path.chmod(0o755)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


@dataclass
class Certificates:
    """ca: file that trusts the server; other_ca: one that does not; cert, key: the server's."""

    ca: Path
    other_ca: Path
    cert: Path
    key: Path

    @classmethod
    def make(cls, folder):
        authority, issued = trustme.CA(), None
        issued = authority.issue_cert(HOST, "localhost")
        made = cls(folder / "ca.pem", folder / "other-ca.pem", folder / "cert.pem", folder / "key.pem")
        authority.cert_pem.write_to_path(made.ca)
        trustme.CA().cert_pem.write_to_path(made.other_ca)
        made.cert.write_bytes(b"".join(part.bytes() for part in issued.cert_chain_pems))
        issued.private_key_pem.write_to_path(made.key)
        return made

    def context(self):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.cert, self.key)
        return context


def mail_user():
    """(uid, gid) that mail is delivered as: nobody special if the tests run as root, else whoever runs them."""
    if os.getuid():
        return os.getuid(), os.getgid()
    user = pwd.getpwnam("mail")
    return user.pw_uid, user.pw_gid


class Dovecot:
    """An IMAP server. Every user has the password PASSWORD; `<user>` is a Maildir under `mail`."""

    USERS = ("gm", "york", "lancaster", "ирина")

    def __init__(self, folder):
        self.folder, self.mail = folder, folder / "mail"
        self.certificates = Certificates.make(folder)
        self.plain, self.tls = port_of(), port_of()
        self.process = None
        uid, gid = mail_user()
        self.mail.mkdir()
        os.chown(self.mail, uid, gid)
        (folder / "users").write_text("".join(f"{user}:{{PLAIN}}{PASSWORD}::::::\n" for user in self.USERS) + "ünal:{PLAIN}pässwörd ☃::::::\n")
        (folder / "dovecot.conf").write_text(self._settings(uid, gid))

    def _settings(self, uid, gid):
        own = ""
        if os.getuid():
            me, group = pwd.getpwuid(os.getuid()).pw_name, grp.getgrgid(os.getgid()).gr_name
            own = f"""
default_internal_user = {me}
default_internal_group = {group}
default_login_user = {me}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
"""
        return f"""
base_dir = {self.folder}/run
state_dir = {self.folder}/state
log_path = {self.folder}/log
protocols = imap
listen = {HOST}
ssl = yes
ssl_cert = <{self.certificates.cert}
ssl_key = <{self.certificates.key}
disable_plaintext_auth = no
auth_mechanisms = plain login
auth_username_chars =
auth_failure_delay = 0
mail_location = maildir:{self.mail}/%u
mail_fsync = never
mail_max_userip_connections = 100
first_valid_uid = 1
passdb {{
  driver = passwd-file
  args = {self.folder}/users
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={self.folder}/home/%u
}}
service anvil {{
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service imap-login {{
  chroot =
  service_count = 0
  process_min_avail = 1
  inet_listener imap {{
    port = {self.plain}
  }}
  inet_listener imaps {{
    port = {self.tls}
    ssl = yes
  }}
}}
{own}"""

    def start(self):
        with (self.folder / "stderr").open("ab") as errors:
            self.process = subprocess.Popen(
                [*ENDING_WITH_US, which("dovecot"), "-F", "-c", str(self.folder / "dovecot.conf")],
                start_new_session=True,
                stdout=subprocess.DEVNULL,
                stderr=errors,
            )
        try:
            wait_for(self.tls)
        except AssertionError:
            print(*[path.read_text() for path in (self.folder / "stderr", self.folder / "log") if path.exists()], sep="\n")
            raise
        return self

    def stop(self):
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(5)
            self.kill()

    def kill(self):
        """The server and all its processes end at once."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process = None

    def connect(self, user="gm", folder="INBOX"):
        from imapclient import IMAPClient

        client = IMAPClient(HOST, self.plain, ssl=False)
        client.login(user, PASSWORD) if user.isascii() else client.plain_login(user, PASSWORD)
        client.select_folder(folder)
        return client

    def append(self, *messages, user="gm", folder="INBOX"):
        with self.connect(user) as client:
            for message in messages:
                client.append(folder, message)

    def flags(self, user="gm", folder="INBOX"):
        """UID -> flags."""
        with self.connect(user, folder) as client:
            return {
                uid: {flag.decode() for flag in found[b"FLAGS"]} - {"\\Recent"} for uid, found in client.fetch(client.search(), ["FLAGS"]).items()
            }

    def number_anew(self, user="gm"):
        """The messages stay, their numbers and the UIDVALIDITY change, as after the server's mailbox was brought back from a backup."""
        maildir = self.mail / user
        first, *lines = (maildir / "dovecot-uidlist").read_text().splitlines(keepends=True)
        version, validity, *_rest = first.split()
        renumbered = [f"{number + 1000} {line.partition(' ')[2]}" for number, line in enumerate(lines)]
        (maildir / "dovecot-uidlist").write_text(
            f"{version} V{int(validity[1:]) + 1000} N{1000 + len(lines)} G{int(validity[1:]):032x}\n" + "".join(renumbered)
        )
        for path in maildir.glob("dovecot.index*"):
            path.unlink()


def do_without(why):
    """Skip; but continuous integration has what it needs, and must not leave a test out unseen."""
    if os.environ.get("CI"):
        pytest.fail(why)
    pytest.skip(why)


@pytest.fixture(scope="session")
def running_dovecot():
    if which("dovecot") is None:
        do_without("Dovecot is not installed (. .ci/setup test installs it for root)")
    version = subprocess.run([which("dovecot"), "--version"], capture_output=True, text=True, check=False).stdout
    if not version.startswith("2.3."):
        do_without(f"the settings of these tests are for Dovecot 2.3, not {version.strip()}")
    with public_folder("dovecot-") as folder:
        server = Dovecot(folder).start()
        try:
            yield server
        finally:
            server.stop()


@pytest.fixture
def dovecot(running_dovecot):
    """An IMAP server with empty mailboxes."""
    if running_dovecot.process is None:
        running_dovecot.start()
    for user in running_dovecot.USERS:
        shutil.rmtree(running_dovecot.mail / user, ignore_errors=True)
    return running_dovecot


class Line:
    """A line to a server of this machine that can break: after so many bytes from the server, on the connections that are counted."""

    def __init__(self, port, cut_after=None, times=1):
        self.target, self.cut_after, self.times = port, cut_after, times
        self.connections = 0
        self._listener = socket.create_server((HOST, 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_exception):
        self._listener.close()

    def _accept(self):
        with suppress(OSError):
            while True:
                client, _address = self._listener.accept()
                self.connections += 1
                try:
                    server = socket.create_connection((HOST, self.target))
                except OSError:  # nobody is there now
                    client.close()
                    continue
                cut = self.cut_after if self.cut_after is not None and self.connections <= self.times else None
                threading.Thread(target=self._pass, args=(client, server, None), daemon=True).start()
                threading.Thread(target=self._pass, args=(server, client, cut), daemon=True).start()

    @staticmethod
    def _pass(source, target, cut):
        passed = 0
        with suppress(OSError):
            while data := source.recv(4096):
                if cut is not None and passed + len(data) >= cut:
                    target.sendall(data[: cut - passed])
                    break
                passed += len(data)
                target.sendall(data)
        for each in (source, target):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


@dataclass
class Script:
    """What an SMTP server does, and what it got.

    refuse:  recipient -> its answer, such as "550 5.1.1 no such user"; None instead of a list: for ever; a list is used up
    at_data: recipient -> the answer after the message
    drop:    recipients after whose message the connection is lost: before the answer
    hang:    recipients whose message is answered when `go_on` is set
    got:     (sender, recipient, message, options)
    """

    refuse: dict = field(default_factory=dict)
    at_mail: list = field(default_factory=list)
    at_data: dict = field(default_factory=dict)
    drop: set = field(default_factory=set)
    hang: set = field(default_factory=set)
    got: list = field(default_factory=list)
    logins: list = field(default_factory=list)
    connections: int = 0
    arrived: threading.Event = field(default_factory=threading.Event)
    go_on: threading.Event = field(default_factory=threading.Event)

    def to(self):
        return [recipient for _sender, recipient, _message, _options in self.got]

    async def handle_MAIL(self, server, session, envelope, address, options):
        if self.at_mail:
            return self.at_mail.pop(0)
        envelope.mail_from, envelope.mail_options = address, options
        return "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, options):
        answer = self.refuse.get(address)
        if isinstance(answer, list):
            answer = answer.pop(0) if answer else None
        if answer == "drop":
            server.transport.abort()
            return "421 gone"
        if answer:
            return answer
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        to = envelope.rcpt_tos[0]
        if to in self.at_data:
            return self.at_data[to]
        self.got.append((envelope.mail_from, to, envelope.content, envelope.mail_options))
        self.arrived.set()
        if to in self.hang:
            await asyncio.to_thread(self.go_on.wait, 20)
        if to in self.drop:
            self.drop.discard(to)
            server.transport.abort()
        return "250 queued"

    def authenticate(self, server, session, envelope, mechanism, data):
        from aiosmtpd.smtp import AuthResult

        user, password = data.login.decode(), data.password.decode()
        self.logins.append((mechanism, user))
        if password == PASSWORD or password == "pässwörd ☃":
            return AuthResult(success=True)
        return AuthResult(success=False, handled=False)


@contextmanager
def smtp_server(script, certificates=None, security="none", **options):
    """An SMTP server inside this process; yields its port. options: aiosmtpd's."""
    from aiosmtpd.smtp import SMTP

    loop = asyncio.new_event_loop()
    context = certificates.context() if certificates else None

    def protocol():
        script.connections += 1
        return SMTP(
            script,
            hostname="smtp.test",
            loop=loop,
            tls_context=context if security == "starttls" else None,
            require_starttls=security == "starttls",
            authenticator=script.authenticate,
            **{"enable_SMTPUTF8": True, **options},
        )

    server = loop.run_until_complete(loop.create_server(protocol, HOST, 0, ssl=context if security == "tls" else None))
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        script.go_on.set()

        async def end():
            server.close()
            rest = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            for task in rest:
                task.cancel()
            await asyncio.gather(*rest, return_exceptions=True)

        asyncio.run_coroutine_threadsafe(end(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


class Postfix:
    """A mail transport that delivers what comes for example.test into Maildirs, such as Dovecot's, and refuses the rest. Needs root."""

    def __init__(self, folder, maildirs, users, certificates):
        self.folder, self.port = folder, port_of()
        settings = folder / "etc"
        settings.mkdir()
        uid, gid = mail_user()
        for name, owner in (("spool", "root"), ("data", "postfix"), ("log", "root")):
            (folder / name).mkdir()
            shutil.chown(folder / name, owner)
        boxes = " ".join(f"{{{user}@example.test = {user}/}}" for user in users)
        (settings / "main.cf").write_text(f"""
compatibility_level = 3.6
queue_directory = {folder}/spool
data_directory = {folder}/data
maillog_file = {folder}/log/mail
maillog_file_prefixes = {folder}
myhostname = mail.example.test
mydestination =
mynetworks = 127.0.0.0/8
inet_interfaces = {HOST}
inet_protocols = ipv4
smtp_dns_support_level = disabled
smtpd_tls_security_level = may
smtpd_tls_chain_files = {certificates.key}, {certificates.cert}
smtpd_peername_lookup = no
smtpd_recipient_restrictions = reject_unlisted_recipient, permit_mynetworks, reject
smtputf8_enable = yes
alias_maps =
alias_database =
virtual_mailbox_domains = example.test
virtual_mailbox_base = {maildirs}
virtual_mailbox_maps = inline:{{ {boxes} }}
virtual_minimum_uid = 1
virtual_uid_maps = static:{uid}
virtual_gid_maps = static:{gid}
default_transport = error:nothing leaves this machine
relay_transport = error:nothing leaves this machine
""")
        services = [
            (f"{HOST}:{self.port}", "inet", "n", "-", "smtpd"),
            ("cleanup", "unix", "n", "0", "cleanup"),
            ("tlsmgr", "unix", "-", "1", "tlsmgr"),
            ("rewrite", "unix", "-", "-", "trivial-rewrite"),
            ("proxymap", "unix", "-", "-", "proxymap"),
            ("virtual", "unix", "-", "-", "virtual"),
            *((name, "unix", "-", "0", "bounce") for name in ("bounce", "defer", "trace")),
            *((name, "unix", "-", "-", "error") for name in ("error", "retry")),
            ("anvil", "unix", "-", "1", "anvil"),
            ("discard", "unix", "-", "-", "discard"),
        ]
        lines = [
            f"{name} {kind} {private} {'n' if name == 'virtual' else '-'} n - {most} {command}" for name, kind, private, most, command in services
        ]
        lines += ["qmgr unix n - n 300 1 qmgr", "pickup unix n - n 60 1 pickup", "postlog unix-dgram n - n - 1 postlogd"]
        (settings / "master.cf").write_text("\n".join(lines) + "\n")

    def start(self):
        """Start its first process ourselves: `postfix start` would leave it running if the tests are killed."""
        settings = str(self.folder / "etc")
        with (self.folder / "stderr").open("ab") as errors:
            subprocess.run([which("postfix"), "-c", settings, "check"], stdout=errors, stderr=errors, timeout=60, check=False)
            daemons = subprocess.run(
                [which("postconf"), "-c", settings, "-h", "daemon_directory"], capture_output=True, text=True, check=True
            ).stdout.strip()
            watched = [
                "sh",
                "-c",
                '"$@" & read line; kill $!; wait',
                "sh",
                f"{daemons}/master",
                "-c",
                settings,
                "-d",
            ]  # the pipe is closed when we end, however
            self.process = subprocess.Popen(watched, start_new_session=True, stdin=subprocess.PIPE, stdout=errors, stderr=errors)
        try:
            wait_for(self.port)
        except AssertionError:
            print((self.folder / "stderr").read_text(), self.log(), sep="\n")
            raise
        return self

    def stop(self):
        self.process.stdin.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def log(self):
        path = self.folder / "log/mail"
        return path.read_text(errors="replace") if path.exists() else ""


@pytest.fixture(scope="session")
def postfix(running_dovecot):
    """Postfix that delivers to Dovecot's users at example.test."""
    if os.getuid():
        do_without("Postfix can only be started by root")
    if which("postfix") is None:
        do_without("Postfix is not installed (. .ci/setup test installs it for root)")
    with public_folder("postfix-") as folder:
        server = Postfix(folder, running_dovecot.mail, [user for user in running_dovecot.USERS if user.isascii()], running_dovecot.certificates)
        try:
            yield server.start()
        finally:
            server.stop()
