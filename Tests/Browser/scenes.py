"""Scenes of every kind of page."""

import pytest
from playwright.sync_api import expect

from account_scenes import ACCOUNT_SCENES
from activity_scenes import ACTIVITY_SCENES
from file_scenes import FILE_SCENES
from list_scenes import LIST_SCENES

LONG = "Komodo dragon with a name so long that no column, card or sheet was ever made for it"


def overview(admin, elsewhere):
    admin.open("")


def list_of_penguins(admin, elsewhere):
    admin.open("/animals")


def list_of_long_names(admin, elsewhere):
    category = elsewhere.add("animal-categories", name="Squamata, Varanoidea, Varanidae, Varanus and all of their kin")
    elsewhere.add("friends", name=LONG)
    elsewhere.add("friends", name="שלום וברכה")
    admin.open("/friends")


def empty_list(admin, elsewhere):
    admin.open("/friends")


def sheet(admin, elsewhere):
    admin.open("/animals/new")


def edit_sheet(admin, elsewhere):
    dragon = elsewhere.add("animals", name=LONG)
    admin.open(f"/animals/{dragon}")


def sheet_with_errors(admin, elsewhere):
    admin.watch.expect_status(422)
    admin.open("/friends/new")
    admin.sheet.get_by_label("Birthday").fill("")
    admin.save()


def draft_on_the_list(admin, elsewhere):
    admin.open("/animals/new")
    admin.type_name("Quagga")
    admin.keep_draft()
    admin.open("/animals")


def question(admin, elsewhere):
    admin.open("/animal-categories")
    identifier = admin.identifiers()[0]
    admin.open(f"/animal-categories/delete?id={identifier}")


def nothing_ticked(admin, elsewhere):
    admin.open("/animals/delete")


def missing(admin, elsewhere):
    admin.watch.expect_status(404)
    admin.open("/plants")


SCENES = [
    overview, list_of_penguins, list_of_long_names, empty_list, sheet, edit_sheet, sheet_with_errors,
    draft_on_the_list, question, nothing_ticked, missing,
] + LIST_SCENES + ACCOUNT_SCENES + ACTIVITY_SCENES + FILE_SCENES

every_scene = pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
