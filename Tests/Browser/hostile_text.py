"""Hostile texts that try to break out of markup, queries and other contexts."""

import os
import random

from exploration import EXPLORES, SEED

RANDOM_TEXTS = int(os.environ.get("AVIARY_HOSTILE_TEXTS") or (12 if EXPLORES else 2))

KNOWN = {
    "markup": '"><svg onload=alert(1)>',
    "single-quoted": "' autofocus onfocus='alert(1)' x='",
    "polyglot": "jaVasCript:/*-/*`/*\\`/*'/*\"/**/(/* */oNcliCk=alert() )//</stYle/</titLe/</teXtarEa/</scRipt/--!>"
                "<sVg/<sVg/oNloAd=alert()//>",
    "closing": "</textarea></title></option></select></dialog></bdi></table><form action=//evil.example><plaintext>",
    "comment": "<!-- --!> <!--[if IE]> <![CDATA[ ]]> <?php x ?>",
    "combining-quote": "\"\u0301 onmouseover=\"\u0301alert(1)",
    "combining-apostrophe": "'\u0301 onfocus='\u0301alert(1) x",
    "combining-bracket": "<\u0338script>\u20ddalert(1)</\u0338script>",
    "joined-quote": "\"\u200d OR \"\u200dtitle\" : \"\ufe0f '\u200d OR '\u200d1'='1",
    "entities": "&lt;b&gt; &amp;amp; &#60;i&#62; &#x3c;u &lt &notin; &quot;",
    "sql": "x'; DROP TABLE \"Animal\"; -- ' OR '1'='1' UNION SELECT sqlite_version()--",
    "sql-like": "100%_[a-z]^ \\ ESCAPE '\\' *\" NEAR(a b) OR -x",
    "templates": "{{7*7}} {% raw %} ${7*7} #{7*7} <%= 7*7 %> \\(7*7) {{constructor.constructor('alert(1)')()}}",
    "control": "a\x01\x02\x07\x08\x0b\x0c\x1b[31mred\x1b[0m\x7f\x85z",
    "right-to-left": "\u202egnp.exe\u202c \u2067abc\u2069 \u200f\u05d0\u05d1 \u061c",
    "zero-width": "a\u200b\u200c\u200d\ufeff\u2060\u00adz\U000e0041",
    "lines": "first\r\nSet-Cookie: a=b\r\n\r\n<b>second</b>\nthird\rfourth\u2028fifth\u2029sixth",
    "percent": "%00%0d%0aX:y %2e%2e%2f%252e %u003c %3Cscript%3E a+b=c&d=e;f#g?h",
    "json": "{\"a\":[1,\"\\u003c\\\"\"]}]}'\"",
    "formula": "=HYPERLINK(\"http://evil.example\",\"x\")+cmd|' /C calc'!A0",
    "address": "javascript:alert(1)//data:text/html,<script>alert(1)</script>",
    "paths": "../../../../etc/passwd\\..\\windows//evil.example/%5c",
    "beyond": "\U0001f992\U0001f468\u200d\U0001f469\u200d\U0001f467 \ufffe\uffff\U0010ffff \u1e9e\u0130 z\u0335\u0321\u0353" + "\u0301" * 40,
    "marked space": "a \u0338b\u202e\u0301 \u0301c",
    "long": "<i>\"'&" * 1_666 + "long",
}


def random_text(generator: random.Random) -> str:
    """Returns a random sequence of pieces of the known texts and of single characters."""
    pieces = list(KNOWN.values())
    text = "x"
    for _ in range(generator.randrange(1, 12)):
        piece = generator.choice(pieces)
        start = generator.randrange(len(piece))
        text += piece[start:start + generator.randrange(1, 24)]
        text += chr(generator.choice([34, 38, 39, 60, 62, 92, 96, 0x301, 0x338, 0x20dd, 0x200d, 0x202e, generator.randrange(32, 0xd800)]))
    return text


def texts() -> dict[str, str]:
    generator = random.Random(SEED)
    return KNOWN | {f"random-{SEED}-{number}": random_text(generator) for number in range(RANDOM_TEXTS)}


def harmless(text: str) -> str:
    """Returns a harmless text with the same length and line breaks."""
    return "".join(character if character in "\r\n" else "x" for character in text)
