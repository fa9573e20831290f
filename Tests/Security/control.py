"""A server with planted vulnerabilities. The scanners must find them, or else a scan of the zoo proves nothing."""

import html
import sqlite3
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        address = urlsplit(self.path)
        text = parse_qs(address.query, keep_blank_values=True).get("q", [""])[0]
        if address.path == "/admin/animals":
            self.answer(self.listed(text))
        else:
            self.answer(LINKS)

    def listed(self, text):
        # Both vulnerabilities are here: the text is inserted into the statement and into the page.
        rows = self.server.store.query(f"SELECT name FROM animal WHERE name LIKE '{text}%'")
        items = "".join(f"<li>{html.escape(name)}</li>" for name, in rows)
        return f"<h1>Animals with {text}</h1><ul>{items}</ul>"

    def answer(self, content):
        body = f"<!doctype html><html lang=en><title>Control</title><body>{content}</body></html>".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


LINKS = '<a href="/admin/animals?q=N">Animals</a><form action="/admin/animals"><input name=q><button>Search</button></form>'


class Store:
    def __init__(self):
        self.lock = threading.Lock()
        self.connection = sqlite3.connect(":memory:", check_same_thread=False)
        self.connection.execute("CREATE TABLE animal (name TEXT)")
        self.connection.executemany("INSERT INTO animal VALUES (?)", [(f"N{number}A1",) for number in range(50)])

    def query(self, statement):
        with self.lock:
            try:
                return self.connection.execute(statement).fetchall()
            except sqlite3.Error:
                return []


class Server(ThreadingHTTPServer):
    def handle_error(self, *_):
        """Ignores errors, because a scanner may close its connections at any time."""


class Control:
    def __init__(self):
        self.server = Server(("127.0.0.1", 0), Handler)
        self.server.store = Store()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
