package import Foundation

/// A snapshot among those that lie beside the store.
package struct SnapshotFile: Sendable, Hashable, Codable {
    /// The reason for which the snapshot was taken, from its name.
    package enum Origin: String, Sendable, Hashable, Codable {
        case manual, scheduled, beforeRestore, uploaded
    }

    /// The name of the file, without a folder.
    package let name: String
    /// The size of the file, in bytes.
    package let size: Int
    /// The time at which the file was complete, or at which a file from elsewhere arrived.
    package let writtenAt: Date
    package let origin: Origin
    /// The result of a test restore; nil when there was none.
    package let proof: SnapshotProof?

    package init(name: String, size: Int, writtenAt: Date, proof: SnapshotProof?) {
        self.name = name
        self.size = size
        self.writtenAt = writtenAt
        self.proof = proof
        origin = Origin.allCases.first { origin in origin.suffix.map { Self.isOurs(name, $0) } ?? false } ?? .manual
    }
}

extension SnapshotFile.Origin: CaseIterable {
    /// The suffix of the file's name, which follows the time and the number of files with the same time.
    package var suffix: String? {
        switch self {
        case .manual: nil
        case .scheduled: "-scheduled"
        case .beforeRestore: "-before-restore"
        case .uploaded: "-uploaded"
        }
    }
}

extension SnapshotFile {
    package static let ending = ".jsonl.gz"

    /// The moment whose records it holds, as its name tells; of a name that is not one of ours, as its proof tells, or
    /// else ``writtenAt``.
    package var takenAt: Date {
        Self.time(inName: name) ?? proof.flatMap { Date(rfc3339: $0.snapshot.createdAt) } ?? writtenAt
    }

    /// Returns the time in a name such as `Zoo-20261120T183955Z-uploaded.jsonl.gz`, whose application may have any
    /// name.
    private static func time(inName name: String) -> Date? {
        name.dropEnding.split(separator: "-").reversed().lazy.compactMap(time).first
    }

    /// Returns the time in a text such as `20261120T183955Z`.
    private static func time(_ part: Substring) -> Date? {
        let text = Array(part)
        guard text.count == 16, text[8] == "T", text[15] == "Z" else { return nil }
        let (date, time) = (String(text[..<8]), String(text[9..<15]))
        return Date(
            rfc3339: [date.prefix(4), date.dropFirst(4).prefix(2), date.suffix(2)].joined(separator: "-") + "T"
                + [time.prefix(2), time.dropFirst(2).prefix(2), time.suffix(2)].joined(separator: ":") + "Z")
    }

    /// Returns a Boolean value that indicates whether a name with this suffix was given by the server.
    ///
    /// The server removes its own files, and a person may name a file `zoo-before-restore`.
    private static func isOurs(_ name: String, _ suffix: String) -> Bool {
        guard name.dropEnding.hasSuffix(suffix) else { return false }
        var parts = name.dropEnding.dropLast(suffix.count).split(separator: "-", omittingEmptySubsequences: false)
        if let number = parts.last, Int(number) != nil { parts.removeLast() }
        return parts.count > 1 && parts.last.flatMap(time) != nil
    }

    /// Returns a Boolean value that indicates whether a name from outside can only be that of a file in the snapshot
    /// folder.
    package static func isName(_ name: String) -> Bool {
        name.hasSuffix(ending) && name.utf8.count <= 200 && !name.hasPrefix(".")
            && name.utf8.allSatisfy { byte in
                byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
                    || (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z")
                    || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
            }
    }
}

extension String {
    fileprivate var dropEnding: Substring { dropLast(SnapshotFile.ending.count) }
}
