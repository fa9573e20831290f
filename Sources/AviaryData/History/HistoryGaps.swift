import AviaryDomain

/// Until when changes of a model were made of which the history does not tell: a policy excluded it, or the file was
/// written by a program that did not note it.
struct HistoryGaps: Hashable {
    /// Of a store that was made before gaps were noted: the commit at that time.
    private var beginning: Int64
    /// Nil for a model that is excluded now.
    private var models: [String: Int64?] = [:]

    /// The last commit that the history may not tell of; nil while it tells of none.
    func lastGap(of model: String) -> Int64? {
        guard let gap = models[model] else { return beginning }
        return gap.map { max($0, beginning) }
    }
}

extension HistoryGaps {
    /// Before the first note every commit may be one.
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

    /// Notes which models a program that opens the store excludes from now on.
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
