"""The app on a phone that makes codes for a second factor (RFC 6238)."""

import base64
import hashlib
import hmac
import re
import struct
import time

STEP = 30


class Authenticator:
    def __init__(self, page: str):
        """Reads the link that the page shows where a second factor is set up."""
        secret = re.search(r"otpauth://totp/[^\"]*[?&](?:amp;)?secret=([A-Z2-7]+)", page).group(1)
        self.key = base64.b32decode(secret + "=" * (-len(secret) % 8))
        self.last = 0

    def code(self) -> str:
        """Of now, or of the next step where that of now was used: each is good once.

        The server takes the codes of three steps, that of its own clock and its two neighbours, so two codes can be
        had at any moment without waiting, and each is good for half a minute at least.
        """
        now = int(time.time()) // STEP
        self.last = max(now, self.last + 1)
        assert self.last <= now + 1, "A third code has to wait for the clock."
        return self._code(self.last)

    def wrong_code(self) -> str:
        """One that is not good now, and will not be soon."""
        now = int(time.time()) // STEP
        good = {self._code(step) for step in range(now - 1, now + 60)}
        return next(code for code in (f"{number:06d}" for number in range(100)) if code not in good)

    def _code(self, step: int) -> str:
        digest = hmac.digest(self.key, struct.pack(">Q", step), hashlib.sha1)
        offset = digest[-1] & 15
        number = struct.unpack(">I", digest[offset:offset + 4])[0] & 0x7FFFFFFF
        return f"{number % 1_000_000:06d}"
