extension StoreAudit {
    /// The history tells what happened to the records and nothing else: each stored change set once, under the number
    /// of its receipt and with all its changes; and the last change of each record is the state that it is in.
    func historyViolations() throws -> [String] {
        try commitViolations() + lastChangeViolations()
    }

    private func commitViolations() throws -> [String] {
        var violations: [String] = []
        var stored: [String: String] = [:]
        var changes: [String: [String]] = [:]
        for change in try file.rows(#"SELECT "commit", kind, record FROM aviary_change ORDER BY number"#) {
            changes[change[0], default: []].append("\(change[1]) \(change[2])")
        }
        for commit in try file.rows("SELECT number, change_set FROM aviary_commit ORDER BY number") {
            let (number, name) = (commit[0], Self.step(ofChangeSet: commit[1]))
            if stored.updateValue(number, forKey: name) != nil { violations.append("step \(name) was committed twice") }
            guard let step = ledger.step(name), !step.isWrong else {
                violations.append("commit \(number) is step \(name), which nobody attempted")
                continue
            }
            let told = changes.removeValue(forKey: number) ?? []
            if !step.matches(told) {
                violations.append("commit \(number), step \(name): \(step.effects), history: \(told)")
            }
        }
        violations += changes.keys.map { "changes of commit \($0), which is none" }
        for (caller, steps) in ledger.callers {
            for (number, step) in steps {
                let told = stored["\(caller).\(number)"]
                guard let commit = step.commits.first, told != String(commit) else { continue }
                violations.append("step \(caller).\(number) is commit \(commit), history: \(told ?? "none")")
            }
        }
        return violations
    }

    private func lastChangeViolations() throws -> [String] {
        let last = "(SELECT record, max(number), kind, \"commit\" FROM aviary_change GROUP BY record)"
        return try file.rows(
            """
            SELECT coalesce(id, record) || ': version ' || coalesce(aviary_version, 'none') || ', last change '
                || coalesce("commit", 'none')
            FROM Animal FULL JOIN \(last) ON record = id
            WHERE CASE WHEN kind = 2 THEN id IS NOT NULL ELSE aviary_version IS NOT "commit" END
            """
        ).map { $0[0] }
    }

    /// The driver's ids end in the caller and the step.
    private static func step(ofChangeSet id: String) -> String {
        let digits = id.suffix(12)
        return "\(Int(digits.prefix(4), radix: 16) ?? -1).\(Int(digits.suffix(8), radix: 16) ?? -1)"
    }
}

extension LedgerText {
    /// - Parameter name: The caller and the number.
    fileprivate func step(_ name: String) -> Step? {
        let parts = name.split(separator: ".").compactMap { Int($0) }
        return parts.count == 2 ? callers[parts[0]]?[parts[1]] : nil
    }
}

extension LedgerText.Step {
    /// - Parameter changes: The kind and the record of each.
    fileprivate func matches(_ changes: [String]) -> Bool {
        guard changes.count == effects.count else { return false }
        return zip(changes, effects).allSatisfy { change, effect in
            let record = effect.dropFirst().split(separator: "=").first ?? ""
            return effect.hasPrefix("-") ? change == "2 \(record)" : change == "0 \(record)" || change == "1 \(record)"
        }
    }
}
