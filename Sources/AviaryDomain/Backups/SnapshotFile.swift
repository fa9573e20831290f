package import Foundation

/// A snapshot in the snapshot folder of the store.
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

    /// The time of the state that the snapshot contains.
    ///
    /// It comes from the name of the file. If the server did not choose that name, it comes from the proof, or else
    /// from ``writtenAt``.
    package var takenAt: Date {
        Self.time(inName: name) ?? proof.flatMap { Date(rfc3339: $0.snapshot.createdAt) } ?? writtenAt
    }

    /// Returns the time in a name such as `Zoo-20261120T183955Z-uploaded.jsonl.gz`. The name of the application may
    /// contain hyphens.
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

    /// Indicates whether the server chose a name with this suffix.
    ///
    /// The server removes only its own files, and a person may name a file `zoo-before-restore`.
    private static func isOurs(_ name: String, _ suffix: String) -> Bool {
        guard name.dropEnding.hasSuffix(suffix) else { return false }
        var parts = name.dropEnding.dropLast(suffix.count).split(separator: "-", omittingEmptySubsequences: false)
        if let number = parts.last, Int(number) != nil { parts.removeLast() }
        return parts.count > 1 && parts.last.flatMap(time) != nil
    }

    /// Indicates whether a name from outside is safe: it can only be that of a file in the snapshot folder.
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

/// The rules for deleting snapshots that nobody requested individually.
///
/// The newest scheduled snapshot of each of the last hours, days and months that have one is kept. In each of these
/// periods, a snapshot that was proven restorable has precedence.
package struct BackupRetention: Sendable, Hashable {
    package static let standard = BackupRetention(hourly: 24, daily: 7, monthly: 12)

    package let hourly: Int
    package let daily: Int
    package let monthly: Int

    package init(hourly: Int, daily: Int, monthly: Int) {
        self.hourly = hourly
        self.daily = daily
        self.monthly = monthly
    }

    /// Returns the snapshots that may be deleted: never the newest, never the newest that was proven restorable, and
    /// none that a person took.
    package func removable(_ files: [SnapshotFile]) -> [SnapshotFile] {
        let scheduled = files.filter { $0.origin == .scheduled }.sorted {
            ($0.writtenAt, $0.name) > ($1.writtenAt, $1.name)
        }
        var kept = Set(scheduled.prefix(1).map(\.name))
        if let proven = scheduled.first(where: { $0.proof != nil }) { kept.insert(proven.name) }
        // Prefixes of RFC 3339 texts: up to the hour, the day, the month. All times are in UTC, so no hour occurs
        // twice.
        for (count, length) in [(hourly, 13), (daily, 10), (monthly, 7)] {
            kept.formUnion(newest(count, of: scheduled, eachOf: length))
        }
        return scheduled.filter { !kept.contains($0.name) }
    }

    /// The default number of replaced stores to keep.
    package static let standardReplaced = 5

    /// Returns the replaced stores that may be deleted: never the newest, and none of the last day, because people
    /// mostly notice a wrong restore at once.
    ///
    /// - Parameters:
    ///   - files: All snapshots.
    ///   - count: The number of newest ones to keep.
    ///   - now: The current time.
    package static func removableReplaced(_ files: [SnapshotFile], keeping count: Int, at now: Date) -> [SnapshotFile] {
        files.filter { $0.origin == .beforeRestore }.sorted { ($0.writtenAt, $0.name) > ($1.writtenAt, $1.name) }
            .dropFirst(max(1, count)).filter { now.timeIntervalSince($0.writtenAt) > 86_400 }
    }

    private func newest(_ count: Int, of files: [SnapshotFile], eachOf length: Int) -> [String] {
        var periods: Set<Substring> = []
        var names: [String] = []
        for (index, file) in files.enumerated() where periods.count < count {
            guard let period = file.period(length), periods.insert(period).inserted else { continue }
            let proven = files[index...].prefix { $0.period(length) == period }.first { $0.proof != nil }
            names.append((proven ?? file).name)
        }
        return names
    }
}

extension SnapshotFile {
    fileprivate func period(_ length: Int) -> Substring? { writtenAt.rfc3339?.prefix(length) }
}
