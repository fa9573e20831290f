"""An authenticator app that generates codes for a second factor (RFC 6238)."""

import base64
import hashlib
import hmac
import re
import struct
import time

STEP = 30


class Authenticator:
    def __init__(self, page: str):
        """Reads the key from the setup page of a second factor."""
        secret = re.search(r"otpauth://totp/[^\"]*[?&](?:amp;)?secret=([A-Z2-7]+)", page).group(1)
        self.key = base64.b32decode(secret + "=" * (-len(secret) % 8))
        self.last = 0

    def code(self) -> str:
        """Returns the current code, or the next one if the current code was already used, because each is valid once.

        The server accepts the codes of three steps: the current step of its clock and both neighbours. Two codes are
        therefore available at any time without waiting, and each is valid for at least half a minute.
        """
        now = int(time.time()) // STEP
        self.last = max(now, self.last + 1)
        assert self.last <= now + 1, "A third code has to wait for the clock."
        return self._code(self.last)

    def wrong_code(self) -> str:
        """Returns a code that is not valid now or soon."""
        now = int(time.time()) // STEP
        good = {self._code(step) for step in range(now - 1, now + 60)}
        return next(code for code in (f"{number:06d}" for number in range(100)) if code not in good)

    def _code(self, step: int) -> str:
        digest = hmac.digest(self.key, struct.pack(">Q", step), hashlib.sha1)
        offset = digest[-1] & 15
        number = struct.unpack(">I", digest[offset:offset + 4])[0] & 0x7FFFFFFF
        return f"{number % 1_000_000:06d}"
