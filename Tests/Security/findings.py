"""Findings of the scanners, and the reasons for known false positives."""

from dataclasses import dataclass


@dataclass
class Finding:
    tool: str
    kind: str
    place: str
    text: str

    @property
    def excuse(self) -> str | None:
        """The reason why the finding is a known false positive, which docs/security.md also gives; otherwise None."""
        return EXCUSES.get((self.tool, self.kind))


EXCUSES = {
    ("wapiti", "Secure Flag cookie"): "the scan speaks plain HTTP with a loopback address, where no cookie can be Secure",
}
