"""A run as a picture: latency and requests over time, with its faults marked."""

import math
from xml.sax.saxutils import escape

STYLE = """
text{font:13px system-ui,sans-serif;fill:#1c1d1f}.soft{fill:#62666d}.back{fill:#fff}.grid{stroke:#e3e4e6}
.p99{fill:none;stroke:#2f6fde;stroke-width:2}.failed{fill:#c93434}.answered{fill:#b9c4d6}.mark{stroke:#c93434;stroke-dasharray:3 3}
.mended{stroke:#2b8a4b;stroke-dasharray:3 3}
@media (prefers-color-scheme:dark){text{fill:#eceded}.soft{fill:#9da2aa}.back{fill:#131416}.grid{stroke:#2c2e32}
.p99{stroke:#7aa7ff}.failed,.mark{stroke:#ff7b72}.failed{fill:#ff7b72}.answered{fill:#3d4858}.mended{stroke:#5fcf86}}
"""
WIDTH, LEFT, RIGHT = 900, 70, 20
# The plots below each other: the latencies, with room for the names of faults, and the requests.
TOP, HIGH, BETWEEN, LOW, FOOT = 96, 200, 40, 110, 40
# The lowest and the highest latency of the axis, in milliseconds; each line of it is ten times the one below.
DECADES = [1, 10, 100, 1_000, 10_000, 100_000]


def picture(result: dict, marks: list[tuple[float, str]]) -> str:
    """Draws a result of the load test. Marks have a time in seconds since 1970."""
    timeline = result["timeline"]
    length = timeline[1]["seconds"] - timeline[0]["seconds"]
    end = timeline[-1]["seconds"] + length
    height = TOP + HIGH + BETWEEN + LOW + FOOT

    def x(seconds: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * min(max(seconds, 0), end) / end

    def y(milliseconds: float) -> float:
        return TOP + HIGH * (1 - math.log10(min(max(milliseconds, DECADES[0]), DECADES[-1])) / (len(DECADES) - 1))

    title = "Two web hosts and three database hosts under load"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{title}">',
        f'<style>{STYLE}</style><rect class="back" width="{WIDTH}" height="{height}" rx="8"/>',
        f'<text x="12" y="24" font-weight="600">{title}</text>',
        '<text class="soft" x="12" y="44">99th percentile of latency from the time at which an action was due</text>',
    ]
    for decade in DECADES:
        label = f"{decade} ms" if decade < 1000 else f"{decade // 1000} s"
        parts.append(
            f'<path class="grid" d="M{LEFT} {y(decade):.1f}H{WIDTH - RIGHT}"/>'
            f'<text class="soft" x="{LEFT - 8}" y="{y(decade) + 4:.1f}" text-anchor="end">{label}</text>')
    points = [f'{x(one["seconds"] + length / 2):.1f} {y(one["p99"]):.1f}' for one in timeline if "p99" in one]
    parts.append(f'<path class="p99" d="M{"L".join(points)}"/>')

    floor = TOP + HIGH + BETWEEN + LOW
    scale = LOW / max(one["requests"] for one in timeline)
    wide = x(length) - x(0) - 1
    parts.append(f'<text class="soft" x="12" y="{TOP + HIGH + BETWEEN - 10}">Requests in {length:.1f} s: answered, and in red not answered or with 5xx</text>')
    for one in timeline:
        left, all_, failed = x(one["seconds"]), one["requests"] * scale, one["failed"] * scale
        parts.append(f'<rect class="answered" x="{left:.1f}" y="{floor - all_:.1f}" width="{wide:.1f}" height="{all_:.1f}"/>')
        parts.append(f'<rect class="failed" x="{left:.1f}" y="{floor - failed:.1f}" width="{wide:.1f}" height="{failed:.1f}"/>')

    for index, (time, name) in enumerate(marks):
        at = x(time - result["began"])
        kind = "mended" if name == "repaired" else "mark"
        parts.append(f'<path class="{kind}" d="M{at:.1f} {TOP - 8}V{TOP + HIGH}M{at:.1f} {floor - LOW}V{floor}"/>')
        # Names of faults that are close to each other are in two rows.
        if kind == "mark":
            parts.append(f'<text x="{at:.1f}" y="{TOP - 30 + index // 2 % 2 * 16}">{escape(name)}</text>')
    for second in range(0, int(end), 30):
        parts.append(f'<text class="soft" x="{x(second):.1f}" y="{floor + 20}" text-anchor="middle">{second} s</text>')
    return "".join(parts) + "</svg>\n"
