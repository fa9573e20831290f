"""A program that writes through a failover and keeps a ledger of what was acknowledged.

Each writer takes the next name, writes it until that is acknowledged, and notes each step in a file before it goes on. A write
whose end nobody told is written again under its name: a receipt, stored in the same transaction, tells whether it is there.
The database's end of the store's contract is one statement in one transaction, under the lock of the row that numbers them.
"""

import argparse
import itertools
import os
import socket
import threading
import time
from pathlib import Path

import psycopg

SCHEMA = """
CREATE TABLE position (single boolean PRIMARY KEY DEFAULT true CHECK (single), last bigint NOT NULL);
INSERT INTO position VALUES (true, 0);
CREATE TABLE receipts (name text PRIMARY KEY, number bigint NOT NULL);
-- Nothing is unique here: what is written twice must show.
CREATE TABLE entries (number bigint NOT NULL, name text NOT NULL);
CREATE FUNCTION write(wanted text, keeps_receipt boolean) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    found bigint;
BEGIN
    -- A receipt is told only after this transaction's own commit, which the lock makes wait for the replica too: what the primary
    -- has and no other host may still be lost.
    SELECT last + 1 INTO found FROM position FOR UPDATE;
    IF keeps_receipt AND EXISTS (SELECT FROM receipts WHERE name = wanted) THEN
        RETURN (SELECT number FROM receipts WHERE name = wanted);
    END IF;
    UPDATE position SET last = found;
    INSERT INTO entries VALUES (found, wanted);
    IF keeps_receipt THEN
        INSERT INTO receipts VALUES (wanted, found);
    END IF;
    RETURN found;
END $$;
"""

# The seconds after which an answer is no longer waited for. A host that hangs keeps its connections open: nothing else ends them.
DEADLINE = 4
# What is planted, so that the check can be seen to find it.
BUGS = ["no-receipt", "early-acknowledgement"]


class Connection:
    """A connection that is ended when an answer takes too long."""

    def __init__(self, address: str):
        self.connection = psycopg.connect(address, autocommit=True)
        self.warnings: list[str] = []
        self.connection.add_notice_handler(lambda notice: self.warnings.append(notice.message_primary or ""))

    def execute(self, statement: str, *values) -> int | None:
        self.warnings.clear()
        timer = threading.Timer(DEADLINE, self.cut)
        timer.start()
        try:
            cursor = self.connection.execute(statement, values)
            row = cursor.fetchone() if cursor.description else None
        finally:
            timer.cancel()
        # "Committed locally, but might not have been replicated" is a warning, and then a success.
        if self.warnings:
            raise psycopg.OperationalError(self.warnings[0])
        return row[0] if row else None

    def cut(self):
        try:
            own = socket.socket(fileno=os.dup(self.connection.fileno()))
            own.shutdown(socket.SHUT_RDWR)
            own.close()
        except (OSError, psycopg.Error):
            pass  # It has ended by itself.

    def close(self):
        self.cut()
        self.connection.close()


class Writer(threading.Thread):
    def __init__(self, name: str, address: str, file: int, ended: threading.Event, bug: str | None):
        super().__init__(name=name)
        self.address, self.file, self.ended, self.bug = address, file, ended, bug
        self.connection: Connection | None = None

    def run(self):
        for count in itertools.count():
            if self.ended.is_set():
                return
            name = f"{self.name}-{count}"
            self.note("begun", name)
            while not self.write(name):
                if self.ended.is_set():
                    return

    def write(self, name: str) -> bool:
        try:
            if not self.connection:
                self.connection = Connection(self.address)
            if self.bug == "early-acknowledgement":
                self.connection.execute("BEGIN")
                number = self.connection.execute("SELECT write(%s, true)", name)
                self.note("acknowledged", name, number)
                try:
                    self.connection.execute("COMMIT")
                except psycopg.Error:
                    self.drop()  # The bug: whoever asked has gone with the answer.
            else:
                number = self.connection.execute("SELECT write(%s, %s)", name, self.bug != "no-receipt")
                self.note("acknowledged", name, number)
            return True
        except psycopg.Error as error:
            self.note("unknown", name, str(error).replace("\n", " ")[:200])
            self.drop()
            # Nobody listens for a moment: a pause, so that this does not take the machine for itself.
            self.ended.wait(0.05)
            return False

    def drop(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    def note(self, *words):
        """One write of the system, so that a kill leaves whole lines."""
        os.write(self.file, ("\t".join(map(str, [time.monotonic(), *words])) + "\n").encode())


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--address", required=True)
    arguments.add_argument("--file", type=Path, required=True)
    arguments.add_argument("--name", required=True)
    arguments.add_argument("--writers", type=int, default=4)
    arguments.add_argument("--bug", choices=BUGS)
    given = arguments.parse_args()
    file = os.open(given.file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    ended = threading.Event()
    writers = [Writer(f"{given.name}-{n}", given.address, file, ended, given.bug) for n in range(given.writers)]
    for writer in writers:
        writer.start()
    # The test's end of this pipe closes with the test.
    os.read(0, 1)
    ended.set()
    for writer in writers:
        writer.join()


if __name__ == "__main__":
    main()
