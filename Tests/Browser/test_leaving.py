"""Leaving a sheet for another page keeps the typed text."""

import pytest
from playwright.sync_api import expect

from marks import on_desktop


@pytest.mark.parametrize("way", ["History", "Duplicate", "Delete…"])
def test_what_was_typed_is_there_after_going_elsewhere_from_the_sheet(admin, elsewhere, way):
    kakapo = elsewhere.add("animals", name="Kakapo")
    admin.open(f"/animals/{kakapo}")
    admin.name.fill("Kakapo, changed")
    admin.follow(admin.sheet.get_by_role("button", name=way))
    assert admin.path() != f"/admin/animals/{kakapo}"
    admin.open("/animals")
    expect(admin.banner).to_contain_text("Kakapo, changed")
    admin.open(f"/animals/{kakapo}")
    expect(admin.name).to_have_value("Kakapo, changed")


@on_desktop
@pytest.mark.parametrize("way", ["History", "Duplicate", "Delete…"])
def test_who_typed_nothing_leaves_no_draft(admin, elsewhere, way):
    kakapo = elsewhere.add("animals", name="Kakapo")
    admin.open(f"/animals/{kakapo}")
    admin.follow(admin.sheet.get_by_role("button", name=way))
    assert admin.path() != f"/admin/animals/{kakapo}"
    admin.expect_no_drafts()


@on_desktop
def test_who_begins_another_record_loses_nothing_of_the_first(admin):
    admin.open("/animals/new")
    admin.type_name("Dodo")
    admin.keep_draft()
    admin.open("/animals/new")
    admin.name.fill("Dodo of Mauritius")
    admin.follow(admin.sheet.get_by_role("button", name="Start over"))
    expect(admin.name).to_have_value("")
    admin.open("/animals")
    expect(admin.banner).to_contain_text("Dodo of Mauritius")
