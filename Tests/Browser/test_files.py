"""Exporting, importing, downloading and uploading files."""

import re
from pathlib import Path

from playwright.sync_api import expect

from file_scenes import ANIMALS, back_up, bring, import_it
from marks import on_desktop
from server import PASSWORD


def test_records_are_looked_at_and_then_imported(admin):
    bring(admin, ANIMALS)
    assert admin.page.get_by_text("omnivorous").count() > 0, "what is wrong is told"
    admin.open("/animals")
    # Nothing is stored before the import is confirmed.
    admin.expect_count(0)
    bring(admin, "name,diet\nKea,herbivorous\nMoa,carnivorous\n")
    import_it(admin)
    admin.page.reload()
    expect(admin.page.get_by_text("Imported the file")).to_be_visible()
    admin.open("/animals")
    assert sorted(admin.names()) == ["Kea", "Moa"]


def test_a_file_that_is_not_wanted_is_removed(admin):
    bring(admin, ANIMALS)
    address = admin.page.url
    admin.follow(admin.page.get_by_role("button", name="Cancel"))
    expect(admin.page).to_have_url(re.compile(r"/admin/animals$"))
    admin.watch.expect_status(404)
    admin.page.goto(address)
    expect(admin.page.get_by_text("This file is no longer available")).to_be_visible()


@on_desktop
def test_a_list_is_exported_and_comes_back(admin, elsewhere):
    for name in ["Kea", "=1+1", "Moa, the \"large\""]:
        elsewhere.add("animals", name=name)
    admin.open("/animals")
    admin.page.locator("[data-menu] summary").click()
    with admin.page.expect_download() as download:
        admin.page.get_by_role("link", name="Export as CSV").click()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    assert "'=1+1" in text
    bring(admin, text)
    # All records already exist under their own ids.
    expect(admin.page.get_by_role("alert")).to_have_text("Nothing would be imported: 3 of 3 lines have problems.")
    expect(admin.page.get_by_text("An animal with this ID already exists.")).to_contain_text("Lines 2–4:")


@on_desktop
def test_a_backup_is_downloaded_and_uploaded(admin, elsewhere):
    elsewhere.add("friends", name="Kea")
    back_up(admin)
    admin.follow(admin.page.get_by_role("rowheader").get_by_role("link"))
    prove(admin, admin.page.get_by_role("link", name="Download").get_attribute("href"))
    with admin.page.expect_download() as download:
        admin.page.get_by_role("link", name="Download").click()
    content = Path(download.value.path()).read_bytes()
    upload(admin, content)
    expect(admin.page.get_by_role("rowheader").filter(has_text="uploaded")).to_have_count(1)
    upload(admin, content[: len(content) // 2])
    expect(admin.page.get_by_text("File not uploaded")).to_be_visible()
    expect(admin.page.get_by_role("rowheader").filter(has_text="uploaded")).to_have_count(1)


def prove(admin, address: str):
    """
    Enters the password before the download, so that the download starts immediately, whatever the age of the session.
    """
    answer = admin.page.request.get(address)
    if "text/html" in answer.headers["content-type"]:
        token = re.search(r'name="csrf" value="([^"]+)"', answer.text()).group(1)
        assert admin.page.request.post(address, form={"csrf": token, "current": PASSWORD}).ok


def upload(admin, content: bytes):
    admin.open("/backups")
    admin.page.get_by_label("File").set_input_files({"name": "a.jsonl.gz", "mimeType": "application/gzip", "buffer": content})
    admin.follow(admin.page.get_by_role("button", name="Upload"))
    # The page reloads until the work is done.
    expect(admin.page.get_by_role("button", name="Upload")).to_be_visible()
