"""Scenes of a list with search, filters, columns and batch operations."""


def list_searched(admin, elsewhere):
    admin.open("/animals?q=n1")


def list_filtered(admin, elsewhere):
    admin.open("/animals?filter.diet=herbivorous&filter.diet=carnivorous&filter.category.empty=0&q=n2&sort=-name")


def list_without_matches(admin, elsewhere):
    admin.open("/animals?q=nobody&filter.diet=omnivorous")


def filters(admin, elsewhere):
    admin.open("/animals?panel=filters&filter.diet=herbivorous")


def columns(admin, elsewhere):
    admin.open("/animals?panel=columns")


def menu_of_a_list(admin, elsewhere):
    admin.open("/animals")
    admin.page.locator("[data-menu] summary").click()


def question_about_all(admin, elsewhere):
    admin.open("/animals/batch?do=delete&all=1&return=q%3Dn2")


def question_about_all_answered_wrongly(admin, elsewhere):
    admin.watch.expect_status(422)
    admin.open("/animals/batch?do=delete&all=1&return=q%3Dn2")
    admin.page.locator("#batch-name").fill("everything")
    admin.follow(admin.page.get_by_role("button", name="Delete"))


def all_deleted(admin, elsewhere):
    admin.open("/animals/batch?do=delete&all=1&return=q%3Dn2")
    admin.page.locator("#batch-name").fill("animals")
    admin.follow(admin.page.get_by_role("button", name="Delete"))


def delete_not_under_way(admin, elsewhere):
    admin.open("/animals/batch?do=delete&all=1&return=q%3Dn2&changeset=00000000-0000-7000-8000-000000000000")


def delete_stopped(admin, elsewhere):
    elsewhere.stop_delete("animals", "00000000-0000-7000-8000-000000000000")
    admin.open("/animals/batch?do=delete&all=1&return=q%3Dn2&changeset=00000000-0000-7000-8000-000000000000")


def filter_that_cannot_be_read(admin, elsewhere):
    admin.watch.expect_status(400)
    admin.open("/animals?filter.diet=frugivorous")


LIST_SCENES = [
    list_searched, list_filtered, list_without_matches, filters, columns, menu_of_a_list, question_about_all,
    question_about_all_answered_wrongly, all_deleted, delete_not_under_way, delete_stopped, filter_that_cannot_be_read,
]
