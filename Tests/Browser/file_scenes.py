"""Scenes of the backup and import pages."""

from playwright.sync_api import expect

ANIMALS = "name,diet,category\nKea,herbivorous,\nTui,omnivorous,\n,carnivorous,Mammal\nMoa,herbivorous,\n"


def no_backups(admin, elsewhere):
    admin.open("/backups")


def backups(admin, elsewhere):
    back_up(admin)


def backup(admin, elsewhere):
    back_up(admin)
    admin.follow(admin.page.get_by_role("rowheader").get_by_role("link"))


def restore_that_is_asked(admin, elsewhere):
    backup(admin, elsewhere)
    admin.follow(admin.page.get_by_role("button", name="Restore…"))
    # The page reloads until the work is done.
    expect(admin.page.get_by_role("button", name="Replace all data")).to_be_visible()


def import_of_animals(admin, elsewhere):
    admin.open("/animals/import")


def import_that_is_looked_at(admin, elsewhere):
    bring(admin, ANIMALS)


def import_without_a_header(admin, elsewhere):
    admin.watch.expect_status(422)
    bring(admin, "\n")


def import_that_is_done(admin, elsewhere):
    bring(admin, "name,diet\nKea,herbivorous\nMoa,herbivorous\n")
    import_it(admin)


def back_up(admin):
    admin.open("/backups")
    admin.follow(admin.page.get_by_role("button", name="Back up now"))
    # The page reloads until the work is done.
    expect(admin.page.get_by_role("button", name="Back up now")).to_be_visible()


def bring(admin, text: str, name: str = "animals.csv"):
    admin.open("/animals/import")
    admin.page.get_by_label("File").set_input_files({"name": name, "mimeType": "text/csv", "buffer": text.encode()})
    admin.follow(admin.page.get_by_role("button", name="Upload"))


def import_with_wrong_lines(admin, elsewhere):
    bring(admin, ANIMALS)
    admin.follow(admin.page.get_by_role("button", name="Import"))
    expect(admin.page.get_by_text("Nothing was imported: ")).to_be_visible()


def import_it(admin):
    admin.follow(admin.page.get_by_role("button", name="Import"))
    # The page reloads until the work is done.
    expect(admin.page.get_by_text("Imported the file")).to_be_visible()


FILE_SCENES = [
    no_backups, backups, backup, restore_that_is_asked, import_of_animals, import_that_is_looked_at, import_without_a_header, import_that_is_done,
    import_with_wrong_lines,
]
