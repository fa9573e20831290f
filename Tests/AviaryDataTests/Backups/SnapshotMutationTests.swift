import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("Snapshot: mutations")
struct SnapshotMutationTests {
    @Test("A random mutation is rejected or verifies like the original, and never changes the store")
    func mutations() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let path = try await fixture.backup()
        let original = try await fixture.snapshots.verify(path)
        let compressed = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let lines = try SnapshotText(path).lines
        let before = try contents(of: fixture.directory.path)
        var generator = TestSeed.generator()
        let rounds = Explore.isOn ? 1000 : 200
        var refused = 0, restored = 0
        for round in 0..<rounds {
            let bad = fixture.directory.path + "/bad.gz"
            unlink(bad)
            if round.isMultiple(of: 2) {
                try Data(Self.mutated(compressed, &generator)).write(to: URL(fileURLWithPath: bad))
            } else {
                try writeGzip(Self.mutated(lines, &generator), to: bad)
            }
            var isRefused = false
            do {
                let summary = try await fixture.snapshots.verify(bad)
                #expect(summary.sha256 == original.sha256 && summary.counts == original.counts, "round \(round)")
            } catch {
                #expect(error is SnapshotError, "round \(round): \(error)")
                refused += 1
                isRefused = true
            }
            // A complete restore also rejects every snapshot that the verification rejects. It is slower, so it
            // runs for a sample of both kinds.
            if isRefused, (round / 2).isMultiple(of: 10) {
                await #expect(throws: SnapshotError.self, "round \(round)") {
                    try await fixture.snapshots.restore(from: bad)
                }
                restored += 1
            }
        }
        #expect(restored > rounds * 8 / 100)
        #expect(refused > rounds * 9 / 10)
        #expect(try contents(of: fixture.directory.path) == before)
        #expect(try integrity(of: fixture.directory.path) == "ok")
    }

    private static func mutated(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            guard let index = bytes.indices.randomElement(using: &generator) else { return bytes }
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: index)
            case 2: bytes.remove(at: index)
            case 3: bytes.removeSubrange(index...)
            default: bytes += bytes[index...]
            }
        }
        return bytes
    }

    /// Changes the text, so that the checksums of the compression do not fail before the snapshot's own checks.
    private static func mutated(_ lines: [String], _ generator: inout SeededGenerator) -> [UInt8] {
        var lines = lines
        let one = Int.random(in: 0..<lines.count, using: &generator),
            other = Int.random(in: 0..<lines.count, using: &generator)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: lines.swapAt(one, other)
        case 1: lines.remove(at: one)
        case 2: lines.insert(lines[other], at: one)
        case 3: lines[one] = String(lines[one].reversed())
        default: return mutated(Array(lines.map { $0 + "\n" }.joined().utf8), &generator)
        }
        return Array(lines.map { $0 + "\n" }.joined().utf8)
    }
}
