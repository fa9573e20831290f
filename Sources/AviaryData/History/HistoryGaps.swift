import AviaryDomain

/// The last commits whose changes the history may not contain, by model.
///
/// A policy excluded the model until then, or the file was written by a program that did not note it.
struct HistoryGaps: Hashable {
    /// The last commit before gaps were noted, for a store of an older program.
    private var beginning: Int64
    /// The last gap of each model; nil for a model that is currently excluded.
    private var models: [String: Int64?] = [:]

    /// Returns the last commit that the history may not contain; nil while the history excludes the model.
    func lastGap(of model: String) -> Int64? {
        guard let gap = models[model] else { return beginning }
        return gap.map { max($0, beginning) }
    }
}

extension HistoryGaps {
    /// Reads the gaps. Before the first note, every commit may be a gap.
    static func read(from connection: any Connection) throws -> HistoryGaps {
        guard case .text(let text) = try MetaTable.value(.historyGaps, in: connection) else {
            return HistoryGaps(beginning: .max)
        }
        var gaps = HistoryGaps(beginning: .max)
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ")
            guard parts.count == 2 else { continue }
            if parts[0] == "*" {
                gaps.beginning = Int64(parts[1]) ?? .max
            } else {
                gaps.models[String(parts[0])] = .some(Int64(parts[1]))
            }
        }
        return gaps
    }

    /// Notes which models the program that opens the store excludes from now on.
    static func note(excluded: Set<String>, at commit: Int64, in connection: any Connection) throws {
        let isNoted = try MetaTable.value(.historyGaps, in: connection) != .null
        let before = try read(from: connection)
        var gaps = before
        if !isNoted { gaps.beginning = commit }
        for model in excluded { gaps.models[model] = .some(nil) }
        for (model, gap) in before.models where gap == nil && !excluded.contains(model) {
            gaps.models[model] = commit
        }
        guard gaps != before || !isNoted else { return }
        let lines =
            ["* \(gaps.beginning)"]
            + gaps.models.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.map(String.init) ?? "-")" }
        try MetaTable.set(.historyGaps, to: .text(lines.joined(separator: "\n")), in: connection)
    }
}

/// The commits of a history compared with their entries.
struct HistoryEntries {
    private let connection: any Connection

    init(_ connection: any Connection) {
        self.connection = connection
    }

    /// Indicates whether each entry belongs to its commit and each commit has all of its entries.
    ///
    /// The oldest commit may lack some entries, because the history removes the oldest ones.
    func areComplete() throws -> Bool {
        let start = try ChangeTable.firstNumber(in: connection) ?? .max
        let commits = try connection.statement(
            "SELECT number, first_change, changes FROM aviary_commit WHERE changes > 0 AND first_change + changes > ? "
                + "ORDER BY first_change")
        let entries = try connection.statement(#"SELECT number, "commit" FROM aviary_change ORDER BY number"#)
        defer {
            commits.reset()
            entries.reset()
        }
        try commits.bind([.integer(start)])
        var hasEntry = try entries.step()
        var end: Int64 = 0
        while try commits.step() {
            let first = commits.integer(1), count = commits.integer(2)
            guard first >= end else { return false }
            end = first + count
            var found: Int64 = 0
            while hasEntry, entries.integer(0) < end {
                guard entries.integer(0) >= first, entries.integer(1) == commits.integer(0) else { return false }
                found += 1
                hasEntry = try entries.step()
            }
            guard found == count || first < start && found == end - start else { return false }
        }
        return !hasEntry
    }
}

/// The fields of a history entry in their stored format.
enum FieldText {
    /// Replaces values by the placeholder that ``JSONWriter/secret()`` writes.
    ///
    /// - Throws: ``JSONError``.
    static func masking(_ text: [UInt8], _ isMasked: (String) -> Bool) throws -> [UInt8] {
        var reader = JSONReader(text), json = JSONWriter(capacity: text.count + 16)
        var isFirst = true
        json.raw("{")
        try reader.object { name, reader in
            if !isFirst { json.raw(",") }
            isFirst = false
            json.text(name)
            json.raw(":")
            _ = try reader.start()
            let start = reader.position
            try reader.skip()
            let value = text[start..<reader.position]
            if isMasked(name), !value.elementsEqual("null".utf8) {
                json.secret()
            } else {
                json.raw(Array(value))
            }
        }
        try reader.finish()
        json.raw("}")
        return json.bytes
    }
}
