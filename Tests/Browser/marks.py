"""Marks that restrict a test to certain browsers."""

import pytest

with_scripts = pytest.mark.parametrize("scripts", ["scripts"], indirect=True)
without_scripts = pytest.mark.parametrize("scripts", ["plain"], indirect=True)
on_desktop = pytest.mark.parametrize("device", ["desktop"], indirect=True)
on_phone = pytest.mark.parametrize("device", ["phone"], indirect=True)

# Outside exploration, a test runs in these two of the four browsers. They cover both devices, with and without scripts.
USUAL = {("phone", "scripts"), ("desktop", "plain")}
OTHER = {("desktop", "scripts"), ("phone", "plain")}

# A mark for tests in which a script handles the mouse or the keyboard. They run in the other two browsers.
mouse_with_scripts = pytest.mark.browsers(OTHER)
