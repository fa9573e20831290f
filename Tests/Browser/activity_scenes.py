"""Scenes of the activity pages and of undo."""


def changed_friend(admin, elsewhere) -> str:
    """Adds a friend, changes its name and returns its id."""
    friend = elsewhere.add("friends", name="Shere Khan")
    admin.open(f"/friends/{friend}")
    admin.type_name("Baloo")
    admin.save()
    return friend


def deleted_category(admin, elsewhere):
    admin.open("/animal-categories")
    identifier = admin.identifiers()[0]
    admin.open(f"/animal-categories/delete?id={identifier}")
    admin.follow(admin.page.locator("button.danger"))


def overview_with_history(admin, elsewhere):
    deleted_category(admin, elsewhere)
    changed_friend(admin, elsewhere)
    admin.open("")


def activity(admin, elsewhere):
    deleted_category(admin, elsewhere)
    changed_friend(admin, elsewhere)
    admin.open("/activity")
    for question in admin.page.locator("details.ask summary").all():
        question.click()


def activity_filtered(admin, elsewhere):
    changed_friend(admin, elsewhere)
    admin.open("/activity?model=friends&person=local")


def activity_without_finds(admin, elsewhere):
    admin.open("/activity?person=nobody")


def history_of_a_record(admin, elsewhere):
    friend = changed_friend(admin, elsewhere)
    admin.open(f"/activity?model=friends&record={friend}")


def earlier_version(admin, elsewhere):
    history_of_a_record(admin, elsewhere)
    admin.follow(admin.page.get_by_role("link", name="Edit with these values…").last)


def step(admin, elsewhere):
    """Opens a commit with many changes."""
    deleted_category(admin, elsewhere)
    admin.open("/activity")
    admin.follow(admin.page.locator(".entry h3 a").first)


def taken_back(admin, elsewhere):
    step(admin, elsewhere)
    admin.page.locator("details.ask summary").click()
    admin.follow(admin.page.get_by_role("button", name="Undo"))


def not_taken_back(admin, elsewhere):
    """Undoes a commit whose record was changed since."""
    friend = changed_friend(admin, elsewhere)
    admin.open(f"/friends/{friend}")
    admin.type_name("Bagheera")
    admin.save()
    admin.open(f"/activity?model=friends&record={friend}")
    admin.watch.expect_status(409)
    entry = admin.page.locator(".entry").nth(1)
    entry.locator("details.ask summary").click()
    admin.follow(entry.get_by_role("button", name="Undo"))


def events(admin, elsewhere):
    admin.open("/activity/events")


def no_such_step(admin, elsewhere):
    admin.watch.expect_status(404)
    admin.open("/activity/99999999")


ACTIVITY_SCENES = [
    overview_with_history, activity, activity_filtered, activity_without_finds, history_of_a_record, earlier_version, step,
    taken_back, not_taken_back, events, no_such_step,
]
