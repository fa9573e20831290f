"""A visitor that parses pages like a browser, without a browser: requests, forms and element trees."""

import http.client
import re
from collections.abc import Iterator
from urllib.parse import urlencode, urlsplit
from xml.etree.ElementTree import Element

from selectolax.lexbor import LexborHTMLParser, LexborNode

from patience import SECONDS

IDENTIFIER = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
STEP = re.compile(r"/admin/activity/\d+")
# Attributes with text for users or programs that never change the kind or the behaviour of an element.
SPOKEN = {"value", "content", "title", "aria-label", "datetime", "placeholder"}
ADDRESSES = {"href", "src", "action", "formaction", "data-draft", "data-address"}


class Page:
    def __init__(self, status: int, headers: list[tuple[str, str]], body: bytes):
        self.status = status
        self.headers = headers
        self.body = body
        # A browser needs the declaration, too.
        assert not body or b"charset=utf-8" in body[:1024] or "charset=utf-8" in (self.header("Content-Type") or "")
        self.tree = tree(body.decode())

    def header(self, name: str) -> str | None:
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)

    def shape(self) -> list[tuple]:
        """
        Returns every element with its depth and its attributes, without the values of attributes that contain text.
        """
        return list(shapes(self.tree, 0))

    def texts(self) -> list[str]:
        return [text for element in self.tree.iter() for text in (element.text, element.tail) if text]

    def form(self, identifier: str) -> dict[str, list[str]]:
        """Returns the fields that a browser would submit with the form."""
        form = next(form for form in self.tree.iter("form") if form.get("id") == identifier)
        return fields(form)

    def form_to(self, action: str) -> dict[str, list[str]]:
        return fields(next(form for form in self.tree.iter("form") if form.get("action") == action))


def tree(page: str) -> Element:
    """Returns the elements of a page as the standard parses it. Lexbor takes a quarter of the time of html5lib."""
    return element(LexborHTMLParser(page).root)


def element(node: LexborNode) -> Element:
    found = Element(node.tag, {name: value or "" for name, value in node.attributes.items()})
    last = None
    for child in children(node):
        if child.is_element_node:
            last = element(child)
            found.append(last)
        elif child.is_text_node and last is None:
            found.text = (found.text or "") + child.text_content
        elif child.is_text_node:
            last.tail = (last.tail or "") + child.text_content
        else:
            last = Element("comment")
            found.append(last)
    return found


def children(node: LexborNode) -> Iterator[LexborNode]:
    if node.tag == "template":
        # The first fragment is its own, and those of templates in it follow.
        yield from children(node.template_fragments()[0])
    child = node.child
    while child is not None:
        yield child
        child = child.next


def shapes(element, depth):
    yield depth, element.tag, tuple(sorted((key, plain(key, value)) for key, value in element.attrib.items()))
    for child in element:
        yield from shapes(child, depth + 1)


def plain(name: str, value: str) -> str:
    if name in SPOKEN:
        return ""
    value = STEP.sub("/admin/activity/N", IDENTIFIER.sub("ID", value))
    if name in ADDRESSES and "?" in value:
        path, _, query = value.partition("?")
        return path + "?" + "&".join(part.partition("=")[0] for part in query.split("&"))
    return value


def fields(form) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for control in form.iter():
        name = control.get("name")
        if not name or control.tag == "button":
            continue
        if control.tag == "textarea":
            value = control.text or ""
        elif control.tag == "select":
            value = next((option.get("value", "") for option in control.iter("option") if "selected" in option.attrib), "")
        elif control.get("type") in ("checkbox", "radio") and "checked" not in control.attrib:
            continue
        else:
            value = control.get("value", "")
        found.setdefault(name, []).append(value)
    return found


class Visitor:
    def __init__(self, url: str, cookies: dict[str, str] | None = None, agent: bytes = b"Visitor"):
        self.url = url
        self.cookies = dict(cookies or {})
        self.agent = agent
        self.connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=SECONDS)

    def anew(self) -> "Visitor":
        """Returns the same visitor on a new connection, because the server closes an idle one after a while."""
        return Visitor(self.url, self.cookies, self.agent)

    def get(self, path: str) -> Page:
        return self.send("GET", path)

    def post(self, path: str, form: dict[str, list[str]] | dict[str, str]) -> Page:
        return self.send("POST", path, urlencode(form, doseq=True).encode())

    def send(self, method: str, path: str, body: bytes | None = None) -> Page:
        headers = {"User-Agent": self.agent}
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            headers["Sec-Fetch-Site"] = "same-origin"
        self.connection.request(method, path, body, headers)
        response = self.connection.getresponse()
        page = Page(response.status, response.getheaders(), response.read())
        for name, value in page.headers:
            if name.lower() == "set-cookie":
                self.remember(value)
        return page

    def remember(self, cookie: str):
        name, _, value = cookie.partition(";")[0].partition("=")
        if value:
            self.cookies[name] = value
        else:
            self.cookies.pop(name, None)
