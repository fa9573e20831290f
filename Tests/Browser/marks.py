"""Narrows a test to the browsers for which it makes sense."""

import pytest

with_scripts = pytest.mark.parametrize("scripts", ["scripts"], indirect=True)
without_scripts = pytest.mark.parametrize("scripts", ["plain"], indirect=True)
on_desktop = pytest.mark.parametrize("device", ["desktop"], indirect=True)
on_phone = pytest.mark.parametrize("device", ["phone"], indirect=True)

# Of the four browsers a test runs in these two, which together have both devices and both ways to work. Exploration has all four.
USUAL = {("phone", "scripts"), ("desktop", "plain")}
OTHER = {("desktop", "scripts"), ("phone", "plain")}

# For tests in which a script does something with the mouse or the keyboard: they run in the other two.
mouse_with_scripts = pytest.mark.browsers(OTHER)
