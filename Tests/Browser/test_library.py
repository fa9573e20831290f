"""Pages of another application: lists, sheets with every kind of field, and relations."""

import re

import pytest
from playwright.sync_api import expect

from looks import misplaced, photograph
from marks import on_desktop, with_scripts

PLACES = ["books", "authors", "genres", "copies", "loans", "members"]
# These sheets have more fields than fit on a screen.
LONG_SHEET = "The sheet has to be scrolled"


def fits(librarian, name):
    """Expects that the page fits, and takes a screenshot."""
    photograph(librarian, f"library_{name}")
    assert [problem for problem in misplaced(librarian.page) if problem != LONG_SHEET] == []


def fits_all_of_it(librarian, name):
    """Expects that the page fits, and takes screenshots that include the part below the fold."""
    fits(librarian, name)
    page = librarian.page
    size = page.viewport_size
    page.set_viewport_size({"width": size["width"], "height": 2400})
    photograph(librarian, f"library_{name}-whole")
    page.set_viewport_size(size)


@with_scripts
@pytest.mark.parametrize("place", PLACES)
def test_every_list_and_every_sheet_fits_and_is_photographed(librarian, place):
    librarian.open(f"/{place}")
    assert librarian.count() == librarian.rows.count() > 0
    fits(librarian, place)
    identifier = librarian.identifiers()[0]
    librarian.open(f"/{place}/new")
    fits_all_of_it(librarian, f"{place}_new")
    librarian.open(f"/{place}/{identifier}")
    fits_all_of_it(librarian, f"{place}_edit")


@with_scripts
def test_a_list_whose_title_is_no_text_has_no_search(librarian):
    librarian.open("/loans")
    expect(librarian.page.get_by_role("searchbox")).to_have_count(0)
    librarian.watch.expect_status(404)
    librarian.open("/loans?q=a")
    expect(librarian.page.get_by_text("this list can’t be searched")).to_be_visible()


@with_scripts
def test_a_question_counts_what_goes_along(librarian):
    librarian.open("/books")
    row = librarian.row("Pride and Prejudice")
    identifier = row.locator(".tick input").get_attribute("value")
    librarian.open(f"/books/delete?id={identifier}")
    expect(librarian.page.get_by_text("2 copies and 2 loans that belong to “Pride and Prejudice” will be deleted too.")).to_be_visible()
    fits(librarian, "question")


@with_scripts
def test_problems_stand_beside_their_fields(librarian):
    librarian.watch.expect_status(422)
    librarian.open("/books/new")
    field(librarian, "year").fill("1200")
    field(librarian, "isbn").fill("123")
    field(librarian, "price").fill("9.999")
    librarian.save()
    for name in ["title", "year", "isbn", "price"]:
        expect(librarian.error_of(field(librarian, name))).not_to_be_empty()
    expect(field(librarian, "isbn")).to_have_value("123")
    fits_all_of_it(librarian, "problems")


def test_a_book_with_every_field_is_added_changed_and_deleted(librarian):
    librarian.open("/books/new")
    field(librarian, "title").fill("The Strange Case of Dr Jekyll and Mr Hyde")
    author(librarian, "Robert Louis Stevenson").check()
    author(librarian, "Lloyd Osbourne").check()
    field(librarian, "year").fill("1886")
    field(librarian, "isbn").fill("978-0141439730")
    field(librarian, "genre").select_option(label="Horror")
    librarian.sheet.get_by_label("Youth").check()
    field(librarian, "languages").fill("English\nGaelic")
    field(librarian, "price").fill("6.50")
    field(librarian, "summary").fill("A doctor takes a draught.\n\nSomebody else comes out.")
    field(librarian, "online").fill("https://www.gutenberg.org/ebooks/43")
    field(librarian, "isReference").check()
    librarian.save()

    row = librarian.row("The Strange Case of Dr Jekyll and Mr Hyde")
    for text in ["Lloyd Osbourne", "Horror", "1886", "6.50"]:
        expect(row).to_contain_text(text)
    librarian.follow(row.get_by_role("rowheader").get_by_role("link"))
    expect(librarian.sheet.get_by_label("Youth")).to_be_checked()
    expect(field(librarian, "languages")).to_have_value("English\nGaelic")
    expect(field(librarian, "summary")).to_have_value("A doctor takes a draught.\n\nSomebody else comes out.")
    expect(field(librarian, "isReference")).to_be_checked()
    expect(author(librarian, "Lloyd Osbourne")).to_be_checked()
    author(librarian, "Lloyd Osbourne").uncheck()
    field(librarian, "price").fill("7")
    librarian.save()

    row = librarian.row("The Strange Case of Dr Jekyll and Mr Hyde")
    expect(row).to_contain_text("7.00")
    identifier = row.locator(".tick input").get_attribute("value")
    librarian.open(f"/books/{identifier}")
    expect(author(librarian, "Robert Louis Stevenson")).to_be_checked()
    expect(author(librarian, "Lloyd Osbourne")).not_to_be_checked()

    librarian.open(f"/books/delete?id={identifier}")
    librarian.follow(librarian.page.get_by_role("button", name=re.compile("^Delete")))
    expect(librarian.row("The Strange Case of Dr Jekyll and Mr Hyde")).to_have_count(0)


def test_a_loan_is_overdue_until_it_is_returned(librarian):
    librarian.open("/loans/new")
    field(librarian, "copy").select_option(label="MEL-001")
    field(librarian, "member").select_option(label="Grace Okafor")
    field(librarian, "borrowed").fill("2020-01-02")
    field(librarian, "due").fill("2020-01-30")
    field(librarian, "remindedAt").fill("2020-02-01T09:30")
    librarian.save()
    expect(loan(librarian)).to_contain_text("Yes")
    librarian.follow(loan(librarian).get_by_role("rowheader").get_by_role("link"))
    field(librarian, "returned").fill("2020-02-03")
    field(librarian, "fine").fill("1.2")
    librarian.save()
    expect(loan(librarian)).to_contain_text("No")


def field(librarian, name):
    return librarian.sheet.locator(f"#field-{name}")


def author(librarian, name):
    return librarian.sheet.get_by_role("group", name="Authors").get_by_label(name)


def loan(librarian):
    return librarian.rows.filter(has_text="MEL-001")


def test_a_copy_and_an_earlier_version_keep_dates_and_times(librarian):
    librarian.open("/members")
    member = librarian.identifiers()[0]
    visit = librarian.page.locator("#field-lastVisit")
    for day in ["20", "21"]:
        librarian.open(f"/members/{member}")
        visit.fill(f"2026-11-{day}T18:39")
        librarian.save()
    librarian.open(f"/members/{member}")
    librarian.follow(librarian.page.get_by_role("button", name="Duplicate"))
    expect(visit).to_have_value(re.compile("^2026-11-21T18:39"))
    librarian.open(f"/activity?model=members&record={member}")
    librarian.follow(librarian.page.get_by_role("link", name="Edit with these values…").first)
    expect(visit).to_have_value(re.compile("^2026-11-20T18:39"))
    librarian.save()
    librarian.open(f"/members/{member}")
    expect(visit).to_have_value(re.compile("^2026-11-20T18:39"))


@on_desktop
def test_what_stands_against_a_delete_is_a_link_to_it(librarian):
    librarian.open("/genres")
    row = librarian.row("Fiction")
    row.hover()
    if librarian.scripts:
        librarian.watch.expect_status(409)
        row.locator("[data-delete]").click()
        refusal = librarian.page.locator(".toast.failure")
    else:
        librarian.follow(row.locator("[data-delete]"))
        refusal = librarian.page.locator(".question")
    expect(refusal).to_contain_text("still refer to “Fiction”")
    link = refusal.get_by_role("link", name=re.compile("^“.*”$")).first
    name = link.inner_text().strip("“”")
    librarian.follow(link)
    expect(librarian.sheet).to_contain_text(name)
