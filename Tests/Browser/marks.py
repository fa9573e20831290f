"""Narrows a test to the browsers for which it makes sense."""

import pytest

with_scripts = pytest.mark.parametrize("scripts", ["scripts"], indirect=True)
without_scripts = pytest.mark.parametrize("scripts", ["plain"], indirect=True)
on_desktop = pytest.mark.parametrize("device", ["desktop"], indirect=True)
on_phone = pytest.mark.parametrize("device", ["phone"], indirect=True)
