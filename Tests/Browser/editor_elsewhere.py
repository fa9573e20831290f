"""A concurrent editor of the same zoo that works without a browser."""

import re
from html import unescape

from playwright.sync_api import APIRequestContext


class EditorElsewhere:
    def __init__(self, request: APIRequestContext):
        self.request = request

    def add(self, model: str, **fields: str) -> str:
        """Adds a record and returns its id."""
        form = self._form(f"{model}/new?fresh=1") | fields
        answer = self.request.post(f"/admin/{model}", form=form, max_redirects=0)
        assert answer.status == 303
        return form["id"]

    def change(self, model: str, identifier: str, **fields: str):
        form = self._form(f"{model}/{identifier}") | fields
        answer = self.request.post(f"/admin/{model}/{identifier}", form=form, max_redirects=0)
        assert answer.status == 303

    def delete(self, model: str, identifier: str):
        token = self._form(f"{model}/new")["csrf"]
        answer = self.request.post(
            f"/admin/{model}/delete", form={"csrf": token, "id": identifier, "allow": "1000"}, max_redirects=0
        )
        assert answer.status == 303

    def stop_delete(self, model: str, change_set: str):
        """Stops a delete of all records of a list, before it begins."""
        token = self._form(f"{model}/new")["csrf"]
        form = {"csrf": token, "do": "delete", "all": "1", "changeset": change_set, "stop": "1"}
        answer = self.request.post(f"/admin/{model}/batch", form=form, max_redirects=0)
        assert answer.status == 303

    def names(self, model: str) -> list[str]:
        """Returns the names in the first 200 rows."""
        page = self.request.get(f"/admin/{model}?size=200").text()
        return [unescape(name) for name in re.findall(r'aria-label="Select ([^"]*)"', page)]

    def _form(self, address: str) -> dict[str, str]:
        """Returns the fields of the sheet as a browser would submit them unchanged."""
        page = self.request.get(f"/admin/{address}").text()
        form = page.partition('<form id="sheet-form"')[2].partition("</form>")[0]
        inputs = [tag for tag in re.findall("<input [^>]*>", form) if not re.search('type="(radio|checkbox)"', tag) or " checked" in tag]
        return {attribute(tag, "name"): unescape(attribute(tag, "value")) for tag in inputs}


def attribute(tag: str, name: str) -> str:
    return re.search(f' {name}="([^"]*)"', tag).group(1)
