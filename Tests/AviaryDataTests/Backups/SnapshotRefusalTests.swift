import AviaryDomain
import Foundation
import Synchronization
import Testing

@testable import AviaryData

/// A damaged snapshot and the expected error.
struct SpoiledSnapshot: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let line: Int?
    let isExpected: @Sendable (SnapshotError.Reason) -> Bool
    let spoil: @Sendable (inout SnapshotText) throws -> Void

    init(
        _ description: String, line: Int?, _ isExpected: @escaping @Sendable (SnapshotError.Reason) -> Bool,
        _ spoil: @escaping @Sendable (inout SnapshotText) throws -> Void
    ) {
        testDescription = description
        self.line = line
        self.isExpected = isExpected
        self.spoil = spoil
    }

    init(
        _ description: String, line: Int?, _ reason: SnapshotError.Reason,
        _ spoil: @escaping @Sendable (inout SnapshotText) throws -> Void
    ) {
        self.init(description, line: line, { $0 == reason }, spoil)
    }
}

// The lines of the sample are: 1 the manifest, 2 Egg with a tag and a site, 3 Feather with the site, 4 Bone, 5 the
// site, 6 their commit, 7 the end.
private let spoiled: [SpoiledSnapshot] = [
    .init("another format", line: 1, .notASnapshot) { $0.replace("aviary.snapshot", with: "other", inLine: 1) },
    .init("another application", line: 1, .otherApp("Gallery", program: "Museum")) {
        $0.replace("\"app\":\"Museum\"", with: "\"app\":\"Gallery\"", inLine: 1)
        try $0.close()
    },
    .init("another version", line: 1, .unsupportedVersion) {
        $0.replace("\"version\":2", with: "\"version\":3", inLine: 1)
    },
    .init("no manifest", line: 1, .notASnapshot) {
        $0.lines.removeFirst(); try $0.close()
    },
    .init(
        "a property that the program does not have", line: 1,
        {
            $0 == .otherSchema(missing: ["Specimen.other string?"], added: ["Specimen.note string?"])
        }
    ) { $0.replace("\"note\"", with: "\"other\"", inLine: 1) },
    .init("a property that is not unique, with the hash of one that is", line: 7, .wrongHash) {
        $0.replace("\"required\",\"unique\"", with: "\"required\"", inLine: 1)
    },
    .init("a wrong hash", line: 7, .wrongHash) { $0.replace("Egg", with: "Ego", inLine: 2) },
    .init("a wrong number of records", line: 7, .wrongRecordCount) { try $0.close(records: 6) },
    .init("a count that is too high", line: 1, .wrongCount(model: "Specimen", expected: 4, found: 3)) {
        $0.replace("\"count\":3", with: "\"count\":4", inLine: 1)
        try $0.close()
    },
    .init("a count that is too low", line: 4, .wrongCount(model: "Specimen", expected: 2, found: 3)) {
        $0.replace("\"count\":3", with: "\"count\":2", inLine: 1)
        try $0.close()
    },
    .init("no last line", line: nil, .missingEnd) { $0.lines.removeLast() },
    .init("only a manifest", line: nil, .missingEnd) { $0.lines.removeLast(6) },
    .init("a line after the end", line: 8, .afterEnd) { $0.lines.append("{}") },
    .init("an empty line after the end", line: 8, .afterEnd) { $0.lines.append("") },
    .init("an id that is there twice", line: 6, .duplicate(model: "Specimen")) {
        $0.lines.insert($0.lines[3], at: 5)
        $0.replace("\"count\":3", with: "\"count\":4", inLine: 1)
        try $0.close()
    },
    .init("a unique value that is there twice", line: 6, .notUnique(model: "Site", property: "code")) {
        let id = UUID().uuidString.lowercased()
        $0.lines.insert($0.lines[4].replacing(/"id":"[^"]*"/, with: "\"id\":\"\(id)\""), at: 5)
        $0.replace("\"count\":1", with: "\"count\":2", inLine: 1)
        try $0.close()
    },
    .init("a reference to nothing", line: 3, .missingReference(model: "Specimen", property: "site")) {
        let id = UUID().uuidString.lowercased()
        $0.lines[2] = $0.lines[2].replacing(/"site":"[^"]*"/, with: "\"site\":\"\(id)\"")
        try $0.close()
    },
    .init("an unknown model", line: 2, .unknownModel) { $0.replace("Specimen", with: "Sample", inLine: 2) },
    .init("an unknown field", line: 2, { if case .malformedRecord = $0 { true } else { false } }) {
        $0.replace("\"note\":", with: "\"remark\":", inLine: 2)
    },
    .init("a missing field", line: 4, { if case .invalid("Specimen", "note", _) = $0 { true } else { false } }) {
        $0.replace("\"note\":null,", with: "", inLine: 4)
    },
    .init("an unknown part", line: 4, { if case .malformedRecord = $0 { true } else { false } }) {
        $0.replace("\"version\"", with: "\"x\":1,\"version\"", inLine: 4)
    },
    .init("a text for a number", line: 4, { if case .invalid("Specimen", "weight", _) = $0 { true } else { false } }) {
        $0.replace("\"weight\":0.5", with: "\"weight\":\"0.5\"", inLine: 4)
    },
    .init(
        "a number for a truth value", line: 4,
        { if case .invalid("Specimen", "isCast", _) = $0 { true } else { false } }
    ) {
        $0.replace("\"isCast\":false", with: "\"isCast\":0", inLine: 4)
    },
    .init(
        "half a number for a whole one", line: 4,
        { if case .invalid("Specimen", "number", _) = $0 { true } else { false } }
    ) {
        $0.replace("\"number\":null", with: "\"number\":1.5", inLine: 4)
    },
    .init(
        "null where a value is required", line: 4,
        { if case .invalid("Specimen", "kind", _) = $0 { true } else { false } }
    ) {
        $0.replace("\"kind\":\"bone\"", with: "\"kind\":null", inLine: 4)
    },
    .init(
        "a value that is no choice", line: 4, { if case .invalid("Specimen", "kind", _) = $0 { true } else { false } }
    ) {
        $0.replace("\"kind\":\"bone\"", with: "\"kind\":\"stone\"", inLine: 4)
    },
    .init("a day that does not exist", line: 4, { if case .invalid("Specimen", "day", _) = $0 { true } else { false } })
    {
        $0.replace("\"day\":null", with: "\"day\":\"2026-02-30\"", inLine: 4)
    },
    .init("a NUL character", line: 4, { if case .invalid("Specimen", "note", _) = $0 { true } else { false } }) {
        $0.replace("\"note\":null", with: "\"note\":\"a\\u0000b\"", inLine: 4)
    },
    .init("an id in capitals", line: 4, { if case .malformedRecord = $0 { true } else { false } }) {
        $0.lines[3] = $0.lines[3].replacing(/"id":"[^"]*"/) { _ in "\"id\":\"\(UUID().uuidString)\"" }
    },
    .init("a version above the commit", line: 4, { if case .malformedRecord = $0 { true } else { false } }) {
        $0.replace("\"version\":1", with: "\"version\":2", inLine: 4)
    },
    .init("a version of zero", line: 4, { if case .malformedRecord = $0 { true } else { false } }) {
        $0.replace("\"version\":1", with: "\"version\":0", inLine: 4)
    },
    .init("a name that is there twice", line: 4, { if case .notJSON = $0 { true } else { false } }) {
        $0.replace("\"version\":1", with: "\"version\":1,\"version\":1", inLine: 4)
    },
    .init("an empty line", line: 3, { if case .notJSON = $0 { true } else { false } }) { $0.lines.insert("", at: 2) },
    .init("no JSON", line: 3, { if case .notJSON = $0 { true } else { false } }) { $0.lines[2] = "model: Specimen" },
    .init("counts whose sum no number holds", line: 1, { if case .malformedManifest = $0 { true } else { false } }) {
        $0.lines[0] = $0.lines[0].replacing(/"count":\d+/, with: "\"count\":9223372036854775807")
        try $0.close()
    },
    .init("a first line that is longer than that of any schema", line: 1, .lineTooLong) {
        $0.replace("\"app\":\"", with: "\"app\":\"" + String(repeating: "x", count: 2 << 20), inLine: 1)
    },
    .init("a list for a version", line: 4, { if case .malformedRecord = $0 { true } else { false } }) {
        $0.replace("\"version\":1", with: "\"version\":[1,1]", inLine: 4)
    },
    .init("more names than any record has", line: 4, { if case .notJSON = $0 { true } else { false } }) {
        $0.lines[3] = "{\"values\":{" + (0...1_000).map { "\"\($0)\":1" }.joined(separator: ",") + "}}"
    },
    .init("deep nesting", line: 3, { if case .notJSON = $0 { true } else { false } }) {
        $0.lines[2] = String(repeating: "{\"values\":", count: 100_000)
    },
    .init("a time that is none", line: 1, .malformedManifest("the time is invalid.")) {
        $0.lines[0] = $0.lines[0].replacing(/"createdAt":"[^"]*"/, with: "\"createdAt\":\"yesterday\\r\\u001b[2K\"")
        try $0.close()
    },
    .init("an application whose name controls terminals", line: 1, SnapshotManifest.unprintable.reason) {
        $0.replace("\"app\":\"Museum\"", with: "\"app\":\"Museum\\u001b[2K\"", inLine: 1)
    },
    .init("a property whose name forges a line", line: 1, SnapshotManifest.unprintable.reason) {
        $0.replace("\"name\":\"note\"", with: "\"name\":\"no\\nte\"", inLine: 1)
    },
    .init("a model whose name turns around what is read", line: 1, SnapshotManifest.unprintable.reason) {
        $0.replace("Specimen", with: "Speci\u{202E}men", inLine: 1)
    },
    .init("a property that the first line lists twice", line: 1, .malformedManifest("a property is listed twice.")) {
        $0.replace("\"name\":\"note\"", with: "\"name\":\"label\"", inLine: 1)
    },
    .init("a line that is too long", line: 3, .lineTooLong) {
        $0.lines[2] = String(repeating: " ", count: try Schema.snapshots().snapshotLineLimit + 1)
    },
]

@Suite("Snapshot: rejected snapshots")
struct SnapshotRefusalTests {
    @Test("A restore rejects an invalid snapshot with its line number and changes nothing", arguments: spoiled)
    func refused(_ spoiled: SpoiledSnapshot) async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let path = try await fixture.backup()
        var text = try SnapshotText(path)
        try spoiled.spoil(&text)
        let bad = path + ".spoiled"
        try text.write(to: bad)
        let before = try contents(of: fixture.directory.path)
        let error = await #expect(throws: SnapshotError.self) { try await fixture.snapshots.restore(from: bad) }
        let reason = try #require(error?.reason)
        #expect(spoiled.isExpected(reason), "\(reason)")
        #expect(error?.line == spoiled.line)
        await #expect(throws: SnapshotError.self) { try await fixture.snapshots.verify(bad) }
        #expect(try contents(of: fixture.directory.path) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.directory.snapshotsPath).count == 2)
    }
}
