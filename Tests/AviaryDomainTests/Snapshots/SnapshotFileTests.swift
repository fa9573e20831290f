import AviaryDomain
import Foundation
import Testing

@Suite("A snapshot among the others")
struct SnapshotFileTests {
    private static let written = Date(timeIntervalSince1970: 1_800_000_000)

    private func takenAt(_ name: String, proof: SnapshotProof? = nil) -> String? {
        SnapshotFile(name: name + ".jsonl.gz", size: 1, writtenAt: Self.written, proof: proof).takenAt.rfc3339
    }

    @Test(
        "It was taken when its name says, whenever the file was written",
        arguments: [
            "Zoo-20261020T123456Z", "Zoo-20261020T123456Z-2", "Zoo-20261020T123456Z-uploaded",
            "Zoo-20261020T123456Z-2-uploaded",
            "my-20200101T000000Z-zoo-20261020T123456Z-before-restore",
        ])
    func name(name: String) {
        #expect(takenAt(name) == "2026-10-20T12:34:56.000Z")
    }

    @Test(
        "A name without a time tells none",
        arguments: ["Zoo", "Zoo-20261320T123456Z", "Zoo-20261020T123456", "Zoo-2026-10-20", "Zoo-ABCDEFGHTIJKLMNZ"])
    func otherName(name: String) {
        #expect(takenAt(name) == Self.written.rfc3339)
        let summary = SnapshotSummary(
            path: nil, app: "Zoo", createdAt: "2026-10-20T12:34:56.789Z", commit: 1, records: 0, counts: [:], sha256: ""
        )
        #expect(
            takenAt(name, proof: SnapshotProof(provenAt: Self.written, snapshot: summary)) == "2026-10-20T12:34:56.789Z"
        )
    }
}
