import AviaryDomain

/// The checks of a snapshot's lines that need no other line.
struct RecordCheck {
    private let manifest: SnapshotManifest
    private var counts: [String: Int] = [:]
    private var linkCounts: [String: Int] = [:]
    private var logCounts: [String: Int] = [:]
    private var accounts: AccountCheck?

    init(_ manifest: SnapshotManifest) {
        self.manifest = manifest
    }

    /// Checks a record by itself.
    ///
    /// - Throws: ``SnapshotError``.
    mutating func check(_ record: SnapshotRecord) throws(SnapshotError) {
        let model = record.table.model
        try Self.count(model.name, &counts, expected: manifest.counts[model.name])
        guard record.version <= manifest.commit else {
            throw SnapshotError(.malformedRecord(localized("the version is later than the backup’s commit.")))
        }
        if let problem = model.validationProblem(in: record.values) {
            throw SnapshotError(.invalid(model: model.name, property: problem.property, problem.message))
        }
        if model.name == Account.modelName {
            let check = accounts ?? AccountCheck(model)
            accounts = check
            try check.check(record.values)
        }
    }

    mutating func check(_ link: SnapshotLink) throws(SnapshotError) {
        let name = link.table.relation.name
        try Self.count(name, &linkCounts, expected: manifest.linkCounts[name])
    }

    /// Checks a row of the log by itself.
    ///
    /// - Throws: ``SnapshotError``.
    mutating func check(_ row: SnapshotLogRow) throws(SnapshotError) {
        guard let log = manifest.log else {
            throw SnapshotError(.malformedRecord(localized("unknown part.")))
        }
        try Self.count(row.table.tableName, &logCounts, expected: log.count(of: row.table))
        try row.check(commit: manifest.commit, log)
    }

    /// Counts a line and rejects one more than the manifest promises.
    ///
    /// The check runs for each line: a file that never ends must not fill the disk.
    private static func count(_ name: String, _ counts: inout [String: Int], expected: Int?) throws(SnapshotError) {
        counts[name, default: 0] += 1
        let expected = expected ?? 0
        if let count = counts[name], count > expected {
            throw SnapshotError(.wrongCount(model: name, expected: expected, found: count))
        }
    }
}

/// The rules for the name, the role and the counters of an account in a snapshot.
///
/// The name and the role are shown to the person who decides about a restore. The store continues to count from the
/// counters.
///
/// The program may no longer have a role that it once wrote. Such an account keeps its role, which permits nothing.
struct AccountCheck {
    private let name: Int?
    private let role: Int?
    private let counters: [(property: String, index: Int)]

    init(_ model: ModelSchema) {
        counters = ["epoch", "lastOneTimeStep"].compactMap { name in
            model.storedIndex(of: name).map { (name, $0) }
        }
        name = model.storedIndex(of: "name")
        role = model.storedIndex(of: "role")
    }

    /// Checks the values of an account.
    ///
    /// - Throws: ``SnapshotError``.
    func check(_ values: ArraySlice<FieldValue>) throws(SnapshotError) {
        if let text = text(name, in: values), AccountName(text)?.text != text {
            throw SnapshotError(
                .invalid(model: Account.modelName, property: "name", localized("Invalid account name.")))
        }
        if let text = text(role, in: values), !Roles.isName(text) {
            throw SnapshotError(
                .invalid(model: Account.modelName, property: "role", localized("Invalid role name.")))
        }
        for (property, index) in counters where index < values.count {
            guard case .integer(let number) = values[values.startIndex + index] else { continue }
            guard SnapshotManifest.possibleCommits.contains(number) else {
                throw SnapshotError(
                    .invalid(
                        model: Account.modelName, property: property, localized("This number is too large.")))
            }
        }
    }

    private func text(_ index: Int?, in values: ArraySlice<FieldValue>) -> String? {
        guard let index, index < values.count, case .text(let text) = values[values.startIndex + index] else {
            return nil
        }
        return text
    }
}
