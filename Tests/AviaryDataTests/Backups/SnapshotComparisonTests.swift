import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Snapshot: comparison")
struct SnapshotComparisonTests {
    /// Returns a snapshot with the lines between the manifest and the end.
    private static func snapshot(_ lines: [String], in directory: URL, named name: String) throws -> String {
        let path = directory.appendingPathComponent(name).path
        let whole = ["{\"manifest\":\"\(name)\"}"] + lines + ["{\"end\":\"\(name)\"}"]
        try writeGzip([UInt8](whole.map { $0 + "\n" }.joined().utf8), to: path)
        return path
    }

    private static func compare(_ one: [String], _ other: [String]) throws -> Int {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }  // only its owner can read it
        return try SnapshotComparison.check(
            snapshot(other, in: directory, named: "other"), equals: snapshot(one, in: directory, named: "one"),
            lineLimit: 1 << 20, cancellationToken: CancellationToken())
    }

    @Test("Snapshots that differ in their manifests and ends alone are equal", arguments: [0, 1, 1000])
    func equal(count: Int) throws {
        let lines = (0..<count).map { "{\"number\":\($0)}" }
        #expect(try Self.compare(lines, lines) == count)
    }

    @Test(
        "A line that is changed, missing, added or elsewhere is named",
        arguments: [
            (["a", "x", "c"], "3"), (["a", "b"], "4"), (["a", "b", "c", "d"], "5"), (["b", "a", "c"], "2"),
            ([], "2"), (["a", "b", "C"], "4"),
        ])
    func different(other: [String], line: String) throws {
        let error = try #require(throws: SnapshotError.self) { try Self.compare(["a", "b", "c"], other) }
        #expect("\(error)".contains("in line \(line) "), "\(error)")
    }
}
