"""What the fault scripts share: a person's folders, a mail server, monitors and a clock."""

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
    """This machine can't produce the fault; the text says why."""


class MailServer:
    """Accepts every message after a random delay, `shortest` to `longest` seconds, and records its
    recipient, Message-ID and text."""

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
        """Waits until `count` messages have been accepted; returns whether they were in time."""
        with self.changed:
            return self.changed.wait_for(lambda: len(self.accepted) >= count, seconds)

    @property
    def lost_and_repeated(self):
        """The number of recipients who got a message, and the number of repeated messages.

        Each alert has one recipient, so the caller knows how many got none."""
        recipients = {recipient for recipient, _ in self.accepted}
        identities = {identity for _, identity in self.accepted}
        if len(identities) != len(recipients):
            raise AssertionError("a repeated message has another identity")
        return len(recipients), len(self.accepted) - len(recipients)


class Home:
    """A person's folders, with one account that isn't due."""

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
        self.stop_others()
        shutil.rmtree(self.root, ignore_errors=True)

    def stop_others(self):
        """Ends the monitors that commands started in this home."""
        mark = f"XDG_DATA_HOME={self.root}/data\0".encode()
        for process in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{process}/environ", "rb") as environment:
                    is_ours = mark in environment.read()
                if is_ours and os.readlink(f"/proc/{process}/exe").endswith("/lifesignal-monitor"):
                    os.kill(int(process), signal.SIGKILL)
            except OSError:
                pass

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
        """Runs a program that can fail, and stops it after five minutes."""
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
        """A connection for one transaction, closed afterwards, which sqlite3's own `with` doesn't do."""
        with contextlib.closing(sqlite3.connect(self.database, timeout=30)) as store, store:
            yield store

    def change(self, sql, *values):
        with self.store() as store:
            return store.execute(sql, values).fetchall()

    def killed_after(self, sql):
        """Changes the store like a program that is killed right after its commit, leaving the log."""
        program = (
            "import os, sqlite3, sys; store = sqlite3.connect(sys.argv[1]); "
            "store.execute('PRAGMA ignore_check_constraints = ON'); "
            "store.execute(sys.argv[2]); store.commit(); os._exit(0)")
        subprocess.run([sys.executable, "-c", program, self.database, sql], check=True)

    def killed_script(self, sql):
        """Runs several statements like a program that is killed right afterwards, leaving the log."""
        program = (
            "import os, sqlite3, sys; store = sqlite3.connect(sys.argv[1]); "
            "store.executescript(sys.argv[2]); os._exit(0)")
        subprocess.run([sys.executable, "-c", program, self.database, sql], check=True)

    def add_accounts(self, count, due_in):
        """Adds copies of the account and its responder, due in `due_in` seconds, without grace time."""
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
        """Counts the messages about alerts that have this state in the store."""
        query = "SELECT count(*) FROM delivery WHERE alert IS NOT NULL AND state = ?"
        return self.change(query, state)[0][0]

    def watched_by(self):
        """Counts the monitors that have registered in the store."""
        return self.change("SELECT count(*) FROM monitor")[0][0]

    def count_sent(self):
        return self.count("sent")

    def wait_until(self, holds, seconds):
        """Waits until a condition holds; returns whether it did in time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if holds():
                return True
            time.sleep(0.5)
        return False

    def wait_until_recorded(self, seconds):
        """Waits until no message is pending; returns whether that happened in time."""
        waiting = "SELECT count(*) FROM delivery WHERE state = 'pending'"
        return self.wait_until(lambda: self.change(waiting)[0][0] == 0, seconds)


def plain_text(message):
    """Returns the plain-text part of a mail."""
    part = next(part for part in email.message_from_string(message).walk()
                if part.get_content_type() == "text/plain")
    return part.get_payload(decode=True).decode()


class Clock:
    """A wall clock for the programs of a home, faked by libfaketime (Debian: faketime). The machine's
    own clock doesn't change."""

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
    """Ends a process that this script started, and the processes that it started."""
    os.killpg(process.pid, how)
    process.wait(60)


def main(check):
    """Runs a check and prints its result, or why it was skipped or failed."""
    try:
        print(check())
    except Skipped as reason:
        print(f"skipped: {reason}")
        sys.exit(77)
    except (AssertionError, subprocess.SubprocessError) as failure:
        print(f"FAILED: {failure}")
        sys.exit(1)
