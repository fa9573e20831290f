"""An HTTP client that behaves like a browser behind a proxy: TLS with certificate checks, cookie rules and forms."""

import http.client
import re
import socket
import ssl
from html import unescape
from urllib.parse import urlencode

from proxies import Proxy, trusting
from waiting import PATIENCE
from zoo import NAME, PASSWORD, USER


class Answer:
    def __init__(self, response: http.client.HTTPResponse):
        self.status = response.status
        self.headers = response.msg
        self.text = response.read().decode()

    @property
    def set_cookies(self) -> list[str]:
        return self.headers.get_all("Set-Cookie") or []


class Client:
    def __init__(self, proxy: Proxy, cookies: dict[str, str] | None = None):
        self.proxy = proxy
        self.cookies = dict(cookies or {})
        self.context = trusting(proxy.certificate)
        self.connection: http.client.HTTPSConnection | None = None

    def get(self, path: str, **headers: str) -> Answer:
        return self.send("GET", path, None, headers)

    def post(self, path: str, fields: dict[str, str] | bytes, **headers: str) -> Answer:
        body = fields if isinstance(fields, bytes) else urlencode(fields).encode()
        return self.send("POST", path, body, {"Content-Type": "application/x-www-form-urlencoded"} | headers)

    def send(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Answer:
        """Sends a request on one connection, as long as the proxy keeps it open. Header names have _ instead of -."""
        sent = {"Host": f"{NAME}:{self.proxy.port}"}
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        if self.connection is None:
            self.connection = self._connect()
        try:
            self.connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in sent.items():
                self.connection.putheader(name, value)
            if body is not None:
                self.connection.putheader("Content-Length", str(len(body)))
            self.connection.endheaders()
            if body is not None:
                try:
                    self.connection.send(body)
                except (BrokenPipeError, ConnectionResetError, ssl.SSLEOFError):
                    pass  # the server rejects a body early; its response gives the reason
            answer = Answer(self.connection.getresponse())
        except Exception:
            self.close()
            raise
        if answer.headers.get("Connection", "").lower() == "close":
            self.close()
        self._remember(answer)
        return answer

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    def sign_in(self, name: str = USER, password: str = PASSWORD, path: str = "/login", **headers: str) -> Answer:
        """Submits a name and a password in the sign-in form."""
        typed = {"username": name, "password": password}
        return self.post("/login", self.fields(path, 'action="/login"') | typed, **headers)

    def confirm(self, asked: Answer, code: str) -> Answer:
        """Submits a code of the second factor in the form that the sign-in returned."""
        return self.post("/login", form_fields(asked.text, 'action="/login"') | {"code": code})

    def follow(self, link: str, **typed: str) -> Answer:
        """Sets a password in the form of a sign-in link."""
        path = link[link.index("/login?link="):].strip()
        chosen = {"password": PASSWORD, "repeated": PASSWORD}
        return self.post("/login", self.fields(path, 'action="/login"') | chosen | typed)

    def form(self, address: str) -> dict[str, str]:
        """Returns the fields of the sheet as a browser would submit them unchanged."""
        return self.fields(f"/admin/{address}", 'id="sheet-form"')

    def fields(self, path: str, attribute: str) -> dict[str, str]:
        """Returns the fields of the form with this attribute."""
        answer = self.get(path)
        assert answer.status == 200, answer.text
        return form_fields(answer.text, attribute)

    def keep(self, model: str, fields: dict[str, str]) -> Answer:
        """Saves a draft like the script of the page."""
        return self.post(f"/admin/{model}/draft", fields, X_Requested_With="fetch")

    def names(self, model: str) -> list[str]:
        page = self.get(f"/admin/{model}?size=200").text
        return [unescape(name) for name in re.findall(r'aria-label="Select ([^"]*)"', page)]

    @property
    def drafts(self) -> dict[str, str]:
        return {name: value for name, value in self.cookies.items() if name.startswith("__Host-d.")}

    def _connect(self) -> http.client.HTTPSConnection:
        connection = http.client.HTTPSConnection(NAME, self.proxy.port, context=self.context, timeout=PATIENCE)
        plain = socket.create_connection(("127.0.0.1", self.proxy.port), timeout=PATIENCE)
        connection.sock = self.context.wrap_socket(plain, server_hostname=NAME)
        return connection

    def _remember(self, answer: Answer):
        for header in answer.set_cookies:
            pair, *attributes = [part.strip() for part in header.split(";")]
            name, _, value = pair.partition("=")
            # The rules of browsers for this name prefix (RFC 6265bis, 4.1.3.2).
            assert name.startswith("__Host-"), header
            assert "Secure" in attributes and "Path=/" in attributes, header
            assert not any(attribute.lower().startswith("domain") for attribute in attributes), header
            assert "HttpOnly" in attributes and len(name) + len(value) <= 4096, header
            assert {"SameSite=Lax", "SameSite=Strict"} & set(attributes), header
            if "Max-Age=0" in attributes:
                self.cookies.pop(name, None)
            else:
                self.cookies[name] = value


def form_fields(page: str, attribute: str) -> dict[str, str]:
    form = re.search(f"<form [^>]*{attribute}.*?</form>", page, re.DOTALL)
    assert form, page
    inputs = [
        tag for tag in re.findall("<input [^>]*>", form.group())
        if 'type="radio"' not in tag or " checked" in tag
    ]
    return {_attribute(tag, "name"): unescape(_attribute(tag, "value")) for tag in inputs}


def _attribute(tag: str, name: str) -> str:
    found = re.search(f' {name}="([^"]*)"', tag)
    return found.group(1) if found else ""


def exchange(proxy: Proxy, lines: list[str], server_name: str = NAME) -> str:
    """Sends the lines of a request unchanged over TLS and returns the response."""
    context = trusting(proxy.certificate)
    plain = socket.create_connection(("127.0.0.1", proxy.port), timeout=PATIENCE)
    with context.wrap_socket(plain, server_hostname=server_name) as connection:
        connection.sendall("\r\n".join(lines + ["", ""]).encode())
        answer = b""
        try:
            while data := connection.recv(65536):
                answer += data
        except (ConnectionResetError, ssl.SSLError):
            pass
        return answer.decode(errors="replace")
