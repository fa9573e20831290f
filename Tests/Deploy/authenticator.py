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
        """Of now, or of the next step where that of now was used: each is good once."""
        step = max(int(time.time()) // STEP, self.last + 1)
        while step > int(time.time()) // STEP + 1:
            time.sleep(0.5)
        self.last = step
        digest = hmac.digest(self.key, struct.pack(">Q", step), hashlib.sha1)
        offset = digest[-1] & 15
        number = struct.unpack(">I", digest[offset:offset + 4])[0] & 0x7FFFFFFF
        return f"{number % 1_000_000:06d}"
