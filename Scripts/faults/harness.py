"""What the scripts beside this one share: folders of a person, a mail server, a monitor."""

import contextlib
import email
import glob
import os
import pathlib
import random
import shutil
import signal
import socketserver
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import uuid

PROGRAMS = os.environ.get("PROGRAMS", ".build/release")


class Skipped(Exception):
    """The machine cannot show this fault; the text says why."""


class MailServer:
    """Lets a recipient wait for a while, takes every message, and remembers recipient, Message-ID
    and text of each."""

    def __init__(self, shortest=0.0, longest=None):
        self.accepted = []
        self.texts = []
        self.changed = threading.Condition()
        server = self

        class Conversation(socketserver.StreamRequestHandler):
            def handle(self):
                try:
                    self.talk()
                except OSError:
                    pass  # The client was killed.

            def say(self, text):
                self.wfile.write(text.encode() + b"\r\n")

            def talk(self):
                recipient = None
                self.say("220 ready")
                while line := self.rfile.readline():
                    word = line.strip().upper()
                    if word.startswith(b"EHLO"):
                        self.say("250 here")
                    elif word.startswith(b"RCPT"):
                        recipient = line.split(b"<")[1].split(b">")[0].decode()
                        # Servers check the sender and recipient at this point. If the delay came
                        # after the whole message, every kill would cause a duplicate.
                        time.sleep(random.uniform(shortest, longest or shortest))
                        self.say("250 known")
                    elif word == b"DATA":
                        self.say("354 go on")
                        identity, text = None, []
                        while (line := self.rfile.readline()) not in (b".\r\n", b""):
                            text.append(line.removeprefix(b".").decode())
                            if line.lower().startswith(b"message-id:"):
                                identity = line.split(b":", 1)[1].strip().decode()
                        if line == b"":
                            return
                        with server.changed:
                            server.accepted.append((recipient, identity))
                            server.texts.append("".join(text))
                            server.changed.notify_all()
                        self.say("250 taken")
                    elif word == b"QUIT":
                        self.say("221 bye")
                        return
                    else:
                        self.say("250 well")

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True
            request_queue_size = 256

        self.server = Server(("127.0.0.1", 0), Conversation)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def wait_for(self, count, seconds):
        """Waits until so many messages have been taken; says whether they have."""
        with self.changed:
            return self.changed.wait_for(lambda: len(self.accepted) >= count, seconds)

    @property
    def lost_and_repeated(self):
        """Recipients are one for each alert: whom nobody wrote to, the caller knows."""
        recipients = {recipient for recipient, _ in self.accepted}
        identities = {identity for _, identity in self.accepted}
        if len(identities) != len(recipients):
            raise AssertionError("a repeated message has another identity")
        return len(recipients), len(self.accepted) - len(recipients)


class Home:
    """A person's folders, with one account that is not due."""

    def __init__(self, root=None):
        self.root = pathlib.Path(root or tempfile.mkdtemp(prefix="lifesignal-fault-"))
        self.environment = {
            "XDG_DATA_HOME": f"{self.root}/data",
            "XDG_CONFIG_HOME": f"{self.root}/config",
            "XDG_STATE_HOME": f"{self.root}/state",
            "PATH": os.environ["PATH"],
        }
        self.monitors = []
        self.database = self.root / "data/lifesignal/lifesignal.db"
        self.run("lifesignal", "init", "--name", "Ada", "--responder", "Bob <bob@example.org>")
        # These scripts don't count the message about Bob's new role (CON-3).
        self.change("DELETE FROM delivery")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for monitor in self.monitors:
            if monitor.poll() is None:
                stop(monitor, signal.SIGKILL)
        shutil.rmtree(self.root, ignore_errors=True)

    def configure(self, server):
        folder = self.root / "config/lifesignal"
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
        smtp = f'host: "127.0.0.1", port: {server.port}, security: "none", from: "a@example.org"'
        (folder / "config.json5").write_text("{smtp: {%s}}" % smtp)

    def run(self, program, *arguments, **options):
        return subprocess.run(
            [f"{PROGRAMS}/{program}", *arguments], env=self.environment, check=True,
            capture_output=True, text=True, **options)

    def attempt(self, program, *arguments, before=(), **options):
        """Runs a program that may fail, and ends it after five minutes."""
        options = {"env": self.environment, "timeout": 300} | options
        if "input" not in options:
            options.setdefault("stdin", subprocess.DEVNULL)
        return subprocess.run(
            [*before, f"{PROGRAMS}/{program}", *arguments], capture_output=True, text=True, **options)

    def monitor(self, *arguments, before=()):
        log = open(self.root / "monitor.log", "ab")
        self.monitors.append(subprocess.Popen(
            [*before, f"{PROGRAMS}/lifesignal-monitor", *arguments], env=self.environment,
            stdout=log, stderr=log, start_new_session=True))
        return self.monitors[-1]

    @contextlib.contextmanager
    def store(self):
        """A connection for one transaction, closed after it: Python leaves that to chance."""
        with contextlib.closing(sqlite3.connect(self.database, timeout=30)) as store, store:
            yield store

    def change(self, sql, *values):
        with self.store() as store:
            return store.execute(sql, values).fetchall()

    def killed_after(self, sql):
        """Changes the store as a program does that is killed then: the log stays beside it."""
        program = (
            "import os, sqlite3, sys; store = sqlite3.connect(sys.argv[1]); "
            "store.execute('PRAGMA ignore_check_constraints = ON'); "
            "store.execute(sys.argv[2]); store.commit(); os._exit(0)")
        subprocess.run([sys.executable, "-c", program, self.database, sql], check=True)

    def killed_script(self, sql):
        """Runs several statements as a program does that is killed then: the log stays beside it."""
        program = (
            "import os, sqlite3, sys; store = sqlite3.connect(sys.argv[1]); "
            "store.executescript(sys.argv[2]); os._exit(0)")
        subprocess.run([sys.executable, "-c", program, self.database, sql], check=True)

    def add_accounts(self, count, due_in):
        """Copies the account with its responder, due so many seconds from now, without grace."""
        now = int(time.time() * 1000)
        with self.store() as store:
            store.row_factory = sqlite3.Row
            first = {
                table: dict(store.execute(f"SELECT * FROM {table} LIMIT 1").fetchone())
                for table in ("account", "contact", "channel")
            }

            def insert(table, **changes):
                row = {**first[table], **changes}
                del row["key"]
                names, marks = ",".join(row), ",".join("?" * len(row))
                query = f"INSERT INTO {table} ({names}) VALUES ({marks})"
                return store.execute(query, list(row.values())).lastrowid

            for number in range(count):
                account = insert(
                    "account", id=str(uuid.uuid4()), code=str(uuid.uuid4()), is_local=0,
                    name="Person", email=None, reminders="[]", grace=0, attention_at=0,
                    last_check_in=now + int(due_in * 1000) - first["account"]["interval"] * 1000)
                contact = insert("contact", account=account, id=str(uuid.uuid4()))
                insert(
                    "channel", account=account, contact=contact, id=str(uuid.uuid4()),
                    address=f"responder{number}@example.net")

    def count(self, state):
        """How many words to responders about alerts have come that far, for the store."""
        query = "SELECT count(*) FROM delivery WHERE alert IS NOT NULL AND state = ?"
        return self.change(query, state)[0][0]

    def watched_by(self):
        """How many monitors have shown themselves."""
        return self.change("SELECT count(*) FROM monitor")[0][0]

    def count_sent(self):
        return self.count("sent")

    def wait_until(self, holds, seconds):
        """Waits until something holds; says whether that came."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if holds():
                return True
            time.sleep(0.5)
        return False

    def wait_until_recorded(self, seconds):
        """Waits until no message is left to be sent; says whether that came."""
        waiting = "SELECT count(*) FROM delivery WHERE state = 'pending'"
        return self.wait_until(lambda: self.change(waiting)[0][0] == 0, seconds)


def plain_text(message):
    """The words of a mail for people who read it without colours."""
    part = next(part for part in email.message_from_string(message).walk()
                if part.get_content_type() == "text/plain")
    return part.get_payload(decode=True).decode()


class Clock:
    """A wall clock of their own for the programs of a home. libfaketime (Debian: faketime) shows it to
    them, and leaves the machine's own as it is."""

    LIBRARIES = "/usr/lib/*/faketime/libfaketimeMT.so.1"

    def __init__(self, home, offset="+0"):
        found = glob.glob(self.LIBRARIES)
        if not found:
            raise Skipped("libfaketime is not installed")
        timers = home.root / "real-timers.so"
        source = pathlib.Path(__file__).with_name("real-timers.c")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", timers, source], check=True)
        self.file = home.root / "clock"
        self.home = home
        self.set(offset)
        home.environment |= {
            "LD_PRELOAD": f"{timers}:{found[0]}", "FAKETIME_TIMESTAMP_FILE": str(self.file),
            "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DONT_FAKE_MONOTONIC": "1",
        }

    def set(self, offset):
        self.file.write_text(offset + "\n")

    def wait_for_log(self, text):
        log = self.home.root / "monitor.log"
        assert self.home.wait_until(lambda: text in log.read_text(), 40), f"no word of: {text}"


def stop(process, how=signal.SIGTERM):
    """Ends a process that this script started, with what that started."""
    os.killpg(process.pid, how)
    process.wait(60)


def main(check):
    """Runs a check; prints its count, or why it was skipped or failed."""
    try:
        print(check())
    except Skipped as reason:
        print(f"skipped: {reason}")
        sys.exit(77)
    except (AssertionError, subprocess.SubprocessError) as failure:
        print(f"FAILED: {failure}")
        sys.exit(1)
