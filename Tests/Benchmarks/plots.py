"""Bars with their ranges as SVG: readable on a light page and a dark one, without a script or a font of its own."""
from xml.sax.saxutils import escape

STYLE = """
text{font:13px system-ui,sans-serif;fill:#1c1d1f}.soft{fill:#62666d}.bar{fill:#2f6fde}.other{fill:#8a9099}
.range{stroke:#1c1d1f;stroke-width:1.5}.back{fill:#fff}
@media (prefers-color-scheme:dark){text{fill:#eceded}.soft{fill:#9da2aa}.bar{fill:#7aa7ff}.other{fill:#6d737c}
.range{stroke:#eceded}.back{fill:#131416}}
"""
WIDTH, RIGHT, ROW, TOP = 760, 110, 30, 40
# The width of a character in wide fonts at 13 pixels, on average.
CHARACTER = 7


def bars(title, unit, rows):
    """Rows of name, median, lowest, highest, whether it is ours."""
    height = TOP + ROW * len(rows) + 8
    # The names are on the left of the bars.
    left = 24 + CHARACTER * max(len(row[0]) for row in rows)
    scale = (WIDTH - left - RIGHT) / max(row[3] for row in rows)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title, {chr(34): "&quot;"})}">',
        f"<style>{STYLE}</style>", f'<rect class="back" width="{WIDTH}" height="{height}" rx="8"/>',
        f'<text x="12" y="24" font-weight="600">{escape(title)}</text>',
    ]
    for index, (name, middle, lowest, highest, is_ours) in enumerate(rows):
        y = TOP + index * ROW
        end = left + highest * scale
        parts += [
            f'<text x="{left - 10}" y="{y + 17}" text-anchor="end">{escape(name)}</text>',
            f'<rect class="{"bar" if is_ours else "other"}" x="{left}" y="{y + 4}" width="{max(1, middle * scale):.1f}" height="18" rx="3"/>',
            f'<path class="range" fill="none" d="M{left + lowest * scale:.1f} {y + 9}v8m0 -4H{end:.1f}m0 -4v8"/>',
            f'<text class="soft" x="{end + 8:.1f}" y="{y + 17}">{number(middle)} {escape(unit)}</text>',
        ]
    return "".join(parts) + "</svg>\n"


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"
