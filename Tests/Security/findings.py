"""What a scanner says, and which of it is no hole."""

from dataclasses import dataclass


@dataclass
class Finding:
    tool: str
    kind: str
    place: str
    text: str

    @property
    def excuse(self) -> str | None:
        """Why it is none, when it is known; the reason stands in docs/security.md, too."""
        return EXCUSES.get((self.tool, self.kind))


EXCUSES = {
    ("wapiti", "Secure Flag cookie"): "the scan speaks plain HTTP with a loopback address, where no cookie can be Secure",
}
