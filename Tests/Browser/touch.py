"""Real touch events, as the browser receives them from the device."""

from playwright.sync_api import Page


def swipe(page: Page, start: tuple[float, float], distance: float, steps: int = 12):
    """Swipes horizontally; a negative distance is to the left."""
    session = page.context.new_cdp_session(page)

    def touch(kind: str, points: list[dict]):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    x, y = start
    touch("touchStart", [{"x": x, "y": y}])
    for step in range(1, steps + 1):
        touch("touchMove", [{"x": x + distance * step / steps, "y": y}])
    touch("touchEnd", [])
    session.detach()
